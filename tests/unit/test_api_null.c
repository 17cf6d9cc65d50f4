/* SPDX-License-Identifier: Apache-2.0 */
/* test_api_null.c - NULL for every pointer of every function of the API: refused with a message, or taken where
 * raddle.h says so. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "misuse_util.h"

static void null_for_devices_and_graphs(void **state)
{
    rd_device *device;
    rd_device_info *list;
    rd_graph *graph = open_graph("path:10"), *made;
    const uint32_t ends[1] = {0};
    const rd_csr no_arrays = {.vertices = 1, .edges = 1};
    rd_csr csr;
    size_t count;
    (void)state;
    REFUSED(rd_device_list(NULL, &count, &err));
    REFUSED(rd_device_list(&list, NULL, &err));
    REFUSED(rd_device_open("cpu", NULL, NULL, &err));
    assert_int_equal(rd_device_open("cpu", NULL, NULL, NULL), RD_EARG);
    rd_device_close(NULL);
    assert_non_null(rd_device_get_info(NULL));
    assert_int_equal(rd_device_get_info(NULL)->usable, 0);
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, NULL), RD_OK);
    rd_device_close(device);

    REFUSED(rd_graph_open(NULL, NULL, &made, &err));
    REFUSED(rd_graph_open("path:10", NULL, NULL, &err));
    REFUSED(rd_graph_from_edges(1, 1, NULL, ends, NULL, NULL, &made, &err));
    REFUSED(rd_graph_from_edges(1, 1, ends, NULL, NULL, NULL, &made, &err));
    REFUSED(rd_graph_from_edges(1, 1, ends, ends, NULL, NULL, NULL, &err));
    REFUSED(rd_graph_from_csr(NULL, NULL, &made, &err));
    REFUSED(rd_graph_from_csr(&no_arrays, NULL, &made, &err));
    REFUSED(rd_graph_from_csr(&no_arrays, NULL, NULL, &err));
    REFUSED(rd_graph_save(NULL, "never.rdg", NULL, &err));
    REFUSED(rd_graph_save(graph, NULL, NULL, &err));
    REFUSED(rd_graph_transpose(NULL, &csr, &err));
    REFUSED(rd_graph_transpose(graph, NULL, &err));
    rd_graph_destroy(NULL);
    assert_int_equal(rd_graph_csr(NULL).vertices, 0);
    assert_string_equal(rd_graph_provenance(NULL), "");
    assert_null(rd_graph_ids(NULL));
    assert_int_equal(rd_graph_is_symmetric(NULL), 0);
    assert_int_equal(rd_graph_hub(NULL), RD_NONE);
    assert_int_equal(rd_graph_max_degree(NULL), 0);
    assert_true(rd_graph_get_times(NULL).read_s == 0);
    rd_graph_destroy(graph);
}

static void null_for_jobs(void **state)
{
    rd_device *device = open_device("cpu:1");
    rd_job *job = make_job(device, "bfs"), *made;
    rd_plan plan;
    rd_result result;
    rd_report report;
    const char *text;
    (void)state;
    assert_int_equal(rd_app_takes_graph(NULL), 0);
    assert_int_equal(rd_app_has_choice(NULL, "sched"), 0);
    assert_int_equal(rd_app_has_choice(rd_apps(), NULL), 0);
    assert_null(rd_scheduler_launches(NULL));
    assert_int_equal(rd_device_can_launch(NULL, "discrete"), 0);
    assert_int_equal(rd_device_can_launch(device, NULL), 0);
    assert_null(rd_scheduler_options(NULL, "bsp"));
    assert_null(rd_scheduler_options("bfs", NULL));
    REFUSED(rd_job_create(device, NULL, &made, &err));
    REFUSED(rd_job_create(device, "bfs", NULL, &err));
    rd_job_destroy(NULL);
    REFUSED(rd_job_set(NULL, "source", "0", &err));
    REFUSED(rd_job_set(job, NULL, "0", &err));
    REFUSED(rd_job_set(job, "source", NULL, &err));
    REFUSED(rd_job_set_graph(NULL, NULL, &err));
    REFUSED(rd_job_set_graph(job, NULL, &err));
    REFUSED(rd_job_set_input(NULL, "a", &err));
    REFUSED(rd_job_set_input(job, NULL, &err));
    rd_job_set_progress(NULL, NULL, NULL);
    REFUSED(rd_job_plan(NULL, &plan, &err));
    REFUSED(rd_job_plan(job, NULL, &err));
    REFUSED(rd_job_explain(NULL, &text, &err));
    REFUSED(rd_job_explain(job, NULL, &err));
    REFUSED(rd_job_run(NULL, NULL, &err));
    REFUSED(rd_job_measure(NULL, &report, &err));
    REFUSED(rd_job_result(NULL, &result, &err));
    REFUSED(rd_job_result(job, NULL, &err));
    REFUSED(rd_job_save(NULL, "never", &err));
    REFUSED(rd_job_save(job, NULL, &err));
    REFUSED(rd_job_check(NULL, &err));
    rd_job_destroy(job);
    rd_device_close(device);
}

static void null_for_the_rest(void **state)
{
    rd_device *device = open_device("cpu:1");
    rd_micro *micro;
    rd_micro_report report;
    rd_heap *heap;
    rd_heap_info info;
    uint64_t got, key = 1;
    (void)state;
    rd_free(NULL);
    rd_set_log(NULL, NULL, RD_LOG_ERROR);
    REFUSED(rd_selftest(NULL, NULL, NULL, NULL, NULL, NULL, &err));

    REFUSED(rd_micro_open(NULL, "launch", NULL, &micro, &err));
    REFUSED(rd_micro_open(device, NULL, NULL, &micro, &err));
    REFUSED(rd_micro_open(device, "launch", NULL, NULL, &err));
    REFUSED(rd_micro_run(NULL, &report, &err));
    assert_int_equal(rd_micro_open(device, "launch", NULL, &micro, &err), RD_OK);
    REFUSED(rd_micro_run(micro, NULL, &err));
    rd_micro_close(micro);
    rd_micro_close(NULL);

    REFUSED(rd_heap_open(NULL, NULL, &heap, &err));
    REFUSED(rd_heap_open(device, NULL, NULL, &err));
    assert_int_equal(rd_heap_open(device, NULL, &heap, &err), RD_OK);
    REFUSED(rd_heap_insert(NULL, &key, NULL, 1, &err));
    REFUSED(rd_heap_insert(heap, NULL, NULL, 1, &err));
    REFUSED(rd_heap_delete(NULL, &key, NULL, 1, &got, &err));
    REFUSED(rd_heap_mixed(NULL, &key, NULL, 1, &key, NULL, 1, &got, &err));
    REFUSED(rd_heap_mixed(heap, NULL, NULL, 1, &key, NULL, 1, &got, &err));
    REFUSED(rd_heap_reserve(NULL, 1, &err));
    REFUSED(rd_heap_clear(NULL, &err));
    REFUSED(rd_heap_get_info(NULL, &info, &err));
    REFUSED(rd_heap_get_info(heap, NULL, &err));
    REFUSED(rd_heap_check(NULL, &err));
    assert_int_equal(rd_heap_size(NULL), 0);
    assert_int_equal(rd_heap_is_empty(NULL), 1);
    /* not wanted, and no mistake */
    assert_int_equal(rd_heap_insert(heap, &key, NULL, 1, &err), RD_OK);
    assert_int_equal(rd_heap_delete(heap, NULL, NULL, 1, NULL, &err), RD_OK);
    assert_int_equal(rd_heap_is_empty(heap), 1);
    rd_heap_close(heap);
    rd_heap_close(NULL);
    rd_device_close(device);
}

