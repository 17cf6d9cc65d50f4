/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_models.c - what src/model/frontier.k.h and sweep.k.h promise, counted: how often each vertex is opened and each
 * edge visited, on graphs with hubs, duplicates and loops, under every engine. test_models_tasks.c has the other
 * models.
 */
#include "selftest/models.h"

#include "core/memory.h"
#include "selftest/models/layout.k.h"

#include <stdio.h>
#include <string.h>

/* A graph, which of its vertices are reached from the seeds, and what is expected of vertices and edges. */
typedef struct world {
    rd_graph *graph;
    rd_csr csr;
    rd__buffer row, col;
    uint32_t *reached, *least, *most; /* least, most: as many as the graph has vertices or edges */
    uint32_t reach;
} world;

/* All that are tried. NULL: loops and duplicates; a hub with parts; degrees of every size, and of 1 to 4; nothing but
 * hubs, to groups of some lanes. */
typedef struct worlds {
    world world[5];
    uint32_t count;
} worlds;

enum { SEEDS = 3 };

static void close_world(world *w)
{
    rd__buffer_free(&w->row);
    rd__buffer_free(&w->col);
    rd__array_free(w->reached);
    rd__array_free(w->least);
    rd__array_free(w->most);
    rd_graph_destroy(w->graph);
}

static rd_status open_world(rd__test *test, const char *spec, world *w, rd_error *err)
{
    static const uint32_t source[] = {0, 0, 0, 1, 1, 2, 2, 2, 3, 4, 4, 6},
                          target[] = {0, 1, 1, 1, 2, 3, 3, 0, 3, 5, 4, 7};
    const rd_graph_options options = {.size = sizeof options, .seed = test->seed};
    RD_TRY(spec ? rd_graph_open(spec, &options, &w->graph, err)
                : rd_graph_from_edges(9, 12, source, target, NULL, &options, &w->graph, err));
    w->csr = rd_graph_csr(w->graph);
    const uint64_t room = w->csr.edges > w->csr.vertices ? w->csr.edges : w->csr.vertices;
    RD_TRY(rd__array_new(&w->reached, "vertices that are reached", w->csr.vertices, 4, err));
    RD_TRY(rd__array_new(&w->least, "what is expected", room, 4, err));
    RD_TRY(rd__array_new(&w->most, "what is expected", room, 4, err));
    RD_TRY(rd__buffer_from(test->device, &w->row, "rows", 8 * (w->csr.vertices + 1ull), w->csr.row, err));
    return rd__buffer_from(test->device, &w->col, "targets", 4 * w->csr.edges, w->csr.col, err);
}

/* Which vertices are reached, when those of odd number lead nowhere (skip). By repetition: obviously right. */
static void reach(world *w, const uint32_t *seed, uint32_t seeds, int skip)
{
    memset(w->reached, 0, 4ull * w->csr.vertices);
    for (uint32_t i = 0; i < seeds; i++)
        w->reached[seed[i]] = 1;
    for (int more = 1; more;) {
        more = 0;
        for (uint32_t u = 0; u < w->csr.vertices; u++)
            for (uint64_t e = w->csr.row[u]; w->reached[u] && !(skip && u % 2) && e < w->csr.row[u + 1]; e++) {
                more |= !w->reached[w->csr.col[e]];
                w->reached[w->csr.col[e]] = 1;
            }
    }
    w->reach = 0;
    for (uint32_t v = 0; v < w->csr.vertices; v++)
        w->reach += w->reached[v];
}

/* Buffers of all roots of edges: 0 claims or phases, 1 opened, 2 visited, 3 told or the latest phase, 4 wrong, 5 order.
 */
static rd_status start_edges(rd__models_run *run, rd_error *err)
{
    const world *w = run->user;
    const int phases = run->job.frontier.repeats;
    const uint32_t one = 1, zero = 0;
    RD_TRY(rd__models_words(run, 0, w->csr.vertices, phases ? RD_NONE : 0, err));
    RD_TRY(rd__models_words(run, 1, w->csr.vertices, 0, err));
    RD_TRY(rd__models_words(run, 2, w->csr.edges, 0, err));
    RD_TRY(rd__models_words(run, 3, w->csr.vertices, 0, err));
    RD_TRY(rd__models_words(run, 4, 1, 0, err));
    RD_TRY(rd__models_words(run, 5, 1ull + w->csr.vertices, 0, err));
    for (uint32_t i = 0; i < run->seeds; i++) {
        const uint64_t at = 4ull * run->seed[i];
        const uint32_t told = phases ? 0 : run->seed[i] + 1;
        RD_TRY(rd__buffer_write(&run->buffer[0], at, 4, phases ? &zero : &one, err));
        RD_TRY(rd__buffer_write(&run->buffer[3], at, 4, &told, err));
    }
    return RD_OK;
}

