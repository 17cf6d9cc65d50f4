/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_labels.c - connected components over several ranks (cc). Each rank finds the components of its part, ghosts
 * included, by its own engine as on one device: trees in which a parent is lower than its child, so that the root of a
 * component is the first of its vertices. Then ranks join components:
 *
 *   links   a rank tells each other one which of that one's vertices are in which of its components: a bit each for
 *           those of its largest, a record for others, nothing for ghosts that are by themselves. Who hears that two of
 *           its vertices are in one component elsewhere joins theirs. After that a link between two ranks is a pair of
 *           components, and there are few, however many edges there were.
 *   turns   a component has a label, the least number (in the whole graph) that was heard of. In a turn each rank tells
 *           the other ends of its links their labels, and whoever hears of a lower one takes it. With every message
 *           goes whether the turn before had news; when nobody had, all is done. There are as many turns as parts lie
 *           in a row on the way of a label, not as vertices do: two or three, mostly.
 *
 * Right. An edge within a part has its ends in one component there; an edge between parts has its end and its ghost in
 * one component of a part, and the ghost's owner a link from there to the component of the vertex itself. Labels at
 * both ends of a link are equal in the end, and each is the number of a vertex that is joined.
 *
 * Where the engine has passed over edges: ranks_passed.c.
 */
#include "job/labels.h"

#include "core/memory.h"

#include <string.h>

static rd_status make(rd__labels *l, rd_job *job, rd_error *err)
{
    rd__part *part = job->graph->part; /* learning who has whose is a cache, not a change of the graph */
    rd__buffer *values = job->app->ranks->values(job);
    l->part = part;
    l->ranks = rd_ranks_count(part->ranks);
    l->vertices = (uint64_t)part->own + part->ghosts;
    l->of = rd__buffer_in_place(values);
    l->is_copy = !l->of;
    if (l->is_copy)
        RD_TRY(rd__array_new(&l->of, "components of a part", l->vertices, sizeof *l->of, err));
    RD_TRY(rd__array_new(&l->value, "labels of a part", part->own, sizeof *l->value, err));
    RD_TRY(rd__array_new(&l->slot, "links of a part", part->own, sizeof *l->slot, err));
    RD_TRY(rd__array_new(&l->others, "labels of other ranks", l->ranks, sizeof *l->others, err));
    l->deal = rd__calloc(2ull * l->ranks, sizeof *l->deal);
    if (!l->deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * l->ranks * sizeof *l->deal);
    RD_TRY(rd__array_new(&l->told, "notes on other ranks", l->ranks, sizeof *l->told, err));
    memset(l->told, 0, l->ranks * sizeof *l->told);
    RD_TRY(rd__array_new(&l->heard, "notes on other ranks", l->ranks, sizeof *l->heard, err));
    memset(l->heard, 0, l->ranks * sizeof *l->heard);
    return rd__part_lend(part, err);
}

static void unmake(rd__labels *l)
{
    for (uint32_t r = 0; r < l->ranks; r++) {
        if (l->told)
            rd__array_free(l->told[r].of);
        if (l->heard)
            rd__array_free(l->heard[r].of);
    }
    if (l->deal)
        rd__deals_free(l->deal, 2 * l->ranks);
    rd__free(l->deal);
    if (l->is_copy)
        rd__array_free(l->of);
    rd__array_free(l->value);
    rd__array_free(l->slot);
    rd__array_free(l->others);
    rd__array_free(l->told);
    rd__array_free(l->heard);
}

/* ---- Sizes ---- */

/* Labels of vertices, and in `slot` how many vertices a root has. @return vertices that are their own label. */
static uint64_t write_labels(rd__labels *l, uint32_t *result)
{
    const uint32_t own = l->part->own, first = l->part->first;
    uint64_t components = 0;
    for (uint32_t v = 0; v < own; v++) {
        const uint32_t c = l->of[l->of[v]]; /* the root: those below v are flat by now */
        l->of[v] = c;
        result[v] = l->value[c];
        components += result[v] == first + v;
        l->slot[c]++; /* which links have left at 0 */
    }
    return components;
}

