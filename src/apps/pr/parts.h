/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h - PageRank over several ranks. */
#ifndef RD_APPS_PR_PARTS_H
#define RD_APPS_PR_PARTS_H

#include "apps/app.h"
#include "apps/pr/check.h"

typedef struct rd__pr_parts {
    rd__pr_question asked;
    double stops_below;
    uint32_t limit;         /* most iterations */
    int each;               /* sinks pass on in each iteration; else ranks are scaled in the end, where asked.spread */
    const rd_graph *walked; /* whose edges lead to vertices from those that pass on to them */
    rd__buffer *told, *share;
    float *base;         /* the kernel's: set before each iteration */
    float *rank;         /* out: of own vertices */
    uint32_t iterations; /* out */
    double change;       /* out */
    uint32_t best;       /* out: the vertex that ranks highest, and its rank */
    float best_rank;
} rd__pr_parts;

rd_status rd__pr_run_parts(rd_job *job, rd__pr_parts *pr, rd__slice_fn slice, rd_report *report, rd_error *err);
rd_status rd__pr_check_parts(rd_job *job, const rd_graph *walked, const rd__pr_question *asked, const float *rank,
                             rd_error *err);

#endif
