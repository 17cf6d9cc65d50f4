/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crowd.c - see crowd.h. The measure is the mean square of the edges of a run over the square of their mean: 1 where
 * all runs have as many, and where hubs have random numbers hardly more, as each run has its share of them (kron:20
 * 1.08, a crawl with shuffled numbers 1.02); 1.3 to 12 where hubs lie together, by age, by degree or by host. On an
 * H200 what lies above CROWDED is up to 3 times as fast when runs are scattered, and what lies below up to a quarter
 * slower, as neighbours in number have neighbours in common (docs/performance.md).
 */
#include "sched/bsp/crowd.h"

static const double CROWDED = 1.15;
enum { LOOKS = 512, MANY = 1024 };

/* A vertex of very many edges does not count: whoever has it is long at it, whatever else it has. */
static double edges_of_run(const rd_csr *csr, uint64_t begin, uint64_t end)
{
    uint64_t edges = 0;
    for (uint64_t v = begin; v < end; v++) {
        const uint64_t degree = csr->row[v + 1] - csr->row[v];
        edges += degree > MANY ? 0 : degree;
    }
    return (double)edges;
}

int rd__sweep_is_crowded(const rd_csr *csr, uint32_t lanes)
{
    const uint64_t runs = csr->vertices / lanes; /* whole ones: the rest has less than its share in any case */
    const uint64_t step = runs / LOOKS + 1;
    double count = 0, sum = 0, squares = 0;
    for (uint64_t at = 0; at < runs; at += step) {
        const uint64_t any = at + (at * 0x9e3779b97f4a7c15u >> 32) % step; /* what comes at regular distances is seen */
        const uint64_t run = any < runs ? any : at;
        const double edges = edges_of_run(csr, run * lanes, (run + 1) * lanes);
        count++;
        sum += edges;
        squares += edges * edges;
    }
    return squares * count > CROWDED * sum * sum;
}
