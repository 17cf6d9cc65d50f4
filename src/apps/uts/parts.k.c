/* SPDX-License-Identifier: Apache-2.0 */
/* parts.k.c - uts/uts.k.c for several ranks: apps/common/hand.k.h says how. */
#include "apps/common/hand_args.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    buf(const rd_u32, table)  \
    arg(rd_u32, rows)         \
    arg(rd_u32, width)        \
    arg(rd_u32, root)         \
    arg(rd_u32, first)        \
    arg(rd_u32, m)            \
    HAND_ARGS(buf, arg)
/* clang-format on */
#define rd_app_seed uts_seed
#define rd_app_task uts_task
#include "apps/uts/uts.k.c"
#undef rd_app_seed
#undef rd_app_task

#define HAND_SEED uts_seed
#define HAND_TASK uts_task
#include "apps/common/hand.k.h"
