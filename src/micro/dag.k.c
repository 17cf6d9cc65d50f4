/* SPDX-License-Identifier: Apache-2.0 */
/* dag.k.c - rows of tasks that do next to nothing: each waits for the one above it and for that one's left neighbour,
 * around the edge. See micro/dag.h. */
#define RD_TASK_RELEASES 2
#include "model/dag.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                           \
    buf(rd_u32, depth) /* per task: how many are above it, with itself */ \
    arg(rd_u32, width)                                                  \
    arg(rd_u32, rows)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)
{
    return t < a->width ? 0 : a->width > 1 ? 2 : 1;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
{
    if (rd_lane() == 0) {
        const rd_u32 row = t / a->width, column = t % a->width, above = t - a->width;
        const rd_u32 left = column ? above - 1 : above + a->width - 1;
        const rd_u32 x = row ? a->depth[above] : 0, y = row ? a->depth[left] : 0;
        a->depth[t] = (x < y ? x : y) + 1;
        if (row + 1 < a->rows) {
            rd_release(w, t + a->width);
            if (a->width > 1)
                rd_release(w, t + a->width + 1 - (column + 1 == a->width ? a->width : 0));
        }
    }
}
