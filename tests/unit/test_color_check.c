/* SPDX-License-Identifier: Apache-2.0 */
/* test_color_check.c - the checker accepts colourings and finds every kind of wrong ones; the search on the host finds
 * the fewest colours of small graphs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/color/check.h"
#include "apps/color/recolor.h"
#include "apps/color/search.h"
#include "core/hash.h"

/* A triangle 0 1 2 with a tail 2 - 3, a loop at 3, and 4 alone. */
static const uint64_t row[] = {0, 2, 4, 7, 9, 9};
static const uint32_t col[] = {1, 2, 0, 2, 0, 1, 3, 2, 3};
static const rd_csr csr = {.vertices = 5, .edges = 9, .row = row, .col = col};

static rd_status check(uint32_t a, uint32_t b, uint32_t c, uint32_t d, uint32_t e, uint32_t colours, const char *text)
{
    const uint32_t colour[] = {a, b, c, d, e};
    rd_error err = {.status = RD_OK};
    rd_status status = rd__color_check(&csr, colour, colours, &err);
    if (text)
        assert_non_null(strstr(err.text, text));
    return status;
}

static void colourings_pass(void **state)
{
    (void)state;
    assert_int_equal(check(0, 1, 2, 0, 0, 3, NULL), RD_OK); /* 3's loop does not count */
    assert_int_equal(check(0, 1, 2, 3, 4, 5, NULL), RD_OK);
    assert_int_equal(check(4, 2, 0, 4, 2, 3, NULL), RD_OK); /* gaps are no fault */
}

static void faults_are_found(void **state)
{
    (void)state;
    assert_int_equal(check(0, 1, 1, 0, 0, 2, "vertices 1 and 2, which both have colour 1"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 2, 0, 3, "vertices 2 and 3"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 0, RD_NONE, 3, "vertex 4 has no colour"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 0, 5, 4, "too high"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 0, 0, 4, "4 colours are reported, but there are 3"), RD_EWRONG);
    assert_int_equal(check(0, 1, 2, 0, 0, 2, "2 colours are reported"), RD_EWRONG);
}

static void a_graph_without_vertices(void **state)
{
    static const uint64_t none[] = {0};
    const rd_csr empty = {.row = none};
    rd_error err;
    (void)state;
    assert_int_equal(rd__color_check(&empty, NULL, 0, &err), RD_OK);
    assert_int_equal(rd__color_check(&empty, NULL, 1, &err), RD_EWRONG);
}

/* On a ring: greedy colouring in each new order meets each vertex once and never needs more. */
static void recolouring_never_needs_more(void **state)
{
    enum { N = 24 };
    uint32_t colour[N], order[N], scratch[3 * N], colours = N, placed[N];
    (void)state;
    for (uint32_t v = 0; v < N; v++)
        colour[v] = v; /* the worst one: a colour for each vertex of a ring */
    for (uint64_t pass = 0; pass < 40; pass++) {
        uint32_t seen = 0, used = 0;
        rd__color_reorder(colour, N, colours, pass, order, scratch);
        memset(placed, 0xff, sizeof placed);
        for (uint32_t i = 0; i < N; i++) {
            const uint32_t v = order[i], left = placed[(v + N - 1) % N], right = placed[(v + 1) % N];
            assert_true(v < N && placed[v] == RD_NONE);
            uint32_t least = 0;
            while (least == left || least == right)
                least++;
            placed[v] = least;
            used = least + 1 > used ? least + 1 : used;
            seen++;
        }
        assert_int_equal(seen, N);
        assert_true(used <= colours);
        colours = used;
        memcpy(colour, placed, sizeof colour);
    }
    assert_true(colours <= 3);
}

/* ---- Fewer colours ---- */

enum { SMALL = 9 };

/* A graph of SMALL vertices; an edge where the bit of its pair is set. Loops and edges that are there twice, too. */
static rd_csr small_graph(uint64_t bits, uint64_t *rows, uint32_t *cols)
{
    uint32_t edges = 0;
    for (uint32_t v = 0; v < SMALL; v++) {
        rows[v] = edges;
        for (uint32_t u = 0; u < SMALL; u++) {
            const uint32_t a = u < v ? u : v, b = u < v ? v : u;
            if (a != b && bits >> (a * (2 * SMALL - a - 1) / 2 + b - a - 1) & 1)
                for (uint32_t times = 0; times < 1 + (a == 0); times++)
                    cols[edges++] = u;
            else if (a == b && v == 3)
                cols[edges++] = u;
        }
    }
    rows[SMALL] = edges;
    return (rd_csr){.vertices = SMALL, .edges = edges, .row = rows, .col = cols};
}

