/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.h - suites of apps on graphs: each graph x scheduler x launch is a case, and the default. Every such app has a
 * suite of its name, `raddle bench APP`; other suites make their cases from the same parts.
 */
#ifndef RD_CLI_BENCH_GRAPH_H
#define RD_CLI_BENCH_GRAPH_H

#include "cli/bench/bench.h"

/* The suite of an app on graphs; the summary is kept in text. */
enum { BENCH_SUMMARY = 96 };
bench_suite bench_graph_suite(const rd_app_info *app, char text[BENCH_SUMMARY]);

extern const cli_option bench_graph_options[]; /* --graph, --quick, --source */
int bench_graph_take(int id, const char *value);
/* Adds the cases of an app on the graphs given by --graph, else on `standard` (or on `quick`, with --quick); both lists
 * end with NULL. The last case of each graph is the app's own choice, which its note holds against the best of the
 * others. prefix: before the names of the cases. */
rd_status bench_graph_cases(bench_list *list, const char *prefix, const char *app, const char *const *standard,
                            const char *const *quick, rd_error *err);
void bench_graph_close(void);

/* For suites that make their own cases. sched NULL: the app's choice; settings: "worker=32 fetch=4", or NULL. All texts
 * must last as long as the suite. The name is left to the caller. number[0] not 0: weights are drawn as real ones. */
bench_case bench_graph_case(const char *app, const char *spec, const char *sched, const char *launch,
                            const char *settings);
/* The graphs to take: what the user gave, else one of the lists. */
const char *const *bench_graph_specs(const char *const *standard, const char *const *quick);
/* Of an open case: its job; of one that has run: its report. */
rd_job *bench_graph_job(const bench_case *self);
const rd_report *bench_graph_report(const bench_case *self);

#endif
