/* SPDX-License-Identifier: Apache-2.0 */
/* choose.h - what an app's rule for defaults sees, and what it says. docs/defaults.md has the rules in words. */
#ifndef RD_APPS_CHOOSE_H
#define RD_APPS_CHOOSE_H

#include "apps/app.h"

/* What is cheap to know before a run. */
typedef struct rd__facts {
    int is_gpu;
    int is_cpu; /* the back end cpu; a CPU behind OpenCL is neither */
    int loops;  /* the device repeats launches by itself */
    double mean_degree;
    double skew;      /* highest degree over mean degree */
    uint32_t levels;  /* of a search from the hub that was given up after a sample of vertices */
    uint32_t sampled; /* vertices it saw */
    int is_deep;      /* few vertices a level: a search of this graph has very many levels */
} rd__facts;

typedef struct rd__choice {
    uint32_t want, avoid; /* RD__ENGINE_...: the first engine that is all of the one and none of the other */
    /* any: by the rule for all, in job/choose.c; graph: where the device has it, else so too */
    enum { RD__ANY_LAUNCH, RD__DISCRETE, RD__PERSISTENT, RD__GRAPH } launch;
    const char *reason; /* one clause: "the graph is deep and sparse, so ..." */
} rd__choice;

/* The rule of apps with ranked tasks: few workers gain from their order, which need not be
 * exact when there are several; very many are kept busy better by rounds
 * without one. */
void rd__choose_ranked(const rd_job *job, const rd__facts *facts, rd__choice *choice);

/* Rounds of deep graphs of this size have so many tasks each that all groups of a GPU share them, and so few that a
 * barrier of all is most of them: a launch a round is sooner. Elsewhere the rule for all. */
void rd__choose_wide_rounds(const rd_job *job, const rd__facts *facts, rd__choice *choice);

/* The rule of task graphs: one queue serves very many workers soonest, a deque each a few. */
void rd__choose_dag(const rd_job *job, const rd__facts *facts, rd__choice *choice);

#endif
