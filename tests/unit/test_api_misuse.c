/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_api_misuse.c - the API used wrongly, on purpose: NULL for every pointer of every function, calls in the wrong
 * order, things closed before what uses them, a fork, a callback that calls back. Each is refused with a message or
 * does what one would expect; none crashes, hangs, or gives a wrong answer. Run under AddressSanitizer it also says so.
 */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "raddle/tool.h"

static rd_error err;

static rd_device *open_device(const char *name)
{
    rd_device *device;
    if (rd_device_open(name, NULL, &device, &err) != RD_OK)
        fail_msg("%s", err.text);
    return device;
}

static rd_graph *open_graph(const char *spec)
{
    rd_graph *graph;
    if (rd_graph_open(spec, NULL, &graph, &err) != RD_OK)
        fail_msg("%s", err.text);
    return graph;
}

static rd_job *make_job(rd_device *device, const char *app)
{
    rd_job *job;
    if (rd_job_create(device, app, &job, &err) != RD_OK)
        fail_msg("%s", err.text);
    return job;
}

/* ---- NULL ---- */

/* The call must be refused with RD_EARG and a message that is not empty. */
#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        err = (rd_error){RD_OK, ""};                                                                                   \
        if ((call) != RD_EARG || err.status != RD_EARG || !err.text[0])                                                \
            fail_msg("%s: %s '%s'", #call, rd_status_name(err.status), err.text);                                      \
    } while (0)

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

/* ---- Order of calls ---- */

static void calls_in_the_wrong_order(void **state)
{
    rd_device *device = open_device("cpu:1");
    rd_job *job = make_job(device, "bfs"), *sum = make_job(device, "sum"), *planned = make_job(NULL, "bfs");
    rd_graph *graph = open_graph("path:10");
    rd_result result;
    rd_report report;
    (void)state;
    REFUSED(rd_job_result(job, &result, &err));
    REFUSED(rd_job_check(job, &err));
    REFUSED(rd_job_run(job, NULL, &err)); /* no graph */
    REFUSED(rd_job_measure(job, NULL, &err));
    REFUSED(rd_job_measure(job, &report, &err)); /* nothing has run */
    REFUSED(rd_job_set_input(job, "10", &err));
    REFUSED(rd_job_set_graph(sum, graph, &err));
    assert_int_equal(rd_job_set_graph(planned, graph, &err), RD_OK);
    REFUSED(rd_job_run(planned, NULL, &err));
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    rd_graph *other = open_graph("path:20"); /* another input: the old result is gone */
    assert_int_equal(rd_job_set_graph(job, other, &err), RD_OK);
    REFUSED(rd_job_result(job, &result, &err));
    REFUSED(rd_job_check(job, &err));
    rd_graph_destroy(other);
    rd_graph_destroy(graph);
    rd_job_destroy(planned);
    rd_job_destroy(sum);
    rd_job_destroy(job);
    rd_device_close(device);
}

static void structs_of_another_size(void **state)
{
    const rd_device_options device_options = {.size = 3};
    const rd_graph_options graph_options = {.size = 3}, too_large = {.size = 1 << 20};
    const rd_heap_options heap_options = {.size = 3};
    const rd_micro_options micro_options = {.size = 3};
    const rd_selftest_options selftest_options = {.size = 3};
    rd_device *device, *none;
    rd_graph *graph;
    rd_heap *heap;
    rd_micro *micro;
    (void)state;
    device = open_device("cpu:1");
    REFUSED(rd_device_open("cpu", &device_options, &none, &err));
    REFUSED(rd_graph_open("path:3", &graph_options, &graph, &err));
    REFUSED(rd_graph_open("path:3", &too_large, &graph, &err));
    REFUSED(rd_heap_open(device, &heap_options, &heap, &err));
    REFUSED(rd_micro_open(device, "launch", &micro_options, &micro, &err));
    REFUSED(rd_selftest(device, &selftest_options, NULL, NULL, NULL, NULL, &err));
    rd_device_close(device);
}

static void absurd_numbers_are_refused_at_once(void **state)
{
    const rd_device_options many = {.size = sizeof many, .threads = 4000000000u};
    const rd_graph_options readers = {.size = sizeof readers, .threads = 4000000000u};
    const rd_heap_options groups = {.size = sizeof groups, .groups = 4000000000u};
    rd_device *device, *none;
    rd_graph *graph;
    rd_heap *heap;
    (void)state;
    device = open_device("cpu:1");
    REFUSED(rd_device_open("cpu", &many, &none, &err));
    REFUSED(rd_device_open("cpu:1000000", NULL, &none, &err));
    REFUSED(rd_device_open("cpu:4096x64", NULL, &none, &err));
    REFUSED(rd_device_open("cpu:4096x4096", NULL, &none, &err));
    REFUSED(rd_device_open("cpu:99999999999999999999", NULL, &none, &err));
    REFUSED(rd_graph_open("path:3", &readers, &graph, &err));
    REFUSED(rd_heap_open(device, &groups, &heap, &err));
    rd_device_close(device);
}

