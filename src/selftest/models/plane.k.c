/* SPDX-License-Identifier: Apache-2.0 */
/* plane.k.c - items that give two tasks, which give two, MODELS_DEPTH deep. See test_models_tasks.c. */
#include "raddle/kernel.h"

#define RD_APP_PACK  (RD_LANES == 1 ? 2 : 1)
#define RD_APP_GIVES 2
#include "model/plane.k.h"
#include "selftest/models/layout.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                        \
    buf(rd_u32, begun) /* per item */                \
    buf(rd_u32, ran)   /* per item: tasks, atomic */ \
    buf(rd_u32, alone) /* per item: tasks that were not shared, plain where a group has one lane */ \
    buf(rd_u32, wrong)                               \
    arg(rd_u32, width)                               \
    arg(rd_u32, height)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_task models_task(rd_u32 item, rd_u32 depth)
{
    rd_task t;
    t.a.x = rd_as_f32(item);
    t.a.y = rd_as_f32(depth);
    t.a.z = rd_as_f32(item ^ 0x55555555u);
    t.a.w = 0.0f;
    t.b = t.a;
    return t;
}

rd_fn rd_task rd_app_item(const rd_app *a, rd_u32 x, rd_u32 y)
{
    const rd_u32 inside = x < a->width && y < a->height, item = inside ? y * a->width + x : 0;
    rd_add_rlx(inside ? &a->begun[item] : a->wrong, 1); /* counters, read by the host: here and below */
    return models_task(item, 1);
}

rd_fn void rd_app_tasks(const rd_app *a, rd_given *out, const rd_task *task, const rd_u32 *has, rd_u32 shared)
{
    for (rd_u32 i = 0; i < RD_APP_PACK; i++) {
        const rd_u32 item = rd_as_u32(task[i].a.x), depth = rd_as_u32(task[i].a.y);
        const rd_u32 more = has[i] && depth < MODELS_DEPTH;
        out->given[2 * i] = out->given[2 * i + 1] = more;
        if (has[i]) {
            rd_add_rlx(&a->ran[item], 1);
            if (rd_as_u32(task[i].a.z) != (item ^ 0x55555555u) || rd_as_u32(task[i].b.y) != depth)
                rd_add_rlx(a->wrong, 1);
            if (shared || RD_LANES > 1)
                rd_add_rlx(&a->alone[item], 1);
            else
                rd_st_rlx(&a->alone[item], rd_ld_rlx(&a->alone[item]) + 1); /* nobody else adds: the model's promise */
        }
        if (more)
            out->task[2 * i] = out->task[2 * i + 1] = models_task(item, depth + 1);
    }
}
