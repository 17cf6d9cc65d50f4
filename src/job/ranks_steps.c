/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_steps.c - searches with weights over several ranks (sssp), in steps by the host. Windows (ranks_least.c) cost a
 * look at all words between two runs of the engine, a launch, and two sums over all ranks when all is quiet: on a road
 * network, where a window has some hundred tasks, that was nine tenths of the time. Here what waits lies on shelves, in
 * the order of words (shelves.h), so that a step costs what is in it. A step is:
 *
 *   run        all own vertices that wait below the limit, nearest first, until none is left
 *   exchange   neighbours get records of ghosts that got lower, one message each; meanwhile all ranks agree on the
 *              least word that waits anywhere, what was just sent included: the limit is that and the width
 *
 * So there is one wait in a step, and nothing is to be quiet before the limit moves. Where the device has many cores,
 * and a step had much to run, the next is run by its engine, and shelves are filled by a look at all words.
 *
 * Right. Words only fall, and each is the length of a path. An own vertex waits when its word is lower than what it had
 * when it ran last; it is on a shelf then. The least that waits, or is under way to who it is for, is never above what
 * all agree on: a rank takes part with the least on its shelves after it has run, and with the least that it sent.
 * Whoever receives finds it on its shelves before it runs again. Nothing waits anywhere: then every vertex has offered
 * its word to its neighbours, ghosts' owners among them, and it is the end.
 *
 * Overwork. What a rank runs below the limit may get lower by what others send. Tasks that are not the first of their
 * vertex are counted over all ranks, and where there are many the window is made narrower.
 *
 * Checkpoints are written when an exchange is done: no message is under way, and below the least that waits all is
 * final. So the words, and that as the limit, are all there is: as of windows.
 */
#include "job/checkpoint.h"
#include "job/least.h"
#include "job/shelves.h"

#include "core/memory.h"

#include <string.h>

/* Of a step for each rank: few tasks and edges; many are MUCH times as many. */
enum { LITTLE = 4096, MUCH = 64 };
/* Where tasks of a step grow by so much the width does not, or is halved. */
enum { GROWS = 2, GROWS_MUCH = 8 };
/* Shelves of a window are kept between these; of the first width that an app asks for, at first; a search begins with
 * a part of that. */
enum { MOST_SHELVES = 256, LEAST_SHELVES = 16, FINER = 64, NARROWER = 8 };
/* Tasks between two looks at the time; edges of a step, beside as many as there are words, after which the next is left
 * to an engine with many cores. */
enum { TASKS_A_LOOK = 1 << 14, MANY_EDGES = 1 << 16, FEW_CORES = 3 };
/* Tasks a vertex. Where a step is small it is its waits that cost, and some more tasks do not matter; where it is not,
 * each task does. A window is made narrower above these, and a small one wider below the last. */
static const double most_if_small = 1.25, most_else = 1.08, some_if_small = 1.12;

typedef struct steps {
    rd__least *run;
    rd_csr csr;
    rd__shelves *shelves;
    uint32_t *ran;     /* of each own vertex the word with which it ran last; RD_NONE: never */
    uint32_t *touched; /* ghosts that got lower than what was sent, those of rank r from ghost_from[r] on */
    uint32_t *touches; /* of each rank, how many */
    rd__record *out;   /* likewise */
    rd__deal *deal;    /* to each rank, and behind that from each */
    unsigned char *to, *from;
    uint64_t until;           /* the shelf at which the window ends */
    uint64_t judged;          /* what lies before is to be final when the width is looked at again */
    uint64_t tasks, edges;    /* of the step at hand */
    uint64_t fresh;           /* both, of vertices that ran for the first time */
    double all_work, all_new; /* tasks and edges of all ranks, since it was looked at; for the first time */
    double steps, last_work;  /* since then; work of a step before that */
    double finest;            /* shelves to a distance of 1, as a search begins */
    int too_long;             /* some word did not fit */
} steps;

int rd__steps_can(const rd__least *run)
{
    return rd__ranks_many(run->ranks) && !run->is_copy && !run->job->window && run->job->app->ranks->too_long;
}

static uint32_t due_word(const void *user, uint32_t v)
{
    const steps *s = user;
    return s->run->value[v] < s->ran[v] ? s->run->value[v] : RD_NONE;
}

/* Vertex v, with its word as it is now. */
static inline void runs(steps *s, uint32_t v)
{
    s->fresh += s->ran[v] == RD_NONE ? 1 + s->csr.row[v + 1] - s->csr.row[v] : 0;
    s->ran[v] = s->run->value[v];
}

/* ---- Words that fall ---- */

