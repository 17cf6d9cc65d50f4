/* SPDX-License-Identifier: Apache-2.0 */
/* test_start.c - jobs that are started: polling, waiting, cancelling, the order of turns, and what is refused. The
 * self-test (turns/) has every engine make way. Run under ThreadSanitizer by tests/sanitized.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "raddle.h"

static rd_job *new_fib(rd_device *device, const char *n)
{
    rd_error err;
    rd_job *job = NULL;
    assert_int_equal(rd_job_create(device, "fib", &job, &err), RD_OK);
    assert_int_equal(rd_job_set_input(job, n, &err), RD_OK);
    return job;
}

static rd_device *new_device(const char *name)
{
    rd_error err;
    rd_device *device = NULL;
    assert_int_equal(rd_device_open(name, NULL, &device, &err), RD_OK);
    return device;
}

static uint64_t sum_of(rd_job *job)
{
    rd_error err;
    rd_result result;
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
    return result.wide[0];
}

static void starts_polls_and_waits(void **state)
{
    rd_error err;
    rd_report report;
    rd_job_now now;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "20");
    assert_int_equal(rd_job_poll(job, 0, &now, &err), RD_OK);
    assert_int_equal(now.state, RD_JOB_IDLE);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
        assert_int_equal(rd_job_poll(job, 1e10, &now, &err), RD_OK);
        assert_int_equal(now.state, RD_JOB_DONE);
        assert_int_equal(rd_job_wait(job, &report, &err), RD_OK);
        assert_string_equal(report.launch, "persistent");
        assert_int_equal(sum_of(job), 6765);
    }
    /* afterwards it may be run as any other, and nobody has to wait for a run that is done */
    assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_poll(job, 1e10, &now, &err), RD_OK);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    rd_job_destroy(job);
    rd_device_close(device);
}

static void wait_until_it_runs(rd_job *job)
{
    rd_error err;
    rd_job_now now;
    do
        assert_int_equal(rd_job_poll(job, 0.001, &now, &err), RD_OK);
    while (now.state == RD_JOB_WAITING);
    assert_int_equal(now.state, RD_JOB_RUNNING);
}

static void the_highest_priority_goes_first(void **state)
{
    rd_error err;
    rd_job_now now;
    rd_report report;
    (void)state;
    rd_device *device = new_device("cpu:1");
    rd_job *endless = new_fib(device, "48"), *low = new_fib(device, "10"), *high = new_fib(device, "20");
    assert_int_equal(rd_job_start(endless, NULL, &err), RD_OK);
    wait_until_it_runs(endless);
    assert_int_equal(rd_job_start(low, &(rd_start){.size = sizeof(rd_start), .priority = -1}, &err), RD_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(rd_job_start(high, &(rd_start){.size = sizeof(rd_start), .priority = 7}, &err), RD_OK);
        assert_int_equal(rd_job_wait(high, &report, &err), RD_OK);
        assert_int_equal(sum_of(high), 6765);
        assert_int_equal(rd_job_poll(low, 0, &now, &err), RD_OK);
        assert_int_equal(now.state, RD_JOB_WAITING);
    }
    /* an equal gets its share */
    assert_int_equal(rd_job_start(high, NULL, &err), RD_OK);
    assert_int_equal(rd_job_wait(high, &report, &err), RD_OK);
    assert_int_equal(rd_job_poll(endless, 0, &now, &err), RD_OK);
    assert_true(now.state == RD_JOB_RUNNING || now.state == RD_JOB_WAITING);
    assert_int_equal(rd_job_cancel(endless, &err), RD_OK);
    assert_int_equal(rd_job_wait(low, NULL, &err), RD_OK);
    assert_int_equal(sum_of(low), 55);
    assert_int_equal(rd_job_wait(endless, NULL, &err), RD_ECANCELLED);
    rd_job_destroy(endless);
    rd_job_destroy(low);
    rd_job_destroy(high);
    rd_device_close(device);
}

static void cancels(void **state)
{
    rd_error err;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "48"), *waiting = new_fib(device, "48");
    rd_job *last = new_fib(device, "15");
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_start(waiting, &(rd_start){.size = sizeof(rd_start), .priority = -1}, &err), RD_OK);
    assert_int_equal(rd_job_cancel(waiting, &err), RD_OK);
    assert_int_equal(rd_job_wait(waiting, NULL, &err), RD_ECANCELLED);
    assert_int_equal(rd_job_cancel(job, &err), RD_OK);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_ECANCELLED);
    assert_non_null(strstr(err.text, "stopped on request"));
    /* neither harms the next */
    assert_int_equal(rd_job_start(last, NULL, &err), RD_OK);
    assert_int_equal(rd_job_wait(last, NULL, &err), RD_OK);
    assert_int_equal(sum_of(last), 610);
    /* destroying one that runs ends it */
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    rd_job_destroy(job);
    rd_job_destroy(waiting);
    rd_device_close(device);
    rd_job_destroy(last);
}

/* A job beside others is made, changed and destroyed while they run. */
static void others_may_come_and_go(void **state)
{
    rd_error err;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "46");
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    for (int i = 0; i < 5; i++) {
        rd_job *other = new_fib(device, "12");
        assert_int_equal(rd_job_start(other, &(rd_start){.size = sizeof(rd_start), .priority = 1}, &err), RD_OK);
        assert_int_equal(rd_job_wait(other, NULL, &err), RD_OK);
        assert_int_equal(sum_of(other), 144);
        assert_int_equal(rd_job_set(other, "sched", "fifo", &err), RD_OK);
        rd_job_destroy(other);
    }
    assert_int_equal(rd_job_cancel(job, &err), RD_OK);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_ECANCELLED);
    rd_job_destroy(job);
    rd_device_close(device);
}

static int misuse(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    rd_error err;
    rd_job *job = *(rd_job **)user;
    (void)what;
    (void)done;
    (void)total;
    (void)unit;
    rd_job_destroy(job);
    return rd_job_wait(job, NULL, &err) == RD_EARG && rd_job_set(job, "sched", "steal", &err) == RD_EARG ? 0 : 1;
}

static void refuses(void **state)
{
    rd_error err;
    rd_job_now now;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "30"), *planned = NULL;
    assert_int_equal(rd_job_create(NULL, "fib", &planned, &err), RD_OK);
    assert_int_equal(rd_job_start(planned, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_start(NULL, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_wait(NULL, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_cancel(job, &err), RD_EARG);
    assert_int_equal(rd_job_poll(job, 0, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_poll(NULL, 0, &now, &err), RD_EARG);
    assert_int_equal(rd_job_start(job, &(rd_start){.size = 3}, &err), RD_EARG);
    assert_int_equal(rd_job_start(job, &(rd_start){.size = sizeof(rd_start), .deadline = -1}, &err), RD_EARG);
    rd_job_set_progress(job, misuse, &job);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_set(job, "sched", "steal", &err), RD_EARG);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_OK);
    rd_device_close(device);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_EDEVICE);
    rd_job_destroy(job);
    rd_job_destroy(planned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_polls_and_waits),
        cmocka_unit_test(the_highest_priority_goes_first),
        cmocka_unit_test(cancels),
        cmocka_unit_test(others_may_come_and_go),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
