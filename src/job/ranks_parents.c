/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_parents.c - parents, after a search over several ranks has found what is least for every vertex. An edge u -> v
 * is tight when the word of v is that of u over the edge, and a parent of v is a vertex with a tight edge to it that
 * has a lower word. Who has u has its edges: each rank looks through its own ones, for its own vertices and for ghosts,
 * whose words owners have told it; then owners are told the lowest numbers that were found for ghosts. The lowest of
 * all is the parent: the same on any number of ranks. The source is its own.
 *
 * A word is lower in the parent than in the child, so parents make a tree. Over edges of weight 0, or real ones that
 * are lost in rounding, it is not: a vertex that has no other tight edge has no parent here, which is an error.
 *
 * The checker sends each parent's owner who its child is and which word it has: is there an edge, and does it fit?
 */
#include "job/least.h"

#include "apps/common/called.h"
#include "core/memory.h"

#include <string.h>

typedef struct child {
    uint32_t parent; /* of the part of who owns it */
    uint32_t vertex; /* of the whole graph */
    uint32_t value;
    uint32_t unused;
} child;

static rd_status words_of_all(const rd__part *part, const uint32_t *own, uint32_t **value, rd_error *err)
{
    RD_TRY(rd__array_new(value, "words of ghosts", (uint64_t)part->own + part->ghosts, sizeof **value, err));
    memcpy(*value, own, part->own * sizeof *own);
    return rd__part_refresh(part, *value, sizeof **value, err);
}

/* The lowest parent of own vertices and ghosts, among own vertices. */
static void look_through(const rd__least *run, const uint32_t *value, uint32_t *parent)
{
    const rd__part *part = run->part;
    const rd_csr csr = rd_graph_csr(run->job->graph);
    memset(parent, 0xff, ((uint64_t)part->own + part->ghosts) * sizeof *parent);
    for (uint32_t u = 0; u < part->own; u++)
        for (uint64_t e = csr.row[u]; value[u] != RD_NONE && e < csr.row[u + 1]; e++) {
            const uint32_t v = csr.col[e], number = part->first + u;
            if (value[v] > value[u] && number < parent[v] &&
                value[v] == rd__least_over(run->job->app->ranks, &csr, run->real, value[u], e))
                parent[v] = number;
        }
}

/* What was found for ghosts, to their owners. */
static rd_status tell_owners(const rd__part *part, uint32_t *parent, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(part->ranks);
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    for (uint32_t r = 0; r < ranks; r++)
        deal[r] = (rd__deal){parent + part->own + part->ghost_from[r],
                             4ull * (part->ghost_from[r + 1] - part->ghost_from[r])};
    rd_status status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
        for (uint64_t i = 0; i < deal[ranks + r].bytes / 4; i++) {
            const uint32_t found = ((const uint32_t *)deal[ranks + r].data)[i];
            uint32_t *at = &parent[part->lent[r][i]];
            *at = found < *at ? found : *at;
        }
    rd__deals_free(deal + ranks, ranks);
    rd__free(deal);
    return status;
}

/* All ranks: has every vertex that was reached a parent? */
static rd_status look_for_orphans(const rd__least *run, uint32_t *parent, rd_error *err)
{
    const rd__part *part = run->part;
    rd__tally mine = {{0}, {0}}, all;
    for (uint32_t v = 0; v < part->own; v++) {
        if (run->value[v] == 0 && parent[v] == RD_NONE)
            parent[v] = part->first + v; /* the source; or at distance 0 from it */
        if (run->value[v] == RD_NONE || (parent[v] != RD_NONE && run->value[v]))
            continue;
        mine.sum[0] += run->value[v] == 0;
        mine.sum[1] += run->value[v] != 0;
    }
    RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
    if (all.sum[0] > 1 || all.sum[1])
        return rd__fail(err, RD_EINPUT,
                        "parents on several ranks need edges of positive weight: %llu vertices are reached over others "
                        "only; leave out parents, or use one rank",
                        (unsigned long long)(all.sum[0] - 1 + all.sum[1]));
    return RD_OK;
}

