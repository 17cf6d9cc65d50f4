/* SPDX-License-Identifier: Apache-2.0 */
/* hand_args.k.h - the arguments of hand.k.h, for the kernels and for the host. */
#ifndef RD_APPS_HAND_ARGS_K_H
#define RD_APPS_HAND_ARGS_K_H

#define HAND_HEAD 4 /* words before the tasks */
/* clang-format off */
#define HAND_ARGS(buf, arg) \
    buf(const rd_u32, hand_in) \
    buf(rd_u32, hand_out) \
    arg(rd_u32, hand_room)   /* tasks that hand_out takes */ \
    arg(rd_u32, hand_budget) /* tasks a lane runs */ \
    arg(rd_u32, hand_root)   /* the first while of all: seeds are the app's own */
/* clang-format on */

#endif
