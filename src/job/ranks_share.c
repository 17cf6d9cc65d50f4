/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_share.c - fork-join tasks over several ranks (uts, fib, nqueens), which they give each other: trade.c.
 *
 * A rank runs the tasks that it has for a while, by its own engine, with all lanes of its device; then what is left is
 * handed to the host (apps/common/hand.k.h) and lies in the pool, from which every second task goes to who asks. How
 * many tasks a lane runs in a while is set so that one takes some milliseconds, on devices with a memory of their own
 * some hundredths of a second: long enough for the launch and what is copied not to matter, short enough for those who
 * wait. (On 16 ranks of one core each, uts T1L took three times as long as in one process when a while took 20 ms.)
 * Results are sums over all tasks, so it does not matter where one runs.
 */
#include "job/trade.h"

#include "apps/common/hand_args.k.h"
#include "core/memory.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

/* Begins with little, so that others soon have some. On a busy machine a while takes long however few tasks it has: not
 * ever fewer then. */
enum { ROOM = 1 << 16, FIRST_BUDGET = 256, LEAST_BUDGET = 1 << 14, MOST_BUDGET = 1 << 26 };
static double while_of(const rd_device *device)
{
    return device->caps.shares_host ? 0.002 : 0.02;
}

typedef struct share {
    rd_job *job;
    uint32_t words; /* of a task */
    uint32_t *pool;
    uint64_t count, room; /* tasks in the pool; that it has room for */
    uint32_t *out;        /* what the device hands over, on the host */
    uint64_t stolen;
} share;

/* ---- The pool ---- */

/* For so many tasks more. */
static rd_status make_room(share *run, uint64_t count, rd_error *err)
{
    const uint64_t room = 2 * (run->count + count);
    if (run->count + count <= run->room)
        return RD_OK;
    RD_TRY(rd__array_grow(&run->pool, "tasks of this rank", run->count * run->words, room * run->words,
                          sizeof *run->pool, err));
    run->room = room;
    return RD_OK;
}

static rd_status put(share *run, const uint32_t *task, uint64_t count, rd_error *err)
{
    if (count == 0)
        return RD_OK;
    RD_TRY(make_room(run, count, err));
    memcpy(run->pool + run->count * run->words, task, count * run->words * sizeof *task);
    run->count += count;
    return RD_OK;
}

/* Every second task goes, or every third, as `part` says: which of them are large nobody knows, and neighbours are much
 * alike. */
static rd_status give(void *user, double part, uint64_t most, rd__deal *batch, rd_error *err)
{
    share *run = user;
    const uint64_t bytes = 4ull * run->words, room = most / bytes;
    uint64_t kept = 0, given = 0, given_most = (uint64_t)((double)run->count * part);
    given_most = given_most < room ? given_most : room;
    if (!given_most)
        return RD_OK;
    RD_TRY(rd__array_new(&batch->data, "tasks for another rank", given_most, bytes, err));
    for (uint64_t i = 0; i < run->count; i++) {
        const uint32_t *task = run->pool + i * run->words;
        if (given < given_most && (double)(i + 1) * part >= (double)(given + 1))
            memcpy((char *)batch->data + given++ * bytes, task, bytes);
        else
            memmove(run->pool + kept++ * run->words, task, bytes);
    }
    batch->bytes = given * bytes;
    run->count = kept;
    return RD_OK;
}

static rd_status take(void *user, const void *data, uint64_t bytes, rd_error *err)
{
    share *run = user;
    const uint64_t count = bytes / (4ull * run->words);
    if (bytes % (4ull * run->words))
        return rd__fail(err, RD_EDEVICE, "%llu bytes, which are no tasks", (unsigned long long)bytes);
    run->stolen += count;
    return put(run, data, count, err);
}

/* ---- Running ---- */

/* What the device handed over goes to the pool. Tasks that were handed over have not run. */
static rd_status take_back(share *run, rd_report *report, rd_error *err)
{
    rd__ranks_run *part = &run->job->part;
    uint32_t count;
    RD_TRY(rd__buffer_read(&part->out, 0, sizeof count, &count, err));
    count = count < part->room ? count : part->room;
    RD_TRY(rd__buffer_read(&part->out, 4 * HAND_HEAD, 4ull * run->words * count, run->out, err));
    report->tasks -= count;
    report->tasks_needed -= count < report->tasks_needed ? count : report->tasks_needed;
    return put(run, run->out, count, err);
}

