/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trade.c - tasks over several ranks: random work stealing between ranks, in batches (R. Blumofe and C. Leiserson,
 * 1999; J. Dinan and others, "Scalable work stealing", SC 2009).
 *
 * A rank runs the tasks that it has for a while. Between two whiles it answers others. A rank without tasks asks a
 * random one; who is asked gives about half of what it has, or where their devices differ as much as the shares of the
 * two say (ranks/shares.c), or says no. Ranks whose share is 0 do not ask.
 *
 * The end (ranks/quiet.c). Batches of tasks are counted; questions and refusals are not. A rank is idle when it has no
 * task and waits for no answer. Whether somebody has tasks is part of every wave, in which ranks at work take part
 * between whiles; a rank asks only while the last wave said so. So when the last task is done, the next wave says no,
 * nobody asks any more, answers come in, all are idle; and when two waves have found it quiet no question is under way.
 *
 * Checkpoints. Rank 0 says in a wave that it is time. All see the result of the same wave, and from then on run
 * nothing and ask nobody; what was asked is answered, with no. Then a rank is idle, in the sense of ranks/quiet.c, as
 * soon as it waits for no answer, whether it has tasks or not: nothing but a message makes it do anything. So the same
 * two waves find the time at which no batch is under way and every task is some rank's: the cut.
 */
#include "job/trade.h"

#include "core/hash.h"
#include "core/memory.h"
#include "job/checkpoint.h"

#include <string.h>

enum { SUM_BUSY = RD__QUIET_OWN, SUM_DUE };

typedef struct trade {
    const rd__trader *trader;
    rd_job *job;
    rd_ranks *ranks;
    int asks_at_all; /* there are others, and this rank is to take tasks of theirs */
    int asked;       /* and no answer yet */
    int somebody;    /* the last wave said that a rank has tasks */
    int halts;       /* and that a checkpoint is to be written */
    uint64_t random;
    rd__quiet quiet;
    uint64_t asks, batches;
} trade;

static rd_status give(trade *run, uint32_t to, rd_error *err)
{
    const uint32_t no = 0;
    rd__deal batch = {NULL, 0};
    const double own = rd_ranks_get_share(run->ranks, rd_ranks_rank(run->ranks));
    const double other = rd_ranks_get_share(run->ranks, to); /* who asks has one */
    if (!run->halts)
        RD_TRY(run->trader->give(run->trader->user, other / (own + other), rd__ranks_message(run->ranks), &batch, err));
    if (!batch.bytes)
        return rd__ranks_send(run->ranks, to, RD__MESSAGE_ASK, &no, sizeof no, err);
    run->quiet.sent++;
    const rd_status status = rd__ranks_send(run->ranks, to, RD__MESSAGE_WORK, batch.data, batch.bytes, err);
    rd__array_free(batch.data);
    return status;
}

/* A question is 1, a refusal 0. */
static rd_status take(void *user, const rd__message *message, rd_error *err)
{
    trade *run = user;
    uint32_t word = 2;
    if (message->kind == RD__MESSAGE_WORK) {
        run->quiet.received++;
        run->asked = 0;
        run->batches++;
        rd_error why = {.status = RD_OK};
        const rd_status status = run->trader->take(run->trader->user, message->data, message->bytes, &why);
        return status == RD_OK ? RD_OK : rd__fail(err, status, "tasks from rank %u: %s", message->from, why.text);
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

static rd_status ask(trade *run, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(run->ranks), yes = 1;
    run->random = rd__mix64(run->random + RD_GOLDEN);
    const uint32_t other = (uint32_t)(run->random % (ranks - 1)), to = other + (other >= rd_ranks_rank(run->ranks));
    run->asked = 1;
    run->asks++;
    return rd__ranks_send(run->ranks, to, RD__MESSAGE_ASK, &yes, sizeof yes, err);
}

/* Takes part in a wave. *done as of rd__quiet_step. */
static rd_status step(trade *run, int busy, int *done, rd_error *err)
{
    const rd__trader *trader = run->trader;
    rd__tally mine = {{0}, {0}}, all = {{0}, {0}};
    mine.sum[SUM_BUSY] = (uint64_t)busy;
    mine.sum[SUM_DUE] = rd__checkpoint_due(run->job);
    if (trader->offer)
        RD_TRY(trader->offer(trader->user, &mine.most[0], err));
    RD_TRY(rd__quiet_step(run->ranks, &run->quiet, (run->halts || !busy) && !run->asked, &mine, &all, done, err));
    if (run->quiet.waiting)
        return RD_OK;
    run->somebody = all.sum[SUM_BUSY] != 0;
    run->halts |= all.sum[SUM_DUE] && all.sum[SUM_BUSY]; /* else it may be the end */
    return trader->hear ? trader->hear(trader->user, all.most[0], err) : RD_OK;
}

static rd_status work(trade *run, rd_report *report, rd_error *err)
{
    const rd__trader *trader = run->trader;
    for (;;) {
        int done;
        RD_TRY(rd__ranks_take_all(run->ranks, take, run, err));
        if (!run->halts && trader->busy(trader->user)) {
            RD_TRY(trader->run(trader->user, report, err));
            run->ranks->waited = 0;
        }
        RD_TRY(rd__ranks_take_all(run->ranks, take, run, err));
        const int busy = trader->busy(trader->user), halted = run->halts;
        RD_TRY(step(run, busy, &done, err));
        if (done && !halted)
            return RD_OK;
        if (done) {
            RD_TRY(rd__checkpoint_write(run->job, trader->freeze, trader->user, report, err));
            run->halts = 0;
        }
        if (busy && !run->halts)
            continue;
        if (!run->asked && run->somebody && !run->halts && run->asks_at_all)
            RD_TRY(ask(run, err));
        RD_TRY(rd__ranks_pause(run->ranks, err));
    }
}

rd_status rd__trade(rd_job *job, const rd__trader *trader, rd_report *report, rd_error *err)
{
    const uint32_t rank = rd_ranks_rank(job->ranks);
    trade run = {.trader = trader,
                 .job = job,
                 .ranks = job->ranks,
                 .asks_at_all = rd__ranks_many(job->ranks) && rd_ranks_get_share(job->ranks, rank) > 0,
                 .random = rd__mix64(rank + RD_GOLDEN)};
    rd__tally mine = {{0}, {0}}, all;
    int resumed;
    RD_TRY(rd__checkpoint_begin(job, trader->freeze, trader->user, report, &resumed, err));
    RD_TRY(work(&run, report, err));
    mine.sum[0] = run.asks;
    mine.sum[1] = job->part.batches = run.batches;
    RD_TRY(rd__ranks_tally(job->ranks, &mine, &all, err));
    rd__measure(report, "rank_asks", (double)all.sum[0]);
    rd__measure(report, "rank_steals", (double)all.sum[1]);
    return RD_OK;
}