static rd_status expect_vertices(rd__models_run *run, int buffer, uint32_t least, uint32_t most, const char *what,
                                 rd_error *err)
{
    const world *w = run->user;
    for (uint32_t v = 0; v < w->csr.vertices; v++) {
        w->least[v] = w->reached[v] ? least : 0;
        w->most[v] = w->reached[v] ? most : 0;
    }
    return rd__models_expect(run, buffer, w->csr.vertices, w->least, w->most, what, err);
}

static rd_status expect_edges(rd__models_run *run, int buffer, uint32_t times, uint32_t most, int skip, rd_error *err)
{
    const world *w = run->user;
    for (uint32_t v = 0; v < w->csr.vertices; v++)
        for (uint64_t e = w->csr.row[v]; e < w->csr.row[v + 1]; e++) {
            const int is_visited = w->reached[v] && !(skip && v % 2);
            w->least[e] = is_visited ? times : 0;
            w->most[e] = is_visited ? most : 0;
        }
    return rd__models_expect(run, buffer, w->csr.edges, w->least, w->most, "visits of edge", err);
}

static int is_seed(const rd__models_run *run, uint32_t v)
{
    for (uint32_t i = 0; i < run->seeds; i++)
        if (run->seed[i] == v)
            return 1;
    return 0;
}

/* One worker under an engine with urgent tasks, in launches: all that the hub of a star gave waits in the next launch,
 * and what is urgent of it comes first. */
static rd_status check_urgent(rd__models_run *run, rd_error *err)
{
    const world *w = run->user;
    const uint32_t n = w->csr.vertices;
    if (strcmp(run->job.engine->tag, "fifo") != 0 || run->job.persistent || run->job.groups != 1 || n < 100 ||
        w->csr.row[1] != n - 1)
        return RD_OK;
    uint32_t last = 0, first = UINT32_MAX;
    RD_TRY(rd__buffer_read(&run->buffer[5], 4, 4ull * n, w->least, err)); /* without the word that counts */
    for (uint32_t v = 0; v < n; v++) {
        if (!is_seed(run, v) && v % 3 == 0)
            last = w->least[v] > last ? w->least[v] : last;
        else if (!is_seed(run, v))
            first = w->least[v] < first ? w->least[v] : first;
    }
    if (last > first)
        return rd__fail(err, RD_EWRONG, "an urgent task was number %u, after another one, number %u", last, first);
    return RD_OK;
}

/* In rounds a vertex may be opened for each of its parts; under a policy with an order it may be run again from its
 * first edge; else once. Edges once, always. */
static rd_status check_edges(rd__models_run *run, const rd_report *report, rd_error *err)
{
    const world *w = run->user;
    const int skip = strcmp(run->root, "selftest_models_skip") == 0;
    const int again = (run->job.engine->is & (RD__ENGINE_ORDERED | RD__ENGINE_RELAXED)) != 0;
    RD_TRY(expect_vertices(run, 1, 1, run->in_rounds || again ? UINT32_MAX : 1, "openings of vertex", err));
    RD_TRY(expect_edges(run, 2, 1, again ? UINT32_MAX : 1, skip, err));
    if (skip)
        RD_TRY(check_urgent(run, err));
    if (!again && report->tasks != w->reach)
        return rd__fail(err, RD_EWRONG, "%llu tasks were run, and %u vertices are reached",
                        (unsigned long long)report->tasks, w->reach);
    return rd__models_nothing_wrong(run, 4, err);
}

static int edges_input(rd__models_run *run, uint32_t i)
{
    worlds *all = run->inputs;
    if (i >= all->count)
        return 0;
    run->user = &all->world[i];
    run->job.input.graph = all->world[i].graph;
    run->job.input.row = &all->world[i].row;
    run->job.input.col = &all->world[i].col;
    return 1;
}