/* One while: tasks from the end of the pool. */
static rd_status run_some(void *user, rd_report *report, rd_error *err)
{
    share *run = user;
    rd__ranks_run *part = &run->job->part;
    const rd__app_ranks *app = run->job->app->ranks;
    const uint32_t root = part->root, first = app->first_tasks ? app->first_tasks(run->job) : 1;
    const uint32_t count = root ? first : (uint32_t)(run->count < part->room ? run->count : part->room);
    const rd__seeds seeds = {.kind = RD__SEEDS_LIST, .count = count};
    const double began = rd_now();
    if (!root) {
        run->count -= count;
        RD_TRY(rd__buffer_write(&part->in, 0, 4ull * run->words * count, run->pool + run->count * run->words, err));
    }
    RD_TRY(rd__buffer_fill_part(&part->out, 0, 4 * HAND_HEAD, 0, err));
    RD_TRY(rd__job_slice(run->job, &seeds, report, err));
    part->root = 0;
    RD_TRY(take_back(run, report, err));
    const double took = rd_now() - began, while_s = while_of(run->job->device);
    if (took < while_s / 2 && part->budget < MOST_BUDGET)
        part->budget *= 2;
    else if (took > while_s * 2 && part->budget > LEAST_BUDGET)
        part->budget /= 2;
    return RD_OK;
}

/* ---- What a rank of several has to offer: trade.h ---- */

static int is_busy(void *user)
{
    const share *run = user;
    return run->count || run->job->part.root;
}

static rd_status freeze(void *user, rd__freeze *freeze, rd_error *err)
{
    share *run = user;
    rd__ranks_run *part = &run->job->part;
    const uint64_t had = run->count;
    RD_TRY(rd__freeze_same(freeze, "the size of a task", run->words, err));
    RD_TRY(rd__freeze_bytes(freeze, &part->root, sizeof part->root, err));
    RD_TRY(rd__freeze_bytes(freeze, &run->count, sizeof run->count, err));
    if (!freeze->sink) {
        const uint64_t count = run->count;
        run->count = had;
        if (count > freeze->left / (4ull * run->words))
            return rd__fail(err, RD_EINPUT, "%s: the checkpoint is cut off", freeze->path);
        RD_TRY(make_room(run, count, err));
        run->count = count;
    }
    return rd__freeze_bytes(freeze, run->pool, 4ull * run->words * run->count, err);
}

static rd_status make(share *run, rd_error *err)
{
    rd__ranks_run *part = &run->job->part;
    const uint64_t bytes = 4ull * run->words * ROOM;
    if (!part->in.device) {
        RD_TRY(rd__buffer_alloc(run->job->device, &part->in, "tasks from the host", bytes, err));
        RD_TRY(rd__buffer_alloc(run->job->device, &part->out, "tasks for the host", bytes + 4 * HAND_HEAD, err));
    }
    part->room = ROOM;
    part->budget = FIRST_BUDGET;
    part->root = rd_ranks_rank(run->job->ranks) == rd__ranks_first(run->job->ranks);
    return rd__array_new(&run->out, "tasks from the device", (uint64_t)ROOM * run->words, sizeof *run->out, err);
}

rd_status rd__run_share(rd_job *job, rd_report *report, rd_error *err)
{
    share run = {.job = job, .words = job->app->forkjoin.words};
    const rd__trader trader = {
        .user = &run, .busy = is_busy, .run = run_some, .give = give, .take = take, .freeze = freeze};
    rd__tally mine = {{0}, {0}}, all;
    rd_status status = make(&run, err);
    if (status == RD_OK)
        status = rd__trade(job, &trader, report, err);
    rd__array_free(run.pool);
    rd__array_free(run.out);
    mine.sum[0] = run.stolen;
    mine.sum[1] = report->sum;
    if (status == RD_OK)
        status = rd__ranks_tally(job->ranks, &mine, &all, err);
    if (status != RD_OK)
        return status;
    report->sum = all.sum[1];
    rd__measure(report, "rank_stolen", (double)all.sum[0]);
    return RD_OK;
}
