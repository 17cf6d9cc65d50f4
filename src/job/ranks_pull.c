/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_pull.c - levels of a search over several ranks that go against the edges (S. Beamer, K. Asanovic, D. Patterson:
 * Direction-optimizing breadth-first search, SC 2012; in parts: S. Beamer and others, MTAAP 2013). When the level at
 * hand has most of the edges, most of what it would offer is refused, and of what is not each rank would send a record
 * for each ghost. The other way round, owners tell those who have a vertex as a ghost whether it is of the level, a bit
 * each, and every rank asks of its vertices that nobody has come to whether one of their neighbours is: the first will
 * do. Nothing else is sent.
 *
 * Only where edges count 1 and have their reverse, where all ranks' devices have their words in the host's memory (the
 * host looks), and where no window was asked for.
 *
 * Why it is right: all is quiet below the limit, so the vertices that wait are those of depth `limit`, all of them, and
 * their neighbours without a word are those of depth limit + 1.
 */
#include "job/least.h"

#include "core/memory.h"
#include "core/parallel.h"

#include <string.h>

/* A look that finds nothing costs what a claim that is refused does; most looks end early. And what the level costs by
 * itself, bits for all ghosts and a look at all vertices, has to be worth it. */
enum { LOOKS = 14, SHARE = 40, EACH_THREAD = 1 << 14 };

rd_status rd__least_may_pull(rd__least *run, rd_error *err)
{
    uint64_t cannot = run->is_copy || run->job->window || run->job->app->ranks->weighted || !run->part->symmetric;
    run->pulls = 0;
    if (!rd__ranks_many(run->ranks))
        return RD_OK;
    RD_TRY(rd_ranks_sum(run->ranks, &cannot, 1, err));
    run->pulls = !cannot;
    return run->pulls ? rd__part_lend(run->job->graph->part, err) : RD_OK;
}

int rd__least_wants_pull(const rd__least *run, const rd__tally *all)
{
    const uint64_t edges = all->sum[RD__LEAST_EDGES], left = all->sum[RD__LEAST_LEFT];
    return run->pulls && all->most[0] && left && edges > left / LOOKS && edges > run->part->edges / SHARE;
}

/* ---- Bits of lent vertices ---- */

static uint64_t bits_bytes(uint64_t count)
{
    return (count + 7) / 8;
}

/* For each rank, of the own vertices that it has as ghosts: is the word in from .. to? */
static rd_status pack(const rd__least *run, uint32_t from, uint32_t to, rd__deal *deal, rd_error *err)
{
    const rd__part *part = run->part;
    for (uint32_t r = 0; r < rd_ranks_count(run->ranks); r++) {
        const uint64_t count = part->lent_count[r];
        unsigned char *bit = NULL;
        RD_TRY(rd__array_new(&bit, "bits for another rank", bits_bytes(count), 1, err));
        memset(bit, 0, bits_bytes(count));
        deal[r] = (rd__deal){bit, bits_bytes(count)};
        for (uint64_t i = 0; i < count; i++) {
            const uint32_t word = run->value[part->lent[r][i]];
            bit[i / 8] |= (unsigned char)((word >= from && word <= to) << i % 8);
        }
    }
    return RD_OK;
}

/* Owners of these ghosts need no record of them; and, with `front`, they are of the level. */
static rd_status unpack(rd__least *run, const rd__deal *deal, uint64_t *front, rd_error *err)
{
    const rd__part *part = run->part;
    for (uint32_t r = 0; r < rd_ranks_count(run->ranks); r++) {
        const uint64_t from = part->ghost_from[r], count = part->ghost_from[r + 1] - from;
        const unsigned char *bit = deal[r].data;
        if (deal[r].bytes != bits_bytes(count))
            return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes of bits, for %llu ghosts", r,
                            (unsigned long long)deal[r].bytes, (unsigned long long)count);
        for (uint64_t i = 0; i < count; i++) {
            const uint64_t v = part->own + from + i;
            if (!(bit[i / 8] >> i % 8 & 1))
                continue;
            run->sent[from + i] = 0;
            if (front)
                front[v / 64] |= 1ull << v % 64;
        }
    }
    return RD_OK;
}

static rd_status tell_bits(rd__least *run, uint32_t from, uint32_t to, uint64_t *front, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(run->ranks);
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    rd_status status = pack(run, from, to, deal, err);
    for (uint32_t r = 0; r < ranks; r++) /* as much as so many records */
        run->records += deal[r].bytes / sizeof(rd__record);
    if (status == RD_OK)
        status = rd__ranks_deal(run->ranks, deal, deal + ranks, err);
    if (status == RD_OK)
        status = unpack(run, deal + ranks, front, err);
    rd__deals_free(deal, 2 * ranks);
    rd__free(deal);
    return status;
}

/* ---- The level ---- */

typedef struct level {
    const rd__least *run;
    const uint64_t *front; /* a bit a vertex, own ones and ghosts: is it of the level? */
    rd_csr csr;
    uint64_t looks; /* atomic */
} level;

/* A share of the own vertices. Words of other shares are not looked at: the bits say all. */
static void look_for_neighbours(void *arg, unsigned index, unsigned threads)
{
    level *at = arg;
    uint32_t *value = at->run->value;
    uint64_t from, to, looks = 0;
    rd__share(at->run->part->own, index, threads, &from, &to);
    for (uint64_t v = from; v < to; v++) {
        const uint64_t begin = at->csr.row[v], end = value[v] == RD_NONE ? at->csr.row[v + 1] : begin;
        for (uint64_t e = begin; e < end; e++) {
            const uint32_t u = at->csr.col[e];
            looks++;
            if (at->front[u / 64] >> u % 64 & 1) {
                value[v] = at->run->limit + 1;
                break;
            }
        }
    }
    __atomic_fetch_add(&at->looks, looks, __ATOMIC_RELAXED); /* read when all threads have ended */
}

rd_status rd__least_pull(rd__least *run, rd_report *report, rd_error *err)
{
    const rd__part *part = run->part;
    const uint64_t words = ((uint64_t)part->own + part->ghosts) / 64 + 1;
    const uint32_t cores = run->job->device->info.compute_units, most = part->own / EACH_THREAD + 1;
    uint64_t *front = NULL, tasks = 0;
    RD_TRY(rd__array_new(&front, "bits of a level", words, sizeof *front, err));
    memset(front, 0, words * sizeof *front);
    for (uint64_t v = 0; v < part->own; v++)
        if (run->value[v] == run->limit) {
            front[v / 64] |= 1ull << v % 64;
            tasks++;
        }
    rd_status status = tell_bits(run, run->limit, run->limit, front, err);
    level at = {.run = run, .front = front, .csr = rd_graph_csr(run->job->graph)};
    if (status == RD_OK)
        rd__parallel(cores < most ? (cores ? cores : 1) : most, look_for_neighbours, &at);
    rd__array_free(front);
    report->tasks += tasks;
    report->edges += at.looks;
    run->window_tasks = tasks;
    run->pulled = 1;
    run->pulled_levels++;
    run->limit++;
    return status;
}

rd_status rd__least_after_pull(rd__least *run, rd_error *err)
{
    run->pulled = 0;
    return tell_bits(run, 0, RD_NONE - 1, NULL, err);
}
