/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_heap.c - the priority queue against a sorted array: what goes in comes out, once, in order; in every order of
 * input, kind of item, width of group; while groups insert and delete at once; from nothing, to nothing, through
 * growth.
 */
#include "selftest/selftest.h"

#include "core/memory.h"
#include "heap/heap.h"
#include "heap/heap_layout.k.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A key and its payload, whatever their widths. */
struct pair {
    uint64_t key, payload;
};

struct kind {
    uint32_t key_bits, payload_bits;
};
static const struct kind kinds[] = {{32, 0}, {32, 32}, {64, 64}, {64, 0}, {64, 32}, {32, 64}};
enum { KINDS = sizeof kinds / sizeof *kinds };

enum order { RANDOM, ASCENDING, DESCENDING, EQUAL, FEW, ENDS, ORDERS };

static uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15ull; /* splitmix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

static uint64_t make_key(enum order order, uint64_t i, uint64_t n, uint64_t *state)
{
    switch (order) {
    case ASCENDING: return i;
    case DESCENDING: return n - i;
    case EQUAL: return 7;
    case FEW: return next_random(state) % 5;
    case ENDS: return next_random(state) % 3 ? UINT64_MAX : 0; /* as great as the heap's own pads */
    default: return next_random(state);
    }
}

/* ---- A heap with what it should hold ---- */

struct model {
    rd_heap *heap;
    struct kind kind;
    struct pair *held, *given; /* sorted when compared */
    uint64_t count, room;
    void *key, *payload; /* of a call */
    uint64_t state;      /* of random numbers */
};

static int by_key(const void *p, const void *q)
{
    const struct pair *a = p, *b = q;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    return a->payload < b->payload ? -1 : a->payload > b->payload;
}

static void put(void *array, uint32_t bits, uint64_t i, uint64_t value)
{
    if (bits == 32)
        ((uint32_t *)array)[i] = (uint32_t)value;
    else if (bits == 64)
        ((uint64_t *)array)[i] = value;
}

static uint64_t get(const void *array, uint32_t bits, uint64_t i)
{
    return bits == 32 ? ((const uint32_t *)array)[i] : bits == 64 ? ((const uint64_t *)array)[i] : 0;
}

static void close_model(struct model *m)
{
    rd_heap_close(m->heap);
    rd__array_free(m->held);
    rd__array_free(m->given);
    rd__array_free(m->key);
    rd__array_free(m->payload);
}

static rd_status open_model(struct model *m, rd_device *device, const rd_heap_options *options, uint64_t room,
                            uint64_t seed, rd_error *err)
{
    *m = (struct model){.kind = {options->key_bits, options->payload_bits}, .room = room, .state = seed};
    RD_TRY(rd_heap_open(device, options, &m->heap, err));
    RD_TRY(rd__array_new(&m->held, "model", room, sizeof *m->held, err));
    RD_TRY(rd__array_new(&m->given, "model", room, sizeof *m->given, err));
    RD_TRY(rd__array_new(&m->key, "keys", room, 8, err));
    return rd__array_new(&m->payload, "payloads", room, 8, err);
}

/* n new pairs in the arrays and in the model. */
static void make(struct model *m, enum order order, uint64_t n)
{
    const uint64_t mask = m->kind.key_bits == 32 ? UINT32_MAX : UINT64_MAX;
    for (uint64_t i = 0; i < n; i++) {
        struct pair *pair = &m->held[m->count++];
        pair->key = make_key(order, i, n, &m->state) & mask;
        pair->payload = m->kind.payload_bits == 0    ? 0
                        : m->kind.payload_bits == 32 ? next_random(&m->state) & UINT32_MAX
                                                     : next_random(&m->state);
        put(m->key, m->kind.key_bits, i, pair->key);
        put(m->payload, m->kind.payload_bits, i, pair->payload);
    }
}

static void *payload_of(struct model *m)
{
    return m->kind.payload_bits ? m->payload : NULL;
}

/* Takes n pairs that came out from the model; they must be in it. */
static rd_status remove_from(struct model *m, uint64_t n, rd_error *err)
{
    uint64_t kept = 0, out = 0;
    for (uint64_t i = 0; i < n; i++)
        m->given[i] = (struct pair){get(m->key, m->kind.key_bits, i), get(m->payload, m->kind.payload_bits, i)};
    qsort(m->given, n, sizeof *m->given, by_key);
    qsort(m->held, m->count, sizeof *m->held, by_key);
    for (uint64_t i = 0; i < m->count; i++)
        if (out < n && by_key(&m->held[i], &m->given[out]) == 0)
            out++;
        else
            m->held[kept++] = m->held[i];
    if (out < n)
        return rd__fail(err, RD_EWRONG, "key %llu came out of the heap, which did not hold it (so often)",
                        (unsigned long long)m->given[out].key);
    m->count = kept;
    return RD_OK;
}

