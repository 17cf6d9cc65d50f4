/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_least.c - searches over several ranks (bfs, sssp): a vertex has one word, of which the least offer counts.
 * Owner computes: the rank that owns a vertex runs it, with the engine that would run it anyway.
 *
 * A rank's graph has ghosts (graph/part/part.h). While its engine runs, offers to ghosts lower the ghosts' words in
 * this rank's memory and nothing more. When nothing is left to run the rank looks through its ghosts: a word that is
 * lower than what was last sent of it is a record for its owner; records for one owner travel as one message. So what a
 * hundred edges offer to one ghost is one record, the least, and what is no better than what was sent before is none:
 * that is the filter. The owner takes the least of its own word and the record; a vertex that got lower is a seed of
 * its next run.
 *
 * Right. Words only fall, and a vertex whose word falls below the limit is run afterwards by its owner, which offers to
 * all its neighbours; a neighbour that is a ghost is told its owner. When the run is over, no offer is less than what
 * its target has, and each word is the length of a real path: as in the search on one device.
 *
 * Window. A rank that runs ahead with words that are not final does much in vain: on deep graphs several times the
 * work. So there is a limit: vertices at or beyond it wait. When all is quiet below it (ranks/quiet.c; no rank is idle
 * while it has a seed), all agree on the least word that waits, and the limit moves to that plus the width of the
 * window. Width 1 is level by level. By default the width begins with what the app says and is doubled while a window
 * has little to run for each rank, so that ranks wait seldom, and halved while it has much.
 *
 * Checkpoints are written when all is quiet below the limit: no message is under way, each owner has been told what its
 * ghosts have become, and no vertex below the limit has anything to offer. So the words and the limit are all there is.
 */
#include "job/checkpoint.h"
#include "job/ranks.h"

#include "apps/common/arrays.h"
#include "core/memory.h"
#include "raddle/tool.h"

#include <string.h>

enum { SUM_TASKS = RD__QUIET_OWN, SUM_DUE };
enum { LITTLE = 1024, MUCH = 1 << 16, WIDEST = 1 << 30 };

typedef struct record {
    uint32_t vertex; /* of its owner's part */
    uint32_t value;
} record;

typedef struct least {
    rd_job *job;
    rd_ranks *ranks;
    const rd__part *part;
    rd__buffer *values;
    uint32_t *value; /* own vertices, then ghosts: the device's memory, or a copy */
    int is_copy;
    uint32_t *sent;   /* of each ghost, the last word that was sent */
    uint32_t *seed;   /* own vertices that are to run, */
    uint32_t seeds;   /* each once: */
    uint64_t *queued; /* a bit a vertex */
    record *out;      /* room for one owner's records */
    rd__quiet quiet;
    uint32_t limit, width, first_width;
    uint64_t window_tasks, windows, records;
    uint64_t waiting; /* least word at or beyond the limit; UINT64_MAX: none */
    int looked;       /* `waiting` is up to date */
} least;

static void add_seed(least *run, uint32_t v)
{
    if (run->queued[v / 64] >> v % 64 & 1)
        return;
    run->queued[v / 64] |= 1ull << v % 64;
    run->seed[run->seeds++] = v;
}

static rd_status fetch(least *run, rd_error *err)
{
    if (!run->is_copy)
        return rd__buffer_settle(run->values, err);
    return rd__buffer_read(run->values, 0, 4ull * (run->part->own + run->part->ghosts), run->value, err);
}

static rd_status store(least *run, rd_error *err)
{
    if (!run->is_copy)
        return RD_OK;
    return rd__buffer_write(run->values, 0, 4ull * (run->part->own + run->part->ghosts), run->value, err);
}

/* ---- Messages ---- */

static rd_status take(void *user, const rd__message *message, rd_error *err)
{
    least *run = user;
    const record *list = message->data;
    if (message->bytes % sizeof *list)
        return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes, which are no records", message->from,
                        (unsigned long long)message->bytes);
    run->quiet.received++;
    run->looked = 0;
    for (uint64_t i = 0; i < message->bytes / sizeof *list; i++) {
        const uint32_t v = list[i].vertex;
        if (v >= run->part->own)
            return rd__fail(err, RD_EDEVICE, "rank %u sent a record for vertex %u, which is not here", message->from,
                            v);
        if (list[i].value >= run->value[v])
            continue;
        run->value[v] = list[i].value;
        if (list[i].value < run->limit)
            add_seed(run, v);
    }
    return RD_OK;
}

static rd_status send_records(least *run, uint32_t to, uint32_t count, rd_error *err)
{
    if (!count)
        return RD_OK;
    run->quiet.sent++;
    run->records += count;
    return rd__ranks_send(run->ranks, to, RD__MESSAGE_WORK, run->out, count * sizeof *run->out, err);
}

