/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parts.c - the independent set over several ranks, and its checker in parts. In turns, each rank decides what it can
 * (mis/parts.k.c), then owners tell what their vertices are to all who have them as ghosts. Of all that are undecided
 * the one of highest priority has nobody to wait for, so every turn decides something. The set is that of going through
 * all vertices by priority, and priorities are those of one device: so is the set, on any number of ranks.
 *
 * Where the marks of all ranks are in the host's memory it decides by itself what is left after some turns, each vertex
 * when the last one is decided that it waits for, or the first one is in (apps/common/waits.c): the same set, and no
 * rounds.
 */
#include "apps/mis/parts.h"

#include "apps/common/called.h"
#include "apps/common/checker.h"
#include "apps/common/waits.h"
#include "apps/mis/layout.k.h"
#include "core/memory.h"
#include "graph/part/part.h"

#include <string.h>

RD__WORD_CHECKER(mis);

/* All ranks: ghosts' marks, from the device and back to it. *left: own vertices of all ranks that are undecided. */
static rd_status exchange(const rd__part *part, rd__buffer *mark, uint32_t *word, uint64_t *left, rd_error *err)
{
    *left = 0;
    RD_TRY(rd__buffer_read(mark, 0, 4ull * part->own, word, err));
    for (uint32_t v = 0; v < part->own; v++)
        *left += word[v] != MIS_IN && word[v] != MIS_OUT;
    RD_TRY(rd__part_refresh(part, word, sizeof *word, err));
    RD_TRY(rd__buffer_write(mark, 4ull * part->own, 4ull * part->ghosts, word + part->own, err));
    return rd_ranks_sum(part->ranks, left, 1, err);
}

/* ---- By the host ---- */

typedef struct choice {
    const rd__part *part;
    uint32_t *mark;
} choice;

static int is_decided(const void *user, uint32_t u, uint32_t *word)
{
    *word = ((const choice *)user)->mark[u];
    return *word == MIS_IN || *word == MIS_OUT;
}

/* As mis/rule.k.h has it. */
static int is_before(const void *user, uint32_t u, uint32_t v)
{
    const choice *own = user;
    if (own->mark[u] != own->mark[v])
        return own->mark[u] > own->mark[v];
    return rd__part_number(own->part, u) > rd__part_number(own->part, v);
}

static uint32_t choose(void *user, uint32_t v, int shut)
{
    return ((choice *)user)->mark[v] = shut ? MIS_OUT : MIS_IN;
}

static void hear_mark(void *user, uint32_t ghost, uint32_t word)
{
    ((choice *)user)->mark[ghost] = word;
}

static rd_status by_host(rd_job *job, uint32_t *mark, uint64_t *turns, rd_report *report, rd_error *err)
{
    choice own = {job->graph->part, mark};
    const rd__waits order = {.part = own.part,
                             .csr = rd_graph_csr(job->graph),
                             .user = &own,
                             .is_decided = is_decided,
                             .is_before = is_before,
                             .decide = choose,
                             .hear = hear_mark,
                             .shuts = 1,
                             .shut = MIS_IN};
    return rd__waits_run(&order, turns, report, err);
}

static rd_status decide(rd_job *job, rd__mis_part *told, rd__buffer *mark, rd__slice_fn slice, uint32_t *word,
                        rd_report *report, rd_error *err)
{
    const rd__part *part = job->graph->part;
    const rd__seeds seeds = {.kind = RD__SEEDS_ALL};
    uint32_t *in_set = job->copy, *found = rd__buffer_in_place(mark);
    uint64_t left, turns = 0, members = 0;
    int can;
    RD_TRY(rd__waits_can(part, found, &can, err));
    told->begins = 1;
    RD_TRY(slice(job, &seeds, report, err));
    told->begins = 0;
    report->tasks = 0; /* that was none */
    RD_TRY(exchange(part, mark, word, &left, err));
    while (left && !(can && turns == RD__WAITS_AFTER)) {
        RD_TRY(slice(job, &seeds, report, err));
        RD_TRY(exchange(part, mark, word, &left, err));
        turns++;
    }
    if (can)
        RD_TRY(rd__buffer_settle(mark, err));
    if (left)
        RD_TRY(by_host(job, found, &turns, report, err));
    found = can ? found : word;
    for (uint32_t v = 0; v < part->own; v++)
        members += in_set[v] = found[v] == MIS_IN;
    job->fetched = 1;
    RD_TRY(rd_ranks_sum(part->ranks, &members, 1, err));
    job->part.reached = members;
    job->part.vertices = part->vertices;
    report->reached = part->own;
    rd__measure(report, "members", (double)members);
    rd__measure(report, "turns", (double)turns);
    return RD_OK;
}

rd_status rd__mis_run_parts(rd_job *job, rd__mis_part *told, rd__buffer *mark, rd__slice_fn slice, rd_report *report,
                            rd_error *err)
{
    rd__part *part = job->graph->part; /* learning who has whose is a cache, not a change of the graph */
    uint32_t *word = NULL;
    told->below = part->ghost_from[rd_ranks_rank(part->ranks)];
    job->part.own = part->own;
    RD_TRY(rd__part_lend(part, err));
    RD_TRY(rd__array_new(&word, "marks on the host", (uint64_t)part->own + part->ghosts, sizeof *word, err));
    const rd_status status = decide(job, told, mark, slice, word, report, err);
    rd__array_free(word);
    return status;
}

/* Every rank looks at its own vertices: their neighbours are its own or its ghosts. */
rd_status rd__mis_check_parts(rd_job *job, const uint32_t *in_set, rd_error *err)
{
    const rd__part *part = job->graph->part;
    rd_csr csr = rd_graph_csr(job->graph);
    uint32_t *word = NULL;
    RD_TRY(rd__array_new(&word, "the checker's marks", (uint64_t)part->own + part->ghosts, sizeof *word, err));
    memcpy(word, in_set, part->own * sizeof *word);
    rd_status status = rd__part_refresh(part, word, sizeof *word, err);
    csr.vertices = part->own;
    const rd__calling before = rd__call_by((rd__calling){job->graph, 1});
    if (status == RD_OK)
        status = rd__mis_check(&csr, word, err);
    (void)rd__call_by(before);
    rd__array_free(word);
    return status;
}