static rd_status insert(struct model *m, enum order order, uint64_t n, rd_error *err)
{
    make(m, order, n);
    RD_TRY(rd_heap_insert(m->heap, m->key, payload_of(m), n, err));
    if (rd_heap_size(m->heap) != m->count)
        return rd__fail(err, RD_EWRONG, "the heap says it has %llu keys; there are %llu",
                        (unsigned long long)rd_heap_size(m->heap), (unsigned long long)m->count);
    return RD_OK;
}

/* Deletes n and compares: those that come are the least, in order. */
static rd_status delete_least(struct model *m, uint64_t n, rd_error *err)
{
    uint64_t got, want = n < m->count ? n : m->count;
    RD_TRY(rd_heap_delete(m->heap, m->key, payload_of(m), n, &got, err));
    if (got != want)
        return rd__fail(err, RD_EWRONG, "%llu keys came out of a heap of %llu", (unsigned long long)got,
                        (unsigned long long)m->count);
    qsort(m->held, m->count, sizeof *m->held, by_key);
    for (uint64_t i = 0; i < got; i++) {
        const struct pair out = {get(m->key, m->kind.key_bits, i), get(m->payload, m->kind.payload_bits, i)};
        if (by_key(&out, &m->held[i]) != 0)
            return rd__fail(err, RD_EWRONG, "deletion %llu of %llu gave key %llu, the least is %llu",
                            (unsigned long long)i, (unsigned long long)got, (unsigned long long)out.key,
                            (unsigned long long)m->held[i].key);
    }
    memmove(m->held, m->held + got, (m->count - got) * sizeof *m->held);
    m->count -= got;
    return rd_heap_is_empty(m->heap) == (m->count == 0) ? RD_OK : rd__fail(err, RD_EWRONG, "the heap is not empty");
}

static rd_status mixed(struct model *m, enum order order, uint64_t in, uint64_t out, rd_error *err)
{
    uint64_t got, want = m->count + in < out ? m->count + in : out;
    make(m, order, in);
    RD_TRY(rd_heap_mixed(m->heap, m->key, payload_of(m), in, m->key, payload_of(m), out, &got, err));
    if (got != want)
        return rd__fail(err, RD_EWRONG, "mixed: %llu keys came out, not %llu", (unsigned long long)got,
                        (unsigned long long)want);
    RD_TRY(remove_from(m, got, err));
    return rd_heap_check(m->heap, err);
}

/* ---- Cases ---- */

static rd_heap_options options_for(const struct kind *kind, uint32_t node)
{
    return (rd_heap_options){.size = sizeof(rd_heap_options),
                             .key_bits = kind->key_bits,
                             .payload_bits = kind->payload_bits,
                             .node = node,
                             .capacity = node};
}

static rd_status phases_of(struct model *m, enum order order, uint64_t n, rd_error *err)
{
    RD_TRY(insert(m, order, n, err));
    RD_TRY(rd_heap_check(m->heap, err));
    RD_TRY(delete_least(m, n / 3, err));
    RD_TRY(rd_heap_check(m->heap, err));
    RD_TRY(insert(m, order, n / 2, err));
    RD_TRY(delete_least(m, 1, err));
    RD_TRY(rd_heap_check(m->heap, err));
    return delete_least(m, m->count + 1, err);
}

/* Each kind of item and order of keys, at sizes around whole nodes. */
static rd_status each_order(rd__test *test, rd_error *err)
{
    static const uint64_t sizes[] = {0, 1, 31, 32, 33, 100, 1000};
    uint32_t runs = 0;
    rd_status status = RD_OK;
    for (int k = 0; status == RD_OK && k < KINDS; k++) {
        struct model m;
        const rd_heap_options options = options_for(&kinds[k], 32);
        status = open_model(&m, test->device, &options, 4096, test->seed, err);
        for (int order = 0; status == RD_OK && order < ORDERS; order++)
            for (size_t i = 0; status == RD_OK && i < sizeof sizes / sizeof *sizes; i++, runs++)
                status = phases_of(&m, (enum order)order, sizes[i], err);
        close_model(&m);
    }
    snprintf(test->note, sizeof test->note, "%u runs: %d kinds of item, %d orders", runs, (int)KINDS, (int)ORDERS);
    return status;
}

