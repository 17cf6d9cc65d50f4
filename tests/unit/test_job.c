/* SPDX-License-Identifier: Apache-2.0 */
/* test_job.c - devices and jobs through the public API: what is right and what is refused. test_job_memory.c is about
 * what happens when memory runs out. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "raddle.h"

static rd_error err;

static rd_device *open_cpu(void)
{
    rd_device *device;
    if (rd_device_open("cpu:2", NULL, &device, &err) != RD_OK)
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

static void bfs_is_right_and_reports(void **state)
{
    rd_device *device = open_cpu();
    rd_graph *graph = open_graph("path:1000");
    rd_job *job;
    rd_report report;
    rd_result result;
    rd_plan plan;
    (void)state;
    assert_int_equal(rd_job_create(device, "bfs", &job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "source", "0", &err), RD_OK);
    assert_int_equal(rd_job_set(job, "sched", "bsp", &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
    assert_int_equal(rd_job_plan(job, &plan, &err), RD_OK);
    assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
    assert_int_equal(report.reached, 1000);
    assert_int_equal(report.rounds, 1000);
    assert_int_equal(report.edges, 1998);
    assert_int_equal(report.bytes_allocated, plan.alloc_bytes);
    assert_true(plan.own_bytes <= 20ull * 1000 + (48 << 10));
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
    assert_string_equal(result.name, "depth");
    for (uint32_t v = 0; v < 1000; v++)
        assert_int_equal(result.word[v], v);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "parents", "1", &err), RD_OK);
    assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
    assert_string_equal(result.name, "parent");
    assert_int_equal(result.word[0], 0);
    assert_int_equal(result.word[999], 998);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_device_close(device);
}

static void what_is_wrong_is_refused(void **state)
{
    rd_device *device = open_cpu();
    rd_graph *graph = open_graph("path:10");
    rd_job *job;
    rd_result result;
    rd_device *none;
    (void)state;
    assert_int_equal(rd_device_open("gpu", NULL, &none, &err), RD_EARG);
    assert_non_null(strstr(err.text, "gpu"));
    assert_int_equal(rd_device_open("cuda:x", NULL, &none, &err), RD_EARG);
    assert_int_equal(rd_device_open("cuda:77", NULL, &none, &err), RD_EDEVICE);
    assert_int_equal(rd_device_open("opencl:99.0", NULL, &none, &err), RD_EDEVICE);
    assert_int_equal(rd_device_open("cpu:0", NULL, &none, &err), RD_EARG);
    assert_int_equal(rd_device_open("cpu:2x9999", NULL, &none, &err), RD_EARG);
    assert_int_equal(rd_job_create(device, "nosuch", &job, &err), RD_EARG);
    assert_int_equal(rd_job_create(device, "bfs", &job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "colour", "red", &err), RD_EARG);
    assert_int_equal(rd_job_set(job, "source", "-1", &err), RD_EARG);
    assert_int_equal(rd_job_set(job, "parents", "yes", &err), RD_EARG);
    assert_int_equal(rd_job_set(job, "sched", "lifo", &err), RD_EARG);
    assert_non_null(strstr(err.text, "bsp"));
    assert_int_equal(rd_job_set(job, "launch", "rocket", &err), RD_EARG);
    assert_int_equal(rd_job_set(job, "worker", "5000", &err), RD_EARG);
    assert_int_equal(rd_job_set(job, "timeout", "soon", &err), RD_EARG);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_EARG); /* no graph */
    assert_int_equal(rd_job_result(job, &result, &err), RD_EARG);
    assert_int_equal(rd_job_check(job, &err), RD_EARG);
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "source", "10", &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_EARG);
    assert_non_null(strstr(err.text, "0 to 9"));
    assert_int_equal(rd_job_set(job, "source", "9", &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK); /* a refused option leaves the job usable */
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_device_close(device);
}

static int stop_at_once(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    (void)what;
    (void)done;
    (void)total;
    (void)unit;
    ++*(int *)user;
    return 1;
}

