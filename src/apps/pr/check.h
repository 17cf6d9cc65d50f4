/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - are these PageRanks? Knows nothing of how they were found. */
#ifndef RD_PR_CHECK_H
#define RD_PR_CHECK_H

#include "core/error.h"

/* What was asked for. */
typedef struct rd__pr_question {
    double alpha;
    double tolerance;    /* the run stopped when ranks changed by less: */
    int by_total;        /* ... in total (1), or each (0) */
    int spread;          /* ranks sum up to 1: vertices without edges pass on to all alike */
    int counted;         /* a number of iterations was asked for: after so many, the result is that of as many */
    uint32_t iterations; /* the run was cut off after so many; RD_NONE: no. Not counted, it only has to be as good as
                            they make it. */
    int symmetric;       /* who has an edge to a vertex has one from it: a vertex asks its own edges what it gets */
} rd__pr_question;

/* Ranks to compare with, worked out once for a graph and a question. All zero: not yet. */
typedef struct rd__pr_ranks {
    double *rank;       /* NULL: not yet */
    double sunk;        /* the ranks of vertices without edges */
    rd__pr_question of; /* that it was made for */
} rd__pr_ranks;

/* Uses what is in *right when that fits the question, else works it out; the caller keeps it for the same graph and
 * frees it. @return RD_OK, RD_EWRONG with the worst vertex, RD_ENOMEM. */
rd_status rd__pr_check(const rd_csr *csr, const rd__pr_question *asked, rd__pr_ranks *right, const float *rank,
                       rd_error *err);
void rd__pr_ranks_free(rd__pr_ranks *right);

/* For checkers in parts: how far ranks may be off in all, and how much of each is rounding. sunk: the sum of the ranks
 * of sinks. */
double rd__pr_allowed(const rd__pr_question *asked, double sunk);
double rd__pr_rounding(double alpha);

#endif
