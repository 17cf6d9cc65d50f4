/* SPDX-License-Identifier: Apache-2.0 */
/* parts.k.c - fib/fib.k.c for several ranks: apps/common/hand.k.h says how. */
#include "raddle/kernel.h"

#include "apps/common/hand_args.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg) \
    arg(rd_u32, n) \
    HAND_ARGS(buf, arg)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);
#define rd_app_seed fib_seed
#define rd_app_task fib_task
#include "apps/fib/fib.k.c"
#undef rd_app_seed
#undef rd_app_task

#define HAND_SEED fib_seed
#define HAND_TASK fib_task
#include "apps/common/hand.k.h"
