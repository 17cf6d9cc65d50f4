/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.c - colouring over several ranks, and its checker in parts. In turns, each rank colours what it can
 * (color/parts.k.c), then owners tell the colours of their vertices to all who have them as ghosts. Of all without a
 * colour the one of highest priority waits for nobody, so every turn colours something; and the colours are the same on
 * any number of ranks. The least free colour is taken, so that below the highest none is missing.
 *
 * Where the words of all ranks are in the host's memory it colours by itself what is left after some turns, each vertex
 * when the last one has a colour that it waits for (apps/common/waits.c): the same colours, and no rounds.
 */
#include "apps/color/parts.h"

#include "apps/common/called.h"
#include "apps/color/layout.k.h"
#include "apps/common/waits.h"
#include "core/memory.h"
#include "graph/part/part.h"

#include <string.h>

/* All ranks: ghosts' words, from the device and back to it. *left: own vertices of all ranks without a colour. */
static rd_status exchange(const rd__part *part, const rd__color_parts *parts, uint64_t *left, rd_error *err)
{
    *left = 0;
    RD_TRY(rd__buffer_read(parts->state, 0, 8ull * part->own, parts->word, err));
    for (uint32_t v = 0; v < part->own; v++)
        *left += (uint32_t)parts->word[v] == COLOR_NONE;
    RD_TRY(rd__part_refresh(part, parts->word, sizeof *parts->word, err));
    RD_TRY(rd__buffer_write(parts->state, 8ull * part->own, 8ull * part->ghosts, parts->word + part->own, err));
    return rd_ranks_sum(part->ranks, left, 1, err);
}

/* ---- By the host ---- */

typedef struct palette {
    const rd__part *part;
    rd_csr csr;
    uint64_t *word;
    uint32_t *taken; /* of each colour, the last vertex, + 1, that a neighbour kept from taking it */
} palette;

static int is_coloured(const void *user, uint32_t u, uint32_t *word)
{
    *word = (uint32_t)((const palette *)user)->word[u];
    return *word != COLOR_NONE;
}

/* As color/parts.k.c has it. */
static int is_before(const void *user, uint32_t u, uint32_t v)
{
    const palette *own = user;
    const uint32_t other = (uint32_t)(own->word[u] >> 32), mine = (uint32_t)(own->word[v] >> 32);
    if (other != mine)
        return other > mine;
    return rd__part_number(own->part, u) > rd__part_number(own->part, v);
}

/* A vertex of degree d needs no colour beyond d. */
static uint32_t take_least(void *user, uint32_t v, int shut)
{
    palette *own = user;
    const uint64_t from = own->csr.row[v], to = own->csr.row[v + 1];
    uint32_t least = 0;
    for (uint64_t e = from; e < to; e++) {
        const uint32_t colour = (uint32_t)own->word[own->csr.col[e]];
        if (colour <= to - from)
            own->taken[colour] = v + 1;
    }
    while (own->taken[least] == v + 1)
        least++;
    own->word[v] = (own->word[v] & 0xffffffff00000000u) | least;
    (void)shut;
    return least;
}

static void hear_colour(void *user, uint32_t ghost, uint32_t word)
{
    palette *own = user;
    own->word[ghost] = (own->word[ghost] & 0xffffffff00000000u) | word;
}

static rd_status by_host(rd_job *job, uint64_t *word, uint64_t *turns, rd_report *report, rd_error *err)
{
    palette own = {.part = job->graph->part, .csr = rd_graph_csr(job->graph), .word = word};
    const rd__waits order = {.part = own.part,
                             .csr = own.csr,
                             .user = &own,
                             .is_decided = is_coloured,
                             .is_before = is_before,
                             .decide = take_least,
                             .hear = hear_colour};
    const uint64_t colours = own.part->max_degree + 2;
    RD_TRY(rd__array_new(&own.taken, "marks of colours", colours, sizeof *own.taken, err));
    memset(own.taken, 0, colours * sizeof *own.taken);
    const rd_status status = rd__waits_run(&order, turns, report, err);
    rd__array_free(own.taken);
    return status;
}

