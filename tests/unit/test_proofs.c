/* SPDX-License-Identifier: Apache-2.0 */
/* test_proofs.c - checkers on graphs that several threads look at: right results pass, and each fault that is planted,
 * wherever it is, is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/bfs/check.h"
#include "apps/cc/check.h"
#include "apps/color/check.h"
#include "apps/common/checker.h"
#include "apps/common/rows.h"
#include "apps/pr/check.h"
#include "apps/sssp/check.h"
#include "core/memory.h"
#include "raddle/graph.h"
#include "sanitized.h"

#include <stdatomic.h>

RD__WORD_CHECKER(mis);

static rd_graph *graph;
static rd_csr csr;
static uint32_t *word, *queue;
static uint64_t dice = 4711;

static uint32_t draw(uint32_t below)
{
    dice = dice * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((dice >> 33) % below);
}

static int open_graph(const char *name)
{
    const rd_graph_options options = {.size = sizeof options, .weight_min = 1, .weight_max = 255};
    if (rd_graph_open(name, &options, &graph, NULL) != RD_OK)
        return 1;
    csr = rd_graph_csr(graph);
    word = malloc(csr.vertices * sizeof *word);
    queue = malloc(csr.vertices * sizeof *queue);
    return !word || !queue;
}

static void close_graph(void)
{
    rd_graph_destroy(graph);
    free(word);
    free(queue);
}

static void search(uint32_t source)
{
    uint32_t head = 0, tail = 0;
    memset(word, 0xff, csr.vertices * sizeof *word);
    word[source] = 0;
    queue[tail++] = source;
    while (head < tail) {
        const uint32_t u = queue[head++];
        for (uint64_t e = csr.row[u]; e < csr.row[u + 1]; e++)
            if (word[csr.col[e]] == RD_NONE) {
                word[csr.col[e]] = word[u] + 1;
                queue[tail++] = csr.col[e];
            }
    }
}

/* Until nothing changes: slow, and as plain as can be. */
static void relax(uint32_t source)
{
    int again = 1;
    memset(word, 0xff, csr.vertices * sizeof *word);
    for (word[source] = 0; again;) {
        again = 0;
        for (uint32_t u = 0; u < csr.vertices; u++)
            for (uint64_t e = csr.row[u]; word[u] != RD_NONE && e < csr.row[u + 1]; e++)
                if (word[u] + (uint32_t)csr.weight[e] < word[csr.col[e]]) {
                    word[csr.col[e]] = word[u] + (uint32_t)csr.weight[e];
                    again = 1;
                }
    }
}

typedef rd_status one_check(uint32_t source, rd_error *err);

static rd_status check_bfs(uint32_t source, rd_error *err)
{
    return rd__bfs_check_depths(&csr, source, word, err);
}

static rd_status check_sssp(uint32_t source, rd_error *err)
{
    return rd__sssp_check_distances(&csr, 0, source, word, err);
}

/* Each word changed by itself makes the result wrong. */
static void plant(one_check *check, uint32_t source, int times)
{
    rd_error err = {.status = RD_OK};
    assert_int_equal(check(source, &err), RD_OK);
    for (int i = 0; i < times; i++) {
        const uint32_t v = i < 2 ? (i ? csr.vertices - 1 : source) : draw(csr.vertices), was = word[v];
        const uint32_t wrong[] = {was + 1, was - 1, RD_NONE, 0, draw(9)};
        for (unsigned k = 0; k < sizeof wrong / sizeof *wrong; k++) {
            word[v] = wrong[k];
            if (wrong[k] != was && check(source, &err) != RD_EWRONG)
                fail_msg("vertex %u of %u: %u instead of %u was not found", v, csr.vertices, wrong[k], was);
        }
        word[v] = was;
    }
    assert_int_equal(check(source, &err), RD_OK);
}

