/* SPDX-License-Identifier: Apache-2.0 */
/* deal.c - edges that ranks have, each some of all, go to those who own their sources. First all count where the
 * sources are, so that blocks can be cut; then edges travel, once, some at a time: what a rank has shrinks while its
 * part grows, so that it never needs much more memory than for one of the two. Its own edges go from one to the other
 * without being copied in between. A turn is a small part of all that travels: it is in memory some four times, as
 * what is sent, the transport's copy of it, what has come and the message that it came in.
 *
 * A record is the two ends of an edge and, in a weighted graph, its weight: words of 32 bits. */
#include "graph/part/part.h"

#include <string.h>

enum {
    TURNS = 32,
    TURN_LEAST = 256 << 10,
    TURN_MOST = 16 << 20
}; /* bytes that a rank has in a turn, or a chunk more */

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

typedef struct dealing {
    const rd__part *part;
    const rd__bag *bag;
    rd__builder *mine;
    walk at;
    uint64_t turn;  /* bytes */
    uint32_t words; /* of a record */
    char *out;      /* what is sent in a turn: memory that comes and goes would leave holes between what stays */
} dealing;

static int keep(rd__builder *mine, uint64_t turn, uint32_t source, uint32_t target, int32_t weight)
{
    return rd__bag_add(&mine->bag, &mine->bag.lane[turn % mine->bag.lanes], source, target, weight);
}

/* Counts what is for whom in the next chunks, until it is enough for a turn. */
static void count_out(const dealing *all, rd__deal *out)
{
    const rd__part *part = all->part;
    uint32_t owner = 0;
    uint64_t bytes = 0;
    walk at = all->at;
    for (const rd__chunk *chunk = chunk_at(all->bag, &at); chunk && bytes < all->turn;
         chunk = chunk_at(all->bag, &at)) {
        at.chunk = chunk->next;
        for (uint32_t i = 0; i < chunk->count; i++) {
            const uint32_t source = (uint32_t)(chunk->edge[i] >> 32);
            if (source < part->start[owner] || source >= part->start[owner + 1])
                owner = rd__part_owner(part, source);
            out[owner].bytes += 4ull * all->words;
        }
        bytes += 4ull * all->words * chunk->count;
    }
}

/* Copies the same; what is this rank's own stays here. @return 0 when there is no memory. */
static int copy_out(dealing *all, rd__deal *out)
{
    const rd__part *part = all->part;
    const uint32_t own = rd_ranks_rank(part->ranks);
    uint32_t owner = 0;
    uint64_t bytes = 0;
    for (rd__chunk *chunk = chunk_at(all->bag, &all->at); chunk && bytes < all->turn;
         chunk = chunk_at(all->bag, &all->at)) {
        all->at.chunk = chunk->next; /* read before the memory is given back */
        for (uint32_t i = 0; i < chunk->count; i++) {
            const uint32_t source = (uint32_t)(chunk->edge[i] >> 32), target = (uint32_t)chunk->edge[i];
            const int32_t weight = chunk->weight ? chunk->weight[i] : 0;
            if (source < part->start[owner] || source >= part->start[owner + 1])
                owner = rd__part_owner(part, source);
            if (owner == own) {
                if (!keep(all->mine, i, source - part->first, target, weight))
                    return 0;
                continue;
            }
            uint32_t *to = (uint32_t *)out[owner].data + out[owner].bytes / 4;
            to[0] = source;
            to[1] = target;
            if (chunk->weight)
                to[2] = (uint32_t)weight;
            out[owner].bytes += 4ull * all->words;
        }
        bytes += 4ull * all->words * chunk->count;
        rd__bag_release(all->bag, chunk);
    }
    return 1;
}

static rd_status take_in(const dealing *all, const rd__deal *in, rd_error *err)
{
    const rd__part *part = all->part;
    for (uint32_t r = 0; r < rd_ranks_count(part->ranks); r++) {
        const uint32_t *edge = in[r].data;
        for (uint64_t i = 0; i < in[r].bytes / (4ull * all->words); i++, edge += all->words)
            if (!keep(all->mine, i, edge[0] - part->first, edge[1], all->words > 2 ? (int32_t)edge[2] : 0))
                return rd__fail_memory(err, "the edges of a part of a graph", in[r].bytes);
    }
    return RD_OK;
}

/* One turn: some of the edges of each rank travel. deal: twice as many as ranks, all empty; what came is to be freed
 * by the caller. */
