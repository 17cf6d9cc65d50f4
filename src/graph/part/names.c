/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.c - what vertices are called, where that is any number: each rank keeps the names of its own vertices, and
 * others are asked when somebody wants to know. A few that were asked for are remembered, for reports; rank 0 gets all
 * when it is to write them.
 *
 * Names come from whoever knows some of them, and go to the owners of their vertices a few at a time, as records of
 * three words: the vertex, and its name's lower and upper half.
 */
#include "graph/part/part.h"

#include <string.h>

enum { TURN = 1 << 15, WORDS = 3, TOGETHER = RD_TALLY_SUMS };

void rd__part_forget_names(rd__part *part)
{
    rd__array_free(part->name);
    rd__array_free(part->known);
    rd__array_free(part->known_name);
    part->name = part->known_name = NULL;
    part->known = NULL;
    part->known_count = 0;
    part->named = 0;
}

static uint32_t number_of(const rd__naming *names, uint64_t i)
{
    const uint32_t number = names->from + (uint32_t)i;
    return names->permutation ? rd__permuted(names->permutation, number) : number;
}

/* Names at .. end - 1 of this rank, in a message for each owner. */
static void sort_out(const rd__part *part, const rd__naming *names, uint64_t at, uint64_t end, uint32_t *out,
                     rd__deal *deal)
{
    const uint32_t ranks = rd_ranks_count(part->ranks);
    for (int copy = 0; copy < 2; copy++) {
        for (uint64_t i = at; i < end; i++) {
            const uint32_t vertex = number_of(names, i);
            const uint64_t name = names->name ? names->name[i] : (uint64_t)names->from + i + names->first;
            rd__deal *to = &deal[rd__part_owner(part, vertex)];
            if (copy) {
                uint32_t *word = (uint32_t *)to->data + to->bytes / sizeof *word;
                word[0] = vertex;
                word[1] = (uint32_t)name;
                word[2] = (uint32_t)(name >> 32);
            }
            to->bytes += WORDS * sizeof *out;
        }
        for (uint32_t r = 0; r < ranks && !copy; r++) {
            deal[r].data = out;
            out += deal[r].bytes / sizeof *out;
            deal[r].bytes = 0;
        }
    }
}

static rd_status take_in(const rd__part *part, const rd__deal *in, rd_error *err)
{
    for (uint32_t r = 0; r < rd_ranks_count(part->ranks); r++) {
        const uint32_t *word = in[r].data;
        for (uint64_t i = 0; i < in[r].bytes / (WORDS * sizeof *word); i++, word += WORDS) {
            if (word[0] - part->first >= part->own)
                return rd__fail(err, RD_EDEVICE, "rank %u sent the name of vertex %u, which is not here", r, word[0]);
            part->name[word[0] - part->first] = (uint64_t)word[2] << 32 | word[1];
        }
    }
    return RD_OK;
}

rd_status rd__part_call(rd__part *part, const rd__naming *names, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(part->ranks);
    rd__tally mine = {{0}, {names->count}}, all;
    uint32_t *out = NULL;
    part->named = 1;
    RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
    RD_TRY(rd__array_new(&part->name, "the original vertex numbers", part->own, sizeof *part->name, err));
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    rd_status status = deal ? RD_OK : rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    if (status == RD_OK)
        status = rd__array_new(&out, "names for other ranks", (uint64_t)TURN * WORDS, sizeof *out, err);
    for (uint64_t at = 0; at < all.most[0] && status == RD_OK; at += TURN) {
        const uint64_t from = at < names->count ? at : names->count;
        memset(deal, 0, ranks * sizeof *deal);
        sort_out(part, names, from, names->count - from < TURN ? names->count : from + TURN, out, deal);
        status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
        if (status == RD_OK)
            status = take_in(part, deal + ranks, err);
        rd__deals_free(deal + ranks, ranks);
    }
    rd__array_free(out);
    rd__free(deal);
    return status;
}

