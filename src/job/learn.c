/* SPDX-License-Identifier: Apache-2.0 */
/*
 * learn.c - the rule by which a job learns from its runs.
 *
 * Only what was measured counts: another configuration is used when it was faster, by GAIN, in each of PROOF runs in a
 * row. What is slower once is out. So a configuration is left at most twice, and a job cannot go to and fro.
 *
 * Trying is bounded twice. One run: a configuration on trial gets as long as the usual one takes, the first time WARM
 * of that, since its memory is new; then it cannot win any more, is stopped, and the usual one runs. With MAKE, no run
 * takes longer than 1 + WARM + MAKE of the usual ones. All runs: trying has taken at most a share of the time so far, a
 * greater one where the counters speak for a configuration.
 */
#include "job/learn.h"

enum { KNOWN = 3, PROOF = 2, MANY_ROUNDS = 64, SHORT_ROUND = 1024 };
static const double gain = 0.1, warm = 1.25, make = 0.5;
static const double hinted_share = 0.5, other_share = 0.125, eager_share = 1;
static const double least_seconds = 200e-6; /* of runs from which there is anything to be gained */
static const double overwork = 1.5, much_slower = 1.25;

double rd__learn_usual(const rd__tried *tried)
{
    double sorted[RD__LEARN_RECENT];
    const uint32_t n = tried->runs < RD__LEARN_RECENT ? tried->runs : RD__LEARN_RECENT;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t at = i;
        for (; at && sorted[at - 1] > tried->recent[i]; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = tried->recent[i];
    }
    return n == 0 ? 0 : n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

uint32_t rd__learn_count_tried(const rd__learned *known)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < known->count; i++)
        count += i != known->used && (known->tried[i].warm || known->tried[i].out);
    return count;
}

rd__learn_hint rd__learn_hint_of(const rd_report *report, int in_rounds)
{
    const double lanes = (double)report->groups * report->lanes;
    if (in_rounds)
        return report->rounds >= MANY_ROUNDS && (double)report->tasks < SHORT_ROUND * lanes * (double)report->rounds
                   ? RD__HINT_NO_ROUNDS
                   : RD__HINT_NONE;
    return report->tasks_needed && (double)report->tasks > overwork * (double)report->tasks_needed ? RD__HINT_ROUNDS
                                                                                                   : RD__HINT_NONE;
}

/* May `which` be tried now, when the one that is used usually takes so long? */
static int may_try(const rd__learned *known, uint32_t which, rd__learn_mode mode, double usual)
{
    const rd__tried *tried = &known->tried[which];
    const double share = mode == RD__LEARN_EAGER ? eager_share : tried->hinted ? hinted_share : other_share;
    const double make_s = mode == RD__LEARN_EAGER ? 0 : known->make_s;
    return which != known->used && !tried->out && tried->runs == 0 &&
           (mode == RD__LEARN_EAGER || usual >= least_seconds) && make_s <= make * usual &&
           known->spent + warm * usual + make_s <= share * known->seconds;
}

rd__learn_step rd__learn_next(const rd__learned *known, rd__learn_mode mode)
{
    const rd__tried *used = &known->tried[known->used];
    const double usual = rd__learn_usual(used);
    rd__learn_step step = {known->used, 0};
    if (mode == RD__LEARN_OFF || used->runs < KNOWN)
        return step;
    step.which = known->tested;
    for (int hinted = 1; hinted >= 0 && step.which == known->used; hinted--)
        for (uint32_t i = 0; i < known->count && step.which == known->used; i++)
            if (known->tried[i].hinted == hinted && may_try(known, i, mode, usual))
                step.which = i;
    if (step.which != known->used)
        step.budget = known->tried[step.which].warm ? usual : warm * usual;
    return step;
}

static void keep_seconds(rd__tried *tried, double seconds)
{
    tried->recent[tried->runs % RD__LEARN_RECENT] = seconds;
    tried->runs++;
    tried->warm = 1;
}

/* The one that is used has become much slower than another one was: the graph's part that is searched is another, or
 * the machine is. Which of the two are to be compared anew, once. */
static void look_back(rd__learned *known)
{
    const rd__tried *used = &known->tried[known->used];
    if (used->runs < RD__LEARN_RECENT)
        return;
    for (uint32_t i = 0; i < known->count; i++) {
        rd__tried *other = &known->tried[i];
        if (i != known->used && other->runs && !other->out && !other->asked_back &&
            rd__learn_usual(used) > much_slower * rd__learn_usual(other)) {
            other->runs = 0;
            other->asked_back = other->hinted = 1;
        }
    }
}

rd__learn_event rd__learn_note(rd__learned *known, uint32_t which, double seconds, int finished)
{
    rd__tried *tried = &known->tried[which];
    const double usual = rd__learn_usual(&known->tried[known->used]);
    known->seconds += seconds;
    if (which == known->used) {
        keep_seconds(tried, seconds);
        look_back(known);
        return RD__LEARN_SAME;
    }
    const int begins = known->tested != which;
    known->spent += !finished ? seconds : seconds > usual ? seconds - usual : 0;
    known->tested = which;
    if (finished && !tried->warm) { /* its memory was new: this one does not count */
        tried->warm = 1;
        return RD__LEARN_TRIES;
    }
    if (!finished || seconds > (1 - gain) * usual) {
        tried->out = 1;
        known->tested = known->used;
        return RD__LEARN_DROPS;
    }
    keep_seconds(tried, seconds);
    if (tried->runs < PROOF)
        return begins ? RD__LEARN_TRIES : RD__LEARN_SAME;
    known->used = which;
    return RD__LEARN_TAKES;
}
