/* SPDX-License-Identifier: Apache-2.0 */
/* steps.h - a search in steps by the host, as its two files see it: ranks_steps.c agrees with other ranks on steps,
 * steps_run.c runs them. */
#ifndef RD_JOB_STEPS_H
#define RD_JOB_STEPS_H

#include "job/least.h"
#include "job/shelves.h"

#include "core/bits.h"

typedef struct rd__steps {
    rd__least *run;
    rd_csr csr;
    rd__shelves *shelves;
    uint32_t *held;     /* with weights, of each block of ghosts: no word that its owner was not told is lower; */
    uint64_t blocks;    /* else NULL */
    uint64_t *waits;    /* a bit for each own vertex: its word is lower than when it ran last */
    uint64_t *once;     /* likewise: it has run */
    rd__news news;      /* with weights: who is not known to have a word; */
    uint64_t *below;    /* who is said to have one now: a bit for each own vertex, */
    uint64_t *heard;    /* and one for each ghost */
    uint64_t vain;      /* records that were no better, of this rank's last step */
    double vain_since;  /* of all, since owners have told */
    double told_before; /* the word below which all was told, a step before the last */
    int has_told;       /* owners, before the last step */
    uint32_t *touched;  /* ghosts that got lower than what was sent, those of rank r from ghost_from[r] on */
    uint32_t *touches;  /* of each rank, how many */
    rd__deal *deal;     /* to each rank, and behind that from each */
    unsigned char *to, *from;
    uint64_t until;           /* the shelf at which the window ends */
    uint64_t tell;            /* and up to which owners are told what is held */
    uint64_t judged;          /* what lies before is to be final when the width is looked at again */
    uint64_t tasks, edges;    /* of the step at hand */
    uint64_t fresh;           /* both, of vertices that ran for the first time */
    double all_work, all_new; /* tasks and edges of all ranks, since it was looked at; for the first time */
    double steps, last_work;  /* since then; work of a step before that */
    double overwork;          /* tasks and edges for each that was the first, when it was looked at last */
    double finest;            /* shelves to a distance of 1, as a search begins */
    int too_long;             /* some word did not fit */
    int may_leave;            /* for levels */
    uint32_t highest;         /* no word is higher; only known if it may leave */
    uint64_t stop_at;         /* edges after which a step is ended */
    int most_shelves;         /* of a window */
} rd__steps;

enum { RD__HELD_BLOCK = 16 }; /* ghosts: a cache line of words */

/* Own vertex v, which had a higher word. */
static inline rd_status rd__steps_lower(rd__steps *s, uint32_t v, uint32_t old, uint32_t word, rd_error *err)
{
    const uint64_t number = rd__shelf_of(s->shelves, word);
    s->run->value[v] = word;
    if (rd__bit_at(s->waits, v) && rd__shelf_of(s->shelves, old) == number)
        return RD_OK; /* it is there */
    rd__bit_set(s->waits, v);
    return rd__shelves_put(s->shelves, v, number, err);
}

/* ---- steps_run.c ---- */

/* From all words: what is at the limit or beyond waits, what is below has run. */
rd_status rd__steps_fill(rd__steps *s, uint32_t limit, rd_error *err);
/* With weights: what goes to each rank of what is held below this word, in `deal`. @return the least of it. */
uint32_t rd__steps_tell(rd__steps *s, uint32_t below);
/* What rank r has told so; below: the same. */
rd_status rd__steps_hear(rd__steps *s, uint32_t r, const rd__deal *deal, uint32_t below, rd_error *err);
/* Brings what is known of a block up to date. */
void rd__steps_hold(rd__steps *s, uint64_t block);
/* All that waits here below the limit, or until it is too much: by the host, or by the engine. */
rd_status rd__steps_run(rd__steps *s, rd_report *report, rd_error *err);
rd_status rd__steps_run_engine(rd__steps *s, rd_report *report, rd_error *err);

#endif
