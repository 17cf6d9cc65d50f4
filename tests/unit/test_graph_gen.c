/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_gen.c - generators: shape, determinism, bad parameters. */
#include "graph_util.h"

#define URAND_3_1 "1>2 2>1 2>3 3>2 4>7 5>6 5>7 6>5 7>4 7>5"
#define KRON_3_1  "2>4 3>7 4>2 4>6 4>7 6>4 7>3 7>4"
#define ROAD_3X3  "0>3 1>2 2>1 3>0 3>6 4>5 4>7 5>4 5>8 6>3 7>4 8>5"

static void sizes(void **state)
{
    static const struct {
        const char *spec;
        uint32_t vertices;
        uint64_t edges, max_degree;
        uint32_t hub;
    } row[] = {
        {"path:1", 1, 0, 0, 0},     {"path:5", 5, 8, 2, 1},      {"cycle:3", 3, 6, 2, 0},
        {"cycle:6", 6, 12, 2, 0},   {"star:1", 1, 0, 0, 0},      {"star:5", 5, 8, 4, 0},
        {"complete:1", 1, 0, 0, 0}, {"complete:5", 5, 20, 4, 0}, {"tree:1:4", 5, 8, 2, 1},
        {"tree:2:3", 15, 28, 3, 1}, {"tree:4:2", 21, 40, 5, 1},  {"road:3x2:1", 6, 14, 3, 1},
        {"road:3x2:0", 6, 0, 0, 0}, {"grid3d:2", 8, 24, 3, 0},   {"grid3d:3x2x1", 6, 14, 3, 1},
        {"road:1x1", 1, 0, 0, 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rd_graph *graph = must_open(row[i].spec, NULL);
        rd_csr csr = rd_graph_csr(graph);
        if (csr.vertices != row[i].vertices || csr.edges != row[i].edges ||
            rd_graph_max_degree(graph) != row[i].max_degree || rd_graph_hub(graph) != row[i].hub)
            fail_msg("%s: %u vertices, %llu edges, degree %llu at %u", row[i].spec, csr.vertices,
                     (unsigned long long)csr.edges, (unsigned long long)rd_graph_max_degree(graph),
                     rd_graph_hub(graph));
        assert_true(rd_graph_is_symmetric(graph));
        assert_sound(graph, 1);
        rd_graph_destroy(graph);
    }
}

static const char *const random_specs[] = {"kron:10",       "kron:12:4", "urand:11",  "urand:3:2", "road:100x77",
                                           "grid3d:12:0.5", "rgg:11",    "rgg:4:0.4", "kron:1:1",  "rgg:1"};

static void same_for_any_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof random_specs / sizeof *random_specs; i++) {
        rd_graph_options one = {.size = sizeof one, .threads = 1, .weight_min = 1, .weight_max = 255}, many = one;
        many.threads = 7;
        rd_graph *a = must_open(random_specs[i], &one), *b = must_open(random_specs[i], &many);
        assert_same_graph(a, b);
        assert_sound(a, 1);
        assert_string_equal(rd_graph_provenance(a), rd_graph_provenance(b));
        rd_graph_destroy(a);
        rd_graph_destroy(b);
    }
}

static void seed_matters(void **state)
{
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        rd_graph_options other = {.size = sizeof other, .seed = 7};
        rd_graph *a = must_open(random_specs[i], NULL), *b = must_open(random_specs[i], &other);
        rd_csr x = rd_graph_csr(a), y = rd_graph_csr(b);
        assert_true(x.edges != y.edges || memcmp(x.col, y.col, 4 * x.edges) != 0);
        rd_graph_destroy(a);
        rd_graph_destroy(b);
    }
}

