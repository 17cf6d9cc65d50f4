/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.c - the suite `bench heap`: the priority queue. Insert all (from below, from above) then delete all for random,
 * ascending and descending keys; mixed traffic from an empty heap and from large ones; sweeps over the node size, the
 * number of workers, the share of a node that an insertion fills and the levels that are full before; keys that are
 * signed or real; beside a pipelined heap on the device and a serial binary heap on the host. Deletions are proved in
 * order, and complete by sums over the keys.
 */
#include "cli/bench/bench.h"
#include "cli/bench/binary_heap.h"
#include "cli/machine.h"
#include "cli/bench/multi_queue.h"
#include "cli/open_device.h"

#include <stdlib.h>
#include <string.h>

enum { ID_KEYS = 1, ID_NODE, ID_LANES, ID_GROUPS, ID_BATCH };
enum action { INSERT, DELETE, MIXED, SERIAL_INSERT, SERIAL_DELETE, MULTI_INSERT, MULTI_DELETE };
enum { SWEEP_NONE, SWEEP_NODE, SWEEP_GROUPS, SWEEP_BATCH, SWEEP_RAGGED, SWEEP_LEVELS };
enum { SIZES_MAX = 16, VALUE_BITS = 12 }; /* values of sweeps are below 2^12 */

static const uint64_t cpu_keys = 1ull << 20, gpu_keys = 1ull << 26, serial_keys = 1ull << 22;
static const uint64_t small_keys = 1ull << 18; /* most, in nodes of one key: each is an operation of its own */
static uint64_t wanted_keys[SIZES_MAX], wanted_sizes, wanted_node, wanted_lanes, wanted_groups, wanted_batch;

static const char *const orders[] = {"random", "ascending", "descending"};

typedef struct heap_case {
    rd_heap *heap;
    rd_device *device;
    rd_heap_options options;
    enum action action;
    uint64_t keys, initial; /* initial: in the heap before mixed traffic */
    uint32_t *in, *out;
    uint64_t got;
    rd_heap_info info;
} heap_case;

static rd_status fail(rd_error *err, rd_status status, const char *what)
{
    err->status = status;
    snprintf(err->text, sizeof err->text, "bench heap: %s", what);
    return status;
}

static uint32_t random_key(uint64_t i)
{
    uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull; /* splitmix64 */
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return (uint32_t)(x ^ x >> 31);
}

static void make_keys(heap_case *data, const char *order)
{
    const uint64_t all = data->keys + data->initial;
    for (uint64_t i = 0; i < all; i++) {
        data->in[i] = strcmp(order, "random") == 0      ? random_key(i)
                      : strcmp(order, "ascending") == 0 ? (uint32_t)i
                                                        : (uint32_t)(all - i);
        if (data->options.keys == RD_HEAP_REAL) {
            const float real = (float)(int32_t)data->in[i];
            memcpy(&data->in[i], &real, sizeof real);
        }
    }
}

/* Systems that promise more memory than there is would end the process when the last of it is touched. */
static rd_status check_memory(uint64_t keys, const rd_device_info *info, rd_error *err)
{
    const uint64_t each = cli_is_host(info) ? 16 : 8; /* the heap itself and its input may be there too */
    cli_machine machine;
    cli_describe_machine(&machine);
    if (machine.memory == 0 || keys <= machine.memory / each)
        return RD_OK;
    char need[32], have[32];
    err->status = RD_ENOMEM;
    snprintf(err->text, sizeof err->text,
             "bench heap: %llu keys, in and out, need %s of the host's memory, which has %s; try fewer with "
             "--keys",
             (unsigned long long)keys, rd_format_bytes(each * keys, need, sizeof need),
             rd_format_bytes(machine.memory, have, sizeof have));
    return RD_ENOMEM;
}

/* What depends on the size of a node, which the device may choose: a heap that is opened to ask. */
static rd_status by_node(bench_case *self, heap_case *data, uint64_t value, rd_error *err)
{
    const int asks = self->number[0] >= SWEEP_BATCH || data->options.method == RD_HEAP_PIPELINE;
    rd_status status = asks ? rd_heap_open(data->device, &data->options, &data->heap, err) : RD_OK;
    if (status == RD_OK && asks)
        status = rd_heap_get_info(data->heap, &data->info, err);
    rd_heap_close(data->heap);
    data->heap = NULL;
    if (status != RD_OK || !asks)
        return status;
    const uint64_t node = data->options.node = data->info.node;
    if (self->number[0] == SWEEP_BATCH)
        data->options.batch = (uint32_t)(node * value / 100 ? node * value / 100 : 1);
    data->options.ragged = self->number[0] == SWEEP_RAGGED;
    if (self->number[0] == SWEEP_LEVELS)
        data->initial = node << value;
    if (data->options.method == RD_HEAP_PIPELINE) /* whole nodes */
        data->keys = data->keys < node ? node : data->keys - data->keys % node;
    return RD_OK;
}

