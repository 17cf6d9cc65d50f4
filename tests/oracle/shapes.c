/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.c - random graphs of every shape that once made a scheduler stumble: none, one, long, wide, skewed, torn. */
#include "oracle.h"

#include <stdlib.h>
#include <string.h>

static void put(edges *e, uint64_t u, uint64_t v)
{
    if (e->count == e->room) {
        e->room = e->room ? 2 * e->room : 1024;
        e->source = need(realloc(e->source, e->room * sizeof *e->source));
        e->target = need(realloc(e->target, e->room * sizeof *e->target));
        e->weight = need(realloc(e->weight, e->room * sizeof *e->weight));
    }
    e->source[e->count] = (uint32_t)u;
    e->target[e->count] = (uint32_t)v;
    e->weight[e->count++] = 1;
}

void edges_free(edges *e)
{
    free(e->source);
    free(e->target);
    free(e->weight);
    *e = (edges){0};
}

/* ---- Shapes: each adds n vertices from `base` on ---- */

static void clique(edges *e, uint64_t base, uint64_t n)
{
    for (uint64_t u = 0; u < n; u++)
        for (uint64_t v = u + 1; v < n; v++)
            put(e, base + u, base + v);
}

static void shape_path(edges *e, uint64_t base, uint64_t n, rng *r)
{
    (void)r;
    for (uint64_t v = 1; v < n; v++)
        put(e, base + v - 1, base + v);
}

static void shape_cycle(edges *e, uint64_t base, uint64_t n, rng *r)
{
    shape_path(e, base, n, r);
    put(e, base + n - 1, base);
}

static void shape_star(edges *e, uint64_t base, uint64_t n, rng *r)
{
    const uint64_t centre = rng_below(r, n);
    for (uint64_t v = 0; v < n; v++)
        if (v != centre)
            put(e, base + centre, base + v);
}

static void shape_stars(edges *e, uint64_t base, uint64_t n, rng *r)
{
    const uint64_t arm = rng_sized(r, 1, n);
    for (uint64_t v = 0; v < n; v++)
        if (v % (arm + 1))
            put(e, base + v / (arm + 1) * (arm + 1), base + v);
        else if (v && rng_chance(r, 70)) /* centres in a chain */
            put(e, base + v - arm - 1, base + v);
}

static void shape_clique(edges *e, uint64_t base, uint64_t n, rng *r)
{
    (void)r;
    clique(e, base, n < 90 ? n : 90);
}

static void shape_cliques(edges *e, uint64_t base, uint64_t n, rng *r)
{
    const uint64_t size = rng_between(r, 2, 24), step = rng_between(r, 1, size); /* overlapping by size - step */
    for (uint64_t v = 0; v + size <= n; v += step)
        clique(e, base + v, size);
}

static void shape_tree(edges *e, uint64_t base, uint64_t n, rng *r)
{
    for (uint64_t v = 1; v < n; v++)
        put(e, base + rng_below(r, v), base + v);
}

static void shape_caterpillar(edges *e, uint64_t base, uint64_t n, rng *r)
{
    uint64_t spine = 0;
    for (uint64_t v = 1; v < n; v++) {
        put(e, base + spine, base + v);
        if (rng_chance(r, 40))
            spine = v;
    }
}

static void shape_grid(edges *e, uint64_t base, uint64_t n, rng *r)
{
    const uint64_t width = rng_sized(r, 1, n);
    const uint32_t holes = (uint32_t)rng_below(r, 45);
    for (uint64_t v = 0; v < n; v++) {
        if ((v + 1) % width && v + 1 < n && !rng_chance(r, holes))
            put(e, base + v, base + v + 1);
        if (v + width < n && !rng_chance(r, holes))
            put(e, base + v, base + v + width);
    }
}

static void shape_random(edges *e, uint64_t base, uint64_t n, rng *r)
{
    const uint64_t most = n < 300 ? n * n : 40 * n, count = rng_sized(r, 0, most);
    for (uint64_t i = 0; i < count; i++)
        put(e, base + rng_below(r, n), base + rng_below(r, n));
}

static void shape_skewed(edges *e, uint64_t base, uint64_t n, rng *r)
{
    int bits = 0;
    while (((uint64_t)2 << bits) <= n)
        bits++;
    const uint64_t count = rng_sized(r, 1, 20 * n);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t u = 0, v = 0;
        for (int b = 0; b < bits; b++) {
            const uint64_t part = rng_below(r, 100);
            u = 2 * u + (part >= 76);
            v = 2 * v + ((part >= 57 && part < 76) || part >= 95);
        }
        put(e, base + u, base + v);
    }
}

static void shape_bipartite(edges *e, uint64_t base, uint64_t n, rng *r)
{
    const uint64_t left = 1 + rng_below(r, n), count = rng_sized(r, 0, 10 * n);
    for (uint64_t i = 0; left < n && i < count; i++)
        put(e, base + rng_below(r, left), base + left + rng_below(r, n - left));
}

