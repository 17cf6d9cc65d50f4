/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_api_misuse.c - the API used wrongly, on purpose (test_api_null.c has NULL for every pointer): calls in the wrong
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

#include "misuse_util.h"

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
        cmocka_unit_test(calls_in_the_wrong_order),           cmocka_unit_test(structs_of_another_size),
        cmocka_unit_test(absurd_numbers_are_refused_at_once), cmocka_unit_test(a_graph_for_each_turn),
        cmocka_unit_test(a_graph_destroyed_under_its_job),    cmocka_unit_test(a_device_closed_before_what_is_on_it),
        cmocka_unit_test(a_callback_that_calls_back),         cmocka_unit_test(a_fork_after_opening),
        cmocka_unit_test(a_fork_with_groups_of_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
