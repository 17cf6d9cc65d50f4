/* SPDX-License-Identifier: Apache-2.0 */
/* view.h - a study as the analysis looks at it: tests that have a configuration with all switches off, with medians,
 * and which differences are significant. */
#ifndef RD_STUDY_VIEW_H
#define RD_STUDY_VIEW_H

#include "study/study.h"

typedef struct rd__cell {
    uint32_t on;
    const double *seconds;
    size_t count;
    double median;
    uint32_t pairs; /* of `on`: the same configuration without that switch was measured too */
    uint32_t sure;  /* of pairs: and its time is another one for sure */
    int effect;     /* against all off: -1 faster for sure, 1 slower for sure, 0 neither */
} rd__cell;

typedef struct rd__case {
    size_t device, app, input;
    rd__cell *cell;
    size_t cells;
    const rd__cell *base, *best; /* all off; the fastest */
    uint32_t can;                /* switches that are on in some cell */
} rd__case;

typedef struct rd__view {
    const rd_study *study;
    uint32_t only; /* points with other switches are not looked at */
    rd__case *test;
    size_t tests;
    rd__cell *cell; /* of all tests */
    size_t cells;
    double *scratch;                      /* two numbers for each cell, or as many as a point has, if that is more */
    uint32_t together[RD_STUDY_SWITCHES]; /* switches that are ever on with this one */
    int failed;                           /* memory ran out in a test of significance: nothing of this counts */
} rd__view;

/* rd__view_close afterwards, whatever happened. */
rd_status rd__view_open(rd__view *view, const rd_study *study, uint32_t only, rd_error *err);
void rd__view_close(rd__view *view);
/* @return the cell of exactly these switches; NULL: there is none. */
const rd__cell *rd__view_find(const rd__case *test, uint32_t on);
/* Do the times differ for sure? */
int rd__view_differ(rd__view *view, const rd__cell *left, const rd__cell *right);

/* strategies.c: Algorithm 4.1. Which parts of a test's name a strategy knows: */
enum { RD__BY_DEVICE = 1, RD__BY_APP = 2, RD__BY_INPUT = 4 };
typedef struct rd__effect {
    size_t pairs, sure;
    double median, p;
} rd__effect;
int rd__view_alike(const rd__case *left, const rd__case *right, uint32_t by);
/* What each switch does in the tests that are like this one in what is known; @return the set that is worth turning on.
 * effect: RD_STUDY_SWITCHES of them. */
uint32_t rd__view_choose(rd__view *view, const rd__case *like, uint32_t by, rd__effect *effect);
/* Fills of_strategy and of_choice, which have room. */
void rd__view_strategies(rd__view *view, rd_study_result *result, uint32_t *chosen);
enum { RD__STRATEGIES = 9 };

/* defaults.c: what apps choose by themselves, beside the best. Fills of_default, which has room. */
void rd__view_defaults(rd__view *view, rd_study_result *result);

#endif
