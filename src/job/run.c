/* SPDX-License-Identifier: Apache-2.0 */
/* run.c - a run of a job: its stages one after another, what they report, and whose the device is meanwhile. */
#include "job/job.h"
#include "job/ranks.h"

#include "apps/common/arrays.h"
#include "device/promise.h"
#include "raddle/tool.h"

#include <string.h>

void rd__report_add(rd_report *sum, const rd_report *stage)
{
    sum->kernel_s += stage->kernel_s;
    sum->tasks += stage->tasks;
    sum->edges += stage->edges;
    sum->rounds += stage->rounds;
    sum->launches += stage->launches;
    sum->pulled += stage->pulled;
    sum->tasks_needed += stage->tasks_needed;
    sum->reservations += stage->reservations;
    sum->empty_polls += stage->empty_polls;
    sum->sum += stage->sum;
    sum->groups = stage->groups > sum->groups ? stage->groups : sum->groups;
    sum->lanes = stage->lanes;
    for (uint32_t i = 0; i < stage->measures; i++) {
        uint32_t k = 0;
        while (k < sum->measures && strcmp(sum->measure[k].name, stage->measure[i].name) != 0)
            k++;
        if (k == sum->measures)
            rd__measure(sum, stage->measure[i].name, stage->measure[i].value);
        else
            sum->measure[k].value += stage->measure[i].value;
    }
}

/* Stages may be so short that nobody looks at the time while one runs. */
static rd_status may_start_stage(const rd__sched_job *view, const rd_report *report, rd_error *err)
{
    if (view->deadline != 0 && rd_now() >= view->deadline)
        return rd__fail(err, RD_ETIMEOUT,
                        "%s on %s: the time allowed was used up between two stages; %llu tasks had run", view->app,
                        view->device->info.name, (unsigned long long)report->tasks);
    if (view->turn)
        RD_TRY(rd__turn_pass(view->turn, 0, err));
    return rd__sched_tell(view, report->tasks, 0, "tasks", err);
}

/* One stage after another, as long as the app names seeds for another one. */
static rd_status run_stages(rd_job *job, rd__seeds *seeds, rd_report *report, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    rd__sched_job view = rd__job_view(job, args);
    const double deadline = view.deadline;
    uint32_t stages = 1;
    int more = 0;
    rd_status status = rd__job_run_engine(job, &view, seeds, report, err);
    if (!job->app->next)
        return status;
    if (status == RD_OK) {
        *seeds = (rd__seeds){0};
        status = job->app->next(job, report, seeds, &more, err);
    }
    while (status == RD_OK && more) {
        rd_report stage = {0};
        RD_TRY(may_start_stage(&view, report, err));
        rd__trace_stage(job);
        view = rd__job_view(job, args);
        view.deadline = deadline;
        view.stage = stages;
        status = rd__job_run_engine(job, &view, seeds, &stage, err);
        rd__report_add(report, &stage);
        stages++;
        more = 0;
        *seeds = (rd__seeds){0};
        if (status == RD_OK)
            status = job->app->next(job, report, seeds, &more, err);
    }
    rd__measure(report, "stages", stages);
    return status;
}

rd_status rd__job_slice(rd_job *job, const rd__seeds *seeds, rd_report *report, rd_error *err)
{
    rd__arg args[RD__APP_MAX_ARGS];
    rd_report slice = {0};
    rd__sched_job view = rd__job_view(job, args);
    view.deadline = job->ranks->deadline;
    const rd_status status = job->engine->run(job->sched_state, &view, seeds, &slice, err);
    rd__report_add(report, &slice);
    return status;
}

static rd_status run(rd_job *job, rd_report *report, rd_error *err)
{
    rd__seeds seeds = {.kind = job->app->all_seeds ? RD__SEEDS_ALL : RD__SEEDS_LIST,
                       .count = job->app->forkjoin.words != 0}; /* the kernel makes it */
    double began = rd_now();
    job->fetched = job->measured = 0;
    RD_TRY(rd__arrays_fill(job, err));
    if (job->app->start && !rd__job_in_parts(job))
        RD_TRY(job->app->start(job, &seeds, err));
    if (job->frozen)
        RD_TRY(rd__job_thaw(job, job->frozen, err));
    const rd_status status =
        rd__job_in_parts(job) ? rd__job_run_parts(job, report, err) : run_stages(job, &seeds, report, err);
    job->stopped = job->app->partial && !rd__job_in_parts(job) && (status == RD_ETIMEOUT || status == RD_ECANCELLED);
    if (status != RD_OK && !job->stopped)
        return status;
    if (job->turn) {
        report->kernel_s += job->turn->device_s;
        rd__measure(report, "passed", job->turn->passed);
        rd__measure(report, "waited_s", job->turn->waited_s);
        if (job->device->caps.lends) {
            rd__measure(report, "lent", job->turn->lendings);
            rd__measure(report, "beside", job->turn->beside);
        }
        if (job->turn->beside) {
            rd__measure(report, "gather_noticed_s", job->turn->gather.noticed);
            rd__measure(report, "gather_told_s", job->turn->gather.told);
            rd__measure(report, "gather_left_s", job->turn->gather.left);
            rd__measure(report, "gather_seen_s", job->turn->gather.seen);
            rd__measure(report, "gather_taken_s", job->turn->gather.taken);
            rd__measure(report, "gather_began_s", job->turn->gather.began);
        }
    }
    report->run_s = rd_now() - began;
    job->last = *report;
    if (job->app->finish)
        RD_TRY(job->app->finish(job, err));
    if (job->app->report && !rd__job_in_parts(job))
        job->app->report(job, report);
    job->last = *report; /* with the app's measures */
    return status;
}

