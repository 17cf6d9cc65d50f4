/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c - is this run an execution? Shares with the search only the making of a step. */
#include "fairness/witness.h"

#include <string.h>

static rd_status wrong(rd_error *err, uint32_t step, const char *what)
{
    return rd__fail(err, RD_EWRONG, "step %u of the run: %s", step, what);
}

rd_status rd_fairness_replay(const rd_fairness *m, const rd_fairness_run *run, const char *scheduler, rd_error *err)
{
    uint8_t state[FAIR_STATE], home[FAIR_STATE] = {0};
    char text[sizeof run->step->state];
    fair_fault fault;
    uint32_t executing = 0;
    if (!m || !run)
        return rd__fail(err, RD_EARG, "rd_fairness_replay: model and run are needed");
    rd__fair_first(m, state, &fault);
    for (uint32_t i = 0; i < run->steps; i++) {
        const rd_fairness_step *step = &run->step[i];
        if (i == run->prefix)
            memcpy(home, state, sizeof home);
        executing |= i >= run->prefix ? 1u << step->thread : 0;
        if (step->thread >= m->threads || !(fair_enabled(m, state) >> step->thread & 1))
            return wrong(err, i, "the thread is at its end");
        if (!rd__fair_step(m, state, step->thread, &fault) && (i + 1 < run->steps || run->prefix < run->steps))
            return wrong(err, i, "a fault in the middle");
        rd__fair_state_text(m, state, text, sizeof text);
        if (strcmp(text, step->state) != 0)
            return wrong(err, i, "another state");
    }
    if (run->prefix >= run->steps)
        return RD_OK;
    if (memcmp(home, state, sizeof home) != 0)
        return wrong(err, run->steps, "the circle does not close");
    if (scheduler) {
        fair_criterion criterion;
        RD_TRY(rd__fair_criterion(&criterion, scheduler, err));
        if (rd__fair_promised(&criterion, m->threads, fair_enabled(m, state), fair_started(m, state)) & ~executing)
            return wrong(err, run->steps, "a thread that the scheduler promises to run has no step in the circle");
    }
    return RD_OK;
}
