/* SPDX-License-Identifier: Apache-2.0 */
/* astar.c - maps from files, and their cheapest ways by relaxing all cells until nothing changes. */
#include "problems.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct map {
    int64_t width, height, from, to;
    int cut_corners;
    double diagonal; /* costs so much; straight steps 10 */
    double cost;     /* INFINITY: no way */
    char cell[];     /* '.', 'W' or '#' */
};

static int open_at(const struct map *m, char terrain, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < m->width && y < m->height && m->cell[y * m->width + x] == terrain;
}

/* What a step costs; 0: there is none. */
static double step(const struct map *m, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    const char here = m->cell[y * m->width + x];
    if (dx < -1 || dx > 1 || dy < -1 || dy > 1 || (!dx && !dy) || !open_at(m, here, x + dx, y + dy))
        return 0;
    if (!dx || !dy)
        return 10;
    return m->cut_corners || (open_at(m, here, x + dx, y) && open_at(m, here, x, y + dy)) ? m->diagonal : 0;
}

static int same_cost(double a, double b)
{
    return fabs(a - b) <= 1e-6;
}

static double cheapest(const struct map *m)
{
    const int64_t cells = m->width * m->height;
    double *cost = room((size_t)cells, sizeof *cost);
    for (int64_t i = 0; i < cells; i++)
        cost[i] = i == m->from ? 0 : INFINITY;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int64_t n = 0; n < 2 * cells; n++) { /* there and back */
            const int64_t i = n < cells ? n : 2 * cells - 1 - n, x = i % m->width, y = i / m->width;
            if (!(cost[i] < INFINITY))
                continue;
            for (int64_t k = 0; k < 9; k++) {
                const int64_t dx = k % 3 - 1, dy = k / 3 - 1, next = i + dy * m->width + dx;
                const double by = step(m, x, y, dx, dy);
                if (by > 0 && cost[i] + by < cost[next] - 1e-6) {
                    cost[next] = cost[i] + by;
                    changed = 1;
                }
            }
        }
    }
    const double least = cost[m->to];
    free(cost);
    return least;
}

static void write_map(work *w, const struct map *m, int octile)
{
    FILE *file = problem_file(w);
    if (octile)
        fprintf(file, "type octile\nheight %" PRId64 "\nwidth %" PRId64 "\nmap\n", m->height, m->width);
    for (int64_t i = 0; i < m->width * m->height; i++) {
        fputc(m->cell[i] == '#' && octile ? '@' : m->cell[i], file);
        if ((i + 1) % m->width == 0)
            fputc('\n', file);
    }
    if (fclose(file) != 0)
        need(NULL);
}

static void carve(struct map *m, rng *r, uint32_t water)
{
    const uint32_t walls = rng_chance(r, 20) ? 0 : (uint32_t)rng_below(r, 60);
    const int snake = rng_chance(r, 15);
    for (int64_t i = 0; i < m->width * m->height; i++) {
        const int64_t x = i % m->width, y = i / m->width;
        const int wall = snake ? y % 2 && x != (y % 4 == 1 ? m->width - 1 : 0) : rng_chance(r, walls);
        m->cell[i] = wall ? '#' : water && rng_chance(r, water) ? 'W' : '.';
    }
}

void astar_draw(work *w, rng *r)
{
    const int64_t width = (int64_t)rng_sized(r, 1, 120), height = (int64_t)rng_sized(r, 1, 90);
    const size_t cells = (size_t)(width * height);
    struct map *m = w->answer = need(calloc(1, sizeof *m + cells));
    m->width = width;
    m->height = height;
    const int octile = rng_chance(r, 40);
    carve(m, r, octile && rng_chance(r, 50) ? 40 : 0);
    m->cut_corners = rng_chance(r, 50);
    m->diagonal = rng_chance(r, 50) ? 14 : 10 * sqrt(2.0);
    m->from = m->to = -1;
    for (int64_t i = 0; i < (int64_t)cells; i++)
        if (m->cell[i] == '.') { /* land comes first */
            m->from = m->from < 0 ? i : m->from;
            m->to = i;
        }
    work_set(w, "cut-corners", "%d", m->cut_corners);
    work_set(w, "diagonal", "%s", m->diagonal > 14 ? "sqrt2" : "1.4");
    for (int64_t i = 0; m->to < 0 && i < (int64_t)cells; i++) /* and water where there is no land */
        if (m->cell[i] == 'W')
            m->from = m->from < 0 ? i : m->from;
    for (int64_t i = (int64_t)cells - 1; m->from >= 0 && m->to < 0; i--)
        m->to = m->cell[i] == 'W' ? i : -1;
    w->fresh = m->from < 0 || rng_chance(r, 20); /* the first and the last open cell */
    if (m->from < 0)
        w->expect = RD_EINPUT; /* all walls */
    while (!w->fresh) {
        m->from = (int64_t)rng_below(r, cells);
        m->to = (int64_t)rng_below(r, cells);
        if (m->cell[m->from] != '#' && m->cell[m->to] != '#')
            break;
    }
    if (!w->fresh) {
        work_set(w, "source", "%" PRId64 ",%" PRId64, m->from % width, m->from / width);
        work_set(w, "target", "%" PRId64 ",%" PRId64, m->to % width, m->to / width);
    }
    if (m->from >= 0)
        m->cost = cheapest(m);
    write_map(w, m, octile);
}

int astar_judge(const work *w, const rd_result *result, char *why)
{
    const struct map *m = w->answer;
    double cost = 0;
    if ((result->count == 0) != !(m->cost < INFINITY)) {
        snprintf(why, WHY_MOST, "%s way was found", result->count ? "a" : "no");
        return 0;
    }
    for (uint64_t i = 0; i < result->count; i++) {
        const int64_t to = result->word[i], from = i ? result->word[i - 1] : m->from;
        const double by =
            step(m, from % m->width, from / m->width, to % m->width - from % m->width, to / m->width - from / m->width);
        if (i == 0 ? to != m->from : !(by > 0)) {
            snprintf(why, WHY_MOST, "step %" PRIu64 " from cell %" PRId64 " to %" PRId64 " is none", i, from, to);
            return 0;
        }
        cost += i ? by : 0;
    }
    if (result->count && (!same_cost(cost, m->cost) || (int64_t)result->word[result->count - 1] != m->to)) {
        snprintf(why, WHY_MOST, "the way to cell %u costs %.9g; the cheapest to %" PRId64 " costs %.9g",
                 result->word[result->count - 1], cost, m->to, m->cost);
        return 0;
    }
    return 1;
}
