/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_read.c - what the corpus of files cannot show: many blocks and threads, long lines, options, id maps,
 * memory limits. */
#define _DEFAULT_SOURCE
#include "graph_util.h"
#include "sanitized.h"

#include <sys/resource.h>
#include <unistd.h>

static void expect_error(const char *name, const char *text, size_t bytes, const rd_graph_options *options,
                         rd_status status, const char *message)
{
    rd_graph *graph;
    rd_error err = {RD_OK, ""};
    rd_status got = read_text(name, text, bytes, options, &graph, &err);
    if (got != status || graph || strcmp(err.text, message) != 0)
        fail_msg("%s: status %d, '%s'", name, got, err.text);
}

/* A text large enough for several blocks, with one bad line. */
static char *many_lines(size_t lines, size_t bad_line, size_t *bytes)
{
    char *text = malloc(lines * 20), *at = text;
    assert_non_null(text);
    for (size_t i = 1; i <= lines; i++) {
        if (i == bad_line)
            at += sprintf(at, "12 oops\n");
        else
            at += sprintf(at, "%zu %zu\n", i % 1000, i * 7 % 1013);
    }
    *bytes = (size_t)(at - text);
    return text;
}

static void first_fault_wins(void **state)
{
    (void)state;
    for (unsigned threads = 1; threads <= 8; threads *= 2) {
        rd_graph_options options = {.size = sizeof options, .threads = threads};
        size_t bytes, lines = 600000, bad[] = {1, 2, 299999, 600000};
        for (int i = 0; i < 4; i++) {
            char *text = many_lines(lines, bad[i], &bytes), message[200];
            memcpy(text + bytes - 4, "x y\n", 4); /* a later fault must not hide the first */
            snprintf(message, sizeof message,
                     "big.el:%zu:4: expected a vertex number from 0 to 4294967293, found 'oops'", bad[i]);
            if (bad[i] != lines)
                expect_error("big.el", text, bytes, &options, RD_EINPUT, message);
            free(text);
        }
    }
}

static void same_for_any_threads(void **state)
{
    size_t bytes;
    char *text = many_lines(600000, 0, &bytes);
    (void)state;
    rd_graph *first = NULL;
    for (unsigned threads = 1; threads <= 5; threads += 2) {
        rd_graph_options options = {.size = sizeof options, .threads = threads};
        for (int named = 0; named < 2; named++) {
            rd_graph *graph;
            rd_error err;
            assert_int_equal(read_text(named ? "big.txt" : "big.el", text, bytes, &options, &graph, &err), RD_OK);
            assert_int_equal(rd_graph_csr(graph).vertices, 1013);
            assert_int_equal(rd_graph_csr(graph).edges, 600000);
            if (first) {
                assert_same_graph(first, graph);
                rd_graph_destroy(graph);
            } else {
                first = graph;
            }
        }
    }
    rd_graph_destroy(first);
    free(text);
}

/* Lines of METIS may be longer than a block; those of other formats may not. */
static void long_lines(void **state)
{
    size_t n = 400000, used = 0;
    char *text = malloc(n * 20);
    (void)state;
    assert_non_null(text);
    used += (size_t)sprintf(text, "%zu %zu\n", n, n - 1);
    for (size_t v = 2; v <= n; v++)
        used += (size_t)sprintf(text + used, "%zu ", v);
    text[used++] = '\n';
    for (size_t v = 2; v <= n; v++)
        used += (size_t)sprintf(text + used, "1\n");
    rd_graph *graph, *star;
    rd_error err;
    rd_graph_options options = {.size = sizeof options, .threads = 3};
    assert_int_equal(read_text("star.graph", text, used, &options, &graph, &err), RD_OK);
    star = must_open("star:400000", NULL);
    assert_same_graph(graph, star);
    assert_true(rd_graph_is_symmetric(graph));
    rd_graph_destroy(graph);
    rd_graph_destroy(star);
    memset(text, '7', n * 20);
    memcpy(text, "0 1\n", 4);
    expect_error("long.el", text, n * 20, &options, RD_EINPUT,
                 "long.el:2:1: the line is longer than 1 MiB: is this a text file?");
    free(text);
}

