/* SPDX-License-Identifier: Apache-2.0 */
/* test_cuda_stops.c - how launches of the CUDA back end are asked to leave (device/cuda/stops.c), with a driver that is
 * made up here and does everything at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "cuda_util.h"
#include "core/fork.h"
#include "device/cuda/cuda.h"

enum { STOP_BYTES = 16 };
static uint32_t one_word = 1, copies, was_asked, queries;
static rd__cuda_device device;

/* ---- A driver ---- */

static int mem_free(unsigned long long address)
{
    test_free(memory(address));
    return CU_SUCCESS;
}

static int host_alloc(void **host, size_t bytes, unsigned flags)
{
    (void)flags;
    *host = test_malloc(bytes);
    return CU_SUCCESS;
}

static int host_free(void *host)
{
    test_free(host);
    return CU_SUCCESS;
}

static int copy_in(unsigned long long to, const void *from, size_t bytes, void *stream)
{
    (void)stream;
    memcpy(memory(to), from, bytes);
    copies += bytes == sizeof one_word;
    return CU_SUCCESS;
}

static int fill(unsigned long long address, unsigned word, size_t words, void *stream)
{
    (void)stream;
    for (size_t i = 0; i < words; i++)
        memcpy(memory(address) + 4 * i, &word, 4);
    return CU_SUCCESS;
}

static int synchronize(void *stream)
{
    (void)stream;
    return CU_SUCCESS;
}

/* A launch that is called when it is first looked at, and leaves when the driver has written its word. */
static int query(void *stream)
{
    (void)stream;
    if (queries++ == 0)
        assert_true(rd__device_ask(&device.base) && device.base.called);
    return copies ? CU_SUCCESS : CU_NOT_READY;
}

/* ---- Cases ---- */

static int open_device(void **state)
{
    rd_error err = {.status = RD_OK};
    (void)state;
    rd__cuda = (rd__cuda_api){.CtxPush = push,
                              .CtxPop = pop,
                              .MemAlloc = mem_alloc,
                              .MemFree = mem_free,
                              .MemHostAlloc = host_alloc,
                              .MemFreeHost = host_free,
                              .MemcpyHtoDAsync = copy_in,
                              .MemsetD32Async = fill,
                              .StreamSynchronize = synchronize,
                              .StreamQuery = query};
    device = (rd__cuda_device){.base = {.backend = &rd__cuda_backend,
                                        .info = {.name = "cuda:0", .is_gpu = 1},
                                        .in_turn = 1,
                                        .hears = 1,
                                        .generation = rd__fork_generation()},
                               .one = &one_word};
    copies = was_asked = queries = 0;
    return rd__cuda_stops_open(&device.queue[0], 1, "cuda:0", &err) != RD_OK;
}

static int close_device(void **state)
{
    (void)state;
    rd__cuda_stops_close(&device.queue[0]);
    return 0;
}

static unsigned long long stop_word(void)
{
    return rd__cuda_stop_word(&device, &device.queue[0]);
}

static uint32_t word_at(const char *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

/* The host's, of a page. */
static const char *host_word(uint32_t page)
{
    return (const char *)device.queue[0].image + STOP_BYTES * (size_t)page;
}

/* As another thread does while the device's own waits. */
static int ask_now(void)
{
    __atomic_store_n(&device.base.way, RD__WAY_OPEN, __ATOMIC_RELEASE);
    return rd__device_ask(&device.base) && rd__device_shut_way(&device.base);
}

/* Those that listen are called without a driver; each time the next ones have another word, and after the last all are
 * as new. */
static void a_call_is_for_launches_before_it(void **state)
{
    const unsigned long long first = stop_word();
    rd_error err = {.status = RD_OK};
    (void)state;
    for (uint32_t i = 0; i < RD__CUDA_STOPS; i++) {
        assert_true(stop_word() == first + STOP_BYTES * (unsigned long long)i);
        assert_int_equal(word_at(host_word(i)), 0);
        assert_true(ask_now());
        assert_int_equal(word_at(host_word(i)), 1);
        assert_true(device.base.called && copies == 0);
        assert_int_equal(device.base.backend->forget_call(&device.base, &err), RD_OK);
        device.base.called = 0;
    }
    assert_true(stop_word() == first);
    for (uint32_t i = 0; i < RD__CUDA_STOPS; i++) {
        const char *at = memory(first) + STOP_BYTES * (size_t)i;
        uint64_t ear;
        memcpy(&ear, at + 8, sizeof ear);
        assert_true(word_at(host_word(i)) == 0 && word_at(at) == 0);
        assert_ptr_equal(memory(ear), host_word(i));
    }
}

static void who_does_not_listen_is_asked_by_the_driver(void **state)
{
    const unsigned long long first = stop_word();
    (void)state;
    device.base.hears = 0;
    assert_true(ask_now());
    assert_true(!device.base.called && copies == 1 && word_at(host_word(0)) == 0);
    assert_true(stop_word() == first + STOP_BYTES);
    assert_int_equal(word_at(memory(first)), 1);
    device.base.in_turn = 0; /* of jobs that take no turns no lane goes over the bus */
    assert_true(stop_word() == device.queue[0].control + STOP_BYTES);
}

static int is_wanted(void *user)
{
    (void)user;
    return 0;
}

static void is_asked(void *user)
{
    (void)user;
    was_asked++;
}

static void a_call_that_nobody_hears_becomes_a_request(void **state)
{
    const rd__limit limit = {.wanted = is_wanted, .asked = is_asked};
    const unsigned long long first = stop_word();
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__device_wait(&device.base, &limit, &err), RD_OK);
    assert_true(was_asked == 1 && copies == 1 && !device.base.called);
    assert_true(stop_word() == first + STOP_BYTES); /* one page, not two */
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_device, close_device)
    const struct CMUnitTest tests[] = {CASE(a_call_is_for_launches_before_it),
                                       CASE(who_does_not_listen_is_asked_by_the_driver),
                                       CASE(a_call_that_nobody_hears_becomes_a_request)};
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
