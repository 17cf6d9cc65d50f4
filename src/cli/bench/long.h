/* SPDX-License-Identifier: Apache-2.0 */
/* long.h - the long jobs of `bench multitask`: the suite's own, which are made to take as long as --long says, or those
 * that --app names, which begin anew for so long. */
#ifndef RD_CLI_BENCH_LONG_H
#define RD_CLI_BENCH_LONG_H

#include "cli/bench/bench.h"

enum { BENCH_LONG_SIZE = 24 };

typedef struct bench_long {
    const char *name; /* in the names of cases */
    const char *app, *sched, *launch;
    const char *input; /* NULL: one that is looked for */
    int rounds;        /* of the suite's own: its iterations are looked for, not its input */
    int anew;          /* begins anew when it is done */
    int weighted, graph;
} bench_long;

/* --app and --set of the command line. @return 0, or an exit code after printing why not. */
int bench_long_take_app(const char *value);
int bench_long_take_set(const char *value);
/* All long jobs of the command: how many. */
size_t bench_longs(const bench_long **list);
/* Seconds that a long job takes, about. as_said: 0 where the user did not say. */
double bench_long_seconds(double as_said);
/* Makes the job, with its graph where it has one and *graph is NULL. size: what was looked for; NULL: not yet. */
rd_status bench_long_make(const bench_long *kind, rd_device *device, uint32_t threads, const char *size,
                          rd_graph **graph, rd_job **job, rd_error *err);
/* Looks for the size that makes the job take so long: iterations or an input. */
rd_status bench_long_fit(const bench_long *kind, rd_job *job, double seconds, char size[BENCH_LONG_SIZE],
                         rd_error *err);
/* The input of fib that takes so long. */
rd_status bench_long_fit_fib(rd_job *job, double seconds, char size[BENCH_LONG_SIZE], rd_error *err);
/* The median of some runs. times: at most 5. */
rd_status bench_long_time(rd_job *job, int times, double *seconds, rd_error *err);
/* Of own apps without a checker: all is right. */
rd_status bench_long_check(rd_job *job, rd_error *err);
/* What a server is asked for, for the same job. */
void bench_long_request(const bench_long *kind, const char *size, char *text, size_t room);

#endif
