/* SPDX-License-Identifier: Apache-2.0 */
/* deal.c - edges that ranks have drawn, each some of all, go to those who own their sources. First all count where the
 * sources are, so that blocks can be cut; then edges travel, once, some at a time: what is drawn shrinks while the part
 * grows, so that a rank never needs much more memory than for one of the two. */
#include "graph/part/part.h"

enum { TURN_BYTES = 16 << 20 }; /* that a rank sends in a turn, or a chunk more */

static void count_bins(const rd__bag *bag, unsigned shift, uint64_t *work)
{
    for (unsigned lane = 0; lane < bag->lanes; lane++)
        for (unsigned b = 0; b < bag->buckets; b++)
            for (const rd__chunk *chunk = bag->lane[lane].cursor[b].chunk; chunk; chunk = chunk->next)
                for (uint32_t i = 0; i < chunk->count; i++)
                    work[chunk->edge[i] >> 32 >> shift]++;
}

/* Where a rank is in its bag: the next chunk to be sent. Each begins at the bucket of another owner, so that not all
 * send to the same one. */
typedef struct walk {
    unsigned bucket, lane; /* bucket: of those from `first` on, round about */
    unsigned first;
    rd__chunk *chunk;
} walk;

/* The chunk at hand, or the next one that there is; NULL: none is left. */
static rd__chunk *chunk_at(const rd__bag *bag, walk *at)
{
    while (!at->chunk && at->bucket < bag->buckets) {
        if (++at->lane >= bag->lanes) {
            at->lane = 0;
            at->bucket++;
        }
        if (at->bucket < bag->buckets)
            at->chunk = bag->lane[at->lane].cursor[(at->first + at->bucket) % bag->buckets].chunk;
    }
    return at->chunk;
}

static walk begin_walk(const rd__bag *bag, const rd__part *part)
{
    walk at = {.first = part->first >> bag->shift};
    at.chunk = bag->lane[0].cursor[at.first % bag->buckets].chunk;
    return at;
}

/* Counts what is for whom in the next chunks, until it is enough for a turn; or with room (out[r].data) copies it. */
static void sort_out(const rd__part *part, const rd__bag *bag, walk *at, rd__deal *out, int copy)
{
    uint32_t owner = 0;
    uint64_t bytes = 0;
    for (rd__chunk *chunk = chunk_at(bag, at); chunk && bytes < TURN_BYTES; chunk = chunk_at(bag, at)) {
        at->chunk = chunk->next; /* read before the memory is given back */
        for (uint32_t i = 0; i < chunk->count; i++) {
            const uint32_t source = (uint32_t)(chunk->edge[i] >> 32);
            if (source < part->start[owner] || source >= part->start[owner + 1])
                owner = rd__part_owner(part, source);
            if (copy)
                ((uint64_t *)out[owner].data)[out[owner].bytes / 8] = chunk->edge[i];
            out[owner].bytes += 8;
        }
        bytes += 8ull * chunk->count;
        if (copy)
            rd__bag_release(bag, chunk);
    }
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

/* One turn: some of the edges of each rank travel. deal: twice as many as ranks, all empty. */
static rd_status deal_some(const rd__part *part, const rd__bag *bag, walk *at, rd__builder *mine, rd__deal *deal,
                           rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    walk counted = *at;
    sort_out(part, bag, &counted, deal, 0);
    for (uint32_t r = 0; r < count; r++) {
        RD_TRY(rd__array_new(&deal[r].data, "edges for other ranks", deal[r].bytes, 1, err));
        deal[r].bytes = 0;
    }
    sort_out(part, bag, at, deal, 1);
    RD_TRY(rd__ranks_deal(part->ranks, deal, deal + count, err));
    return take_in(mine, part, deal + count, err);
}

/* All ranks take as many turns as the one that has most: one more may be without edges. */
static rd_status agree_on_turns(rd_ranks *ranks, const rd__bag *bag, uint64_t *turns, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    uint64_t edges = 0;
    for (unsigned b = 0; b < bag->buckets; b++)
        edges += rd__bag_count(bag, b);
    mine.most[0] = 8 * edges / TURN_BYTES + 1;
    RD_TRY(rd__ranks_tally(ranks, &mine, &all, err));
    *turns = all.most[0];
    return RD_OK;
}

static rd_status deal_all(const rd__part *part, const rd__bag *bag, rd__builder *mine, rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    rd__deal *deal = rd__calloc(2ull * count, sizeof *deal);
    walk at = begin_walk(bag, part);
    uint64_t turns = 0;
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * count * sizeof *deal);
    rd_status status = agree_on_turns(part->ranks, bag, &turns, err);
    for (uint64_t turn = 0; turn < turns && status == RD_OK; turn++) {
        status = deal_some(part, bag, &at, mine, deal, err);
        rd__deals_free(deal, 2 * count);
    }
    rd__free(deal);
    return status;
}

/* Of the edges of this rank's own rows. */
static rd_status create_own(const rd__builder *drawn, const rd__part *part, rd__builder *mine, rd_error *err)
{
    rd_graph_options options = drawn->options;
    options.symmetrize = 0; /* done, edge by edge, as were loops and renumbering */
    options.permute = 0;
    RD_TRY(rd__builder_create(mine, part->own, 0, 0, &options, err));
    mine->mirror = drawn->mirror; /* remembered: the graph is symmetric. Nothing is added by way of it */
    return RD_OK;
}

static rd_status cut_blocks(rd__builder *builder, rd__part **part, rd_error *err)
{
    rd_ranks *ranks = builder->options.ranks;
    unsigned shift;
    const uint32_t bins = rd__blocks_bins(ranks, builder->vertices, &shift);
    uint64_t *work = rd__calloc(bins + 1ull, sizeof *work);
    if (!work)
        return rd__fail_memory(err, "edges by vertices", bins * sizeof *work);
    count_bins(&builder->bag, shift, work);
    const rd_status status = rd__blocks_of_bins(ranks, builder->vertices, work, bins, shift, part, err);
    rd__free(work);
    return status;
}

rd_status rd__part_deal(rd__builder *builder, rd__part **part, rd_error *err)
{
    rd__builder mine;
    *part = NULL;
    rd_status status = rd__bag_seal(&builder->bag, err);
    if (status == RD_OK)
        status = cut_blocks(builder, part, err);
    if (status == RD_OK)
        status = create_own(builder, *part, &mine, err);
    if (status == RD_OK) {
        status = deal_all(*part, &builder->bag, &mine, err);
        if (status != RD_OK)
            rd__builder_destroy(&mine);
    }
    rd__builder_destroy(builder);
    if (status == RD_OK) {
        *builder = mine;
        return RD_OK;
    }
    rd__part_free(*part);
    *part = NULL;
    return status;
}
