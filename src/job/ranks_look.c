/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_look.c - searches over several ranks look through all words of their own vertices between two windows: what
 * waits, what is to run next, what was reached. Depths lie in no order in memory, so a branch on one is guessed wrong
 * half of the time and costs more than all the rest; nothing here branches on a word. Vertices are taken 64 at a time,
 * a bit each, and by as many threads as the device has where there is enough for them.
 */
#include "job/least.h"

#include "core/bits.h"
#include "core/parallel.h"

enum { EACH_THREAD = 1 << 16 };

typedef struct look {
    const rd__least *run;
    uint64_t vertices; /* the first of the part, own ones and then ghosts */
    uint32_t from, to; /* words */
    const uint64_t *row;
    uint64_t *bit;
    /* added up by threads when they end, relaxed; read when all have ended */
    uint64_t settled, edges, left, count;
    uint32_t least, most;
} look;

static void in_threads(look *at, void (*fn)(void *arg, unsigned index, unsigned threads))
{
    const rd_device *device = at->run->job->device;
    const uint32_t most = (uint32_t)(at->vertices / EACH_THREAD) + 1;
    const uint32_t cores = device->caps.shares_host ? device->info.compute_units : 1;
    rd__parallel(cores < most ? (cores ? cores : 1) : most, fn, at);
}

/* A share of the vertices that begins with a whole word of bits. */
static void share_of(const look *at, unsigned index, unsigned threads, uint64_t *from, uint64_t *to)
{
    rd__share(rd__bit_words(at->vertices), index, threads, from, to);
    *from *= 64;
    *to = *to * 64 < at->vertices ? *to * 64 : at->vertices;
}

static void lower(uint32_t *word, uint32_t to)
{
    uint32_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (to < now && !__atomic_compare_exchange_n(word, &now, to, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

static void raise(uint32_t *word, uint32_t to)
{
    uint32_t now = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (to > now && !__atomic_compare_exchange_n(word, &now, to, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

/* ---- What waits ---- */

static void count_waiting(void *arg, unsigned index, unsigned threads)
{
    look *at = arg;
    const uint64_t *row = rd_graph_csr(at->run->job->graph).row;
    const uint32_t *value = at->run->value, limit = at->run->limit;
    uint64_t from, to, settled = 0, done = 0, left = 0;
    uint32_t least = RD_NONE;
    share_of(at, index, threads, &from, &to);
    for (uint64_t v = from; v < to; v++) {
        const uint64_t degree = row[v + 1] - row[v], below = value[v] < limit, none = value[v] == RD_NONE;
        const uint32_t word = value[v] | (uint32_t) - (int32_t)below; /* RD_NONE of those that do not wait */
        settled += below;
        done += degree & (0 - below);
        left += degree & (0 - none);
        least = word < least ? word : least;
    }
    __atomic_fetch_add(&at->settled, settled, __ATOMIC_RELAXED);
    __atomic_fetch_add(&at->left, left, __ATOMIC_RELAXED);
    __atomic_fetch_add(&at->edges, from < to ? row[to] - row[from] - done - left : 0, __ATOMIC_RELAXED);
    lower(&at->least, least);
}

void rd__least_look(rd__least *run)
{
    look at = {.run = run, .vertices = run->part->own, .least = RD_NONE};
    in_threads(&at, count_waiting);
    run->waiting = at.least == RD_NONE ? UINT64_MAX : at.least;
    run->settled = at.settled;
    run->edges = at.edges;
    run->left = at.left;
    run->looked = 1;
}

/* ---- Bits of words ---- */

/* Of vertices whose words are within bounds; where there are rows, of those that have edges. */
static void set_bits(void *arg, unsigned index, unsigned threads)
{
    look *at = arg;
    const uint64_t *row = at->row;
    const uint32_t *value = at->run->value, first = at->from, wide = at->to - at->from;
    uint64_t from, to;
    share_of(at, index, threads, &from, &to);
    for (uint64_t v = from; v < to; v += 64) {
        const uint64_t end = to - v < 64 ? to - v : 64;
        uint64_t word = 0;
        for (uint64_t i = 0; i < end; i++)
            word |= (uint64_t)((value[v + i] - first < wide) & (!row || row[v + i] < row[v + i + 1])) << i;
        at->bit[v / 64] = word;
    }
}

void rd__least_bits(const rd__least *run, uint64_t vertices, uint32_t from, uint32_t to, uint64_t *bit)
{
    look at = {.run = run, .vertices = vertices, .from = from, .to = to, .bit = bit};
    in_threads(&at, set_bits);
}

void rd__least_bare(const rd__least *run, uint64_t *bit)
{
    look at = {.run = run,
               .vertices = run->part->own,
               .from = RD_NONE, /* that word alone */
               .to = RD_NONE + 1u,
               .row = rd_graph_csr(run->job->graph).row,
               .bit = bit};
    in_threads(&at, set_bits);
}

/* ---- What was reached ---- */

static void count_reached(void *arg, unsigned index, unsigned threads)
{
    look *at = arg;
    const uint32_t *value = at->run->value;
    uint64_t from, to, count = 0;
    uint32_t most = 0;
    share_of(at, index, threads, &from, &to);
    for (uint64_t v = from; v < to; v++) {
        const uint32_t beyond = value[v] + 1; /* 0: not reached */
        count += beyond != 0;
        most = beyond > most ? beyond : most;
    }
    __atomic_fetch_add(&at->count, count, __ATOMIC_RELAXED);
    raise(&at->most, most);
}

uint64_t rd__least_reached(const rd__least *run, uint32_t *farthest)
{
    look at = {.run = run, .vertices = run->part->own};
    in_threads(&at, count_reached);
    *farthest = at.most ? at.most - 1 : 0;
    return at.count;
}
