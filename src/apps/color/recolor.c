/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recolor.c - iterated greedy colouring (J. Culberson, "Iterated greedy graph coloring and the difficulty landscape",
 * 1992). Take a colouring and colour greedily again, vertices of one class one after another: the k-th class needs at
 * most the colours 0 to k - 1, for its vertices are no neighbours of each other, so no pass needs more colours than the
 * one before; and whoever finds a lower colour makes its class smaller, until one is empty. What changes from pass to
 * pass is the order of the classes: mostly backwards, which moves most, at times large classes first, which fills
 * them, at times any order, which leads out of circles.
 *
 * The first order decides much: vertices of grids and of many files are numbered so that neighbours are near, and
 * greedily by number a grid needs two colours, where the order of degrees, scattered, needs five and passes are long
 * to come down. As priorities numbers are a chain as long as the graph, so this one is walked on the host.
 */
#include "apps/color/recolor.h"

#include "core/hash.h"
#include "core/memory.h"

#include <string.h>

/* Where class k of `colours` goes, as a number to be sorted by: the least first. */
static uint64_t key_of(uint32_t k, uint32_t size, uint64_t pass)
{
    const uint64_t kind = rd__mix64(pass * RD_GOLDEN + 1) % 10;
    if (kind < 5)
        return UINT32_MAX - k; /* backwards */
    if (kind < 8)
        return (uint64_t)(UINT32_MAX - size) << 32 | (UINT32_MAX - k); /* large ones first */
    return rd__mix64(pass * RD_GOLDEN + k);
}

/* Colours are few: a sort by insertion. */
static void sort_classes(uint32_t *class, uint32_t colours, const uint32_t *size, uint64_t pass)
{
    for (uint32_t i = 0; i < colours; i++) {
        const uint64_t key = key_of(i, size[i], pass);
        uint32_t at = i;
        for (; at > 0 && key_of(class[at - 1], size[class[at - 1]], pass) > key; at--)
            class[at] = class[at - 1];
        class[at] = i;
    }
}

void rd__color_reorder(const uint32_t *colour, uint32_t vertices, uint32_t colours, uint64_t pass, uint32_t *order,
                       uint32_t *scratch)
{
    uint32_t *size = scratch, *class = scratch + colours, *start = class + colours;
    for (uint32_t k = 0; k < colours; k++)
        size[k] = 0;
    for (uint32_t v = 0; v < vertices; v++)
        size[colour[v]]++;
    sort_classes(class, colours, size, pass);
    for (uint32_t i = 0, at = 0; i < colours; i++) {
        start[class[i]] = at;
        at += size[class[i]];
    }
    for (uint32_t v = 0; v < vertices; v++)
        order[start[colour[v]]++] = v;
}

rd_status rd__color_next_order(const uint32_t *colour, uint32_t vertices, uint32_t colours, uint64_t pass,
                               uint32_t *order, rd_error *err)
{
    uint32_t *scratch;
    for (uint32_t v = 0; v < vertices; v++)
        if (colour[v] >= colours)
            return rd__fail(err, RD_EWRONG, "color: vertex %u has colour %u, of %u", v, colour[v], colours);
    RD_TRY(rd__array_new(&scratch, "classes of colours", 3ull * colours, sizeof *scratch, err));
    rd__color_reorder(colour, vertices, colours, pass, order, scratch);
    rd__array_free(scratch);
    return RD_OK;
}

/* Colours greedily by number, with colours below `most`, of which `mark` knows who has them around. Says how many it
 * took; `most`: they were not enough. */
static uint32_t by_number(const rd_csr *csr, uint32_t most, uint32_t *colour, uint32_t *mark)
{
    uint32_t used = 0;
    memset(mark, 0xff, most * sizeof *mark);
    for (uint32_t v = 0; v < csr->vertices; v++) {
        uint32_t free = 0;
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (csr->col[e] < v)
                mark[colour[csr->col[e]]] = v;
        while (free < used && mark[free] == v)
            free++;
        if (free >= most)
            return most;
        used += free == used;
        colour[v] = free;
    }
    return used;
}

rd_status rd__color_or_by_number(const rd_csr *csr, uint32_t *colour, uint32_t *colours, uint32_t *other, rd_error *err)
{
    uint32_t *mark;
    RD_TRY(rd__array_new(&mark, "colours of neighbours", *colours, sizeof *mark, err));
    const uint32_t took = by_number(csr, *colours, other, mark);
    rd__array_free(mark);
    if (took < *colours) {
        memcpy(colour, other, csr->vertices * sizeof *colour);
        *colours = took;
    }
    return RD_OK;
}

rd_status rd__color_close_gaps(uint32_t *colour, uint32_t vertices, rd_error *err)
{
    uint32_t *number, used = 0;
    RD_TRY(rd__array_new(&number, "numbers of colours", vertices, sizeof *number, err));
    memset(number, 0xff, vertices * sizeof *number);
    for (uint32_t v = 0; v < vertices; v++) {
        if (colour[v] >= vertices) {
            rd__array_free(number);
            return rd__fail(err, RD_EWRONG, "color: vertex %u has colour %u, which is too high", v, colour[v]);
        }
        if (number[colour[v]] == RD_NONE)
            number[colour[v]] = used++;
        colour[v] = number[colour[v]];
    }
    rd__array_free(number);
    return RD_OK;
}