/* Odd and large widths, large nodes, batches smaller than a node. Each width is compiled for seconds: it gets one kind.
 */
static rd_status each_width(rd__test *test, rd_error *err)
{
    static const uint32_t nodes[] = {32, 256, 128};
    size_t count;
    const uint32_t *width = rd__test_widths(test->device, &count);
    const int chooses = test->device->info.is_gpu || test->device->caps.fixed_width;
    const size_t most = chooses ? count : 1, kinds_each = most == 1 ? 3 : 1; /* CPUs behind OpenCL: one lane */
    for (size_t w = 0; w < most; w++)
        for (size_t n = 0; n < kinds_each; n++) {
            struct model m;
            rd_heap_options options = options_for(&kinds[(w + n) % 3], nodes[(w + n) % 3]);
            options.lanes = width[w];
            options.batch = w % 2 ? 5 + (uint32_t)w : 0;
            rd_status status = open_model(&m, test->device, &options, 32 * 1024, test->seed + w, err);
            if (status == RD_OK)
                status = phases_of(&m, RANDOM, 5001, err);
            if (status == RD_OK)
                status = mixed(&m, RANDOM, 3003, 2000, err);
            if (status == RD_OK)
                status = delete_least(&m, m.count, err);
            close_model(&m);
            RD_TRY(status);
        }
    snprintf(test->note, sizeof test->note, "%zu widths", most);
    return RD_OK;
}

/* Insertions from above, in random numbers, and the pipeline; nodes of one item and of a few. Every phase is proved. */
static rd_status each_method(rd__test *test, rd_error *err)
{
    static const struct {
        rd_heap_method method;
        uint32_t node, ragged;
    } ways[] = {{RD_HEAP_ABOVE, 32, 0},   {RD_HEAP_ABOVE, 64, 1}, {RD_HEAP_BELOW, 64, 1}, {RD_HEAP_BELOW, 1, 0},
                {RD_HEAP_PIPELINE, 1, 0}, {RD_HEAP_ABOVE, 2, 0},  {RD_HEAP_BELOW, 8, 1},  {RD_HEAP_PIPELINE, 32, 0}};
    const size_t all = sizeof ways / sizeof *ways;
    rd_status status = RD_OK;
    for (size_t w = 0; status == RD_OK && w < all; w++) {
        struct model m;
        rd_heap_options options = options_for(&kinds[0], ways[w].node);
        options.method = ways[w].method;
        options.ragged = (uint8_t)ways[w].ragged;
        const uint64_t n = ways[w].node < 8 ? 100 : 1536; /* whole nodes, and so are n / 4 and n / 2 */
        status = open_model(&m, test->device, &options, 1 << 13, test->seed + w, err);
        for (int order = 0; status == RD_OK && order < ORDERS; order++) {
            status = insert(&m, (enum order)order, n, err);
            if (status == RD_OK)
                status = rd_heap_check(m.heap, err);
            if (status == RD_OK)
                status = delete_least(&m, n / 4, err);
            if (status == RD_OK)
                status = insert(&m, RANDOM, n / 2, err);
            if (status == RD_OK)
                status = rd_heap_check(m.heap, err);
            if (status == RD_OK && ways[w].method != RD_HEAP_PIPELINE)
                status = mixed(&m, RANDOM, n / 2 + 1, n / 3, err);
            if (status == RD_OK)
                status = delete_least(&m, m.count, err);
        }
        close_model(&m);
    }
    snprintf(test->note, sizeof test->note, "%zu ways", all);
    return status;
}

/* Insertions and deletions at once: from nothing, from a little, from much; nothing lost, doubled or out of order. */
static rd_status mixed_traffic(rd__test *test, rd_error *err)
{
    struct model m;
    rd_heap_info info = {0};
    const rd_heap_options options = options_for(&kinds[1], 32);
    rd_status status = open_model(&m, test->device, &options, 1 << 16, test->seed, err);
    for (int order = 0; status == RD_OK && order < ORDERS; order++) {
        status = mixed(&m, (enum order)order, 3000, 3000, err);
        if (status == RD_OK)
            status = mixed(&m, (enum order)order, 3000, 1000, err);
        if (status == RD_OK)
            status = mixed(&m, (enum order)order, 100, 2500, err);
        if (status == RD_OK)
            status = mixed(&m, RANDOM, 5000, 4990, err);
        if (status == RD_OK)
            status = delete_least(&m, m.count, err);
    }
    if (status == RD_OK)
        status = rd_heap_get_info(m.heap, &info, err);
    if (status == RD_OK && info.refused)
        status = rd__fail(err, RD_EWRONG, "%llu operations were refused", (unsigned long long)info.refused);
    snprintf(test->note, sizeof test->note, "%llu insertions, %llu deletions, %llu handed over",
             (unsigned long long)info.inserts, (unsigned long long)info.deletes, (unsigned long long)info.handovers);
    close_model(&m);
    return status;
}