/* Can vertices from v on be coloured? */
static int colourable(const rd_csr *graph, uint32_t *colour, uint32_t v, uint32_t colours)
{
    if (v == graph->vertices)
        return 1;
    for (uint32_t c = 0; c < colours; c++) {
        int fits = 1;
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++)
            fits &= graph->col[e] >= v || colour[graph->col[e]] != c;
        colour[v] = c;
        if (fits && colourable(graph, colour, v + 1, colours))
            return 1;
    }
    return 0;
}

static void few_colours_are_found(void **state)
{
    uint64_t rows[SMALL + 1];
    uint32_t cols[2 * SMALL * SMALL + 1], colour[SMALL], other[SMALL];
    (void)state;
    for (uint64_t k = 0; k < 200; k++) {
        const uint64_t draw = rd__mix64(k), bits = k % 3 == 0   ? draw & rd__mix64(~k)
                                                   : k % 3 == 1 ? draw
                                                                : draw | ~k << 9;
        const rd_csr graph = small_graph(bits, rows, cols);
        rd__color_search s = {.csr = graph, .colour = colour, .colours = SMALL, .patience = 500};
        uint32_t fewest = 1;
        for (uint32_t v = 0; v < SMALL; v++)
            colour[v] = v;
        while (!colourable(&graph, other, 0, fewest))
            fewest++;
        assert_int_equal(rd__color_search_run(&s, NULL), RD_OK);
        assert_int_equal(rd__color_check(&graph, colour, s.colours, NULL), RD_OK);
        assert_int_equal(s.colours, fewest);
        assert_int_equal(s.stopped, RD_OK);
    }
}

/* Each of the two alone leaves a colouring. */
static void each_search_colours(void **state)
{
    uint64_t rows[SMALL + 1];
    uint32_t cols[2 * SMALL * SMALL + 1], colour[SMALL];
    (void)state;
    for (uint64_t k = 0; k < 100; k++) {
        const rd_csr graph = small_graph(rd__mix64(k + 77), rows, cols);
        rd__color_search s = {.csr = graph, .colour = colour, .colours = SMALL, .patience = 20};
        for (uint32_t v = 0; v < SMALL; v++)
            colour[v] = v;
        assert_int_equal(k % 2 ? rd__color_dsatur(&s, NULL) : rd__color_tabu(&s, NULL), RD_OK);
        assert_true(s.colours < SMALL);
        assert_int_equal(rd__color_check(&graph, colour, s.colours, NULL), RD_OK);
    }
}

/* By number, in place of a colour for each vertex; then there are none fewer. */
static void an_order_by_number(void **state)
{
    uint64_t rows[SMALL + 1];
    uint32_t cols[2 * SMALL * SMALL + 1], colour[SMALL], other[SMALL];
    (void)state;
    for (uint64_t k = 0; k < 100; k++) {
        const rd_csr graph = small_graph(rd__mix64(k + 33), rows, cols);
        uint32_t colours = SMALL + 1;
        assert_int_equal(rd__color_or_by_number(&graph, colour, &colours, other, NULL), RD_OK);
        assert_int_equal(rd__color_check(&graph, colour, colours, NULL), RD_OK);
        const uint32_t took = colours;
        colour[0] = SMALL - 1; /* not by number any more */
        assert_int_equal(rd__color_or_by_number(&graph, colour, &colours, other, NULL), RD_OK);
        assert_int_equal(colours, took);
        assert_int_equal(colour[0], SMALL - 1);
    }
}

static int stop_at_once(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    (void)what, (void)done, (void)total, (void)unit;
    ++*(int *)user;
    return 1;
}

static void a_search_that_is_stopped(void **state)
{
    uint64_t rows[SMALL + 1];
    uint32_t cols[2 * SMALL * SMALL + 1], colour[SMALL];
    int asked = 0;
    (void)state;
    const rd_csr graph = small_graph(rd__mix64(5), rows, cols);
    rd__color_search s = {
        .csr = graph, .colour = colour, .colours = SMALL, .patience = 500, .watch = {stop_at_once, &asked}};
    for (uint32_t v = 0; v < SMALL; v++)
        colour[v] = v;
    assert_int_equal(rd__color_search_run(&s, NULL), RD_OK);
    assert_int_equal(s.stopped, RD_ECANCELLED);
    assert_int_equal(asked, 1);
    assert_int_equal(rd__color_check(&graph, colour, s.colours, NULL), RD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(colourings_pass),          cmocka_unit_test(faults_are_found),
        cmocka_unit_test(a_graph_without_vertices), cmocka_unit_test(recolouring_never_needs_more),
        cmocka_unit_test(few_colours_are_found),    cmocka_unit_test(each_search_colours),
        cmocka_unit_test(a_search_that_is_stopped), cmocka_unit_test(an_order_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