static inline rd_status lower_own(steps *s, uint32_t v, uint32_t old, uint32_t word, rd_error *err)
{
    const uint64_t number = rd__shelf_of(s->shelves, word);
    s->run->value[v] = word;
    if (old < s->ran[v] && rd__shelf_of(s->shelves, old) == number)
        return RD_OK; /* it is there */
    return rd__shelves_put(s->shelves, v, number, err);
}

static inline void touch(steps *s, uint32_t ghost)
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

static inline void lower_ghost(steps *s, uint32_t v, uint32_t old, uint32_t word)
{
    const uint32_t ghost = v - s->run->part->own, sent = s->run->sent[ghost];
    s->run->value[v] = word;
    if (word < sent && old >= sent)
        touch(s, ghost);
}

/* ---- A window by the host ---- */

/* rd__least_over, of edges with weights. */
static inline uint64_t way_over(const steps *s, int real, uint32_t from, uint64_t e)
{
    return real ? (uint32_t)rd_weight_word(rd_weight_real((int32_t)from) + rd_weight_real(s->csr.weight[e]))
                : from + (uint64_t)(uint32_t)s->csr.weight[e];
}

static inline rd_status run_vertex(steps *s, uint32_t v, int real, rd_error *err)
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
            RD_TRY(lower_own(s, col[e], old, (uint32_t)way, err));
        s->too_long |= way >= none;
    }
    for (; e < end; e++) {
        const uint64_t way = way_over(s, real, from, e);
        const uint32_t old = value[col[e]];
        if (way < old && way < none)
            lower_ghost(s, col[e], old, (uint32_t)way);
        s->too_long |= way >= none;
    }
    return RD_OK;
}

/* What comes next lies anywhere in memory: it is on its way while what is before is looked at. */
static inline void fetch_ahead(const steps *s, const rd__shelf *shelf, uint64_t i)
{
    enum { ROWS = 16, EDGES = 6, LINE = 16 };
    if (i + ROWS < shelf->count)
        __builtin_prefetch(&s->csr.row[shelf->vertex[i + ROWS]]);
    if (i + EDGES < shelf->count) {
        const uint32_t v = shelf->vertex[i + EDGES];
        const uint64_t e = s->csr.row[v], end = s->csr.row[v + 1];
        __builtin_prefetch(&s->csr.col[e]);
        __builtin_prefetch(&s->csr.weight[e]);
        if (end - e > LINE) {
            __builtin_prefetch(&s->csr.col[e + LINE]);
            __builtin_prefetch(&s->csr.weight[e + LINE]);
        }
    }
}

static rd_status run_window(steps *s, rd_report *report, rd_error *err)
{
    rd__shelves *shelves = s->shelves;
    uint64_t looked = 0;
    for (; shelves->first < s->until; shelves->first++) {
        rd__shelf *shelf = &shelves->near[shelves->first % RD__SHELVES];
        for (uint64_t i = 0; i < shelf->count; i++) { /* which may grow */
            const uint32_t v = shelf->vertex[i];
            fetch_ahead(s, shelf, i);
            if (s->run->value[v] < s->ran[v])
                RD_TRY(s->run->real ? run_vertex(s, v, 1, err) : run_vertex(s, v, 0, err));
            if (s->tasks - looked >= TASKS_A_LOOK) {
                looked = s->tasks;
                RD_TRY(rd__ranks_may_go_on(s->run->ranks, "searching", report->tasks + looked, "tasks", err));
            }
        }
        shelf->count = 0;
    }
    report->tasks += s->tasks;
    report->edges += s->edges;
    return RD_OK;
}

/* ---- The same by the engine ---- */

/* All words: what is at the limit or beyond waits, what is below has run. */
static rd_status fill_shelves(steps *s, uint32_t limit, rd_error *err)
{
    const rd__least *run = s->run;
    rd__shelves_clear(s->shelves);
    for (uint32_t v = 0; v < run->part->own; v++) {
        if (run->value[v] < limit) {
            runs(s, v);
        } else if (run->value[v] != RD_NONE) {
            RD_TRY(rd__shelf_add(&s->shelves->far, v, err));
        }
    }
    s->shelves->far_first = s->shelves->far.count ? 0 : RD__SHELF_NONE; /* looked at before it is used */
    return RD_OK;
}

static rd_status run_engine(steps *s, rd_report *report, rd_error *err)
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
            if (run->value[v] >= s->ran[v])
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
    for (uint32_t g = 0; g < part->ghosts; g++)
        if (run->value[part->own + g] < run->sent[g])
            touch(s, g);
    return fill_shelves(s, run->job->part.limit, err);
}

/* ---- Steps ---- */

