/* SPDX-License-Identifier: Apache-2.0 */
/* labels.h - components over several ranks, as their files see them: ranks_labels.c runs them, ranks_links.c has what
 * ranks tell each other, ranks_passed.c edges that engines have passed over. */
#ifndef RD_JOB_LABELS_H
#define RD_JOB_LABELS_H

#include "job/ranks.h"

/* Components of this part, by one of their vertices. */
typedef struct rd__components {
    uint32_t *of;
    uint64_t count, room;
} rd__components;

typedef struct rd__labels {
    rd__part *part;
    uint32_t ranks;
    uint64_t vertices; /* own and ghosts */
    uint32_t *of;      /* of each vertex one of its component that is not above it; of a root itself */
    int is_copy;       /* else that is the device's memory */
    uint32_t *value;   /* of roots that are own vertices: labels */
    uint32_t *slot;    /* likewise, while links are told: place in `told`, and 1; 0: not there. In the end: vertices */
    uint32_t large;    /* a vertex of the largest component, or thereabouts; RD_NONE: there is none */
    int skipped;       /* of which not all edges were looked at */
    rd__components *told;   /* of rank r: the components that it was told of; the first is the largest, */
    rd__components *heard;  /* and those that its components are linked to, in its order */
    uint32_t *others;       /* labels of all ranks' largest components; RD_NONE: all its edges were looked at */
    uint64_t edges;         /* to ghosts, that were looked at here */
    rd__deal *deal;         /* to each rank, and behind that from each */
    uint64_t turns;
} rd__labels;

/* The root of a vertex; the way there gets shorter. */
static inline uint32_t rd__labels_root(const rd__labels *l, uint32_t v)
{
    uint32_t *of = l->of;
    while (of[v] != v)
        v = of[v] = of[of[v]];
    return v;
}

/* Two vertices are joined. Their roots are to be own vertices. @return the root of both. */
uint32_t rd__labels_unite(rd__labels *l, uint32_t u, uint32_t v);
/* A message from another rank has no such form. */
rd_status rd__labels_no_sense(uint32_t from, uint64_t bytes, rd_error *err);
/* All ranks: deal[0 .. ranks - 1] goes, and is freed; what comes is behind. */
rd_status rd__labels_swap(rd__labels *l, rd_error *err);

/* All ranks: links, then turns until nobody has news. */
rd_status rd__labels_link(rd__labels *l, rd_error *err);

/* All ranks: components of parts, as an engine has left them, get the labels of those of the whole graph. */
rd_status rd__labels_join(rd__labels *l, const rd_csr *csr, rd_error *err);

#endif
