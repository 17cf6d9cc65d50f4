/* SPDX-License-Identifier: Apache-2.0 */
/* job.h - jobs of the C API: an app with its options, on a device. raddle.h has the rules. */
#ifndef RADDLE_JOB_H
#define RADDLE_JOB_H

#include "app.h"
#include "base.h"
#include "device.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rd_job rd_job;

/* Makes a job. device may be NULL for a job that is only planned against host limits. */
RD_API rd_status rd_job_create(rd_device *device, const char *app, rd_job **job, rd_error *err);
RD_API void rd_job_destroy(rd_job *job);
/* Sets an option of the app, a common one, or one of a scheduler that the app runs under. On/off options take "1" or
 * "0". An option of a scheduler other than the one the job runs under is refused by rd_job_plan and rd_job_run. */
RD_API rd_status rd_job_set(rd_job *job, const char *key, const char *value, rd_error *err);
/* The job holds the graph until it is given another one or destroyed; rd_graph_destroy may be called before. */
RD_API rd_status rd_job_set_graph(rd_job *job, const rd_graph *graph, rd_error *err);
/* Of apps that take RD_INPUT_TEXT: opens a file or generates. */
RD_API rd_status rd_job_set_input(rd_job *job, const char *text, rd_error *err);
RD_API void rd_job_set_progress(rd_job *job, rd_progress_fn progress, void *user);

typedef enum rd_bind {
    RD_BIND_COPY,  /* before each run the array gets what is there */
    RD_BIND_SHARE, /* and after each run it is there what tasks left; the device cpu uses the memory in place */
    RD_BIND_DEVICE /* memory of the device itself, used in place: a pointer on cpu, a CUdeviceptr, a cl_mem */
} rd_bind;
/* Of own apps: memory of the caller's for an array, in place of its declared first value. It stays the caller's, and
 * has to be there until the job is destroyed or the array bound again; data NULL: no more. count: values, as many as
 * the array has with the options of the run. */
RD_API rd_status rd_job_bind(rd_job *job, const char *array, void *data, uint64_t count, rd_bind how, rd_error *err);

#define RD_PLAN_MAX 24
/* Device memory, buffer by buffer. */
typedef struct rd_plan {
    size_t count;
    struct rd_plan_item {
        const char *name; /* static */
        uint64_t bytes;
        uint8_t is_graph;  /* part of the graph, not of the app's or the scheduler's own state */
        uint8_t is_shared; /* the device uses the host's copy in place: nothing is allocated */
    } item[RD_PLAN_MAX];
    uint64_t graph_bytes; /* of items with is_graph, shared or not */
    uint64_t own_bytes;   /* of the others */
    uint64_t alloc_bytes; /* of all that are not shared: what rd_job_run allocates on the device */
} rd_plan;
/* What the job would allocate with its options and graph. Allocates nothing. */
RD_API rd_status rd_job_plan(rd_job *job, rd_plan *plan, rd_error *err);

/* Which scheduler and launch the job would run under, and why; on a second line how wide its workers would be and how
 * many groups of them, where that is known before the kernel is compiled. Valid until the job changes. */
RD_API rd_status rd_job_explain(rd_job *job, const char **text, rd_error *err);

/* What the job changed by itself. From what its runs took (option learn) it tries another scheduler or launch for a
 * run, takes it for those that follow when it was faster, or drops it. Within a run (option switch) a scheduler whose
 * rounds have become narrow hands over to one without rounds. */
typedef struct rd_switch {
    uint64_t run;     /* of the job, counted from 1 */
    int in_run;       /* 1: on the way. 0: between runs */
    const char *kind; /* "tries", "takes", "drops"; in a run "hands over to"; all texts are static */
    const char *from_sched, *from_launch, *to_sched, *to_launch;
    double from_s, to_s; /* in a run: until then, and from then on. Else what a run usually took, and what this one
                            took: kernel_s of reports */
    const char *reason;  /* a clause: "rounds were short and many" */
} rd_switch;
/* The last ones, at most `room` of them, the latest at the end. *count: how many. Kept until the job is destroyed. */
RD_API rd_status rd_job_switches(rd_job *job, rd_switch *list, size_t room, size_t *count, rd_error *err);

