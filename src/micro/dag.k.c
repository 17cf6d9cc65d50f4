/* SPDX-License-Identifier: Apache-2.0 */
/* dag.k.c - rows of tasks that do next to nothing: each waits for the one above it and for that one's left neighbour,
 * around the edge. See micro/dag.h. */
#define RD_TASK_RELEASES 2
#include "model/dag.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                           \
    buf(rd_u32, depth) /* per task: how many are above it, with itself */ \
    arg(rd_u32, width)                                                  \
    arg(rd_u32, last) /* the first task of the last row */              \
    arg(rd_u32, times) /* that a task does what it does */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)
{
    return t < a->width ? 0 : a->width > 1 ? 2 : 1;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
{
    if (rd_lane() == 0) {
        rd_u32 column = 0, least = 0;
        for (rd_u32 i = 0; i < a->times; i++) {
            const rd_u32 self = t + (least >> 31); /* t itself, but not before the loads of the time before */
            const rd_u32 inside = self >= a->width, above = self - a->width;
            column = a->width > 1 ? self % a->width : 0; /* a chain shall not wait for a division */
            const rd_u32 left = column ? above - 1 : above + a->width - 1;
            /* Relaxed: each time from memory. Partner: the store below, of tasks that released this one. */
            const rd_u32 x = inside ? rd_ld_rlx(&a->depth[above]) : 0, y = inside ? rd_ld_rlx(&a->depth[left]) : 0;
            least = x < y ? x : y;
        }
        a->depth[t] = least + 1;
        if (t < a->last) {
            rd_release(w, t + a->width);
            if (a->width > 1)
                rd_release(w, t + a->width + 1 - (column + 1 == a->width ? a->width : 0));
        }
    }
}
