/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dsatur.c - D. Brelaz, "New methods to color the vertices of a graph", 1979: the next vertex is the one whose
 * neighbours have the most different colours already, of these the one with most neighbours; it takes the least colour
 * that none of them has. It is given up when it needs as many colours as are known to do.
 */
#include "apps/color/search.h"

#include "core/memory.h"

#include <string.h>

enum { WATCH_VERTICES = 1 << 14 };

typedef struct dsatur {
    const rd_csr *csr;
    uint32_t colours;             /* more are of no use */
    uint32_t *colour;             /* RD_NONE: none yet */
    uint32_t *saturated;          /* different colours of its neighbours */
    uint32_t *line, *place, left; /* those without a colour: each comes before 2i + 1 and 2i + 2 */
    uint64_t *taken;              /* colours of neighbours: a row of bits for each vertex */
    uint32_t words;               /* of a row */
} dsatur;

static uint64_t degree_of(const rd_csr *csr, uint32_t v)
{
    return csr->row[v + 1] - csr->row[v];
}

static int comes_before(const dsatur *d, uint32_t a, uint32_t b)
{
    if (d->saturated[a] != d->saturated[b])
        return d->saturated[a] > d->saturated[b];
    const uint64_t one = degree_of(d->csr, a), two = degree_of(d->csr, b);
    return one != two ? one > two : a < b;
}

static void put(dsatur *d, uint32_t at, uint32_t v)
{
    d->line[at] = v;
    d->place[v] = at;
}

static void rise(dsatur *d, uint32_t v)
{
    uint32_t at = d->place[v];
    while (at > 0 && comes_before(d, v, d->line[(at - 1) / 2])) {
        put(d, at, d->line[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    put(d, at, v);
}

static void sink(dsatur *d, uint32_t at, uint32_t v)
{
    for (uint32_t child = 2 * at + 1; child < d->left; child = 2 * at + 1) {
        if (child + 1 < d->left && comes_before(d, d->line[child + 1], d->line[child]))
            child++;
        if (!comes_before(d, d->line[child], v))
            break;
        put(d, at, d->line[child]);
        at = child;
    }
    put(d, at, v);
}

static uint32_t take_first(dsatur *d)
{
    const uint32_t v = d->line[0];
    if (--d->left)
        sink(d, 0, d->line[d->left]);
    return v;
}

/* The least colour that no neighbour has. */
static uint32_t free_colour(const dsatur *d, uint32_t v)
{
    const uint64_t *row = d->taken + (uint64_t)v * d->words;
    uint32_t word = 0, bit = 0;
    while (word + 1 < d->words && row[word] == UINT64_MAX)
        word++;
    while (bit < 63 && row[word] >> bit & 1)
        bit++;
    return 64 * word + bit;
}

static void give(dsatur *d, uint32_t v, uint32_t colour)
{
    d->colour[v] = colour;
    for (uint64_t e = d->csr->row[v]; e < d->csr->row[v + 1]; e++) {
        const uint32_t u = d->csr->col[e];
        uint64_t *word = d->taken + (uint64_t)u * d->words + colour / 64;
        if (d->colour[u] != RD_NONE || *word >> colour % 64 & 1)
            continue;
        *word |= 1ull << colour % 64;
        d->saturated[u]++;
        rise(d, u);
    }
}

/* @return colours, or as many as were allowed when that is not enough. */
static uint32_t colour_all(dsatur *d, rd__color_search *s)
{
    const uint32_t vertices = d->csr->vertices;
    uint32_t used = 0;
    for (uint32_t v = 0; v < vertices; v++) {
        d->saturated[v] = 0;
        d->colour[v] = RD_NONE;
        put(d, v, v);
    }
    d->left = vertices;
    for (uint32_t at = vertices / 2; at-- > 0;)
        sink(d, at, d->line[at]);
    while (d->left) {
        if (d->left % WATCH_VERTICES == 0 && rd__color_stops(s))
            return d->colours;
        const uint32_t v = take_first(d), colour = free_colour(d, v);
        if (colour + 1 >= d->colours)
            return d->colours;
        give(d, v, colour);
        used = colour >= used ? colour + 1 : used;
    }
    return used;
}

rd_status rd__color_dsatur(rd__color_search *s, rd_error *err)
{
    const uint64_t vertices = s->csr.vertices;
    dsatur d = {.csr = &s->csr, .colours = s->colours, .words = (s->colours + 63) / 64};
    rd_status status = rd__array_new(&d.taken, "colours of neighbours", vertices * d.words, sizeof *d.taken, err);
    if (status == RD_OK)
        status = rd__array_new(&d.colour, "colours by saturation", 4 * vertices, sizeof *d.colour, err);
    if (status == RD_OK) {
        d.saturated = d.colour + vertices;
        d.line = d.saturated + vertices;
        d.place = d.line + vertices;
        memset(d.taken, 0, vertices * d.words * sizeof *d.taken);
        const uint32_t used = colour_all(&d, s);
        if (used < s->colours) {
            s->colours = used;
            memcpy(s->colour, d.colour, vertices * sizeof *s->colour);
        }
    }
    rd__array_free(d.taken);
    rd__array_free(d.colour);
    return status;
}
