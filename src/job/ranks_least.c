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
 * Outboxes. The words of ghosts are a rank's outbox. A run that takes long is looked through while its kernel goes on,
 * where the device allows that (caps.peeks: CPUs, whose memory the host sees, and CUDA, which copies beside a kernel);
 * elsewhere when it has ended. A look needs no agreement with the kernel: it finds in each ghost's word a value that
 * the word has held since the call (rd__buffer_peek), words only fall, and each value was the length of a path. So what
 * is sent is true, if perhaps not the last word; a word that falls after its look is lower than what was sent of it,
 * and so the next look finds it. The last look is behind the kernel's end, when all its offers are there: nothing is
 * missed. What a look sends is counted as sent before the rank is idle (quiet.c), as anything else.
 *
 * Right. Words only fall, and a vertex whose word falls below the limit is run afterwards by its owner, which offers to
 * all its neighbours; a neighbour that is a ghost is told its owner. When the run is over, no offer is less than what
 * its target has, and each word is the length of a real path: as in the search on one device.
 *
 * Window. A rank that runs ahead with words that are not final does much in vain: on deep graphs several times the
 * work. So there is a limit: vertices at or beyond it wait. When all is quiet below it (ranks/quiet.c; no rank is idle
 * while it has a seed), all agree on the least word that waits, and the limit moves to that plus the width of the
 * window. Width 1 is level by level. By default the width begins with what the app says and is doubled while a window
 * has little to run for each rank, so that ranks wait seldom, and halved while it has much or runs much in vain.
 * There are none where the host can run a search by itself: in levels (ranks_levels.c) and in steps (ranks_steps.c).
 *
 * Checkpoints are written when all is quiet below the limit: no message is under way, each owner has been told what its
 * ghosts have become, and no vertex below the limit has anything to offer. So the words and the limit are all there is.
 */
#include "job/checkpoint.h"
#include "job/least.h"

#include "apps/common/arrays.h"
#include "core/memory.h"
#include "raddle/tool.h"

#include <math.h>
#include <string.h>

/* Of a window for each rank: few tasks, unless devices have more lanes than that; many tasks are MUCH times as many. */
enum { LITTLE = 1024, MUCH = 64, WIDEST = 1 << 30, GROWS = 2, GROWS_MUCH = 8, NARROWER = 8 };
/* Tasks a vertex of a window, which is then not made wider; and made narrower. */
static const double some_overwork = 1.1, much_overwork = 1.2;
/* Seconds of a run before what it has found is sent; most end earlier. */
static const double drain_after = 0.01;
/* Between two looks so many times as long as the first of them took. */
static const double drain_share = 4;

static void add_seed(rd__least *run, uint32_t v)
{
    if (run->queued[v / 64] >> v % 64 & 1)
        return;
    run->queued[v / 64] |= 1ull << v % 64;
    run->seed[run->seeds++] = v;
}

static rd_status fetch(rd__least *run, rd_error *err)
{
    if (!run->is_copy)
        return rd__buffer_settle(run->values, err);
    return rd__buffer_read(run->values, 0, 4ull * (run->part->own + run->part->ghosts), run->value, err);
}

static rd_status store(rd__least *run, rd_error *err)
{
    if (!run->is_copy)
        return RD_OK;
    return rd__buffer_write(run->values, 0, 4ull * (run->part->own + run->part->ghosts), run->value, err);
}

/* ---- Messages ---- */

