/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sweep_scatter.k.h - sweeps: in which order wide groups walk vertices. By number, or scattered: then a group takes
 * runs of SWEEP_RUN_ITEMS that lie far apart. Hubs often have neighbouring numbers (sorted by degree, or by age), and
 * one group would have them all; but neighbours in number may have the same neighbours, which a group that walks them
 * together finds nearby.
 */
#ifndef RD_SCHED_SWEEP_SCATTER_K_H
#define RD_SCHED_SWEEP_SCATTER_K_H

#include "raddle/kernel.h"

/* Places in the order of walking are those of items, or, scattered, columns of runs: the first runs of all columns,
 * then the second ones, and so on. A run is what one sector of memory has of 4 bytes a vertex, so that nothing is
 * loaded twice. */
#define SWEEP_RUN_ITEMS 8
#define SWEEP_COLUMNS   (RD_LANES / SWEEP_RUN_ITEMS)
#if RD_LANES > 1 && SWEEP_COLUMNS > 1
#define SWEEP_SCATTERS 1
#else
#define SWEEP_SCATTERS 0
#endif

/* How many runs a column has. */
rd_fn rd_u32 sweep_rows(rd_u32 items)
{
    const rd_u32 tile = SWEEP_RUN_ITEMS * (SWEEP_SCATTERS ? SWEEP_COLUMNS : 1);
    return items / tile + (items % tile != 0);
}

/* How many places there are for so many items. */
rd_fn rd_u32 sweep_places(rd_u32 scattered, rd_u32 items)
{
    return SWEEP_SCATTERS && scattered ? sweep_rows(items) * (SWEEP_RUN_ITEMS * SWEEP_COLUMNS) : items;
}

/* The item at one of these places; one that is not below `items` is none. */
rd_fn rd_u32 sweep_at(rd_u32 scattered, rd_u32 place, rd_u32 items)
{
#if SWEEP_SCATTERS
    const rd_u32 run = place / SWEEP_RUN_ITEMS;
    if (scattered)
        return (run % SWEEP_COLUMNS * sweep_rows(items) + run / SWEEP_COLUMNS) * SWEEP_RUN_ITEMS +
               place % SWEEP_RUN_ITEMS;
#endif
    return place;
}

#endif
