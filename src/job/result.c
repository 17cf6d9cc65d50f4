/* SPDX-License-Identifier: Apache-2.0 */
/* result.c - what comes after a run: its result, what can be counted in it, the answer in words, the proof, the file.
 */
#include "apps/common/arrays.h"
#include "apps/common/called.h"
#include "job/job.h"
#include "job/ranks.h"

#include <stdio.h>
#include <string.h>

/* After a run that was not started the result may still be on the device. */
static rd_status look_at_result(rd_job *job, rd_result *result, rd_error *err)
{
    rd__turn turn = {0};
    if (!job->fetched)
        rd__job_claim(job, &turn);
    const rd_status status = rd__app_result(job, result, err);
    rd__job_unclaim(&turn);
    return status;
}

rd_status rd_job_result(rd_job *job, rd_result *result, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_result", err));
    if (!result)
        return rd__fail(err, RD_EARG, "rd_job_result needs a place for the result");
    if (!job->has_run)
        return rd__fail(err, RD_EARG, "there is no result: %s has not been run, or the last run failed",
                        job->app->info.name);
    RD_TRY(look_at_result(job, result, err));
    if (rd__job_in_parts(job) && job->graph)
        result->count = job->graph->part->own; /* ghosts are others' */
    return RD_OK;
}

/* Counts in the result, once after a run. */
static void measure(rd_job *job, const rd_result *result)
{
    if (job->app->measure && !job->measured && !rd__job_in_parts(job))
        job->app->measure(job, result, &job->last);
    job->measured = 1;
}

rd_status rd_job_measure(rd_job *job, rd_report *report, rd_error *err)
{
    rd_result result;
    if (!report)
        return rd__fail(err, RD_EARG, "rd_job_measure needs the report to add to");
    RD_TRY(rd_job_result(job, &result, err));
    measure(job, &result);
    report->reached = job->last.reached;
    report->measures = job->last.measures;
    memcpy(report->measure, job->last.measure, sizeof report->measure);
    return RD_OK;
}

rd_status rd_job_answer(rd_job *job, const char **text, rd_error *err)
{
    rd_result result;
    if (!text)
        return rd__fail(err, RD_EARG, "rd_job_answer needs a place for the text");
    *text = "";
    RD_TRY(rd_job_result(job, &result, err));
    if (rd__job_answer_parts(job, job->answer, sizeof job->answer)) {
        *text = job->answer;
        return RD_OK;
    }
    measure(job, &result);
    if (job->app->answer)
        job->app->answer(job, &result, job->answer, sizeof job->answer);
    else
        snprintf(job->answer, sizeof job->answer, "%s: %llu values", result.name, (unsigned long long)result.count);
    *text = job->answer;
    return RD_OK;
}

rd_status rd_job_check(rd_job *job, rd_error *err)
{
    rd_result result;
    RD_TRY(rd__job_ask(job, "rd_job_check", err));
    if (!job->has_run)
        return rd__fail(err, RD_EARG, "there is nothing to check: %s has not been run, or the last run failed",
                        job->app->info.name);
    RD_TRY(look_at_result(job, &result, err));
    const rd__calling before = rd__call_by((rd__calling){job->graph, 0});
    const rd_status status =
        rd__job_in_parts(job) ? rd__job_check_parts(job, &result, err) : job->app->check(job, &result, err);
    (void)rd__call_by(before);
    return status;
}

rd_status rd_job_save(rd_job *job, const char *path, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_save", err));
    if (!job->app->save || !path)
        return rd__fail(err, RD_EARG, path ? "results of %s have no file form: use rd_job_result" : "%s: no file named",
                        job->app->info.name);
    if (!job->has_run)
        return rd__fail(err, RD_EARG, "there is no result: %s has not been run, or the last run failed",
                        job->app->info.name);
    rd_result result;
    RD_TRY(look_at_result(job, &result, err));
    return job->app->save(job, path, err);
}
