/* SPDX-License-Identifier: Apache-2.0 */
/* way.h - PageRank in rounds: which kinds of iterations suit a graph and a device. pr/pr.k.c says what they are. */
#ifndef RD_APPS_PR_WAY_H
#define RD_APPS_PR_WAY_H

#include "apps/app.h"

enum { RD__PR_AUTO, RD__PR_JACOBI, RD__PR_IN_PLACE }; /* the option update */

typedef struct rd__pr_way {
    uint32_t ways; /* pr/layout.k.h */
    int guesses;   /* ranks start by degrees, not all alike */
    float leap;    /* how much further leaps go, or relaxed iterations; 0: there are none */
} rd__pr_way;

/* On a symmetric graph: how far off ranks by degrees are, beside ranks that are all alike; from a sample. joined:
 * vertices that have edges. */
double rd__pr_off_by_degrees(const rd_csr *csr, uint64_t joined);

/* update: the option; counted: so many iterations are asked for, and are Jacobi's. */
rd__pr_way rd__pr_find_way(const rd_job *job, uint32_t update, int counted, double alpha, double off_by_degrees);

#endif
