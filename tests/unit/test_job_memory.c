/* SPDX-License-Identifier: Apache-2.0 */
/* test_job_memory.c - devices and jobs when memory runs out, anywhere: each allocation fails once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raddle.h"

static rd_error err;

static long until_failure = -1, live;

static void *failing_malloc(size_t bytes)
{
    if (until_failure == 0)
        return NULL;
    if (until_failure > 0)
        until_failure--;
    void *ptr = malloc(bytes);
    live += ptr != NULL;
    return ptr;
}

static void *failing_realloc(void *ptr, size_t bytes)
{
    if (until_failure == 0)
        return NULL;
    if (until_failure > 0)
        until_failure--;
    void *grown = realloc(ptr, bytes);
    live += grown != NULL && ptr == NULL;
    return grown;
}

static void counting_free(void *ptr)
{
    live -= ptr != NULL;
    free(ptr);
}

/* Everything a program does with a job, from opening the device to the check. */
static rd_status whole_life(const char *device_name)
{
    rd_device *device = NULL;
    rd_graph *graph = NULL;
    rd_job *job = NULL;
    rd_result result;
    rd_status status = rd_device_open(device_name, NULL, &device, &err);
    if (status == RD_OK)
        status = rd_graph_open("star:9000", NULL, &graph, &err);
    if (status == RD_OK)
        status = rd_job_create(device, "bfs", &job, &err);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, &err);
    if (status == RD_OK)
        status = rd_job_run(job, NULL, &err);
    if (status == RD_OK)
        status = rd_job_set(job, "groups", "1", &err);
    if (status == RD_OK)
        status = rd_job_run(job, NULL, &err);
    if (status == RD_OK)
        status = rd_job_result(job, &result, &err);
    if (status == RD_OK)
        status = rd_job_check(job, &err);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_device_close(device);
    return status;
}

static void fail_each_allocation(const char *device_name)
{
    int failures = 0;
    assert_int_equal(rd_set_allocator(failing_malloc, failing_realloc, counting_free), RD_OK);
    for (long n = 0;; n++) {
        until_failure = n;
        live = 0;
        rd_status status = whole_life(device_name);
        const int reached = until_failure == 0;
        until_failure = -1;
        if (live != 0)
            fail_msg("%ld blocks leaked when allocation %ld failed (%s)", live, n, rd_status_name(status));
        if (status == RD_OK && !reached)
            break; /* there is no n-th allocation any more */
        if (status != RD_OK) {
            assert_int_equal(status, RD_ENOMEM);
            assert_true(strlen(err.text) > 10);
            failures++;
        }
    }
    assert_true(failures > 10);
    assert_int_equal(rd_set_allocator(NULL, NULL, NULL), RD_OK);
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    fail_each_allocation("cpu:2");
}

static void every_allocation_may_fail_with_wide_groups(void **state)
{
    (void)state;
    fail_each_allocation("cpu:1x2");
}

static rd_status list_devices(void)
{
    rd_device_info *list = NULL;
    size_t count = 0;
    rd_status status = rd_device_list(&list, &count, &err);
    rd_free(list);
    return status;
}

static void listing_devices_may_fail(void **state)
{
    (void)state;
    assert_int_equal(list_devices(), RD_OK); /* drivers are opened once; what they allocate is theirs */
    assert_int_equal(rd_set_allocator(failing_malloc, failing_realloc, counting_free), RD_OK);
    rd_status status = RD_ENOMEM;
    for (long n = 0; status != RD_OK; n++) {
        until_failure = n;
        live = 0;
        status = list_devices();
        until_failure = -1;
        assert_int_equal(live, 0);
        assert_true(status == RD_OK || status == RD_ENOMEM);
    }
    assert_int_equal(rd_set_allocator(malloc, NULL, free), RD_EARG);
    assert_int_equal(rd_set_allocator(NULL, NULL, NULL), RD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(every_allocation_may_fail_with_wide_groups),
        cmocka_unit_test(listing_devices_may_fail),
    };
    return cmocka_run_group_tests_name("devices and jobs without memory", tests, NULL, NULL);
}