static void a_run_can_be_cancelled_or_time_out(void **state)
{
    rd_device *device = open_cpu();
    rd_graph *graph = open_graph("path:200000");
    rd_job *job;
    rd_result result;
    int calls = 0;
    (void)state;
    assert_int_equal(rd_job_create(device, "bfs", &job, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
    rd_job_set_progress(job, stop_at_once, &calls);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_ECANCELLED);
    assert_int_equal(calls, 1);
    assert_int_equal(rd_job_result(job, &result, &err), RD_EARG); /* half a result is no result */
    rd_job_set_progress(job, NULL, NULL);
    assert_int_equal(rd_job_set(job, "timeout", "0.0001", &err), RD_OK);
    rd_status stopped = RD_OK; /* on a busy machine a run may be over before anyone looks at the clock */
    for (int i = 0; stopped == RD_OK && i < 20; i++)
        stopped = rd_job_run(job, NULL, &err);
    assert_int_equal(stopped, RD_ETIMEOUT);
    assert_int_equal(rd_job_set(job, "timeout", "0", &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_device_close(device);
}

/* ---- Inputs that are opened again ---- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* The cost of the way through a grid, which tells one grid from another. */
static double cost_of(rd_job *job)
{
    rd_report report;
    if (rd_job_run(job, &report, &err) != RD_OK || rd_job_check(job, &err) != RD_OK)
        fail_msg("%s", err.text);
    for (uint32_t i = 0; i < report.measures; i++)
        if (strcmp(report.measure[i].name, "cost") == 0)
            return report.measure[i].value;
    return -1;
}

static void a_seed_opens_the_input_again(void **state)
{
    rd_device *device = open_cpu();
    rd_job *job, *other;
    (void)state;
    assert_int_equal(rd_job_create(device, "astar", &job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "seed", "1", &err), RD_OK); /* nothing to open yet */
    assert_int_equal(rd_job_set_input(job, "grid:60x60:0.3", &err), RD_OK);
    const double first = cost_of(job);
    assert_int_equal(rd_job_set(job, "seed", "5", &err), RD_OK);
    const double second = cost_of(job);
    assert_true(first != second);
    /* The same, whichever came first. */
    assert_int_equal(rd_job_create(device, "astar", &other, &err), RD_OK);
    assert_int_equal(rd_job_set(other, "seed", "5", &err), RD_OK);
    assert_int_equal(rd_job_set_input(other, "grid:60x60:0.3", &err), RD_OK);
    assert_true(cost_of(other) == second);
    rd_job_destroy(other);
    rd_job_destroy(job);
    rd_device_close(device);
}

/* A file that is gone when it is opened again leaves a job without input, not one with half of it. */
static void an_input_that_is_gone_is_no_input(const char *app, const char *text)
{
    char path[] = "/tmp/raddle-test-input-XXXXXX";
    rd_device *device = open_cpu();
    rd_job *job;
    rd_plan plan;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    write_file(path, text);
    assert_int_equal(rd_job_create(device, app, &job, &err), RD_OK);
    assert_int_equal(rd_job_set_input(job, path, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(remove(path), 0);
    assert_int_equal(rd_job_set(job, "seed", "2", &err), RD_EIO);
    assert_int_equal(rd_job_plan(job, &plan, &err), RD_EARG);
    assert_non_null(strstr(err.text, "rd_job_set_input"));
    assert_int_equal(rd_job_run(job, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_set(job, "seed", "3", &err), RD_OK);
    write_file(path, text);
    assert_int_equal(rd_job_set_input(job, path, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    assert_int_equal(remove(path), 0);
    rd_job_destroy(job);
    rd_device_close(device);
}

static void inputs_that_are_gone(void **state)
{
    (void)state;
    an_input_that_is_gone_is_no_input("astar", "..#.\n....\n");
    an_input_that_is_gone_is_no_input("knapsack", "3 10\n60 5\n50 4\n40 6\n");
}

/* ---- Options of schedulers ---- */

/* Whether an app takes a value, and what it says when the scheduler that runs does not. */
static void options_are_those_of_the_scheduler_that_runs(void **state)
{
    static const struct {
        const char *sched, *key, *value;
        rd_status set, run;
    } cases[] = {
        {"heap", "capacity", "1", RD_OK, RD_OK},      {"fifo", "capacity", "1", RD_OK, RD_EARG},
        {"fifo", "capacity", "2", RD_OK, RD_OK},      {"fifo", "capacity", "0", RD_EARG, RD_OK},
        {"bsp", "capacity", "64", RD_OK, RD_EARG},    {"heap", "near", "auto", RD_OK, RD_OK},
        {"heap", "near", "7", RD_OK, RD_OK},          {"heap", "near", "seven", RD_EARG, RD_OK},
        {"heap", "near", "", RD_EARG, RD_OK},         {"heap", "near", "4294967296", RD_EARG, RD_OK},
        {"heap", "node", "33", RD_OK, RD_EARG},       {"heap", "node", "16", RD_EARG, RD_OK},
        {"fifo", "chunk", "8", RD_OK, RD_OK},         {"fifo", "chunk", "9", RD_EARG, RD_OK},
        {"bsp", "spread", "edge8", RD_OK, RD_OK},     {"bsp", "spread", "edge", RD_EARG, RD_OK},
        {"bsp", "spread", "search|", RD_EARG, RD_OK}, {"fifo", "gate", "2", RD_EARG, RD_OK},
    };
    const rd_graph_options options = {.size = sizeof options, .weight_min = 1, .weight_max = 9};
    rd_device *device = open_cpu();
    rd_graph *graph;
    (void)state;
    assert_int_equal(rd_graph_open("kron:6", &options, &graph, &err), RD_OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int sched_first = 0; sched_first < 2; sched_first++) {
            rd_job *job;
            assert_int_equal(rd_job_create(device, "sssp", &job, &err), RD_OK);
            assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
            if (sched_first)
                assert_int_equal(rd_job_set(job, "sched", cases[i].sched, &err), RD_OK);
            if (rd_job_set(job, cases[i].key, cases[i].value, &err) != cases[i].set)
                fail_msg("%s=%s: %s", cases[i].key, cases[i].value, err.text);
            assert_int_equal(rd_job_set(job, "sched", cases[i].sched, &err), RD_OK);
            if (rd_job_run(job, NULL, &err) != cases[i].run)
                fail_msg("%s under %s, %s=%s: %s", "sssp", cases[i].sched, cases[i].key, cases[i].value, err.text);
            if (cases[i].run != RD_OK)
                assert_true(strstr(err.text, cases[i].key) || strstr(err.text, "power of two"));
            rd_job_destroy(job);
        }
    rd_graph_destroy(graph);
    rd_device_close(device);
}

/* What a plan says is what a run allocates, as long as nothing has to grow. */
static void plans_are_what_is_allocated(void **state)
{
    static const char *const cases[][3] = {
        {"bsp", "direction", "auto"}, {"bsp", "frontier", "bitmap"}, {"bsp", "launch", "persistent"},
        {"fifo", "gate", "1"},        {"fifo", "queue", "an"},       {"fifo", "capacity", "1024"},
        {"fifo", "groups", "3"},      {"steal", "victim", "random"}, {"steal-levels", "victim", "random"}};
    rd_device *device;
    rd_graph *graph = open_graph("kron:8");
    (void)state;
    for (int wide = 0; wide < 2; wide++) {
        assert_int_equal(rd_device_open(wide ? "cpu:2x3" : "cpu:2", NULL, &device, &err), RD_OK);
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            rd_job *job;
            rd_plan plan;
            rd_report report;
            assert_int_equal(rd_job_create(device, "bfs", &job, &err), RD_OK);
            assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
            assert_int_equal(rd_job_set(job, "sched", cases[i][0], &err), RD_OK);
            assert_int_equal(rd_job_set(job, cases[i][1], cases[i][2], &err), RD_OK);
            if (rd_job_plan(job, &plan, &err) != RD_OK || rd_job_run(job, &report, &err) != RD_OK)
                fail_msg("%s, %s: %s", cases[i][0], cases[i][1], err.text);
            if (report.bytes_allocated != plan.alloc_bytes)
                fail_msg("%s, %s=%s: %llu bytes were planned, %llu allocated", cases[i][0], cases[i][1], cases[i][2],
                         (unsigned long long)plan.alloc_bytes, (unsigned long long)report.bytes_allocated);
            rd_job_destroy(job);
        }
        rd_device_close(device);
    }
    rd_graph_destroy(graph);
}

static void every_app_is_in_the_self_test(void **state)
{
    (void)state;
    for (const rd_app_info *app = rd_apps(); app->name; app++) {
        char name[64];
        size_t cases = 0;
        snprintf(name, sizeof name, rd_app_takes_graph(app) ? "/%s" : "apps/samples/%s", app->name);
        const rd_selftest_options options = {.size = sizeof options, .filter = name, .list_only = 1};
        assert_int_equal(rd_selftest(NULL, &options, NULL, NULL, &cases, NULL, &err), RD_OK);
        if (cases < (rd_app_takes_graph(app) ? 3 : 1))
            fail_msg("app %s is missing in the self-test", app->name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bfs_is_right_and_reports),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_run_can_be_cancelled_or_time_out),
        cmocka_unit_test(a_seed_opens_the_input_again),
        cmocka_unit_test(inputs_that_are_gone),
        cmocka_unit_test(options_are_those_of_the_scheduler_that_runs),
        cmocka_unit_test(plans_are_what_is_allocated),
        cmocka_unit_test(every_app_is_in_the_self_test),
    };
    return cmocka_run_group_tests_name("devices and jobs", tests, NULL, NULL);
}