/* ---- Lifetime ---- */

/* The natural loop over files. A new graph is likely to lie where the last one lay. */
static void a_graph_for_each_turn(void **state)
{
    static const char *const apps[] = {"bfs", "cc", "pr"};
    rd_device *device = open_device("cpu:2");
    (void)state;
    for (size_t a = 0; a < sizeof apps / sizeof *apps; a++) {
        rd_job *job = make_job(device, apps[a]);
        for (int i = 0; i < 50; i++) {
            char spec[32];
            snprintf(spec, sizeof spec, "urand:%d:%d", 5 + i % 3, 2 + i % 4);
            rd_graph *graph = open_graph(spec);
            assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
            assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
            if (rd_job_check(job, &err) != RD_OK)
                fail_msg("%s, turn %d: %s", apps[a], i, err.text);
            rd_graph_destroy(graph);
        }
        rd_job_destroy(job);
    }
    rd_device_close(device);
}

static void a_graph_destroyed_under_its_job(void **state)
{
    rd_device *device = open_device("cpu:2");
    rd_job *job = make_job(device, "bfs"), *other = make_job(device, "bfs");
    rd_graph *graph = open_graph("path:1000");
    rd_result result;
    (void)state;
    assert_int_equal(rd_job_set(job, "source", "0", &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK); /* twice is once */
    assert_int_equal(rd_job_set_graph(other, graph, &err), RD_OK);
    rd_graph_destroy(graph);
    rd_job_destroy(other);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
    assert_int_equal(result.word[999], 999);
    rd_job_destroy(job);
    rd_device_close(device);
}

static void a_device_closed_before_what_is_on_it(void **state)
{
    rd_device *device = open_device("cpu:2");
    rd_graph *graph = open_graph("path:1000");
    rd_job *job = make_job(device, "bfs"), *fresh = make_job(device, "bfs");
    rd_micro *micro;
    rd_micro_report report;
    rd_heap *heap;
    rd_result result;
    uint32_t key = 7;
    (void)state;
    assert_int_equal(rd_heap_open(device, NULL, &heap, &err), RD_OK);
    assert_int_equal(rd_micro_open(device, "launch", NULL, &micro, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(fresh, graph, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    rd_device_close(device);
    rd_device_close(device); /* while jobs hold it, a second time changes nothing */

    assert_int_equal(rd_job_result(job, &result, &err), RD_OK); /* what was computed is still there */
    assert_int_equal(result.count, 1000);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_EDEVICE);
    assert_non_null(strstr(err.text, "closed"));
    assert_int_equal(rd_job_run(fresh, NULL, &err), RD_EDEVICE);
    assert_int_equal(rd_heap_insert(heap, &key, NULL, 1, &err), RD_EDEVICE);
    assert_int_equal(rd_micro_run(micro, &report, &err), RD_EDEVICE);
    rd_micro_close(micro);
    rd_heap_close(heap);
    rd_job_destroy(fresh);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
}

/* ---- Callbacks ---- */

typedef struct callback {
    rd_job *job, *other;
    int calls;
} callback;

static int meddle(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    callback *own = user;
    rd_plan plan;
    rd_result result;
    (void)what, (void)done, (void)total, (void)unit;
    own->calls++;
    REFUSED(rd_job_run(own->job, NULL, &err));
    REFUSED(rd_job_set(own->job, "n", "3", &err));
    REFUSED(rd_job_plan(own->job, &plan, &err));
    REFUSED(rd_job_result(own->job, &result, &err));
    REFUSED(rd_job_check(own->job, &err));
    rd_job_set_progress(own->job, NULL, NULL);
    rd_job_destroy(own->job);
    assert_int_equal(rd_job_run(own->other, NULL, &err), RD_EDEVICE); /* the device is at work */
    assert_non_null(strstr(err.text, "at work"));
    return 1;
}

static void a_callback_that_calls_back(void **state)
{
    rd_device *device = open_device("cpu:2");
    callback own = {make_job(device, "fib"), make_job(device, "fib"), 0};
    (void)state;
    assert_int_equal(rd_job_set_input(own.job, "45", &err), RD_OK); /* minutes, were it not stopped */
    assert_int_equal(rd_job_set_input(own.other, "5", &err), RD_OK);
    rd_job_set_progress(own.job, meddle, &own);
    assert_int_equal(rd_job_run(own.job, NULL, &err), RD_ECANCELLED);
    assert_int_equal(own.calls, 1);
    assert_int_equal(rd_job_run(own.other, NULL, &err), RD_OK);
    rd_job_destroy(own.other);
    rd_job_destroy(own.job);
    rd_device_close(device);
}

/* ---- Fork ---- */

/* What the child finds, as its exit status: 0 when all is as it should be. */
static int in_child(rd_device *device, rd_job *ran, rd_job *fresh, rd_heap *heap, rd_graph *graph)
{
    rd_device *own;
    rd_job *job;
    rd_heap *none;
    uint32_t key = 1;
    if (rd_job_run(ran, NULL, &err) != RD_EDEVICE || !strstr(err.text, "forked"))
        return 1;
    if (rd_job_run(fresh, NULL, &err) != RD_EDEVICE || !strstr(err.text, "forked"))
        return 2;
    if (rd_heap_insert(heap, &key, NULL, 1, &err) != RD_EDEVICE || rd_heap_open(device, NULL, &none, &err) == RD_OK)
        return 3;
    if (rd_selftest(device, NULL, NULL, NULL, NULL, NULL, &err) != RD_EDEVICE)
        return 4;
    if (rd_device_open("cpu:2", NULL, &own, &err) != RD_OK || rd_job_create(own, "bfs", &job, &err) != RD_OK)
        return 5;
    if (rd_job_set_graph(job, graph, &err) != RD_OK || rd_job_run(job, NULL, &err) != RD_OK ||
        rd_job_check(job, &err) != RD_OK)
        return 6;
    rd_job_destroy(job);
    rd_device_close(own);
    rd_heap_close(heap);
    rd_job_destroy(ran);
    rd_job_destroy(fresh);
    rd_device_close(device);
    rd_graph_destroy(graph);
    return 0;
}

static void fork_after_opening(const char *name)
{
    enum { PATIENCE = 120 };
#ifdef __SANITIZE_THREAD__ /* its runtime ends a child that makes threads, when the parent had some */
    skip();
#endif
    rd_device *device = open_device(name);
    rd_graph *graph = open_graph("urand:8:4");
    rd_job *ran = make_job(device, "bfs"), *fresh = make_job(device, "bfs");
    rd_heap *heap;
    int status = -1;
    assert_int_equal(rd_heap_open(device, NULL, &heap, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(ran, graph, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(fresh, graph, &err), RD_OK);
    assert_int_equal(rd_job_run(ran, NULL, &err), RD_OK);
    fflush(NULL);
    const pid_t child = fork();
    assert_int_not_equal(child, -1);
    if (child == 0) {
        alarm(PATIENCE); /* a child that hangs dies of it */
        _exit(in_child(device, ran, fresh, heap, graph));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(rd_job_run(ran, NULL, &err), RD_OK); /* the parent's are as they were */
    assert_int_equal(rd_job_check(ran, &err), RD_OK);
    assert_int_equal(rd_job_run(fresh, NULL, &err), RD_OK);
    rd_heap_close(heap);
    rd_job_destroy(ran);
    rd_job_destroy(fresh);
    rd_graph_destroy(graph);
    rd_device_close(device);
}

static void a_fork_after_opening(void **state)
{
    (void)state;
    fork_after_opening("cpu:2");
}

static void a_fork_with_groups_of_lanes(void **state)
{
    (void)state;
    fork_after_opening("cpu:1x2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_for_devices_and_graphs),
        cmocka_unit_test(null_for_jobs),
        cmocka_unit_test(null_for_the_rest),
        cmocka_unit_test(null_for_tools),
        cmocka_unit_test(calls_in_the_wrong_order),
        cmocka_unit_test(structs_of_another_size),
        cmocka_unit_test(absurd_numbers_are_refused_at_once),
        cmocka_unit_test(a_graph_for_each_turn),
        cmocka_unit_test(a_graph_destroyed_under_its_job),
        cmocka_unit_test(a_device_closed_before_what_is_on_it),
        cmocka_unit_test(a_callback_that_calls_back),
        cmocka_unit_test(a_fork_after_opening),
        cmocka_unit_test(a_fork_with_groups_of_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