rd_status rd__color_run_parts(rd_job *job, rd__color_parts *parts, rd__slice_fn slice, rd_report *report, rd_error *err)
{
    rd__part *part = job->graph->part; /* learning who has whose is a cache, not a change of the graph */
    const rd__seeds seeds = {.kind = RD__SEEDS_ALL};
    rd__tally mine = {{0}, {0}}, all;
    uint64_t left, turns = 0, *word = rd__buffer_in_place(parts->state);
    int can;
    parts->below = part->ghost_from[rd_ranks_rank(part->ranks)];
    parts->begins = 1;
    RD_TRY(rd__part_lend(part, err));
    RD_TRY(rd__waits_can(part, word, &can, err));
    RD_TRY(slice(job, &seeds, report, err));
    parts->begins = 0;
    report->tasks = 0; /* that was none */
    RD_TRY(exchange(part, parts, &left, err));
    while (left && !(can && turns == RD__WAITS_AFTER)) {
        RD_TRY(slice(job, &seeds, report, err));
        RD_TRY(exchange(part, parts, &left, err));
        turns++;
    }
    if (can)
        RD_TRY(rd__buffer_settle(parts->state, err));
    if (left)
        RD_TRY(by_host(job, word, &turns, report, err));
    word = can ? word : parts->word;
    for (uint32_t v = 0; v < part->own; v++) {
        parts->colour[v] = (uint32_t)word[v];
        mine.most[0] = parts->colour[v] + 1ull > mine.most[0] ? parts->colour[v] + 1ull : mine.most[0];
    }
    job->fetched = 1; /* the result is on the host already */
    RD_TRY(rd__ranks_tally(part->ranks, &mine, &all, err));
    *parts->colours = (uint32_t)all.most[0];
    report->reached = part->own;
    rd__measure(report, "colours", (double)all.most[0]);
    rd__measure(report, "turns", (double)turns);
    return RD_OK;
}

/* ---- The checker: what color/check.c looks at, of own vertices ---- */

static rd_status check_own(const rd__part *part, const rd_csr *csr, const uint32_t *colour, uint32_t colours,
                           rd_error *err)
{
    for (uint32_t u = 0; u < part->own; u++) {
        if (colour[u] >= colours)
            return rd__fail(err, RD_EWRONG, "color: vertex %llu has colour %u, of %u", rd__called(part->first + u),
                            colour[u], colours);
        for (uint64_t e = csr->row[u]; e < csr->row[u + 1]; e++)
            if (csr->col[e] != u && colour[csr->col[e]] == colour[u])
                return rd__fail(err, RD_EWRONG, "color: vertices %llu and %llu are joined, and both have colour %u",
                                rd__called(part->first + u), rd__called(rd__part_number(part, csr->col[e])), colour[u]);
    }
    return RD_OK;
}

/* All ranks: is each of the colours somewhere? A word has 64 of them. */
static rd_status check_used(const rd__part *part, const uint32_t *colour, uint32_t colours, rd_error *err)
{
    const uint32_t words = (colours + 63) / 64;
    uint64_t missing = 0, *used = rd__calloc(words + 1ull, sizeof *used);
    rd_status status = used ? RD_OK : rd__fail_memory(err, "colours", words * sizeof *used);
    for (uint32_t v = 0; v < part->own && status == RD_OK; v++)
        if (colour[v] < colours)
            used[colour[v] / 64] |= 1ull << colour[v] % 64;
    for (uint32_t c = 0; c < colours && status == RD_OK; c++) {
        uint64_t has = used[c / 64] >> c % 64 & 1;
        status = rd_ranks_sum(part->ranks, &has, 1, err);
        missing += !has;
    }
    rd__free(used);
    if (status == RD_OK && missing)
        status =
            rd__fail(err, RD_EWRONG, "color: of %u colours %llu are nowhere", colours, (unsigned long long)missing);
    return status;
}

rd_status rd__color_check_parts(rd_job *job, const uint32_t *colour, uint32_t colours, rd_error *err)
{
    const rd__part *part = job->graph->part;
    const rd_csr csr = rd_graph_csr(job->graph);
    rd_error why = {.status = RD_OK};
    uint32_t *word = NULL;
    RD_TRY(rd__array_new(&word, "the checker's colours", (uint64_t)part->own + part->ghosts, sizeof *word, err));
    memcpy(word, colour, part->own * sizeof *word);
    rd_status status = rd__part_refresh(part, word, sizeof *word, err);
    if (status == RD_OK)
        status = check_used(part, word, colours, err); /* all, before one may find a fault alone */
    if (status == RD_OK && (status = check_own(part, &csr, word, colours, &why)) != RD_OK)
        status = rd__fail(err, status, "%s", why.text);
    rd__array_free(word);
    return status;
}
