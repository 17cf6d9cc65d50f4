/* SPDX-License-Identifier: Apache-2.0 */
/* steps_run.c - the running of a step of a search over several ranks: ranks_steps.c. */
#include "job/steps.h"

#include <string.h>

/* Tasks between two looks at the time. */
enum { TASKS_A_LOOK = 1 << 14 };

/* Vertex v, with its word as it is now. */
static inline void runs(rd__steps *s, uint32_t v)
{
    s->fresh += rd__bit_at(s->once, v) ? 0 : 1 + s->csr.row[v + 1] - s->csr.row[v];
    rd__bit_set(s->once, v);
    s->waits[v / 64] &= ~(1ull << v % 64);
}

static inline void touch(rd__steps *s, uint32_t ghost)
{
    const rd__part *part = s->run->part;
    uint32_t low = 0, high = rd_ranks_count(s->run->ranks);
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (part->ghost_from[middle] <= ghost)
            low = middle;
        else
            high = middle;
    }
    s->touched[part->ghost_from[low] + s->touches[low]++] = ghost;
}

static inline void lower_ghost(rd__steps *s, uint32_t v, uint32_t old, uint32_t word)
{
    const uint32_t ghost = v - s->run->part->own, sent = s->run->sent[ghost];
    s->run->value[v] = word;
    if (word < sent && old >= sent)
        touch(s, ghost);
}

/* Likewise, but that its owner is told later: ranks_steps.c. */
static inline rd_status hold_ghost(rd__steps *s, uint32_t v, uint32_t old, uint32_t word, rd_error *err)
{
    const uint32_t ghost = v - s->run->part->own, sent = s->run->sent[ghost];
    const uint64_t number = rd__shelf_of(s->held, word);
    s->run->value[v] = word;
    if (word >= sent || (old < sent && rd__shelf_of(s->held, old) == number)) /* or it is there */
        return RD_OK;
    return rd__shelves_put(s->held, ghost, number, err);
}

rd_status rd__steps_tell(rd__steps *s, rd__due_fn *due, rd_error *err)
{
    rd__shelves *held = s->held;
    RD_TRY(rd__shelves_move(held, s->since, s->until, due, s, err));
    for (; held->first < s->tell && held->first - held->base < RD__SHELVES; held->first++) {
        rd__shelf *shelf = &held->near[held->first % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++) {
            const uint32_t ghost = shelf->vertex[i], word = due(s, ghost);
            if (word == RD_NONE)
                continue;
            touch(s, ghost);
            s->run->sent[ghost] = word;
        }
        shelf->count = 0;
    }
    return RD_OK;
}

/* ---- A window by the host ---- */

/* rd__least_over, of edges with weights. */
static inline uint64_t way_over(const rd__steps *s, int real, uint32_t from, uint64_t e)
{
    return real ? (uint32_t)rd_weight_word(rd_weight_real((int32_t)from) + rd_weight_real(s->csr.weight[e]))
                : from + (uint64_t)(uint32_t)s->csr.weight[e];
}

static inline rd_status run_vertex(rd__steps *s, uint32_t v, int real, rd_error *err)
{
    const uint32_t from = s->run->value[v], own = s->run->part->own, none = real ? 0x7f800000u : RD_NONE;
    const uint32_t *col = s->csr.col, *value = s->run->value;
    const uint64_t end = s->csr.row[v + 1];
    uint64_t e = s->csr.row[v];
    s->tasks++;
    s->edges += end - e;
    runs(s, v);
    for (; e < end && col[e] < own; e++) { /* which come before ghosts */
        const uint64_t way = way_over(s, real, from, e);
        const uint32_t old = value[col[e]];
        if (way < old && way < none)
            RD_TRY(rd__steps_lower(s, col[e], old, (uint32_t)way, err));
        s->too_long |= way >= none;
    }
    for (; e < end; e++) {
        const uint64_t way = way_over(s, real, from, e);
        const uint32_t old = value[col[e]];
        if (way < old && way < none)
            RD_TRY(hold_ghost(s, col[e], old, (uint32_t)way, err));
        s->too_long |= way >= none;
    }
    return RD_OK;
}

