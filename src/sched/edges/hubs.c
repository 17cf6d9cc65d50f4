/* SPDX-License-Identifier: Apache-2.0 */
/* hubs.c - see hubs.h. */
#include "sched/edges/hubs.h"

#include "sched/edges/hubs_layout.k.h"

#include <stdio.h>
#include <string.h>

/* Edges of a span; 0: no vertex has many of them, or tasks are whole vertices. */
static uint32_t span_of(const rd__sched_job *job, uint32_t lanes)
{
    const uint32_t span = HUBS_SPAN_OF(lanes);
    const rd__root *root = rd__root_find(job->program);
    const int whole = root && (root->traits & RD__TRAIT_VERTEX);
    return !whole && rd_graph_max_degree(job->input.graph) >= (uint64_t)HUBS_LEAST * span ? span : 0;
}

void rd__hubs_plan(const rd__sched_job *job, uint32_t lanes, rd_plan *plan)
{
    if (span_of(job, lanes))
        rd__plan_add(plan, "board of hubs", 4 * HUBS_WORDS, 0, 0);
}

rd_status rd__hubs_open(rd__hubs *hubs, const rd__sched_job *job, uint32_t lanes, int shared, rd_error *err)
{
    const uint32_t span = span_of(job, lanes);
    if (!span)
        return RD_OK;
    RD_TRY(rd__buffer_alloc(job->device, &hubs->board, "board of hubs", 4 * HUBS_WORDS, err));
    hubs->span = shared ? span : 0;
    return RD_OK;
}

void rd__hubs_close(rd__hubs *hubs)
{
    rd__buffer_free(&hubs->board);
}

rd_status rd__hubs_clear(rd__hubs *hubs, rd_error *err)
{
    return hubs->span ? rd__buffer_fill(&hubs->board, 0, err) : RD_OK;
}

rd_status rd__hubs_left(const rd__hubs *hubs, uint64_t *left, rd_error *err)
{
    uint32_t word[HUBS_WORDS];
    *left = 0;
    if (!hubs->span)
        return RD_OK;
    RD_TRY(rd__buffer_read(&hubs->board, 0, sizeof word, word, err));
    for (uint32_t i = 0; i < HUBS_SLOTS; i++)
        *left += word[HUBS_OPEN] >> i & 1 ? word[HUBS_SLOT(i) + HUBS_LEFT] : 0;
    return RD_OK;
}

void rd__hubs_define(const rd__sched_job *job, uint32_t lanes, char *text, size_t room)
{
    const size_t used = strlen(text);
    if (job->device->info.is_gpu)
        snprintf(text + used, room - used, "%s-DHUBS_HERE=%d", used ? " " : "", span_of(job, lanes) != 0);
}

const rd__buffer *rd__hubs_board(const rd__hubs *hubs, const rd__buffer *other)
{
    return hubs->board.device ? &hubs->board : other;
}