/* The first two are for all threads of a checker (2^18 vertices and edges), in every build. */
static const char *const shapes[] = {SANITIZED ? "kron:14:10" : "kron:14", SANITIZED ? "urand:14:9" : "urand:14:12",
                                     SANITIZED ? "road:120x120:0.65" : "road:400x400:0.65",
                                     SANITIZED ? "path:15000" : "path:150000",
                                     SANITIZED ? "star:15000" : "star:150000"};
enum { SHAPES = sizeof shapes / sizeof *shapes, PLANTED = SANITIZED ? 3 : 6 };

static void depths(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        assert_int_equal(open_graph(shapes[i]), 0);
        const uint32_t source = csr.col[draw((uint32_t)csr.edges)];
        search(source);
        plant(check_bfs, source, PLANTED);
        close_graph();
    }
}

static void distances(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(open_graph(shapes[i]), 0);
        const uint32_t source = csr.col[draw((uint32_t)csr.edges)];
        relax(source);
        plant(check_sssp, source, PLANTED);
        close_graph();
    }
}

/* Vertices of two components, each a circle of weight 0, vouch for each other; only a walk finds that out. */
static void weights_of_nothing(void **state)
{
    static const uint64_t rows[] = {0, 1, 2, 3, 4};
    static const uint32_t cols[] = {1, 0, 3, 2};
    static const int32_t weights[] = {0, 0, 0, 0};
    const rd_csr circles = {.vertices = 4, .edges = 4, .row = rows, .col = cols, .weight = weights};
    const uint32_t right[] = {0, 0, RD_NONE, RD_NONE}, wrong[] = {0, 0, 7, 7}, zero[] = {0, 0, 0, 0};
    rd_error err;
    (void)state;
    assert_int_equal(rd__sssp_check_distances(&circles, 0, 0, right, &err), RD_OK);
    assert_int_equal(rd__sssp_check_distances(&circles, 0, 0, wrong, &err), RD_EWRONG);
    assert_int_equal(rd__sssp_check_distances(&circles, 0, 0, zero, &err), RD_EWRONG);
}

static void components(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        rd_error err;
        uint32_t *right = NULL;
        assert_int_equal(open_graph(shapes[i]), 0);
        for (uint32_t v = 0; v < csr.vertices; v++)
            queue[v] = RD_NONE;
        for (uint32_t v = 0; v < csr.vertices; v++) /* the first vertex that nobody reached names all that it reaches */
            if (queue[v] == RD_NONE) {
                uint32_t head = 0, tail = 0;
                word[tail++] = v;
                queue[v] = v;
                while (head < tail) {
                    const uint32_t u = word[head++];
                    for (uint64_t e = csr.row[u]; e < csr.row[u + 1]; e++)
                        if (queue[csr.col[e]] == RD_NONE) {
                            queue[csr.col[e]] = v;
                            word[tail++] = csr.col[e];
                        }
                }
            }
        memcpy(word, queue, csr.vertices * sizeof *word);
        assert_int_equal(rd__cc_check(&csr, &right, word, &err), RD_OK);
        for (int k = 0; k < 4; k++) {
            const uint32_t v = draw(csr.vertices), was = word[v];
            word[v] = was ? was - 1 : csr.vertices - 1;
            assert_int_equal(rd__cc_check(&csr, &right, word, &err), RD_EWRONG);
            word[v] = was;
        }
        rd__array_free(right);
        close_graph();
    }
}