#define RD_MEASURES_MAX 32
/* A number with a name, of an app or a scheduler: "colours", "corrections_per_vertex". */
typedef struct rd_measure {
    const char *name; /* static; words joined by '_' */
    double value;
} rd_measure;

typedef struct rd_report {
    /* seconds; those of preparation (compile, upload) are zero when an earlier run already paid for them */
    double compile_s; /* kernels: compiled or read from the cache */
    double upload_s;  /* graph to device */
    double kernel_s;  /* by the device's own clock from the first launch to the end of the last; see docs */
    double run_s;     /* by the host's clock: reset, launches, waiting */
    uint64_t tasks;   /* tasks run */
    uint64_t edges;   /* edges looked at */
    uint64_t rounds;  /* levels of a bulk-synchronous run */
    uint64_t launches;
    uint64_t reached;         /* app's measure: vertices reached, ... */
    uint64_t bytes_allocated; /* on the device, for this job, now */
    uint32_t groups;          /* as launched */
    uint32_t lanes;           /* in a group */
    const char *sched;        /* static strings */
    const char *launch;
    uint64_t pulled;       /* rounds of a bulk-synchronous run that went against the edges */
    uint64_t tasks_needed; /* tasks that no order could have saved; tasks / tasks_needed is the overwork */
    uint64_t reservations; /* atomics on the ends of a shared queue */
    uint64_t empty_polls;  /* looks at a shared queue that found nothing yet */
    uint64_t sum;          /* of apps of tasks: what root tasks returned, added up */
    uint32_t measures;     /* in use of: */
    rd_measure measure[RD_MEASURES_MAX];
} rd_report;
/* Prepares what is not ready yet: compiles, allocates, copies the input. The next rd_job_run then begins at once. */
RD_API rd_status rd_job_compile(rd_job *job, rd_error *err);
/* Prepares what is not ready yet, then runs once. report may be NULL.
 * Options and graph may be changed between runs. Stopped before the end it returns RD_ETIMEOUT or RD_ECANCELLED; apps
 * that approach their answer (knapsack) then have a report and a result all the same: the best so far. */
RD_API rd_status rd_job_run(rd_job *job, rd_report *report, rd_error *err);

/* Adds to the report of the last run the measures that have to be counted in its result: components, members, colours,
 * and sets `reached` where that has to be counted there (bfs that passes leaves by).
 * A call of its own, since the result is copied from the device and looked through for them, which whoever repeats runs
 * may not want to wait for. */
RD_API rd_status rd_job_measure(rd_job *job, rd_report *report, rd_error *err);

/* Jobs that share a device. rd_job_start runs a job in a thread of the library's and returns at once. Any number of
 * jobs may be started on one device: they take turns. Who has the higher priority goes first, of equals the one with
 * the earlier deadline; equals without one share the time. A job that has to make way does so between two pieces of
 * its work (docs/multitasking.md says how soon that is), keeps all that it has, and goes on from there, or goes on with
 * fewer workers meanwhile; its result is what it would have been. rd_job_run on the same device is RD_EDEVICE while one
 * of them is at work. Until rd_job_wait has returned only rd_job_poll, rd_job_wait, rd_job_cancel and rd_job_destroy
 * may be called on the job. Its progress callback is called from its thread. */
typedef struct rd_start {
    size_t size;     /* of this struct */
    int priority;    /* the higher goes first; 0 is usual */
    double deadline; /* seconds from now by which the job should be done; 0: none */
    /* Where the device lends workers (compute units): how many it wants, at most all but one. It runs beside a job that
     * it goes before, which goes on with the rest if it can, or in turn with it. 0: all. */
    uint32_t workers;
    uint32_t reserved; /* 0 */
} rd_start;
/* start: NULL for the defaults. */
RD_API rd_status rd_job_start(rd_job *job, const rd_start *start, rd_error *err);