static rd_status deal_some(dealing *all, rd__deal *deal, rd_error *err)
{
    const uint32_t count = rd_ranks_count(all->part->ranks), own = rd_ranks_rank(all->part->ranks);
    count_out(all, deal);
    deal[own].bytes = 0;
    for (uint32_t r = 0, at = 0; r < count; r++) {
        deal[r].data = all->out + at;
        at += (uint32_t)deal[r].bytes;
        deal[r].bytes = 0;
    }
    if (!copy_out(all, deal))
        return rd__fail_memory(err, "the edges of a part of a graph", all->turn);
    RD_TRY(rd__ranks_deal(all->part->ranks, deal, deal + count, err));
    return take_in(all, deal + count, err);
}

/* All ranks take as many turns as the one that has most: one more may be without edges. */
static rd_status agree_on_turns(dealing *all, uint64_t *turns, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, most;
    for (unsigned b = 0; b < all->bag->buckets; b++)
        mine.most[0] += 4ull * all->words * rd__bag_count(all->bag, b);
    RD_TRY(rd__ranks_tally(all->part->ranks, &mine, &most, err));
    all->turn = most.most[0] / TURNS;
    all->turn = all->turn < TURN_LEAST ? TURN_LEAST : all->turn > TURN_MOST ? TURN_MOST : all->turn;
    *turns = most.most[0] / all->turn + 1;
    return RD_OK;
}

static rd_status deal_all(const rd__part *part, const rd__bag *bag, rd__builder *mine, rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    rd__deal *deal = rd__calloc(2ull * count, sizeof *deal);
    dealing all = {.part = part, .bag = bag, .mine = mine, .at = begin_walk(bag, part), .words = bag->weighted ? 3 : 2};
    uint64_t turns = 0;
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * count * sizeof *deal);
    rd_status status = agree_on_turns(&all, &turns, err);
    if (status == RD_OK)
        status = rd__array_new(&all.out, "edges for other ranks", all.turn + bag->chunk_bytes, 1, err);
    for (uint64_t turn = 0; turn < turns && status == RD_OK; turn++) {
        status = deal_some(&all, deal, err);
        rd__deals_free(deal + count, count);
        memset(deal, 0, count * sizeof *deal);
    }
    rd__array_free(all.out);
    rd__free(deal);
    return status;
}

/* Of the edges of this rank's own rows. */
static rd_status create_own(const rd__builder *drawn, const rd__part *part, rd__builder *mine, rd_error *err)
{
    rd_graph_options options = drawn->options;
    options.symmetrize = 0; /* done, edge by edge, as were loops and renumbering */
    options.permute = 0;
    options.ranks = NULL; /* these rows are all there is */
    RD_TRY(rd__builder_create(mine, part->own, drawn->bag.weighted, 0, &options, err));
    mine->mirror = drawn->mirror; /* remembered: the graph is symmetric. Nothing is added by way of it */
    mine->first = drawn->options.permute ? 0 : drawn->first;
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

/* *builder becomes one with the edges of the own rows. On failure it is destroyed. */
static rd_status deal(rd__builder *builder, rd__part **part, rd_error *err)
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

/* Which names there are follows from the numbers: each rank deals out some. */
static rd__naming share_numbers(const rd__builder *builder)
{
    uint64_t from, to;
    rd__share(builder->vertices, rd_ranks_rank(builder->options.ranks), rd_ranks_count(builder->options.ranks), &from,
              &to);
    return (rd__naming){.from = (uint32_t)from, .count = (uint32_t)(to - from), .first = builder->first};
}

rd_status rd__part_build(rd__builder *builder, const rd__naming *names, rd_graph **graph, rd_error *err)
{
    const rd_graph_options options = builder->options;
    const rd__permutation permutation = builder->permutation;
    rd__naming naming = names ? *names : share_numbers(builder);
    naming.permutation = options.permute ? &permutation : NULL;
    rd__part *part;
    RD_TRY(deal(builder, &part, err));
    rd_status status = rd__builder_finish(builder, NULL, graph, err);
    if (status == RD_OK)
        (*graph)->part = part;
    else
        rd__part_free(part);
    if (status != RD_OK || options.own_numbers || !(names || options.permute))
        return status;
    status = rd__part_call(part, &naming, err);
    if (status != RD_OK) {
        rd_graph_destroy(*graph);
        *graph = NULL;
    }
    return status;
}

rd_status rd__part_or_whole(rd__builder *builder, int shared, rd_graph **graph, rd_error *err)
{
    return shared ? rd__part_build(builder, NULL, graph, err) : rd__builder_finish(builder, NULL, graph, err);
}
