/* SPDX-License-Identifier: Apache-2.0 */
/* parts.k.c - uts/uts.k.c for several ranks: apps/common/hand.k.h says how. */
#include "raddle/kernel.h"

#include "apps/common/hand_args.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    arg(rd_u32, root) \
    arg(rd_u32, first) \
    arg(rd_u32, m) \
    arg(rd_u32, threshold) \
    arg(rd_u32, rows) \
    arg(rd_u32, width) \
    buf(rd_u32, table) \
    HAND_ARGS(buf, arg)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);
#define rd_app_seed uts_seed
#define rd_app_task uts_task
#include "apps/uts/uts.k.c"
#undef rd_app_seed
#undef rd_app_task

#define HAND_SEED uts_seed
#define HAND_TASK uts_task
#include "apps/common/hand.k.h"
