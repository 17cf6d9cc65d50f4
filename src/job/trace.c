/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.c - option `trace`: a line each time that the engine looks at its control words, with the seconds since the run
 * began, tasks run, tasks that wait (the frontier of the next round, the length of queues) and overwork: tasks given so
 * far over those needed; '-' where there were none. The last line is the whole run, unless it was stopped. An engine
 * looks between launches, and more often when there is a trace, but never so often that it costs much: launches that
 * would run to the end are asked to leave every rd__trace_slice, and others go on with what they leave.
 *
 * It must cost next to nothing, also where runs take a millisecond. So a look is kept as it is, and becomes text when
 * the run is over; of a run that takes long, now and then, for it is to be watched. And the file stays open from run to
 * run, each of which writes it from the beginning: to empty a file takes as long as such a run, and workers that nobody
 * had use for meanwhile have gone to sleep.
 */
#include "job/job.h"

#include "core/memory.h"
#include "core/sink.h"
#include "raddle/tool.h"

#include <string.h>

enum { LINES = 512, LINE_ROOM = 96 };    /* four numbers of at most 21 characters, and what is between them */
static const double flush_seconds = 0.1; /* watchers wait as long */

typedef struct line {
    double seconds;
    uint64_t left, total, given, needed; /* total: tasks, with those of earlier stages */
} line;

typedef struct rd__trace {
    rd__sink sink;
    int is_open, is_on, is_begun; /* the file; a run; and some of it was written */
    rd_status status;             /* of the first write that failed; err has its message */
    rd_error err;
    uint32_t asked; /* the engine's: launches were asked to leave for a look */
    double began, flushed;
    uint64_t before, tasks; /* of earlier stages, and of this one */
    uint32_t lines;
    line line[LINES];
    char text[(LINES + 1) * LINE_ROOM];
} rd__trace;

static const char header[] = "seconds tasks waiting overwork\n";

void rd__trace_free(rd_job *job)
{
    if (job->trace && job->trace->is_open)
        (void)rd__sink_close(&job->trace->sink, RD_OK, NULL); /* each run has told what went wrong */
    rd__free(job->trace);
    job->trace = NULL;
}

int rd__trace_is_on(const rd_job *job)
{
    return job->trace && job->trace->is_on;
}

uint32_t *rd__trace_asked(rd_job *job)
{
    return rd__trace_is_on(job) ? &job->trace->asked : NULL;
}

/* The file, from its beginning: the one that is open, if its name still leads there. */
static rd_status open_file(rd__trace *trace, const char *path, rd_error *err)
{
    if (trace->is_open && rd__sink_rewind(&trace->sink))
        return RD_OK;
    if (trace->is_open)
        (void)rd__sink_close(&trace->sink, RD_OK, NULL);
    trace->is_open = 0;
    RD_TRY(rd__sink_open(&trace->sink, path, RD__SINK_LIVE, err));
    trace->is_open = 1;
    return RD_OK;
}

rd_status rd__trace_open(rd_job *job, rd_error *err)
{
    if (!job->trace_path)
        return RD_OK;
    if (job->ranks)
        return rd__fail(err, RD_EARG, "option trace: a run on several ranks has no trace");
    if (!job->trace)
        job->trace = rd__calloc(1, sizeof *job->trace);
    rd__trace *trace = job->trace;
    if (!trace)
        return rd__fail_memory(err, "a trace", sizeof *trace);
    RD_TRY(open_file(trace, job->trace_path, err));
    trace->is_on = 1;
    trace->is_begun = 0;
    trace->status = RD_OK;
    trace->before = trace->tasks = 0;
    trace->lines = trace->asked = 0;
    trace->began = trace->flushed = rd_now();
    return RD_OK;
}

/* A number with so many digits behind a point, then `end`. By hand: printf takes ten times as long, of a run of a
 * millisecond that has fifty lines a tenth. */
static char *put(char *at, uint64_t value, int behind, char end)
{
    char digit[24];
    int count = 0;
    for (; value || count <= behind; value /= 10)
        digit[count++] = (char)('0' + value % 10);
    while (count > 0) {
        if (count == behind)
            *at++ = '.';
        *at++ = digit[--count];
    }
    *at++ = end;
    return at;
}

static char *put_line(char *at, const line *of)
{
    const double most = 1e14, overwork = of->needed ? (double)of->given / (double)of->needed : 0;
    at = put(at, (uint64_t)(of->seconds * 1e6 + 0.5), 6, ' ');
    at = put(at, of->total, 0, ' ');
    at = put(at, of->left, 0, ' ');
    if (of->needed)
        return put(at, (uint64_t)((overwork < most ? overwork : most) * 1e4 + 0.5), 4, '\n');
    *at++ = '-';
    *at++ = '\n';
    return at;
}

/* What is kept becomes text in the file. */
static void flush(rd__trace *trace)
{
    const size_t first = trace->is_begun ? 0 : sizeof header - 1;
    char *end = trace->text + first;
    memcpy(trace->text, header, first);
    trace->is_begun = 1;
    for (uint32_t i = 0; i < trace->lines; i++)
        end = put_line(end, &trace->line[i]);
    trace->lines = 0;
    if (trace->status == RD_OK)
        trace->status = rd__sink_write(&trace->sink, trace->text, (uint64_t)(end - trace->text), &trace->err);
    if (trace->status == RD_OK)
        trace->status = rd__sink_cut(&trace->sink, &trace->err);
}

static void keep(rd__trace *trace, const rd__look *look)
{
    const double now = rd_now();
    trace->line[trace->lines++] =
        (line){now - trace->began, look->left, trace->before + look->tasks, look->given, look->needed};
    if (trace->lines < LINES && now - trace->flushed < flush_seconds)
        return;
    flush(trace);
    trace->flushed = now;
}

void rd__trace_look(rd_job *job, const rd__look *look)
{
    if (!rd__trace_is_on(job))
        return;
    job->trace->tasks = look->tasks;
    keep(job->trace, look);
}

void rd__trace_stage(rd_job *job)
{
    if (!rd__trace_is_on(job))
        return;
    job->trace->before += job->trace->tasks;
    job->trace->tasks = 0;
}

rd_status rd__trace_close(rd_job *job, rd_status status, const rd_report *report, rd_error *err)
{
    rd__trace *trace = job->trace;
    if (!rd__trace_is_on(job))
        return status;
    trace->before = 0;   /* the report has all stages */
    if (status == RD_OK) /* else nobody has filled the report: the last look is how far it came */
        keep(trace, &(rd__look){.tasks = report->tasks, .given = report->tasks, .needed = report->tasks_needed});
    if (trace->lines || !trace->is_begun)
        flush(trace);
    trace->is_on = 0;
    return status == RD_OK && trace->status != RD_OK ? rd__fail(err, trace->status, "%s", trace->err.text) : status;
}
