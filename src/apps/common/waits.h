/* SPDX-License-Identifier: Apache-2.0 */
/* waits.h - vertices of a graph in parts that are decided one after another, in an order of their own, by the host:
 * each when all of its neighbours are that come before it. waits.c has how. */
#ifndef RD_APPS_COMMON_WAITS_H
#define RD_APPS_COMMON_WAITS_H

#include "apps/app.h"
#include "graph/part/part.h"

typedef struct rd__waits {
    const rd__part *part; /* after rd__part_lend */
    rd_csr csr;
    void *user;
    /* Is u, own or ghost, decided already? Then with which word. */
    int (*is_decided)(const void *user, uint32_t u, uint32_t *word);
    /* Of two that are not: does u come before v, its neighbour, which is an own one? The same order on all ranks. */
    int (*is_before)(const void *user, uint32_t u, uint32_t v);
    /* All that come before v are decided, and with `shut` one of them by the word that shuts. @return v's word. */
    uint32_t (*decide)(void *user, uint32_t v, int shut);
    /* A ghost's word. */
    void (*hear)(void *user, uint32_t ghost, uint32_t word);
    int shuts; /* whoever has a neighbour with the word `shut` before it need not wait for the rest */
    uint32_t shut;
} rd__waits;

/* All ranks: can all do so, whose words are here (NULL: they are not in the host's memory)? */
rd_status rd__waits_can(const rd__part *part, const void *words, int *can, rd_error *err);
/* Turns by kernels, which many cores or lanes run, before those that are left are so few, or have so long chains, that
 * this is the shorter way. */
enum { RD__WAITS_AFTER = 3 };
/* All ranks: decides all vertices that are not, where ghosts are known to be what their owners have. *turns
 * grows by how often ranks told each other. */
rd_status rd__waits_run(const rd__waits *order, uint64_t *turns, rd_report *report, rd_error *err);

#endif
