/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remember.c - what a job learned in its runs, used for the next one on the same input: which schedulers and launches
 * it could run under, what was seen of each, and what it changed by itself. learn.c has the rule.
 *
 * While a configuration is on trial, what the usual one has on the device stays there: it is needed again if the trial
 * ends early, at once and without compiling.
 */
#include "job/job.h"

#include "core/memory.h"
#include "core/text.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

/* ---- What it changed ---- */

void rd__job_log(rd_job *job, const rd_switch *entry)
{
    rd__memory *memory = job->memory;
    memory->log[memory->logged % RD__LOG_MOST] = *entry;
    memory->logged++;
}

rd_status rd_job_switches(rd_job *job, rd_switch *list, size_t room, size_t *count, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_switches", err));
    if (!count || (room && !list))
        return rd__fail(err, RD_EARG, "rd_job_switches needs a list and a place for its length");
    const rd__memory *memory = job->memory;
    const uint64_t kept = memory->logged < RD__LOG_MOST ? memory->logged : RD__LOG_MOST;
    const uint64_t some = kept < room ? kept : room;
    for (uint64_t i = 0; i < some; i++)
        list[i] = memory->log[(memory->logged - some + i) % RD__LOG_MOST];
    *count = (size_t)some;
    return RD_OK;
}

/* ---- What it could run under ---- */

void rd__job_forget(rd_job *job)
{
    if (job->memory->learned.count)
        job->ready = 0; /* the rule decides again */
    job->memory->learned = (rd__learned){0};
}

static void list_one(rd_job *job, const rd__engine *engine, const char *launch)
{
    rd__memory *memory = job->memory;
    uint32_t *count = &memory->learned.count;
    if ((engine != job->engine || launch != job->launch) && *count < RD__LEARN_MOST &&
        rd__choice_is_open(job, engine, launch))
        memory->item[(*count)++] = (rd__configuration){engine, launch};
}

/* The one that ran is the first; then each engine with the launch that it would get by itself, then other launches. */
static void list_all(rd_job *job)
{
    rd__memory *memory = job->memory;
    memory->learned = (rd__learned){.count = 1};
    memory->item[0] = (rd__configuration){job->engine, job->launch};
    for (int usual = 1; usual >= 0; usual--)
        for (const rd__engine *const *engine = rd__app_engines(job->app); *engine; engine++)
            for (const char *const *launch = (*engine)->policy->launches; *launch; launch++)
                if ((*launch == rd__choice_launch(job, *engine)) == usual)
                    list_one(job, *engine, *launch);
}

/* Marks what the counters of the run speak for: of each such engine the launch that it would get by itself. */
static void hint(rd_job *job, const rd_report *report)
{
    rd__memory *memory = job->memory;
    const int in_rounds = rd__job_in_rounds(job);
    const rd__learn_hint kind = rd__learn_hint_of(report, in_rounds);
    if (kind == RD__HINT_NONE)
        return;
    for (uint32_t i = 0; i < memory->learned.count; i++) {
        const rd__engine *engine = memory->item[i].engine;
        const int wanted = ((engine->is & RD__ENGINE_ROUNDS) != 0) == (kind == RD__HINT_ROUNDS);
        if (wanted && memory->item[i].launch == rd__choice_launch(job, engine))
            memory->learned.tried[i].hinted = 1;
    }
}

/* ---- One in place of another ---- */

static void drop(rd_job *job, rd__spare *spare)
{
    if (!spare->state)
        return;
    rd__turn turn;
    rd__job_claim(job, &turn);
    const uint64_t before = rd__buffer_balance();
    spare->is.engine->destroy(spare->state);
    job->allocated -= before - rd__buffer_balance();
    rd__job_unclaim(&turn);
    spare->state = NULL;
}

void rd__job_drop_spare(rd_job *job)
{
    drop(job, &job->memory->spare);
}

void rd__job_drop_other(rd_job *job)
{
    drop(job, &job->memory->other);
}

/* What the present one has is kept; what the other one has, if anything, is taken up. */
static void exchange(rd_job *job, const rd__configuration *other)
{
    rd__spare *spare = &job->memory->spare;
    if (other->engine == job->engine && other->launch == job->launch)
        return;
    const int kept = spare->state && spare->is.engine == other->engine && spare->is.launch == other->launch;
    if (!kept)
        rd__job_drop_spare(job);
    const rd__spare present = {{job->engine, job->launch}, job->sched_state};
    job->engine = other->engine;
    job->launch = other->launch;
    job->sched_state = kept ? spare->state : NULL;
    *spare = present;
    job->ready = 0; /* what is there is found there */
}

int rd__choose_learned(rd_job *job)
{
    rd__memory *memory = job->memory;
    const rd__learned *learned = &memory->learned;
    char ms[32];
    if (!learned->count)
        return 0;
    const rd__configuration *item = &memory->item[memory->now];
    const double usual = rd__learn_usual(&learned->tried[learned->used]);
    exchange(job, item);
    rd__snprintf(job->why, sizeof job->why,
                 "scheduler %s, launch %s: %s (a run takes %s, and %u of %u others were tried)",
                 item->engine->policy->name, item->launch,
                 memory->now != learned->used ? "it is tried for one run"
                 : memory->now                ? "it was faster in earlier runs of this job"
                                              : "as before, no other was faster",
                 rd_format_seconds(usual, ms, sizeof ms), rd__learn_count_tried(learned), learned->count - 1);
    return 1;
}