static void id_map(void **state)
{
    rd_graph *graph = must_read("web.txt", "# x\n900 7\n7 18000000000\n900 900\n");
    const uint64_t *ids = rd_graph_ids(graph);
    (void)state;
    assert_string_equal(edges_of(graph), "0>2 1>0 1>1");
    assert_non_null(ids);
    assert_true(ids[0] == 7 && ids[1] == 900 && ids[2] == 18000000000ull);
    rd_graph_destroy(graph);
    graph = must_read("web.el", "2 1\n");
    assert_null(rd_graph_ids(graph));
    rd_graph_destroy(graph);
}

/* Vertices are called what their file calls them, whatever was done to the graph. */
static void names(void **state)
{
    static const char mtx[] = "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n2 3\n";
    rd_graph_options options = {.size = sizeof options, .permute = 1};
    rd_graph *graph = must_read("a.mtx", mtx);
    rd_error err;
    (void)state;
    assert_null(rd_graph_ids(graph));
    assert_true(rd_graph_name(graph, 0) == 1 && rd_graph_name(graph, 2) == 3 && rd_graph_name(graph, 3) == UINT64_MAX);
    assert_true(rd_graph_find(graph, 1) == 0 && rd_graph_find(graph, 3) == 2);
    assert_true(rd_graph_find(graph, 0) == RD_NONE && rd_graph_find(graph, 4) == RD_NONE);
    rd_graph_destroy(graph);
    assert_int_equal(read_text("a.mtx", mtx, sizeof mtx - 1, &options, &graph, &err), RD_OK);
    for (uint32_t v = 0; v < 3; v++)
        assert_true(rd_graph_find(graph, rd_graph_name(graph, v)) == v &&
                    rd_graph_name(graph, v) == rd_graph_ids(graph)[v]);
    assert_true(rd_graph_find(graph, 0) == RD_NONE && rd_graph_find(graph, 3) != RD_NONE);
    rd_graph_destroy(graph);
    graph = must_read("a.txt", "# names\n1000 17\n17 5\n");
    assert_true(rd_graph_name(graph, 0) == 5 && rd_graph_name(graph, 2) == 1000 && rd_graph_find(graph, 17) == 1);
    rd_graph_destroy(graph);
    assert_true(rd_graph_name(NULL, 0) == UINT64_MAX && rd_graph_find(NULL, 0) == RD_NONE);
}