static rd_status take(void *user, const rd__message *message, rd_error *err)
{
    rd__least *run = user;
    const rd__record *list = message->data;
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

static rd_status send_records(rd__least *run, uint32_t to, uint32_t count, rd_error *err)
{
    if (!count)
        return RD_OK;
    run->quiet.sent++;
    run->records += count;
    return rd__ranks_send(run->ranks, to, RD__MESSAGE_WORK, run->out, count * sizeof *run->out, err);
}

/* To each owner the ghosts that are lower than what it was told. */
static rd_status send_all(rd__least *run, rd_error *err)
{
    const rd__part *part = run->part;
    const uint32_t ranks = rd_ranks_count(run->ranks), most = rd__ranks_message(run->ranks) / sizeof(rd__record);
    const uint32_t *ghost = run->value + part->own;
    for (uint32_t r = 0; r < ranks; r++) {
        uint32_t count = 0;
        for (uint32_t g = part->ghost_from[r]; g < part->ghost_from[r + 1]; g++) {
            const uint32_t word = __atomic_load_n(&ghost[g], __ATOMIC_RELAXED); /* partner: kernels' minima: drain() */
            if (word >= run->sent[g])
                continue;
            run->sent[g] = word;
            run->out[count++] = (rd__record){part->ghost[g] - part->start[r], word};
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

/* Where the words are a copy, those of ghosts as they are now. */
static rd_status peek_at_ghosts(rd__least *run, rd_error *err)
{
    const rd__part *part = run->part;
    return run->is_copy
               ? rd__buffer_peek(run->values, 4ull * part->own, 4ull * part->ghosts, run->value + part->own, err)
               : RD_OK;
}

/* While kernels run, called now and then where progress is told: what they have found for ghosts until now is sent on,
 * so that others need not wait for the end. Most of the time is left to what else the host has to do. */
static int drain(void *user, const char *stage, uint64_t done, uint64_t total, const char *unit)
{
    rd__least *run = user;
    const double now = rd_now();
    if (run->drained == RD_OK && now > run->next_drain) {
        run->drained = peek_at_ghosts(run, &run->drain_error);
        if (run->drained == RD_OK)
            run->drained = send_all(run, &run->drain_error);
        run->drains++;
        run->next_drain = now + drain_share * (rd_now() - now);
    }
    return run->drained != RD_OK || (run->progress && run->progress(run->progress_user, stage, done, total, unit));
}

/* The engine runs; where its device can be looked at meanwhile, with drain(). */
static rd_status run_engine(rd__least *run, const rd__seeds *seeds, rd_report *report, rd_error *err)
{
    rd_job *job = run->job;
    if (!run->values->device->caps.peeks || !rd__ranks_many(run->ranks))
        return rd__job_slice(job, seeds, report, err);
    run->progress = job->progress;
    run->progress_user = job->progress_user;
    run->next_drain = rd_now() + drain_after;
    job->progress = drain;
    job->progress_user = run;
    const rd_status status = rd__job_slice(job, seeds, report, err);
    job->progress = run->progress;
    job->progress_user = run->progress_user;
    return run->drained == RD_OK ? status : rd__fail(err, run->drained, "%s", run->drain_error.text);
}

static rd_status run_seeds(rd__least *run, rd_report *report, rd_error *err)
{
    const rd__seeds seeds = {.kind = RD__SEEDS_LIST, .count = run->seeds, .vertex = run->seed};
    const uint64_t before = report->tasks;
    for (uint32_t i = 0; i < run->seeds; i++)
        run->queued[run->seed[i] / 64] = 0;
    run->seeds = 0;
    run->job->part.limit = run->limit;
    RD_TRY(store(run, err));
    RD_TRY(run_engine(run, &seeds, report, err));
    RD_TRY(fetch(run, err));
    run->window_tasks += report->tasks - before;
    run->looked = 0;
    run->ranks->waited = 0;
    return send_all(run, err);
}

/* What an app begins with is for one device: ranks that do as much at once, each for itself, do much of it in vain. */
static double narrowest_width(const rd__least *run)
{
    return run->real || run->first_width >= NARROWER ? run->first_width / NARROWER : run->first_width;
}

/* A window is made wider while it has little to run for each rank, and narrower while it has much, or much that is run
 * in vain. */
static void fit_width(rd__least *run, const rd__tally *all)
{
    const uint64_t ranks = rd_ranks_count(run->ranks);
    const double tasks = (double)all->sum[RD__LEAST_TASKS],
                 settled = (double)(all->sum[RD__LEAST_SETTLED] - run->settled_before);
    if (run->job->window || !run->windows)
        return;
    /* What waits against what one first width of this window had: where levels grow there is soon one to go against the
     * edges, or one that is worth running in order. */
    const double degree = run->part->edges ? (double)run->part->edges / run->part->vertices : 1;
    const double growth =
        (double)all->sum[RD__LEAST_EDGES] * (run->width / run->first_width) / (degree * (tasks > 1 ? tasks : 1));
    const double narrowest = growth > GROWS_MUCH ? narrowest_width(run) : run->first_width;
    if (tasks > (double)(MUCH * run->little * ranks) || tasks > much_overwork * settled || growth > GROWS_MUCH)
        run->width = run->width / 2 > narrowest ? run->width / 2 : narrowest;
    else if (tasks < (double)(run->little * ranks) && tasks < some_overwork * settled && growth <= GROWS &&
             run->width < WIDEST)
        run->width *= 2;
}

/* The word that is `width` beyond another. */
static uint32_t word_beyond(const rd__least *run, uint32_t word)
{
    if (!run->real) {
        const double limit = word + run->width;
        return limit < RD_NONE ? (uint32_t)limit : RD_NONE;
    }
    const uint32_t limit = (uint32_t)rd_weight_word((float)(rd_weight_real((int32_t)word) + run->width));
    return limit > word ? limit : word + 1; /* a width that is lost in rounding */
}

/* All is quiet below the limit: the window moves. */
static void move_window(rd__least *run, const rd__tally *all)
{
    const uint32_t before = run->limit;
    fit_width(run, all);
    run->limit = word_beyond(run, (uint32_t)~all->most[RD__LEAST_WAITING]);
    rd__least_bits(run, run->part->own, before, run->limit, run->queued); /* there is no seed yet */
    for (uint64_t w = 0; 64 * w < run->part->own; w++)
        for (uint64_t left = run->queued[w]; left; left &= left - 1)
            run->seed[run->seeds++] = (uint32_t)(64 * w + (uint64_t)__builtin_ctzll(left));
}

/* Before the first window, which a search may end without. */
static rd_status make_windows(rd__least *run, rd_error *err)
{
    const rd__part *part = run->part;
    if (run->sent)
        return RD_OK;
    RD_TRY(rd__array_new(&run->sent, "what was sent of ghosts", part->ghosts, sizeof *run->sent, err));
    RD_TRY(rd__array_new(&run->seed, "seeds", part->own, sizeof *run->seed, err));
    RD_TRY(rd__array_new(&run->out, "records for another rank", part->ghosts, sizeof *run->out, err));
    RD_TRY(rd__array_new(&run->queued, "marks of seeds", part->own / 64 + 1ull, sizeof *run->queued, err));
    memset(run->queued, 0, (part->own / 64 + 1ull) * sizeof *run->queued);
    memset(run->sent, 0xff, part->ghosts * sizeof *run->sent);
    return RD_OK;
}

/* All ranks, when all is quiet: the next window, or the next level by the host; or steps are to follow. */
static rd_status go_further(rd__least *run, const rd__tally *all, rd_report *report, rd_error *err)
{
    const rd__level_kind kind = rd__levels_choose(run, all);
    if (kind == RD__LEVEL_PUSH || kind == RD__LEVEL_PULL) {
        run->limit = (uint32_t)~all->most[RD__LEAST_WAITING];
        RD_TRY(rd__levels_run(run, kind, report, err));
    } else {
        RD_TRY(make_windows(run, err));
        if (run->levels.at)
            RD_TRY(rd__levels_leave(run, err));
        run->window_tasks = 0;
        run->looked = 0;
        run->steps = kind == RD__LEVEL_STEPS;
        if (run->steps)
            return RD_OK;
        move_window(run, all);
    }
    run->settled_before = all->sum[RD__LEAST_SETTLED];
    run->windows++;
    return RD_OK;
}

/* At a cut: between two windows. */
static rd_status freeze(void *user, rd__freeze *freeze, rd_error *err)
{
    rd__least *run = user;
    uint64_t *const number[] = {&run->window_tasks, &run->windows, &run->records, &run->levels.pulled,
                                &run->settled_before};
    const uint32_t asked = run->job->app->ranks->source(run->job);
    RD_TRY(rd__freeze_same(freeze, "the source", asked == RD_NONE ? run->part->hub : asked, err));
    for (size_t i = 0; i < sizeof number / sizeof number[0]; i++)
        RD_TRY(rd__freeze_bytes(freeze, number[i], sizeof *number[i], err));
    RD_TRY(rd__freeze_bytes(freeze, &run->limit, sizeof run->limit, err));
    RD_TRY(rd__freeze_bytes(freeze, &run->width, sizeof run->width, err));
    RD_TRY(rd__freeze_bytes(freeze, &run->first_width, sizeof run->first_width, err));
    if (freeze->sink)
        RD_TRY(store(run, err));
    RD_TRY(rd__arrays_freeze_device(run->job, freeze, err));
    return RD_OK;
}

/* What waits at all ranks. Levels have no message under way when they end, so that one sum will do. */
static rd_status add_up(rd__least *run, rd__tally *all, int *done, rd_error *err)
{
    rd__tally mine = {{0}, {0}};
    if (!run->looked)
        rd__least_look(run);
    mine.sum[RD__LEAST_TASKS] = run->window_tasks;
    mine.sum[RD__LEAST_DUE] = rd__checkpoint_due(run->job);
    mine.sum[RD__LEAST_SETTLED] = run->settled;
    mine.sum[RD__LEAST_EDGES] = run->edges;
    mine.sum[RD__LEAST_LEFT] = run->left;
    mine.most[RD__LEAST_WAITING] = run->waiting == UINT64_MAX ? 0 : ~run->waiting;
    mine.most[RD__LEAST_ALONE] = rd__levels_alone(run);
    if (!run->levels.at)
        return rd__quiet_step(run->ranks, &run->quiet, 1, &mine, all, done, err);
    *done = 1;
    return rd__ranks_tally(run->ranks, &mine, all, err);
}

static rd_status search(rd__least *run, rd_report *report, rd_error *err)
{
    for (;;) {
        rd__tally all;
        int done = 0;
        if (run->steps) {
            RD_TRY(rd__steps_search(run, freeze, report, &done, err));
            if (done)
                return RD_OK;
            run->steps = 0;
        }
        RD_TRY(rd__ranks_take_all(run->ranks, take, run, err));
        if (run->seeds) {
            RD_TRY(run_seeds(run, report, err));
            continue;
        }
        RD_TRY(add_up(run, &all, &done, err));
        if (done && !all.most[RD__LEAST_WAITING]) /* nothing waits beyond the limit */
            return RD_OK;
        if (done && all.sum[RD__LEAST_DUE])
            RD_TRY(rd__checkpoint_write(run->job, freeze, run, report, err));
        if (done)
            RD_TRY(go_further(run, &all, report, err));
        else if (run->quiet.waiting)
            RD_TRY(rd__ranks_pause(run->ranks, err));
    }
}

static rd_status make(rd__least *run, rd_error *err)
{
    run->value = rd__buffer_in_place(run->values);
    run->is_copy = !run->value;
    if (run->is_copy)
        RD_TRY(rd__array_new(&run->value, "values on the host", (uint64_t)run->part->own + run->part->ghosts,
                             sizeof *run->value, err));
    return fetch(run, err);
}

/* All ranks move by the same width, though each would choose by its own weights; and in levels if all can. */
static rd_status agree(rd__least *run, rd_error *err)
{
    const rd__app_ranks *app = run->job->app->ranks;
    const float own = app->window ? (float)app->window(run->job) : 1;
    rd__tally mine = {{0}, {0}}, all;
    mine.most[0] = (uint32_t)rd_weight_word(own > 0 ? own : 0); /* in the order of the numbers */
    mine.most[1] = run->job->device->info.resident_lanes;
    mine.sum[0] = !rd__levels_can(run);
    mine.sum[1] = !rd__levels_can_pull(run);
    mine.sum[2] = !rd__steps_can(run);
    RD_TRY(rd__ranks_tally(run->ranks, &mine, &all, err));
    run->levels.can = !all.sum[0];
    run->levels.pulls = !all.sum[1];
    run->can_steps = !all.sum[2];
    run->steps = run->can_steps && !run->levels.can;
    run->little = all.most[1] > LITTLE ? all.most[1] : LITTLE;
    run->first_width = rd_weight_real((int32_t)all.most[0]);
    if (!run->real)
        run->first_width = run->first_width < 1 ? 1 : floor(run->first_width);
    run->width = run->job->window ? run->job->window : narrowest_width(run);
    return RD_OK;
}

static rd_status start(rd__least *run, rd_error *err)
{
    const rd__app_ranks *app = run->job->app->ranks;
    const rd__part *part = run->part;
    const rd_csr csr = rd_graph_csr(run->job->graph);
    const uint32_t asked = app->source(run->job), source = asked == RD_NONE ? part->hub : asked;
    run->real = app->real && app->real(run->job);
    run->waiting = UINT64_MAX;
    run->job->part.own = part->own;
    run->left = csr.edges;
    run->looked = 1;
    uint32_t v = RD_NONE;
    if (source != RD_NONE && source - part->first < part->own) {
        v = source - part->first;
        run->value[v] = 0;
        run->waiting = 0;
        run->edges = csr.row[v + 1] - csr.row[v];
        run->left -= run->edges;
    }
    RD_TRY(agree(run, err));
    return rd__levels_begin(run, v, err);
}

/* From a checkpoint: below the limit, what ghosts have is what their owners were told; beyond, it may be held. */
static rd_status go_on(rd__least *run, rd_error *err)
{
    RD_TRY(make_windows(run, err));
    RD_TRY(fetch(run, err));
    run->levels.at = 0;
    run->steps =
        run->can_steps; /* there may be words beyond the limit that are not final, of which levels know nothing */
    const uint32_t *ghost = run->value + run->part->own;
    for (uint64_t g = 0; g < run->part->ghosts; g++)
        run->sent[g] = ghost[g] < run->limit ? ghost[g] : RD_NONE;
    run->looked = 0;
    return RD_OK;
}

/* Over all ranks: what was reached, and how far. */
static rd_status sum_up(rd__least *run, rd_report *report, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    uint32_t farthest = run->limit ? run->limit - 1 : 0; /* of the last level, if it was one */
    mine.sum[0] = run->levels.at ? run->settled : rd__least_reached(run, &farthest);
    mine.most[0] = farthest;
    mine.sum[1] = run->job->part.records = run->records;
    mine.sum[2] = run->drains;
    RD_TRY(rd__ranks_tally(run->ranks, &mine, &all, err));
    run->job->part.reached = all.sum[0];
    run->job->part.farthest = (uint32_t)all.most[0];
    run->job->part.vertices = run->part->vertices;
    report->rounds = run->windows;
    report->pulled = rd_ranks_rank(run->ranks) == 0 ? run->levels.pulled : 0; /* job/ranks.c adds up */
    report->tasks_needed = mine.sum[0];
    report->reached = mine.sum[0];
    rd__measure(report, "records", (double)all.sum[1]);
    rd__measure(report, "drains", (double)all.sum[2]);
    if (run->part->edges)
        rd__measure(report, "records_per_edge", (double)all.sum[1] / (double)run->part->edges);
    return RD_OK;
}

rd_status rd__run_least(rd_job *job, rd_report *report, rd_error *err)
{
    rd__least run = {
        .job = job, .ranks = job->ranks, .part = rd__graph_part(job->graph), .values = job->app->ranks->values(job)};
    uint32_t *parent = NULL;
    int resumed = 0;
    rd_status status = job->app->ranks->begin ? job->app->ranks->begin(job, err) : RD_OK;
    if (status == RD_OK)
        status = make(&run, err);
    if (status == RD_OK)
        status = start(&run, err);
    if (status == RD_OK)
        status = rd__checkpoint_begin(job, freeze, &run, report, &resumed, err);
    if (status == RD_OK && resumed)
        status = go_on(&run, err);
    if (status == RD_OK && run.steps)
        status = make_windows(&run, err);
    if (status == RD_OK)
        status = search(&run, report, err);
    if (status == RD_OK)
        status = sum_up(&run, report, err);
    if (status == RD_OK && job->app->ranks->parents && (parent = job->app->ranks->parents(job)) != NULL)
        status = rd__least_parents(&run, parent, err);
    job->part.parents = parent != NULL;
    if (run.is_copy)
        rd__array_free(run.value);
    rd__levels_end(&run);
    rd__array_free(run.sent);
    rd__array_free(run.seed);
    rd__array_free(run.out);
    rd__array_free(run.queued);
    return status;
}
