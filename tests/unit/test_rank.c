/* SPDX-License-Identifier: Apache-2.0 */
/* test_rank.c - schedulers with a priority queue: groups that are too wide for a device are refused before anything is
 * compiled, and the error names the widest that fits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "sched/rank/rank.h"

static uint64_t plain(const rd__sched_job *job, uint32_t lanes)
{
    (void)job;
    return 8ull * lanes;
}

static const rd__engine *find(const char *policy, rd__model model)
{
    for (const rd__engine *const *engine = rd__engines; *engine; engine++)
        if (strcmp((*engine)->policy->name, policy) == 0 && (*engine)->model == model)
            return *engine;
    return NULL;
}

static void too_wide_is_refused(void **state)
{
    rd_device device = {.backend = &rd__cuda_backend, .caps = {.coresident = 1}};
    rd_error err = {.status = RD_OK};
    const rd__settings settings = {0};
    rd__sched_job job = {
        .device = &device, .app = "sssp", .engine = find("multi", RD__MODEL_FRONTIER), .settings = &settings};
    unsigned widest = 0;
    (void)state;
    device.info.is_gpu = 1;
    snprintf(device.info.name, sizeof device.info.name, "a small GPU");
    device.info.local_bytes = 48 << 10;
    assert_int_equal(rd__rank_check(&job, 1024, plain, &err), RD_OK); /* every GPU has as much */
    device.info.local_bytes = 16 << 10;
    assert_int_equal(rd__rank_check(&job, 1024, plain, &err), RD_EARG);
    const char *text = strstr(err.text, "--worker ");
    assert_non_null(text);
    assert_non_null(strstr(err.text, "a small GPU"));
    assert_int_equal(sscanf(text, "--worker %u", &widest), 1);
    assert_in_range(widest, 2, 1023);
    assert_int_equal(rd__rank_check(&job, widest, plain, &err), RD_OK);
    assert_int_equal(rd__rank_check(&job, widest + 1, plain, &err), RD_EARG);
    job.engine = find("multi", RD__MODEL_RANKED); /* needs less */
    assert_int_equal(rd__rank_check(&job, 1024, plain, &err), RD_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(too_wide_is_refused)};
    return cmocka_run_group_tests_name("priority queues as schedulers", tests, NULL, NULL);
}
