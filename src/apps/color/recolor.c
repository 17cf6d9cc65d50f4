/* SPDX-License-Identifier: Apache-2.0 */
/*
 * recolor.c - iterated greedy colouring (J. Culberson, "Iterated greedy graph coloring and the difficulty landscape",
 * 1992). Take a colouring and colour greedily again, vertices of one class one after another: the k-th class needs at
 * most the colours 0 to k - 1, for its vertices are no neighbours of each other, so no pass needs more colours than the
 * one before; and whoever finds a lower colour makes its class smaller, until one is empty. What changes from pass to
 * pass is the order of the classes: mostly backwards, which moves most, at times large classes first, which fills
 * them, at times any order, which leads out of circles.
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