typedef enum rd_job_state {
    RD_JOB_IDLE,    /* not started, or rd_job_wait has returned */
    RD_JOB_WAITING, /* for the device: at first, or to go on */
    RD_JOB_RUNNING,
    RD_JOB_DONE, /* well or not: rd_job_wait tells */
} rd_job_state;
typedef struct rd_job_now {
    rd_job_state state;
    double seconds;       /* since rd_job_start, until it was done */
    uint64_t done, total; /* how far it is, as a progress callback would hear; total 0: not known */
    uint32_t workers;     /* compute units that it has now; 0: it is not running */
    uint32_t reserved;
} rd_job_now;
/* How the job is, now or when it is done, which is waited for at most so many seconds. */
RD_API rd_status rd_job_poll(rd_job *job, double seconds, rd_job_now *now, rd_error *err);
/* Waits until the job is done. report may be NULL. @return what rd_job_run would have; RD_EARG: it was not started. */
RD_API rd_status rd_job_wait(rd_job *job, rd_report *report, rd_error *err);
/* Has a job that was started write all that it has to a file, at its next safe point, and end: rd_job_wait says
 * RD_ECANCELLED then. Waits until that is done. The file appears complete or not at all; when it cannot be written
 * (RD_EIO), when the app or its scheduler cannot do this, or the job was done before (RD_EARG), the job goes on as if
 * nothing had been. From any thread but the job's own. */
RD_API rd_status rd_job_pause(rd_job *job, const char *path, rd_error *err);
/* As rd_job_start, from where rd_job_pause ended a job with the same app, options, input, and number of groups and
 * lanes, in this process or another one. A file of another job, or a damaged one, is RD_EINPUT, which rd_job_wait
 * tells. Files are to be trusted like programs. */
RD_API rd_status rd_job_resume(rd_job *job, const char *path, const rd_start *start, rd_error *err);
/* Asks the job to stop. rd_job_wait will say RD_ECANCELLED, unless the job was done before. From any thread. */
RD_API rd_status rd_job_cancel(rd_job *job, rd_error *err);

typedef enum rd_result_kind {
    RD_RESULT_U32,
    RD_RESULT_F32,
    RD_RESULT_U64,
    RD_RESULT_I32, /* these three: of own apps. Signed ones are looked at as word and wide */
    RD_RESULT_I64,
    RD_RESULT_F64,
} rd_result_kind;

/* A borrowed look at the result of the last run, valid until the next run or rd_job_destroy. */
typedef struct rd_result {
    const char *name;         /* "depth", "parent" */
    union {                   /* `count` values of the kind: */
        const uint32_t *word; /* RD_NONE where there is none */
        const float *real;
        const uint64_t *wide;
        const double *wide_real;
    };
    rd_result_kind kind;
    uint8_t of_vertices; /* values are vertices: rd_graph_name has what their file calls them */
    uint64_t count;
    double download_s;
} rd_result;
RD_API rd_status rd_job_result(rd_job *job, rd_result *result, rd_error *err);
/* Of own apps: the same for any of their arrays. It takes the place of what rd_job_result or rd_job_read gave before.
 */
RD_API rd_status rd_job_read(rd_job *job, const char *array, rd_result *result, rd_error *err);
/* Writes the result of the last run to a file in the app's own form (ray: a picture), of apps whose info
 * says file_suffixes. The file appears complete or not at all. RD_EARG where there is none. */
RD_API rd_status rd_job_save(rd_job *job, const char *path, rd_error *err);
/* @return in *text the answer of the last run in a line for people: "724 ways", "3 components". Until the next run. */
RD_API rd_status rd_job_answer(rd_job *job, const char **text, rd_error *err);
/* Proves the last result with the app's independent checker (serial, on the host, shares no code with the app).
 * @return RD_OK, and then err->text may hold a note of the checker (how much was compared); RD_EWRONG with the first
 * fault found in err; or another error. */
RD_API rd_status rd_job_check(rd_job *job, rd_error *err);

#ifdef __cplusplus
}
#endif

#endif
