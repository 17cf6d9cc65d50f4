/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_shapes.c - generators of shapes that real graphs have, and graphs in another order: degrees, depth,
 * components, the same bytes for any threads, bad parameters. */
#include "graph_util.h"

#include <unistd.h>

static const char *const shapes[] = {"web:12",           "web:10:3:40",      "web:1:1:1",         "affiliation:11",
                                     "affiliation:1",    "affiliation:9:5",  "attach:12",         "attach:1:9",
                                     "smallworld:12",    "smallworld:3:7:1", "smallworld:10:2:0", "mesh:61x47",
                                     "mesh:1x9",         "lattice:7",        "lattice:3x4x5",     "caterpillar:50:3:7",
                                     "caterpillar:1:40", "cliques:40:9",     "cliques:7:1"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void same_for_any_threads(void **state)
{
    (void)state;
    for (size_t i = 0; i < SHAPES; i++)
        for (unsigned variant = 0; variant < 4; variant++) {
            rd_graph_options one = {.size = sizeof one, .threads = 1, .weight_min = 1, .weight_max = 255};
            one.permute = variant & 1;
            one.order = variant == 1 ? RD_ORDER_DEGREE : variant == 2 ? RD_ORDER_DEGREE_UP : RD_ORDER_GIVEN;
            one.shuffle_rows = variant == 3;
            rd_graph_options many = one;
            many.threads = 7;
            rd_graph *a = must_open(shapes[i], &one), *b = must_open(shapes[i], &many);
            assert_same_graph(a, b);
            if (variant < 3)
                assert_sound(a, 1);
            assert_true(rd_graph_is_symmetric(a));
            assert_string_equal(rd_graph_provenance(a), rd_graph_provenance(b));
            rd_graph_destroy(a);
            rd_graph_destroy(b);
        }
}

/* A change of these changes everybody's results. */
static void fixed_for_ever(void **state)
{
    static const struct {
        const char *spec;
        uint64_t edges, max_degree;
        uint32_t hub;
    } row[] = {{"web:8:3:20", 1216, 52, 96},
               {"affiliation:6", 1062, 46, 48},
               {"attach:6:2", 228, 32, 0},
               {"smallworld:6:2:0.3", 250, 6, 9},
               {"mesh:9x7", 316, 8, 12}};
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rd_graph *graph = must_open(row[i].spec, NULL);
        if (rd_graph_csr(graph).edges != row[i].edges || rd_graph_max_degree(graph) != row[i].max_degree ||
            rd_graph_hub(graph) != row[i].hub)
            fail_msg("%s: %llu edges, degree %llu at %u", row[i].spec, (unsigned long long)rd_graph_csr(graph).edges,
                     (unsigned long long)rd_graph_max_degree(graph), rd_graph_hub(graph));
        rd_graph_destroy(graph);
    }
}

/* Levels of a search from v, and how many vertices it reaches. */
static uint32_t depth_from(const rd_graph *graph, uint32_t v, uint32_t *reached)
{
    const rd_csr csr = rd_graph_csr(graph);
    uint32_t *depth = malloc(csr.vertices * sizeof *depth), *queue = malloc(csr.vertices * sizeof *queue);
    uint32_t head = 0, tail = 0, deepest = 0;
    assert_non_null(depth);
    assert_non_null(queue);
    for (uint32_t u = 0; u < csr.vertices; u++)
        depth[u] = RD_NONE;
    depth[v] = 0;
    queue[tail++] = v;
    while (head < tail) {
        const uint32_t u = queue[head++];
        deepest = depth[u];
        for (uint64_t e = csr.row[u]; e < csr.row[u + 1]; e++)
            if (depth[csr.col[e]] == RD_NONE) {
                depth[csr.col[e]] = deepest + 1;
                queue[tail++] = csr.col[e];
            }
    }
    free(depth);
    free(queue);
    *reached = tail;
    return deepest;
}

