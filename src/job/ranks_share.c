/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_share.c - fork-join tasks over several ranks (uts, fib, nqueens): random work stealing between ranks, in
 * batches (R. Blumofe and C. Leiserson, 1999; J. Dinan and others, "Scalable work stealing", SC 2009).
 *
 * A rank runs the tasks that it has for a while, by its own engine, with all lanes of its device; then what is left is
 * handed to the host (apps/common/hand.k.h) and lies in the pool. Between two whiles it answers others. A rank whose
 * pool is empty asks a random one; who is asked and has two tasks or more gives every second one, else says no. How
 * many tasks a lane runs in a while is set so that one takes some hundredths of a second: long enough for the launch
 * not to matter, short enough for those who wait.
 *
 * The end (ranks/quiet.c). Batches of tasks are counted; questions and refusals are not. A rank is idle when its pool
 * is empty and it waits for no answer. Whether somebody has tasks is part of every wave, in which ranks at work take
 * part between whiles; a rank asks only while the last wave said so. So when the last task is done, the next wave says
 * no, nobody asks any more, answers come in, all are idle; and when two waves have found it quiet no question is under
 * way.
 */
#include "job/ranks.h"

#include "apps/common/hand_args.k.h"
#include "core/hash.h"
#include "core/memory.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <string.h>

enum { ROOM = 1 << 16, FIRST_BUDGET = 256, MOST_BUDGET = 1 << 26 };
static const double while_s = 0.02;

typedef struct share {
    rd_job *job;
    rd_ranks *ranks;
    uint32_t words; /* of a task */
    uint32_t *pool;
    uint64_t count, room; /* tasks in the pool; that it has room for */
    uint32_t *out;        /* what the device hands over, on the host */
    int asked;            /* and no answer yet */
    int somebody;         /* the last wave said that a rank has tasks */
    uint64_t random;
    rd__quiet quiet;
    uint64_t asks, steals, stolen, whiles;
} share;

/* ---- The pool ---- */

static rd_status put(share *run, const uint32_t *task, uint64_t count, rd_error *err)
{
    if (count == 0)
        return RD_OK;
    if (run->count + count > run->room) {
        const uint64_t room = 2 * (run->count + count);
        RD_TRY(rd__array_grow(&run->pool, "tasks of this rank", run->count * run->words, room * run->words,
                              sizeof *run->pool, err));
        run->room = room;
    }
    memcpy(run->pool + run->count * run->words, task, count * run->words * sizeof *task);
    run->count += count;
    return RD_OK;
}

/* Every second task goes to `to`: which of them are large nobody knows, and neighbours are much alike. */
static rd_status give(share *run, uint32_t to, rd_error *err)
{
    const uint64_t most = run->ranks->transport->most_bytes / (4ull * run->words);
    const uint64_t half = run->count / 2, given = half < most ? half : most, bytes = 4ull * run->words;
    const uint32_t no = 0;
    uint32_t *batch;
    if (!given)
        return rd__ranks_send(run->ranks, to, RD__MESSAGE_ASK, &no, sizeof no, err);
    RD_TRY(rd__array_new(&batch, "tasks for another rank", given * run->words, sizeof *batch, err));
    uint64_t kept = 0;
    for (uint64_t i = 0; i < run->count; i++) {
        uint32_t *task = run->pool + i * run->words;
        if (i % 2 && i / 2 < given)
            memcpy(batch + i / 2 * run->words, task, bytes);
        else
            memmove(run->pool + kept++ * run->words, task, bytes);
    }
    run->count = kept;
    run->quiet.sent++;
    const rd_status status = rd__ranks_send(run->ranks, to, RD__MESSAGE_WORK, batch, given * bytes, err);
    rd__array_free(batch);
    return status;
}

/* ---- Messages ---- */

/* A question is 1, a refusal 0. */
static rd_status take(void *user, const rd__message *message, rd_error *err)
{
    share *run = user;
    uint32_t word = 2;
    if (message->kind == RD__MESSAGE_WORK) {
        if (message->bytes % (4ull * run->words))
            return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes, which are no tasks", message->from,
                            (unsigned long long)message->bytes);
        run->quiet.received++;
        run->asked = 0;
        run->steals++;
        run->stolen += message->bytes / (4ull * run->words);
        return put(run, message->data, message->bytes / (4ull * run->words), err);
    }
    if (message->bytes == sizeof word)
        memcpy(&word, message->data, sizeof word);
    if (word > 1)
        return rd__fail(err, RD_EDEVICE, "rank %u sent a message that makes no sense", message->from);
    if (word)
        return give(run, message->from, err);
    run->asked = 0;
    return RD_OK;
}

