/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_build.c - from edges and CSR, the options, transposing, checks of arrays. */
#include "graph_util.h"
#include "sanitized.h"

static const uint32_t source[] = {2, 0, 1, 1, 0, 3, 1}, target[] = {1, 1, 1, 0, 1, 3, 2};
static const int32_t weight[] = {4, 9, 1, -2, 7, 5, 4};

static const char *built(const rd_graph_options *options, int weighted)
{
    static char text[4200];
    rd_graph *graph;
    rd_error err;
    assert_int_equal(rd_graph_from_edges(4, 7, source, target, weighted ? weight : NULL, options, &graph, &err), RD_OK);
    snprintf(text, sizeof text, "%s%s", edges_of(graph), rd_graph_is_symmetric(graph) ? " symmetric" : "");
    rd_graph_destroy(graph);
    return text;
}

static void options(void **state)
{
    rd_graph_options o = {.size = sizeof o};
    (void)state;
    assert_string_equal(built(NULL, 0), "0>1 0>1 1>0 1>1 1>2 2>1 3>3");
    assert_string_equal(built(NULL, 1), "0>1:7 0>1:9 1>0:-2 1>1:1 1>2:4 2>1:4 3>3:5");
    o.drop_loops = 1;
    assert_string_equal(built(&o, 0), "0>1 0>1 1>0 1>2 2>1");
    o.drop_duplicates = 1;
    assert_string_equal(built(&o, 0), "0>1 1>0 1>2 2>1 symmetric");
    assert_string_equal(built(&o, 1), "0>1:7 1>0:-2 1>2:4 2>1:4");
    o.symmetrize = 1;
    assert_string_equal(built(&o, 1), "0>1:-2 1>0:-2 1>2:4 2>1:4 symmetric");
    o.drop_duplicates = 0;
    assert_string_equal(built(&o, 0), "0>1 0>1 0>1 1>0 1>0 1>0 1>2 1>2 2>1 2>1 symmetric");
    o = (rd_graph_options){.size = sizeof o, .symmetrize = 1};
    assert_string_equal(built(&o, 0), "0>1 0>1 0>1 1>0 1>0 1>0 1>1 1>2 1>2 2>1 2>1 3>3 symmetric");
}

static void old_options(void **state)
{
    /* a caller compiled against a shorter struct */
    rd_graph_options o = {.size = offsetof(rd_graph_options, threads), .drop_loops = 1, .drop_duplicates = 1};
    o.weight_max = 7; /* beyond size: must not be seen */
    (void)state;
    assert_string_equal(built(&o, 0), "0>1 1>0 1>2 2>1 symmetric");
    rd_graph *graph;
    rd_error err;
    o.size = 0;
    assert_int_equal(rd_graph_from_edges(4, 7, source, target, NULL, &o, &graph, &err), RD_EARG);
}

static void empty(void **state)
{
    rd_graph *graph;
    rd_error err;
    rd_csr turned;
    (void)state;
    assert_int_equal(rd_graph_from_edges(0, 0, NULL, NULL, NULL, NULL, &graph, &err), RD_OK);
    assert_int_equal(rd_graph_hub(graph), RD_NONE);
    assert_int_equal(rd_graph_max_degree(graph), 0);
    assert_int_equal(rd_graph_csr(graph).row[0], 0);
    assert_int_equal(rd_graph_transpose(graph, &turned, &err), RD_OK);
    rd_graph_destroy(graph);
    assert_int_equal(rd_graph_from_edges(3, 0, NULL, NULL, NULL, NULL, &graph, &err), RD_OK);
    assert_int_equal(rd_graph_hub(graph), 0);
    rd_graph_destroy(graph);
    rd_graph_destroy(NULL);
}

static void out_of_range(void **state)
{
    uint32_t from[] = {0, 1, 2}, to[] = {1, 5, 7};
    rd_graph *graph;
    rd_error err;
    (void)state;
    assert_int_equal(rd_graph_from_edges(3, 3, from, to, NULL, NULL, &graph, &err), RD_EINPUT);
    assert_null(graph);
    assert_string_equal(err.text, "edge 1 is 1 -> 5, but there are 3 vertices");
    assert_int_equal(rd_graph_from_edges(3, 3, from, to, NULL, NULL, &graph, NULL), RD_EINPUT);
    assert_int_equal(rd_graph_from_edges(UINT32_MAX, 0, NULL, NULL, NULL, NULL, &graph, &err), RD_EARG);
}

static void csr(void **state)
{
    uint64_t row[] = {0, 3, 3, 4}, falls[] = {0, 3, 2, 4}, starts[] = {1, 3, 3, 4}, beyond[] = {0, 3, 3, 5},
             huge[] = {0, 1ull << 60, 3, 4};
    uint32_t col[] = {2, 0, 1, 0}, high[] = {2, 0, 3, 0};
    rd_csr good = {3, 4, row, col, NULL}, bad = good;
    rd_graph *graph;
    rd_error err;
    (void)state;
    assert_int_equal(rd_graph_from_csr(&good, NULL, &graph, &err), RD_OK);
    assert_string_equal(edges_of(graph), "0>0 0>1 0>2 2>0");
    rd_graph_destroy(graph);
    const uint64_t *rows[] = {falls, starts, beyond, huge};
    for (int i = 0; i < 4; i++) {
        bad.row = rows[i];
        assert_int_equal(rd_graph_from_csr(&bad, NULL, &graph, &err), RD_EINPUT);
        assert_null(graph);
    }
    bad = good;
    bad.col = high;
    assert_int_equal(rd_graph_from_csr(&bad, NULL, &graph, &err), RD_EINPUT);
    assert_string_equal(err.text, "rd_graph_from_csr: edge 2 goes to vertex 3, but there are 3 vertices");
    bad.col = NULL;
    assert_int_equal(rd_graph_from_csr(&bad, NULL, &graph, &err), RD_EARG);
}