/* What comes next lies anywhere in memory: it is on its way while what is before is looked at. */
static inline void fetch_ahead(const rd__steps *s, int weighted, const rd__shelf *shelf, uint64_t i)
{
    enum { ROWS = 16, EDGES = 6, LINE = 16 };
    if (i + ROWS < shelf->count) {
        __builtin_prefetch(&s->csr.row[shelf->vertex[i + ROWS]]);
        __builtin_prefetch(&s->run->value[shelf->vertex[i + ROWS]]);
    }
    if (i + EDGES < shelf->count) {
        const uint32_t v = shelf->vertex[i + EDGES];
        const uint64_t e = s->csr.row[v], end = s->csr.row[v + 1];
        __builtin_prefetch(&s->csr.col[e]);
        if (end - e > LINE)
            __builtin_prefetch(&s->csr.col[e + LINE]);
        if (weighted)
            __builtin_prefetch(&s->csr.weight[e]);
        if (weighted && end - e > LINE)
            __builtin_prefetch(&s->csr.weight[e + LINE]);
    }
}

static rd_status run_shelves(rd__steps *s, const rd_report *report, rd_error *err)
{
    rd__shelves *shelves = s->shelves;
    uint64_t looked = 0;
    for (; shelves->first < s->until; shelves->first++) {
        rd__shelf *shelf = &shelves->near[shelves->first % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++) { /* which may grow */
            const uint32_t v = shelf->vertex[i];
            fetch_ahead(s, 1, shelf, i);
            if (rd__bit_at(s->waits, v))
                RD_TRY(s->run->real ? run_vertex(s, v, 1, err) : run_vertex(s, v, 0, err));
            if (s->tasks - looked >= TASKS_A_LOOK) {
                looked = s->tasks;
                RD_TRY(rd__ranks_may_go_on(s->run->ranks, "searching", report->tasks + looked, "tasks", err));
            }
        }
        shelf->count = 0;
    }
    return RD_OK;
}

/* A vertex whose edges count 1 each. Its neighbours go to one shelf, this one or the next; whether one is better is as
 * good as random, so nothing branches on it: each is written behind the last, and counted if it is. One that gets
 * better twice is there twice, and runs once. */
static inline rd_status run_hop(rd__steps *s, uint32_t v, unsigned shift, rd_error *err)
{
    const uint32_t *const col = s->csr.col;
    uint32_t *const value = s->run->value;
    const uint32_t word = value[v] + 1, own = s->run->part->own;
    const uint64_t end = s->csr.row[v + 1];
    uint64_t e = s->csr.row[v];
    s->highest = word > s->highest ? word : s->highest;
    rd__shelf *to = &s->shelves->near[(word >> shift) % RD__SHELVES];
    if (to->room - to->count < end - e)
        RD_TRY(rd__shelf_reserve(to, end - e, err));
    uint32_t *const list = to->vertex;
    uint64_t count = to->count;
    s->tasks++;
    s->edges += end - e;
    runs(s, v);
    for (; e < end && col[e] < own; e++) { /* which come before ghosts */
        const uint32_t old = value[col[e]];
        list[count] = col[e];
        count += word < old;
        s->waits[col[e] / 64] |= (uint64_t)(word < old) << col[e] % 64;
        value[col[e]] = word < old ? word : old;
    }
    to->count = count;
    for (; e < end; e++)
        if (word < value[col[e]])
            lower_ghost(s, col[e], value[col[e]], word);
    return RD_OK;
}