/* Records of what was touched. @return the least of their words. */
static uint32_t make_records(steps *s)
{
    rd__least *run = s->run;
    const rd__part *part = run->part;
    uint32_t least = RD_NONE;
    for (uint32_t r = 0; r < rd_ranks_count(run->ranks); r++) {
        const uint32_t from = part->ghost_from[r], count = s->touches[r];
        for (uint32_t i = from; i < from + count; i++) {
            const uint32_t g = s->touched[i], word = run->value[part->own + g];
            run->sent[g] = word;
            s->out[i] = (rd__record){part->ghost[g] - part->start[r], word};
            least = word < least ? word : least;
        }
        s->deal[r] = (rd__deal){s->out + from, count * sizeof *s->out};
        s->touches[r] = 0;
        run->records += count;
    }
    return least;
}

static rd_status take(steps *s, uint32_t r, const rd__deal *deal, rd_error *err)
{
    const rd__record *list = deal->data;
    if (deal->bytes % sizeof *list)
        return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes, which are no records", r,
                        (unsigned long long)deal->bytes);
    for (uint64_t i = 0; i < deal->bytes / sizeof *list; i++) {
        const uint32_t v = list[i].vertex;
        if (v >= s->run->part->own)
            return rd__fail(err, RD_EDEVICE, "rank %u sent a record for vertex %u, which is not here", r, v);
        const uint32_t old = s->run->value[v];
        if (list[i].value < old)
            RD_TRY(lower_own(s, v, old, list[i].value, err));
    }
    return RD_OK;
}

/* All ranks: tells neighbours, and hears from them; *all: what all have to say. */
static rd_status exchange(steps *s, rd__tally *all, rd_error *err)
{
    rd__least *run = s->run;
    const uint32_t ranks = rd_ranks_count(run->ranks);
    rd__tally mine = {{0}, {0}};
    const uint32_t sent = make_records(s);
    const uint64_t first = rd__shelves_first(s->shelves, due_word, s);
    const uint64_t under_way = sent == RD_NONE ? RD__SHELF_NONE : rd__shelf_of(s->shelves, sent);
    mine.most[RD__LEAST_WAITING] = ~(first < under_way ? first : under_way);
    mine.sum[RD__LEAST_TASKS] = s->tasks;
    mine.sum[RD__LEAST_EDGES] = s->edges;
    mine.sum[RD__LEAST_SETTLED] = s->fresh;
    mine.sum[RD__LEAST_DUE] = rd__checkpoint_due(run->job);
    const rd__sum sum = {&mine, all};
    rd_status status = rd__ranks_step(run->ranks, s->deal, s->to, s->deal + ranks, s->from, &sum, err);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
        status = take(s, r, &s->deal[ranks + r], err);
    rd__deals_free(s->deal + ranks, ranks);
    return status;
}

/* Another width for shelves, where a window has too many of them or too few. */
static rd_status fit_shelves(steps *s, uint64_t *first, rd_error *err)
{
    const double shelves = s->run->width * s->shelves->per;
    double per = s->shelves->per;
    if (shelves > MOST_SHELVES)
        per /= 4;
    else if (shelves < LEAST_SHELVES && per < s->finest)
        per = per * 4 < s->finest ? per * 4 : s->finest;
    else
        return RD_OK;
    const uint32_t word = rd__shelf_word(s->shelves, *first);
    RD_TRY(rd__shelves_set(s->shelves, per, due_word, s, err));
    *first = rd__shelf_of(s->shelves, word);
    return RD_OK;
}

/* Wider where steps have little for each rank, narrower where they have much, or much that is run in vain. What a width
 * was worth is known when all that lay in its window is final. */
static void fit_width(steps *s)
{
    rd__least *run = s->run;
    const double ranks = rd_ranks_count(run->ranks), work = s->all_work / s->steps;
    const double before = s->last_work > 1 ? s->last_work : 1;
    const double overwork = s->all_work / (s->all_new > 1 ? s->all_new : 1);
    const int is_small = work < LITTLE * ranks;
    if (work > MUCH * LITTLE * ranks || overwork > (is_small ? most_if_small : most_else) || work > GROWS_MUCH * before)
        run->width = run->width * s->finest > 2 ? run->width / 2 : 1 / s->finest;
    else if (is_small && overwork < some_if_small && work <= GROWS * before)
        run->width = run->width < 1e30 ? run->width * 2 : run->width;
    s->last_work = work;
    s->all_work = s->all_new = s->steps = 0;
}

/* All agree on what waits first: the window begins there. It does not end before the last one did, for what waits there
 * are corrections, which are run as far as they go; and not beyond it either, unless there are few. */