static void transposed(void **state)
{
    rd_graph *graph;
    rd_error err;
    rd_csr turned, again;
    (void)state;
    assert_int_equal(rd_graph_from_edges(4, 7, source, target, weight, NULL, &graph, &err), RD_OK);
    assert_int_equal(rd_graph_transpose(graph, &turned, &err), RD_OK);
    static const uint64_t row[] = {0, 1, 5, 6, 7};
    static const uint32_t col[] = {1, 0, 0, 1, 2, 1, 3};
    static const int32_t turned_weight[] = {-2, 7, 9, 1, 4, 4, 5};
    assert_memory_equal(turned.row, row, sizeof row);
    assert_memory_equal(turned.col, col, sizeof col);
    assert_memory_equal(turned.weight, turned_weight, sizeof turned_weight);
    assert_int_equal(rd_graph_transpose(graph, &again, &err), RD_OK);
    assert_ptr_equal(turned.col, again.col);
    rd_graph_destroy(graph);
    graph = must_open("kron:8", NULL);
    assert_int_equal(rd_graph_transpose(graph, &turned, &err), RD_OK);
    assert_ptr_equal(turned.col, rd_graph_csr(graph).col);
    rd_graph_destroy(graph);
}

/* Random multigraphs against qsort, for rows short and long, weights negative and equal. */
typedef struct edge {
    uint32_t u, v;
    int32_t w;
} edge;

static int compare(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    if (x->u != y->u)
        return x->u < y->u ? -1 : 1;
    if (x->v != y->v)
        return x->v < y->v ? -1 : 1;
    return x->w < y->w ? -1 : x->w > y->w;
}

static void against_qsort(void **state)
{
    enum { MOST = 60000 };
    static edge list[MOST];
    static uint32_t u[MOST], v[MOST];
    static int32_t w[MOST];
    (void)state;
    for (unsigned round = 0; round < (SANITIZED ? 4 : 12); round++) {
        uint32_t n = round % 4 == 0 ? 3 : round % 4 == 1 ? 100 : round % 4 == 2 ? 70000 : 5000000;
        for (uint64_t i = 0; i < MOST; i++) {
            uint64_t random = rd__mix64(round * 1000003ull + i * RD_GOLDEN);
            /* a third of the edges leave vertex 1, so that there is a long row */
            list[i] = (edge){random % 3 == 0 ? 1 : (uint32_t)((random >> 8) % n), (uint32_t)((random >> 32) % n),
                             (int32_t)(random >> 60) - 8};
            u[i] = list[i].u;
            v[i] = list[i].v;
            w[i] = list[i].w;
        }
        qsort(list, MOST, sizeof *list, compare);
        rd_graph *graph;
        rd_error err;
        rd_graph_options options = {.size = sizeof options, .threads = 1 + round % 3};
        assert_int_equal(rd_graph_from_edges(n, MOST, u, v, w, &options, &graph, &err), RD_OK);
        rd_csr csr = rd_graph_csr(graph);
        assert_int_equal(csr.edges, MOST);
        for (uint32_t x = 0, i = 0; x < n; x++)
            for (uint64_t e = csr.row[x]; e < csr.row[x + 1]; e++, i++)
                assert_true(list[i].u == x && list[i].v == csr.col[e] && list[i].w == csr.weight[e]);
        rd_graph_destroy(graph);
        options.drop_duplicates = 1;
        assert_int_equal(rd_graph_from_edges(n, MOST, u, v, NULL, &options, &graph, &err), RD_OK);
        csr = rd_graph_csr(graph);
        uint64_t i = 0;
        for (uint32_t x = 0; x < n; x++)
            for (uint64_t e = csr.row[x]; e < csr.row[x + 1]; e++, i++) {
                while (i > 0 && i < MOST && list[i].u == list[i - 1].u && list[i].v == list[i - 1].v)
                    i++;
                assert_true(i < MOST && list[i].u == x && list[i].v == csr.col[e]);
            }
        rd_graph_destroy(graph);
    }
}

static int stop_now(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    (void)what;
    (void)done;
    (void)total;
    (void)unit;
    return ++*(int *)user >= 2;
}

static void cancelled(void **state)
{
    int calls = 0;
    rd_graph_options options = {.size = sizeof options, .progress = stop_now, .progress_user = &calls};
    rd_graph *graph;
    rd_error err;
    (void)state;
    assert_int_equal(rd_graph_open("kron:14", &options, &graph, &err), RD_ECANCELLED);
    assert_null(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options),       cmocka_unit_test(old_options), cmocka_unit_test(empty),
        cmocka_unit_test(out_of_range),  cmocka_unit_test(csr),         cmocka_unit_test(transposed),
        cmocka_unit_test(against_qsort), cmocka_unit_test(cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
