/* SPDX-License-Identifier: Apache-2.0 */
/* selftest.h - the conformance suite inside the library: cases that run on any device, each against a serial model. */
#ifndef RD_SELFTEST_H
#define RD_SELFTEST_H

#include "device/device.h"

typedef struct rd__test {
    rd_device *device;
    uint32_t repeats; /* scale of stress */
    uint32_t units;   /* that the device says it has, and may have more; 0: it says the truth */
    uint64_t seed;
    char note[128];         /* what a passing case may want to say */
    const rd_app_info *app; /* of cases that run for each app */
} rd__test;

/* A case that is for apps is run once for each of them in the table of apps, as NAME/APP: no list to keep. */
typedef enum rd__test_each { RD__ONCE, RD__EACH_APP, RD__EACH_GRAPH_APP, RD__EACH_SAMPLE_APP } rd__test_each;

typedef struct rd__test_case {
    const char *name;
    rd_status (*run)(rd__test *test, rd_error *err);
    rd__test_each each;
} rd__test_case;

/* Tables, ended by name NULL. */
extern const rd__test_case rd__dialect_cases[], rd__litmus_cases[], rd__barrier_cases[], rd__queue_cases[],
    rd__deque_cases[], rd__crew_cases[], rd__fifo_cases[], rd__bsp_cases[], rd__heap_cases[], rd__rank_cases[],
    rd__tiles_cases[], rd__app_cases[], rd__sample_cases[], rd__stop_cases[], rd__turn_cases[], rd__pr_cases[],
    rd__model_cases[], rd__task_model_cases[], rd__cc_cases[], rd__steal_cases[], rd__seed_cases[],
    rd__progress_cases[], rd__shape_cases[], rd__command_cases[];

/* A loaded program with buffers that go away together. */
typedef struct rd__rig {
    rd_device *device;
    rd__program *program;
    rd__buffer buffer[4];
    uint32_t lanes, groups;
} rd__rig;

/* Loads `program` (a selftest root) for `lanes`, and says how many groups to launch: all that are resident, at most
 * `most`. */
rd_status rd__rig_load(rd__rig *rig, rd_device *device, const char *program, const char *root, uint32_t lanes,
                       uint32_t most, rd_error *err);
/* Allocates buffer i and fills it with word. */
rd_status rd__rig_buffer(rd__rig *rig, int i, uint64_t bytes, uint32_t word, rd_error *err);
rd_status rd__rig_launch(rd__rig *rig, const char *kernel, const rd__arg *args, uint32_t count, rd_error *err);
void rd__rig_free(rd__rig *rig);

/* The widths worth testing on a device: odd ones, a warp, just over, the largest. *count entries, ended as the device
 * allows. */
const uint32_t *rd__test_widths(const rd_device *device, size_t *count);

/* @return 1 when lanes take turns, or are threads: each group barrier costs much. */
int rd__test_has_threads(const rd__test *test);
/* @return 1 when that is so, or there are so few repeats that a tool must be watching each access: inputs are small. */
int rd__test_is_small(const rd__test *test);
int rd__test_is_watched(const rd__test *test);
/* @return 1 when the device has this launch, and a tool that watches can follow it: compute-sanitizer (2025.3) does not
 * know the shape of launches that the device repeats, and fails in them. */
int rd__test_has_launch(const rd__test *test, const char *launch);
/* Is this the app to show what the engine of a scheduler does with? Where a compiler of kernels takes seconds for each
 * pair of the two, it is the first one in the list that runs under it; elsewhere all are. */
int rd__test_shows_engine(const rd__test *test, const rd_app_info *app, const char *sched);
/* @return 1 when that is so or programs compile slowly: a part of the settings has to do. */
int rd__test_is_slow(const rd__test *test);

/* @return 1 when its app is the first of those that take what it takes: on slow devices one has to show that the rest
 * would do too. */
int rd__test_is_first(const rd__test *test);
/* Sets what a sample of an app says: "INPUT key=value key=value". Options come first: they may shape the input. */
rd_status rd__test_set_sample(rd_job *job, const char *sample, rd_error *err);
/* Runs a job and has its result checked; and the workers that it said it would have. where: for the error. report may
 * be NULL. */
rd_status rd__test_run(rd_job *job, const char *where, rd_report *report, rd_error *err);

/* A job of the test's app under one engine and launch, on one input: what is varied by rd__test_every_engine. */
typedef struct rd__test_setting {
    const rd_app_info *app;
    const char *sched, *launch;
    const char *input; /* a graph, or a sample of the app */
} rd__test_setting;
typedef rd_status (*rd__test_setting_fn)(rd__test *test, const rd__test_setting *setting, const rd_graph *graph,
                                         void *user, rd_error *err);
/* Calls fn for the app under every engine and launch that this device is to show, on at most `most` of its samples, or,
 * of an app on graphs, on each of `graphs`. graph is NULL for a sample. */
rd_status rd__test_every_engine(rd__test *test, const char *const *graphs, int most, rd__test_setting_fn fn, void *user,
                                rd_error *err);
/* Gives a new job the setting. */
rd_status rd__test_set_up(rd_job *job, const rd__test_setting *setting, const rd_graph *graph, rd_error *err);

#endif
