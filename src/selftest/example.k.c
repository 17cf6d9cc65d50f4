/* SPDX-License-Identifier: Apache-2.0 */
/* example.k.c - a complete kernel in the dialect: how many words of an array lie below a limit, and which ones.
 * docs/dialect.md explains it line by line. */
#include "raddle/kernel.h"

/* clang-format off */
#define BELOW_ARGS(buf, arg)                                      \
    buf(const rd_u32, in) /* n words */          \
    arg(rd_u32, n)                                           \
    arg(rd_u32, limit)                                       \
    buf(rd_u32, out) /* indices, in any order */ \
    buf(rd_u32, count) /* how many of them */
/* clang-format on */
rd_context(below_ctx, BELOW_ARGS);

rd_fn rd_u32 is_below(const below_ctx *c, rd_u32 i)
{
    return i < c->n && rd_ld_const(&c->in[i]) < c->limit;
}

rd_kernel(below, BELOW_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const below_ctx c = rd_bind(BELOW_ARGS);
    const rd_u32 stride = rd_groups() * rd_lanes();
    for (rd_u32 base = rd_group() * rd_lanes(); base < n; base += stride) { /* equal in all lanes of the group */
        const rd_u32 i = base + rd_lane(), mine = is_below(&c, i);
        rd_u32 all, at = 0;
        const rd_u32 before = rd_group_scan(scratch, mine, &all);
        if (rd_lane() == 0 && all)
            at = rd_add_rlx(count, all); /* one reservation a group; partner: the same add in other groups */
        at = rd_group_broadcast(scratch, at, 0);
        if (mine)
            out[at + before] = i;
    }
}

#define EXAMPLE_KERNELS(k) k(below, BELOW_ARGS)
rd_kernels(EXAMPLE_KERNELS);
