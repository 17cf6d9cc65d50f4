/* SPDX-License-Identifier: Apache-2.0 */
/* search.h - fewer colours by search on the host: see dsatur.c and tabu.c. */
#ifndef RD_APPS_COLOR_SEARCH_H
#define RD_APPS_COLOR_SEARCH_H

#include "core/watch.h"
#include "raddle.h"

/* A colouring that is worked at, with tables that hold a number for each vertex and colour. */
typedef struct rd__color_search {
    rd_csr csr;
    uint32_t *colour;  /* the best so far */
    uint32_t colours;  /* its colours, from 0 on */
    uint64_t patience; /* moves that may be made for one colour less */
    uint64_t moves;    /* made */
    double deadline;   /* by rd_now(); 0: none */
    rd__watch watch;
    rd_status stopped; /* RD_ETIMEOUT or RD_ECANCELLED: why it ended early */
} rd__color_search;

/* Makes s->colour better, in two ways one after the other; it is a colouring all the time. */
rd_status rd__color_search_run(rd__color_search *s, rd_error *err);

/* One of them: a colouring of its own, by saturation. */
rd_status rd__color_dsatur(rd__color_search *s, rd_error *err);
/* The other: from a colouring to one with a colour less, and again. */
rd_status rd__color_tabu(rd__color_search *s, rd_error *err);

/* Is it to end? Sets s->stopped. */
int rd__color_stops(rd__color_search *s);

#endif
