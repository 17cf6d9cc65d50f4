/* SPDX-License-Identifier: Apache-2.0 */
/* parts.k.c - nqueens/nqueens.k.c for several ranks: apps/common/hand.k.h says how. */
#include "raddle/kernel.h"

#include "apps/common/hand_args.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    arg(rd_u32, n) \
    arg(rd_u32, serial) \
    HAND_ARGS(buf, arg)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);
#define rd_app_seed nqueens_seed
#define rd_app_task nqueens_task
#include "apps/nqueens/nqueens.k.c"
#undef rd_app_seed
#undef rd_app_task

#define HAND_SEED nqueens_seed
#define HAND_TASK nqueens_task
#include "apps/common/hand.k.h"
