/* SPDX-License-Identifier: Apache-2.0 */
/* test_heap.c - the public heap: what is asked wrongly is refused, the checker finds planted faults, memory may run out
 * anywhere. raddle selftest has the traffic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "heap/heap.h"
#include "heap/heap_layout.k.h"

#include "memory_util.h"

static rd_device *device;

static int open_device(void **state)
{
    (void)state;
    return rd_device_open("cpu:2", NULL, &device, NULL);
}

static int close_device(void **state)
{
    (void)state;
    rd_device_close(device);
    return 0;
}

static rd_heap_options usual(void)
{
    return (rd_heap_options){.size = sizeof(rd_heap_options), .node = 32};
}

/* Opening with these options fails in this way. */
static void refused(rd_heap_options options, rd_status status, const char *word)
{
    rd_heap *heap = (rd_heap *)&options;
    rd_error err = {.status = RD_OK};
    assert_int_equal(rd_heap_open(device, &options, &heap, &err), status);
    assert_null(heap);
    assert_non_null(strstr(err.text, word));
}

static void wrong_options(void **state)
{
    (void)state;
    static const uint32_t nodes[] = {3, 31, 33, 48, 4096, 1u << 31};
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        rd_heap_options options = usual();
        options.node = nodes[i];
        refused(options, RD_EARG, "power of two");
    }
    rd_heap_options options = usual();
    options.key_bits = 16;
    refused(options, RD_EARG, "32 or 64 bits");
    options = usual();
    options.payload_bits = 8;
    refused(options, RD_EARG, "payloads");
    options = usual();
    options.batch = 33;
    refused(options, RD_EARG, "larger than its nodes");
    options = usual();
    options.keys = (rd_heap_keys)7;
    refused(options, RD_EARG, "keys");
    options = usual();
    options.method = (rd_heap_method)9;
    refused(options, RD_EARG, "method");
    options = usual();
    options.ragged = 1;
    options.batch = 1;
    refused(options, RD_EARG, "batch of 2");
    options = usual();
    options.size = 3;
    refused(options, RD_EARG, "size");
    options = usual();
    options.capacity = 1ull << 44; /* more keys than memory */
    refused(options, RD_ENOMEM, "heap");
    options.capacity = UINT64_MAX;
    refused(options, RD_ENOMEM, "heap");
    rd_heap *heap = NULL;
    assert_int_equal(rd_heap_open(NULL, NULL, &heap, NULL), RD_EARG);
    rd_heap_close(NULL);
}

