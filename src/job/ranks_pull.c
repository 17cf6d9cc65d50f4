/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_pull.c - levels of a search over several ranks that go against the edges (S. Beamer, K. Asanovic, D. Patterson:
 * Direction-optimizing breadth-first search, SC 2012; in parts: S. Beamer and others, MTAAP 2013). When the level at
 * hand has most of the edges, most of what it would offer is refused. The other way round, every rank asks of its
 * vertices that nobody has come to whether one of their neighbours is of the level: the first will do. Who is of the
 * level is all that ranks have to tell each other before: ranks_levels.c.
 *
 * Whether a neighbour has been come to at all is as good a question: had it been before this level, the vertex would
 * have been come to by now.
 */
#include "job/least.h"

#include "core/bits.h"
#include "core/parallel.h"

enum { EACH_THREAD = 1 << 14 };

typedef struct level {
    rd__least *run;
    rd_csr csr;
    uint64_t looks, found, edges; /* atomic: added up by threads, relaxed, and read when all have ended */
} level;

/* A share of the own vertices, by whole words of bits. What other shares find is not looked at: the bits of those that
 * are known, which nobody writes meanwhile, say all. */
static void look_for_neighbours(void *arg, unsigned index, unsigned threads)
{
    level *at = arg;
    rd__least *run = at->run;
    rd__levels *levels = &run->levels;
    const uint64_t *known = levels->known, *row = at->csr.row;
    const uint32_t *col = at->csr.col, depth = run->limit + 1;
    uint64_t from, to, looks = 0, found = 0, edges = 0;
    rd__share(rd__bit_words(run->part->own), index, threads, &from, &to);
    for (uint64_t w = from; w < to; w++) {
        uint64_t has = 0;
        if (w + 1 < to)
            rd__levels_fetch_ahead(&at->csr, levels->bare, w + 1);
        for (uint64_t left = levels->bare[w]; left; left &= left - 1) {
            const uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(left), end = row[v + 1];
            uint64_t e = row[v];
            while (e < end && !rd__bit_at(known, col[e]))
                e++;
            looks += e - row[v] + (e < end);
            if (e == end)
                continue;
            run->value[v] = depth;
            has |= left & -left;
            edges += end - row[v];
            found++;
        }
        levels->next[w] = has;
        levels->bare[w] &= ~has;
    }
    __atomic_fetch_add(&at->looks, looks, __ATOMIC_RELAXED);
    __atomic_fetch_add(&at->found, found, __ATOMIC_RELAXED);
    __atomic_fetch_add(&at->edges, edges, __ATOMIC_RELAXED);
}

uint64_t rd__levels_pull(rd__least *run, uint64_t *edges, uint64_t *looks)
{
    level at = {.run = run, .csr = rd_graph_csr(run->job->graph)};
    const uint32_t cores = run->job->device->info.compute_units, most = run->part->own / EACH_THREAD + 1;
    rd__parallel(cores < most ? (cores ? cores : 1) : most, look_for_neighbours, &at);
    *edges += at.edges;
    *looks += at.looks;
    return at.found;
}
