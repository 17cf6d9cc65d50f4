/* SPDX-License-Identifier: Apache-2.0 */
/* criterion.h - what a scheduler promises: a condition on threads that have ended and that have started. */
#ifndef RD_FAIRNESS_CRITERION_H
#define RD_FAIRNESS_CRITERION_H

#include "fairness/model.h"

enum { FAIR_NODES = 64, FAIR_VARIABLES = 4 }; /* of a criterion */

typedef struct fair_node {
    uint8_t kind;        /* criterion.c */
    uint8_t left, right; /* nodes; or variables and numbers of a comparison */
} fair_node;

typedef struct fair_criterion {
    const char *text; /* name, or the criterion itself */
    fair_node node[FAIR_NODES];
    uint32_t nodes;
    uint8_t root, uses_order; /* uses_order: it tells threads apart by their numbers */
} fair_criterion;

/* A name of rd_fairness_schedulers, or a criterion. */
rd_status rd__fair_criterion(fair_criterion *criterion, const char *text, rd_error *err);
/* @return the threads, of those enabled, that the scheduler promises to run. */
uint32_t rd__fair_promised(const fair_criterion *criterion, uint32_t threads, uint32_t enabled, uint32_t started);

#endif
