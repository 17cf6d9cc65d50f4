/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_levels.c - searches over several ranks, level by level, by the host. A search that is done in some levels
 * (kron, social networks) is over in milliseconds, and what windows need between two runs of the engine takes longer
 * than the runs: a look at all words of own vertices and ghosts, two sums over all ranks, a launch. Here sets of
 * vertices are bits, and a level is two steps for all ranks: who was found is told, and what was found is added up.
 *
 *   along the edges     each rank goes through the edges of its vertices of the level and marks whom it does not know
 *                       to have been come to; ghosts among those are offered to their owners, a bit each
 *   against the edges   owners tell those who have a vertex of the level as a ghost, a bit each; then ranks_pull.c
 *
 * Only where each edge counts 1 and all ranks' devices have their words in the host's memory, and where no window was
 * asked for; against the edges only where edges have their reverse. A rank with many cores goes along the edges with
 * one of them, so that much of that is left to the engine, by a window. What is deep, where level after level has
 * little to run, goes in steps of many levels (ranks_steps.c), which wait less. From both the search comes back when a
 * level has most of the edges.
 *
 * Why it is right. When a level begins all is quiet below its depth, `limit`: vertices of depth limit are those that
 * wait, each at its owner, and no other vertex has a depth beyond. Whoever is `known` has a depth of limit at most when
 * the level begins, and of limit + 1 at most when it ends: it is set for own vertices that are found, for ghosts whose
 * owner says that they are of the level, and for ghosts that are offered, which have a neighbour of depth limit. Along
 * the edges every neighbour of the level that is not known, and so may be without a depth, is found or offered, and its
 * owner gives it limit + 1 unless it has a depth. Against the edges all vertices of the level are known wherever they
 * have a neighbour, before anybody looks; a vertex without a depth has no neighbour of a lower one.
 */
#include "job/least.h"

#include "core/bits.h"
#include "core/memory.h"

#include <string.h>

/* A look that finds nothing costs what a claim that is refused does; most looks end early. Besides, against the edges
 * all bits are gone through: a level has to have an edge for FEW vertices, or, from windows, a SHARE of all edges. */
enum { LOOKS = 14, FEW = 8, SHARE = 40 };
/* A level of fewer tasks and edges a rank is small, and one of which most is looking at bits; after so many of them in
 * a row comes a step of as many. From steps they come back with somewhat more. */
enum { SMALL = 1024, SMALL_EDGES = 4, BITS_AN_EDGE = 128, PATIENCE = 8 };

uint64_t rd__levels_worth(const rd__least *run)
{
    const uint64_t small = (uint64_t)SMALL * SMALL_EDGES * rd_ranks_count(run->ranks);
    const uint64_t few = run->part->vertices / BITS_AN_EDGE;
    return (small > few ? small : few) * 3 / 2;
}

/* Edges that a rank with many cores goes through with one, beside as many as there are vertices: a window looks at
 * all of those anyway. */
enum { ALONE = 1 << 16 };

int rd__levels_can(const rd__least *run)
{
    return rd__ranks_many(run->ranks) && !run->is_copy && !run->job->window && !run->job->app->ranks->weighted;
}

int rd__levels_can_pull(const rd__least *run)
{
    return rd__levels_can(run) && run->part->symmetric;
}

uint64_t rd__levels_alone(const rd__least *run)
{
    return run->job->device->info.compute_units > 1 ? run->edges : 0;
}

rd__level_kind rd__levels_choose(rd__least *run, const rd__tally *all)
{
    rd__levels *levels = &run->levels;
    const uint64_t edges = all->sum[RD__LEAST_EDGES], left = all->sum[RD__LEAST_LEFT];
    const uint64_t least = levels->at ? run->part->vertices / FEW : run->part->edges / SHARE;
    if (levels->pulls && left && edges > left / LOOKS && edges > least)
        return RD__LEVEL_PULL;
    const uint64_t small = (uint64_t)SMALL * rd_ranks_count(run->ranks), few = run->part->vertices / BITS_AN_EDGE;
    const int is_small = (all->sum[RD__LEAST_TASKS] < small && edges < small * SMALL_EDGES) || edges < few;
    if (!levels->at && !levels->back)
        return run->can_steps && is_small ? RD__LEVEL_STEPS : RD__LEVEL_NONE;
    levels->small = levels->back ? 0 : is_small ? levels->small + 1 : 0;
    levels->back = 0;
    if (all->most[RD__LEAST_ALONE] > (uint64_t)ALONE + run->part->vertices)
        return RD__LEVEL_NONE;
    return levels->small > PATIENCE ? RD__LEVEL_STEPS : RD__LEVEL_PUSH;
}

