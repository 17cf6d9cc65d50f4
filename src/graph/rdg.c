/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdg.c - what reader and writer of .rdg share: the placing of sections and the checksum.
 *
 * The checksum hashes blocks of 1 MiB on their own (four interleaved multiply-and-rotate chains over 64-bit words, as
 * memory is faster than one chain) and adds up the blocks' hashes, each mixed with its number. It finds damage; it is
 * no defence against malice.
 */
#include "graph/rdg.h"

#include "core/hash.h"
#include "core/parallel.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

static uint64_t align(uint64_t at)
{
    return (at + RD_RDG_ALIGN - 1) / RD_RDG_ALIGN * RD_RDG_ALIGN;
}

void rd__rdg_place(rd__rdg_header *header)
{
    uint64_t at = sizeof *header;
    header->row_at = at;
    at = align(at + 8 * ((uint64_t)header->vertices + 1));
    header->col_at = at;
    at = align(at + 4 * header->edges);
    header->weight_at = header->flags & RD_RDG_WEIGHTS ? at : 0;
    at = header->flags & RD_RDG_WEIGHTS ? align(at + 4 * header->edges) : at;
    header->ids_at = header->flags & RD_RDG_IDS ? at : 0;
    at = header->flags & RD_RDG_IDS ? align(at + 8 * (uint64_t)header->vertices) : at;
    header->text_at = at;
    header->file_bytes = at + header->text_bytes;
}

uint64_t rd__rdg_header_sum(const rd__rdg_header *header)
{
    return rd__checksum(1, header, offsetof(rd__rdg_header, header_sum), 1);
}

static uint64_t rotate(uint64_t x)
{
    return x << 29 | x >> 35;
}

static uint64_t block_hash(const unsigned char *data, size_t bytes)
{
    uint64_t lane[4] = {1, 2, 3, 4}, word[4];
    size_t i = 0;
    for (; i + sizeof word <= bytes; i += sizeof word) {
        memcpy(word, data + i, sizeof word);
        for (int k = 0; k < 4; k++)
            lane[k] = rotate(lane[k] ^ word[k]) * RD_GOLDEN;
    }
    memset(word, 0, sizeof word);
    if (i < bytes)
        memcpy(word, data + i, bytes - i);
    uint64_t hash = bytes;
    for (int k = 0; k < 4; k++)
        hash = rd__mix64(hash + rotate(lane[k] ^ word[k]) * RD_GOLDEN);
    return hash;
}

struct summing {
    const unsigned char *data;
    uint64_t bytes;
    atomic_ullong sum;
};

static void sum_blocks(void *arg, unsigned index, unsigned threads)
{
    struct summing *summing = arg;
    uint64_t block, last, sum = 0;
    rd__share((summing->bytes + BLOCK_BYTES - 1) / BLOCK_BYTES, index, threads, &block, &last);
    for (; block < last; block++) {
        uint64_t from = block * BLOCK_BYTES, left = summing->bytes - from;
        uint64_t hash = block_hash(summing->data + from, (size_t)(left < BLOCK_BYTES ? left : BLOCK_BYTES));
        sum += rd__mix64(hash + (block + 1) * RD_GOLDEN);
    }
    atomic_fetch_add(&summing->sum, sum);
}

uint64_t rd__checksum(uint64_t sum, const void *data, uint64_t bytes, unsigned threads)
{
    struct summing summing = {.data = data, .bytes = bytes};
    rd__parallel(bytes < 4 * BLOCK_BYTES ? 1 : threads, sum_blocks, &summing);
    return rd__mix64(rd__mix64(sum + RD_GOLDEN) + atomic_load(&summing.sum));
}

uint64_t rd__rdg_content_sum(const rd_graph *graph)
{
    const uint64_t n = graph->vertices, m = graph->edges;
    uint64_t sum = rd__checksum(0, graph->row, 8 * (n + 1), graph->threads);
    sum = rd__checksum(sum, graph->col, 4 * m, graph->threads);
    if (graph->weight)
        sum = rd__checksum(sum, graph->weight, 4 * m, graph->threads);
    if (graph->ids)
        sum = rd__checksum(sum, graph->ids, 8 * n, graph->threads);
    return sum;
}
