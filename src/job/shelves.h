/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shelves.h - vertices that wait, in the order of their words, for one thread: buckets of delta-stepping (U. Meyer and
 * P. Sanders, 2003), each a list. A shelf has a number, that of a word is rd__shelf_of; those from `base` on for as
 * many as there are lie in a ring, and what is beyond on one heap, from which the ring is filled now and then.
 *
 * Nothing is taken out when a vertex gets a lower word: it is put on the other shelf too, and whoever finds it on the
 * first sees that it is no longer due. So shelves do not know what is there for nothing; `is_due` does.
 */
#ifndef RD_JOB_SHELVES_H
#define RD_JOB_SHELVES_H

#include "core/error.h"

#include <stdint.h>

enum { RD__SHELVES = 1024 };
#define RD__SHELF_NONE UINT64_MAX

typedef struct rd__shelf {
    uint32_t *vertex;
    uint64_t count, room;
} rd__shelf;

typedef struct rd__shelves {
    rd__shelf near[RD__SHELVES]; /* by the number's remainder */
    rd__shelf far;
    uint64_t base;      /* the least number that may be put */
    uint64_t first;     /* nothing is on near shelves below */
    uint64_t far_first; /* likewise on the heap; RD__SHELF_NONE: it is empty */
    double per;         /* shelves to a distance of 1 */
    int real;           /* words are the bits of floats */
} rd__shelves;

/* The number of a word's shelf, which grows with the word. */
static inline uint64_t rd__shelf_of(const rd__shelves *s, uint32_t word)
{
    union {
        uint32_t word;
        float real;
    } const both = {word};
    const double number = (s->real ? (double)both.real : (double)word) * s->per;
    return number < 1e18 ? (uint64_t)number : (uint64_t)1e18;
}

/* The least word on a shelf of that number or a higher one. */
uint32_t rd__shelf_word(const rd__shelves *s, uint64_t number);

/* Room for so many more. */
rd_status rd__shelf_reserve(rd__shelf *shelf, uint64_t more, rd_error *err);
rd_status rd__shelf_add(rd__shelf *shelf, uint32_t vertex, rd_error *err);

/* number: not below base. */
static inline rd_status rd__shelves_put(rd__shelves *s, uint32_t vertex, uint64_t number, rd_error *err)
{
    const int is_far = number - s->base >= RD__SHELVES;
    uint64_t *first = is_far ? &s->far_first : &s->first;
    rd__shelf *shelf = is_far ? &s->far : &s->near[number % RD__SHELVES];
    *first = number < *first ? number : *first;
    if (shelf->count == shelf->room)
        return rd__shelf_add(shelf, vertex, err);
    shelf->vertex[shelf->count++] = vertex;
    return RD_OK;
}

/* The word of a vertex that is still due; RD_NONE of one that is there for nothing. */
typedef uint32_t rd__due_fn(const void *user, uint32_t vertex);

/* Shelves below `base` are empty from now on, and all below `until`, which is not far beyond, are near. */
rd_status rd__shelves_move(rd__shelves *s, uint64_t base, uint64_t until, rd__due_fn *due, const void *user,
                           rd_error *err);
/* The number of the first shelf with something that is due; whatever else was there before is dropped.
 * @return RD__SHELF_NONE: there is none. */
uint64_t rd__shelves_first(rd__shelves *s, rd__due_fn *due, const void *user);
/* Another width: all is put anew when they are moved next. */
rd_status rd__shelves_set(rd__shelves *s, double per, rd__due_fn *due, const void *user, rd_error *err);
void rd__shelves_clear(rd__shelves *s);
void rd__shelves_free(rd__shelves *s);

#endif
