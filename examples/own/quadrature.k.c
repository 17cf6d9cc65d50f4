/* SPDX-License-Identifier: Apache-2.0 */
/* An integral by halving intervals until Simpson's rule agrees with itself: tasks return doubles, as bits. */
#define RD_TASK_WORDS    5 /* from and to, two words each; how often it was halved */
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

rd_fn void interval(rd_task *t, rd_f64 x, rd_f64 y, rd_u32 depth)
{
    const rd_u64 from = rd_as_u64(x), to = rd_as_u64(y);
    t->word[0] = (rd_u32)from, t->word[1] = (rd_u32)(from >> 32), t->word[2] = (rd_u32)to;
    t->word[3] = (rd_u32)(to >> 32), t->word[4] = depth;
}

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    interval(t, 0.0, a->to, 0);
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_f64 x = rd_as_f64((rd_u64)t->word[1] << 32 | t->word[0]);
    const rd_f64 y = rd_as_f64((rd_u64)t->word[3] << 32 | t->word[2]), m = 0.5 * (x + y);
    const rd_f64 parts = simpson(x, m) + simpson(m, y), off = parts - simpson(x, y);
    if (t->word[4] == 40 || (t->word[4] > 3 && off * off <= a->error * a->error * (y - x) * (y - x))) {
        rd_return(w, rd_as_u64(parts));
        return;
    }
    rd_task part;
    interval(&part, x, m, t->word[4] + 1);
    rd_spawn(w, &part);
    interval(&part, m, y, t->word[4] + 1);
    rd_spawn(w, &part);
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
