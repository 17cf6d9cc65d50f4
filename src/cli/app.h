/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app.h - `raddle APP INPUT`: one driver for every app of the library. app_options.c parses; app.c opens and runs the
 * trials; app_sources.c chooses where they start; app_report.c prints; app_json.c records (the fields are in
 * docs/json.md).
 */
#ifndef RD_CLI_APP_H
#define RD_CLI_APP_H

#include "cli/input.h"
#include "cli/open_device.h"

#include "raddle/ranks.h"

enum { APP_SETTINGS_MAX = 64, APP_OUTPUTS_MAX = 16 };

typedef struct app_trial {
    rd_report report;
    uint32_t source; /* RD_NONE: the app has none */
    char answer[160];
    uint64_t edges_reached; /* for TEPS: teps.h */
    uint64_t depth;         /* greatest depth of the result; rounds where the result is not a depth */
    double download_s, verify_s;
    double total_s; /* wall clock of the trial: preparation, run, download; not verification */
    int checked, right;
    char note[96]; /* of the checker */
    int stopped;   /* before its end; the result is what was found until then */
} app_trial;

typedef struct app_run {
    const rd_app_info *app;
    const char *spec; /* INPUT */
    cli_device_choice choice;
    cli_input input;
    double started;

    uint64_t trials; /* 0: as many as there are sources */
    uint64_t *named; /* sources as they were typed: what the file calls them */
    size_t named_count;
    uint32_t *source; /* as vertices */
    size_t source_count;
    uint64_t random_sources;
    double timeout;
    int verify, json, dry_run, explain, quiet, stats;
    const char *json_path, *output_path;
    struct {
        const char *array, *path;
    } output[APP_OUTPUTS_MAX]; /* -o ARRAY=FILE */
    size_t outputs;
    struct {
        const char *key, *value;
    } setting[APP_SETTINGS_MAX];
    size_t settings;

    const char *checkpoint; /* the folder, or NULL */
    double every;
    int has_every;
    int resumes; /* and goes on from what is there */
    char *note;  /* for a checkpoint: the words of the command line */

    uint64_t window;        /* --window; 0: by what it costs */
    uint64_t message;       /* --message; 0: what the transport takes */
    const char *shares;     /* --shares; NULL: by device */
    rd_ranks *ranks;        /* NULL: this is all there is */
    rd_ranks *alone_of;     /* the ranks of which this one does all; else NULL */
    int is_process;         /* a rank that is one; else a thread */
    uint32_t other_devices; /* of ranks that are threads: those that have no cores */
    int is_other;           /* not rank 0, which speaks for all */
    char device_name[48];
    rd_rank_stats *rank_stats; /* at rank 0, of the last trial */

    rd_device *device;
    rd_graph *graph;
    rd_job *job;
    rd_plan plan;
    app_trial *trial;
    size_t done;     /* trials that ended */
    FILE *text;      /* the report; NULL when quiet or JSON takes its place */
    FILE *json_file; /* the stream of `records`, or NULL */
    rd_output *records;
} app_run;

/* Takes the command line in. @return 0, or an exit code after printing what is wrong. */
int app_parse(app_run *run, int argc, char **argv);

/* Adds "17" or "3,5,8" to the sources. @return 0 after printing a usage error. */
int app_add_sources(app_run *run, const char *list);
/* Makes run->source complete once the graph is open: draws random ones, checks ranges. @return an exit code. */
int app_choose_sources(app_run *run);
/* All ranks: what the report and the output will call vertices. */
int app_learn_names(app_run *run);

/* -o FILE or -o ARRAY=FILE. @return 0, or an exit code after printing. */
int app_take_output(app_run *run, const char *value);
/* @return how many outputs are standard output. */
int app_writes_stdout(const app_run *run);
/* What is wrong with the outputs, before any work is done. @return 0, or an exit code after printing. */
int app_check_outputs(const app_run *run);
/* After the last trial. @return an exit code. */
int app_write_results(app_run *run);

void app_print_plan(const app_run *run, FILE *out);
void app_print_trial(const app_run *run, size_t index, size_t trials);
void app_print_summary(const app_run *run);

/* @return 0 when the line was written. */
int app_json_plan(const app_run *run, FILE *out);
int app_json_trial(const app_run *run, size_t index, FILE *out);

/* What the job changed by itself in a trial: for --explain, and for its record (app_switches.c). */
void app_print_switches(const app_run *run, size_t index, FILE *out);
void app_json_switches(const app_run *run, size_t index, rd_json *json);
int app_json_summary(const app_run *run, FILE *out);

#endif
