/* SPDX-License-Identifier: Apache-2.0 */
/* least.h - a search over several ranks, as its files see it: ranks_least.c runs it, ranks_look.c looks through all
 * words, ranks_pull.c has the levels that go against the edges, ranks_parents.c finds parents when all is done. */
#ifndef RD_JOB_LEAST_H
#define RD_JOB_LEAST_H

#include "job/ranks.h"

/* What ranks add up when all is quiet below the limit. */
enum { RD__LEAST_TASKS = RD__QUIET_OWN, RD__LEAST_DUE, RD__LEAST_SETTLED, RD__LEAST_EDGES, RD__LEAST_LEFT };

typedef struct rd__record {
    uint32_t vertex; /* of its owner's part */
    uint32_t value;
} rd__record;

typedef struct rd__least {
    rd_job *job;
    rd_ranks *ranks;
    const rd__part *part;
    rd__buffer *values;
    uint32_t *value; /* own vertices, then ghosts: the device's memory, or a copy */
    int is_copy;
    int real;         /* words are the bits of floats */
    uint32_t *sent;   /* of each ghost, the last word that was sent; 0: its owner is known to have as good a one */
    uint32_t *seed;   /* own vertices that are to run, */
    uint32_t seeds;   /* each once: */
    uint64_t *queued; /* a bit a vertex */
    rd__record *out;  /* room for one owner's records */
    rd__quiet quiet;
    uint32_t limit;
    double width, first_width;
    uint64_t little; /* tasks of a window for each rank, below which it is too narrow */
    uint64_t window_tasks, windows, records;
    uint64_t waiting;                 /* least word at or beyond the limit; UINT64_MAX: none */
    uint64_t settled, settled_before; /* own vertices below the limit; and when the window began */
    uint64_t edges, left;             /* of vertices that wait; of those that nobody has come to */
    int looked;                       /* all these are up to date */
    int pulls;                        /* levels may go against the edges */
    int pulled;                       /* the last one did */
    uint64_t pulled_levels;
    uint64_t *front, *next, *bare; /* bits: of the level, ghosts too; of the next; of vertices without a depth */
    /* while kernels run: drain() in ranks_least.c */
    rd_progress_fn progress;
    void *progress_user;
    double next_drain; /* rd_now() */
    rd_status drained;
    rd_error drain_error;
    uint64_t drains;
} rd__least;

/* ---- All words of the own vertices: ranks_look.c ---- */

/* Brings waiting, settled, edges and left up to date. */
void rd__least_look(rd__least *run);
/* A bit for each own vertex: is its word from .. to - 1? @return how many are. */
uint64_t rd__least_bits(const rd__least *run, uint32_t from, uint32_t to, uint64_t *bit);
/* @return how many have one; and the highest. */
uint64_t rd__least_reached(const rd__least *run, uint32_t *farthest);

/* ---- Against the edges: ranks_pull.c ---- */

/* All ranks: may they? */
rd_status rd__least_may_pull(rd__least *run, rd_error *err);
/* All ranks, when all is quiet below the limit, with what they added up: is the next level shorter that way? */
int rd__least_wants_pull(const rd__least *run, const rd__tally *all);
/* All ranks: runs the level. */
rd_status rd__least_pull(rd__least *run, rd_report *report, rd_error *err);
/* All ranks, before the next level goes along the edges again: whom nobody has to be told of. */
rd_status rd__least_after_pull(rd__least *run, rd_error *err);
/* Frees what they have needed. */
void rd__least_end_pull(rd__least *run);

/* ---- Parents: ranks_parents.c ---- */

/* All ranks, after a search: of each vertex the lowest number of those that it can be reached over. */
rd_status rd__least_parents(rd__least *run, uint32_t *parent, rd_error *err);
/* All ranks: proves them; value: words that were proved. */
rd_status rd__check_parents(rd_job *job, const uint32_t *value, const uint32_t *parent, rd_error *err);

/* The word of a vertex that is reached from one with word `from` over an edge of the app's graph. */
static inline uint64_t rd__least_over(const rd__app_ranks *app, const rd_csr *csr, int real, uint32_t from, uint64_t e)
{
    if (!app->weighted)
        return from + 1ull;
    if (!real)
        return from + (uint64_t)(uint32_t)csr->weight[e];
    return (uint32_t)rd_weight_word(rd_weight_real((int32_t)from) + rd_weight_real(csr->weight[e]));
}

#endif