/* So many quarters of a group a unit; on small machines that may be as many groups as half of it. */
static rd_status quarters(const bench_case *self, heap_case *data, uint64_t value, rd_error *err)
{
    const rd_device_info *info = rd_device_get_info(data->device);
    const uint64_t units = info->compute_units;
    const uint64_t groups = units * value / 4 ? units * value / 4 : 1;
    data->options.groups = (uint32_t)groups;
    if (value == 1 || groups > (units * (value / 2) / 4 ? units * (value / 2) / 4 : 1))
        return RD_OK;
    snprintf(err->text, sizeof err->text, "%llu group%s here, as '%.*s/%llu/...'", (unsigned long long)groups,
             groups == 1 ? "" : "s", (int)strcspn(self->name, "/"), self->name, (unsigned long long)value / 2);
    return err->status = RD_EDEVICE;
}

/* text[0]: order of keys; text[1]: how, or what keys are; number[0]: what is swept; number[1]: its value, and above it
 * how many keys (0: by device); number[2]: action, and above it the keys in the heap before mixed traffic. */
static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    const rd_device_info *info = rd_device_get_info(device);
    heap_case *data = calloc(1, sizeof *data);
    self->data = data;
    if (!data)
        return fail(err, RD_ENOMEM, "out of host memory");
    const char *how = self->text[1] ? self->text[1] : "";
    const uint64_t wanted = self->number[1] >> VALUE_BITS, value = self->number[1] & ((1u << VALUE_BITS) - 1);
    data->device = device;
    data->options = (rd_heap_options){.size = sizeof data->options,
                                      .node = (uint32_t)(self->number[0] == SWEEP_NODE ? value : wanted_node),
                                      .lanes = (uint32_t)wanted_lanes,
                                      .groups = (uint32_t)wanted_groups,
                                      .batch = (uint32_t)wanted_batch,
                                      .keys = strcmp(how, "signed") == 0 ? RD_HEAP_SIGNED
                                              : strcmp(how, "real") == 0 ? RD_HEAP_REAL
                                                                         : RD_HEAP_UNSIGNED,
                                      .method = strcmp(how, "above") == 0      ? RD_HEAP_ABOVE
                                                : strcmp(how, "pipeline") == 0 ? RD_HEAP_PIPELINE
                                                                               : RD_HEAP_BELOW};
    data->action = (enum action)(self->number[2] & 15);
    data->initial = self->number[2] >> 4;
    data->keys = wanted ? wanted : info->is_gpu ? gpu_keys : cpu_keys;
    if (data->action >= SERIAL_INSERT && data->keys > serial_keys)
        data->keys = serial_keys;
    if (data->options.node && data->options.node < 32 && data->keys > small_keys)
        data->keys = small_keys;
    if (self->number[0] == SWEEP_GROUPS && RD_OK != quarters(self, data, value, err))
        return err->status;
    rd_status status = data->action < SERIAL_INSERT ? by_node(self, data, value, err) : RD_OK;
    if (status != RD_OK)
        return status;
    const uint64_t all = data->keys + data->initial;
    if (check_memory(all, info, err) != RD_OK)
        return RD_ENOMEM;
    data->in = malloc(4 * all);
    data->out = malloc(4 * all);
    if (!data->in || !data->out)
        return fail(err, RD_ENOMEM, "out of host memory for the keys; try fewer with --keys");
    make_keys(data, self->text[0]);
    data->options.capacity = all;
    return data->action >= SERIAL_INSERT ? RD_OK : rd_heap_open(device, &data->options, &data->heap, err);
}

