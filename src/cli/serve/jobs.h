/* SPDX-License-Identifier: Apache-2.0 */
/* jobs.h - the jobs of `raddle serve`: a table of them, a thread each, and the graphs that stay loaded. */
#ifndef RD_CLI_SERVE_JOBS_H
#define RD_CLI_SERVE_JOBS_H

#include "cli/serve/protocol.h"

typedef struct serve_jobs serve_jobs;

typedef enum serve_state { SERVE_READING, SERVE_WAITING, SERVE_RUNNING, SERVE_DONE } serve_state;

/* A job as others see it. */
typedef struct serve_view {
    uint64_t id;
    char what[160]; /* "bfs kron:20" */
    int priority;
    serve_state state;
    int status;     /* the exit status, once it is done */
    double seconds; /* since it came, until it was done */
    double waited;  /* for the device, once it is done */
    double ran;     /* its run, likewise */
    uint64_t done, total;
    uint32_t workers;      /* that it has now */
    char text[SERVE_LINE]; /* answer or error */
} serve_view;

/* most: jobs at a time that are not done; bytes: of graphs,
 * and as many of jobs that stay prepared. @return NULL: out of memory. */
serve_jobs *serve_jobs_new(rd_device *device, uint64_t most, uint64_t bytes);
/* Cancels all and waits for them. */
void serve_jobs_free(serve_jobs *jobs);
/* @return the job's number, or 0 with the reason. */
uint64_t serve_jobs_add(serve_jobs *jobs, const serve_request *request, char *why, size_t room);
/* Waits until the job is done, at most so many seconds. @return 0: there is no such job. */
int serve_jobs_see(serve_jobs *jobs, uint64_t id, double seconds, serve_view *view);
/* Cancels all, also those of requests that are being read: these are refused from now on. */
void serve_jobs_close(serve_jobs *jobs);
/* @return 0: there is no such job. */
int serve_jobs_cancel(serve_jobs *jobs, uint64_t id);
/* The job after `id` in the table; 0: the first. @return 0: there is none. */
int serve_jobs_next(serve_jobs *jobs, uint64_t id, serve_view *view);

#endif