static void options_apply(void **state)
{
    static const struct {
        const char *name, *text;
        rd_graph_options options;
        const char *edges;
    } row[] = {
        {"a.mtx",
         "%%MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 3\n",
         {.symmetrize = 1},
         "0>1 1>0 2>2"},
        {"a.mtx",
         "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n2 1\n3 3\n",
         {.symmetrize = 1, .drop_loops = 1},
         "0>1 1>0"},
        {"a.mtx",
         "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 2 0.5\n2 1 -1.5\n1 1 2.49\n",
         {.round_weights = 1},
         "0>0:2 0>1:1 1>0:-2"},
        {"a.wel", "0 1 5\n0 1 -4\n", {.drop_duplicates = 1}, "0>1:-4"},
        {"a.wel", "0 1 5\n", {.weight_min = 3, .weight_max = 3}, "0>1:3"},
        {"a.txt", "0 1 5\n", {.format = "wel"}, "0>1:5"},
        {"a.graph", "2 1\n2\n1\n", {.symmetrize = 1}, "0>1 1>0"},
        {"a.gr", "p sp 2 1\na 1 2 3\n", {.symmetrize = 1}, "0>1:3 1>0:3"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        rd_graph_options options = row[i].options;
        options.size = sizeof options;
        rd_graph *graph;
        rd_error err;
        if (read_text(row[i].name, row[i].text, strlen(row[i].text), &options, &graph, &err) != RD_OK)
            fail_msg("%zu: %s", i, err.text);
        assert_string_equal(edges_of(graph), row[i].edges);
        rd_graph_destroy(graph);
    }
    rd_graph_options strict = {.size = sizeof strict, .format = "el"};
    expect_error("a.wel", "0 1 5\n", 6, &strict, RD_EINPUT,
                 "a.wel:1:5: expected the end of the line (the first edge has no weight), found '5'");
    strict.format = "nonsense";
    expect_error("a.wel", "0 1 5\n", 6, &strict, RD_EARG,
                 "there is no format 'nonsense' to read; there are: rdg, mtx, gr, col, adj, metis, snap, ldbc, wel, "
                 "el, elh, sg, "
                 "wsg, egr");
}

static void symmetry_is_found(void **state)
{
    rd_graph *graph = must_read("a.el", "0 1\n1 0\n2 2\n");
    (void)state;
    assert_true(rd_graph_is_symmetric(graph));
    rd_graph_destroy(graph);
    graph = must_read("a.el", "0 1\n1 2\n2 0\n");
    assert_false(rd_graph_is_symmetric(graph));
    rd_graph_destroy(graph);
    graph = must_read("a.wel", "0 1 3\n1 0 4\n");
    assert_false(rd_graph_is_symmetric(graph));
    rd_graph_destroy(graph);
    graph = must_read("a.el", "0 1\n0 1\n1 0\n");
    assert_false(rd_graph_is_symmetric(graph));
    rd_graph_destroy(graph);
}

/* An edge list whose highest vertex would make an absurd number of rows, and files larger than what memory there is. */
static void memory_is_foreseen(void **state)
{
    rd_graph *graph;
    rd_error err;
    struct rlimit old, small;
    (void)state;
    if (SANITIZED) /* they keep terabytes of address space and break when it is limited */
        skip();
    getrlimit(RLIMIT_AS, &old);
    small = old;
    small.rlim_cur = 1u << 30;
    if (setrlimit(RLIMIT_AS, &small) != 0)
        skip();
    const char *text = "0 4000000000\n";
    rd_status status = read_text("far.el", text, strlen(text), NULL, &graph, &err);
    char path[] = "/tmp/raddle-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    const char *head = "%%MatrixMarket matrix coordinate pattern general\n1000 1000 1000000000\n1 2\n";
    assert_int_equal(write(fd, head, strlen(head)), strlen(head));
    assert_int_equal(ftruncate(fd, 5ll << 30), 0); /* a file with a hole takes no room */
    rd_error err2;
    rd_status status2 = rd_graph_open(path, NULL, &graph, &err2);
    setrlimit(RLIMIT_AS, &old);
    close(fd);
    unlink(path);
    assert_int_equal(status, RD_ENOMEM);
    assert_non_null(strstr(err.text, "not enough host memory"));
    assert_int_equal(status2, RD_ENOMEM);
    assert_non_null(strstr(err2.text, "reading /tmp/raddle-test-"));
}

static void no_such_file(void **state)
{
    rd_graph *graph;
    rd_error err;
    (void)state;
    assert_int_equal(rd_graph_open("/nonexistent/x.mtx", NULL, &graph, &err), RD_EIO);
    assert_string_equal(err.text, "/nonexistent/x.mtx: cannot be opened: No such file or directory");
    assert_int_equal(rd_graph_open("/usr", NULL, &graph, &err), RD_EIO);
    assert_int_equal(rd_graph_open("", NULL, &graph, &err), RD_EARG);
    assert_int_equal(rd_graph_open(NULL, NULL, &graph, &err), RD_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_fault_wins),
        cmocka_unit_test(same_for_any_threads),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(id_map),
        cmocka_unit_test(options_apply),
        cmocka_unit_test(symmetry_is_found),
        cmocka_unit_test(memory_is_foreseen),
        cmocka_unit_test(no_such_file),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
