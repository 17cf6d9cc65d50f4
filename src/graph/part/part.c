/* SPDX-License-Identifier: Apache-2.0 */
/* part.c - from a slice, rows whose targets are numbers of the whole graph, to a graph with ghosts. A bit for each
 * vertex of the whole graph says which are ends of edges; how many bits lie before one is the ghost's number. */
#include "graph/part/part.h"

#include <string.h>

enum { COPY_BYTES = 1 << 20 };

const rd__part *rd__graph_part(const rd_graph *graph)
{
    return graph ? graph->part : NULL;
}

void rd__part_free(rd__part *part)
{
    if (!part)
        return;
    for (uint32_t r = 0; part->lent && r < rd_ranks_count(part->ranks); r++)
        rd__array_free(part->lent[r]);
    for (uint32_t r = 0; part->lent_mask && r < rd_ranks_count(part->ranks); r++)
        rd__array_free(part->lent_mask[r]);
    rd__free(part->lent);
    rd__free(part->lent_mask);
    rd__array_free(part->with_edges);
    rd__free(part->lent_count);
    rd__free(part->start);
    rd__array_free(part->ghost);
    rd__free(part->ghost_from);
    rd_graph_destroy(part->names);
    rd__part_forget_names(part);
    rd__free(part);
}

/* ---- Cutting ---- */

/* Some at a time, so that a file's pages are not in memory beside their copy. */
static void copy_words(const rd_graph *whole, const void *from, uint64_t count, void *to)
{
    const char *at = from;
    for (uint64_t left = 4 * count, bytes; left; left -= bytes, at += bytes, to = (char *)to + bytes) {
        bytes = left < COPY_BYTES ? left : COPY_BYTES;
        memcpy(to, at, (size_t)bytes);
        rd__graph_drop(whole, at, bytes);
    }
}

static rd_status copy_rows(const rd_graph *whole, const rd__part *part, rd_graph **slice, rd_error *err)
{
    const uint64_t from = whole->row[part->first], edges = whole->row[part->first + part->own] - from;
    uint64_t *row = NULL;
    uint32_t *col = NULL;
    int32_t *weight = NULL;
    rd_status status = rd__array_new(&row, "the row offsets of a part", part->own + 1ull, sizeof *row, err);
    if (status == RD_OK)
        status = rd__array_new(&col, "the edges of a part", edges, sizeof *col, err);
    if (status == RD_OK && whole->weight)
        status = rd__array_new(&weight, "the weights of a part", edges, sizeof *weight, err);
    if (status != RD_OK) {
        rd__array_free(row);
        rd__array_free(col);
        return status;
    }
    for (uint64_t v = 0; v <= part->own; v++)
        row[v] = whole->row[part->first + v] - from;
    rd__graph_drop(whole, whole->row, (whole->vertices + 1ull) * sizeof *row);
    copy_words(whole, whole->col + from, edges, col);
    if (weight)
        copy_words(whole, whole->weight + from, edges, weight);
    return rd__graph_new(part->own, edges, row, col, weight, whole->threads, slice, err);
}

static rd_status copy_names(const rd_graph *whole, rd__part *part, rd_error *err)
{
    if (!whole->ids)
        return RD_OK;
    part->named = 1;
    RD_TRY(rd__array_new(&part->name, "the original vertex numbers", part->own, sizeof *part->name, err));
    copy_words(whole, whole->ids + part->first, 2ull * part->own, part->name);
    return RD_OK;
}

rd_status rd__part_cut(rd_graph **graph, rd_ranks *ranks, rd_error *err)
{
    rd_graph *whole = *graph, *slice = NULL;
    const rd_csr csr = rd_graph_csr(whole);
    rd__part *part = NULL;
    *graph = NULL;
    rd_status status = rd__blocks_of_rows(ranks, &csr, &part, err);
    if (status == RD_OK)
        status = copy_names(whole, part, err);
    if (status == RD_OK)
        status = copy_rows(whole, part, &slice, err);
    if (status == RD_OK) {
        part->symmetric = whole->symmetric;
        slice->part = part;
        slice->first = whole->ids ? 0 : whole->first;
        slice->symmetric = whole->symmetric;
        slice->real = whole->real;
        slice->times = whole->times;
        slice->provenance = whole->provenance;
        whole->provenance = NULL;
        *graph = slice;
    } else {
        rd__part_free(part);
    }
    rd_graph_destroy(whole);
    return status;
}

rd_status rd__part_whole(rd_graph *graph, rd_ranks *ranks, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(graph);
    rd__part *part = NULL;
    RD_TRY(rd__blocks_of_rows(ranks, &csr, &part, err));
    part->ghost_from = rd__calloc(2, sizeof *part->ghost_from);
    if (!part->ghost_from) {
        rd__part_free(part);
        return rd__fail_memory(err, "a part of a graph", 8);
    }
    part->edges = graph->edges;
    part->max_degree = graph->max_degree;
    part->hub = graph->vertices ? graph->hub : RD_NONE;
    part->symmetric = graph->symmetric;
    graph->part = part;
    return RD_OK;
}

