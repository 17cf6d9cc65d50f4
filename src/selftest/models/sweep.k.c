/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep.k.c - counts items and edges of each phase, and proves folds, gains and scalars. See test_models.c.
 *   phase 0   vertices, without edges
 *   phase 1   MODELS_TURNS times: all edges; cores do most vertices in runs, and leave some to be asked
 *   phase 2   MODELS_ITEMS items, of which cores leave some half-way, once each, though nobody asks them to
 */
#define RD_FOLD_NONE         0u
#define RD_FOLD_JOIN(x, y)   ((x) + (y))
#define RD_SWEEP_WALKS(s)    ((s)->phase == 1)
#define RD_SWEEP_ITEMS(a, s) ((s)->phase == 2 ? MODELS_ITEMS : (s)->vertices)
#define RD_SWEEP_SCALARS     3
#define RD_SWEEP_HALVES      1
#define RD_GAINS             (RD_GAIN_SUM | RD_GAIN_MOST | RD_GAIN_TOTAL | RD_GAIN_SECOND)
#include "raddle/kernel.h"
#if RD_CORE
#define RD_SWEEP_RUNS 1
#endif
#include "model/sweep.k.h"
#include "selftest/models/layout.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                \
    buf(rd_u32, opened)  /* per vertex, in each phase that has it */         \
    buf(rd_u32, visited) /* per edge */                                      \
    buf(rd_u32, asked)   /* per vertex: rd_app_edges */                      \
    buf(rd_u32, item)    /* of phase 2 */                                    \
    buf(rd_u32, wrong)                                                       \
    buf(rd_u32, last)    /* what the last phase finds in s */                \
    buf(rd_u32, left)    /* per item of phase 2: it was left half-way */
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn void rd_app_edges(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u64 *from, rd_u64 *to)
{
    rd_add_rlx(&a->asked[v], 1); /* counters, read by the host: here and below */
}

rd_fn RD_FOLD rd_app_edge(const rd_app *a, const rd_sweep *s, rd_u32 v, rd_u32 u, rd_u64 e)
{
    rd_add_rlx(&a->visited[e], 1);
    return 2 * u + 1;
}

/* What the edges of v must come to. */
rd_fn rd_u32 models_sum(const rd_sweep *s, rd_u32 v)
{
    rd_u32 sum = 0;
    for (rd_u64 e = rd_ld_const(&s->row[v]); e < rd_ld_const(&s->row[v + 1]); e++)
        sum += 2 * rd_ld_const(&s->col[e]) + 1;
    return sum;
}

rd_fn void rd_app_vertex(const rd_app *a, const rd_sweep *s, rd_u32 v, RD_FOLD fold, rd_gain *gain)
{
    if (s->phase == 2) {
#if RD_SWEEP_LEAVES_ITEMS
        if (v % MODELS_LEFT == 1 && rd_groups() <= MODELS_LEAVERS && !a->left[v]) { /* written by a launch before */
            a->left[v] = 1;
            rd_sweep_leave(gain, 1);
            return;
        }
#endif
        rd_add_rlx(&a->item[v], 1);
        if (v == 0) {
            a->last[MODELS_STEP] = s->step;
            a->last[MODELS_SUM] = s->gained.sum;
            a->last[MODELS_MOST] = s->gained.most;
            a->last[MODELS_TOTAL] = rd_as_u32(s->gained.total);
            a->last[MODELS_SECOND] = rd_as_u32(s->gained.second);
            for (rd_u32 i = 0; i < RD_SWEEP_SCALARS; i++)
                a->last[MODELS_SCALAR + i] = s->scalar[i];
        }
        return;
    }
    rd_add_rlx(&a->opened[v], 1);
    if (fold != (s->phase == 1 ? models_sum(s, v) : RD_FOLD_NONE))
        rd_add_rlx(a->wrong, 1);
    if (s->scalar[0] != s->step) /* rd_app_next was asked once for each step, in effect */
        rd_add_rlx(a->wrong, 1);
    gain->sum += v + 1;
    gain->most = v > gain->most ? v : gain->most;
    gain->total += 1.0f;
    gain->second += 0.5f;
}

#if RD_SWEEP_RUNS
rd_fn rd_u32 rd_app_run(const rd_app *a, const rd_sweep *s, rd_u32 at, rd_u32 end, rd_gain *gain)
{
    for (; at < end && at % MODELS_LEFT; at++) {
        RD_FOLD fold = RD_FOLD_NONE;
        rd_u64 from = rd_ld_const(&s->row[at]), to = rd_ld_const(&s->row[at + 1]);
        rd_app_edges(a, s, at, &from, &to);
        for (rd_u64 e = from; e < to; e++)
            fold += rd_app_edge(a, s, at, rd_ld_const(&s->col[e]), e);
        rd_app_vertex(a, s, at, fold, gain);
    }
    return at;
}
#endif

rd_fn rd_u32 rd_app_next(const rd_app *a, rd_sweep *s, const rd_gain *gain)
{
    s->scalar[0]++;
    s->scalar[1] += gain->sum;
    s->scalar[2] = rd_as_u32(gain->total + (s->step ? rd_as_f32(s->scalar[2]) : 0.0f));
    if (s->phase == 2)
        return RD_SWEEP_END;
    return s->step < MODELS_TURNS ? 1 : 2;
}
