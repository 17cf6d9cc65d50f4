/* SPDX-License-Identifier: Apache-2.0 */
/* deep.k.c - for tests/cli/own.t: chains of tasks, of which RD_PLANE says that they are 3 long at most. */
#define RD_APP_PACK  1
#define RD_APP_GIVES 2
#include "model/plane.k.h"
RD_APP(deep, "chains longer than said")
RD_OPTION(rd_u32, side, 40, 1, 8192, "rows and columns")
RD_OPTION(rd_u32, chain, 3, 1, 16, "tasks one below the other")
RD_ARRAY(rd_u32, product, side *side, 0)
RD_RESULT(product)
RD_PLANE(side, side, 3)
rd_fn rd_task rd_app_item(const rd_app *a, rd_u32 x, rd_u32 y)
{
    rd_task task;
    task.a.x = (rd_f32)x;
    task.a.y = (rd_f32)y;
    task.a.z = task.a.w = 0.0f;
    task.b = task.a;
    return task;
}
rd_fn void rd_app_tasks(const rd_app *a, rd_given *out, const rd_task *task, const rd_u32 *has, rd_u32 shared)
{
    out->given[0] = out->given[1] = 0;
    if (has[0]) {
        const rd_u32 x = (rd_u32)task[0].a.x, y = (rd_u32)task[0].a.y;
        rd_add_rlx(&a->product[y * a->side + x], 1);
        if (task[0].a.z + 1.0f < (rd_f32)a->chain) {
            out->task[0] = task[0];
            out->task[0].a.z += 1.0f;
            out->task[1] = out->task[0];
            out->given[0] = out->given[1] = 1;
        }
    }
}
