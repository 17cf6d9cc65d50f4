/* SPDX-License-Identifier: Apache-2.0 */
/* test_way.c - who may act in the place of one that waits for its launches (device/wait.c): for a request once, while
 * that one waits, and never for a later request than the one that it knows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>
#include <cmocka.h>

#include "device/device.h"

static int stops, roused;

static rd_status ask_stop(rd_device *device, rd_error *err)
{
    (void)device;
    (void)err;
    stops++;
    return RD_OK;
}

static void rouse(rd_device *device)
{
    (void)device;
    roused++;
}

static const rd__backend backend = {.ask_stop = ask_stop, .rouse = rouse};

static void wait_begins(rd_device *device)
{
    __atomic_store_n(&device->way, RD__WAY_OPEN, __ATOMIC_RELEASE);
}

static void a_request_is_served_while_its_launches_are_waited_for(void **state)
{
    (void)state;
    rd_device device = {.backend = &backend};
    uint32_t processor = 0;
    assert_int_equal(rd__device_ask(&device), 0); /* nobody waits: the holder is woken */
    assert_int_equal(roused, 1);
    assert_int_equal(rd__device_is_asked(&device, &processor), 0);
    wait_begins(&device);
    assert_int_equal(rd__device_is_asked(&device, &processor), 0);
    assert_int_equal(rd__device_hold_way(&device, 0), 0);
    assert_int_equal(rd__device_ask(&device), 1);
    assert_int_equal(stops, 1);
    assert_int_equal(roused, 1);
    const uint32_t request = rd__device_is_asked(&device, &processor);
    assert_int_not_equal(request, 0);
    assert_true(processor < (uint32_t)sysconf(_SC_NPROCESSORS_CONF));
    assert_int_equal(rd__device_ask(&device), 0); /* once is enough */
    assert_int_equal(stops, 1);
    assert_int_equal(rd__device_hold_way(&device, request), 1);
    assert_int_equal(rd__device_hold_way(&device, request), 0); /* somebody has it */
    rd__device_free_way(&device);
    assert_int_equal(rd__device_shut_way(&device), 1);
    assert_int_equal(rd__device_hold_way(&device, request), 0);
}

static void who_is_late_finds_a_later_request(void **state)
{
    (void)state;
    rd_device device = {.backend = &backend, .requests = UINT32_MAX - 1};
    uint32_t processor, before = 0;
    for (int i = 0; i < 3; i++) { /* the number of a request is never 0 */
        wait_begins(&device);
        assert_int_equal(rd__device_ask(&device), 1);
        const uint32_t request = rd__device_is_asked(&device, &processor);
        assert_int_not_equal(request, 0);
        assert_int_not_equal(request, before);
        assert_int_equal(rd__device_hold_way(&device, before), 0);
        assert_int_equal(rd__device_is_asked(&device, &processor), request); /* as it was */
        before = request;
        if (i == 2) {
            assert_int_equal(rd__device_hold_way(&device, request), 1);
            rd__device_free_way(&device);
        }
        assert_int_equal(rd__device_shut_way(&device), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_request_is_served_while_its_launches_are_waited_for),
                                       cmocka_unit_test(who_is_late_finds_a_later_request)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
