/* SPDX-License-Identifier: Apache-2.0 */
/*
 * args.h - one list of kernel arguments for host and kernel. A list
 *
 *     #define STEP_ARGS(buf, arg) buf(const rd_u32, in) buf(rd_u32, out) arg(rd_u32, count)
 *
 * is what rd_kernel takes (raddle/kernel.h). Here the same list becomes a struct with the same names, whose buffers are
 * rd__buffer and whose numbers have the kernel's types, and a function that puts them in order:
 *
 *     RD__ARGS(step_args, STEP_ARGS)
 *     const step_args args = {.in = &in, .out = &out, .count = n};
 *     rd__arg list[RD__MAX_ARGS];
 *     const uint32_t used = step_args_pack(&args, list);
 *
 * Who launches again and again with one number that counts up finds its place in the list with RD__PLACE:
 *
 *     list[RD__PLACE(step_args, count)].as.u32++;
 *
 * A name that is missing in the kernel, a buffer where a number belongs, or the reverse, does not compile. Lists of
 * engines stand in their layout headers. Those of apps are in the apps' kernel text, and gen/args/ROOT.h has them as
 * ROOT_ARGS (tools/programs.sh).
 */
#ifndef RD_MODEL_ARGS_H
#define RD_MODEL_ARGS_H

#include "device/device.h"

#include <stddef.h>

#define RD__TYPE_rd_u32 uint32_t
#define RD__TYPE_rd_u64 uint64_t
#define RD__TYPE_rd_f32 float
#define RD__MAKE_rd_u32 RD__U32
#define RD__MAKE_rd_u64 RD__U64
#define RD__MAKE_rd_f32 RD__F32

#define RD__BUFFER_FIELD(type, name) const rd__buffer *name;
#define RD__NUMBER_FIELD(type, name) RD__TYPE_##type name;
#define RD__BUFFER_ITEM(type, name)  out[used++] = RD__BUFFER(in->name);
#define RD__NUMBER_ITEM(type, name)  out[used++] = RD__MAKE_##type(in->name);

#define RD__PLACE_FIELD(type, name) char name;

#define RD__ARGS(NAME, LIST)                                                                                           \
    typedef struct NAME {                                                                                              \
        LIST(RD__BUFFER_FIELD, RD__NUMBER_FIELD)                                                                       \
    } NAME;                                                                                                            \
    typedef struct NAME##_places { /* a byte for each argument: offsets are places */                                  \
        LIST(RD__PLACE_FIELD, RD__PLACE_FIELD)                                                                         \
    } NAME##_places;                                                                                                   \
    _Static_assert(sizeof(NAME##_places) <= RD__MAX_ARGS, "more arguments than a kernel may have");                    \
    static inline uint32_t NAME##_pack(const NAME *in, rd__arg *out)                                                   \
    {                                                                                                                  \
        uint32_t used = 0;                                                                                             \
        LIST(RD__BUFFER_ITEM, RD__NUMBER_ITEM)                                                                         \
        return used;                                                                                                   \
    }

/* The place of an argument that is an rd_u32; of any other kind it does not compile. */
#define RD__PLACE(NAME, name) _Generic(((NAME *)0)->name, uint32_t : (uint32_t)offsetof(NAME##_places, name))

#endif