static void wrong_arrays(void **state)
{
    (void)state;
    rd_error err = {.status = RD_OK};
    rd_heap *heap;
    uint32_t key[4] = {3, 1, 2, 0}, payload[4] = {0};
    uint64_t got;
    rd_heap_options options = usual();
    assert_int_equal(rd_heap_open(device, &options, &heap, &err), RD_OK);
    assert_int_equal(rd_heap_insert(heap, NULL, NULL, 4, &err), RD_EARG);
    assert_int_equal(rd_heap_insert(heap, key, payload, 4, &err), RD_EARG); /* it has none */
    assert_int_equal(rd_heap_delete(heap, key, payload, 4, &got, &err), RD_EARG);
    assert_int_equal(rd_heap_insert(heap, key, NULL, 1ull << 60, &err), RD_ENOMEM);
    assert_int_equal(rd_heap_reserve(heap, 1ull << 44, &err), RD_ENOMEM);
    assert_int_equal(rd_heap_insert(heap, NULL, NULL, 0, &err), RD_OK);
    assert_int_equal(rd_heap_insert(heap, key, NULL, 4, &err), RD_OK); /* as good as before */
    assert_int_equal(rd_heap_size(heap), 4);
    assert_int_equal(rd_heap_delete(heap, key, NULL, 9, &got, &err), RD_OK);
    assert_int_equal(got, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(key[i], i);
    assert_true(rd_heap_is_empty(heap));
    rd_heap_close(heap);
    options.payload_bits = 64;
    assert_int_equal(rd_heap_open(device, &options, &heap, &err), RD_OK);
    assert_int_equal(rd_heap_insert(heap, key, NULL, 4, &err), RD_EARG);
    rd_heap_close(heap);
}

/* Keys of each kind come out in their own order. */
static void signed_and_real_keys(void **state)
{
    (void)state;
    static const int32_t whole[6] = {INT32_MIN, -7, 0, 5, 9, INT32_MAX};
    static const float real[6] = {-1e30f, -2.5f, -0.0f, 0.0f, 0.25f, 3e38f};
    static const double wide[6] = {-1e300, -2.5, -0.0, 0.0, 1e-300, 3e38};
    for (int kind = 0; kind < 3; kind++) {
        const void *sorted = kind == 0 ? (const void *)whole : kind == 1 ? (const void *)real : (const void *)wide;
        const size_t bytes = kind == 2 ? 8 : 4;
        for (uint32_t payload_bits = 0; payload_bits <= 32; payload_bits += 32) {
            rd_heap_options options = usual();
            options.keys = kind ? RD_HEAP_REAL : RD_HEAP_SIGNED;
            options.key_bits = (uint32_t)(8 * bytes);
            options.payload_bits = payload_bits;
            rd_heap *heap;
            unsigned char key[48], out[48];
            uint32_t payload[6] = {5, 4, 3, 2, 1, 0};
            for (size_t i = 0; i < 6; i++)
                memcpy(key + i * bytes, (const char *)sorted + (5 - i) * bytes, bytes);
            assert_int_equal(rd_heap_open(device, &options, &heap, NULL), RD_OK);
            assert_int_equal(rd_heap_insert(heap, key, payload_bits ? payload : NULL, 6, NULL), RD_OK);
            assert_int_equal(rd_heap_delete(heap, out, payload_bits ? payload : NULL, 6, NULL, NULL), RD_OK);
            assert_memory_equal(out, sorted, 6 * bytes);
            for (uint32_t i = 0; payload_bits && i < 6; i++)
                assert_int_equal(payload[i], i);
            rd_heap_close(heap);
        }
    }
}

/* What the pipeline does not do is refused. */
static void the_pipeline_takes_whole_nodes(void **state)
{
    (void)state;
    rd_error err = {.status = RD_OK};
    rd_heap *heap;
    uint32_t key[64] = {0};
    uint64_t got;
    rd_heap_options options = usual();
    options.method = RD_HEAP_PIPELINE;
    assert_int_equal(rd_heap_open(device, &options, &heap, &err), RD_OK);
    assert_int_equal(rd_heap_insert(heap, key, NULL, 33, &err), RD_EARG);
    assert_non_null(strstr(err.text, "no multiple of 32"));
    assert_int_equal(rd_heap_mixed(heap, key, NULL, 32, key, NULL, 32, &got, &err), RD_EARG);
    assert_int_equal(rd_heap_insert(heap, key, NULL, 64, &err), RD_OK);
    assert_int_equal(rd_heap_delete(heap, key, NULL, 5, &got, &err), RD_EARG);
    assert_int_equal(rd_heap_delete(heap, key, NULL, 500, &got, &err), RD_OK);
    assert_int_equal(got, 64);
    rd_heap_close(heap);
}

static rd_heap *full_heap(void)
{
    rd_heap *heap;
    uint32_t key[500];
    const rd_heap_options options = usual();
    for (uint32_t i = 0; i < 500; i++)
        key[i] = 10 * (499 - i) + 5;
    assert_int_equal(rd_heap_open(device, &options, &heap, NULL), RD_OK);
    assert_int_equal(rd_heap_insert(heap, key, NULL, 500, NULL), RD_OK);
    assert_int_equal(rd_heap_check(heap, NULL), RD_OK);
    return heap;
}

/* One word of the heap is changed; the checker must see it. */
static void the_checker_sees_faults(void **state)
{
    (void)state;
    rd_error err = {.status = RD_OK};
    for (int fault = 0; fault < 5; fault++) {
        rd_heap *heap = full_heap();
        const uint32_t zero = 0, busy = HEAP_BUSY, huge = UINT32_MAX;
        uint64_t head;
        switch (fault) {
        case 0: rd__buffer_write(&heap->store.item, 4 * (3 * 32 + 7), 4, &zero, NULL); break; /* within a node */
        case 1: rd__buffer_write(&heap->store.item, 4 * (5 * 32), 4, &zero, NULL); break;     /* against its parent */
        case 2: rd__buffer_write(&heap->store.item, 0, 4, &huge, NULL); break;                /* the partial buffer */
        case 3: rd__buffer_write(&heap->store.state, 4 * 4, 4, &busy, NULL); break;           /* a lock left */
        default:
            rd__buffer_read(&heap->store.control, 0, 8, &head, NULL);
            head -= HEAP_SIZE_ONE; /* a node lost */
            rd__buffer_write(&heap->store.control, 0, 8, &head, NULL);
        }
        assert_int_equal(rd_heap_check(heap, &err), RD_EWRONG);
        rd_heap_close(heap);
    }
}

/* A head that does not fit what was put in is an error, not a wrong size. */
static void a_lost_key_is_noticed(void **state)
{
    (void)state;
    rd_heap *heap = full_heap();
    rd_error err = {.status = RD_OK};
    uint64_t head, got;
    uint32_t key[8];
    rd__buffer_read(&heap->store.control, 0, 8, &head, NULL);
    head -= 1;
    rd__buffer_write(&heap->store.control, 0, 8, &head, NULL);
    assert_int_equal(rd_heap_delete(heap, key, NULL, 8, &got, &err), RD_EDEVICE);
    rd_heap_close(heap);
}

/* ---- Memory may run out ---- */

static rd_status insert_and_delete(const void *arg, rd_error *err)
{
    const rd_heap_options options = {
        .size = sizeof options, .key_bits = 64, .payload_bits = 64, .node = 32, .capacity = 32};
    rd_device *own = NULL;
    rd_heap *heap = NULL;
    uint64_t key[100] = {7, 3}, payload[100] = {0}, got = 0;
    (void)arg;
    rd_status status = rd_device_open("cpu:2", NULL, &own, err);
    if (status == RD_OK)
        status = rd_heap_open(own, &options, &heap, err);
    if (status == RD_OK)
        status = rd_heap_insert(heap, key, payload, 100, err);
    if (status == RD_OK)
        status = rd_heap_delete(heap, key, payload, 100, &got, err);
    if (status == RD_OK)
        status = rd_heap_check(heap, err);
    rd_heap_close(heap);
    rd_device_close(own);
    return status;
}

static void out_of_memory(void **state)
{
    (void)state;
    assert_true(with_little_memory("a heap", insert_and_delete, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_options),           cmocka_unit_test(wrong_arrays),
        cmocka_unit_test(signed_and_real_keys),    cmocka_unit_test(the_pipeline_takes_whole_nodes),
        cmocka_unit_test(the_checker_sees_faults), cmocka_unit_test(a_lost_key_is_noticed),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests_name("the priority queue", tests, open_device, close_device);
}
