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

#include "memory_util.h"

/* Everything a program does with a job, from opening the device to the check. */
static rd_status whole_life(const void *device_name, rd_error *err)
{
    rd_device *device = NULL;
    rd_graph *graph = NULL;
    rd_job *job = NULL;
    rd_result result;
    rd_status status = rd_device_open(device_name, NULL, &device, err);
    if (status == RD_OK)
        status = rd_graph_open("star:9000", NULL, &graph, err);
    if (status == RD_OK)
        status = rd_job_create(device, "bfs", &job, err);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, err);
    if (status == RD_OK)
        status = rd_job_run(job, NULL, err);
    if (status == RD_OK)
        status = rd_job_set(job, "groups", "1", err);
    if (status == RD_OK)
        status = rd_job_run(job, NULL, err);
    if (status == RD_OK)
        status = rd_job_result(job, &result, err);
    if (status == RD_OK)
        status = rd_job_check(job, err);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_device_close(device);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(with_little_memory("cpu:2", whole_life, "cpu:2") > 10);
}

static void every_allocation_may_fail_with_wide_groups(void **state)
{
    (void)state;
    assert_true(with_little_memory("cpu:1x2", whole_life, "cpu:1x2") > 10);
}

static rd_status list_devices(const void *arg, rd_error *err)
{
    rd_device_info *list = NULL;
    size_t count = 0;
    (void)arg;
    const rd_status status = rd_device_list(&list, &count, err);
    rd_free(list);
    return status;
}

static void listing_devices_may_fail(void **state)
{
    rd_error err;
    (void)state;
    assert_int_equal(list_devices(NULL, &err), RD_OK); /* drivers are opened once; what they allocate is theirs */
    assert_true(with_little_memory("a list of devices", list_devices, NULL) > 0);
    assert_int_equal(rd_set_allocator(malloc, NULL, free), RD_EARG);
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