static void set_args(rd__models_run *run, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        run->arg[i] = RD__BUFFER(&run->buffer[i]);
    run->job.args = run->arg;
    run->job.arg_count = count;
}

static rd_status run_everywhere(rd__models_run *run, uint32_t buffers, uint32_t *runs, rd_error *err)
{
    set_args(run, buffers);
    const rd_status status = rd__models_everywhere(run, err);
    rd__models_free(run);
    *runs += run->runs;
    return status;
}

static rd_status run_edges(rd__test *test, const char *root, worlds *all, uint32_t *runs, rd_error *err)
{
    static const uint32_t seed[SEEDS] = {0, 4, 6};
    const int skip = strcmp(root, "selftest_models_skip") == 0;
    rd__models_run run = {.test = test,
                          .root = root,
                          .seed = seed,
                          .seeds = SEEDS,
                          .input = edges_input,
                          .inputs = all,
                          .start = start_edges,
                          .check = check_edges};
    for (uint32_t i = 0; i < all->count; i++)
        reach(&all->world[i], seed, SEEDS, skip);
    return run_everywhere(&run, skip ? 6 : 5, runs, err);
}

/* ---- Whole vertices: buffers 1 opened, 2 visited, 3 wrong ---- */

static rd_status start_vertices(rd__models_run *run, rd_error *err)
{
    const world *w = run->user;
    RD_TRY(rd__models_words(run, 1, w->csr.vertices, 0, err));
    RD_TRY(rd__models_words(run, 2, w->csr.edges, 0, err));
    return rd__models_words(run, 3, 1, 0, err);
}

static rd_status check_vertices(rd__models_run *run, const rd_report *report, rd_error *err)
{
    (void)report;
    RD_TRY(expect_vertices(run, 1, 1, 1, "runs of vertex", err));
    RD_TRY(expect_edges(run, 2, 1, 1, 0, err));
    return rd__models_nothing_wrong(run, 3, err);
}

enum { SEEDS_MOST = 64 };

static int vertices_input(rd__models_run *run, uint32_t i)
{
    if (!edges_input(run, i))
        return 0;
    worlds *all = run->inputs;
    const uint32_t n = all->world[i].csr.vertices;
    run->seeds = n < SEEDS_MOST ? n : SEEDS_MOST;
    run->arg[0] = RD__BUFFER(&all->world[i].row);
    run->arg[4] = RD__U32(n);
    run->arg[5] = RD__U32(run->seeds);
    return 1;
}

static void reach_all(worlds *all)
{
    for (uint32_t i = 0; i < all->count; i++)
        for (uint32_t v = 0; v < all->world[i].csr.vertices; v++)
            all->world[i].reached[v] = 1;
}

static rd_status run_vertices(rd__test *test, const char *root, worlds *all, uint32_t *runs, rd_error *err)
{
    uint32_t seed[SEEDS_MOST];
    rd__models_run run = {.test = test,
                          .root = root,
                          .seed = seed,
                          .input = vertices_input,
                          .inputs = all,
                          .start = start_vertices,
                          .check = check_vertices};
    for (uint32_t i = 0; i < SEEDS_MOST; i++)
        seed[i] = i;
    reach_all(all);
    return run_everywhere(&run, 6, runs, err);
}

/* ---- Sweeps: buffers 0 opened, 1 visited, 2 asked, 3 items, 4 wrong, 5 last, 6 left ---- */

static rd_status start_sweep(rd__models_run *run, rd_error *err)
{
    const world *w = run->user;
    RD_TRY(rd__models_words(run, 0, w->csr.vertices, 0, err));
    RD_TRY(rd__models_words(run, 1, w->csr.edges, 0, err));
    RD_TRY(rd__models_words(run, 2, w->csr.vertices, 0, err));
    RD_TRY(rd__models_words(run, 3, MODELS_ITEMS, 0, err));
    RD_TRY(rd__models_words(run, 4, 1, 0, err));
    RD_TRY(rd__models_words(run, 5, MODELS_LAST, 0, err));
    return rd__models_words(run, 6, MODELS_ITEMS, 0, err);
}

static uint32_t bits_of(float x)
{
    uint32_t word;
    memcpy(&word, &x, sizeof word);
    return word;
}