/* ---- Ghosts ---- */

/* How many bits are set before that of v. */
static uint32_t bits_before(const uint64_t *bit, const uint32_t *before, uint32_t v)
{
    return before[v / 64] + (uint32_t)__builtin_popcountll(bit[v / 64] & ((1ull << v % 64) - 1));
}

static rd_status list_ghosts(rd__part *part, const uint64_t *bit, uint64_t words, rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    RD_TRY(rd__array_new(&part->ghost, "ghosts of a part", part->ghosts, sizeof *part->ghost, err));
    part->ghost_from = rd__calloc(count + 1ull, sizeof *part->ghost_from);
    if (!part->ghost_from)
        return rd__fail_memory(err, "ghosts of a part", 4 * (count + 1ull));
    uint32_t at = 0;
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t left = bit[w]; left; left &= left - 1)
            part->ghost[at++] = (uint32_t)(64 * w + (uint64_t)__builtin_ctzll(left));
    at = 0;
    for (uint32_t r = 0; r < count; r++) {
        while (at < part->ghosts && part->ghost[at] < part->start[r])
            at++;
        part->ghost_from[r] = at;
    }
    part->ghost_from[count] = part->ghosts;
    return RD_OK;
}

/* Numbers of the whole graph become those of the part, and ghosts get empty rows. */
static rd_status renumber(rd_graph *slice, rd__part *part, uint64_t *bit, uint32_t *before, uint64_t words,
                          rd_error *err)
{
    memset(bit, 0, words * sizeof *bit);
    for (uint64_t e = 0; e < slice->edges; e++)
        if (slice->col[e] - part->first >= part->own) {
            bit[slice->col[e] / 64] |= 1ull << slice->col[e] % 64;
            part->remote++;
        }
    for (uint64_t w = 0; w < words; w++) {
        before[w] = part->ghosts;
        part->ghosts += (uint32_t)__builtin_popcountll(bit[w]);
    }
    if ((uint64_t)part->own + part->ghosts > RD_VERTEX_MAX)
        return rd__fail(err, RD_EINPUT, "a part has more than %u vertices and ghosts; use more ranks", RD_VERTEX_MAX);
    RD_TRY(list_ghosts(part, bit, words, err));
    const uint32_t vertices = part->own + part->ghosts;
    RD_TRY(rd__array_grow(&slice->row, "the row offsets of a part", part->own + 1ull, vertices + 1ull,
                          sizeof *slice->row, err));
    for (uint64_t v = part->own; v < vertices; v++)
        slice->row[v + 1] = slice->edges;
    slice->vertices = vertices;
    for (uint64_t e = 0; e < slice->edges; e++) {
        const uint32_t v = slice->col[e], mine = v - part->first;
        slice->col[e] = mine < part->own ? mine : part->own + bits_before(bit, before, v);
    }
    return RD_OK;
}

/* Ghosts go behind own vertices in each row, both in order: so a row is in the order of the part's numbers, as a whole
 * graph's is, and who looks at the first few edges (cc) sees own vertices first. */
static rd_status own_first(rd_graph *slice, const rd__part *part, rd_error *err)
{
    uint32_t *ghost = NULL;
    int32_t *weight = NULL;
    rd_status status = rd__array_new(&ghost, "ghosts of a row", slice->max_degree, sizeof *ghost, err);
    if (status == RD_OK)
        status = rd__array_new(&weight, "weights of a row", slice->weight ? slice->max_degree : 0, sizeof *weight, err);
    for (uint32_t v = 0; v < part->own && status == RD_OK; v++) {
        uint64_t to = slice->row[v], ghosts = 0;
        for (uint64_t e = slice->row[v]; e < slice->row[v + 1]; e++) {
            const int is_ghost = slice->col[e] >= part->own;
            uint32_t *place = is_ghost ? &ghost[ghosts] : &slice->col[to];
            *place = slice->col[e];
            if (slice->weight)
                *(is_ghost ? &weight[ghosts] : &slice->weight[to]) = slice->weight[e];
            ghosts += (uint64_t)is_ghost;
            to += !is_ghost;
        }
        memcpy(&slice->col[to], ghost, ghosts * sizeof *ghost);
        if (slice->weight)
            memcpy(&slice->weight[to], weight, ghosts * sizeof *weight);
    }
    rd__array_free(ghost);
    rd__array_free(weight);
    return status;
}

/* Of the part alone, while ghosts have no rows. */
static void find_hub(rd_graph *slice)
{
    slice->hub = 0;
    slice->max_degree = 0;
    for (uint32_t v = 0; v < slice->vertices; v++)
        if (slice->row[v + 1] - slice->row[v] > slice->max_degree) {
            slice->max_degree = slice->row[v + 1] - slice->row[v];
            slice->hub = v;
        }
}

