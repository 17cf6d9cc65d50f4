/* SPDX-License-Identifier: Apache-2.0 */
/* test_graph_rdg.c - .rdg: what is saved comes back; each bit of a file turned over gives an error or a graph that is
 * sound. */
#define _DEFAULT_SOURCE
#include "graph_util.h"

#include "graph/rdg.h"

#include <unistd.h>

static char path[] = "/tmp/raddle-test-rdg-XXXXXX";

static int make_path(void **state)
{
    int fd = mkstemp(path);
    (void)state;
    return fd < 0 || close(fd);
}

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void save(const rd_graph *graph)
{
    rd_error err;
    if (rd_graph_save(graph, path, "rdg", &err) != RD_OK)
        fail_msg("%s", err.text);
}

static void comes_back(void **state)
{
    static const char *const spec[] = {"kron:10", "path:1", "star:70000", "road:50x40"};
    rd_graph_options check = {.size = sizeof check, .verify = 1, .format = "rdg"};
    (void)state;
    for (unsigned i = 0; i < 16; i++) {
        rd_graph_options options = {.size = sizeof options, .permute = i >> 2 & 1};
        options.weight_max = i >> 3 ? 9 : 0;
        rd_graph *made = must_open(spec[i % 4], &options);
        save(made);
        rd_graph *mapped = must_open(path, &check);
        assert_same_graph(made, mapped);
        assert_int_equal(rd_graph_is_symmetric(made), rd_graph_is_symmetric(mapped));
        assert_int_equal(rd_graph_hub(made), rd_graph_hub(mapped));
        assert_string_equal(rd_graph_provenance(made), rd_graph_provenance(mapped));
        assert_int_equal(rd_graph_ids(made) != NULL, rd_graph_ids(mapped) != NULL);
        if (rd_graph_ids(made))
            assert_memory_equal(rd_graph_ids(made), rd_graph_ids(mapped), 8 * (size_t)rd_graph_csr(made).vertices);
        /* arrays that are mapped can be uploaded from where they lie */
        assert_int_equal((uintptr_t)rd_graph_csr(mapped).row % 64, 0);
        assert_int_equal((uintptr_t)rd_graph_csr(mapped).col % 64, 0);
        rd_graph_destroy(made);
        rd_graph_destroy(mapped);
    }
}

static void options_on_a_mapped_graph(void **state)
{
    rd_graph_options weights = {.size = sizeof weights, .format = "rdg", .weight_min = 2, .weight_max = 2},
                     permute = weights;
    rd_graph *graph = must_read("x.wel", "0 1 5\n1 2 6\n2 2 7\n");
    (void)state;
    save(graph);
    rd_graph_destroy(graph);
    graph = must_open(path, &weights);
    assert_string_equal(edges_of(graph), "0>1:2 1>2:2 2>2:2");
    rd_graph_destroy(graph);
    permute.weight_max = 0;
    permute.symmetrize = 1;
    permute.drop_loops = 1;
    graph = must_open(path, &permute);
    assert_string_equal(edges_of(graph), "0>1:5 1>0:5 1>2:6 2>1:6");
    rd_graph_destroy(graph);
}

static void any_bit_turned_over(void **state)
{
    rd_graph_options options = {
        .size = sizeof options, .weight_min = 1, .weight_max = 3, .threads = 1, .format = "rdg"};
    rd_graph *graph = must_open("path:9", &options);
    char bytes[2048];
    (void)state;
    save(graph);
    rd_graph_destroy(graph);
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    size_t size = fread(bytes, 1, sizeof bytes, in);
    fclose(in);
    assert_in_range(size, 200, sizeof bytes - 1);
    options.weight_max = 0;
    unsigned refused = 0;
    for (size_t bit = 0; bit < 8 * size; bit++) {
        for (int verify = 0; verify < 2; verify++) {
            rd_error err = {RD_OK, ""};
            options.verify = (uint8_t)verify;
            bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
            rd_status status = read_text("x.rdg", bytes, size, &options, &graph, &err);
            bytes[bit / 8] = (char)(bytes[bit / 8] ^ (1 << bit % 8));
            if (status == RD_OK) {
                rd_csr csr = rd_graph_csr(graph);
                assert_int_equal(rd__csr_check(&csr, 1, 1, "x", &err), RD_OK);
                rd_graph_destroy(graph);
            } else {
                assert_int_equal(status, RD_EINPUT);
                refused++;
            }
            if (bit < 8 * sizeof(rd__rdg_header))
                assert_int_not_equal(status, RD_OK);
        }
    }
    assert_true(refused > 8 * sizeof(rd__rdg_header) * 2);
    for (size_t cut = 0; cut < size; cut++) {
        rd_error err;
        assert_int_equal(read_text("x.rdg", bytes, cut, &options, &graph, &err), RD_EINPUT);
    }
}

static void checksum_is_the_same_for_any_threads(void **state)
{
    enum { BYTES = (5 << 20) + 13 };
    unsigned char *data = malloc(BYTES);
    (void)state;
    assert_non_null(data);
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (unsigned char)rd__mix64(i);
    uint64_t sum = rd__checksum(0, data, BYTES, 1);
    assert_true(sum == rd__checksum(0, data, BYTES, 3));
    assert_true(sum != rd__checksum(0, data, BYTES - 1, 3));
    assert_true(sum != rd__checksum(1, data, BYTES, 3));
    data[BYTES - 1] ^= 1;
    assert_true(sum != rd__checksum(0, data, BYTES, 3));
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comes_back),
        cmocka_unit_test(options_on_a_mapped_graph),
        cmocka_unit_test(any_bit_turned_over),
        cmocka_unit_test(checksum_is_the_same_for_any_threads),
    };
    return cmocka_run_group_tests(tests, make_path, remove_path);
}
