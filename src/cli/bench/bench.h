/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bench.h - one harness for every benchmark. A suite names its cases; a case can be opened on a device, run once and
 * checked. The harness owns the rest: devices, warm-up, trials, verification of every timed run, statistics, the
 * table, the JSON records, progress, time limits and the exit status. CONTRIBUTING.md shows how to add a suite.
 */
#ifndef RD_CLI_BENCH_H
#define RD_CLI_BENCH_H

#include "cli/options.h"

/* What one run took and did. */
typedef struct bench_sample {
    double kernel_s; /* by the device's clock; 0 when the case has no such thing */
    double total_s;  /* by the host's clock, until the result is on the host */
    uint64_t work;   /* units done: edges, tokens, barriers */
} bench_sample;

typedef struct bench_case bench_case;
struct bench_case {
    char name[128];   /* "kron:20/bsp/discrete": what --filter looks at; unique in the suite */
    const char *unit; /* of work, in the plural: "edges" */
    int per_unit;     /* show the time of one unit, not units a second */
    int optional;     /* a peer that may be missing: left out with a note where open says RD_EDEVICE; or that may take
                         too long or not exist for an app: likewise where run says RD_ETIMEOUT or RD_EARG */
    /* Prepares the case on a device; nothing here is timed. */
    rd_status (*open)(bench_case *self, rd_device *device, rd_error *err);
    /* Runs once and measures. */
    rd_status (*run)(bench_case *self, bench_sample *sample, rd_error *err);
    /* Proves the last run's result: RD_EWRONG when it is not right. (optional: when run itself does) */
    rd_status (*check)(bench_case *self, rd_error *err);
    /* Adds fields to the JSON record. (optional) */
    void (*describe)(const bench_case *self, rd_json *json);
    /* Undoes open, also after open failed half-way. (optional) */
    void (*close)(bench_case *self);
    char note[128];   /* (optional) written by run: shown after the rate */
    uint32_t workers; /* (optional) written by open or run, by suites that vary them: a case with as many as another one
                         of the same name up to its last '/' repeats it on this device, and is left out */
    void *data;       /* the suite's own; starts NULL */
    const char *launch;  /* (optional) what it takes; devices that cannot launch so do not have the case */
    const char *text[5]; /* the suite's own, set when the case is added: parameters */
    uint64_t number[4];
    /* Set by the harness: long work outside timed runs reports here; threads to use on the host (0: all). */
    rd_progress_fn progress;
    void *progress_user;
    uint32_t threads;
    int warming; /* the run is a warm-up: its time is not to be counted */
};

typedef struct bench_suite bench_suite;
typedef struct bench_list {
    const bench_suite *suite; /* whose cases these are */
    bench_case *item;
    size_t count;
} bench_list;
/* Adds a copy. */
rd_status bench_add(bench_list *list, const bench_case *item, rd_error *err);

struct bench_suite {
    const char *name;
    const char *summary;                                 /* one line */
    uint64_t trials;                                     /* of each case unless the user says; 0: the harness's */
    double time_limit;                                   /* likewise, seconds a case and device */
    const cli_option *options;                           /* of the suite alone, ids 1 .. 99; may be NULL */
    int (*take)(int id, const char *value);              /* one of them; 0, or an exit code after printing why not */
    int (*word)(const char *word);                       /* (optional) a word that is no option; likewise */
    rd_status (*cases)(bench_list *list, rd_error *err); /* adds all cases; must be quick */
    void (*summarize)(FILE *out,
                      int json); /* (optional) after the last case: what all of them say, as text or records */
    void (*close)(void);         /* (optional) frees what the suite kept between cases */
};

/* ---- Between suites: parts.c ---- */

#define BENCH_TRY(expr)                                                                                                \
    do {                                                                                                               \
        const rd_status status_ = (expr);                                                                              \
        if (status_ != RD_OK)                                                                                          \
            return status_;                                                                                            \
    } while (0)
/* For suites whose one option is --quick. */
extern int bench_quick;
extern const cli_option bench_quick_options[];
int bench_take_quick(int id, const char *value);
/* @return RD_ENOMEM */
rd_status bench_no_memory(rd_error *err, const char *what);
/* @return a measure of the report by its name; 0: it has none. */
double bench_measured(const rd_report *report, const char *name);
/* Sorts numbers; and of sorted ones the one so far up, from 0 to 1. 0 where there are none. */
void bench_sort(double *values, size_t count);
double bench_at(const double *sorted, size_t count, double share);

/* ---- Between the files of the harness ---- */

enum { BENCH_DEVICES_MAX = 16 };

typedef struct bench_settings {
    const bench_suite *suite;
    uint64_t trials, warmup;
    int verify_last;   /* not each timed run of a case is checked, but the last one */
    int name_width;    /* of the table's first column */
    double time_limit; /* seconds a case and device; 0: none */
    rd_progress_line line;
    uint64_t steps_done, steps_all;
} bench_settings;

typedef struct bench_outcome {
    const bench_case *item;
    const rd_device_info *device;
    size_t count;           /* timed runs, each verified, or the last one */
    double *kernel, *total; /* seconds, in the order they were measured */
    uint64_t work;          /* of the last run */
    rd_status status;       /* RD_OK, or why the case ended early */
    int left_out;           /* an optional case that this device cannot run: err says why, and status is RD_OK */
    rd_error err;
    double seconds; /* all that the case took, with opening and checking */
} bench_outcome;

/* Measures a case on a device. bench_outcome_free afterwards, whatever happened. */
void bench_measure(bench_settings *settings, bench_case *item, rd_device *device, bench_outcome *outcome);
void bench_outcome_free(bench_outcome *outcome);

void bench_print_machine(FILE *out, rd_device *const *device, size_t count);
void bench_print_header(FILE *out, const bench_settings *settings);
void bench_print_row(FILE *out, const bench_settings *settings, const bench_outcome *outcome);
/* @return 0 when the record was written. The case must still be open. */
int bench_json_record(FILE *out, const bench_settings *settings, const bench_outcome *outcome);

#endif