rd_status rd__job_run_once(rd_job *job, rd_report *report, rd_error *err)
{
    RD_TRY(rd__job_make_ready(job, err));
    const uint64_t before = rd__buffer_balance();
    const uint32_t forced = job->device->forced;
    job->stopped = 0;
    RD_TRY(rd__trace_open(job, err));
    const rd_status status = rd__trace_close(job, run(job, report, err), report, err);
    job->allocated += rd__buffer_balance() - before; /* schedulers may need more while they run */
    if (status != RD_OK && job->device->forced != forced)
        rd__job_release(job); /* what kernels left half-way is not to be gone on with */
    return status;
}

/* As rd__job_run_once, and where the app's way takes longer than it has patience for, the other way. */
rd_status rd__job_run_patiently(rd_job *job, rd_report *report, rd_error *err)
{
    rd_error own = {.status = RD_OK};
    RD_TRY(rd__job_make_ready(job, err));
    const double patience = job->app->patience && !rd__job_in_parts(job) && !job->frozen ? job->app->patience(job) : 0;
    if (patience <= 0 || (job->timeout > 0 && job->timeout < 2 * patience))
        return rd__job_run_once(job, report, err);
    const double began = rd_now();
    job->budget = patience;
    rd_status status = rd__job_run_once(job, report, &own);
    job->budget = 0;
    if (status != RD_ETIMEOUT)
        return status == RD_OK ? RD_OK : rd__fail(err, status, "%s", own.text);
    job->app->give_up(job);
    rd__job_drop_sched(job);
    *report = (rd_report){0};
    const double tried_s = rd_now() - began;
    status = rd__job_run_once(job, report, err);
    rd__measure(report, "given_up_s", tried_s);
    report->run_s += tried_s;
    job->last = *report;
    return status;
}

rd_status rd__job_run_alone(rd_job *job, rd_report *report, rd_error *err)
{
    rd_report own = {0};
    job->has_run = 0;
    const rd_status status = rd__job_run_learning(job, &own, err);
    if (status != RD_OK && !(job->stopped && (status == RD_ETIMEOUT || status == RD_ECANCELLED)))
        return status;
    own.compile_s = job->compile_s;
    own.upload_s = job->upload_s;
    job->compile_s = job->upload_s = 0;
    own.bytes_allocated = job->allocated;
    own.sched = job->engine->policy->name;
    own.launch = job->launch;
    job->has_run = 1;
    if (report)
        *report = own;
    return status;
}

/* Before work on the job's device, and after it. */
static rd_status begin_work(rd_job *job, const char *call, rd_error *err)
{
    RD_TRY(rd__job_ask(job, call, err));
    if (!job->device)
        return rd__fail(err, RD_EARG, "this job was made without a device: it can only be planned");
    RD_TRY(rd__device_enter(job->device, err));
    __atomic_store_n(&job->running, 1, __ATOMIC_RELAXED); /* a job has one device, so whoever entered it is alone */
    return RD_OK;
}

static rd_status end_work(rd_job *job, rd_status status)
{
    __atomic_store_n(&job->running, 0, __ATOMIC_RELEASE); /* pairs with the acquire in rd__job_ask */
    return rd__device_leave(job->device, status);
}

rd_status rd_job_compile(rd_job *job, rd_error *err)
{
    RD_TRY(begin_work(job, "rd_job_compile", err));
    return end_work(job, rd__job_make_ready(job, err));
}

rd_status rd_job_run(rd_job *job, rd_report *report, rd_error *err)
{
    RD_TRY(begin_work(job, "rd_job_run", err));
    return end_work(job, rd__job_run_alone(job, report, err));
}
