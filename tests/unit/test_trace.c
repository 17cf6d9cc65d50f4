/* SPDX-License-Identifier: Apache-2.0 */
/* test_trace.c - the trace of a job whose file stays open: each run writes it whole, and wherever its name leads. */
#define _DEFAULT_SOURCE
#include "raddle/device.h"
#include "raddle/graph.h"
#include "raddle/job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/raddle-test-trace-XXXXXX";
static char path[64], moved[64];
static rd_device *device;
static rd_error err;

static int set_up(void **state)
{
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/trace", folder);
    snprintf(moved, sizeof moved, "%s/moved", folder);
    return rd_device_open("cpu:2", NULL, &device, &err) == RD_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    rd_device_close(device);
    (void)unlink(path);
    (void)unlink(moved);
    return rmdir(folder);
}

static rd_job *job_on(const char *app, const char *input, rd_graph **graph)
{
    rd_job *job;
    assert_int_equal(rd_graph_open(input, NULL, graph, &err), RD_OK);
    assert_int_equal(rd_job_create(device, app, &job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "trace", path, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, *graph, &err), RD_OK);
    return job;
}

/* Lines of a trace, which has a header, counts up and ends with nothing waiting; *tasks: those of its last line. */
static int lines_of(const char *file, unsigned long long *tasks)
{
    char line[256];
    int count = 0;
    double seconds, before = 0;
    unsigned long long waiting = 1, last = 0;
    FILE *in = fopen(file, "r");
    assert_non_null(in);
    assert_non_null(fgets(line, sizeof line, in));
    assert_string_equal(line, "seconds tasks waiting overwork\n");
    for (*tasks = 0; fgets(line, sizeof line, in); count++) {
        assert_int_equal(sscanf(line, "%lf %llu %llu %*f", &seconds, tasks, &waiting), 3);
        assert_true(seconds >= before && *tasks >= last);
        before = seconds;
        last = *tasks;
    }
    assert_int_equal(waiting, 0);
    fclose(in);
    return count;
}

/* A run with few lines after one with many: nothing of that is left. */
static void each_run_writes_it_whole(void **state)
{
    rd_graph *graph, *small;
    unsigned long long tasks;
    rd_job *job = job_on("bfs", "path:1000", &graph);
    (void)state;
    assert_int_equal(rd_job_set(job, "sched", "bsp", &err), RD_OK);
    assert_int_equal(rd_job_set(job, "launch", "discrete", &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    const int many = lines_of(path, &tasks);
    assert_int_equal(tasks, 1000);
    assert_true(many > 4);
    assert_int_equal(rd_graph_open("path:5", NULL, &small, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, small, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_true(lines_of(path, &tasks) < many);
    assert_int_equal(tasks, 5);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_graph_destroy(small);
}

/* Who moves the file between two runs keeps it. */
static void a_file_that_was_moved_stays_as_it_is(void **state)
{
    rd_graph *graph, *small;
    unsigned long long tasks;
    rd_job *job = job_on("bfs", "path:100", &graph);
    (void)state;
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(rename(path, moved), 0);
    assert_int_equal(rd_graph_open("path:7", NULL, &small, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, small, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    (void)lines_of(moved, &tasks);
    assert_int_equal(tasks, 100);
    (void)lines_of(path, &tasks);
    assert_int_equal(tasks, 7);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_graph_destroy(small);
}

/* Tasks of both engines are counted where one hands over to the other. */
static void a_run_may_hand_over(void **state)
{
    rd_graph *graph;
    rd_report report;
    unsigned long long tasks;
    double handed = 0;
    rd_job *job = job_on("kcore", "mesh:400x400", &graph);
    (void)state;
    assert_int_equal(rd_job_set(job, "switch", "on", &err), RD_OK);
    assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
    for (uint32_t i = 0; i < report.measures; i++)
        handed += strcmp(report.measure[i].name, "tasks_handed_over") == 0 ? report.measure[i].value : 0;
    assert_true(handed > 0);
    (void)lines_of(path, &tasks);
    assert_int_equal(tasks, report.tasks);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_run_writes_it_whole),
        cmocka_unit_test(a_file_that_was_moved_stays_as_it_is),
        cmocka_unit_test(a_run_may_hand_over),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