/* A binary heap of the same keys, by one thread of the host. */
static rd_status run_serial(heap_case *data, bench_sample *sample, rd_error *err)
{
    binary_heap heap;
    if (!binary_heap_init(&heap, data->keys))
        return fail(err, RD_ENOMEM, "out of host memory for the binary heap");
    double began = rd_now();
    for (uint64_t i = 0; i < data->keys; i++)
        binary_heap_insert(&heap, data->in[i]);
    double filled = rd_now();
    for (uint64_t i = 0; i < data->keys; i++)
        data->out[i] = binary_heap_delete(&heap);
    sample->total_s = data->action == SERIAL_INSERT ? filled - began : rd_now() - filled;
    sample->work = data->got = data->keys;
    binary_heap_free(&heap);
    return RD_OK;
}

/* A relaxed queue of as many threads as the host has cores. */
static rd_status run_multi(const bench_case *self, heap_case *data, bench_sample *sample, rd_error *err)
{
    cli_machine machine;
    cli_describe_machine(&machine);
    multi_queue *queue = multi_queue_new(self->threads ? self->threads : machine.cores, data->keys);
    if (!queue)
        return fail(err, RD_ENOMEM, "out of host memory for the multi-queue");
    const double inserted = multi_queue_insert(queue, data->in, data->keys);
    const double deleted = inserted < 0 ? -1 : multi_queue_delete(queue, data->out, data->keys);
    multi_queue_free(queue);
    if (deleted < 0)
        return fail(err, RD_ENOMEM, "a thread of the multi-queue did not start");
    sample->total_s = data->action == MULTI_INSERT ? inserted : deleted;
    sample->work = data->got = data->keys;
    return RD_OK;
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    heap_case *data = self->data;
    rd_heap_info done;
    if (data->action >= MULTI_INSERT)
        return run_multi(self, data, sample, err);
    if (data->action >= SERIAL_INSERT)
        return run_serial(data, sample, err);
    const uint64_t before = data->action == DELETE ? data->initial + data->keys : data->initial;
    rd_status status = rd_heap_clear(data->heap, err);
    if (status == RD_OK && before) /* what is timed is what was called last */
        status = rd_heap_insert(data->heap, data->in, NULL, before, err);
    if (status == RD_OK && data->action == INSERT)
        status = rd_heap_insert(data->heap, data->in + before, NULL, data->keys, err);
    else if (status == RD_OK && data->action == DELETE)
        status = rd_heap_delete(data->heap, data->out, NULL, data->keys, &data->got, err);
    else if (status == RD_OK)
        status = rd_heap_mixed(data->heap, data->in + data->initial, NULL, data->keys, data->out, NULL, data->keys,
                               &data->got, err);
    if (status == RD_OK)
        status = rd_heap_get_info(data->heap, &done, err);
    if (status != RD_OK)
        return status;
    data->info = done;
    sample->kernel_s = done.kernel_s;
    sample->total_s = done.total_s;
    sample->work = data->action == MIXED ? 2 * data->keys : data->keys;
    snprintf(self->note, sizeof self->note, "k %u, %u groups of %u", done.node, done.groups, done.lanes);
    return RD_OK;
}

static int is_greater(rd_heap_keys keys, const uint32_t *a, const uint32_t *b)
{
    float p, q;
    memcpy(&p, a, sizeof p);
    memcpy(&q, b, sizeof q);
    return keys == RD_HEAP_REAL ? p > q : keys == RD_HEAP_SIGNED ? (int32_t)*a > (int32_t)*b : *a > *b;
}

static int is_ascending(const heap_case *data, const uint32_t *key, uint64_t n)
{
    for (uint64_t i = 1; i < n; i++)
        if (is_greater(data->options.keys, &key[i - 1], &key[i]))
            return 0;
    return 1;
}

/* Sums that tell whether two arrays hold the same keys, in whatever order. */
static void add_sums(const uint32_t *key, uint64_t n, uint64_t sum[2])
{
    for (uint64_t i = 0; i < n; i++) {
        sum[0] += key[i];
        sum[1] += random_key(key[i]);
    }
}

/* Takes out what is left and compares all that came out with all that went in. Proved are the counts, the order of each
 * phase and the sums. */
