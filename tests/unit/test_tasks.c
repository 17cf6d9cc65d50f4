/* SPDX-License-Identifier: Apache-2.0 */
/* test_tasks.c - apps of fork-join tasks: trees by their published numbers, a checker that finds what is wrong, jobs
 * whose buffers start too small, and a kernel that does not fit its app's table. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "apps/app.h"
#include "apps/uts/check.h"
#include "sched/forkjoin/layout.k.h"
#include "sanitized.h"

static const uts_tree small = {UTS_GEOMETRIC, UTS_FIXED, 4, 7, 0, 0, 19, 0};

static void the_checker_counts(void **state)
{
    rd_error err;
    (void)state;
    assert_int_equal(rd__uts_check(&small, 63914, &err), RD_OK);
    assert_int_equal(rd__uts_check(&small, 63913, &err), RD_EWRONG);
    assert_non_null(strstr(err.text, "more than 63913"));
    assert_int_equal(rd__uts_check(&small, 63915, &err), RD_EWRONG);
    assert_int_equal(rd__uts_check(&small, 0, &err), RD_EWRONG);
}

/* Sizes that S. Olivier and others published. */
static void published_trees(void **state)
{
    const uint64_t nodes = SANITIZED ? 257042 : 4130071; /* of a tree of two levels less; of T1 */
    const uts_tree t1 = {UTS_GEOMETRIC, UTS_FIXED, 4, SANITIZED ? 8 : 10, 0, 0, 19, nodes};
    uts_tree wrong = t1;
    rd_error err;
    (void)state;
    assert_int_equal(rd__uts_check(&t1, nodes, &err), RD_OK);
    wrong.published = nodes + 1;
    assert_int_equal(rd__uts_check(&wrong, nodes + 1, &err), RD_EWRONG);
}

static void sizes_of_frames(void **state)
{
    (void)state;
    assert_int_equal(TASK_FRAME_WORDS(1, 2, RD_JOIN_VALUES), 8);
    assert_int_equal(TASK_FRAME_WORDS(3, 20, RD_JOIN_SUM), 8);
    assert_int_equal(TASK_FRAME_VALUES(1) % 2, 0);
    assert_int_equal(TASK_FRAME_VALUES(6) % 2, 0);
    assert_int_equal(TASK_SLOT_WORDS(7, 2, RD_JOIN_NONE), 8);
    assert_int_equal(TASK_SLOT_WORDS(1, 2, RD_JOIN_VALUES), 8);
}

static void run(const char *app, const char *input, const char *const *option, rd_report *report)
{
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;
    rd_job *job = NULL;
    assert_int_equal(rd_device_open("cpu:3", NULL, &device, &err), RD_OK);
    assert_int_equal(rd_job_create(device, app, &job, &err), RD_OK);
    for (; *option; option += 2)
        assert_int_equal(rd_job_set(job, option[0], option[1], &err), RD_OK);
    assert_int_equal(rd_job_set_input(job, input, &err), RD_OK);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rd_job_run(job, report, &err), RD_OK);
        assert_int_equal(rd_job_check(job, &err), RD_OK);
    }
    rd_job_destroy(job);
    rd_device_close(device);
}

/* Stacks and frames grow without a loss, in launches of either kind, under both schedulers. */
static void buffers_grow(void **state)
{
    static const char *const options[][9] = {
        {"stack", "1", "frames", "16", NULL},
        {"stack", "1", "frames", "16", "launch", "discrete", NULL},
        {"stack", "1", "frames", "16", "deque", "lock", "deal", "block", NULL},
        {"sched", "fifo", NULL},
        {"sched", "fifo", "launch", "discrete", NULL},
    };
    rd_report report;
    (void)state;
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
        run("fib", "18", options[i], &report);
        assert_int_equal(report.sum, 2584);
        assert_int_equal(report.tasks, 8361);
        run("uts", "bin:20:0.23:4:3", options[i], &report); /* deep */
        run("sort", "random:3000", options[i], &report);
        run("nqueens", "7", options[i], &report);
        run("sum", "sc1:2000:1", options[i], &report);
    }
}

static void bad_input(void **state)
{
    static const char *const bad[][2] = {{"fib", "-1"},         {"fib", "51"},          {"nqueens", "21"},
                                         {"uts", "geo:4"},      {"uts", "bin:1:1:2:3"}, {"uts", "geo:fixed:4:6:19:1"},
                                         {"sort", "random:-1"}, {"sum", "sc2:0:1"},     {"sum", "sc1:1:2:3"}};
    rd_error err;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        rd_job *job = NULL;
        assert_int_equal(rd_job_create(NULL, bad[i][0], &job, &err), RD_OK);
        assert_int_equal(rd_job_set_input(job, bad[i][1], &err), RD_EARG);
        rd_job_destroy(job);
    }
}

/* A job says how much memory it will take; a run on the CPU takes no more unless it has to grow. */
static void the_plan_holds(void **state)
{
    rd_error err;
    rd_plan plan;
    rd_report report;
    rd_device *device = NULL;
    rd_job *job = NULL;
    (void)state;
    assert_int_equal(rd_device_open("cpu:2", NULL, &device, &err), RD_OK);
    assert_int_equal(rd_job_create(device, "fib", &job, &err), RD_OK);
    assert_int_equal(rd_job_set_input(job, "15", &err), RD_OK);
    assert_int_equal(rd_job_plan(job, &plan, &err), RD_OK);
    assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
    assert_int_equal(report.bytes_allocated, plan.alloc_bytes);
    rd_job_destroy(job);
    rd_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_checker_counts), cmocka_unit_test(published_trees), cmocka_unit_test(sizes_of_frames),
        cmocka_unit_test(buffers_grow),       cmocka_unit_test(bad_input),       cmocka_unit_test(the_plan_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