/* What each shape is known for: its depth from the hub, what the hub reaches, its degrees. */
static void known_for(void **state)
{
    static const struct {
        const char *spec;
        uint32_t deep, deepest;     /* levels, from and to */
        uint32_t reached;           /* at least */
        double mean, meanest;       /* degree, from and to */
        uint64_t highest, high_end; /* degree, from and to */
    } row[] = {
        {"web:14", 40, 100, 1 << 14, 8, 16, 1000, 8192},
        {"web:14:8:1000", 200, 2000, 1 << 14, 5, 16, 1000, 8192},
        {"affiliation:13", 3, 12, 6000, 25, 60, 500, 4000},
        {"attach:14", 3, 6, 1 << 14, 15, 16, 500, 8000},
        {"smallworld:14", 6, 20, 1 << 14, 7.9, 8, 10, 20},
        {"smallworld:14:4:0", 2048, 2048, 1 << 14, 8, 8, 8, 8},
        {"mesh:100x50", 50, 150, 5000, 5.8, 6, 8, 8},
        {"lattice:10", 5, 5, 1000, 26, 26, 26, 26},
        {"caterpillar:500:2", 499, 499, 1500, 1.9, 2, 4, 4},
        {"caterpillar:500:900:500", 499, 499, 1400, 1.9, 2, 901, 901},
        {"caterpillar:2:1000", 2, 2, 2002, 1.9, 2, 1001, 1001},
        {"cliques:100:8", 1, 1, 8, 7, 7, 7, 7},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rd_graph *graph = must_open(row[i].spec, NULL);
        const rd_csr csr = rd_graph_csr(graph);
        uint32_t reached;
        const uint32_t depth = depth_from(graph, rd_graph_hub(graph), &reached);
        const double mean = (double)csr.edges / csr.vertices;
        const uint64_t highest = rd_graph_max_degree(graph);
        if (depth < row[i].deep || depth > row[i].deepest || reached < row[i].reached || mean < row[i].mean ||
            mean > row[i].meanest || highest < row[i].highest || highest > row[i].high_end)
            fail_msg("%s: %u levels, %u reached, degree %g, at most %llu", row[i].spec, depth, reached, mean,
                     (unsigned long long)highest);
        rd_graph_destroy(graph);
    }
}

static void seed_matters(void **state)
{
    static const char *const spec[] = {"web:9", "affiliation:9", "attach:9", "smallworld:9", "mesh:20x20"};
    (void)state;
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++) {
        rd_graph_options other = {.size = sizeof other, .seed = 7};
        rd_graph *a = must_open(spec[i], NULL), *b = must_open(spec[i], &other);
        const rd_csr x = rd_graph_csr(a), y = rd_graph_csr(b);
        assert_true(x.edges != y.edges || memcmp(x.col, y.col, 4 * x.edges) != 0);
        rd_graph_destroy(a);
        rd_graph_destroy(b);
    }
}

static void bad_parameters(void **state)
{
    static const char *const bad[] = {"web:0",
                                      "web:32",
                                      "web:9:0",
                                      "web:9:8:0",
                                      "web:9:8:9:9",
                                      "affiliation:x",
                                      "attach:9:0",
                                      "smallworld:9:512",
                                      "smallworld:9:4:2",
                                      "mesh:9",
                                      "mesh:0x9",
                                      "mesh:9x9x9",
                                      "lattice:2",
                                      "lattice:2x9x9",
                                      "lattice:99999",
                                      "caterpillar:0",
                                      "caterpillar:9:0",
                                      "caterpillar:9:8:0",
                                      "caterpillar:4294967294:2",
                                      "caterpillar:99999:99999",
                                      "cliques:9",
                                      "cliques:0:9",
                                      "cliques:9:0",
                                      "cliques:99999:99999",
                                      "lattice:99999x99999x99999"};
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rd_graph *graph = (rd_graph *)1;
        rd_error err = {RD_OK, ""};
        const rd_status status = rd_graph_open(bad[i], NULL, &graph, &err);
        if (status != RD_EARG || graph || !strstr(err.text, "syntax"))
            fail_msg("%s: status %d, '%s'", bad[i], status, err.text);
    }
}

static void too_large(void **state)
{
    static const char *const large[] = {"web:31:1000", "affiliation:31:9999", "attach:31:1000", "lattice:1600",
                                        "cliques:2:2000000000"};
    (void)state;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        rd_graph *graph;
        rd_error err = {RD_OK, ""};
        assert_int_equal(rd_graph_open(large[i], NULL, &graph, &err), RD_ENOMEM);
        assert_non_null(strstr(err.text, "not enough host memory"));
    }
}

/* The edges are the same under the names that vertices had, whatever the order. */
static void assert_same_by_name(const rd_graph *plain, const rd_graph *moved)
{
    const rd_csr x = rd_graph_csr(plain), y = rd_graph_csr(moved);
    assert_int_equal(x.vertices, y.vertices);
    assert_int_equal(x.edges, y.edges);
    for (uint32_t v = 0; v < y.vertices; v++) {
        const uint32_t old = rd_graph_find(plain, rd_graph_name(moved, v));
        assert_int_equal(y.row[v + 1] - y.row[v], x.row[old + 1] - x.row[old]);
        for (uint64_t e = y.row[v]; e < y.row[v + 1]; e++) {
            const uint32_t target = rd_graph_find(plain, rd_graph_name(moved, y.col[e]));
            uint64_t at = x.row[old];
            while (at < x.row[old + 1] && x.col[at] != target)
                at++;
            assert_true(at < x.row[old + 1]);
            if (x.weight)
                assert_int_equal(x.weight[at], y.weight[e]);
        }
    }
}