static rd_status check_case(bench_case *self, rd_error *err)
{
    heap_case *data = self->data;
    const uint64_t all = data->keys + data->initial;
    uint64_t sum[2] = {0, 0}, out_sum[2] = {0, 0}, got = data->got, rest = 0;
    rd_status status = RD_OK;
    if (data->action == INSERT)
        got = 0;
    if (data->action < SERIAL_INSERT)
        status = rd_heap_delete(data->heap, data->out + got, NULL, all - got, &rest, err);
    if (status != RD_OK)
        return status;
    if (got + rest != all)
        return fail(err, RD_EWRONG, "not all keys came out");
    if (data->action != MIXED && data->action < MULTI_INSERT && !is_ascending(data, data->out, all))
        return fail(err, RD_EWRONG, "keys came out in the wrong order");
    if (!is_ascending(data, data->out + got, rest))
        return fail(err, RD_EWRONG, "the keys left came out in the wrong order");
    add_sums(data->in, all, sum);
    add_sums(data->out, all, out_sum);
    if (sum[0] != out_sum[0] || sum[1] != out_sum[1])
        return fail(err, RD_EWRONG, "other keys came out than went in");
    return RD_OK;
}

static void describe(const bench_case *self, rd_json *json)
{
    const heap_case *data = self->data;
    rd_json_text(json, "order", self->text[0]);
    rd_json_u64(json, "keys", data->keys);
    if (data->action == MIXED || data->initial)
        rd_json_u64(json, "initial_keys", data->initial);
    if (data->action >= SERIAL_INSERT)
        return;
    if (self->text[1])
        rd_json_text(json, "variant", self->text[1]);
    rd_json_u64(json, "node", data->info.node);
    rd_json_u64(json, "groups", data->info.groups);
    rd_json_u64(json, "lanes", data->info.lanes);
    rd_json_u64(json, "merges", data->info.merges);
    rd_json_u64(json, "skips", data->info.skips);
    rd_json_u64(json, "levels", data->info.levels);
    rd_json_u64(json, "handovers", data->info.handovers);
}

static void close_case(bench_case *self)
{
    heap_case *data = self->data;
    if (data) {
        rd_heap_close(data->heap);
        free(data->in);
        free(data->out);
    }
    free(data);
    self->data = NULL;
}

static const cli_option options[] = {
    {"keys", 0, "N", "keys of a run; several times for several sizes [1M; on GPUs 64M]", ID_KEYS},
    {"node", 0, "K", "items in a node: 1, 2, 4, ... 2048 [the device's default]", ID_NODE},
    {"lanes", 0, "N", "lanes in a group [the device's default]", ID_LANES},
    {"groups", 0, "N", "groups that work at once [as many as are resident]", ID_GROUPS},
    {"batch", 0, "N", "keys of one insertion [those of a node]", ID_BATCH},
    {NULL, 0, NULL, NULL, 0},
};

static int take(int id, const char *value)
{
    static uint64_t *const number[] = {NULL, NULL, &wanted_node, &wanted_lanes, &wanted_groups, &wanted_batch};
    static const char *const name[] = {NULL, "keys", "node", "lanes", "groups", "batch"};
    static const uint64_t most[] = {0, 1ull << 36, 2048, 1024, 1 << 20, 2048};
    if (id == ID_KEYS && wanted_sizes == SIZES_MAX)
        return cli_usage("bench", "at most %d sizes at a time", SIZES_MAX);
    uint64_t *const at = id == ID_KEYS ? &wanted_keys[wanted_sizes++] : number[id];
    return cli_take_u64("bench", name[id], value, 1, most[id], at) ? 0 : CLI_BAD_USAGE;
}

/* One case for each size. */
static rd_status add(bench_list *list, const char *name, const char *order, const char *how, enum action action,
                     uint64_t initial, uint64_t sweep, uint64_t value, rd_error *err)
{
    bench_case item = {.unit = "keys",
                       .optional = sweep == SWEEP_GROUPS,
                       .open = open_case,
                       .run = run_case,
                       .check = check_case,
                       .describe = describe,
                       .close = close_case};
    rd_status status = RD_OK;
    for (uint64_t i = 0; status == RD_OK && i < (wanted_sizes ? wanted_sizes : 1); i++) {
        if (wanted_sizes > 1)
            snprintf(item.name, sizeof item.name, "%s, %llu keys", name, (unsigned long long)wanted_keys[i]);
        else
            snprintf(item.name, sizeof item.name, "%s", name);
        item.text[0] = order;
        item.text[1] = how;
        item.number[0] = sweep;
        item.number[1] = value | wanted_keys[i] << VALUE_BITS;
        item.number[2] = (uint64_t)action | initial << 4;
        status = bench_add(list, &item, err);
    }
    return status;
}