/* What the last phase found: gains of one step over all vertices, and scalars of all steps before. */
static rd_status check_last(rd__models_run *run, rd_error *err)
{
    const uint32_t n = ((const world *)run->user)->csr.vertices, sum = (uint32_t)((uint64_t)n * (n + 1ull) / 2);
    const uint32_t steps = 1 + MODELS_TURNS;
    const uint32_t right[MODELS_LAST] = {steps,
                                         sum,
                                         n - 1,
                                         bits_of((float)n),
                                         bits_of((float)n / 2),
                                         steps,
                                         steps * sum,
                                         bits_of((float)steps * (float)n)};
    return rd__models_expect(run, 5, MODELS_LAST, right, right, "word of s in the last phase", err);
}

static rd_status check_sweep(rd__models_run *run, const rd_report *report, rd_error *err)
{
    uint32_t one[MODELS_ITEMS];
    for (int i = 0; i < MODELS_ITEMS; i++)
        one[i] = 1;
    RD_TRY(expect_vertices(run, 0, 1 + MODELS_TURNS, 1 + MODELS_TURNS, "asks of vertex", err));
    RD_TRY(expect_edges(run, 1, MODELS_TURNS, MODELS_TURNS, 0, err));
    RD_TRY(expect_vertices(run, 2, MODELS_TURNS, UINT32_MAX, "looks at the edges of vertex", err));
    RD_TRY(rd__models_expect(run, 3, MODELS_ITEMS, one, one, "asks of item", err));
    RD_TRY(rd__models_nothing_wrong(run, 4, err));
    if (report->rounds != 2 + MODELS_TURNS)
        return rd__fail(err, RD_EWRONG, "%llu steps were run, not %d", (unsigned long long)report->rounds,
                        2 + MODELS_TURNS);
    return check_last(run, err);
}

static rd_status run_sweep(rd__test *test, const char *root, worlds *all, uint32_t *runs, rd_error *err)
{
    rd__models_run run = {
        .test = test, .root = root, .input = edges_input, .inputs = all, .start = start_sweep, .check = check_sweep};
    reach_all(all);
    return run_everywhere(&run, 7, runs, err);
}

/* ---- Cases ---- */

typedef rd_status (*run_fn)(rd__test *test, const char *root, worlds *all, uint32_t *runs, rd_error *err);

static rd_status run_model(rd__test *test, const char *root, run_fn model, rd_error *err)
{
    static const char *const fast[] = {NULL, "star:30000", "kron:11", "road:40x40:0.65", "complete:600"};
    static const char *const slow[] = {NULL, "star:5000", "kron:6", "road:9x9:0.65", "complete:70"};
    /* A CPU behind OpenCL loads programs for as long as it runs them. */
    const uint32_t count = test->device->caps.slow_wide_compile ? 2 : 5;
    worlds all = {.count = 0};
    uint32_t runs = 0;
    rd_status status = RD_OK;
    while (status == RD_OK && all.count < count) {
        const char *spec = (rd__test_is_slow(test) || rd__test_is_small(test) ? slow : fast)[all.count];
        status = open_world(test, spec, &all.world[all.count++], err);
    }
    if (status == RD_OK)
        status = model(test, root, &all, &runs, err);
    for (uint32_t i = 0; i < all.count; i++)
        close_world(&all.world[i]);
    snprintf(test->note, sizeof test->note, "%u counted runs", runs);
    return status;
}

static rd_status frontier(rd__test *test, rd_error *err)
{
    return run_model(test, "selftest_models_frontier", run_edges, err);
}

static rd_status skip(rd__test *test, rd_error *err)
{
    return run_model(test, "selftest_models_skip", run_edges, err);
}

static rd_status repeats(rd__test *test, rd_error *err)
{
    return run_model(test, "selftest_models_repeats", run_edges, err);
}

static rd_status vertex(rd__test *test, rd_error *err)
{
    return run_model(test, "selftest_models_vertex", run_vertices, err);
}

static rd_status sweep(rd__test *test, rd_error *err)
{
    return run_model(test, "selftest_models_sweep", run_sweep, err);
}

const rd__test_case rd__model_cases[] = {
    {"models/frontier", frontier, RD__ONCE},
    {"models/frontier-skip", skip, RD__ONCE},
    {"models/frontier-repeats", repeats, RD__ONCE},
    {"models/frontier-vertex", vertex, RD__ONCE},
    {"models/sweep", sweep, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
