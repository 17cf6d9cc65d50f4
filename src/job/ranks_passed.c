/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_passed.c - components over several ranks: edges between parts, most of which nobody looks at. Where each edge
 * is listed at both ends, an engine passes over edges of the component that it takes for the largest (cc.k.c), and over
 * all edges to ghosts but for the first two edges of a vertex. So that is left to do here.
 *
 * In one process a vertex outside the largest component looks at all its edges, and there are few of them. In a part
 * there are many: with sixteen parts a sixteenth of the edges is left to be connected by. So all ranks tell whose
 * vertices are in the largest components of their parts, a bit for each ghost. What has an edge to such a ghost is as
 * good as in the largest component of its own part, and looks no further: it is settled.
 *
 * Right. An edge between parts is passed over at an end that is settled; so if nobody looks at it both ends are, and
 * each is joined to the largest component of some part. It is missing only if these are not joined with each other.
 * Mostly they are: each rank adds a few edges from its own to other parts. When all labels are known, ranks that are
 * neighbours compare those of their largest components. If all are the same wherever two parts have an edge, nothing is
 * missing. Else all tell the labels of all vertices, each rank looks through its edges to ghosts for those between two
 * labels, and links and turns are done once more.
 */
#include "job/labels.h"

#include "core/bits.h"
#include "core/memory.h"

#include <string.h>

/* Vertices, and edges of each, that are looked at for a way from a largest component to others. */
enum { SAMPLES = 64 };

/* A ghost with an edge from own vertex v: its owner will hear of it. */
static void join_ghost(rd__labels *l, uint32_t v, uint32_t ghost)
{
    if (l->of[ghost] == ghost) /* by itself: ghosts are no roots of others */
        l->of[ghost] = rd__labels_root(l, v);
    else
        rd__labels_unite(l, v, ghost);
}

/* Before anything is told, a few edges from the largest component to other parts: where there are many of them, one
 * will lead to the largest component there. */
static void sample_ghosts(rd__labels *l, const rd_csr *csr)
{
    const uint32_t own = l->part->own;
    for (uint32_t i = 0; i < SAMPLES && l->skipped; i++) {
        const uint32_t fraction = i * 2654435769u, v = (uint32_t)((uint64_t)fraction * own >> 32); /* as cc.k.c */
        if (rd__labels_root(l, v) != rd__labels_root(l, l->large))
            continue;
        const uint64_t from = csr->row[v], to = csr->row[v + 1];
        for (uint64_t e = to; e > from && to - e < SAMPLES && csr->col[e - 1] >= own; e--)
            join_ghost(l, v, csr->col[e - 1]); /* ghosts are the last of a row */
    }
}

/* ---- Edges to ghosts ---- */

/* What is known of components while edges to ghosts are looked at. */
typedef struct look {
    uint64_t *own;     /* a bit for each own vertex: it is in the largest component here; */
    uint64_t *all;     /* for each vertex, ghosts behind: it is in that of its own part; */
    uint64_t *settled; /* for each own vertex that is a root: its component is settled */
} look;

static void settle(const rd__labels *l, look *at, uint32_t v)
{
    rd__bit_set(at->settled, rd__labels_root(l, v));
}

static int is_settled(const rd__labels *l, const look *at, uint32_t v)
{
    return rd__bit_at(at->settled, rd__labels_root(l, v));
}

/* Who is in the largest component here, as the engine has left it: trees of own vertices are flat. */
static void mark_own(const rd__labels *l, uint64_t *bit)
{
    const uint32_t own = l->part->own, large = l->skipped ? rd__labels_root(l, l->large) : RD_NONE;
    for (uint32_t v = 0; v < own; v += 64) {
        const uint32_t count = own - v < 64 ? own - v : 64;
        uint64_t word = 0;
        for (uint32_t k = 0; k < count; k++)
            word |= (uint64_t)(l->of[v + k] == large) << k;
        bit[v / 64] = word;
    }
}

/* The largest component, and what the engine and the samples have joined with a ghost that is in one. */
static void settle_known(const rd__labels *l, look *at)
{
    const uint32_t own = l->part->own;
    if (l->skipped)
        settle(l, at, l->large);
    for (uint64_t w = own / 64; w < rd__bit_words(l->vertices); w++)
        for (uint64_t left = at->all[w]; left; left &= left - 1) {
            const uint32_t g = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
            if (l->of[g] != g && g >= own)
                settle(l, at, g);
        }
}