/* Known graphs: whoever changes a generator changes everybody's results, and must say so. */
static void fixed_for_ever(void **state)
{
    rd_graph *graph = must_open("urand:3:1", NULL);
    (void)state;
    assert_string_equal(edges_of(graph), URAND_3_1);
    rd_graph_destroy(graph);
    graph = must_open("kron:3:1", NULL);
    assert_string_equal(edges_of(graph), KRON_3_1);
    rd_graph_destroy(graph);
    graph = must_open("road:3x3:0.65", NULL);
    assert_string_equal(edges_of(graph), ROAD_3X3);
    rd_graph_destroy(graph);
}

static void rgg_is_what_it_says(void **state)
{
    rd_graph *graph = must_open("rgg:9:0.1", NULL);
    rd_csr csr = rd_graph_csr(graph);
    (void)state;
    /* 512 points, expected degree 511 * pi * 0.01 = 16 less what the border cuts off */
    assert_in_range(csr.edges, 512 * 11, 512 * 17);
    rd_graph_destroy(graph);
}

static void bad_parameters(void **state)
{
    static const char *const bad[] = {
        "kron:",        "kron:0",           "kron:32",         "kron:x",
        "kron:10:0",    "kron:10:16:3",     "kron:10:",        "urand:-1",
        "road:10",      "road:10x",         "road:0x5",        "road:5x5:2",
        "road:5x5:nan", "path:0",           "path:4294967295", "tree:4",
        "tree:0:3",     "tree:4:99",        "cycle:2",         "star:1e3",
        "grid3d:0",     "grid3d:9999",      "rgg:5:0",         "rgg:5:0.6",
        "complete:",    "road:99999x99999", "road:1x2x3",      "kron:111111111111111111111111111111111111111111"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rd_graph *graph = (rd_graph *)1;
        rd_error err = {RD_OK, ""};
        rd_status status = rd_graph_open(bad[i], NULL, &graph, &err);
        if (status != RD_EARG || graph || err.status != RD_EARG || !strstr(err.text, "syntax"))
            fail_msg("%s: status %d, '%s'", bad[i], status, err.text);
    }
}

static void too_large(void **state)
{
    static const char *const large[] = {"kron:31:1000", "complete:4000000000"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        rd_graph *graph;
        rd_error err = {RD_OK, ""};
        assert_int_equal(rd_graph_open(large[i], NULL, &graph, &err), RD_ENOMEM);
        assert_non_null(strstr(err.text, "not enough host memory"));
    }
}

static void permuted(void **state)
{
    rd_graph_options options = {.size = sizeof options, .permute = 1};
    rd_graph *plain = must_open("star:100", NULL), *mixed = must_open("star:100", &options);
    const uint64_t *ids = rd_graph_ids(mixed);
    (void)state;
    assert_null(rd_graph_ids(plain));
    assert_non_null(ids);
    assert_int_equal(rd_graph_max_degree(mixed), 99);
    assert_int_equal(ids[rd_graph_hub(mixed)], 0);
    unsigned char seen[100] = {0};
    for (int v = 0; v < 100; v++)
        seen[ids[v]]++;
    for (int v = 0; v < 100; v++)
        assert_int_equal(seen[v], 1);
    assert_sound(mixed, 1);
    rd_graph_destroy(plain);
    rd_graph_destroy(mixed);
}

static void weights(void **state)
{
    rd_graph_options options = {.size = sizeof options, .weight_min = 3, .weight_max = 5};
    rd_graph *graph = must_open("urand:10", &options);
    rd_csr csr = rd_graph_csr(graph);
    uint64_t count[6] = {0};
    (void)state;
    for (uint64_t e = 0; e < csr.edges; e++) {
        assert_in_range(csr.weight[e], 3, 5);
        count[csr.weight[e]]++;
    }
    for (int w = 3; w <= 5; w++)
        assert_in_range(count[w], csr.edges * 30 / 100, csr.edges * 37 / 100);
    assert_sound(graph, 1);
    rd_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(seed_matters),
        cmocka_unit_test(fixed_for_ever),
        cmocka_unit_test(rgg_is_what_it_says),
        cmocka_unit_test(bad_parameters),
        cmocka_unit_test(too_large),
        cmocka_unit_test(permuted),
        cmocka_unit_test(weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