uint64_t rd__part_called(const rd__part *part, uint32_t vertex)
{
    if (vertex - part->first < part->own)
        return part->name[vertex - part->first];
    for (uint32_t i = 0; i < part->known_count; i++)
        if (part->known[i] == vertex)
            return part->known_name[i];
    return UINT64_MAX;
}

uint32_t rd__part_find_own(const rd__part *part, uint64_t name)
{
    for (uint32_t v = 0; v < part->own; v++)
        if (part->name[v] == name)
            return part->first + v;
    return RD_NONE;
}

static rd_status remember(rd__part *part, const uint32_t *vertex, const uint64_t *name, uint32_t count, rd_error *err)
{
    const uint32_t have = part->known_count;
    RD_TRY(rd__array_grow(&part->known, "names of vertices", have, have + (uint64_t)count, sizeof *part->known, err));
    RD_TRY(rd__array_grow(&part->known_name, "names of vertices", have, have + (uint64_t)count,
                          sizeof *part->known_name, err));
    memcpy(part->known + have, vertex, count * sizeof *vertex);
    memcpy(part->known_name + have, name, count * sizeof *name);
    part->known_count += count;
    return RD_OK;
}

rd_status rd__part_learn(rd__part *part, const uint32_t *vertex, uint32_t count, rd_error *err)
{
    for (uint32_t at = 0; at < count && part->named; at += TOGETHER) {
        const uint32_t some = count - at < TOGETHER ? count - at : TOGETHER;
        rd__tally mine = {{0}, {0}}, all;
        for (uint32_t i = 0; i < some; i++)
            if (vertex[at + i] - part->first < part->own)
                mine.sum[i] = part->name[vertex[at + i] - part->first]; /* nobody else has it: the sum is the name */
        RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
        RD_TRY(remember(part, vertex + at, all.sum, some, err));
    }
    return RD_OK;
}

/* At rank 0: the names of all, as their owners come one after another. */
static rd_status gather(rd_graph *graph, rd_error *err)
{
    const rd__part *part = graph->part;
    const uint32_t ranks = rd_ranks_count(part->ranks);
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    deal[0] = (rd__deal){part->name, part->own * sizeof *part->name};
    rd_status status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
    if (status == RD_OK && rd_ranks_rank(part->ranks) == 0 && !graph->ids) {
        status = rd__array_new(&graph->ids, "the original vertex numbers", part->vertices, sizeof *graph->ids, err);
        for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
            if (deal[ranks + r].bytes)
                memcpy(graph->ids + part->start[r], deal[ranks + r].data, (size_t)deal[ranks + r].bytes);
    }
    rd__deals_free(deal + ranks, ranks);
    rd__free(deal);
    return status;
}

rd_status rd_graph_part_find(const rd_graph *graph, uint64_t name, uint32_t *vertex, rd_error *err)
{
    if (!graph || !vertex)
        return rd__fail(err, RD_EARG, "rd_graph_part_find needs a graph and a place for the vertex");
    rd__part *part = graph->part; /* what is learnt is a cache, not a change of the graph */
    *vertex = rd_graph_find(graph, name);
    if (!part || !part->named)
        return RD_OK;
    const uint32_t own = rd__part_find_own(part, name);
    rd__tally mine = {{0}, {own == RD_NONE ? 0 : ~(uint64_t)own}}, all;
    RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
    *vertex = all.most[0] ? (uint32_t)~all.most[0] : RD_NONE;
    return *vertex == RD_NONE ? RD_OK : remember(part, vertex, &name, 1, err);
}

rd_status rd_graph_part_learn(rd_graph *graph, const uint32_t *vertex, uint32_t count, rd_error *err)
{
    if (!graph || (!vertex && count))
        return rd__fail(err, RD_EARG, "rd_graph_part_learn needs a graph, and vertices if it is to learn of some");
    if (!graph->part || !graph->part->named)
        return RD_OK;
    return vertex ? rd__part_learn(graph->part, vertex, count, err) : gather(graph, err);
}
