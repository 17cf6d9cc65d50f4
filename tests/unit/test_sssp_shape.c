/* SPDX-License-Identifier: Apache-2.0 */
/* test_sssp_shape.c - what a look at a graph says to the choice of buckets: forests are known, and what only has as few
 * edges is not taken for one; and about how wide a graph is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "apps/sssp/shape.h"

static rd__sssp_shape look_at(const char *spec)
{
    rd_graph *graph = NULL;
    rd_error err = {.status = RD_OK};
    assert_int_equal(rd_graph_open(spec, NULL, &graph, &err), RD_OK);
    const rd__sssp_shape shape = rd__sssp_look(graph, rd_graph_hub(graph));
    rd_graph_destroy(graph);
    return shape;
}

static void forests(void **state)
{
    static const char *const spec[] = {"cycle:9999",          "path:50000",  "star:50000",
                                       "tree:2:13",           "tree:4:7",    "caterpillar:2000:8",
                                       "caterpillar:20:1000", "attach:13:1", "caterpillar:100:1000"};
    (void)state;
    for (size_t i = 0; i < sizeof spec / sizeof spec[0]; i++)
        assert_true(look_at(spec[i]).forest);
}

static void others(void **state)
{
    static const char *const spec[] = {"road:100x100:0.65", "mesh:60x60", "kron:12", "urand:12", "web:12",
                                       "grid3d:20",         "urand:14:1"};
    (void)state;
    for (size_t i = 0; i < sizeof spec / sizeof spec[0]; i++)
        assert_false(look_at(spec[i]).forest);
}

/* A core of side x side vertices, a grid or, dense, all with edges to each other, beside so many pairs. */
static rd_graph *core_and_pairs(uint32_t side, int dense, uint32_t pairs)
{
    const uint32_t core = side * side, vertices = core + 2 * pairs;
    uint64_t edges = 0, *row = malloc((vertices + 1ull) * sizeof *row);
    uint32_t *col = malloc(((dense ? core : 4ull) * core + 2ull * pairs) * sizeof *col);
    assert_non_null(row);
    assert_non_null(col);
    for (uint32_t v = 0; v < vertices; v++) {
        row[v] = edges;
        if (v >= core)
            col[edges++] = core + ((v - core) ^ 1);
        for (uint32_t u = 0; v < core && u < core; u++) {
            const uint32_t down = u / side > v / side ? u / side - v / side : v / side - u / side;
            const uint32_t across = u % side > v % side ? u % side - v % side : v % side - u % side;
            if (u != v && (dense || down + across == 1))
                col[edges++] = u;
        }
    }
    row[vertices] = edges;
    rd_graph *graph = NULL;
    rd_error err = {.status = RD_OK};
    const rd_csr csr = {.vertices = vertices, .edges = edges, .row = row, .col = col};
    assert_int_equal(rd_graph_from_csr(&csr, NULL, &graph, &err), RD_OK);
    free(row);
    free(col);
    return graph;
}

/* Fewer edges than vertices with edges, and no forest where the source is. */
static void cores(void **state)
{
    (void)state;
    for (int dense = 0; dense < 2; dense++) {
        rd_graph *graph = core_and_pairs(dense ? 8 : 40, dense, 20000);
        const rd_csr csr = rd_graph_csr(graph);
        assert_true(csr.edges / 2 < csr.vertices);
        assert_false(rd__sssp_look(graph, 0).forest);
        rd_graph_destroy(graph);
    }
}

/* On a device of 132 x 2048 lanes narrow graphs get wider buckets, and wide ones do not. */
static void widths(void **state)
{
    const uint32_t lanes = 132 * 2048;
    (void)state;
    assert_true(rd__sssp_widening(look_at("road:300x300:0.65").width, lanes) > 3);
    assert_true(rd__sssp_widening(look_at("caterpillar:2000:8").width, lanes) > 3);
    assert_true(rd__sssp_widening(look_at("kron:14").width, 4096) < 2);
    assert_true(rd__sssp_widening(look_at("star:50000").width, lanes) < 4);
    assert_true(rd__sssp_widening(look_at("road:300x300:0.65").width, 256) < 2);
    assert_true(rd__sssp_widening(look_at("path:9").width, 0) < 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forests),
        cmocka_unit_test(others),
        cmocka_unit_test(cores),
        cmocka_unit_test(widths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
