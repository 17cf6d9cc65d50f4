/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tabu.c - A. Hertz, D. de Werra, "Using tabu search techniques for graph coloring", 1987, with the length of tabus of
 * P. Galinier, J.-K. Hao, "Hybrid evolutionary algorithms for graph coloring", 1999.
 *
 * One colour is given up: its vertices take the colours that clash least. Then, move after move, a vertex that clashes
 * takes another colour, whichever pair of them leaves the fewest clashes, even if these are more than before; the
 * colour that it had is tabu to it for a while, so that the search does not go round in circles. Without clashes it is
 * a colouring with a colour less, and the next one is given up. How many neighbours of each vertex have each colour is
 * in a table, so a move costs the edges of its vertex, and finding it the number of vertices that clash times the
 * colours.
 */
#include "apps/color/search.h"

#include "core/hash.h"
#include "core/memory.h"
#include "graph/graph.h"
#include "raddle/tool.h"

#include <string.h>

enum { WATCH_LOOKS = 1 << 22 };

typedef struct tabu {
    const rd_csr *csr;
    uint32_t colours;
    uint32_t *colour;
    uint32_t *count;               /* [v * colours + c]: neighbours of v that have c */
    uint64_t *until;               /* likewise: c is tabu for v before that move */
    uint32_t *clashing, *place, n; /* vertices that have a neighbour of their colour; RD_NONE: is not one */
    uint64_t clashes;              /* edges, both ways */
    uint64_t draws;
} tabu;

static uint32_t *count_of(const tabu *t, uint32_t v, uint32_t c)
{
    return &t->count[(uint64_t)v * t->colours + c];
}

static uint64_t draw(tabu *t)
{
    return rd__mix64(++t->draws * RD_GOLDEN);
}

static void list(tabu *t, uint32_t v)
{
    const int clashes = *count_of(t, v, t->colour[v]) != 0;
    if (clashes && t->place[v] == RD_NONE) {
        t->place[v] = t->n;
        t->clashing[t->n++] = v;
    } else if (!clashes && t->place[v] != RD_NONE) {
        const uint32_t last = t->clashing[--t->n];
        t->clashing[t->place[v]] = last;
        t->place[last] = t->place[v];
        t->place[v] = RD_NONE;
    }
}

/* The vertices of one class, the smallest, go to the colours that clash least. */
static void give_up_class(tabu *t, uint32_t class)
{
    const rd_csr *csr = t->csr;
    memset(t->count, 0, (uint64_t)csr->vertices * t->colours * sizeof *t->count);
    memset(t->until, 0, (uint64_t)csr->vertices * t->colours * sizeof *t->until);
    for (uint32_t v = 0; v < csr->vertices; v++) /* the last colour takes its number */
        t->colour[v] = t->colour[v] == class ? RD_NONE : t->colour[v] == t->colours ? class : t->colour[v];
    for (uint32_t v = 0; v < csr->vertices; v++)
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (csr->col[e] != v && t->colour[csr->col[e]] != RD_NONE)
                ++*count_of(t, v, t->colour[csr->col[e]]);
    for (uint32_t v = 0; v < csr->vertices; v++) {
        if (t->colour[v] != RD_NONE)
            continue;
        uint32_t best = 0;
        for (uint32_t c = 1; c < t->colours; c++)
            best = *count_of(t, v, c) < *count_of(t, v, best) ? c : best;
        t->colour[v] = best;
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (csr->col[e] != v)
                ++*count_of(t, csr->col[e], best);
    }
    t->n = 0;
    t->clashes = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        t->place[v] = RD_NONE;
        t->clashes += *count_of(t, v, t->colour[v]);
        list(t, v);
    }
}

/* The best move that is not tabu, or that leaves fewer clashes than there ever were; of equals any. @return 0: none. */
static int find_move(tabu *t, uint64_t move, uint64_t fewest, uint32_t *vertex, uint32_t *colour)
{
    int64_t best = INT64_MAX;
    uint64_t equals = 0;
    for (uint32_t i = 0; i < t->n; i++) {
        const uint32_t v = t->clashing[i];
        const uint32_t *count = count_of(t, v, 0);
        const uint64_t *until = t->until + (uint64_t)v * t->colours;
        const int64_t now = count[t->colour[v]];
        for (uint32_t c = 0; c < t->colours; c++) {
            const int64_t change = (int64_t)count[c] - now;
            if (change > best || c == t->colour[v])
                continue;
            if (until[c] > move && (int64_t)t->clashes + 2 * change >= (int64_t)fewest)
                continue;
            equals = change < best ? 1 : equals + 1;
            best = change;
            if (equals == 1 || draw(t) % equals == 0) {
                *vertex = v;
                *colour = c;
            }
        }
    }
    return equals != 0;
}