static void shape_bare(edges *e, uint64_t base, uint64_t n, rng *r)
{
    (void)e;
    (void)base;
    (void)n;
    (void)r;
}

static const struct {
    const char *name;
    void (*add)(edges *e, uint64_t base, uint64_t n, rng *r);
} shapes[] = {
    {"path", shape_path},     {"cycle", shape_cycle},     {"star", shape_star},     {"stars", shape_stars},
    {"clique", shape_clique}, {"cliques", shape_cliques}, {"tree", shape_tree},     {"caterpillar", shape_caterpillar},
    {"grid", shape_grid},     {"random", shape_random},   {"skewed", shape_skewed}, {"bipartite", shape_bipartite},
    {"bare", shape_bare},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

/* ---- What is done to any of them ---- */

static void add_oddities(edges *e, rng *r)
{
    const uint64_t n = e->vertices, had = e->count;
    if (n && rng_chance(r, 15))
        for (uint64_t i = rng_sized(r, 1, n); i-- > 0;) {
            const uint64_t v = rng_below(r, n);
            put(e, v, v);
        }
    if (had && rng_chance(r, 20))
        for (uint64_t i = rng_sized(r, 1, had); i-- > 0;) {
            const uint64_t again = rng_below(r, had);
            put(e, e->source[again], e->target[again]);
        }
}

static void turn_some(edges *e, rng *r)
{
    const uint32_t share = (uint32_t)rng_below(r, 101);
    for (uint64_t i = 0; i < e->count; i++)
        if (rng_chance(r, share)) {
            const uint32_t v = e->source[i];
            e->source[i] = e->target[i];
            e->target[i] = v;
        }
}

static void draw_weights(edges *e, rng *r)
{
    const uint64_t kind = rng_below(r, 12);
    const uint64_t equal = rng_sized(r, 0, 1u << 20);
    for (uint64_t i = 0; i < e->count; i++) {
        uint64_t w = 1;
        switch (kind) {
        case 0: w = 1; break;
        case 1: w = 0; break;
        case 2: w = rng_below(r, 2); break;
        case 3: w = equal; break;
        case 4: w = rng_between(r, 1, 3); break;
        case 5: w = rng_sized(r, 0, 100000); break;
        case 6: w = rng_between(r, 1000000, 2000000); break; /* a long path does not fit 32 bits */
        case 7: w = rng_chance(r, 2) ? INT32_MAX - rng_below(r, 3) : rng_below(r, 4); break;
        case 8: w = e->count < 200 ? INT32_MAX / 2 - rng_below(r, 5) : rng_below(r, 256); break;
        default: w = rng_between(r, 1, 255);
        }
        e->weight[i] = (int32_t)w;
    }
}

static void permute(edges *e, rng *r)
{
    uint32_t *to = room(e->vertices, sizeof *to);
    for (uint32_t v = 0; v < e->vertices; v++) {
        const uint64_t at = rng_below(r, v + 1ull);
        to[v] = to[at];
        to[at] = v;
    }
    for (uint64_t i = 0; i < e->count; i++) {
        e->source[i] = to[e->source[i]];
        e->target[i] = to[e->target[i]];
    }
    free(to);
}

static void mirror(edges *e)
{
    const uint64_t had = e->count;
    for (uint64_t i = 0; i < had; i++)
        if (e->source[i] != e->target[i]) { /* an edge to itself is its own reverse */
            put(e, e->target[i], e->source[i]);
            e->weight[e->count - 1] = e->weight[i];
        }
}

static uint64_t draw_size(rng *r, int large, int slow)
{
    const uint64_t kind = rng_below(r, 100);
    if (kind < 3)
        return 0;
    if (kind < 8)
        return rng_between(r, 1, 3);
    if (kind < 40)
        return rng_between(r, 1, 70); /* around a warp, and two */
    if (kind < 99 || !large)
        return rng_sized(r, 1, slow ? 150 : 3000);
    return rng_between(r, 20000, 100000);
}

void edges_draw(edges *e, rng *r, int symmetric, int large, int slow)
{
    *e = (edges){0};
    uint64_t n = draw_size(r, large, slow);
    const uint64_t parts = n && rng_chance(r, 25) ? rng_between(r, 2, 6) : 1;
    size_t used = 0;
    for (uint64_t part = 0; part < parts; part++) {
        const uint64_t shape = rng_below(r, SHAPES);
        const uint64_t own = part + 1 < parts ? rng_sized(r, 1, n) : n;
        if (own)
            shapes[shape].add(e, e->vertices, own, r);
        e->vertices += (uint32_t)own;
        const int wrote = snprintf(e->name + used, sizeof e->name - used, "%s%s", part ? "+" : "",
                                   own ? shapes[shape].name : "empty");
        used = used + (size_t)wrote < sizeof e->name ? used + (size_t)wrote : sizeof e->name - 1;
    }
    add_oddities(e, r);
    turn_some(e, r);
    draw_weights(e, r);
    if (rng_chance(r, 60))
        permute(e, r);
    if (symmetric)
        mirror(e);
}
