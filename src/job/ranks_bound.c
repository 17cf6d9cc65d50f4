/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_bound.c - ranked tasks over several ranks (knapsack), which they give each other: trade.c. The app has them in
 * memory of its own, and says how they are taken out and put in: rd__app_bound in app.h. The best value that any rank
 * has found travels in the waves that look for the end, so each rank hears of it some milliseconds later; a rank that
 * has not heard yet does work that is not needed, and nothing wrong.
 */
#include "job/trade.h"

static const rd__app_bound *bound_of(const rd_job *job)
{
    return job->app->ranks->bound;
}

static int is_busy(void *user)
{
    return bound_of(user)->count(user) != 0;
}

static rd_status run_some(void *user, rd_report *report, rd_error *err)
{
    return bound_of(user)->run(user, rd__job_slice, report, err);
}

static rd_status give(void *user, double part, uint64_t most, rd__deal *batch, rd_error *err)
{
    (void)part; /* which are worth how much nobody knows: half of the best */
    return bound_of(user)->give(user, most, &batch->data, &batch->bytes, err);
}

static rd_status take(void *user, const void *data, uint64_t bytes, rd_error *err)
{
    return bound_of(user)->take(user, data, bytes, err);
}

static rd_status offer(void *user, uint64_t *value, rd_error *err)
{
    (void)err;
    *value = bound_of(user)->best(user);
    return RD_OK;
}

static rd_status hear(void *user, uint64_t highest, rd_error *err)
{
    return bound_of(user)->hear(user, highest, err);
}

static rd_status freeze(void *user, rd__freeze *freeze, rd_error *err)
{
    return bound_of(user)->freeze(user, freeze, err);
}

rd_status rd__run_bound(rd_job *job, rd_report *report, rd_error *err)
{
    const rd__trader trader = {.user = job,
                               .busy = is_busy,
                               .run = run_some,
                               .give = give,
                               .take = take,
                               .offer = offer,
                               .hear = hear,
                               .freeze = freeze};
    RD_TRY(bound_of(job)->begin(job, rd_ranks_rank(job->ranks) == rd__ranks_first(job->ranks), err));
    RD_TRY(rd__trade(job, &trader, report, err));
    return bound_of(job)->end(job, report, err);
}