/* ---- To and from windows ---- */

static rd_status make(rd__least *run, rd_error *err)
{
    rd__levels *levels = &run->levels;
    const uint64_t own = rd__bit_words(run->part->own),
                   all = rd__bit_words((uint64_t)run->part->own + run->part->ghosts);
    if (levels->known)
        return RD_OK;
    RD_TRY(rd__array_new(&levels->known, "bits of known vertices", all, sizeof *levels->known, err));
    RD_TRY(rd__array_new(&levels->front, "bits of a level", all, sizeof *levels->front, err));
    RD_TRY(rd__array_new(&levels->next, "bits of the next level", all, sizeof *levels->next, err));
    RD_TRY(rd__array_new(&levels->bare, "bits of vertices without a depth", own, sizeof *levels->bare, err));
    return rd__array_new(&levels->offered, "bits that others offer", own, sizeof *levels->offered, err);
}

/* Which vertices have edges is found out once: a look at all rows takes as long as some levels. */
static rd_status find_edges(rd__part *part, const uint64_t *row, rd_error *err)
{
    const uint64_t words = rd__bit_words(part->own);
    if (part->with_edges)
        return RD_OK;
    RD_TRY(rd__array_new(&part->with_edges, "bits of vertices with edges", words, sizeof *part->with_edges, err));
    memset(part->with_edges, 0, words * sizeof *part->with_edges);
    for (uint64_t v = 0; v < part->own; v++)
        part->with_edges[v / 64] |= (uint64_t)(row[v] < row[v + 1]) << v % 64;
    return RD_OK;
}

rd_status rd__levels_begin(rd__least *run, uint32_t source, rd_error *err)
{
    const uint64_t words = rd__bit_words((uint64_t)run->part->own + run->part->ghosts) * sizeof(uint64_t);
    rd__part *part = run->job->graph->part; /* of which these are a cache, not a change */
    rd__levels *levels = &run->levels;
    if (!levels->can)
        return RD_OK;
    RD_TRY(rd__part_lend_bits(part, err));
    RD_TRY(find_edges(part, rd_graph_csr(run->job->graph).row, err));
    RD_TRY(make(run, err));
    memset(levels->known, 0, words);
    memset(levels->front, 0, words);
    memset(levels->next, 0, words);
    memcpy(levels->bare, part->with_edges, rd__bit_words(part->own) * sizeof *levels->bare);
    levels->tasks = source != RD_NONE;
    levels->at = 1;
    if (source != RD_NONE) {
        levels->bare[source / 64] &= ~(1ull << source % 64);
        rd__bit_set(levels->known, source);
        rd__bit_set(levels->front, source);
    }
    return RD_OK;
}

/* From windows: all is quiet, so that words are what the search has found until now, those of ghosts too. */
static rd_status come_back(rd__least *run, rd_error *err)
{
    const uint64_t own = run->part->own, all = own + run->part->ghosts;
    rd__levels *levels = &run->levels;
    RD_TRY(make(run, err));
    memset(levels->front, 0, rd__bit_words(all) * sizeof *levels->front);
    memset(levels->next, 0, rd__bit_words(all) * sizeof *levels->next);
    rd__least_bits(run, all, 0, RD_NONE, levels->known);
    rd__least_bits(run, own, run->limit, run->limit + 1, levels->front);
    rd__least_bare(run, levels->bare);
    levels->tasks = rd__bits_count(levels->front, rd__bit_words(own));
    levels->small = 0;
    levels->at = 1;
    return RD_OK;
}

rd_status rd__levels_leave(rd__least *run, rd_error *err)
{
    const rd__part *part = run->part;
    rd__levels *levels = &run->levels;
    uint64_t bytes = 0;
    rd__bits_copy(levels->known, 0, part->own, levels->next); /* without ghosts, which share a word */
    RD_TRY(rd__part_tell_bits(part, levels->next, levels->known, &bytes, err));
    run->records += bytes / sizeof(rd__record); /* as much as so many */
    for (uint64_t g = 0; g < part->ghosts; g++)
        run->sent[g] &= (uint32_t)rd__bit_at(levels->known, part->own + g) - 1;
    if (levels->small > PATIENCE)
        run->width = PATIENCE;
    levels->at = 0;
    return RD_OK;
}

