/* SPDX-License-Identifier: Apache-2.0 */
/* graphs.c - the apps of graphs: what a case draws for them, and whether their answers are right. */
#include "oracle.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Drawing ---- */

static int is(const work *w, const char *app)
{
    return strcmp(w->config->app->name, app) == 0;
}

static void draw_pagerank(work *w, rng *r)
{
    static const char *const alpha[] = {"0", "0.5", "0.85", "0.85", "0.9", "0.99"}, *const tol[] = {
                                                                                        "0",    "1e-2", "1e-4", "1e-4",
                                                                                        "1e-6", "1e-9", "1"};
    const char *sched = w->config->sched; /* by tasks nobody counts iterations */
    const int push = sched && (strcmp(sched, "fifo") == 0 || strcmp(sched, "steal") == 0);
    const char *t = tol[rng_below(r, push ? 4 : 7)];
    if (rng_chance(r, 60))
        work_set(w, "alpha", "%s", alpha[rng_below(r, 6)]);
    else
        work_set(w, "alpha", "0.85"); /* each case sets it: the job may have the last one's */
    work_set(w, "tol", "%s", push && strcmp(t, "0") == 0 ? "1e-5" : t);
    if (!push)
        work_set(w, "iterations", "%" PRIu64, rng_chance(r, 40) ? rng_sized(r, 0, 60) : (uint64_t)1000);
}

static int option_is(const work *w, const char *key, const char *value)
{
    const char *set = config_value(w->config, key);
    return set && strcmp(set, value) == 0;
}

/* Once set, a job keeps its source, so each case sets one; or leaves it to the library, which takes the hub. */
static void draw_source(work *w, rng *r)
{
    const rows *g = &w->rows;
    w->fresh = g->vertices == 0 || rng_chance(r, 5);
    if (!w->fresh) {
        w->source = (uint32_t)rng_below(r, g->vertices);
        work_set(w, "source", "%u", w->source);
        return;
    }
    for (uint32_t v = 0; v < g->vertices; v++)
        if (w->source == RD_NONE || g->row[v + 1] - g->row[v] > g->row[w->source + 1] - g->row[w->source])
            w->source = v;
}

/* Distances beyond are an error that the library has to see. */
static int fits_32_bits(const work *w)
{
    uint64_t *distance = room(w->rows.vertices, sizeof *distance);
    int fits = 1;
    serial_dijkstra(&w->rows, w->source, distance);
    for (uint32_t v = 0; v < w->rows.vertices; v++)
        fits &= distance[v] == UINT64_MAX || distance[v] < RD_NONE;
    free(distance);
    return fits;
}

void graph_draw(work *w, rng *r)
{
    const int needs_symmetric = is(w, "mis") || is(w, "color") || is(w, "kcore") || is(w, "tc") || is(w, "mst");
    const int symmetric = needs_symmetric ? !rng_chance(r, 3) : rng_chance(r, 60);
    edges_draw(&w->edges, r, symmetric, w->large, option_is(w, "frontier", "bitmap") && !w->large);
    w->edges.real = (is(w, "sssp") || is(w, "mst")) && rng_chance(r, 35);
    for (uint64_t i = 0; w->edges.real && i < w->edges.count; i++)
        w->edges.weight[i] = rd_weight_word((float)w->edges.weight[i] / 7.0f);
    w->negative = is(w, "sssp") && w->edges.count && w->edges.vertices < 3000 && rng_chance(r, 5); /* rounds */
    for (uint64_t i = 0; w->negative && (i == 0 || (rng_chance(r, 60) && !symmetric)); i++)
        w->edges.weight[rng_below(r, w->edges.count)] = -1 - (int32_t)rng_below(r, 5);
    rows_make(&w->rows, &w->edges);
    w->source = RD_NONE;
    if (w->config->app->has_source || is(w, "bc"))
        draw_source(w, r);
    if (w->negative)
        w->expect = w->edges.real ? RD_EINPUT : expect_signed(&w->rows, w->source);
    else if (is(w, "sssp") && w->expect == RD_OK)
        w->expect = fits_32_bits(w) ? RD_OK : RD_EINPUT;
    if (is(w, "sssp"))
        work_set(w, "delta", "%" PRIu64,
                 rng_chance(r, 50) ? 0 : rng_sized(r, 1, rng_chance(r, 10) ? UINT32_MAX : 4096));
    if (is(w, "pr"))
        draw_pagerank(w, r);
    snprintf(w->text, sizeof w->text, "%s of %u vertices, %" PRIu64 " edges%s", w->edges.name, w->rows.vertices,
             w->rows.edges, w->edges.real ? " of real weight" : "");
}

