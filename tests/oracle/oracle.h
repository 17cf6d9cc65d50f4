/* SPDX-License-Identifier: Apache-2.0 */
/*
 * oracle.h - the differential oracle: random small inputs under every app, scheduler, launch and option, on any device,
 * against serial answers that share no code with the library. It uses the public API only.
 *
 *   random.h   numbers                          config.c   what to run: device, app, scheduler, launch, options
 *   shapes.c   random graphs                    cases.c    runs one case: job, stops, threads
 *   graphs.c   apps of graphs: input, verdict   watch.c    the watchdog
 *   counts.c, negative.c   more of them
 *   serial.c   answers for them                 tally.c    counts, summary, JSON
 *   texts.c    the other apps                   main.c     options, the loop
 *   uts.c, knapsack.c, astar.c: the larger of them
 *
 * A configuration is drawn from (seed, number of the configuration); a case from (seed, number of the case), where case
 * n belongs to configuration n / CASES_EACH. So a case can be run again alone, and a range of cases with all that came
 * before it on the same job.
 */
#ifndef ORACLE_H
#define ORACLE_H

#include "random.h"

#include <raddle.h>

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { CASES_EACH = 64, TEXT_MOST = 128, SETTINGS_MOST = 12, DEVICES_MOST = 16, WHY_MOST = 640 };

/* Memory or nothing: a test program has no other answer to a full machine. */
void *need(void *memory);
void *room(size_t count, size_t bytes); /* never NULL; not cleared */

/* ---- Settings of the program ---- */

typedef struct settings {
    const char *device[DEVICES_MOST];
    size_t devices;
    const char *apps, *scheds; /* lists with commas; NULL: all */
    uint64_t seed, first_case, last_case;
    double seconds, hang_seconds;
    uint32_t stops; /* percent of cases that are stopped on their way */
    uint32_t max_failures;
    int one_range, verbose, json, spoil;
} settings;

/* Is name one of the list "a,b,c"? */
int listed(const char *list, const char *name);
/* The command that draws the same cases, but for --case. */
void replay_text(const settings *s, char *text, size_t bytes);

/* ---- Graphs ---- */

typedef struct edges {
    uint32_t vertices;
    uint64_t count, room;
    uint32_t *source, *target;
    int32_t *weight; /* always there; given to the library where the app wants it */
    int real;        /* weights are words of floats */
    char name[64];   /* the shape, for messages */
} edges;

void edges_free(edges *e);
/* Draws a graph. symmetric: every edge gets its reverse, of the same weight. large: may have some 100,000 vertices.
 * slow: at most 150 or so, for configurations that look at all vertices in each of many rounds. */
void edges_draw(edges *e, rng *r, int symmetric, int large, int slow);

/* The same graph as rows, made by the oracle itself. */
typedef struct rows {
    uint32_t vertices;
    uint64_t edges, most_degree;
    uint64_t *row;
    uint32_t *col;
    int32_t *weight;
    int real;
} rows;

void rows_make(rows *g, const edges *e);
void rows_free(rows *g);
/* Does the library's graph have exactly these edges? */
int rows_same(const rows *g, const rd_csr *csr, char *why);
int rows_symmetric(const rows *g);

/* Serial answers. `out` has room for each vertex. Unreachable: UINT64_MAX. */
void serial_bfs(const rows *g, uint32_t source, uint64_t *out);
void serial_dijkstra(const rows *g, uint32_t source, uint64_t *out);
/* The length of a way and one edge more; of real weights words of floats. */
uint64_t serial_sum(const rows *g, uint64_t way, uint64_t edge);
void serial_components(const rows *g, uint32_t *out);
/* Of the simple graph: no loops, one of parallel edges. */
void serial_cores(const rows *g, uint32_t *out);
/* `iterations` of Jacobi's from 1/n, or until the total change is below `still`. */
void serial_pagerank(const rows *g, double alpha, int spread, uint32_t iterations, double still, double *out);

/* ---- Cases ---- */

