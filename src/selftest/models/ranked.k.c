/* SPDX-License-Identifier: Apache-2.0 */
/* ranked.k.c - a tree of numbered tasks, of which every fifth is not worth running. See test_models_tasks.c. */
#include "model/ranked.k.h"
#define RD_TASK_GIVES 4

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                      \
    buf(rd_u32, ran)  /* per number */                             \
    buf(rd_u32, told) /* by whoever gave it, before: plain */      \
    buf(rd_u32, wrong)                                             \
    arg(rd_u32, numbers)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 rd_app_keep(const rd_app *a, rd_u64 rank, rd_u64 data)
{
    return data == 0 || data % 5 != 0;
}

rd_fn void rd_app_task(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
{
    rd_add_rlx(&a->ran[data], 1); /* counters, read by the host: here and below */
    if (!a->told[data] || (data && rank != data * 2654435761u % 1000))
        rd_add_rlx(a->wrong, 1);
    for (rd_u64 i = 4 * data + 1; i <= 4 * data + 4 && i < a->numbers; i++) {
        a->told[i] = 1;
        rd_give_ranked(w, i * 2654435761u % 1000, i);
    }
}