/* ---- Judging ---- */

static int wrong(char *why, const char *what, uint64_t v, uint64_t is_now, uint64_t should)
{
    snprintf(why, WHY_MOST, "%s of vertex %" PRIu64 " is %" PRIu64 ", and should be %" PRIu64, what, v, is_now, should);
    return 0;
}

/* Parents by distances: exactly the reached have one, over an edge of the right length; and none leads in a circle. */
static int judge_parents(const work *w, const uint32_t *parent, const uint64_t *right, int weighted, char *why)
{
    const rows *g = &w->rows;
    for (uint32_t v = 0; v < g->vertices; v++) {
        const uint32_t p = parent[v];
        if ((p == RD_NONE) != (right[v] == UINT64_MAX))
            return wrong(why, "parent", v, p, right[v]);
        if (p == RD_NONE || (v == w->source && p == v))
            continue;
        if (p >= g->vertices || v == w->source)
            return wrong(why, "parent", v, p, w->source);
        int found = 0;
        for (uint64_t e = g->row[p]; !found && e < g->row[p + 1]; e++)
            found = g->col[e] == v && right[p] != UINT64_MAX &&
                    (weighted ? serial_sum(g, right[p], e) : right[p] + 1) == right[v];
        if (!found) {
            snprintf(why, WHY_MOST, "vertex %u has parent %u, from which no edge is so long", v, p);
            return 0;
        }
    }
    for (uint32_t v = 0; v < g->vertices; v++) {
        uint32_t at = v, steps = 0;
        while (parent[v] != RD_NONE && at != w->source && steps++ <= g->vertices)
            at = parent[at];
        if (steps > g->vertices) {
            snprintf(why, WHY_MOST, "the parents of vertex %u lead in a circle", v);
            return 0;
        }
        if (g->vertices > 5000 && v > 200)
            break; /* a long path squared would take minutes */
    }
    return 1;
}

static int judge_distances(const work *w, const rd_result *result, int weighted, char *why)
{
    const rows *g = &w->rows;
    uint64_t *right = room(g->vertices, sizeof *right);
    int good = 1;
    if (weighted)
        serial_dijkstra(g, w->source, right);
    else
        serial_bfs(g, w->source, right);
    if (strcmp(result->name, "parent") == 0)
        good = judge_parents(w, result->word, right, weighted, why);
    else
        for (uint32_t v = 0; good && v < g->vertices; v++) {
            uint64_t found;
            if (result->kind == RD_RESULT_F32)
                found = result->real[v] < INFINITY ? (uint32_t)rd_weight_word(result->real[v]) : UINT64_MAX;
            else
                found = result->word[v] == RD_NONE ? UINT64_MAX : result->word[v];
            good = found == right[v] || wrong(why, result->name, v, found, right[v]);
        }
    free(right);
    return good;
}

static int judge_components(const work *w, const rd_result *result, char *why)
{
    uint32_t *right = room(w->rows.vertices, sizeof *right);
    int good = 1;
    serial_components(&w->rows, right);
    for (uint32_t v = 0; good && v < w->rows.vertices; v++)
        good = result->word[v] == right[v] || wrong(why, "component", v, result->word[v], right[v]);
    free(right);
    return good;
}

static int judge_cores(const work *w, const rd_result *result, char *why)
{
    uint32_t *right = room(w->rows.vertices, sizeof *right);
    int good = 1;
    serial_cores(&w->rows, right);
    for (uint32_t v = 0; good && v < w->rows.vertices; v++)
        good = result->word[v] == right[v] || wrong(why, "core", v, result->word[v], right[v]);
    free(right);
    return good;
}

static int judge_colours(const work *w, const uint32_t *colour, char *why)
{
    const rows *g = &w->rows;
    for (uint32_t v = 0; v < g->vertices; v++) {
        if (colour[v] > g->most_degree) {
            snprintf(why, WHY_MOST, "vertex %u has colour %u, and no vertex has more than %" PRIu64 " edges", v,
                     colour[v], g->most_degree);
            return 0;
        }
        for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++)
            if (g->col[e] != v && colour[g->col[e]] == colour[v]) {
                snprintf(why, WHY_MOST, "neighbours %u and %u have the same colour %u", v, g->col[e], colour[v]);
                return 0;
            }
    }
    return 1;
}