/* Small heaps again and again, where groups meet most. */
static rd_status stress(rd__test *test, rd_error *err)
{
    uint64_t handed = 0;
    uint32_t runs = 2 * test->repeats;
    rd_status status = RD_OK;
    for (int k = 0; status == RD_OK && k < 3; k++) {
        struct model m;
        rd_heap_info info;
        const rd_heap_options options = options_for(&kinds[k], 32);
        status = open_model(&m, test->device, &options, 1 << 14, test->seed + (uint64_t)k, err);
        for (uint32_t r = 0; status == RD_OK && r < runs / 3; r++) {
            const uint64_t in = next_random(&m.state) % 700, out = next_random(&m.state) % 700;
            if (m.count > 4000)
                status = delete_least(&m, m.count, err);
            if (status == RD_OK && r % 8 == 0)
                status = insert(&m, (enum order)(r % ORDERS), in, err);
            if (status == RD_OK)
                status = mixed(&m, (enum order)(r % ORDERS), in, out, err);
        }
        if (status == RD_OK)
            status = delete_least(&m, m.count, err);
        if (status == RD_OK)
            status = rd_heap_get_info(m.heap, &info, err);
        handed += status == RD_OK ? info.handovers : 0;
        close_model(&m);
    }
    snprintf(test->note, sizeof test->note, "%u runs, %llu batches handed over", runs, (unsigned long long)handed);
    return status;
}

/* From one node to thousands, with the keys in it. */
static rd_status growth(rd__test *test, rd_error *err)
{
    struct model m;
    const rd_heap_options options = options_for(&kinds[0], 32);
    rd_status status = open_model(&m, test->device, &options, 1 << 18, test->seed, err);
    for (uint64_t n = 1; status == RD_OK && n <= 1 << 16; n *= 4) {
        status = insert(&m, RANDOM, n, err);
        if (status == RD_OK)
            status = mixed(&m, RANDOM, n, n / 2, err);
    }
    if (status == RD_OK)
        status = rd_heap_check(m.heap, err);
    if (status == RD_OK)
        status = delete_least(&m, m.count, err);
    close_model(&m);
    return status;
}

/* Insertion from below and deletion are kept apart: in the other's phase each refuses and changes nothing. */
static rd_status wrong_phase(rd__test *test, rd_error *err)
{
    const rd_heap_options options = options_for(&kinds[0], 32);
    struct model m;
    rd_heap_info info = {0};
    rd_status status = open_model(&m, test->device, &options, 4096, test->seed, err);
    if (status == RD_OK)
        status = insert(&m, RANDOM, 320, err);
    if (status == RD_OK) /* so that input and output have memory */
        status = mixed(&m, RANDOM, 320, 320, err);
    for (uint64_t phase = 0; status == RD_OK && phase < 2; phase++) {
        rd_heap *heap = m.heap;
        const rd__heap_work work = {
            .in = &heap->in, .in_count = 320, .batch = 32, .out = phase ? &heap->out : NULL, .out_count = 320};
        status = rd__buffer_write(&heap->store.control, 8ull * HEAP_PHASE, sizeof phase, &phase, err);
        if (status == RD_OK) /* insertions from below in the mixed phase, then everything else in theirs */
            status = rd__heap_launch(&heap->store, &work, phase ? heap->mix : heap->put, heap->groups, err);
        if (status == RD_OK)
            status = rd_heap_get_info(heap, &info, err);
        if (status == RD_OK && info.refused != (phase ? 30 : 10))
            status = rd__fail(err, RD_EWRONG, "%llu operations were refused in the wrong phase, not %d",
                              (unsigned long long)info.refused, phase ? 30 : 10);
        if (status == RD_OK)
            status = rd_heap_check(heap, err);
    }
    if (status == RD_OK)
        status = delete_least(&m, m.count + 1, err);
    close_model(&m);
    return status;
}

const rd__test_case rd__heap_cases[] = {
    {"heap/every-order", each_order, RD__ONCE},
    {"heap/every-width", each_width, RD__ONCE},
    {"heap/every-method", each_method, RD__ONCE},
    {"heap/mixed", mixed_traffic, RD__ONCE},
    {"heap/stress", stress, RD__ONCE},
    {"heap/growth", growth, RD__ONCE},
    {"heap/wrong-phase", wrong_phase, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
