/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - counts triangles again, serially. Vertices are taken in the order of a counting sort by degree, the largest
 * first, and put into the graph one by one: when v comes, the neighbours of v that are there already are marked, and
 * the lists of those, of who came before them, are gone through for marks. So a triangle is counted when its last
 * vertex comes. Loops do not count, of parallel edges one does; rows may be in any order.
 */
#include "core/error.h"
#include "core/memory.h"

rd_status rd__tc_count(const rd_csr *csr, uint64_t *triangles, rd_error *err);

typedef struct counting {
    uint32_t *order;  /* vertices, in the order of their coming */
    uint64_t *list;   /* of v: where its list begins */
    uint32_t *before; /* the lists: neighbours that came earlier */
    uint32_t *length;
    uint32_t *mark; /* by whom, + 1 */
    uint64_t *start;
} counting;

static rd_status in_order(const rd_csr *csr, counting *c, rd_error *err)
{
    uint64_t most = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        const uint64_t degree = csr->row[v + 1] - csr->row[v];
        most = degree > most ? degree : most;
    }
    RD_TRY(rd__array_new(&c->start, "degrees", most + 2, sizeof *c->start, err));
    for (uint64_t d = 0; d < most + 2; d++)
        c->start[d] = 0;
    for (uint32_t v = 0; v < csr->vertices; v++)
        c->start[most - (csr->row[v + 1] - csr->row[v]) + 1]++;
    for (uint64_t d = 1; d < most + 2; d++)
        c->start[d] += c->start[d - 1];
    for (uint32_t v = 0; v < csr->vertices; v++)
        c->order[c->start[most - (csr->row[v + 1] - csr->row[v])]++] = v;
    return RD_OK;
}

static uint64_t come(const rd_csr *csr, const counting *c, uint32_t v, uint64_t at)
{
    uint64_t count = 0;
    c->list[v] = at;
    for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++) {
        const uint32_t u = csr->col[e];
        if (u != v && c->length[u] != RD_NONE && c->mark[u] != v + 1) {
            c->mark[u] = v + 1;
            c->before[at++] = u;
        }
    }
    c->length[v] = (uint32_t)(at - c->list[v]);
    for (uint64_t i = c->list[v]; i < at; i++) {
        const uint32_t u = c->before[i];
        for (uint64_t k = c->list[u]; k < c->list[u] + c->length[u]; k++)
            count += c->mark[c->before[k]] == v + 1;
    }
    return count;
}

static void count_all(const rd_csr *csr, const counting *c, uint64_t *triangles)
{
    uint64_t at = 0;
    *triangles = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        c->mark[v] = 0;
        c->length[v] = RD_NONE; /* it has not come yet */
    }
    for (uint32_t i = 0; i < csr->vertices; i++) {
        *triangles += come(csr, c, c->order[i], at);
        at += c->length[c->order[i]];
    }
}

rd_status rd__tc_count(const rd_csr *csr, uint64_t *triangles, rd_error *err)
{
    counting c = {0};
    rd_status status = rd__array_new(&c.order, "vertices by degree", csr->vertices, sizeof *c.order, err);
    if (status == RD_OK)
        status = rd__array_new(&c.list, "lists of neighbours", csr->vertices, sizeof *c.list, err);
    if (status == RD_OK)
        status = rd__array_new(&c.length, "lengths of lists", csr->vertices, sizeof *c.length, err);
    if (status == RD_OK)
        status = rd__array_new(&c.mark, "marks", csr->vertices, sizeof *c.mark, err);
    if (status == RD_OK)
        status = rd__array_new(&c.before, "neighbours", csr->edges, sizeof *c.before, err);
    if (status == RD_OK)
        status = in_order(csr, &c, err);
    if (status == RD_OK)
        count_all(csr, &c, triangles);
    rd__array_free(c.order);
    rd__array_free(c.list);
    rd__array_free(c.length);
    rd__array_free(c.mark);
    rd__array_free(c.before);
    rd__array_free(c.start);
    return status;
}
