/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study.h - which switches to turn on: points that `raddle study` measured (an app on an input on a device, in one
 * configuration of switches, several times), and what they say together. After chapter 4 of T. Sorensen,
 * "Inter-workgroup Barrier Synchronisation on Graphics Processing Units", 2018. docs/study.md has the words and the
 * method. The rules of raddle.h hold here too.
 */
#ifndef RADDLE_STUDY_H
#define RADDLE_STUDY_H

#include "../raddle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Significance ---- */

#define RD_STUDY_ALPHA 0.05 /* what is less likely than this is no accident */

/* The Mann-Whitney U test, two-sided: how likely would two samples of one distribution differ in rank at least as these
 * do? Exact, also with ties, for up to 20 values together; beyond by the normal approximation, corrected for ties and
 * continuity. @return the probability; 1 when a sample is empty, NaN when memory ran out. */
RD_API double rd_mann_whitney(const double *left, size_t lefts, const double *right, size_t rights);

/* ---- Points ---- */

enum { RD_STUDY_SWITCHES = 31 };     /* at most; a configuration is a set of bits */
#define RD_STUDY_DEFAULTS "defaults" /* the config of an app of which nothing was set: what it chooses by itself */

typedef struct rd_study rd_study;
RD_API rd_status rd_study_create(rd_study **study, rd_error *err);
RD_API void rd_study_destroy(rd_study *study);

typedef struct rd_study_point {
    const char *device, *model; /* "opencl:0.0", and its maker's name: devices of one name may be several */
    const char *app, *input;
    const char *config;    /* switches that are on, parted by commas; "": none */
    const double *seconds; /* each run's */
    size_t count;          /* 0: it could not be measured; it is kept for rd_study_has only */
    const char *primitive; /* the app that it is a variant of; NULL: itself. The first point of an app says it */
} rd_study_point;

/* Adds a point. One that is there already gets more runs. */
RD_API rd_status rd_study_add(rd_study *study, const rd_study_point *point, rd_error *err);
/* @return 1 when the point is there, with runs or without; model NULL: of any. */
RD_API int rd_study_has(const rd_study *study, const rd_study_point *point);

/* A number that explains: what a microbenchmark said of a device. The last one of a name counts. */
RD_API rd_status rd_study_add_fact(rd_study *study, const char *device, const char *model, const char *name,
                                   double value, rd_error *err);
RD_API int rd_study_has_fact(const rd_study *study, const char *device, const char *model, const char *name);

typedef struct rd_study_lines {
    size_t points, facts, others,
        broken; /* others: whole records of something else; broken: cut off, or no JSON object */
} rd_study_lines;
/* Adds the points of a file of JSON Lines; lines may be NULL. What is broken is passed over and counted: an interrupted
 * study may leave half a line behind. "-" is standard input. */
RD_API rd_status rd_study_read(rd_study *study, const char *path, rd_study_lines *lines, rd_error *err);

/* ---- What they say ---- */

/* Names are the study's, and live as long as it does. `on` is a set of switches: bit i is switch[i]. A test is an app
 * on an input on a device. "Faster" and "slower" mean significantly, by medians, than the same test with all off. */
typedef struct rd_study_switch {
    const char *name;
    size_t pairs, sure; /* configurations that differ in it alone, over all tests; those whose times differ for sure */
    double median, p;   /* of time on over time off, of the sure ones; how likely that is an accident */
    int on;             /* it is worth turning on everywhere */
    size_t tests;       /* in which it can be on */
    size_t needed;      /* of them: the best configuration has it, and is slower for sure without */
    size_t harmful;     /* of them: the best configuration has not, and is slower for sure with it */
} rd_study_switch;

typedef struct rd_study_config {
    uint32_t on;
    size_t tests, faster, slower, best; /* best: tests in which none is faster */
    double speedup;                     /* geometric mean, of all off over this */
} rd_study_config;

typedef struct rd_study_strategy {
    const char *name; /* "baseline" (all off), "global", "device", "device+app" ..., "oracle" (the best of each test) */
    size_t tests;     /* for which its choice was measured */
    size_t faster, slower;
    double over_best; /* geometric mean of time over that of the best configuration */
} rd_study_strategy;

typedef struct rd_study_choice {
    const char *strategy;
    const char *device, *app, *input; /* NULL: of all */
    uint32_t on;
} rd_study_choice;

typedef struct rd_study_extreme {
    double times; /* how many times faster, or slower, than all off; 0: never for sure */
    uint32_t on;
    const char *app, *input;
} rd_study_extreme;

typedef struct rd_study_device {
    const char *name, *model;
    size_t tests, gains; /* gains: tests of which some configuration is faster */
    rd_study_extreme fastest, slowest;
} rd_study_device;

typedef struct rd_study_fact {
    const char *device, *name;
    double value;
} rd_study_fact;

/* What an app chooses by itself, beside the best configuration of all its variants on that input and device. */
typedef struct rd_study_default {
    const char *device, *app, *input;
    double seconds, best_s; /* medians */
    int slower;             /* for sure */
    const char *best_app;   /* the variant that is best, in the configuration `on` */
    uint32_t on;
} rd_study_default;

typedef struct rd_study_result {
    size_t points, tests, apps, inputs, samples; /* samples: least of a point */
    size_t switches, configs, strategies, choices, devices, facts, defaults;
    rd_study_switch *of_switch;
    rd_study_config *of_config; /* fewest slower first */
    rd_study_strategy *of_strategy;
    rd_study_choice *of_choice;
    rd_study_device *of_device;
    rd_study_fact *of_fact;
    rd_study_default *of_default;
    double default_over_best; /* geometric mean; 0: there are none */
    /* devices x devices: geometric mean, over what both have run, of the time on device i in the configurations that
     * are best on device j, over that in its own best ones; 0: they have nothing in common. */
    double *moved;
} rd_study_result;

/* Works it all out. only: names of switches, parted by commas, as if there were no others; NULL: all. Tests without a
 * measured configuration "all off" are left out. RD_EINPUT: no test is left, or no point has a switch of that name. */
RD_API rd_status rd_study_analyse(const rd_study *study, const char *only, rd_study_result **result, rd_error *err);
RD_API void rd_study_result_free(rd_study_result *result);
/* Writes the names of the switches of a set, parted by commas; "none". @return text */
RD_API char *rd_study_names(const rd_study_result *result, uint32_t on, char *text, size_t bytes);

#ifdef __cplusplus
}
#endif
#endif
