/* SPDX-License-Identifier: Apache-2.0 */
/* An integral by halving intervals until Simpson's rule agrees with itself: tasks return doubles, as bits. */
#define RD_TASK_WORDS    2 /* how often it was halved, and which of those parts it is */
#define RD_TASK_CHILDREN 2
#define RD_TASK_JOIN     RD_JOIN_VALUES
#include "model/forkjoin.k.h"

RD_APP(quadrature, "the integral of exp(-x) sin(x * x) log(1 + x) from 0 to --to")
RD_OPTION(rd_f64, to, 8, 0, 1000, "the upper end")
RD_OPTION(rd_f64, error, 1e-9, 1e-14, 1, "how far an interval may be off, for its share of the length")
RD_RESULT(rd_f64)

rd_fn rd_f64 f(rd_f64 x)
{
    return rd_exp64(-x) * rd_sin64(x * x) * rd_log64(1.0 + x);
}

rd_fn rd_f64 simpson(rd_f64 x, rd_f64 y)
{
    return (y - x) / 6.0 * (f(x) + 4.0 * f(0.5 * (x + y)) + f(y));
}

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = t->word[1] = 0;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 depth = t->word[0];
    const rd_f64 width = a->to / (rd_f64)(1u << depth), x = width * t->word[1], m = x + 0.5 * width, y = x + width;
    const rd_f64 parts = simpson(x, m) + simpson(m, y), off = parts - simpson(x, y);
    rd_task part;
    part.word[0] = depth + 1;
    if (depth == 30 || (depth > 3 && off * off <= a->error * a->error * width * width)) {
        rd_return(w, rd_as_u64(parts));
        return;
    }
    for (rd_u32 i = 0; i < 2; i++) {
        part.word[1] = 2 * t->word[1] + i;
        rd_spawn(w, &part);
    }
}

rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)
{
    rd_return(w, rd_as_u64(rd_as_f64(rd_value(w, 0)) + rd_as_f64(rd_value(w, 1))));
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c) /* a million even steps */
{
    rd_f64 sum = 0, off;
    for (rd_u32 i = 0; i < 1000000; i++)
        sum += simpson(a->to * i / 1e6, a->to * (i + 1) / 1e6);
    off = sum - rd_as_f64(c->sum);
    return off * off <= 4.0 * a->error * a->error * (1.0 + a->to * a->to) ? RD_RIGHT : 0;
}
#endif
