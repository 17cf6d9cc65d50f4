/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hand.c - a run that changes its engine on the way. Rounds that have become narrow, and stay so, keep few workers busy
 * and cost a barrier each; tasks without rounds do not. So the engine with rounds is asked to leave then, between two
 * rounds; what waits becomes the seeds of another engine, and the app's arrays stay as they are. The app says whether
 * that is right (`moves`), the engine whether it can (hand_over); neither knows the other.
 *
 * There is no way back within a run: without rounds words may still be corrected at any time, and rounds rely on what
 * earlier ones settled. The next stage, or the next run, begins in rounds again.
 */
#include "job/job.h"

#include "device/promise.h"
#include "raddle/tool.h"

#include <string.h>

/* On a few cores a barrier takes as long as some hundred tasks. Fewer than NARROW_TASKS in each of NARROW_ROUNDS;
 * where no task is run twice in whatever order, and nothing can be lost by it, in FEW_ROUNDS. */
enum { NARROW_ROUNDS = 32, NARROW_TASKS = 2048, FEW_ROUNDS = 6 };

void rd__hand_rule(rd__hands hands, int is_measured_to_win, rd__moves moves, rd__sched_job *view)
{
    if (moves == RD__MOVES_NEVER || hands == RD__HANDS_OFF || (hands == RD__HANDS_AUTO && !is_measured_to_win))
        return;
    view->leave_rounds = moves == RD__MOVES_LATE ? NARROW_ROUNDS : FEW_ROUNDS;
    view->leave_tasks = NARROW_TASKS;
    view->leave_late = moves == RD__MOVES_LATE;
}

static const char *launch_of(const rd_job *job, const rd__engine *engine)
{
    return job->asked_launch ? rd__policy_launch(engine->policy, job->asked_launch) : rd__choice_launch(job, engine);
}

/* The first one without rounds that the job could run under. */
static const rd__engine *other_engine(const rd_job *job)
{
    for (const rd__engine *const *engine = rd__app_engines(job->app); *engine; engine++)
        if (!((*engine)->is & RD__ENGINE_ROUNDS) && (*engine)->model == job->engine->model && launch_of(job, *engine) &&
            rd__choice_is_open(job, *engine, launch_of(job, *engine)))
            return *engine;
    return NULL;
}

/* Where it was measured to win: on a few cores, when tasks do not wait for launches. */
static int is_measured(const rd_job *job, const rd__engine *other)
{
    return job->device && job->device->caps.cores && strcmp(launch_of(job, other), "persistent") == 0;
}

void rd__hand_limits(const rd_job *job, rd__sched_job *view)
{
    const int alone = !job->shares && !job->turn && !job->frozen && !rd__job_in_parts(job);
    if (!job->engine->hand_over || !alone || job->asked_engine || !job->graph || !job->app->alike ||
        !job->app->alike(job))
        return;
    const rd__engine *other = other_engine(job);
    if (other)
        rd__hand_rule(job->hands, is_measured(job, other), job->app->moves, view);
}

/* Makes what the other engine needs, the first time. The job is as if it ran under that one. */
static rd_status make_ready(rd_job *job, const rd__sched_job *view, rd_report *report, rd_error *err)
{
    rd__spare *other = &job->memory->other;
    if (other->state)
        return RD_OK;
    const double began = rd_now();
    if (view->persistent)
        RD_TRY(rd__device_may_persist(job->device, err));
    RD_TRY(job->engine->create(view, &other->state, err));
    other->is = (rd__configuration){job->engine, job->launch};
    report->compile_s += rd_now() - began;
    return RD_OK;
}

/* The other engine, from the seeds; then the job is as it was. *made: 0 when it could not be made ready. */
static rd_status go_on(rd_job *job, double deadline, const rd__seeds *seeds, rd_report *report, int *made,
                       rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    const rd__configuration usual = {job->engine, job->launch};
    job->engine = other_engine(job);
    job->launch = launch_of(job, job->engine);
    rd__sched_job view = rd__job_view(job, args);
    view.deadline = deadline;
    rd_status status = make_ready(job, &view, report, err);
    *made = status == RD_OK;
    if (*made)
        rd__trace_stage(job);
    if (status == RD_OK)
        status = job->engine->run(job->memory->other.state, &view, seeds, report, err);
    job->engine = usual.engine;
    job->launch = usual.launch;
    return status;
}

static void tell(rd_job *job, double before, double after)
{
    const rd__configuration *to = &job->memory->other.is;
    const rd_switch entry = {.run = job->memory->runs,
                             .in_run = 1,
                             .kind = "hands over to",
                             .from_sched = job->engine->policy->name,
                             .from_launch = job->launch,
                             .to_sched = to->engine->policy->name,
                             .to_launch = to->launch,
                             .from_s = before,
                             .to_s = after,
                             .reason = "rounds have become narrow"};
    rd__job_log(job, &entry);
}

/* Where the other engine cannot be had, rounds go on. Their counters are of the whole run. */
static rd_status go_back(rd_job *job, const rd__sched_job *view, rd_report *report, rd_error *err)
{
    rd__sched_job again = *view;
    const double before = report->kernel_s;
    again.leave_rounds = 0;
    again.resumes = 1;
    report->measures = 0;
    RD_TRY(job->engine->run(job->sched_state, &again, &(rd__seeds){0}, report, err));
    report->kernel_s += before;
    return RD_OK;
}

rd_status rd__job_run_engine(rd_job *job, const rd__sched_job *view, const rd__seeds *seeds, rd_report *report,
                             rd_error *err)
{
    rd__seeds rest = {0};
    rd_report later = {0};
    int made = 0;
    RD_TRY(job->engine->run(job->sched_state, view, seeds, report, err));
    if (!view->leave_rounds)
        return RD_OK;
    const double began = rd_now(), before = report->kernel_s;
    job->engine->hand_over(job->sched_state, &rest);
    if (!rest.count)
        return RD_OK;
    rd_error own = {.status = RD_OK};
    const rd_status status = go_on(job, view->deadline, &rest, &later, &made, &own);
    if (!made && (status == RD_ENOMEM || status == RD_EARG))
        return go_back(job, view, report, err);
    if (status != RD_OK)
        return rd__fail(err, status, "%s", own.text);
    later.kernel_s = rd_now() - began - later.compile_s; /* with the way from one to the other */
    job->compile_s += later.compile_s;
    rd__report_add(report, &later);
    rd__measure(report, "tasks_handed_over", rest.count);
    tell(job, before, later.kernel_s);
    return RD_OK;
}