static rd_status move_window(steps *s, const rd__tally *all, uint64_t first, rd_error *err)
{
    const int is_known = first >= s->judged;
    const double work = (double)(all->sum[RD__LEAST_TASKS] + all->sum[RD__LEAST_EDGES]);
    s->all_work += work;
    s->all_new += (double)all->sum[RD__LEAST_SETTLED];
    s->steps++;
    if (is_known && s->run->windows)
        fit_width(s);
    if (is_known)
        RD_TRY(fit_shelves(s, &first, err));
    const double shelves = s->run->width * s->shelves->per;
    const uint64_t until = first + (shelves < 1 ? 1 : shelves < MOST_SHELVES ? (uint64_t)shelves : MOST_SHELVES);
    const int is_small = work < (double)LITTLE * rd_ranks_count(s->run->ranks);
    s->until = is_known || (is_small && until > s->until) ? until : s->until;
    s->judged = is_known ? until : s->judged;
    s->tasks = s->edges = s->fresh = 0;
    return rd__shelves_move(s->shelves, first, s->until, due_word, s, err);
}

/* After a step with so many edges here: with few cores the host is as good, for an engine
 * costs more for each edge, and a look at all words. */
static int is_for_engine(const steps *s, uint64_t edges)
{
    const rd__part *part = s->run->part;
    return s->run->job->device->info.compute_units > FEW_CORES &&
           edges > (uint64_t)MANY_EDGES + part->own + part->ghosts;
}

static rd_status search(steps *s, rd__freeze_fn *freeze, rd_report *report, rd_error *err)
{
    rd__least *run = s->run;
    for (;;) {
        rd__tally all;
        const uint64_t edges = s->edges;
        RD_TRY(exchange(s, &all, err));
        const uint64_t first = ~all.most[RD__LEAST_WAITING];
        if (first == RD__SHELF_NONE)
            return RD_OK;
        if (all.sum[RD__LEAST_DUE]) {
            run->limit = rd__shelf_word(s->shelves, first);
            RD_TRY(rd__checkpoint_write(run->job, freeze, run, report, err));
        }
        RD_TRY(move_window(s, &all, first, err));
        RD_TRY(is_for_engine(s, edges) ? run_engine(s, report, err) : run_window(s, report, err));
        run->windows++;
    }
}

/* ---- The run ---- */

static rd_status make(steps *s, rd_error *err)
{
    rd__least *run = s->run;
    const rd__part *part = run->part;
    const uint32_t ranks = rd_ranks_count(run->ranks);
    RD_TRY(rd__part_lend(run->job->graph->part, err)); /* a cache, not a change of the graph */
    RD_TRY(rd__array_new(&s->shelves, "vertices that wait", 1, sizeof *s->shelves, err));
    memset(s->shelves, 0, sizeof *s->shelves);
    RD_TRY(rd__array_new(&s->ran, "words that have run", part->own, sizeof *s->ran, err));
    memset(s->ran, 0xff, part->own * sizeof *s->ran);
    RD_TRY(rd__array_new(&s->touched, "ghosts that got lower", part->ghosts, sizeof *s->touched, err));
    RD_TRY(rd__array_new(&s->out, "records for other ranks", part->ghosts, sizeof *s->out, err));
    s->touches = rd__calloc(ranks, sizeof *s->touches);
    s->deal = rd__calloc(2ull * ranks, sizeof *s->deal);
    s->to = rd__calloc(2ull * ranks, 1);
    if (!s->touches || !s->deal || !s->to)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *s->deal);
    s->from = s->to + ranks;
    for (uint32_t r = 0; r < ranks; r++) {
        s->to[r] = part->ghost_from[r] < part->ghost_from[r + 1];
        s->from[r] = part->lent_count[r] > 0;
    }
    return RD_OK;
}

static void unmake(steps *s)
{
    if (s->shelves)
        rd__shelves_free(s->shelves);
    rd__array_free(s->shelves);
    rd__array_free(s->ran);
    rd__array_free(s->touched);
    rd__array_free(s->out);
    rd__free(s->touches);
    rd__free(s->deal);
    rd__free(s->to);
}

rd_status rd__steps_search(rd__least *run, rd__freeze_fn *freeze, rd_report *report, rd_error *err)
{
    steps s = {.run = run, .csr = rd_graph_csr(run->job->graph)};
    rd_status status = make(&s, err);
    if (status == RD_OK) {
        s.finest = run->first_width > 0 ? FINER / run->first_width : 1;
        s.finest = !run->real && s.finest > 1 ? 1 : s.finest;
        s.shelves->per = s.finest;
        s.shelves->real = run->real;
        if (!run->windows)
            run->width = s.finest * run->first_width > NARROWER ? run->first_width / NARROWER : 1 / s.finest;
        status = fill_shelves(&s, run->limit, err);
    }
    if (status == RD_OK)
        status = search(&s, freeze, report, err);
    if (status == RD_OK && s.too_long)
        status = run->job->app->ranks->too_long(run->job, err);
    report->groups = run->job->device->info.compute_units;
    report->lanes = 1;
    unmake(&s);
    return status;
}
