/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_labels.c - connected components over several ranks (cc). Each rank finds the components of its part, ghosts
 * included, by its own engine as on one device. Then ranks join them: a component of a part has a label, the least
 * number (in the whole graph) of its vertices. In turns, each rank tells owners the labels of its ghosts, and owners
 * tell all who have a vertex as a ghost its label; whoever hears of a lower one takes it for the whole component that
 * the vertex is in. When nobody has heard anything new all is done: the labels of an edge's ends are equal on all
 * ranks, and a label is the number of a vertex of the component. There are as many turns as parts lie in a row on the
 * way of a label, not as vertices do: two or three, mostly.
 *
 * The checker shares nothing with this but the graph: ends of edges have the same label; no label is above its vertex;
 * and each component of a part is joined, over its own edges and those of other ranks, to a vertex that is its own
 * label.
 */
#include "job/ranks.h"

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

/* ---- The run ---- */

/* How many vertices a label has is for its owner to add up: pairs of label and count go there. */
static rd_status count_sizes(const labels *l, uint64_t *largest, rd_error *err)
{
    const rd__part *part = l->part;
    const uint32_t ranks = rd_ranks_count(part->ranks);
    uint64_t *count = NULL, *size = NULL, most = 0;
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    rd__tally mine = {{0}, {0}}, all;
    rd_status status = deal ? RD_OK : rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    if (status == RD_OK)
        status = rd__array_new(&count, "sizes of components", l->vertices, sizeof *count, err);
    if (status == RD_OK)
        status = rd__array_new(&size, "sizes of components", part->own, sizeof *size, err);
    if (status == RD_OK) {
        memset(count, 0, l->vertices * sizeof *count);
        memset(size, 0, part->own * sizeof *size);
        for (uint32_t v = 0; v < part->own; v++)
            count[l->of[v]]++;
    }
    for (uint64_t c = 0; c < l->vertices && status == RD_OK; c++) {
        const uint32_t pair[2] = {l->value[c], (uint32_t)count[c]};
        rd__deal *to = &deal[rd__part_owner(part, pair[0])];
        if (!count[c])
            continue;
        const uint64_t have = to->bytes / sizeof pair;
        if ((have & (have - 1)) == 0) /* room is a power of two */
            status = rd__array_grow(&to->data, "sizes for other ranks", have, have ? 2 * have : 1, sizeof pair, err);
        if (status == RD_OK)
            memcpy((char *)to->data + to->bytes, pair, sizeof pair);
        to->bytes += status == RD_OK ? sizeof pair : 0;
    }
    if (status == RD_OK)
        status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
        for (uint64_t i = 0; i < deal[ranks + r].bytes / 8; i++) {
            const uint32_t *pair = (const uint32_t *)deal[ranks + r].data + 2 * i;
            size[pair[0] - part->first] += pair[1];
        }
    for (uint32_t v = 0; v < part->own && status == RD_OK; v++)
        most = size[v] > most ? size[v] : most;
    mine.most[0] = most;
    if (status == RD_OK)
        status = rd__ranks_tally(part->ranks, &mine, &all, err);
    *largest = status == RD_OK ? all.most[0] : 0;
    if (deal)
        rd__deals_free(deal, 2 * ranks);
    rd__free(deal);
    rd__array_free(count);
    rd__array_free(size);
    return status;
}

static rd_status label(rd_job *job, labels *l, rd_report *report, rd_error *err)
{
    const rd__seeds seeds = {.kind = RD__SEEDS_ALL};
    uint64_t components = 0, largest = 0, turns = 0;
    uint32_t *result = job->copy;
    RD_TRY(make(l, (rd_graph *)(uintptr_t)job->graph, err));
    RD_TRY(rd__job_slice(job, &seeds, report, err));
    RD_TRY(rd__buffer_read(job->app->ranks->values(job), 0, 4 * l->vertices, l->of, err));
    memset(l->value, 0xff, l->vertices * sizeof *l->value);
    for (uint32_t v = 0; v < l->vertices; v++) {
        if (l->of[v] >= l->vertices)
            return rd__fail(err, RD_EDEVICE, "%s: vertex %u got a label that is no vertex", job->app->info.name, v);
        (void)lower(l, v, rd__part_number(l->part, v));
    }
    RD_TRY(join_all(l, &turns, err));
    for (uint32_t v = 0; v < l->part->own; v++) {
        result[v] = l->value[l->of[v]];
        components += result[v] == l->part->first + v;
    }
    job->fetched = 1; /* the result is on the host already */
    RD_TRY(rd_ranks_sum(job->ranks, &components, 1, err));
    RD_TRY(count_sizes(l, &largest, err));
    report->reached = l->part->own;
    rd__measure(report, "components", (double)components);
    rd__measure(report, "largest_component", (double)largest);
    rd__measure(report, "turns", (double)turns);
    return RD_OK;
}

rd_status rd__run_labels(rd_job *job, rd_report *report, rd_error *err)
{
    labels l = {0};
    const rd_status status = label(job, &l, report, err);
    unmake(&l);
    return status;
}

/* ---- The checker ---- */

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
            return rd__fail(err, RD_EWRONG, "%s: vertex %u has component %u, which is above it", app, number,
                            l->word[u]);
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            if (l->word[u] != l->word[csr->col[e]])
                return rd__fail(err, RD_EWRONG, "%s: vertices %u and %u are joined, with components %u and %u", app,
                                number, rd__part_number(l->part, csr->col[e]), l->word[u], l->word[csr->col[e]]);
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
            status = rd__fail(err, RD_EWRONG, "%s: vertex %u has component %u, and is not joined to it", app,
                              l->part->first + v, found[v]);
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
