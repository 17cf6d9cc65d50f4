/* SPDX-License-Identifier: Apache-2.0 */
/* test_called.c - checkers call vertices what the file calls them. */
#define _DEFAULT_SOURCE /* mkstemps */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "apps/bc/check.h"
#include "apps/bfs/check.h"
#include "apps/cc/check.h"
#include "apps/color/check.h"
#include "apps/common/called.h"
#include "apps/common/checker.h"
#include "apps/sssp/check.h"
#include "core/memory.h"

RD__WORD_CHECKER(mis);
RD__WORD_CHECKER(kcore);

static rd_graph *graph;

/* A SNAP file whose vertices are 700, 800 and 90000000000: a path. */
static int open_path(void **state)
{
    char path[] = "/tmp/raddle-called-XXXXXX.snap";
    const int fd = mkstemps(path, 5);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    const rd_graph_options options = {.size = sizeof options, .symmetrize = 1};
    (void)state;
    if (!file)
        return 1;
    fputs("# FromNodeId\tToNodeId\n700\t800\n800\t90000000000\n", file);
    fclose(file);
    const rd_status status = rd_graph_open(path, &options, &graph, NULL);
    (void)unlink(path);
    (void)rd__call_by((rd__calling){graph, 0});
    return status != RD_OK;
}

static int close_path(void **state)
{
    (void)state;
    (void)rd__call_by((rd__calling){NULL, 0});
    rd_graph_destroy(graph);
    return 0;
}

static void says(rd_status status, const rd_error *err, const char *text)
{
    assert_int_equal(status, RD_EWRONG);
    if (!strstr(err->text, text))
        fail_msg("'%s' does not have '%s'", err->text, text);
}

static void each_checker(void **state)
{
    const rd_csr csr = rd_graph_csr(graph);
    const uint32_t none[] = {0, 0, 0}, far[] = {0, 1, 1}, one[] = {1, 1, 1}, own[] = {0, 1, 2}, first[] = {0, 0, 0};
    const float score[] = {0, 1, 7};
    const uint32_t source = 0;
    uint32_t *right = NULL;
    rd_error err = {.status = RD_OK};
    (void)state;
    says(rd__bfs_check_depths(&csr, 0, far, &err), &err, "vertex 90000000000 has depth 1");
    says(rd__bfs_check_parents(&csr, 0, first, &err), &err, "vertex 90000000000 at depth 2 has parent 700");
    says(rd__cc_check(&csr, &right, own, &err), &err, "vertex 800 has label 800, but the smallest");
    rd__array_free(right);
    says(rd__color_check(&csr, none, 1, &err), &err, "vertices 700 and 800");
    says(rd__mis_check(&csr, none, &err), &err, "vertex 700 is not in the set");
    says(rd__kcore_check(&csr, none, &err), &err, " has coreness 1");
    assert_non_null(strstr(err.text, "00 has coreness"));
    says(rd__sssp_check_distances(&csr, 0, 0, one, &err), &err, "vertex 700, has distance 1");
    says(rd__bc_check(&csr, &source, 1, score, &err), &err, "vertex 90000000000 has a centrality");
}

static void without_names_numbers(void **state)
{
    (void)state;
    const rd__calling before = rd__call_by((rd__calling){NULL, 0});
    assert_ptr_equal(before.graph, graph);
    assert_int_equal(rd__called(2), 2);
    (void)rd__call_by(before);
    assert_true(rd__called(2) == 90000000000ull);
    assert_int_equal(rd__called(3), 3); /* there is none */
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(each_checker), cmocka_unit_test(without_names_numbers)};
    return cmocka_run_group_tests(tests, open_path, close_path);
}
