/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.c - a priority queue on a device: keys with payloads go in, the least come out, and both at once.
 *
 *     cc heap.c $(pkg-config --cflags --libs raddle) -o heap && ./heap [DEVICE] [KEYS]
 */
#include <raddle.h>

#include <stdio.h>
#include <stdlib.h>

/* Arrives in any order; the payload says when. */
static void fill(uint32_t *key, uint32_t *payload, uint64_t count, uint32_t first)
{
    for (uint64_t i = 0; i < count; i++) {
        payload[i] = first + (uint32_t)i;
        key[i] = payload[i] * 2654435761u; /* scattered over all 32 bits */
    }
}

static rd_status use(rd_heap *heap, uint64_t count, uint32_t *key, uint32_t *payload, rd_error *err)
{
    uint64_t got = 0;
    rd_heap_info info;

    /* Insert a batch of any size: many groups of the device work on it at once. */
    fill(key, payload, count, 0);
    rd_status status = rd_heap_insert(heap, key, payload, count, err);
    /* Insert as many again and delete half of that, at the same time. */
    fill(key, payload, count, (uint32_t)count);
    if (status == RD_OK)
        status = rd_heap_mixed(heap, key, payload, count, key, payload, count / 2, &got, err);
    if (status == RD_OK)
        printf("%llu keys came out while others went in; %llu are left\n", (unsigned long long)got,
               (unsigned long long)rd_heap_size(heap));
    /* The three least. */
    if (status == RD_OK)
        status = rd_heap_delete(heap, key, payload, 3, &got, err);
    for (uint64_t i = 0; status == RD_OK && i < got; i++)
        printf("  key %10u, payload %u\n", key[i], payload[i]);
    /* All the others, in order. */
    if (status == RD_OK)
        status = rd_heap_delete(heap, key, payload, 2 * count, &got, err);
    for (uint64_t i = 1; status == RD_OK && i < got; i++)
        if (key[i - 1] > key[i]) {
            fprintf(stderr, "keys %u and %u came out in the wrong order\n", key[i - 1], key[i]);
            return RD_EWRONG;
        }
    if (status == RD_OK)
        status = rd_heap_get_info(heap, &info, err);
    if (status == RD_OK)
        printf("%llu more in %.3f ms, by %u groups of %u lanes with nodes of %u keys\n", (unsigned long long)got,
               1e3 * info.kernel_s, info.groups, info.lanes, info.node);
    return status;
}

int main(int argc, char **argv)
{
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;
    rd_heap *heap = NULL;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 100000;
    const rd_heap_options options = {.size = sizeof options, .key_bits = 32, .payload_bits = 32, .capacity = count};
    uint32_t *key = malloc(2 * count * sizeof *key + 1), *payload = malloc(2 * count * sizeof *payload + 1);

    rd_status status = key && payload ? RD_OK : RD_ENOMEM;
    if (status == RD_OK)
        status = rd_device_open(argc > 1 ? argv[1] : NULL, NULL, &device, &err);
    if (status == RD_OK)
        status = rd_heap_open(device, &options, &heap, &err);
    if (status == RD_OK)
        status = use(heap, count, key, payload, &err);
    rd_heap_close(heap);
    rd_device_close(device);
    free(key);
    free(payload);
    if (status != RD_OK)
        fprintf(stderr, "%s: %s\n", rd_status_name(status), err.text);
    return rd_status_exit_code(status);
}