static int judge_set(const work *w, const uint32_t *in, char *why)
{
    const rows *g = &w->rows;
    for (uint32_t v = 0; v < g->vertices; v++) {
        int beside = 0;
        for (uint64_t e = g->row[v]; e < g->row[v + 1]; e++)
            beside |= g->col[e] != v && in[g->col[e]] == 1;
        if (in[v] > 1 || in[v] == (uint32_t)beside) {
            snprintf(why, WHY_MOST, "vertex %u is %u, and %s neighbour is in the set", v, in[v], beside ? "a" : "no");
            return 0;
        }
    }
    return 1;
}

static double number(const work *w, const char *key, double otherwise)
{
    for (size_t i = 0; i < w->count; i++)
        if (strcmp(w->key[i], key) == 0)
            return strtod(w->value[i], NULL);
    const char *set = config_value(w->config, key);
    return set ? strtod(set, NULL) : otherwise;
}

/* How far ranks may be off: docs/apps.md. By the rule, tol * alpha / (1 - alpha), besides rounding; and when the number
 * of iterations ended it, as far as alpha^k leaves it. Exactly so many of Jacobi's iterations give known numbers. */
static int judge_ranks(const work *w, const rd_result *result, const rd_report *report, char *why)
{
    const rows *g = &w->rows;
    const double alpha = number(w, "alpha", 0.85), tol = number(w, "tol", 1e-4), limit = number(w, "iterations", 1000);
    const int by_max = option_is(w, "rule", "max"), drop = option_is(w, "dangling", "drop");
    double *right = room(g->vertices, sizeof *right), sum = 0, total = 0, worst = 0, iterations = -1;
    for (uint32_t i = 0; i < report->measures; i++)
        if (strcmp(report->measure[i].name, "iterations") == 0)
            iterations = report->measure[i].value;
    const int cut = iterations >= 0 && iterations >= limit;
    const int counted = number(w, "iterations", -1) >= 0; /* then sinks pass on in each of them */
    const int exact = (counted || option_is(w, "update", "jacobi")) && iterations >= 0 && iterations <= 200;
    const int spread = exact && counted && !drop;
    const double rounding = alpha > 0.98 ? 6e-7 / (1 - alpha) : 3e-5;
    serial_pagerank(g, alpha, spread, exact ? (uint32_t)iterations : 6000, exact ? -1 : 1e-13, right);
    for (uint32_t v = 0; v < g->vertices; v++)
        sum += right[v];
    double error = exact ? 1e-7 : fmax(1e-8, tol * alpha / (1 - alpha));
    if (cut && !exact && 2 * pow(alpha, limit) > error)
        error = 2 * pow(alpha, limit);
    if (!drop && !exact)
        error *= 2 / (sum > 0 ? sum : 1);
    for (uint32_t v = 0; v < g->vertices; v++) {
        const double wanted = right[v] / (drop ? 1 : sum);
        double off = fabs((double)result->real[v] - wanted) - rounding * wanted;
        off = isfinite(result->real[v]) ? off > 0 ? off : 0 : INFINITY;
        total += off;
        worst = off > worst ? off : worst;
    }
    free(right);
    if (g->vertices == 0 || (by_max || exact ? worst : total) <= error)
        return 1;
    snprintf(why, WHY_MOST, "ranks are off by %.3g in total, %.3g at worst; %.3g is allowed after %g iterations%s",
             total, worst, error, iterations, exact ? " of Jacobi's" : "");
    return 0;
}

int graph_judge(const work *w, const rd_result *result, const rd_report *report, char *why)
{
    if (is(w, "tc"))
        return judge_triangles(w, result, why);
    if (is(w, "mst"))
        return judge_forest(w, result, why);
    if (result->count != w->rows.vertices) {
        snprintf(why, WHY_MOST, "%" PRIu64 " values for %u vertices", result->count, w->rows.vertices);
        return 0;
    }
    if (w->negative)
        return judge_signed(w, result, why);
    if (is(w, "bfs") || is(w, "sssp"))
        return judge_distances(w, result, is(w, "sssp"), why);
    if (is(w, "cc"))
        return judge_components(w, result, why);
    if (is(w, "color"))
        return judge_colours(w, result->word, why);
    if (is(w, "mis"))
        return judge_set(w, result->word, why);
    if (is(w, "kcore"))
        return judge_cores(w, result, why);
    if (is(w, "bc"))
        return judge_between(w, result, why);
    if (is(w, "pr"))
        return judge_ranks(w, result, report, why);
    snprintf(why, WHY_MOST, "the oracle has no answer for the app %s: add one to tests/oracle/graphs.c",
             w->config->app->name);
    return 0;
}
