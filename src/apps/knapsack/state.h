/* SPDX-License-Identifier: Apache-2.0 */
/* state.h - what the files of knapsack's host side share. */
#ifndef RD_APPS_KNAPSACK_STATE_H
#define RD_APPS_KNAPSACK_STATE_H

#include "apps/app.h"
#include "apps/knapsack/core.h"
#include "apps/knapsack/layout.k.h"

#include "raddle/tool.h"

#define KNAPSACK_ASK UINT64_MAX /* of an option that was not set */

/* Sizes of buffers, by the options and the device. */
typedef struct knapsack_sizes {
    uint32_t slots, trail, table_bits;
    uint32_t key_bits, value_bits; /* of the table: see knapsack/layout.k.h */
} knapsack_sizes;

/* Of several ranks: ranks.c. */
typedef struct knapsack_share {
    uint32_t *slot, count; /* of tasks that wait */
    uint32_t *used;        /* what the device has, between two whiles */
    uint64_t budget, best;
} knapsack_share;

typedef struct knapsack_state {
    /* options; KNAPSACK_ASK: by the device */
    uint64_t seed, dive, pool, trail_size, table_size, states;
    char *trace_path;
    /* the input */
    rd__knapsack_items items;
    rd__knapsack_core core;
    /* on the device */
    knapsack_sizes sizes;
    rd__buffer problem, prefix, step, pool_buffer, used, trail, table, control;
    knapsack_share share;
    uint64_t epoch; /* of the table; 0: it was never cleared */
    rd_output *trace;
    double began; /* rd_now() when the search did */
    /* of the last run */
    uint64_t value, weight, bound, nodes, hopeless, dominated, solutions, trail_used, collections;
    rd_error look_error; /* of knapsack_look, which cannot return one */
    uint32_t *chosen, chosen_count;
    double download_s;
} knapsack_state;

knapsack_sizes rd__knapsack_sizes(const rd_job *job);
/* @return how many bits the number has; of 0 none. */
uint32_t rd__knapsack_bits(uint64_t number);
/* Between launches: makes room in the trail. */
rd_status rd__knapsack_collect_trail(knapsack_state *own, rd_error *err);
/* Reads the best solution and the counters off the device, and makes the path into items. */
rd_status rd__knapsack_fetch(rd_job *job, rd_error *err);
/* Of several ranks: is a solution of this value written down here? And the nodes that were looked at. */
rd_status rd__knapsack_has_solution(const knapsack_state *own, uint64_t value, int *has, rd_error *err);
rd_status rd__knapsack_count_nodes(knapsack_state *own, uint64_t *nodes, rd_error *err);

#endif