/* How many vertices a label has is for its owner to add up: pairs of label and count go there. */
static rd_status send_sizes(rd__labels *l, rd_error *err)
{
    rd__deal *deal = l->deal;
    const rd__part *part = l->part;
    for (uint32_t c = 0; c < part->own; c++) {
        const uint32_t pair[2] = {l->value[c], l->slot[c]};
        if (pair[0] == part->first + c || !pair[1]) /* mostly: others than roots have never heard of a label */
            continue;
        l->slot[c] = 0;
        if (pair[0] - part->first < part->own) {
            l->slot[pair[0] - part->first] += pair[1];
            continue;
        }
        rd__deal *to = &deal[rd__part_owner(part, pair[0])];
        const uint64_t have = to->bytes / sizeof pair;
        if ((have & (have - 1)) == 0) /* room is a power of two */
            RD_TRY(rd__array_grow(&to->data, "sizes for other ranks", have, have ? 2 * have : 1, sizeof pair, err));
        memcpy((char *)to->data + to->bytes, pair, sizeof pair);
        to->bytes += sizeof pair;
    }
    return rd__labels_swap(l, err);
}

/* @return that of the largest whose label is here. */
static rd_status add_sizes(rd__labels *l, uint64_t *largest, rd_error *err)
{
    const rd__deal *came = l->deal + l->ranks;
    const rd__part *part = l->part;
    rd_status status = send_sizes(l, err);
    for (uint32_t r = 0; r < l->ranks && status == RD_OK; r++)
        for (uint64_t i = 0; i < came[r].bytes / 8; i++) {
            const uint32_t *pair = (const uint32_t *)came[r].data + 2 * i, at = pair[0] - part->first;
            if (at >= part->own)
                return rd__labels_no_sense(r, came[r].bytes, err);
            l->slot[at] += pair[1];
        }
    rd__deals_free(l->deal, 2 * l->ranks);
    uint32_t most = 0;
    for (uint32_t v = 0; v < part->own; v++)
        most = l->slot[v] > most ? l->slot[v] : most;
    *largest = most;
    return status;
}

/* ---- The run ---- */

/* Ghosts are by themselves; the engine's steps leave them out. */
static rd_status place_ghosts(rd_job *job, rd__labels *l, rd_error *err)
{
    const uint32_t own = l->part->own, vertices = (uint32_t)l->vertices;
    for (uint32_t v = own; v < vertices; v++)
        l->of[v] = v;
    return l->is_copy
               ? rd__buffer_write(job->app->ranks->values(job), 4ull * own, 4ull * (vertices - own), l->of + own, err)
               : RD_OK;
}

/* What the engine found. */
static rd_status fetch(rd_job *job, rd__labels *l, rd_error *err)
{
    const rd__app_ranks *app = job->app->ranks;
    const uint32_t vertices = (uint32_t)l->vertices, own = l->part->own, first = l->part->first;
    uint32_t wrong = 0;
    if (l->is_copy)
        RD_TRY(rd__buffer_read(app->values(job), 0, 4 * l->vertices, l->of, err));
    else
        RD_TRY(rd__buffer_settle(app->values(job), err));
    for (uint32_t v = 0; v < vertices; v++)
        wrong |= l->of[v] > v;
    if (wrong)
        return rd__fail(err, RD_EDEVICE, "%s: a vertex got a label that is above it", job->app->info.name);
    for (uint32_t v = 0; v < own; v++)
        l->value[v] = first + v;
    memset(l->slot, 0, own * sizeof *l->slot);
    RD_TRY(app->largest(job, &l->large, err));
    l->large = l->large < l->vertices ? rd__labels_root(l, l->large) : RD_NONE;
    if (l->large >= l->part->own) /* a ghost by itself */
        l->large = RD_NONE;
    l->skipped = l->part->symmetric && l->large != RD_NONE;
    return RD_OK;
}

static rd_status label(rd_job *job, rd__labels *l, rd_report *report, rd_error *err)
{
    const rd__seeds seeds = {.kind = RD__SEEDS_ALL};
    const rd_csr csr = rd_graph_csr(job->graph);
    rd__tally mine = {{0}, {0}}, all;
    RD_TRY(make(l, job, err));
    RD_TRY(place_ghosts(job, l, err));
    RD_TRY(rd__job_slice(job, &seeds, report, err));
    RD_TRY(fetch(job, l, err));
    RD_TRY(rd__labels_join(l, &csr, err));
    report->edges += l->edges;
    mine.sum[0] = write_labels(l, job->copy);
    job->fetched = 1; /* the result is on the host already */
    RD_TRY(add_sizes(l, &mine.most[0], err));
    RD_TRY(rd__ranks_tally(job->ranks, &mine, &all, err));
    report->reached = l->part->own;
    rd__measure(report, "components", (double)all.sum[0]);
    rd__measure(report, "largest_component", (double)all.most[0]);
    rd__measure(report, "turns", (double)l->turns);
    return RD_OK;
}

rd_status rd__run_labels(rd_job *job, rd_report *report, rd_error *err)
{
    rd__labels l = {.ranks = rd_ranks_count(job->ranks)};
    const rd_status status = label(job, &l, report, err);
    unmake(&l);
    return status;
}
