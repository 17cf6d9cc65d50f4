/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks_passed.c - components over several ranks: edges that nobody looked at. Where each edge is listed at both ends,
 * an engine passes over edges of the component that it takes for the largest (cc.k.c). Within a part that is right by
 * itself. An edge between parts may so be passed over at both of its ends: then both are in the largest components of
 * their parts, and any edge between the two will do for all of them. So each rank adds a few edges from its largest
 * component to other parts. Mostly all largest components have the same label in the end, and nothing is missing.
 * Where those of two ranks have not, and one has ghosts of the other, all tell who is in the largest components, and
 * one of the two ranks looks through its own for an edge into the other; then links and turns are done once more.
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

/* Which ranks' largest components is this one to look for? Of each pair of ranks one is. @return whether any. */
static int list_missing(rd__labels *l)
{
    const rd__part *part = l->part;
    const uint32_t own = rd_ranks_rank(part->ranks);
    int any = 0;
    for (uint32_t r = 0; r < l->ranks; r++) {
        l->missing[r] = l->skipped && l->others[r] != RD_NONE && l->others[r] != l->others[own] &&
                        part->ghost_from[r] < part->ghost_from[r + 1] && (r < own) == ((r + own) % 2 == 0);
        any |= l->missing[r];
    }
    return any;
}

/* Looks for an edge to each of the components that are missing. is_large: of each vertex, ghosts too. */
static void find_missing(rd__labels *l, const rd_csr *csr, const uint64_t *is_large)
{
    const rd__part *part = l->part;
    uint32_t left = 0;
    for (uint32_t r = 0; r < l->ranks; r++)
        left += l->missing[r];
    for (uint32_t v = 0; v < part->own && left; v++) {
        for (uint64_t e = csr->row[v + 1]; rd__bit_at(is_large, v) && e > csr->row[v] && csr->col[e - 1] >= part->own;
             e--) {
            const uint32_t u = csr->col[e - 1];
            if (!rd__bit_at(is_large, u))
                continue;
            const uint32_t r = rd__part_owner(part, part->ghost[u - part->own]);
            if (l->missing[r])
                join_ghost(l, v, u);
            left -= l->missing[r];
            l->missing[r] = 0;
        }
    }
}

/* All ranks: who is in largest components is told, and who misses some looks for edges there. */
static rd_status look_again(rd__labels *l, const rd_csr *csr, rd_error *err)
{
    const rd__part *part = l->part;
    uint64_t *own = NULL, *all = NULL, bytes = 0;
    rd_status status = rd__part_lend_bits(l->part, err);
    if (status == RD_OK)
        status = rd__array_new(&own, "bits of a component", rd__bit_words(part->own), sizeof *own, err);
    if (status == RD_OK)
        status = rd__array_new(&all, "bits of components", rd__bit_words(l->vertices), sizeof *all, err);
    if (status == RD_OK) {
        memset(own, 0, rd__bit_words(part->own) * sizeof *own);
        memset(all, 0, rd__bit_words(l->vertices) * sizeof *all);
        for (uint32_t v = 0; v < part->own && l->skipped; v++)
            if (rd__labels_root(l, v) == rd__labels_root(l, l->large))
                rd__bit_set(own, v);
        memcpy(all, own, part->own / 64 * sizeof *all);
        for (uint32_t v = part->own / 64 * 64; v < part->own; v++)
            if (rd__bit_at(own, v))
                rd__bit_set(all, v);
        status = rd__part_tell_bits(part, own, all, &bytes, err);
    }
    if (status == RD_OK)
        find_missing(l, csr, all);
    rd__array_free(own);
    rd__array_free(all);
    return status;
}

rd_status rd__labels_join(rd__labels *l, const rd_csr *csr, rd_error *err)
{
    sample_ghosts(l, csr);
    for (int once = 1;; once = 0) {
        uint64_t looks = 0;
        RD_TRY(rd__labels_link(l, err));
        for (uint32_t r = 1; r < l->ranks && once; r++)
            looks |= l->others[r] != l->others[0];
        if (looks) { /* all have the same list */
            looks = (uint64_t)list_missing(l);
            RD_TRY(rd_ranks_sum(l->part->ranks, &looks, 1, err));
        }
        if (!looks)
            return RD_OK;
        RD_TRY(look_again(l, csr, err));
    }
}