static rd_status add_sweep(bench_list *list, const char *what, const char *how, uint64_t sweep, const uint64_t *value,
                           size_t count, rd_error *err)
{
    rd_status status = RD_OK;
    char name[64];
    for (size_t i = 0; i < count; i++)
        for (int action = INSERT; status == RD_OK && action <= DELETE; action++) {
            snprintf(name, sizeof name, "%s/%llu/%s%s%s", what, (unsigned long long)value[i],
                     action == INSERT ? "insert" : "delete", how ? "/" : "", how ? how : "");
            if (!how || action == INSERT) /* deletions are the same whatever inserts */
                status = add(list, name, "random", how, (enum action)action, 0, sweep, value[i], err);
        }
    return status;
}

/* All in, all out, in each order, by each method and by peers. */
static rd_status by_order(bench_list *list, rd_error *err)
{
    static const struct {
        const char *name, *how;
        enum action action;
    } ways[] = {{"insert", NULL, INSERT},
                {"delete", NULL, DELETE},
                {"insert/above", "above", INSERT},
                {"delete/above", "above", DELETE},
                {"pipeline insert", "pipeline", INSERT},
                {"pipeline delete", "pipeline", DELETE},
                {"binary heap insert", NULL, SERIAL_INSERT},
                {"binary heap delete", NULL, SERIAL_DELETE},
                {"multi-queue insert", NULL, MULTI_INSERT},
                {"multi-queue delete", NULL, MULTI_DELETE}};
    rd_status status = RD_OK;
    char name[64];
    for (size_t o = 0; o < sizeof orders / sizeof *orders; o++)
        for (size_t w = 0; status == RD_OK && w < sizeof ways / sizeof *ways; w++) {
            snprintf(name, sizeof name, "%s/%s", orders[o], ways[w].name);
            status = add(list, name, orders[o], ways[w].how, ways[w].action, 0, SWEEP_NONE, 0, err);
        }
    return status;
}

static rd_status mixed_and_kinds(bench_list *list, rd_error *err)
{
    static const uint64_t initial[] = {0, 1 << 20, 8 << 20};
    static const char *const kinds[] = {"signed", "real"};
    rd_status status = RD_OK;
    char name[64];
    for (size_t i = 0; status == RD_OK && i < sizeof initial / sizeof *initial; i++) {
        snprintf(name, sizeof name, "mixed/%lluM", (unsigned long long)initial[i] >> 20);
        status = add(list, name, "random", NULL, MIXED, initial[i], SWEEP_NONE, 0, err);
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (int action = INSERT; status == RD_OK && action <= DELETE; action++) {
            snprintf(name, sizeof name, "%s/%s", kinds[i], action == INSERT ? "insert" : "delete");
            status = add(list, name, "random", kinds[i], (enum action)action, 0, SWEEP_NONE, 0, err);
        }
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const uint64_t node[] = {1, 64, 128, 256, 512, 1024, 2048}, quarters[] = {1, 2, 4, 8},
                          percent[] = {10, 50, 75, 100}, levels[] = {6, 9, 12, 15};
    static const struct {
        const char *what, *how;
        uint64_t sweep;
        const uint64_t *value;
        size_t count;
    } sweeps[] = {{"node", NULL, SWEEP_NODE, node, sizeof node / sizeof *node},
                  {"quarters of a group a unit", NULL, SWEEP_GROUPS, quarters, sizeof quarters / sizeof *quarters},
                  {"quarters of a group a unit", "above", SWEEP_GROUPS, quarters, sizeof quarters / sizeof *quarters},
                  {"percent of a node", NULL, SWEEP_BATCH, percent, sizeof percent / sizeof *percent},
                  {"random parts of percent of a node", NULL, SWEEP_RAGGED, percent + 3, 1},
                  {"levels full before", NULL, SWEEP_LEVELS, levels, sizeof levels / sizeof *levels},
                  {"levels full before", "above", SWEEP_LEVELS, levels, sizeof levels / sizeof *levels}};
    rd_status status = by_order(list, err);
    if (status == RD_OK)
        status = mixed_and_kinds(list, err);
    for (size_t i = 0; status == RD_OK && i < sizeof sweeps / sizeof *sweeps; i++)
        status = add_sweep(list, sweeps[i].what, sweeps[i].how, sweeps[i].sweep, sweeps[i].value, sweeps[i].count, err);
    return status;
}

const bench_suite bench_suite_heap = {
    .name = "heap",
    .summary = "the priority queue: insert all, delete all, both at once, beside others",
    .options = options,
    .take = take,
    .cases = cases,
};