static void sets_and_colours(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES; i++) {
        rd_error err;
        assert_int_equal(open_graph(shapes[i]), 0);
        for (uint32_t v = 0; v < csr.vertices; v++) { /* in turn: who has no neighbour in the set joins it */
            word[v] = 1;
            for (uint64_t e = csr.row[v]; e < csr.row[v + 1]; e++)
                if (csr.col[e] < v && word[csr.col[e]])
                    word[v] = 0;
        }
        assert_int_equal(rd__mis_check(&csr, word, &err), RD_OK);
        for (int k = 0; k < 6; k++) {
            const uint32_t v = draw(csr.vertices);
            word[v] ^= 1;
            assert_int_equal(rd__mis_check(&csr, word, &err), RD_EWRONG);
            word[v] ^= 1;
        }
        for (uint32_t v = 0; v < csr.vertices; v++) /* each a colour of its own */
            word[v] = v;
        assert_int_equal(rd__color_check(&csr, word, csr.vertices, &err), RD_OK);
        for (int k = 0; k < 6; k++) {
            const uint32_t u = draw(csr.vertices), v = csr.row[u] < csr.row[u + 1] ? csr.col[csr.row[u]] : u;
            word[u] = v;
            if (u != v)
                assert_int_equal(rd__color_check(&csr, word, csr.vertices, &err), RD_EWRONG);
            word[u] = u;
        }
        close_graph();
    }
}

/* One iteration proves ranks that stand still; what is off by more than is allowed it does not. */
static void ranks(void **state)
{
    (void)state;
    for (int symmetric = 0; symmetric < 2; symmetric++) {
        const rd__pr_question asked = {.alpha = 0.85,
                                       .tolerance = 1e-6,
                                       .by_total = 1,
                                       .spread = 1,
                                       .iterations = RD_NONE,
                                       .symmetric = symmetric};
        rd__pr_question counted = asked;
        rd__pr_ranks right = {0}, none = {0};
        rd_error err;
        float *rank;
        counted.counted = 1;
        counted.iterations = SANITIZED ? 60 : 200;
        assert_int_equal(open_graph(shapes[0]), 0);
        rank = calloc(csr.vertices, sizeof *rank);
        assert_non_null(rank);
        assert_int_equal(rd__pr_check(&csr, &counted, &right, rank, &err), RD_EWRONG);
        assert_non_null(right.rank);
        for (uint32_t v = 0; v < csr.vertices; v++)
            rank[v] = (float)right.rank[v];
        assert_int_equal(rd__pr_check(&csr, &counted, &right, rank, &err), RD_OK);
        assert_int_equal(rd__pr_check(&csr, &asked, &none, rank, &err), RD_OK);
        assert_null(none.rank); /* proved, not compared */
        rank[draw(csr.vertices)] += 1e-3f;
        assert_int_equal(rd__pr_check(&csr, &asked, &none, rank, &err), RD_EWRONG);
        rd__pr_ranks_free(&right);
        rd__pr_ranks_free(&none);
        free(rank);
        close_graph();
    }
}

static int count_each(void *pointer, uint32_t from, uint32_t to)
{
    atomic_uchar *times = pointer;
    for (uint32_t v = from; v < to; v++)
        atomic_fetch_add_explicit(&times[v], 1, memory_order_relaxed); /* pairs with itself; read in the end */
    return 1;
}

static int not_the_last(void *pointer, uint32_t from, uint32_t to)
{
    (void)from;
    return to != *(const uint32_t *)pointer;
}

static void every_vertex_is_asked_once(void **state)
{
    (void)state;
    static const char *const sizes[] = {"path:1", "path:4096", "path:4097", "path:300001"};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(open_graph(sizes[i]), 0);
        atomic_uchar *times = calloc(csr.vertices, 1);
        assert_non_null(times);
        assert_int_equal(rd__rows_hold(&csr, count_each, times), 1);
        for (uint32_t v = 0; v < csr.vertices; v++)
            assert_int_equal(atomic_load_explicit(&times[v], memory_order_relaxed), 1);
        assert_int_equal(rd__rows_hold(&csr, not_the_last, &csr.vertices), 0);
        free(times);
        close_graph();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_vertex_is_asked_once),
        cmocka_unit_test(depths),
        cmocka_unit_test(distances),
        cmocka_unit_test(weights_of_nothing),
        cmocka_unit_test(components),
        cmocka_unit_test(sets_and_colours),
        cmocka_unit_test(ranks),
    };
    return cmocka_run_group_tests_name("proofs", tests, NULL, NULL);
}
