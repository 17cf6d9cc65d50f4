/* SPDX-License-Identifier: Apache-2.0 */
/* explore.h - all states that a model can be in. */
#ifndef RD_FAIRNESS_EXPLORE_H
#define RD_FAIRNESS_EXPLORE_H

#include "core/watch.h"
#include "fairness/machine.h"
#include "fairness/store.h"

typedef struct fair_search {
    const rd_fairness *m;
    int symmetry, partial_order; /* footprint.c has why they are sound */
    unsigned threads;
    rd__watch watch;
    fair_store store;
    uint64_t states, transitions;
    fair_fault fault;                   /* the first one, if its kind is not FAIR_FINE */
    uint32_t fault_state, fault_thread; /* it is this thread's step from there; FAIR_NONE: it is the state */
} fair_search;

/* Stops at the end of the first block in which a fault was found. The store is closed by the caller in any case. */
rd_status rd__fair_explore(fair_search *search, uint64_t memory, rd_error *err);

/* Sorts the blocks of like threads. from[i]: where the block that is now the i-th was. */
void rd__fair_sort(const rd_fairness *m, uint8_t *state, uint8_t from[FAIR_THREADS]);
/* The state that all begins with. */
int rd__fair_first(const rd_fairness *m, uint8_t state[FAIR_STATE], fair_fault *fault);

#endif
