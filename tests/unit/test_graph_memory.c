/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_graph_memory.c - the n-th allocation fails, for every n, in every entry point that makes graphs: the answer is
 * RD_ENOMEM with a message, nothing leaks, nothing crashes; and with enough memory the answer is right again.
 */
#define _DEFAULT_SOURCE
#include "graph_util.h"
#include "memory_util.h"

#include <unistd.h>

static rd_status open_spec(const void *arg, rd_error *err)
{
    rd_graph_options options = {.size = sizeof options, .threads = 2, .permute = 1, .weight_min = 1, .weight_max = 9};
    rd_graph *graph = NULL;
    rd_status status = rd_graph_open(arg, &options, &graph, err);
    if (status != RD_OK)
        assert_null(graph);
    rd_graph_destroy(graph);
    return status;
}

static void generators(void **state)
{
    static const char *const spec[] = {"kron:6",   "urand:6", "road:5x5", "grid3d:3", "rgg:6",
                                       "tree:2:3", "path:9",  "cycle:9",  "star:9",   "complete:5"};
    (void)state;
    for (size_t i = 0; i < sizeof spec / sizeof *spec; i++)
        (void)with_little_memory(spec[i], open_spec, spec[i]);
}

struct file {
    const char *name;
    char *text;
    size_t bytes;
};

static rd_status read_file(const void *arg, rd_error *err)
{
    const struct file *file = arg;
    rd_graph_options options = {
        .size = sizeof options, .threads = 2, .symmetrize = 1, .drop_duplicates = 1, .verify = 1};
    rd_graph *graph = NULL;
    rd_csr csr;
    rd_status status = read_text(file->name, file->text, file->bytes, &options, &graph, err);
    if (status == RD_OK)
        status = rd_graph_transpose(graph, &csr, err);
    rd_graph_destroy(graph);
    return status;
}

static void readers_and_writers(void **state)
{
    static const char *const format[] = {"rdg", "mtx", "wel", "gr", "wsg", "egr"};
    char path[] = "/tmp/raddle-test-XXXXXX", name[64];
    (void)state;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
        rd_graph_options options = {.size = sizeof options, .weight_min = 1, .weight_max = 9};
        rd_graph *graph = must_open("kron:5", &options);
        rd_error err;
        assert_int_equal(rd_graph_save(graph, path, format[i], &err), RD_OK);
        rd_graph_destroy(graph);
        FILE *in = fopen(path, "rb");
        assert_non_null(in);
        struct file file = {.name = name, .text = malloc(1 << 20)};
        file.bytes = fread(file.text, 1, 1 << 20, in);
        fclose(in);
        snprintf(name, sizeof name, "x.%s", format[i]);
        (void)with_little_memory(name, read_file, &file);
        free(file.text);
    }
    unlink(path);
}

static void text_readers(void **state)
{
    static const struct file file[] = {
        {"x.el", "0 1\n1 2\n", 8},
        {"x.txt", "# c\n10 11\n11 99999999999\n", 25},
        {"x.col", "p edge 3 2\ne 1 2\ne 2 3\n", 23},
        {"x.graph", "3 2\n2\n1 3\n2\n", 12},
    };
    (void)state;
    for (size_t i = 0; i < sizeof file / sizeof *file; i++)
        (void)with_little_memory(file[i].name, read_file, &file[i]);
}

static rd_status from_arrays(const void *arg, rd_error *err)
{
    static const uint32_t source[] = {0, 2, 1}, target[] = {1, 1, 2};
    static const int32_t weight[] = {5, 6, 7};
    rd_graph *graph = NULL, *copy = NULL;
    rd_csr csr;
    (void)arg;
    rd_status status = rd_graph_from_edges(3, 3, source, target, weight, NULL, &graph, err);
    if (status == RD_OK)
        status = rd_graph_transpose(graph, &csr, err);
    if (status == RD_OK)
        status = rd_graph_from_csr(&csr, NULL, &copy, err);
    rd_graph_destroy(graph);
    rd_graph_destroy(copy);
    return status;
}

static void arrays(void **state)
{
    (void)state;
    (void)with_little_memory("arrays", from_arrays, NULL);
}

struct save {
    rd_graph *graph;
    const char *path, *format;
};

static rd_status save_graph(const void *arg, rd_error *err)
{
    const struct save *save = arg;
    return rd_graph_save(save->graph, save->path, save->format, err);
}

static void saving(void **state)
{
    static const char *const format[] = {"rdg", "mtx", "wel", "gr", "egr"};
    rd_graph_options options = {.size = sizeof options, .weight_min = 1, .weight_max = 9};
    rd_graph *graph = must_open("kron:5", &options);
    char path[64];
    (void)state;
    snprintf(path, sizeof path, "/tmp/raddle-save-%ld", (long)getpid());
    for (size_t i = 0; i < sizeof format / sizeof *format; i++) {
        struct save save = {graph, path, format[i]};
        (void)with_little_memory(format[i], save_graph, &save);
    }
    unlink(path);
    rd_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(generators),   cmocka_unit_test(readers_and_writers),
        cmocka_unit_test(text_readers), cmocka_unit_test(arrays),
        cmocka_unit_test(saving),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