/* Edges of v to ghosts, until it is settled. */
static void look_out(rd__labels *l, look *at, const rd_csr *csr, uint32_t v)
{
    const uint32_t own = l->part->own;
    for (uint64_t e = csr->row[v + 1]; e > csr->row[v] && csr->col[e - 1] >= own; e--) {
        const uint32_t g = csr->col[e - 1];
        const int is = rd__bit_at(at->all, g) || (l->of[g] != g && is_settled(l, at, g));
        l->edges++;
        join_ghost(l, v, g);
        if (!is)
            continue;
        settle(l, at, v);
        return;
    }
}

static rd_status look_at_ghosts(rd__labels *l, look *at, const rd_csr *csr, rd_error *err)
{
    const rd__part *part = l->part;
    const uint64_t own_words = rd__bit_words(part->own), words = rd__bit_words(l->vertices);
    uint64_t bytes = 0;
    RD_TRY(rd__part_lend_bits(l->part, err));
    RD_TRY(rd__array_new(&at->own, "bits of a component", own_words, sizeof *at->own, err));
    RD_TRY(rd__array_new(&at->all, "bits of components", words, sizeof *at->all, err));
    RD_TRY(rd__array_new(&at->settled, "bits of components", own_words, sizeof *at->settled, err));
    memset(at->all, 0, words * sizeof *at->all);
    memset(at->settled, 0, own_words * sizeof *at->settled);
    mark_own(l, at->own);
    sample_ghosts(l, csr);
    RD_TRY(rd__part_tell_bits(part, at->own, at->all, &bytes, err));
    settle_known(l, at);
    for (uint64_t w = 0; w < own_words && part->symmetric; w++)
        for (uint64_t left = rd__bits_first(~at->own[w], part->own - 64 * w); left; left &= left - 1) {
            const uint32_t v = (uint32_t)(64 * w) + (uint32_t)__builtin_ctzll(left);
            if (!is_settled(l, at, v))
                look_out(l, at, csr, v);
        }
    return RD_OK;
}

/* ---- What is missing ---- */

/* May two largest components have an edge, and be apart? All ranks have the same list of their labels. */
static int is_apart(const rd__labels *l)
{
    const rd__part *part = l->part;
    const uint32_t own = l->others[rd_ranks_rank(part->ranks)];
    uint32_t first = RD_NONE;
    int any = 0, near = 0, none = 0;
    for (uint32_t r = 0; r < l->ranks; r++) {
        none |= l->others[r] == RD_NONE;
        if (l->others[r] == RD_NONE)
            continue;
        first = first == RD_NONE ? l->others[r] : first;
        any |= l->others[r] != first;
        near |= l->others[r] != own && part->ghost_from[r] < part->ghost_from[r + 1];
    }
    return part->symmetric && (none ? any : near); /* who has none may be between two that are no neighbours */
}

/* All ranks: joins what has an edge to a ghost with another label. */
static rd_status join_apart(rd__labels *l, const rd_csr *csr, rd_error *err)
{
    const rd__part *part = l->part;
    uint32_t *label = NULL;
    RD_TRY(rd__array_new(&label, "labels of a part", l->vertices, sizeof *label, err));
    for (uint32_t v = 0; v < part->own; v++)
        label[v] = l->value[rd__labels_root(l, v)];
    const rd_status status = rd__part_refresh(part, label, sizeof *label, err);
    for (uint32_t v = 0; v < part->own && status == RD_OK; v++)
        for (uint64_t e = csr->row[v + 1]; e > csr->row[v] && csr->col[e - 1] >= part->own; e--) {
            l->edges++;
            if (label[csr->col[e - 1]] != label[v])
                join_ghost(l, v, csr->col[e - 1]);
        }
    rd__array_free(label);
    return status;
}

rd_status rd__labels_join(rd__labels *l, const rd_csr *csr, rd_error *err)
{
    look at = {0};
    uint64_t apart = 0;
    const rd_status status = look_at_ghosts(l, &at, csr, err);
    rd__array_free(at.own);
    rd__array_free(at.all);
    rd__array_free(at.settled);
    RD_TRY(status);
    RD_TRY(rd__labels_link(l, err));
    apart = (uint64_t)is_apart(l);
    RD_TRY(rd_ranks_sum(l->part->ranks, &apart, 1, err));
    if (!apart)
        return RD_OK;
    RD_TRY(join_apart(l, csr, err));
    return rd__labels_link(l, err);
}
