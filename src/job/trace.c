/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.c - option `trace`: a line each time that the engine looks at its control words, with the seconds since the run
 * began, tasks run, tasks that wait (the frontier of the next round, the length of a queue) and tasks over those
 * needed;
 * '-' where the engine does not know. The last line is the whole run. An engine looks between launches, and more often
 * when there is a trace, but never so often that it costs much; one launch that runs to the end has the last line only.
 */
#include "job/job.h"

#include "core/text.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <stdio.h>

rd_status rd__trace_open(rd_job *job, rd_error *err)
{
    if (!job->trace_path)
        return RD_OK;
    if (job->ranks)
        return rd__fail(err, RD_EARG, "option trace: a run on several ranks has no trace");
    RD_TRY(rd_output_open(job->trace_path, RD_OUTPUT_LIVE, &job->trace, err));
    fprintf(rd_output_stream(job->trace), "seconds tasks waiting overwork\n");
    job->trace_began = rd_now();
    job->trace_before = job->trace_tasks = 0;
    return RD_OK;
}

static void write_line(rd_job *job, uint64_t tasks, uint64_t left, uint64_t needed)
{
    char seconds[32], waiting[32] = "-", overwork[32] = "-";
    rd__snprintf(seconds, sizeof seconds, "%.6f", rd_now() - job->trace_began);
    if (left != UINT64_MAX)
        snprintf(waiting, sizeof waiting, "%" PRIu64, left);
    if (needed)
        rd__snprintf(overwork, sizeof overwork, "%.4f", (double)tasks / (double)needed);
    fprintf(rd_output_stream(job->trace), "%s %" PRIu64 " %s %s\n", seconds, job->trace_before + tasks, waiting,
            overwork);
}

void rd__trace_look(rd_job *job, const rd__look *look)
{
    if (!job->trace)
        return;
    job->trace_tasks = look->tasks;
    write_line(job, look->tasks, look->left, look->needed);
}

void rd__trace_stage(rd_job *job)
{
    job->trace_before += job->trace_tasks;
    job->trace_tasks = 0;
}

rd_status rd__trace_close(rd_job *job, rd_status status, const rd_report *report, rd_error *err)
{
    rd_output *trace = job->trace;
    if (!trace)
        return status;
    job->trace_before = 0; /* the report has all stages */
    write_line(job, report->tasks, 0, report->tasks_needed);
    job->trace = NULL;
    const rd_status closed = rd_output_close(trace, RD_OK, status == RD_OK ? err : NULL);
    return status == RD_OK ? closed : status;
}