/* To each owner the ghosts that are lower than what it was told. */
static rd_status send_all(least *run, rd_error *err)
{
    const rd__part *part = run->part;
    const uint32_t ranks = rd_ranks_count(run->ranks), most = run->ranks->transport->most_bytes / sizeof(record);
    const uint32_t *ghost = run->value + part->own;
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t count = 0;
        for (uint32_t g = part->ghost_from[r]; g < part->ghost_from[r + 1]; g++) {
            if (ghost[g] >= run->sent[g])
                continue;
            run->sent[g] = ghost[g];
            run->out[count++] = (record){part->ghost[g] - part->start[r], ghost[g]};
            if (count == most) {
                RD_TRY(send_records(run, r, count, err));
                count = 0;
            }
        }
        RD_TRY(send_records(run, r, count, err));
    }
    return RD_OK;
}

/* ---- Running ---- */

static rd_status run_seeds(least *run, rd_report *report, rd_error *err)
{
    const rd__seeds seeds = {.kind = RD__SEEDS_LIST, .count = run->seeds, .vertex = run->seed};
    const uint64_t before = report->tasks;
    for (uint32_t i = 0; i < run->seeds; i++)
        run->queued[run->seed[i] / 64] = 0;
    run->seeds = 0;
    run->job->part.limit = run->limit;
    RD_TRY(store(run, err));
    RD_TRY(rd__job_slice(run->job, &seeds, report, err));
    RD_TRY(fetch(run, err));
    run->window_tasks += report->tasks - before;
    run->looked = 0;
    run->ranks->waited = 0;
    return send_all(run, err);
}

static void look_for_least(least *run)
{
    run->waiting = UINT64_MAX;
    for (uint32_t v = 0; v < run->part->own; v++)
        if (run->value[v] >= run->limit && run->value[v] != RD_NONE && run->value[v] < run->waiting)
            run->waiting = run->value[v];
    run->looked = 1;
}

/* All is quiet below the limit. @return 0: nothing waits beyond it. */
static int move_window(least *run, const rd__tally *all)
{
    const uint64_t tasks = all->sum[SUM_TASKS], ranks = rd_ranks_count(run->ranks), before = run->limit;
    if (!all->most[0])
        return 0;
    if (!run->job->window && run->windows) {
        if (tasks < LITTLE * ranks && run->width < WIDEST)
            run->width *= 2;
        else if (tasks > MUCH * ranks && run->width > run->first_width)
            run->width /= 2;
    }
    const uint64_t limit = ~all->most[0] + run->width;
    run->limit = limit < RD_NONE ? (uint32_t)limit : RD_NONE;
    run->windows++;
    run->window_tasks = 0;
    run->looked = 0;
    for (uint32_t v = 0; v < run->part->own; v++)
        if (run->value[v] >= before && run->value[v] < run->limit)
            add_seed(run, v);
    return 1;
}

/* At a cut: between two windows. */
static rd_status freeze(void *user, rd__freeze *freeze, rd_error *err)
{
    least *run = user;
    uint64_t *const number[] = {&run->window_tasks, &run->windows, &run->records};
    uint32_t *const word[] = {&run->limit, &run->width, &run->first_width};
    const uint32_t asked = run->job->app->ranks->source(run->job);
    RD_TRY(rd__freeze_same(freeze, "the source", asked == RD_NONE ? run->part->hub : asked, err));
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        RD_TRY(rd__freeze_bytes(freeze, number[i], sizeof *number[i], err));
    for (size_t i = 0; i < sizeof word / sizeof word[0]; i++)
        RD_TRY(rd__freeze_bytes(freeze, word[i], sizeof *word[i], err));
    if (freeze->sink)
        RD_TRY(store(run, err));
    RD_TRY(rd__arrays_freeze_device(run->job, freeze, err));
    return RD_OK;
}

static rd_status search(least *run, rd_report *report, rd_error *err)
{
    for (;;) {
        rd__tally mine = {{0}, {0}}, all;
        int done;
        RD_TRY(rd__ranks_take_all(run->ranks, take, run, err));
        if (run->seeds) {
            RD_TRY(run_seeds(run, report, err));
            continue;
        }
        if (!run->looked)
            look_for_least(run);
        mine.sum[SUM_TASKS] = run->window_tasks;
        mine.sum[SUM_DUE] = rd__checkpoint_due(run->job);
        mine.most[0] = run->waiting == UINT64_MAX ? 0 : ~run->waiting;
        RD_TRY(rd__quiet_step(run->ranks, &run->quiet, 1, &mine, &all, &done, err));
        if (done && all.sum[SUM_DUE] && all.most[0]) /* not at the very end */
            RD_TRY(rd__checkpoint_write(run->job, freeze, run, report, err));
        if (done && !move_window(run, &all))
            return RD_OK;
        if (!done && run->quiet.waiting)
            RD_TRY(rd__ranks_pause(run->ranks, err));
    }
}

