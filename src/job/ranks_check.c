/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_check.c - proves the result of a search (bfs, sssp) in parts: no rank needs the whole graph, and nothing is
 * used of what made it but the graph. With d the words found, w the weights (1 without), these two prove that d is
 * right:
 *   - the source has 0, and no edge u -> v has d(v) > d(u) + w: then no d is more than the length of any path;
 *   - from the source every vertex that has a word is reached over tight edges, d(v) = d(u) + w: then d is the length
 *     of a path. Going from vertex to vertex, and not looking at each alone, is for edges of weight 0: two vertices
 *     could vouch for each other.
 * Ranks learn the words of their ghosts from the owners, and go over tight edges in turns: each as far as it gets by
 * itself, then all tell the owners which ghosts they came to, until nobody has news.
 */
#include "job/least.h"

#include "apps/common/called.h"
#include "core/memory.h"

#include <string.h>

typedef struct proof {
    const rd__part *part;
    const char *app, *word;
    const rd__app_ranks *how;
    rd_csr csr;
    int real;
    uint32_t *value;       /* own vertices and ghosts */
    unsigned char *proved; /* likewise; of a ghost: its owner was told */
    uint32_t *stack, height;
} proof;

/* What v has at the end of edge e of a vertex that has `from`. */
static uint64_t over(const proof *p, uint32_t from, uint64_t e)
{
    return rd__least_over(p->how, &p->csr, p->real, from, e);
}

/* For people. */
static double number(const proof *p, uint64_t word)
{
    return p->real && word != RD_NONE ? (double)rd_weight_real((int32_t)word) : (double)word;
}

static rd_status check_edges(const proof *p, rd_error *err)
{
    for (uint32_t u = 0; u < p->part->own; u++)
        for (uint64_t e = p->csr.row[u]; p->value[u] != RD_NONE && e < p->csr.row[u + 1]; e++) {
            const uint32_t v = p->csr.col[e];
            if (p->value[v] > over(p, p->value[u], e))
                return rd__fail(err, RD_EWRONG, "%s: vertex %llu has %s %.10g, but over vertex %llu it is at %.10g",
                                p->app, rd__called(rd__part_number(p->part, v)), p->word, number(p, p->value[v]),
                                rd__called(rd__part_number(p->part, u)), number(p, over(p, p->value[u], e)));
        }
    return RD_OK;
}

static void reach(proof *p, uint32_t v)
{
    if (p->proved[v])
        return;
    p->proved[v] = 1;
    if (v < p->part->own)
        p->stack[p->height++] = v;
}

static void go_on(proof *p)
{
    while (p->height) {
        const uint32_t u = p->stack[--p->height];
        for (uint64_t e = p->csr.row[u]; e < p->csr.row[u + 1]; e++)
            if (p->value[p->csr.col[e]] == over(p, p->value[u], e))
                reach(p, p->csr.col[e]);
    }
}

/* One turn: which ghosts were come to, to their owners, as a byte for each. *news: somebody heard of one. */
static rd_status tell(proof *p, int *news, rd_error *err)
{
    const rd__part *part = p->part;
    const uint32_t ranks = rd_ranks_count(part->ranks);
    rd__tally mine = {{0}, {0}}, all = {{0}, {0}};
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    for (uint32_t r = 0; r < ranks; r++)
        deal[r] =
            (rd__deal){p->proved + part->own + part->ghost_from[r], part->ghost_from[r + 1] - part->ghost_from[r]};
    rd_status status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
        for (uint64_t i = 0; i < deal[ranks + r].bytes; i++)
            if (((const unsigned char *)deal[ranks + r].data)[i])
                reach(p, part->lent[r][i]);
    rd__deals_free(deal + ranks, ranks);
    rd__free(deal);
    mine.sum[0] = p->height;
    if (status == RD_OK)
        status = rd__ranks_tally(part->ranks, &mine, &all, err);
    *news = all.sum[0] != 0;
    return status;
}

static rd_status check_reached(const proof *p, uint32_t source, rd_error *err)
{
    const uint32_t at = source - p->part->first;
    if (source != RD_NONE && at < p->part->own && p->value[at] != 0)
        return rd__fail(err, RD_EWRONG, "%s: the source, vertex %llu, has %s %u", p->app, rd__called(source), p->word,
                        p->value[at]);
    for (uint32_t v = 0; v < p->part->own; v++)
        if (p->value[v] != RD_NONE && !p->proved[v])
            return rd__fail(err, RD_EWRONG, "%s: vertex %llu has %s %u, and no path is that long", p->app,
                            rd__called(rd__part_number(p->part, v)), p->word, p->value[v]);
    return RD_OK;
}

/* All do all of it, also when one has found a fault: they wait for each other. */
static rd_status prove(proof *p, uint32_t source, rd_error *err)
{
    int news = 1;
    RD_TRY(rd__part_refresh(p->part, p->value, sizeof *p->value, err));
    rd_status status = check_edges(p, err);
    if (source != RD_NONE && source - p->part->first < p->part->own)
        reach(p, source - p->part->first);
    while (news) {
        go_on(p);
        RD_TRY(tell(p, &news, err));
    }
    return status != RD_OK ? status : check_reached(p, source, err);
}

/* The words as the search had them: of parents they are still where they were found, of floats there is infinity where
 * there is none. */
static rd_status read_words(rd_job *job, const rd_result *result, int real, uint32_t *value, rd_error *err)
{
    const uint32_t own = job->graph->part->own;
    if (result->of_vertices)
        return rd__buffer_read(job->app->ranks->values(job), 0, 4ull * own, value, err);
    memcpy(value, result->word, own * sizeof *value);
    for (uint32_t v = 0; real && v < own; v++)
        if (value[v] == 0x7f800000u)
            value[v] = RD_NONE;
    return RD_OK;
}

rd_status rd__check_least(rd_job *job, const rd_result *result, rd_error *err)
{
    const rd__app_ranks *app = job->app->ranks;
    rd__part *part = job->graph->part; /* learning who has whose is a cache, not a change of the graph */
    const uint64_t vertices = (uint64_t)part->own + part->ghosts;
    const uint32_t asked = app->source(job);
    proof p = {.part = part,
               .app = job->app->info.name,
               .word = app->far,
               .how = app,
               .csr = rd_graph_csr(job->graph),
               .real = app->real && app->real(job)};
    RD_TRY(rd__part_lend(part, err));
    rd_status status = rd__array_new(&p.value, "words of the checker", vertices, sizeof *p.value, err);
    if (status == RD_OK)
        status = rd__array_new(&p.proved, "marks of the checker", vertices, 1, err);
    if (status == RD_OK)
        status = rd__array_new(&p.stack, "the checker's stack", part->own, sizeof *p.stack, err);
    if (status == RD_OK)
        status = read_words(job, result, p.real, p.value, err);
    if (status == RD_OK) {
        memset(p.proved, 0, vertices);
        status = prove(&p, asked == RD_NONE ? part->hub : asked, err);
    }
    if (status == RD_OK || status == RD_EWRONG) {
        rd_error more = {.status = RD_OK};
        const rd_status up = result->of_vertices ? rd__check_parents(job, p.value, result->word, &more) : RD_OK;
        if (status == RD_OK && up != RD_OK)
            status = rd__fail(err, up, "%s", more.text);
    }
    rd__array_free(p.value);
    rd__array_free(p.proved);
    rd__array_free(p.stack);
    return status;
}
