/* SPDX-License-Identifier: Apache-2.0 */
/* bind.c - arrays of an app by their names: memory of the caller's in place of them, and a look at any of them. */
#include "job/job.h"

rd_status rd_job_bind(rd_job *job, const char *array, void *data, uint64_t count, rd_bind how, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_bind", err));
    if (!array || !job->app->bind)
        return rd__fail(err, RD_EARG, array ? "%s has no arrays that can be bound" : "rd_job_bind of %s needs a name",
                        job->app->info.name);
    RD_TRY(job->app->bind(job, array, data, count, (uint32_t)how, err));
    rd__job_forget(job);
    rd__job_release(job); /* buffers may lie in what was bound before */
    return RD_OK;
}

rd_status rd_job_read(rd_job *job, const char *array, rd_result *result, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_read", err));
    if (!array || !result)
        return rd__fail(err, RD_EARG, "rd_job_read needs a name and a place for the result");
    if (!job->app->read)
        return rd__fail(err, RD_EARG, "%s has no arrays that can be read by name: use rd_job_result",
                        job->app->info.name);
    if (!job->has_run)
        return rd__fail(err, RD_EARG, "there is no result: %s has not been run, or the last run failed",
                        job->app->info.name);
    rd__turn turn;
    rd__job_claim(job, &turn);
    const rd_status status = job->app->read(job, array, result, err);
    rd__job_unclaim(&turn);
    return status;
}
