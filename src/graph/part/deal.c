/* SPDX-License-Identifier: Apache-2.0 */
/* deal.c - edges that ranks have drawn, each some of all, go to those who own their sources. First all count where the
 * sources are, so that blocks can be cut; then edges travel once. */
#include "graph/part/part.h"

#include <string.h>

static void count_bins(const rd__bag *bag, unsigned shift, uint64_t *work)
{
    for (unsigned lane = 0; lane < bag->lanes; lane++)
        for (unsigned b = 0; b < bag->buckets; b++)
            for (const rd__chunk *chunk = bag->lane[lane].cursor[b].chunk; chunk; chunk = chunk->next)
                for (uint32_t i = 0; i < chunk->count; i++)
                    work[chunk->edge[i] >> 32 >> shift]++;
}

/* Counts, or with room (out[r].data) also copies, what is for whom. */
static void sort_out(const rd__part *part, const rd__bag *bag, rd__deal *out, int copy)
{
    uint32_t owner = 0;
    for (unsigned b = 0; b < bag->buckets; b++) /* in order of sources, nearly: the owner is mostly the same */
        for (unsigned lane = 0; lane < bag->lanes; lane++)
            for (rd__chunk *chunk = bag->lane[lane].cursor[b].chunk, *next; chunk; chunk = next) {
                next = chunk->next; /* read before the memory is given back */
                for (uint32_t i = 0; i < chunk->count; i++) {
                    const uint32_t source = (uint32_t)(chunk->edge[i] >> 32);
                    if (source < part->start[owner] || source >= part->start[owner + 1])
                        owner = rd__part_owner(part, source);
                    if (copy)
                        ((uint64_t *)out[owner].data)[out[owner].bytes / 8] = chunk->edge[i];
                    out[owner].bytes += 8;
                }
                if (copy)
                    rd__bag_release(bag, chunk);
            }
}

static rd_status send_out(const rd__part *part, const rd__bag *bag, rd__deal *deal, rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    sort_out(part, bag, deal, 0);
    for (uint32_t r = 0; r < count; r++) {
        RD_TRY(rd__array_new(&deal[r].data, "edges for other ranks", deal[r].bytes, 1, err));
        deal[r].bytes = 0;
    }
    sort_out(part, bag, deal, 1);
    return rd__ranks_deal(part->ranks, deal, deal + count, err);
}

static rd_status take_in(rd__builder *builder, const rd__part *part, const rd__deal *in, rd_error *err)
{
    for (uint32_t r = 0; r < rd_ranks_count(part->ranks); r++) {
        const uint64_t *edge = in[r].data;
        for (uint64_t i = 0; i < in[r].bytes / 8; i++)
            if (!rd__bag_add(&builder->bag, &builder->bag.lane[i % builder->bag.lanes],
                             (uint32_t)(edge[i] >> 32) - part->first, (uint32_t)edge[i], 0))
                return rd__fail_memory(err, "the edges of a part of a graph", in[r].bytes);
    }
    return RD_OK;
}

rd_status rd__part_deal(rd__builder *builder, rd__part **part, rd_error *err)
{
    rd_ranks *ranks = builder->options.ranks;
    const uint32_t count = rd_ranks_count(ranks);
    const int mirror = builder->mirror;
    unsigned shift;
    const uint32_t bins = rd__blocks_bins(ranks, builder->vertices, &shift);
    uint64_t *work = rd__calloc(bins + 1ull, sizeof *work);
    rd__deal *deal = rd__calloc(2ull * count, sizeof *deal);
    rd_status status = rd__bag_seal(&builder->bag, err);
    *part = NULL;
    if (status == RD_OK && (!work || !deal))
        status = rd__fail_memory(err, "edges by vertices", bins * sizeof *work);
    if (status == RD_OK) {
        count_bins(&builder->bag, shift, work);
        status = rd__blocks_of_bins(ranks, builder->vertices, work, bins, shift, part, err);
    }
    if (status == RD_OK)
        status = send_out(*part, &builder->bag, deal, err);
    rd_graph_options options = builder->options;
    rd__builder_destroy(builder);
    options.symmetrize = 0; /* done, edge by edge, as were loops and renumbering */
    options.permute = 0;
    if (status == RD_OK)
        status = rd__builder_create(builder, (*part)->own, 0, 0, &options, err);
    if (status == RD_OK) {
        builder->mirror = mirror; /* remembered: the graph is symmetric. Nothing is added by way of it */
        status = take_in(builder, *part, deal + count, err);
        if (status != RD_OK)
            rd__builder_destroy(builder);
    }
    if (deal)
        rd__deals_free(deal, 2 * count);
    rd__free(deal);
    rd__free(work);
    if (status != RD_OK) {
        rd__part_free(*part);
        *part = NULL;
    }
    return status;
}
