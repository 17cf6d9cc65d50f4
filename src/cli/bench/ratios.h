/* SPDX-License-Identifier: Apache-2.0 */
/* ratios.h - what the suite `shapes` measured, app by app and graph by graph: the choice beside the best and the worst
 * of all configurations. */
#ifndef RD_CLI_BENCH_RATIOS_H
#define RD_CLI_BENCH_RATIOS_H

#include "cli/bench/bench.h"

enum { RATIO_TEXT = 88 };

/* A configuration of an app on a graph and a device. */
typedef struct ratio_run {
    const char *app, *spec;
    char device[32];
    int chosen;            /* what the app chose by itself */
    char name[RATIO_TEXT]; /* "bsp/discrete/direction=push" */
    double least;          /* seconds; 0: it has not run */
    double limit;          /* a run is stopped after so long */
    int stopped;           /* one was: `least` is a lower bound */
    double colours;        /* the most that it needed; 0: its answers are all as good */
} ratio_run;

/* A new one; app and spec must last. */
rd_status ratio_run_new(const char *app, const char *spec, const char *device, int chosen, size_t *index,
                        rd_error *err);
ratio_run *ratio_run_at(size_t index);
/* @return the least time so far of the same app, graph and device; 0: none yet. */
double ratio_best(size_t index);

/* The choice over the best that needed no more colours, worst first, and the geometric mean: a table, or JSON. */
void ratios_print(FILE *out, int json);
void ratios_free(void);

#endif
