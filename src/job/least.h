/* SPDX-License-Identifier: Apache-2.0 */
/* least.h - a search over several ranks, as its files see it: ranks_least.c runs it, ranks_look.c looks through all
 * words, ranks_steps.c has steps and ranks_levels.c levels that the host runs by itself, ranks_pull.c those of these
 * that go against the edges, ranks_parents.c finds parents when all is done. */
#ifndef RD_JOB_LEAST_H
#define RD_JOB_LEAST_H

#include "job/ranks.h"
#include "sched/freeze.h"

/* What ranks add up when all is quiet below the limit. */
enum {
    RD__LEAST_TASKS = RD__QUIET_OWN,
    RD__LEAST_DUE,
    RD__LEAST_SETTLED,
    RD__LEAST_EDGES,
    RD__LEAST_LEFT,
    RD__LEAST_STOPPED,
    RD__LEAST_GHOSTS,
    RD__LEAST_VAIN /* records that were no better */
};
/* And the most of: what the least that waits is below all words; rd__levels_alone; words; as the first, without what is
 * under way. */
enum { RD__LEAST_WAITING, RD__LEAST_ALONE, RD__LEAST_HIGHEST, RD__LEAST_HERE };

typedef struct rd__record {
    uint32_t vertex; /* of its owner's part */
    uint32_t value;
} rd__record;

/* Levels that the host runs: ranks_levels.c. Bits of own vertices are followed by those of ghosts in known and next. */
typedef struct rd__levels {
    int can, pulls;  /* all ranks may; and against the edges too */
    int at;          /* the search is there now, and all below is up to date */
    int back;        /* steps have left it to levels */
    uint64_t *known; /* whoever is known to have a depth, up to that of the level at hand */
    uint64_t *front; /* of the level at hand; ghosts: none */
    uint64_t *next;
    uint64_t *bare; /* own vertices with edges and without a depth */
    uint64_t *offered;
    uint64_t tasks;        /* own vertices of the level at hand */
    uint64_t small;        /* levels in a row that had little */
    uint64_t done, pulled; /* levels; those of them that went against the edges */
} rd__levels;

typedef struct rd__least {
    rd_job *job;
    rd_ranks *ranks;
    const rd__part *part;
    rd__buffer *values;
    uint32_t *value; /* own vertices, then ghosts: the device's memory, or a copy */
    int is_copy;
    int real; /* words are the bits of floats */
    /* of windows, NULL until there is one: */
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
    int can_steps, steps;             /* all ranks may go in steps: ranks_steps.c; and do so next */
    rd__levels levels;
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
/* A bit for each of the first vertices: is its word from .. to - 1? */
void rd__least_bits(const rd__least *run, uint64_t vertices, uint32_t from, uint32_t to, uint64_t *bit);
/* A bit for each own vertex: has it edges, and no word? */
void rd__least_bare(const rd__least *run, uint64_t *bit);
/* @return how many have one; and the highest. */
uint64_t rd__least_reached(const rd__least *run, uint32_t *farthest);

/* ---- Level by level: ranks_levels.c ---- */

/* May this rank; and against the edges? */
int rd__levels_can(const rd__least *run);
int rd__levels_can_pull(const rd__least *run);
/* All ranks, before a search: it begins with levels where all can. source: RD_NONE where another rank has it. */
rd_status rd__levels_begin(rd__least *run, uint32_t source, rd_error *err);
/* A level of more edges than that, of all ranks, costs less than as a part of a step. */
uint64_t rd__levels_worth(const rd__least *run);
/* What a rank with many cores would have to do on one of them. */
uint64_t rd__levels_alone(const rd__least *run);
typedef enum rd__level_kind { RD__LEVEL_NONE, RD__LEVEL_STEPS, RD__LEVEL_PUSH, RD__LEVEL_PULL } rd__level_kind;
/* All ranks, when all is quiet below the limit, with what they added up: how the next level is run here; NONE: what
 * comes next is a window; STEPS: ranks_steps.c. */
rd__level_kind rd__levels_choose(rd__least *run, const rd__tally *all);
/* All ranks: runs the level of depth `limit`. */
rd_status rd__levels_run(rd__least *run, rd__level_kind kind, rd_report *report, rd_error *err);
/* All ranks, before a window or steps: whom nobody has to be told of. */
rd_status rd__levels_leave(rd__least *run, rd_error *err);
/* Frees what they have needed. */
void rd__levels_end(rd__least *run);

/* The first edges of up to 64 vertices, those of a word of bits, lie anywhere in memory: they are on their way while
 * those before are looked at. */
static inline void rd__levels_fetch_ahead(const rd_csr *csr, const uint64_t *bit, uint64_t word)
{
    for (uint64_t left = bit[word]; left; left &= left - 1)
        __builtin_prefetch(&csr->col[csr->row[64 * word + (uint64_t)__builtin_ctzll(left)]]);
}

/* ---- In steps by the host: ranks_steps.c ---- */

/* May this rank? */
int rd__steps_can(const rd__least *run);
/* All ranks, if all can: a search, from where it is. *done: to its end; else all is quiet below the limit, and levels
 * are to go on. */
rd_status rd__steps_search(rd__least *run, rd__freeze_fn *freeze, rd_report *report, int *done, rd_error *err);

/* ---- Against the edges: ranks_pull.c ---- */

/* The next level: own vertices without a depth that have a neighbour which is known. Finds bits, words and how many
 * edges; @return how many vertices. */
uint64_t rd__levels_pull(rd__least *run, uint64_t *edges, uint64_t *looks);

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
