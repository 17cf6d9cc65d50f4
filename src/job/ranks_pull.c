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

/* For each rank, of the own vertices that it has as ghosts, their bits. */
static rd_status pack(const rd__part *part, const uint64_t *own, rd__deal *deal, rd_error *err)
{
    for (uint32_t r = 0; r < rd_ranks_count(part->ranks); r++) {
        const uint64_t count = part->lent_count[r];
        const uint32_t *lent = part->lent[r];
        unsigned char *bit = NULL;
        RD_TRY(rd__array_new(&bit, "bits for another rank", bits_bytes(count), 1, err));
        deal[r] = (rd__deal){bit, bits_bytes(count)};
        for (uint64_t i = 0; i < count; i += 8) {
            const uint64_t end = count - i < 8 ? count - i : 8;
            uint64_t byte = 0;
            for (uint64_t k = 0; k < end; k++)
                byte |= (own[lent[i + k] / 64] >> lent[i + k] % 64 & 1) << k;
            bit[i / 8] = (unsigned char)byte;
        }
    }
    return RD_OK;
}

/* Eight ghosts, or fewer at the end. Owners of those whose bit is set need no record of them; and, with `front`, they
 * are of the level. */
static void take_byte(rd__least *run, uint64_t ghost, uint64_t count, uint64_t byte, uint64_t *front)
{
    const uint64_t v = run->part->own + ghost, shift = v % 64;
    for (uint64_t k = 0; k < count; k++)
        run->sent[ghost + k] &= (uint32_t)(byte >> k & 1) - 1;
    if (!front)
        return;
    front[v / 64] |= byte << shift;
    if (shift > 56)
        front[v / 64 + 1] |= byte >> (64 - shift);
}

static rd_status unpack(rd__least *run, const rd__deal *deal, uint64_t *front, rd_error *err)
{
    const rd__part *part = run->part;
    for (uint32_t r = 0; r < rd_ranks_count(run->ranks); r++) {
        const uint64_t from = part->ghost_from[r], count = part->ghost_from[r + 1] - from;
        const unsigned char *bit = deal[r].data;
        if (deal[r].bytes != bits_bytes(count))
            return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes of bits, for %llu ghosts", r,
                            (unsigned long long)deal[r].bytes, (unsigned long long)count);
        for (uint64_t i = 0; i < count; i += 8)
            if (bit[i / 8])
                take_byte(run, from + i, count - i < 8 ? count - i : 8, bit[i / 8], front);
    }
    return RD_OK;
}

/* `bit` has those of the own vertices; the ghosts' are added, where they are wanted. */
static rd_status tell_bits(rd__least *run, uint64_t *bit, int want_ghosts, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(run->ranks);
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    rd_status status = pack(run->part, bit, deal, err);
    for (uint32_t r = 0; r < ranks; r++) /* as much as so many records */
        run->records += deal[r].bytes / sizeof(rd__record);
    if (status == RD_OK)
        status = rd__ranks_deal(run->ranks, deal, deal + ranks, err);
    if (status == RD_OK)
        status = unpack(run, deal + ranks, want_ghosts ? bit : NULL, err);
    rd__deals_free(deal, 2 * ranks);
    rd__free(deal);
    return status;
}

/* ---- The level ---- */

/* Before the first of several levels: which of the own vertices are of it, and which nobody has come to. Each level
 * leaves them for the next. */
static rd_status begin(rd__least *run, rd_error *err)
{
    const uint64_t own = ((uint64_t)run->part->own + 63) / 64;
    const uint64_t words = ((uint64_t)run->part->own + run->part->ghosts) / 64 + 2;
    if (!run->front) {
        RD_TRY(rd__array_new(&run->front, "bits of a level", words, sizeof *run->front, err));
        RD_TRY(rd__array_new(&run->next, "bits of the next level", own, sizeof *run->next, err));
        RD_TRY(rd__array_new(&run->bare, "bits of vertices without a depth", own, sizeof *run->bare, err));
    }
    rd__least_bits(run, run->limit, run->limit + 1, run->next);
    rd__least_bits(run, RD_NONE, 0, run->bare);
    return RD_OK;
}

