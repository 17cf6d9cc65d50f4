/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_labels_check.c - proves components that ranks have found (ranks_labels.c), with which it shares nothing but the
 * graph: ends of edges have the same label; no label is above its vertex; and each component of a part is joined, over
 * its own edges and those of other ranks, to a vertex that is its own label.
 *
 * The last in turns: each rank tells owners of its ghosts whether these are, and owners tell all who have a vertex as a
 * ghost; whoever hears that a vertex is takes it for the whole component of its part that the vertex is in, until
 * nobody has heard anything new.
 */
#include "job/ranks.h"

#include "apps/common/called.h"
#include "core/memory.h"

#include <string.h>

typedef struct labels {
    const rd__part *part;
    uint64_t vertices; /* own and ghosts */
    uint32_t *of;      /* of each vertex the component in this part: the number of one of its vertices */
    uint32_t *value;   /* of each component what is told: by `of` */
    uint32_t *word;    /* of each vertex, for sending */
} labels;

static rd_status make(labels *l, rd_graph *graph, rd_error *err)
{
    rd__part *part = graph->part; /* learning who has whose is a cache, not a change of the graph */
    l->part = part;
    l->vertices = (uint64_t)part->own + part->ghosts;
    RD_TRY(rd__part_lend(part, err));
    RD_TRY(rd__array_new(&l->of, "components of a part", l->vertices, sizeof *l->of, err));
    RD_TRY(rd__array_new(&l->value, "labels of a part", l->vertices, sizeof *l->value, err));
    return rd__array_new(&l->word, "labels of vertices", l->vertices, sizeof *l->word, err);
}

static void unmake(labels *l)
{
    rd__array_free(l->of);
    rd__array_free(l->value);
    rd__array_free(l->word);
}

static uint64_t lower(labels *l, uint64_t v, uint32_t value)
{
    uint32_t *at = &l->value[l->of[v]];
    const int is = value < *at;
    *at = is ? value : *at;
    return (uint64_t)is;
}

/* One turn: ghosts to owners, then back. *news: how many labels have changed, over all ranks. */
static rd_status turn(labels *l, uint64_t *news, rd_error *err)
{
    const rd__part *part = l->part;
    const uint32_t ranks = rd_ranks_count(part->ranks);
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    *news = 0;
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    for (uint64_t v = 0; v < l->vertices; v++)
        l->word[v] = l->value[l->of[v]];
    for (uint32_t r = 0; r < ranks; r++)
        deal[r] = (rd__deal){l->word + part->own + part->ghost_from[r],
                             4ull * (part->ghost_from[r + 1] - part->ghost_from[r])};
    rd_status status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
        for (uint64_t i = 0; i < deal[ranks + r].bytes / 4; i++)
            *news += lower(l, part->lent[r][i], ((const uint32_t *)deal[ranks + r].data)[i]);
    rd__deals_free(deal + ranks, ranks);
    rd__free(deal);
    for (uint64_t v = 0; v < part->own && status == RD_OK; v++)
        l->word[v] = l->value[l->of[v]];
    if (status == RD_OK)
        status = rd__part_refresh(part, l->word, sizeof *l->word, err);
    for (uint64_t v = part->own; v < l->vertices && status == RD_OK; v++)
        *news += lower(l, v, l->word[v]);
    return status == RD_OK ? rd_ranks_sum(part->ranks, news, 1, err) : status;
}

static rd_status join_all(labels *l, uint64_t *turns, rd_error *err)
{
    uint64_t news = 1;
    for (*turns = 0; news; ++*turns)
        RD_TRY(turn(l, &news, err));
    return RD_OK;
}

static uint32_t root_of(uint32_t *of, uint32_t v)
{
    while (of[v] != v)
        v = of[v] = of[of[v]];
    return v;
}

/* What is wrong with a vertex or an edge by itself. word: labels of own vertices and ghosts. */
static rd_status check_words(const labels *l, const rd_csr *csr, const char *app, rd_error *err)
{
    for (uint32_t u = 0; u < l->part->own; u++) {
        const uint32_t number = l->part->first + u;
        if (l->word[u] > number)
            return rd__fail(err, RD_EWRONG, "%s: vertex %llu has component %llu, which is above it", app,
                            rd__called(number), rd__called(l->word[u]));
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            if (l->word[u] != l->word[csr->col[e]])
                return rd__fail(err, RD_EWRONG, "%s: vertices %llu and %llu are joined, with components %llu and %llu",
                                app, rd__called(number), rd__called(rd__part_number(l->part, csr->col[e])),
                                rd__called(l->word[u]), rd__called(l->word[csr->col[e]]));
    }
    return RD_OK;
}

/* In `value`, 0 now stands for "joined to a vertex that is its own label", and 1 for not yet. */
static rd_status prove(labels *l, const rd_csr *csr, const uint32_t *found, const char *app, rd_error *err)
{
    uint64_t turns;
    memcpy(l->word, found, l->part->own * sizeof *found);
    RD_TRY(rd__part_refresh(l->part, l->word, sizeof *l->word, err));
    rd_status status = check_words(l, csr, app, err); /* all go on: they wait for each other */
    for (uint32_t v = 0; v < l->vertices; v++)
        l->of[v] = v;
    for (uint32_t u = 0; u < l->part->own; u++)
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            l->of[root_of(l->of, csr->col[e])] = root_of(l->of, u);
    for (uint32_t v = 0; v < l->vertices; v++) {
        l->of[v] = root_of(l->of, v);
        l->value[v] = 1;
    }
    for (uint32_t v = 0; v < l->part->own; v++)
        if (found[v] == l->part->first + v)
            l->value[l->of[v]] = 0;
    RD_TRY(join_all(l, &turns, err));
    for (uint32_t v = 0; v < l->part->own && status == RD_OK; v++)
        if (l->value[l->of[v]])
            status = rd__fail(err, RD_EWRONG, "%s: vertex %llu has component %llu, and is not joined to it", app,
                              rd__called(l->part->first + v), rd__called(found[v]));
    return status;
}

rd_status rd__check_labels(rd_job *job, const uint32_t *found, rd_error *err)
{
    labels l = {0};
    const rd_csr csr = rd_graph_csr(job->graph);
    rd_status status = make(&l, (rd_graph *)(uintptr_t)job->graph, err);
    if (status == RD_OK)
        status = prove(&l, &csr, found, job->app->info.name, err);
    unmake(&l);
    return status;
}