rd_status rd__least_parents(rd__least *run, uint32_t *parent, rd_error *err)
{
    rd__part *part = run->job->graph->part; /* learning who has whose is a cache, not a change of the graph */
    uint32_t *value = NULL, *all = NULL;
    RD_TRY(rd__part_lend(part, err));
    rd_status status = rd__array_new(&all, "parents of ghosts", (uint64_t)part->own + part->ghosts, sizeof *all, err);
    if (status == RD_OK)
        status = words_of_all(part, run->value, &value, err);
    if (status == RD_OK) {
        look_through(run, value, all);
        status = tell_owners(part, all, err);
    }
    if (status == RD_OK)
        status = look_for_orphans(run, all, err);
    if (status == RD_OK)
        memcpy(parent, all, part->own * sizeof *parent);
    run->job->fetched = 1; /* the result is on the host already */
    rd__array_free(value);
    rd__array_free(all);
    return status;
}

/* ---- The checker ---- */

static rd_status add_child(rd__deal *to, const child *one, rd_error *err)
{
    const uint64_t have = to->bytes / sizeof *one;
    if ((have & (have - 1)) == 0) /* room is a power of two */
        RD_TRY(rd__array_grow(&to->data, "children for other ranks", have, have ? 2 * have : 1, sizeof *one, err));
    memcpy((char *)to->data + to->bytes, one, sizeof *one);
    to->bytes += sizeof *one;
    return RD_OK;
}

/* What a rank can see by itself, and what it has to ask others. */
static rd_status ask(const rd__part *part, uint32_t source, const uint32_t *value, const uint32_t *parent,
                     rd__deal *deal, const char *app, rd_error *err)
{
    for (uint32_t v = 0; v < part->own; v++) {
        const uint32_t number = part->first + v, up = parent[v];
        if ((up == RD_NONE) != (value[v] == RD_NONE) || (up != RD_NONE && up >= part->vertices) ||
            (number == source && up != source))
            return rd__fail(err, RD_EWRONG, "%s: vertex %llu has parent %llu", app, rd__called(number), rd__called(up));
        if (up == RD_NONE || number == source)
            continue;
        const uint32_t owner = rd__part_owner(part, up);
        const child one = {up - part->start[owner], number, value[v], 0};
        RD_TRY(add_child(&deal[owner], &one, err));
    }
    return RD_OK;
}

static rd_status answer(rd_job *job, const uint32_t *value, const child *one, rd_error *err)
{
    const rd__part *part = job->graph->part;
    const rd__app_ranks *app = job->app->ranks;
    const rd_csr csr = rd_graph_csr(job->graph);
    const int real = app->real && app->real(job);
    const uint32_t u = one->parent;
    for (uint64_t e = u < part->own ? csr.row[u] : 0; u < part->own && e < csr.row[u + 1]; e++)
        if (rd__part_number(part, csr.col[e]) == one->vertex && value[u] != RD_NONE && value[u] < one->value &&
            rd__least_over(app, &csr, real, value[u], e) == one->value)
            return RD_OK;
    return rd__fail(err, RD_EWRONG, "%s: the way to vertex %llu does not go over vertex %llu, its parent",
                    job->app->info.name, rd__called(one->vertex), rd__called(part->first + u));
}

rd_status rd__check_parents(rd_job *job, const uint32_t *value, const uint32_t *parent, rd_error *err)
{
    const rd__part *part = job->graph->part;
    const uint32_t ranks = rd_ranks_count(part->ranks), asked = job->app->ranks->source(job);
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    rd_status found = ask(part, asked == RD_NONE ? part->hub : asked, value, parent, deal, job->app->info.name, err);
    /* all go on, also when one has found a fault: they wait for each other */
    rd_status status = found == RD_OK || found == RD_EWRONG
                           ? rd__ranks_deal(part->ranks, deal, deal + ranks, found == RD_OK ? err : NULL)
                           : found;
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
        for (uint64_t i = 0; i < deal[ranks + r].bytes / sizeof(child) && found == RD_OK; i++)
            found = answer(job, value, (const child *)deal[ranks + r].data + i, err);
    rd__deals_free(deal, 2 * ranks);
    rd__free(deal);
    return status != RD_OK ? status : found;
}