typedef struct config {
    uint64_t number;
    size_t device; /* of settings */
    const rd_app_info *app;
    const char *sched, *launch; /* NULL: left to the library */
    size_t count;
    char key[SETTINGS_MOST][24], value[SETTINGS_MOST][TEXT_MOST];
    int limits_memory; /* an option makes a buffer small that cannot grow: RD_ENOMEM is a right answer */
} config;

void config_draw(config *c, const settings *s, uint64_t number);
uint64_t config_cases(const config *c, const settings *s); /* how many are run of CASES_EACH */
int device_is_cheap(const char *name);                     /* compiles nothing */
void config_text(const config *c, const settings *s, char *text, size_t bytes);
const char *config_value(const config *c, const char *key); /* NULL: not set */
/* A value of an option by what the library says of it, e.g. "1..8" or "a|b". @return 0: its form is not known. */
int option_value(const rd_option_info *option, rng *r, char *value);

/* What one case works on, and how its answer is judged. */
typedef struct work {
    const config *config;
    int spoil;      /* judge something else than the result */
    int cheap;      /* the device compiles nothing */
    int large;      /* at times a large graph: not where every lane is a thread */
    int fresh;      /* needs a job of its own: it leaves an option to the library */
    char text[256]; /* what was drawn, for messages */
    /* options that change from case to case */
    size_t count;
    char key[SETTINGS_MOST][24], value[SETTINGS_MOST][TEXT_MOST];
    rd_status expect; /* RD_OK, or RD_EINPUT for input that has to be refused */
    /* of graph apps */
    edges edges;
    rows rows;
    rd_graph *graph;
    int negative;    /* some weights are */
    uint32_t source; /* RD_NONE: left to the library */
    /* of the others */
    char input[TEXT_MOST];
    char file[TEXT_MOST]; /* to be removed */
    void *answer;         /* of the app's own, freed with free */
} work;

/* Draws the input of a case for its app. */
void work_draw(work *w, const config *c, rng *r, const char *device);
void work_set(work *w, const char *key, const char *format, ...) __attribute__((format(printf, 3, 4)));
void work_free(work *w);
/* Is the job's result right? partial: it was stopped on its way. @return 1, or 0 with the reason in why. */
int work_judge(const work *w, rd_job *job, const rd_report *report, int partial, char *why);

void graph_draw(work *w, rng *r);
int graph_judge(const work *w, const rd_result *result, const rd_report *report, char *why);
/* negative.c: of sssp with negative weights. */
int serial_ford(const rows *g, uint32_t source, int64_t *out);
rd_status expect_signed(const rows *g, uint32_t source);
int judge_signed(const work *w, const rd_result *result, char *why);
/* counts.c: of tc, mst and bc. */
int judge_triangles(const work *w, const rd_result *result, char *why);
int judge_forest(const work *w, const rd_result *result, char *why);
int judge_between(const work *w, const rd_result *result, char *why);
void text_draw(work *w, rng *r);
int text_judge(const work *w, const rd_result *result, const rd_report *report, int partial, char *why);
void text_close(void); /* what texts.c keeps between cases */

typedef enum outcome { CASE_RIGHT, CASE_REFUSED, CASE_FAILED } outcome;

/* A device with the job that is kept from case to case. */
typedef struct slot {
    const settings *settings;
    rd_device *device;
    rd_job *job;
    const rd_app_info *app; /* of the job */
    uint64_t config;        /* that the job is set up for */
    work kept;              /* the last case's: the job may look at its graph */
    int second;             /* runs beside the main one: no company of its own, no watchdog */
} slot;

int slot_open(slot *s, const settings *set, size_t device, char *why);
void slot_close(slot *s);
outcome case_run(slot *s, const config *c, uint64_t number, char *why);

/* ---- Watchdog ---- */

void watch_start(const settings *s);
/* What is being done now: the clock starts anew. */
void watch_case(const config *c, uint64_t number);
void watch_at(const char *where);
void watch_stop(void);

/* ---- Counts ---- */

void tally_case(const config *c, const rd_report *ran, outcome result);
void tally_stop(int stopped_early);
void tally_extra(const char *what);
void tally_print(const settings *s, double seconds, uint64_t failures);
void tally_json(const settings *s, double seconds, uint64_t failures);
uint64_t tally_cases(void);

#endif
