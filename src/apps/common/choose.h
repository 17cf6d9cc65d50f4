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
    uint32_t width;   /* vertices a level of it */
    uint32_t widest;  /* vertices of its widest level, but for the last */
    uint32_t half;    /* levels that had the first half of them */
    int is_deep;      /* few vertices a level: a search of this graph has very many levels */
    int is_thin;      /* hardly more than one vertex a level */
    int is_narrow;    /* fewer than 16 */
    int is_strip;     /* deep, and its levels are no wider in the end: one core may run each alone */
    int is_small;     /* what the hub reaches is less than the sample */
    int is_skewed;    /* the highest degree is more than 64 times the mean */
    int is_star;      /* a forest, or nearly one, in which a vertex has a quarter of all edges */
    uint32_t vertices;
    uint64_t edges;
} rd__facts;

typedef struct rd__choice {
    uint32_t want, avoid; /* RD__ENGINE_...: the first engine that is all of the one and none of the other */
    /* any: by the rule for all, in job/choose.c; graph: where the device has it, else so too */
    enum { RD__ANY_LAUNCH, RD__DISCRETE, RD__PERSISTENT, RD__GRAPH } launch;
    const char *reason; /* one clause: "the graph is deep and sparse, so ..." */
} rd__choice;

/* How many workers the run will have on a CPU: as many as were asked for, or its threads. 0: there is no device yet. */
uint32_t rd__workers_of(const rd_job *job);

/* The rule of apps with ranked tasks: few workers gain from their order, which need not be
 * exact when there are several; very many are kept busy better by rounds
 * without one. */
void rd__choose_ranked(const rd_job *job, const rd__facts *facts, rd__choice *choice);

/* The rule of searches from a few vertices. Levels of a deep graph are shorter than the barrier between them. Of a
 * chain, or a thing not much wider, they are so short that one worker runs them alone, without a barrier, sooner than
 * tasks pass a queue. */
void rd__choose_search(const rd_job *job, const rd__facts *facts, rd__choice *choice);

/* On a GPU a launch a round is sooner than one launch with a barrier of all groups a round where rounds have work for
 * all of them, and later where they are so narrow that a few groups run them. Launches that the device repeats by
 * itself, or else, where `else_discrete`, those of the host. */
void rd__choose_a_launch_a_round(const rd__facts *facts, int else_discrete, rd__choice *choice);
/* Vertices from which on the rounds of a graph without hubs have work for all groups of a GPU. */
enum { RD__WIDE_VERTICES = 1 << 17 };

/* The rule of task graphs: one queue serves very many workers soonest, a deque each a few. */
void rd__choose_dag(const rd_job *job, const rd__facts *facts, rd__choice *choice);

#endif
