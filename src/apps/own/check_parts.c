/* SPDX-License-Identifier: Apache-2.0 */
/* check_parts.c - the serial function of an own search looks at a whole graph and all values. On several ranks the
 * first one gets both from the others: it is the only way in which a text that the library does not know can be asked.
 */
#include "apps/own/own.h"

#include "core/memory.h"
#include "graph/part/part.h"

#include <string.h>

/* The parts one behind another, on rank 0; NULL elsewhere. */
typedef struct whole {
    uint64_t *degree, *row;
    uint32_t *col, *weight, *word;
} whole;

static rd_status gather(rd_ranks *ranks, const void *mine, uint64_t bytes, void *all, rd_error *err)
{
    uint64_t *sizes = NULL;
    void *data = NULL;
    const rd_status status = rd_ranks_gather(ranks, mine, bytes, &data, &sizes, err);
    rd_free(sizes);
    memcpy(all, &data, sizeof data);
    return status;
}

/* Rows by their lengths, targets by their numbers in the whole graph. */
static rd_status gather_edges(const rd_job *job, whole *w, uint64_t *degree, uint32_t *number, rd_error *err)
{
    const rd__part *part = rd__graph_part(job->graph);
    const rd_csr csr = rd_graph_csr(job->graph);
    for (uint32_t v = 0; v < part->own; v++)
        degree[v] = csr.row[v + 1] - csr.row[v];
    for (uint64_t e = 0; e < csr.edges; e++)
        number[e] = rd__part_number(part, csr.col[e]);
    RD_TRY(gather(job->ranks, degree, 8ull * part->own, &w->degree, err));
    RD_TRY(gather(job->ranks, number, 4 * csr.edges, &w->col, err));
    return csr.weight ? gather(job->ranks, csr.weight, 4 * csr.edges, &w->weight, err) : RD_OK;
}

static rd_status gather_all(const rd_job *job, const rd_result *result, whole *w, rd_error *err)
{
    const rd__part *part = rd__graph_part(job->graph);
    uint64_t *degree = NULL;
    uint32_t *number = NULL;
    rd_status status = rd__array_new(&degree, "lengths of rows", part->own, sizeof *degree, err);
    if (status == RD_OK)
        status = rd__array_new(&number, "targets of edges", rd_graph_csr(job->graph).edges, sizeof *number, err);
    if (status == RD_OK)
        status = gather_edges(job, w, degree, number, err);
    if (status == RD_OK)
        status = gather(job->ranks, result->word, 4ull * part->own, &w->word, err);
    rd__array_free(degree);
    rd__array_free(number);
    return status;
}

/* Rank 0. */
static rd_status ask(rd_job *job, const rd_result *result, whole *w, rd_error *err)
{
    const rd__part *part = rd__graph_part(job->graph);
    const uint32_t asked = ((const rd__own_state *)job->state)->source;
    RD_TRY(rd__array_new(&w->row, "rows of the whole graph", part->vertices + 1ull, sizeof *w->row, err));
    w->row[0] = 0;
    for (uint32_t v = 0; v < part->vertices; v++)
        w->row[v + 1] = w->row[v] + w->degree[v];
    rd__own_looked looked = {.word = w->word, .source = asked == RD_NONE ? part->hub : asked};
    looked.csr = (rd_csr){.vertices = part->vertices, .edges = part->edges, .row = w->row, .col = w->col};
    looked.csr.weight = (const int32_t *)w->weight;
    return rd__own_check_whole(job, result, &looked, err);
}

rd_status rd__own_check_parts(rd_job *job, const rd_result *result, rd_error *err)
{
    whole w = {NULL, NULL, NULL, NULL, NULL};
    rd_status status = gather_all(job, result, &w, err);
    if (status == RD_OK && rd_ranks_rank(job->ranks) == 0)
        status = ask(job, result, &w, err);
    rd_free(w.degree);
    rd__array_free(w.row);
    rd_free(w.col);
    rd_free(w.weight);
    rd_free(w.word);
    return status;
}