/* What the whole graph is, from what each rank knows. The hub is the lowest of those with the highest degree. */
static rd_status agree_on_whole(rd_graph *slice, rd__part *part, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    mine.sum[0] = slice->edges;
    mine.most[0] = slice->max_degree;
    RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
    part->edges = all.sum[0];
    part->max_degree = all.most[0];
    const int has_hub = part->own && slice->max_degree == part->max_degree;
    mine.most[0] = has_hub ? ~(uint64_t)(part->first + slice->hub) : 0;
    RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
    part->hub = part->vertices ? (uint32_t)~all.most[0] : RD_NONE;
    part->symmetric = slice->symmetric;
    slice->symmetric = 0; /* edges to ghosts have no reverse here */
    return RD_OK;
}

rd_status rd__part_close(rd_graph **graph, rd_error *err)
{
    rd_graph *slice = *graph;
    rd__part *part = slice->part;
    const uint64_t words = ((uint64_t)part->vertices + 63) / 64;
    uint64_t *bit = NULL;
    uint32_t *before = NULL;
    find_hub(slice);
    rd_status status = agree_on_whole(slice, part, err);
    if (status == RD_OK)
        status = rd__array_new(&bit, "a bit for each vertex", words, sizeof *bit, err);
    if (status == RD_OK)
        status = rd__array_new(&before, "counts of bits", words, sizeof *before, err);
    if (status == RD_OK)
        status = renumber(slice, part, bit, before, words, err);
    if (status == RD_OK)
        status = own_first(slice, part, err);
    rd__array_free(bit);
    rd__array_free(before);
    if (status != RD_OK) {
        rd_graph_destroy(slice);
        *graph = NULL;
    }
    return status;
}

/* ---- Who has whose ---- */

rd_status rd__part_lend(rd__part *part, rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    if (part->lent)
        return RD_OK;
    rd__deal *deal = rd__calloc(2ull * count, sizeof *deal);
    part->lent = rd__calloc(count, sizeof *part->lent);
    part->lent_count = rd__calloc(count, sizeof *part->lent_count);
    if (!deal || !part->lent || !part->lent_count) {
        rd__free(deal);
        return rd__fail_memory(err, "notes on other ranks", 2ull * count * sizeof *deal);
    }
    for (uint32_t r = 0; r < count && part->ghost; r++) /* else nothing is borrowed from anyone: deal is zeroed */
        deal[r] = (rd__deal){part->ghost + part->ghost_from[r], 4ull * (part->ghost_from[r + 1] - part->ghost_from[r])};
    const rd_status status = rd__ranks_deal(part->ranks, deal, deal + count, err);
    for (uint32_t r = 0; r < count && status == RD_OK; r++) {
        part->lent[r] = deal[count + r].data;
        part->lent_count[r] = deal[count + r].bytes / 4;
        for (uint64_t i = 0; i < part->lent_count[r]; i++)
            part->lent[r][i] -= part->first;
    }
    rd__free(deal);
    return status;
}

/* Those of a list, one behind the other. */
static void pick_values(const void *value, size_t size, const uint32_t *list, uint64_t count, void *to)
{
    if (size == sizeof(uint32_t)) /* words: a copy of any size is a call each */
        for (uint64_t i = 0; i < count; i++)
            ((uint32_t *)to)[i] = ((const uint32_t *)value)[list[i]];
    else
        for (uint64_t i = 0; i < count; i++)
            memcpy((char *)to + i * size, (const char *)value + list[i] * size, size);
}

/* deal: room for what goes to each rank, and for what comes from each. */
static rd_status refresh(const rd__part *part, void *value, size_t size, const rd__sum *sum, rd__deal *deal,
                         rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    uint64_t lent = 0;
    char *out = NULL;
    for (uint32_t r = 0; r < count; r++)
        lent += part->lent_count[r];
    RD_TRY(rd__array_new(&out, "values for other ranks", lent, size, err));
    lent = 0;
    for (uint32_t r = 0; r < count; r++) {
        deal[r] = (rd__deal){out + lent * size, part->lent_count[r] * size};
        pick_values(value, size, part->lent[r], part->lent_count[r], deal[r].data);
        lent += part->lent_count[r];
        deal[count + r] = (rd__deal){(char *)value + (part->own + (size_t)part->ghost_from[r]) * size,
                                     (part->ghost_from[r + 1] - part->ghost_from[r]) * size};
    }
    const rd_status status = rd__ranks_fill(part->ranks, deal, deal + count, sum, err);
    rd__array_free(out);
    return status;
}

rd_status rd__part_refresh_and_sum(const rd__part *part, void *value, size_t size, const rd__sum *sum, rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    rd__deal *deal = rd__calloc(2ull * count, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * count * sizeof *deal);
    const rd_status status = refresh(part, value, size, sum, deal, err);
    rd__free(deal);
    return status;
}

rd_status rd__part_refresh(const rd__part *part, void *value, size_t size, rd_error *err)
{
    return rd__part_refresh_and_sum(part, value, size, NULL, err);
}