static rd_status make(least *run, rd_error *err)
{
    const rd__part *part = run->part;
    const uint64_t vertices = (uint64_t)part->own + part->ghosts;
    run->value = rd__buffer_in_place(run->values);
    run->is_copy = !run->value;
    if (run->is_copy)
        RD_TRY(rd__array_new(&run->value, "values on the host", vertices, sizeof *run->value, err));
    RD_TRY(rd__array_new(&run->sent, "what was sent of ghosts", part->ghosts, sizeof *run->sent, err));
    RD_TRY(rd__array_new(&run->seed, "seeds", part->own, sizeof *run->seed, err));
    RD_TRY(rd__array_new(&run->out, "records for another rank", part->ghosts, sizeof *run->out, err));
    RD_TRY(rd__array_new(&run->queued, "marks of seeds", part->own / 64 + 1ull, sizeof *run->queued, err));
    memset(run->queued, 0, (part->own / 64 + 1ull) * sizeof *run->queued);
    memset(run->sent, 0xff, part->ghosts * sizeof *run->sent);
    return fetch(run, err);
}

static void start(least *run)
{
    const rd__app_ranks *app = run->job->app->ranks;
    const rd__part *part = run->part;
    const uint32_t asked = app->source(run->job), source = asked == RD_NONE ? part->hub : asked;
    rd_job *job = run->job;
    run->first_width = app->window ? app->window(job) : 1;
    /* from what this rank's weights are like: all take that of rank 0, in run_least */
    run->width = job->window ? job->window : run->first_width;
    run->waiting = UINT64_MAX;
    job->part.own = part->own;
    if (source != RD_NONE && source - part->first < part->own) {
        run->value[source - part->first] = 0;
        run->looked = 0;
    }
}

/* From a checkpoint: what ghosts have is what their owners were told. */
static rd_status go_on(least *run, rd_error *err)
{
    RD_TRY(fetch(run, err));
    memcpy(run->sent, run->value + run->part->own, run->part->ghosts * sizeof *run->sent);
    run->looked = 0;
    return RD_OK;
}

/* All ranks move by the same width, though each would choose by its own weights. */
static rd_status agree_on_width(least *run, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    mine.most[0] = run->first_width;
    RD_TRY(rd__ranks_tally(run->ranks, &mine, &all, err));
    run->first_width = (uint32_t)all.most[0];
    run->width = run->job->window ? run->job->window : run->first_width;
    return RD_OK;
}

/* Over all ranks: what was reached, and how far. */
static rd_status sum_up(least *run, rd_report *report, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    for (uint32_t v = 0; v < run->part->own; v++)
        if (run->value[v] != RD_NONE) {
            mine.sum[0]++;
            mine.most[0] = run->value[v] > mine.most[0] ? run->value[v] : mine.most[0];
        }
    mine.sum[1] = run->job->part.records = run->records;
    RD_TRY(rd__ranks_tally(run->ranks, &mine, &all, err));
    run->job->part.reached = all.sum[0];
    run->job->part.farthest = (uint32_t)all.most[0];
    run->job->part.vertices = run->part->vertices;
    report->rounds = run->windows;
    report->tasks_needed = mine.sum[0]; /* of this rank; job/ranks.c adds up */
    report->reached = mine.sum[0];
    rd__measure(report, "records", (double)all.sum[1]);
    if (run->part->edges)
        rd__measure(report, "records_per_edge", (double)all.sum[1] / (double)run->part->edges);
    return RD_OK;
}

rd_status rd__run_least(rd_job *job, rd_report *report, rd_error *err)
{
    least run = {
        .job = job, .ranks = job->ranks, .part = rd__graph_part(job->graph), .values = job->app->ranks->values(job)};
    rd_status status = make(&run, err);
    if (status == RD_OK) {
        start(&run);
        status = agree_on_width(&run, err);
    }
    int resumed = 0;
    if (status == RD_OK)
        status = rd__checkpoint_begin(job, freeze, &run, report, &resumed, err);
    if (status == RD_OK && resumed)
        status = go_on(&run, err);
    if (status == RD_OK)
        status = search(&run, report, err);
    if (status == RD_OK)
        status = sum_up(&run, report, err);
    if (run.is_copy)
        rd__array_free(run.value);
    rd__array_free(run.sent);
    rd__array_free(run.seed);
    rd__array_free(run.out);
    rd__array_free(run.queued);
    return status;
}