static rd_status run_hops(rd__steps *s, const rd_report *report, rd_error *err)
{
    rd__shelves *shelves = s->shelves;
    uint64_t looked = 0;
    unsigned shift = 0;
    while (shelves->per * (double)(1ull << shift) < 1) /* which is 1, or a fourth of a fourth */
        shift++;
    for (; shelves->first < s->until; shelves->first++) {
        rd__shelf *shelf = &shelves->near[shelves->first % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++) { /* which may grow */
            const uint32_t v = shelf->vertex[i];
            fetch_ahead(s, 0, shelf, i);
            if (s->edges > s->stop_at) {
                shelf->count -= i;
                memmove(shelf->vertex, shelf->vertex + i, shelf->count * sizeof *shelf->vertex);
                return RD_OK;
            }
            if (rd__bit_at(s->waits, v))
                RD_TRY(run_hop(s, v, shift, err));
            if (s->tasks - looked >= TASKS_A_LOOK) {
                looked = s->tasks;
                RD_TRY(rd__ranks_may_go_on(s->run->ranks, "searching", report->tasks + looked, "tasks", err));
            }
        }
        shelf->count = 0;
    }
    return RD_OK;
}

rd_status rd__steps_run(rd__steps *s, rd_report *report, rd_error *err)
{
    RD_TRY(s->run->job->app->ranks->weighted ? run_shelves(s, report, err) : run_hops(s, report, err));
    report->tasks += s->tasks;
    report->edges += s->edges;
    return RD_OK;
}

/* ---- The same by the engine ---- */

/* All ghosts that are lower than what was sent. */
static rd_status hold_all(rd__steps *s, rd_error *err)
{
    const rd__least *run = s->run;
    rd__shelves_clear(s->held);
    for (uint32_t g = 0; g < run->part->ghosts; g++)
        if (run->value[run->part->own + g] < run->sent[g])
            RD_TRY(rd__shelf_add(&s->held->far, g, err));
    s->held->far_first = s->held->far.count ? 0 : RD__SHELF_NONE;
    return RD_OK;
}

rd_status rd__steps_fill(rd__steps *s, uint32_t limit, rd_error *err)
{
    const rd__least *run = s->run;
    rd__shelves_clear(s->shelves);
    for (uint32_t v = 0; v < run->part->own; v++) {
        if (run->value[v] < limit) {
            runs(s, v);
        } else if (run->value[v] != RD_NONE) {
            rd__bit_set(s->waits, v);
            RD_TRY(rd__shelf_add(&s->shelves->far, v, err));
        }
    }
    s->shelves->far_first = s->shelves->far.count ? 0 : RD__SHELF_NONE; /* looked at before it is used */
    return s->held ? hold_all(s, err) : RD_OK;
}

rd_status rd__steps_run_engine(rd__steps *s, rd_report *report, rd_error *err)
{
    rd__least *run = s->run;
    const rd__part *part = run->part;
    const uint64_t tasks = report->tasks, edges = report->edges;
    run->job->part.limit = rd__shelf_word(s->shelves, s->until);
    run->seeds = 0;
    for (; s->shelves->first < s->until; s->shelves->first++) {
        const rd__shelf *shelf = &s->shelves->near[s->shelves->first % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++) {
            const uint32_t v = shelf->vertex[i];
            if (!rd__bit_at(s->waits, v))
                continue;
            run->seed[run->seeds++] = v;
            runs(s, v); /* once */
        }
    }
    const rd__seeds seeds = {.kind = RD__SEEDS_LIST, .count = run->seeds, .vertex = run->seed};
    run->seeds = 0;
    if (seeds.count)
        RD_TRY(rd__job_slice(run->job, &seeds, report, err));
    RD_TRY(rd__buffer_settle(run->values, err));
    s->tasks = report->tasks - tasks;
    s->edges = report->edges - edges;
    for (uint32_t g = 0; !s->held && g < part->ghosts; g++)
        if (run->value[part->own + g] < run->sent[g])
            touch(s, g);
    s->highest = run->job->part.limit > s->highest ? run->job->part.limit : s->highest;
    return rd__steps_fill(s, run->job->part.limit, err);
}
