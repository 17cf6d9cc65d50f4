/* SPDX-License-Identifier: Apache-2.0 */
/*
 * prefetch.k.h - on a core, which runs one vertex after another: memory is asked for before it is needed. A core looks
 * ahead some 200 instructions by itself; that is within one vertex, and not far. What it cannot see are the edges of
 * the vertices that come next, which it has in hand, and vertices at the ends of edges a few dozen further on. GPUs
 * have other lanes to run while one waits: there, and where lanes are many, all of this is nothing.
 *
 * An app with RD_APP_PREFETCH says what it needs itself:
 *   rd_app_prefetch_edges(app, e)   its own data of edges from e on
 *   rd_app_prefetch(app, v)         what an edge to v looks at
 */
#ifndef RD_SCHED_PREFETCH_K_H
#define RD_SCHED_PREFETCH_K_H

#include "raddle/kernel.h"

/* Found on two cores: half or twice as much makes a few per cent. */
#define PREFETCH_ROWS    8  /* tasks from here to the one whose place among the edges is asked for, */
#define PREFETCH_EDGES   3  /* to the one whose first edges are, */
#define PREFETCH_TARGETS 24 /* and edges to the one whose vertex is */
#define PREFETCH_LINE    16 /* words in a line of a cache, about */

#if RD_CORE

rd_fn void prefetch_row(rd_global const rd_u64 *row, rd_u32 v)
{
    rd_prefetch(&row[v]);
}

rd_fn void prefetch_edges(rd_global const rd_u64 *row, rd_global const rd_u32 *col, const rd_app *app, rd_u32 v)
{
    const rd_u64 from = rd_ld_const(&row[v]), end = rd_ld_const(&row[v + 1]);
    rd_prefetch(&col[from]);
#ifdef RD_APP_PREFETCH
    rd_app_prefetch_edges(app, from);
#endif
    if (end - from > PREFETCH_LINE) { /* from there on the processor sees that they come in order */
        rd_prefetch(&col[from + PREFETCH_LINE]);
#ifdef RD_APP_PREFETCH
        rd_app_prefetch_edges(app, from + PREFETCH_LINE);
#endif
    }
}

/* While edge e of those up to `end` is visited. */
rd_fn void prefetch_target(rd_global const rd_u32 *col, const rd_app *app, rd_u64 e, rd_u64 end)
{
#ifdef RD_APP_PREFETCH
    if (e + PREFETCH_TARGETS < end)
        rd_app_prefetch(app, rd_ld_const(&col[e + PREFETCH_TARGETS]));
#endif
}

#else /* one lane of a GPU takes the same way */
#define prefetch_row(row, v)              ((void)0)
#define prefetch_edges(row, col, app, v)  ((void)0)
#define prefetch_target(col, app, e, end) ((void)0)
#endif

#endif