static void null_for_tools(void **state)
{
    rd_json json;
    rd_stats stats;
    double value = 1;
    uint64_t number;
    (void)state;
    assert_int_equal(rd_parse_u64(NULL, &number), 0);
    assert_int_equal(rd_parse_u64("1", NULL), 0);
    assert_int_equal(rd_parse_double(NULL, &value), 0);
    assert_int_equal(rd_parse_double("1", NULL), 0);
    assert_null(rd_format_bytes(1, NULL, 0));
    assert_null(rd_format_count(1, NULL, 10));
    assert_null(rd_format_seconds(1, NULL, 10));
    rd_stats_of(NULL, 1, &stats);
    assert_int_equal(stats.count, 0);
    rd_stats_of(&value, 1, NULL);

    rd_json_begin(NULL, stdout);
    for (int pass = 0; pass < 2; pass++) { /* no writer; a writer without a stream */
        rd_json *const j = pass ? &json : NULL;
        rd_json_begin(j, NULL);
        rd_json_object(j, "a");
        rd_json_array(j, "b");
        rd_json_text(j, "c", "d");
        rd_json_u64(j, "e", 1);
        rd_json_i64(j, "f", 1);
        rd_json_double(j, "g", 1);
        rd_json_bool(j, "h", 1);
        rd_json_close_array(j);
        rd_json_close_object(j);
        assert_int_not_equal(rd_json_end(j), 0);
    }

    rd_output *output;
    REFUSED(rd_job_answer(NULL, NULL, &err));
    REFUSED(rd_output_check(NULL, RD_OUTPUT_LINES, &err));
    REFUSED(rd_output_open(NULL, RD_OUTPUT_LINES, &output, &err));
    REFUSED(rd_output_open("-", RD_OUTPUT_LINES, NULL, &err));
    assert_null(rd_output_stream(NULL));
    assert_int_equal(rd_output_close(NULL, RD_OK, &err), RD_OK);
    assert_int_equal(rd_temporary_add(NULL, 0), -1);
    rd_temporary_forget(-1);

    rd_progress_line line;
    rd_progress_line_init(NULL, stderr, 1);
    rd_progress_line_clear(NULL);
    assert_int_equal(rd_progress_line_fn(NULL, "a", 1, 2, "b"), 0);
    rd_progress_line_init(&line, NULL, 1);
    line.enabled = 1; /* as on a terminal */
    line.out = stderr;
    assert_int_equal(rd_progress_line_fn(&line, NULL, 1, 2, NULL), 0);
    rd_progress_line_clear(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_for_devices_and_graphs),
        cmocka_unit_test(null_for_jobs),
        cmocka_unit_test(null_for_the_rest),
        cmocka_unit_test(null_for_tools),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