static void make_move(tabu *t, uint64_t move, uint32_t v, uint32_t c)
{
    const rd_csr *csr = t->csr;
    const uint32_t old = t->colour[v];
    t->clashes += 2 * (uint64_t)*count_of(t, v, c);
    t->clashes -= 2 * (uint64_t)*count_of(t, v, old);
    t->colour[v] = c;
    for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++) {
        const uint32_t u = csr->col[e];
        if (u == v)
            continue;
        --*count_of(t, u, old);
        ++*count_of(t, u, c);
        list(t, u);
    }
    list(t, v);
    t->until[(uint64_t)v * t->colours + old] = move + 1 + t->n * 6ull / 10 + draw(t) % 10;
}

/* @return 1: no clash is left. */
static int search(tabu *t, rd__color_search *s)
{
    uint64_t fewest = t->clashes, looks = 0;
    for (uint64_t move = 0; move < s->patience && t->clashes; move++) {
        uint32_t v = 0, c = 0;
        looks += (uint64_t)t->n * t->colours + 1;
        if (looks >= WATCH_LOOKS) {
            looks = 0;
            if (rd__color_stops(s))
                return 0;
        }
        if (!find_move(t, move, fewest, &v, &c))
            continue; /* all is tabu, for now */
        make_move(t, move, v, c);
        s->moves++;
        fewest = t->clashes < fewest ? t->clashes : fewest;
    }
    return t->clashes == 0;
}

static uint32_t smallest_class(const rd__color_search *s, uint32_t *size)
{
    uint32_t least = 0;
    memset(size, 0, s->colours * sizeof *size);
    for (uint32_t v = 0; v < s->csr.vertices; v++)
        size[s->colour[v]]++;
    for (uint32_t c = 1; c < s->colours; c++)
        least = size[c] < size[least] ? c : least;
    return least;
}

rd_status rd__color_tabu(rd__color_search *s, rd_error *err)
{
    const uint64_t vertices = s->csr.vertices, cells = vertices * s->colours;
    tabu t = {.csr = &s->csr};
    RD_TRY(rd__memory_expect(12 * cells, "a table of vertices and colours", err));
    rd_status status = rd__array_new(&t.count, "a table of vertices and colours", cells, sizeof *t.count, err);
    if (status == RD_OK)
        status = rd__array_new(&t.until, "a table of tabus", cells, sizeof *t.until, err);
    if (status == RD_OK)
        status = rd__array_new(&t.colour, "vertices that clash", 3 * vertices, sizeof *t.colour, err);
    if (status == RD_OK) {
        t.clashing = t.colour + vertices;
        t.place = t.clashing + vertices;
        for (int better = 1; better && s->colours > 2 && !rd__color_stops(s);) {
            memcpy(t.colour, s->colour, vertices * sizeof *t.colour);
            t.colours = s->colours - 1;
            give_up_class(&t, smallest_class(s, t.clashing));
            better = search(&t, s);
            if (better) {
                memcpy(s->colour, t.colour, vertices * sizeof *t.colour);
                s->colours--;
            }
        }
    }
    rd__array_free(t.count);
    rd__array_free(t.until);
    rd__array_free(t.colour);
    return status;
}

/* ---- Both ---- */

int rd__color_stops(rd__color_search *s)
{
    if (s->stopped == RD_OK && s->deadline != 0 && rd_now() >= s->deadline)
        s->stopped = RD_ETIMEOUT;
    if (s->stopped == RD_OK && rd__watch_stops(&s->watch, "fewer colours", s->moves, 0, "moves"))
        s->stopped = RD_ECANCELLED;
    return s->stopped != RD_OK;
}

rd_status rd__color_search_run(rd__color_search *s, rd_error *err)
{
    RD_TRY(rd__color_dsatur(s, err));
    return s->stopped == RD_OK ? rd__color_tabu(s, err) : RD_OK;
}
