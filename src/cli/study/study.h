/* SPDX-License-Identifier: Apache-2.0 */
/* study.h - what the files of `raddle study` share. */
#ifndef RD_CLI_STUDY_H
#define RD_CLI_STUDY_H

#include "cli/open_device.h"
#include "raddle/study.h"

enum { STUDY_SWITCHES = 16, STUDY_APPS = 64, STUDY_INPUTS = 16, STUDY_DEVICES = 16, STUDY_TEXT = 512 };

/* A switch sets an option to one value or another. Several of one option are joined by commas when they are on. */
typedef struct study_switch {
    char name[24], key[24], on[24], off[24];
} study_switch;

/* An app with options that all configurations share. */
typedef struct study_app {
    char name[40]; /* what records call it: "bfs-topo" */
    const rd_app_info *app;
    const char *sched; /* NULL: nothing is set, it chooses by itself */
    char sets[128];    /* "key=value key=value" */
} study_app;

typedef struct study_job {
    study_switch of_switch[STUDY_SWITCHES];
    study_app app[STUDY_APPS];
    const char *input[STUDY_INPUTS];
    cli_device_choice choice[STUDY_DEVICES];
    rd_device *device[STUDY_DEVICES];
    size_t switches, apps, inputs, devices;
    uint64_t runs, jobs;
    double budget, limit; /* seconds: of all that is measured, of a run; 0: none */
    double deadline;      /* of the budget, by rd_now; 0: none */
    const char *output, *csv;
    char only[STUDY_TEXT]; /* switches that were asked for by name, parted by commas; empty: all */
    int quick, quiet, list, micro, defaults, analyse, compile;
    rd_study *points; /* that files have */
    FILE *out;        /* where records go */
    rd_progress_line line;
    uint64_t done, todo, failed, wrong; /* points of this command */
    /* The graph that is open. */
    rd_graph *graph;
    const char *graph_input;
    int graph_weighted;
    /* The last result that was proved, and whose it is. */
    void *proved;
    size_t proved_bytes;
    const study_app *proved_app;
    const rd_graph *proved_graph;
} study_job;

/* One point: where, what, and which switches are on. */
typedef struct study_point {
    const study_app *app;
    const char *input;
    rd_device *device;
    uint32_t can, on;         /* sets of the job's switches */
    char config[STUDY_TEXT];  /* their names */
    char options[STUDY_TEXT]; /* what they set: "key=value key=value" */
} study_point;

/* plan.c: switches and apps. Each returns 0, or an exit code after printing why not. */
int study_add_switch(study_job *job, const char *text);
int study_add_app(study_job *job, const char *text);
/* What is studied unless the user says. */
int study_add_defaults(study_job *job);
/* The switches that mean something for an app on a device. */
uint32_t study_can(const study_job *job, const study_app *app, const rd_device_info *info);
/* Fills what the set `on` of `can` comes to. @return 0: these cannot be on together. */
int study_configure(const study_job *job, study_point *point);
void study_print_list(const study_job *job, FILE *out);

/* run.c */
typedef rd_status (*study_visit)(study_job *job, study_point *point, void *user, rd_error *err);
/* Visits all points of the open devices that the files do not have, input by input: with their graph open, until it is
 * time; or without, to count them. */
rd_status study_each(study_job *job, int with_graph, study_visit visit, void *user, rd_error *err);
int study_run(study_job *job);
/* @return 1: the user or the budget says that it is time. */
int study_over(const study_job *job);

/* measure.c: one point, or its kernels alone. */
rd_status study_measure(study_job *job, study_point *point, rd_error *err);
rd_status study_prepare(study_job *job, study_point *point, rd_error *err);
rd_status study_measure_device(study_job *job, rd_device *device, rd_error *err);

/* warm.c: kernels of all points compiled by several processes. Before any device is open. */
int study_warm(study_job *job);

/* report.c, csv.c */
void study_report(FILE *out, const rd_study_result *result);
int study_csv(FILE *out, const char *table, const rd_study_result *result);

#endif