void rd__levels_end(rd__least *run)
{
    rd__array_free(run->levels.known);
    rd__array_free(run->levels.front);
    rd__array_free(run->levels.next);
    rd__array_free(run->levels.bare);
    rd__array_free(run->levels.offered);
    run->levels = (rd__levels){0};
}

/* ---- A level ---- */

/* The neighbours of the level that are not known. @return edges that were gone through. */
static uint64_t go_along(rd__least *run)
{
    const rd_csr csr = rd_graph_csr(run->job->graph);
    const uint64_t words = rd__bit_words(run->part->own);
    uint64_t *known = run->levels.known, *next = run->levels.next, edges = 0;
    for (uint64_t w = 0; w < words; w++) {
        if (w + 1 < words)
            rd__levels_fetch_ahead(&csr, run->levels.front, w + 1);
        for (uint64_t left = run->levels.front[w]; left; left &= left - 1) {
            const uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(left);
            edges += csr.row[v + 1] - csr.row[v];
            for (uint64_t e = csr.row[v]; e < csr.row[v + 1]; e++) {
                const uint32_t u = csr.col[e];
                if (rd__bit_at(known, u))
                    continue;
                rd__bit_set(known, u);
                rd__bit_set(next, u);
            }
        }
    }
    return edges;
}

/* Own vertices of `next`, and what others offer, get their depth; ghosts are taken out. @return how many. */
static uint64_t settle(rd__least *run, uint64_t *edges)
{
    const rd_csr csr = rd_graph_csr(run->job->graph);
    const uint64_t own = run->part->own, words = rd__bit_words(own);
    rd__levels *levels = &run->levels;
    uint64_t found = 0;
    for (uint64_t w = 0; w < words; w++) {
        const uint64_t fresh = rd__bits_first(levels->next[w], own - 64 * w) | (levels->offered[w] & ~levels->known[w]);
        levels->next[w] = fresh;
        levels->known[w] |= fresh;
        levels->bare[w] &= ~fresh;
        for (uint64_t left = fresh; left; left &= left - 1, found++) {
            const uint64_t v = 64 * w + (uint64_t)__builtin_ctzll(left);
            run->value[v] = run->limit + 1;
            *edges += csr.row[v + 1] - csr.row[v];
        }
    }
    const uint64_t all = rd__bit_words(own + run->part->ghosts);
    memset(levels->next + words, 0, (all - words) * sizeof *levels->next);
    return found;
}

static rd_status push(rd__least *run, uint64_t *found, uint64_t *edges, uint64_t *looks, uint64_t *bytes, rd_error *err)
{
    rd__levels *levels = &run->levels;
    *looks += go_along(run);
    memset(levels->offered, 0, rd__bit_words(run->part->own) * sizeof *levels->offered);
    RD_TRY(rd__part_offer_bits(run->part, levels->next, levels->offered, bytes, err));
    *found = settle(run, edges);
    return RD_OK;
}

static rd_status pull(rd__least *run, uint64_t *found, uint64_t *edges, uint64_t *looks, uint64_t *bytes, rd_error *err)
{
    rd__levels *levels = &run->levels;
    RD_TRY(rd__part_tell_bits(run->part, levels->front, levels->known, bytes, err));
    *found = rd__levels_pull(run, edges, looks);
    for (uint64_t w = 0; w < rd__bit_words(run->part->own); w++)
        levels->known[w] |= levels->next[w];
    levels->pulled++;
    return RD_OK;
}

rd_status rd__levels_run(rd__least *run, rd__level_kind kind, rd_report *report, rd_error *err)
{
    rd__levels *levels = &run->levels;
    uint64_t found = 0, edges = 0, looks = 0, bytes = 0;
    if (!levels->at)
        RD_TRY(come_back(run, err));
    RD_TRY((kind == RD__LEVEL_PULL ? pull : push)(run, &found, &edges, &looks, &bytes, err));
    uint64_t *const front = levels->front;
    levels->front = levels->next;
    levels->next = front;
    memset(front, 0, rd__bit_words(run->part->own) * sizeof *front);
    report->tasks += levels->tasks;
    report->edges += looks;
    report->groups = run->job->device->info.compute_units;
    report->lanes = 1;
    run->records += bytes / sizeof(rd__record); /* as much as so many */
    run->window_tasks = levels->tasks;
    run->settled += levels->tasks;
    run->limit++;
    run->waiting = found ? run->limit : UINT64_MAX;
    run->edges = edges;
    run->left -= edges;
    run->looked = 1; /* these are what rd__least_look would find */
    levels->tasks = found;
    levels->done++;
    return RD_OK;
}