static rd_status ask(share *run, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(run->ranks), yes = 1;
    run->random = rd__mix64(run->random + RD_GOLDEN);
    const uint32_t other = (uint32_t)(run->random % (ranks - 1)), to = other + (other >= rd_ranks_rank(run->ranks));
    run->asked = 1;
    run->asks++;
    return rd__ranks_send(run->ranks, to, RD__MESSAGE_ASK, &yes, sizeof yes, err);
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
static rd_status run_some(share *run, rd_report *report, rd_error *err)
{
    rd__ranks_run *part = &run->job->part;
    const uint32_t root = part->root, count = root ? 1 : (uint32_t)(run->count < part->room ? run->count : part->room);
    const rd__seeds seeds = {.kind = RD__SEEDS_LIST, .count = count};
    const double began = rd_now();
    if (!root) {
        run->count -= count;
        RD_TRY(rd__buffer_write(&part->in, 0, 4ull * run->words * count, run->pool + run->count * run->words, err));
    }
    RD_TRY(rd__buffer_fill_part(&part->out, 0, 4 * HAND_HEAD, 0, err));
    RD_TRY(rd__job_slice(run->job, &seeds, report, err));
    part->root = 0;
    run->whiles++;
    RD_TRY(take_back(run, report, err));
    const double took = rd_now() - began;
    if (took < while_s / 2 && part->budget < MOST_BUDGET)
        part->budget *= 2;
    else if (took > while_s * 2 && part->budget > FIRST_BUDGET)
        part->budget /= 2;
    run->ranks->waited = 0;
    return RD_OK;
}

static rd_status work(share *run, rd_report *report, rd_error *err)
{
    for (;;) {
        rd__tally mine = {{0}, {0}}, all;
        int done;
        RD_TRY(rd__ranks_take_all(run->ranks, take, run, err));
        if (run->count || run->job->part.root)
            RD_TRY(run_some(run, report, err));
        RD_TRY(rd__ranks_take_all(run->ranks, take, run, err));
        const int busy = run->count != 0;
        mine.sum[RD__QUIET_OWN] = (uint64_t)busy;
        RD_TRY(rd__quiet_step(run->ranks, &run->quiet, !busy && !run->asked, &mine, &all, &done, err));
        if (done)
            return RD_OK;
        if (!run->quiet.waiting)
            run->somebody = all.sum[RD__QUIET_OWN] != 0;
        if (busy)
            continue;
        if (!run->asked && run->somebody)
            RD_TRY(ask(run, err));
        RD_TRY(rd__ranks_pause(run->ranks, err));
    }
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
    part->root = rd_ranks_rank(run->ranks) == 0;
    return rd__array_new(&run->out, "tasks from the device", (uint64_t)ROOM * run->words, sizeof *run->out, err);
}

rd_status rd__run_share(rd_job *job, rd_report *report, rd_error *err)
{
    share run = {.job = job,
                 .ranks = job->ranks,
                 .words = job->app->forkjoin.words,
                 .random = rd__mix64(rd_ranks_rank(job->ranks) + RD_GOLDEN)};
    rd__tally mine = {{0}, {0}}, all;
    rd_status status = make(&run, err);
    if (status == RD_OK)
        status = work(&run, report, err);
    rd__array_free(run.pool);
    rd__array_free(run.out);
    mine.sum[0] = run.asks;
    mine.sum[1] = run.steals;
    mine.sum[2] = run.stolen;
    mine.sum[3] = report->sum;
    if (status == RD_OK)
        status = rd__ranks_tally(job->ranks, &mine, &all, err);
    if (status != RD_OK)
        return status;
    report->sum = all.sum[3];
    rd__measure(report, "rank_asks", (double)all.sum[0]);
    rd__measure(report, "rank_steals", (double)all.sum[1]);
    rd__measure(report, "rank_stolen", (double)all.sum[2]);
    return RD_OK;
}