/* ---- A run ---- */

/* Where others share the device, or someone watches, times tell little. */
static int may_learn(const rd_job *job)
{
    return job->learn != RD__LEARN_OFF && job->app->alike && !job->asked_engine && !rd__job_in_parts(job) &&
           !job->shares && !job->turn && !job->frozen && !job->trace_path && job->app->alike(job);
}

/* Runs that searched much more or less than the others are not to be compared with them. */
static int is_comparable(const rd_job *job, const rd_report *report)
{
    const double work = (double)report->tasks_needed, usual = job->memory->work;
    return work <= 2 * usual && usual <= 2 * work;
}

static void log_event(rd_job *job, rd__learn_event event, uint32_t from, uint32_t to, double seconds, int finished)
{
    const rd__memory *memory = job->memory;
    const rd__learned *learned = &memory->learned;
    const int hinted = learned->tried[to].hinted && !learned->tried[to].asked_back;
    rd_switch entry = {.run = memory->runs,
                       .from_sched = memory->item[from].engine->policy->name,
                       .from_launch = memory->item[from].launch,
                       .to_sched = memory->item[to].engine->policy->name,
                       .to_launch = memory->item[to].launch,
                       .from_s = rd__learn_usual(&learned->tried[from]),
                       .to_s = seconds};
    if (event == RD__LEARN_SAME)
        return;
    entry.kind = event == RD__LEARN_TRIES ? "tries" : event == RD__LEARN_TAKES ? "takes" : "drops";
    entry.reason = event == RD__LEARN_TAKES ? "it was faster each time"
                   : event == RD__LEARN_DROPS
                       ? finished ? "it was not faster" : "it was not done when the other would have been"
                   : !hinted ? "it may be faster, and runs have paid for a try"
                   : (memory->item[to].engine->is & RD__ENGINE_ROUNDS) ? "without rounds much was done twice"
                                                                       : "rounds were short and many";
    rd__job_log(job, &entry);
}

static void note(rd_job *job, double seconds, int finished)
{
    rd__learned *learned = &job->memory->learned;
    const uint32_t from = learned->used, to = job->memory->now;
    const rd__learn_event event = rd__learn_note(learned, to, seconds, finished);
    log_event(job, event, from, to, seconds, finished);
    if (event == RD__LEARN_TAKES || event == RD__LEARN_DROPS)
        job->memory->settle = 1;
}

/* By the device's clock: what comes before and after is the same for all, and would only add noise. */
static void note_run(rd_job *job, const rd_report *report)
{
    rd__learned *learned = &job->memory->learned;
    if (!learned->count) {
        list_all(job);
        job->memory->now = 0;
        job->memory->work = (double)report->tasks_needed;
    }
    if (job->compile_s > learned->make_s)
        learned->make_s = job->compile_s;
    if (!is_comparable(job, report)) {
        learned->seconds += report->kernel_s;
        return;
    }
    if (job->memory->now == learned->used)
        hint(job, report);
    note(job, report->kernel_s, 1);
}

/* A trial that came to no end in its time, or could not be made ready. One that did not leave when it was asked to may
 * still be on the device: that is no trial any more. */
static int is_trial_over(const rd_job *job, rd_status status, double budget, double seconds)
{
    const double grace = job->device->grace_seconds;
    return budget > 0 && (status == RD_ENOMEM || status == RD_EARG ||
                          (status == RD_ETIMEOUT && (grace <= 0 || seconds - job->compile_s < budget + grace)));
}

static rd_status run_as(rd_job *job, uint32_t which, double budget, rd_report *report, rd_error *err)
{
    if (job->memory->now != which) {
        job->memory->now = which;
        job->ready = 0; /* rd__choose takes it up */
    }
    job->budget = budget;
    const rd_status status = rd__job_run_once(job, report, err);
    job->budget = 0;
    return status;
}

/* A user's own limit is not to be met because something was tried before. */
static double patience(const rd_job *job)
{
    return job->timeout > 0 ? job->timeout / 4 : 1e9;
}

rd_status rd__job_run_learning(rd_job *job, rd_report *report, rd_error *err)
{
    rd__learned *learned = &job->memory->learned;
    job->memory->runs++;
    if (!may_learn(job)) {
        rd__job_forget(job);
        return rd__job_run_patiently(job, report, err);
    }
    if (job->memory->settle && job->memory->now == learned->used) {
        rd__job_drop_spare(job);
        job->memory->settle = 0;
    }
    if (!learned->count) {
        RD_TRY(rd__job_run_once(job, report, err));
        note_run(job, report);
        return RD_OK;
    }
    rd__learn_step step = rd__learn_next(learned, job->learn);
    if (step.budget > patience(job))
        step = (rd__learn_step){learned->used, 0};
    const double began = rd_now();
    rd_error own = {.status = RD_OK};
    rd_status status = run_as(job, step.which, step.budget, report, step.budget > 0 ? &own : err);
    const double tried_s = rd_now() - began;
    const int over = status != RD_OK && is_trial_over(job, status, step.budget, tried_s);
    if (over) {
        note(job, tried_s, 0);
        *report = (rd_report){0};
        status = run_as(job, learned->used, 0, report, err);
    } else if (status != RD_OK && step.budget > 0) {
        return rd__fail(err, status, "%s", own.text);
    }
    if (status != RD_OK)
        return status;
    note_run(job, report);
    if (over)
        rd__measure(report, "tried_s", tried_s);
    return RD_OK;
}