static const char weighted[] = "%%MatrixMarket matrix coordinate integer general\n5 5 6\n"
                               "2 1 5\n1 2 6\n1 3 7\n4 1 8\n2 3 9\n5 5 1\n";

static void by_degree(void **state)
{
    (void)state;
    for (unsigned order = RD_ORDER_DEGREE; order <= RD_ORDER_DEGREE_UP; order++) {
        rd_graph_options options = {.size = sizeof options, .order = (uint8_t)order};
        rd_graph *plain = must_open("attach:7:2", NULL), *sorted = must_open("attach:7:2", &options);
        const rd_csr csr = rd_graph_csr(sorted);
        for (uint32_t v = 0; v + 1 < csr.vertices; v++) {
            const uint64_t here = csr.row[v + 1] - csr.row[v], next = csr.row[v + 2] - csr.row[v + 1];
            assert_true(order == RD_ORDER_DEGREE ? here >= next : here <= next);
            if (here == next)
                assert_true(rd_graph_name(sorted, v) < rd_graph_name(sorted, v + 1));
        }
        assert_sound(sorted, 1);
        assert_same_by_name(plain, sorted);
        rd_graph_destroy(plain);
        rd_graph_destroy(sorted);

        rd_graph *moved;
        rd_error err;
        plain = must_read("a.mtx", weighted);
        assert_int_equal(read_text("a.mtx", weighted, strlen(weighted), &options, &moved, &err), RD_OK);
        assert_sound(moved, 0);
        assert_same_by_name(plain, moved);
        assert_non_null(strstr(rd_graph_provenance(moved), "order=degree"));
        rd_graph_destroy(plain);
        rd_graph_destroy(moved);
    }
}

static void shuffled(void **state)
{
    rd_graph_options options = {.size = sizeof options, .shuffle_rows = 1};
    rd_graph *plain = must_open("star:1000", NULL), *mixed = must_open("star:1000", &options);
    const rd_csr csr = rd_graph_csr(mixed);
    uint64_t descents = 0;
    rd_error err;
    (void)state;
    for (uint64_t e = 1; e < csr.row[1]; e++)
        descents += csr.col[e] < csr.col[e - 1];
    assert_in_range(descents, 400, 600);
    assert_same_by_name(plain, mixed);
    assert_int_equal(rd_graph_save(mixed, "build/never-written.rdg", NULL, &err), RD_EARG);
    assert_non_null(strstr(err.text, "shuffled"));
    rd_graph_destroy(mixed);
    assert_int_equal(read_text("a.mtx", weighted, strlen(weighted), &options, &mixed, &err), RD_OK);
    rd_graph_destroy(plain);
    plain = must_read("a.mtx", weighted);
    assert_same_by_name(plain, mixed);
    rd_graph_destroy(plain);
    rd_graph_destroy(mixed);
}

/* An .rdg file is mapped, and its arrays are not to be written to. */
static void mapped(void **state)
{
    char path[64];
    rd_graph_options from = {.size = sizeof from, .weight_min = 1, .weight_max = 9, .permute = 1},
                     to = {.size = sizeof to};
    rd_graph *plain = must_open("attach:7:2", &from);
    rd_error err;
    (void)state;
    snprintf(path, sizeof path, "/tmp/raddle-shapes-%ld.rdg", (long)getpid());
    assert_int_equal(rd_graph_save(plain, path, NULL, &err), RD_OK);
    for (unsigned variant = 1; variant < 8; variant++) {
        to.order = variant & 1 ? RD_ORDER_DEGREE : RD_ORDER_GIVEN;
        to.shuffle_rows = (variant & 2) != 0;
        to.own_numbers = (variant & 4) != 0;
        rd_graph *moved = must_open(path, &to);
        if (!to.own_numbers)
            assert_same_by_name(plain, moved);
        else
            assert_int_equal(rd_graph_name(moved, 5), 5);
        rd_graph_destroy(moved);
    }
    rd_graph_destroy(plain);
    remove(path);
}

static void no_such_order(void **state)
{
    const rd_graph_options options = {.size = sizeof options, .order = 9};
    rd_graph *graph;
    rd_error err;
    (void)state;
    assert_int_equal(rd_graph_open("path:3", &options, &graph, &err), RD_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(fixed_for_ever),
        cmocka_unit_test(known_for),
        cmocka_unit_test(seed_matters),
        cmocka_unit_test(bad_parameters),
        cmocka_unit_test(too_large),
        cmocka_unit_test(by_degree),
        cmocka_unit_test(shuffled),
        cmocka_unit_test(mapped),
        cmocka_unit_test(no_such_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