void rd__least_end_pull(rd__least *run)
{
    rd__array_free(run->front);
    rd__array_free(run->next);
    rd__array_free(run->bare);
    run->front = run->next = run->bare = NULL;
}

typedef struct level {
    rd__least *run;
    rd_csr csr;
    uint64_t looks, found, edges; /* atomic: added up by threads, relaxed, and read when all have ended */
} level;

/* A share of the own vertices, by whole words of bits. Depths of other shares are not looked at: the bits of the level,
 * which nobody writes meanwhile, say all. */
static void look_for_neighbours(void *arg, unsigned index, unsigned threads)
{
    level *at = arg;
    rd__least *run = at->run;
    const uint64_t *front = run->front, *row = at->csr.row;
    const uint32_t *col = at->csr.col;
    uint64_t from, to, looks = 0, found = 0, edges = 0;
    rd__share(((uint64_t)run->part->own + 63) / 64, index, threads, &from, &to);
    for (uint64_t w = from; w < to; w++) {
        uint64_t has = 0;
        for (uint64_t left = run->bare[w]; left; left &= left - 1) {
            const uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(left), end = row[v + 1];
            uint64_t e = row[v];
            while (e < end && !(front[col[e] / 64] >> col[e] % 64 & 1))
                e++;
            looks += e - row[v] + (e < end);
            if (e == end)
                continue;
            run->value[v] = run->limit + 1;
            has |= left & -left;
            edges += end - row[v];
        }
        run->next[w] = has;
        run->bare[w] &= ~has;
        found += (uint64_t)__builtin_popcountll(has);
    }
    __atomic_fetch_add(&at->looks, looks, __ATOMIC_RELAXED);
    __atomic_fetch_add(&at->found, found, __ATOMIC_RELAXED);
    __atomic_fetch_add(&at->edges, edges, __ATOMIC_RELAXED);
}

rd_status rd__least_pull(rd__least *run, rd_report *report, rd_error *err)
{
    const rd__part *part = run->part;
    const uint64_t own = ((uint64_t)part->own + 63) / 64, words = ((uint64_t)part->own + part->ghosts) / 64 + 2;
    const uint32_t cores = run->job->device->info.compute_units, most = part->own / EACH_THREAD + 1;
    uint64_t tasks = 0;
    if (!run->pulled)
        RD_TRY(begin(run, err));
    memcpy(run->front, run->next, own * sizeof *run->front);
    memset(run->front + own, 0, (words - own) * sizeof *run->front);
    for (uint64_t w = 0; w < own; w++)
        tasks += (uint64_t)__builtin_popcountll(run->front[w]);
    RD_TRY(tell_bits(run, run->front, 1, err));
    level at = {.run = run, .csr = rd_graph_csr(run->job->graph)};
    rd__parallel(cores < most ? (cores ? cores : 1) : most, look_for_neighbours, &at);
    report->tasks += tasks;
    report->edges += at.looks;
    run->window_tasks = tasks;
    run->pulled = 1;
    run->pulled_levels++;
    run->limit++;
    run->settled += tasks; /* what rd__least_look would find */
    run->waiting = at.found ? run->limit : UINT64_MAX;
    run->edges = at.edges;
    run->left -= at.edges;
    run->looked = 1;
    return RD_OK;
}

rd_status rd__least_after_pull(rd__least *run, rd_error *err)
{
    const uint64_t own = run->part->own;
    run->pulled = 0;
    for (uint64_t w = 0; 64 * w < own; w++)
        run->front[w] = ~run->bare[w]; /* whoever has a depth; behind the last vertex nobody asks */
    return tell_bits(run, run->front, 0, err);
}
