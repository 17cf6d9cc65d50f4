/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack.h - what hubs pass on, side by side. In sweeps PageRank reads one word for each edge, at random, and the words
 * of hubs, which most edges of a skewed graph lead to, lie alone in their lines: the first-level cache of a GPU has
 * room for few. So the share of a hub is written a second time, behind those of all vertices, where hubs are
 * neighbours, and the edges that are walked are a copy in which a hub has the number of that place, and comes first. To
 * make the copy takes as long as some hundred iterations, so by default a job does that when it is run a second time.
 */
#ifndef RD_APPS_PR_PACK_H
#define RD_APPS_PR_PACK_H

#include "apps/app.h"

enum { RD__PR_HUBS = 48 << 10 }; /* most of them: their words fill three quarters of such a cache */

/* The option `pack`. */
enum { RD__PR_PACK_AUTO, RD__PR_PACK_ON, RD__PR_PACK_OFF };

/* Is it worth a look? By what is known without one, so that a plan can say what it takes. */
int rd__pr_may_pack(const rd_device *device, const rd_graph *graph, uint32_t option);

typedef struct rd__pr_packed {
    int room;         /* arrays of shares have RD__PR_HUBS words more: it may be done */
    uint32_t runs;    /* that could have used it */
    uint64_t degree;  /* hubs have at least so many edges; 0: none is packed */
    rd__buffer place; /* the number of each hub among them */
    rd__buffer col;   /* targets of the edges that are walked, with such numbers */
} rd__pr_packed;

void rd__pr_pack_plan(const rd_csr *csr, rd_plan *plan);
/* Before each run in rounds: does it, once, when it is time. out: the graph, whose degrees say what is a hub; walked:
 * the same, or turned round. */
rd_status rd__pr_pack(rd_device *device, const rd_csr *out, const rd_csr *walked, uint32_t option,
                      rd__pr_packed *packed, rd_error *err);
void rd__pr_packed_free(rd__pr_packed *packed);

#endif
