/* SPDX-License-Identifier: Apache-2.0 */
/*
 * blocks.c - which vertices belong to whom: consecutive ones, cut so that each block has as many edges and vertices as
 * its rank's share says (ranks/shares.c), an edge counted as a vertex. Neighbours in number are often neighbours in the
 * graph (road networks, meshes, web crawls), which dealing vertices out at random would throw away: on a road network
 * nearly every edge would lead to another rank.
 */
#include "graph/part/part.h"

#include <string.h>

enum { BINS = 4096, BINS_A_RANK = 64 };

static rd_status new_part(rd_ranks *ranks, uint32_t vertices, rd__part **out, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks);
    rd__part *part = rd__calloc(1, sizeof *part);
    uint32_t *start = rd__calloc(count + 1ull, sizeof *start);
    if (!part || !start) {
        rd__free(part);
        rd__free(start);
        return rd__fail_memory(err, "a part of a graph", sizeof *part + 4 * (count + 1ull));
    }
    part->ranks = ranks;
    part->vertices = vertices;
    part->hub = RD_NONE;
    part->start = start;
    *out = part;
    return RD_OK;
}

static void settle(rd__part *part)
{
    const uint32_t rank = rd_ranks_rank(part->ranks);
    part->start[rd_ranks_count(part->ranks)] = part->vertices;
    part->first = part->start[rank];
    part->own = part->start[rank + 1] - part->first;
}

uint32_t rd__blocks_bins(const rd_ranks *ranks, uint32_t vertices, unsigned *shift)
{
    const uint64_t wanted = (uint64_t)BINS_A_RANK * rd_ranks_count(ranks);
    const uint64_t most = wanted > BINS ? wanted : BINS;
    *shift = 0;
    while (((uint64_t)vertices >> *shift) >= most)
        ++*shift;
    return (uint32_t)(((uint64_t)vertices + (1ull << *shift) - 1) >> *shift);
}

/* Each rank tells all: some tens of KiB. */
static rd_status add_up(rd_ranks *ranks, const uint64_t *work, uint64_t *sum, uint32_t bins, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks);
    rd__deal *deal = rd__calloc(2ull * count, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * count * sizeof *deal);
    for (uint32_t r = 0; r < count; r++)
        deal[r] = (rd__deal){(void *)(uintptr_t)work, bins * sizeof *work}; /* only read */
    rd_status status = rd__ranks_deal(ranks, deal, deal + count, err);
    memset(sum, 0, bins * sizeof *sum);
    for (uint32_t r = 0; r < count && status == RD_OK; r++)
        for (uint32_t b = 0; b < bins; b++)
            sum[b] += ((const uint64_t *)deal[count + r].data)[b];
    rd__deals_free(deal + count, count);
    rd__free(deal);
    return status;
}

rd_status rd__blocks_of_bins(rd_ranks *ranks, uint32_t vertices, const uint64_t *work, uint32_t bins, unsigned shift,
                             rd__part **out, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks);
    uint64_t *sum, total = 0, before = 0;
    *out = NULL;
    RD_TRY(rd__array_new(&sum, "edges by vertices", bins, sizeof *sum, err));
    rd_status status = add_up(ranks, work, sum, bins, err);
    if (status == RD_OK)
        status = new_part(ranks, vertices, out, err);
    for (uint32_t b = 0; b < bins && status == RD_OK; b++)
        total += sum[b] + (1ull << shift);
    uint32_t r = 1;
    for (uint32_t b = 0; b < bins && status == RD_OK; b++) {
        /* a bin belongs to the rank that its middle falls to */
        const uint64_t each = sum[b] + (1ull << shift), middle = before + each / 2;
        while (r < count && (double)middle >= (double)total * rd__ranks_before(ranks, r))
            (*out)->start[r++] = (uint32_t)((uint64_t)b << shift);
        before += each;
    }
    while (r < count && status == RD_OK)
        (*out)->start[r++] = vertices;
    if (status == RD_OK)
        settle(*out);
    rd__array_free(sum);
    return status;
}

void rd__blocks_cut(const rd_csr *csr, const rd_ranks *ranks, uint32_t count, uint32_t *start)
{
    const double total = (double)csr->edges + csr->vertices;
    start[0] = 0;
    start[count] = csr->vertices;
    for (uint32_t r = 1; r < count; r++) {
        const double before = total * (ranks ? rd__ranks_before(ranks, r) : (double)r / count);
        uint64_t low = start[r - 1], high = before < total ? csr->vertices : 0;
        if (high == 0) /* nobody from here on has anything */
            low = csr->vertices;
        while (low < high) { /* the first vertex before whose middle all of that lies */
            const uint64_t v = low + (high - low) / 2;
            if ((double)csr->row[v] / 2 + (double)csr->row[v + 1] / 2 + (double)v + 0.5 < before)
                low = v + 1;
            else
                high = v;
        }
        start[r] = (uint32_t)low;
    }
}

rd_status rd__blocks_of_rows(rd_ranks *ranks, const rd_csr *csr, rd__part **out, rd_error *err)
{
    RD_TRY(new_part(ranks, csr->vertices, out, err));
    rd__blocks_cut(csr, ranks, rd_ranks_count(ranks), (*out)->start);
    settle(*out);
    return RD_OK;
}

rd_status rd__blocks_own(const rd_csr *csr, rd_ranks *ranks, uint32_t *first, uint32_t *last, rd_error *err)
{
    rd__part *part = NULL;
    RD_TRY(rd__blocks_of_rows(ranks, csr, &part, err));
    *first = part->first;
    *last = part->first + part->own;
    rd__part_free(part);
    return RD_OK;
}

rd_status rd__blocks_given(rd_ranks *ranks, uint32_t vertices, const uint32_t *start, rd__part **out, rd_error *err)
{
    RD_TRY(new_part(ranks, vertices, out, err));
    memcpy((*out)->start, start, rd_ranks_count(ranks) * sizeof *start);
    settle(*out);
    return RD_OK;
}
