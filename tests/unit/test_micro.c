/* SPDX-License-Identifier: Apache-2.0 */
/* test_micro.c - the microbenchmarks of the public API: each runs and proves itself on the CPU; what is asked wrongly
 * is refused; memory may run out anywhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raddle.h"

#include "memory_util.h"

static rd_device *open_device(const char *name)
{
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;
    if (rd_device_open(name, NULL, &device, &err) != RD_OK)
        fail_msg("%s: %s", name, err.text);
    return device;
}

static rd_status run_once(rd_device *device, const char *name, const rd_micro_options *options, rd_micro_report *report,
                          rd_error *err)
{
    rd_micro *micro = NULL;
    rd_status status = rd_micro_open(device, name, options, &micro, err);
    if (status == RD_OK)
        status = rd_micro_run(micro, report, err);
    else
        assert_null(micro);
    rd_micro_close(micro);
    return status;
}

static void each_runs(void **state)
{
    static const char *const devices[] = {"cpu:1", "cpu:3", "cpu:2x3"};
    (void)state;
    for (size_t d = 0; d < sizeof devices / sizeof *devices; d++) {
        rd_device *device = open_device(devices[d]);
        for (const rd_name_text *micro = rd_micros(); micro->name; micro++) {
            const rd_micro_options options = {.size = sizeof options, .count = 50, .large_local = 1};
            rd_micro_report report;
            rd_error err = {.status = RD_OK};
            if (run_once(device, micro->name, &options, &report, &err) != RD_OK)
                fail_msg("%s on %s: %s", micro->name, devices[d], err.text);
            assert_true(report.groups >= 1);
            assert_true(report.groups <= rd_device_get_info(device)->compute_units ||
                        strcmp(micro->name, "launch") == 0);
            if (strncmp(micro->name, "discovery/", 10) == 0)
                assert_true(report.bound > 0);
            else if (strncmp(micro->name, "occupancy/", 10) ==
                     0) /* launches that were tried: all met, and one that did not */
                assert_true(report.bound > 0 && report.count >= 2);
            else if (strncmp(micro->name, "deque/", 6) == 0 || strncmp(micro->name, "combine/", 8) == 0 ||
                     strncmp(micro->name, "stride/", 7) == 0) /* so many for each owner, or lane */
                assert_true(report.count >= 50 && report.count % 50 == 0);
            else if (strncmp(micro->name, "queue/", 6) == 0 || strstr(micro->name, "/wide")) /* rounded up */
                assert_true(report.count >= 50);
            else
                assert_true(report.count == 50);
            assert_non_null(micro->text);
        }
        rd_device_close(device);
    }
}

/* The time of barriers is that of a run with them less one without: of few of them noise, and it is never nothing. */
static void few_barriers_take_time(void **state)
{
    const rd_micro_options options = {.size = sizeof options, .count = 1};
    rd_device *device = open_device("cpu:1");
    rd_micro_report report;
    rd_error err = {.status = RD_OK};
    (void)state;
    for (int i = 0; i < 200; i++) {
        assert_int_equal(run_once(device, "barrier/flags", &options, &report, &err), RD_OK);
        assert_true(report.kernel_s > 0 && report.total_s > 0);
    }
    rd_device_close(device);
}

static void tokens_of_both_sizes(void **state)
{
    static const char *const names[] = {"queue/retry-free", "queue/an", "queue/cas"};
    static const uint8_t asked[] = {0, 32, 64};
    rd_device *device = open_device("cpu:2");
    (void)state;
    for (size_t i = 0; i < 9; i++) {
        const rd_micro_options options = {.size = sizeof options, .count = 500, .token_bits = asked[i % 3]};
        rd_micro_report report;
        rd_error err = {.status = RD_OK};
        if (run_once(device, names[i / 3], &options, &report, &err) != RD_OK)
            fail_msg("%s, tokens of %u bits: %s", names[i / 3], asked[i % 3], err.text);
        assert_int_equal(report.token_bits, asked[i % 3] == 64 ? 64 : 32);
        assert_true(report.count >= 500);
    }
    rd_device_close(device);
}

/* OpenMP's tasks, where GCC's library for them is. Sanitizers do not see what that library's threads do. */
static void the_peer_of_tasks(void **state)
{
    (void)state;
#if !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
    rd_device *device = open_device("cpu:2");
    rd_micro_options options = {.size = sizeof options, .count = 12};
    rd_micro_report report = {0};
    rd_error err = {.status = RD_OK};
    const rd_status status = run_once(device, "openmp/fib", &options, &report, &err);
    if (status == RD_OK)
        assert_int_equal(report.count, 465); /* calls of fib of 12 */
    else
        assert_int_equal(status, RD_EDEVICE);
    options.count = 61;
    assert_int_equal(run_once(device, "openmp/fib", &options, &report, &err), RD_EDEVICE);
    rd_device_close(device);
#endif
}

static void wrong_requests(void **state)
{
    rd_device *device = open_device("cpu:1");
    rd_micro_options options = {.size = 3};
    rd_micro *micro = NULL;
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd_micro_open(device, "frob", NULL, &micro, &err), RD_EARG);
    assert_non_null(strstr(err.text, "frob"));
    assert_int_equal(rd_micro_open(device, NULL, NULL, &micro, &err), RD_EARG);
    assert_int_equal(rd_micro_open(NULL, "launch", NULL, &micro, &err), RD_EARG);
    assert_int_equal(rd_micro_open(device, "launch", &options, &micro, &err), RD_EARG);
    options = (rd_micro_options){.size = sizeof options, .token_bits = 33};
    assert_int_equal(rd_micro_open(device, "queue/an", &options, &micro, &err), RD_EARG);
    assert_non_null(strstr(err.text, "33"));
    assert_int_equal(rd_micro_open(device, "barrier/gridsync", NULL, &micro, &err), RD_EDEVICE);
    assert_non_null(strstr(err.text, "CUDA"));
    assert_null(micro);
    rd_micro_close(NULL);
    rd_device_close(device);
}

static rd_status open_and_run(const void *name, rd_error *err)
{
    const rd_micro_options options = {.size = sizeof options, .count = 10};
    rd_micro_report report;
    rd_device *device = NULL;
    rd_status status = rd_device_open("cpu:2", NULL, &device, err);
    if (status == RD_OK)
        status = run_once(device, name, &options, &report, err);
    rd_device_close(device);
    return status;
}

static void memory_runs_out(void **state)
{
    static const char *const names[] = {"barrier/tree", "discovery/counter", "launch", "queue/an"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(with_little_memory(names[i], open_and_run, names[i]) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_runs),
        cmocka_unit_test(few_barriers_take_time),
        cmocka_unit_test(tokens_of_both_sizes),
        cmocka_unit_test(the_peer_of_tasks),
        cmocka_unit_test(wrong_requests),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("microbenchmarks", tests, NULL, NULL);
}
