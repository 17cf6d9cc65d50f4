/* SPDX-License-Identifier: Apache-2.0 */
/* test_tc_check.c - the checker of triangles counts right: known graphs, loops, parallel edges, and memory that fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/error.h"

rd_status rd__tc_count(const rd_csr *csr, uint64_t *triangles, rd_error *err);

static uint64_t count(const char *spec)
{
    rd_error err = {.status = RD_OK};
    rd_graph *graph = NULL;
    uint64_t triangles = 0;
    assert_int_equal(rd_graph_open(spec, NULL, &graph, &err), RD_OK);
    const rd_csr csr = rd_graph_csr(graph);
    assert_int_equal(rd__tc_count(&csr, &triangles, &err), RD_OK);
    rd_graph_destroy(graph);
    return triangles;
}

static void known_graphs(void **state)
{
    (void)state;
    assert_int_equal(count("complete:10"), 120);
    assert_int_equal(count("cliques:7:5"), 70);
    assert_int_equal(count("star:30"), 0);
    assert_int_equal(count("road:9x9:1"), 0);
    assert_int_equal(count("cycle:3"), 1);
    assert_int_equal(count("mesh:4x4"), 18); /* two for each of 9 squares */
}

/* A triangle 0 1 2 with a loop at 0 and a second edge 0 - 1; a tail 2 - 3. */
static void loops_and_parallel_edges(void **state)
{
    static const uint64_t row[] = {0, 4, 7, 10, 11};
    static const uint32_t col[] = {0, 1, 1, 2, 0, 0, 2, 0, 1, 3, 2};
    const rd_csr csr = {.vertices = 4, .edges = 11, .row = row, .col = col};
    const rd_csr none = {.row = row, .col = col};
    uint64_t triangles = 9;
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__tc_count(&csr, &triangles, &err), RD_OK);
    assert_int_equal(triangles, 1);
    assert_int_equal(rd__tc_count(&none, &triangles, &err), RD_OK);
    assert_int_equal(triangles, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_graphs),
        cmocka_unit_test(loops_and_parallel_edges),
    };
    return cmocka_run_group_tests_name("the checker of tc", tests, NULL, NULL);
}
