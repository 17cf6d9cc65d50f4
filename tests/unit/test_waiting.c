/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_waiting.c - a worker that waits inside a kernel for long sleeps: beside busy processes one that only spins or
 * yields loses a turn of theirs each time. What is counted is how often the thread gave its processor away of its own
 * accord, which no load changes; yielding is not counted so by the system.
 */
#define _GNU_SOURCE /* RUSAGE_THREAD */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>
#include <cmocka.h>

#include "dialect/cpu_lane.h"

enum { TURNS = 40, LONG = 1000000 };

static long slept(void (*wait)(uint32_t turns))
{
    struct rusage before, after;
    assert_int_equal(getrusage(RUSAGE_THREAD, &before), 0);
    for (uint32_t i = 0; i < TURNS; i++)
        wait(LONG + i);
    assert_int_equal(getrusage(RUSAGE_THREAD, &after), 0);
    return after.ru_nvcsw - before.ru_nvcsw;
}

static void plain_sleep(uint32_t turns)
{
    (void)turns;
    nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
}

static void who_waits_for_long_sleeps(void **state)
{
    (void)state;
    if (slept(plain_sleep) < TURNS / 2)
        skip();                                          /* this system does not count */
    for (uint32_t crowded = 0; crowded < 2; crowded++) { /* more workers than processors, and not */
        rd__cpu_lane lane = {.lanes = 1, .groups = 2, .crowded = crowded};
        rd__cpu_self = &lane;
        /* half: a thread that is put aside on its way to sleep may find that it has slept enough */
        assert_true(slept(rd__cpu_wait) >= TURNS / 2);
        assert_true(slept(rd__cpu_idle) >= TURNS / 2);
        rd__cpu_self = NULL;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_waits_for_long_sleeps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
