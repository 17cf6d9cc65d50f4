/* SPDX-License-Identifier: Apache-2.0 */
/*
 * split.c - rd_graph_partition: a graph is cut once, into a folder from which each rank reads its part. Where parts are
 * no blocks of consecutive vertices, the vertices are renumbered, part by part and in each in their old order, so that
 * they become blocks, and what they were called goes to a file of its own.
 *
 * A part is a graph by itself, a plain .rdg file: own vertices first, then ghosts, the ends of edges that leave,
 * without edges of their own. Its ids are the numbers that they have in the whole graph. stored.c reads it.
 */
#define _POSIX_C_SOURCE 200809L
#include "graph/part/metis.h"
#include "graph/part/part.h"
#include "graph/part/scotch.h"

#include "core/hash.h"
#include "graph/row_sort.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PARTS = 1 << 20 };

typedef struct split {
    const rd_graph *graph;
    const char *folder;
    uint32_t *start;  /* parts + 1 */
    uint32_t *place;  /* of each vertex its number in the parts, and */
    uint32_t *origin; /* of each number the vertex; NULL: they are the same */
    uint64_t *bit;    /* of vertices that are ghosts of the part at hand, */
    uint32_t *before; /* and how many bits are set before a word */
    rd_parts parts;
} split;

/* ---- Who goes where ---- */

static uint32_t part_of(const rd_partition *how, uint32_t v)
{
    if (how->split == RD_SPLIT_GIVEN)
        return how->part_of[v];
    return (uint32_t)((rd__mix64(v + RD_GOLDEN) >> 32) * how->parts >> 32);
}

/* A counting sort by part. */
static rd_status deal_out(split *to, const rd_partition *how, rd_error *err)
{
    const uint32_t vertices = to->graph->vertices;
    uint64_t *next = NULL;
    RD_TRY(rd__array_new(&to->place, "new numbers of vertices", vertices, sizeof *to->place, err));
    RD_TRY(rd__array_new(&to->origin, "old numbers of vertices", vertices, sizeof *to->origin, err));
    RD_TRY(rd__array_new(&next, "sizes of parts", how->parts + 1ull, sizeof *next, err));
    memset(next, 0, (how->parts + 1ull) * sizeof *next);
    for (uint32_t v = 0; v < vertices; v++)
        next[part_of(how, v) + 1]++;
    for (uint32_t p = 0; p < how->parts; p++)
        next[p + 1] += next[p];
    for (uint32_t p = 0; p <= how->parts; p++)
        to->start[p] = (uint32_t)next[p];
    for (uint32_t v = 0; v < vertices; v++) {
        to->place[v] = (uint32_t)next[part_of(how, v)]++;
        to->origin[to->place[v]] = v;
    }
    rd__array_free(next);
    return RD_OK;
}

static rd_status check_parts(const rd_graph *graph, const rd_partition *how, rd_error *err)
{
    for (uint32_t v = 0; v < graph->vertices; v++)
        if (how->part_of[v] >= how->parts)
            return rd__fail(err, RD_EINPUT, "vertex %llu is in part %u, and there are parts 0 to %u",
                            (unsigned long long)rd_graph_name(graph, v), how->part_of[v], how->parts - 1);
    return RD_OK;
}

static rd_status ask_library(split *to, const rd_partition *how, rd_error *err)
{
    uint32_t *list = NULL;
    RD_TRY(rd__array_new(&list, "the part of each vertex", to->graph->vertices, sizeof *list, err));
    rd_partition found = *how;
    found.split = RD_SPLIT_GIVEN;
    found.part_of = list;
    rd_status status = how->split == RD_SPLIT_METIS ? rd__metis_parts(to->graph, how->parts, list, err)
                                                    : rd__scotch_parts(to->graph, how->parts, list, err);
    if (status == RD_OK)
        status = check_parts(to->graph, &found, err);
    if (status == RD_OK)
        status = deal_out(to, &found, err);
    rd__array_free(list);
    return status;
}

static uint32_t place_of(const split *to, uint32_t v)
{
    return to->place ? to->place[v] : v;
}

static uint32_t origin_of(const split *to, uint32_t number)
{
    return to->origin ? to->origin[number] : number;
}

/* ---- A part ---- */

typedef struct part {
    uint32_t first, own, ghosts;
    uint64_t edges;
    uint64_t *row, *ids;
    uint32_t *col;
    int32_t *weight;
} part;

static void free_part(part *p)
{
    rd__array_free(p->row);
    rd__array_free(p->ids);
    rd__array_free(p->col);
    rd__array_free(p->weight);
}

/* Rows with the numbers of the whole; marks the ghosts. */
static rd_status copy_rows(split *to, part *p, rd_error *err)
{
    const rd_graph *graph = to->graph;
    for (uint32_t i = 0; i < p->own; i++) {
        const uint32_t v = origin_of(to, p->first + i);
        p->edges += graph->row[v + 1] - graph->row[v];
    }
    RD_TRY(rd__array_new(&p->col, "the edges of a part", p->edges, sizeof *p->col, err));
    if (graph->weight)
        RD_TRY(rd__array_new(&p->weight, "the weights of a part", p->edges, sizeof *p->weight, err));
    const uint64_t words = ((uint64_t)graph->vertices + 63) / 64;
    memset(to->bit, 0, words * sizeof *to->bit);
    uint64_t at = 0;
    for (uint32_t i = 0; i < p->own; i++) {
        const uint32_t v = origin_of(to, p->first + i);
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++, at++) {
            p->col[at] = place_of(to, graph->col[e]);
            if (graph->weight)
                p->weight[at] = graph->weight[e];
            if (p->col[at] - p->first >= p->own) {
                to->bit[p->col[at] / 64] |= 1ull << p->col[at] % 64;
                to->parts.cut++;
            }
        }
    }
    for (uint64_t w = 0; w < words; w++) {
        to->before[w] = p->ghosts;
        p->ghosts += (uint32_t)__builtin_popcountll(to->bit[w]);
    }
    return RD_OK;
}

static uint32_t local_of(const split *to, const part *p, uint32_t number)
{
    if (number - p->first < p->own)
        return number - p->first;
    return p->own + to->before[number / 64] +
           (uint32_t)__builtin_popcountll(to->bit[number / 64] & ((1ull << number % 64) - 1));
}

/* Row offsets, with empty rows for ghosts; numbers of the part, rows in their order. */
static rd_status renumber(const split *to, part *p, rd_error *err)
{
    const rd_graph *graph = to->graph;
    const uint64_t vertices = (uint64_t)p->own + p->ghosts;
    rd__row_sorter sorter = {NULL, 0};
    if (vertices > RD_VERTEX_MAX)
        return rd__fail(err, RD_EINPUT, "a part has more than %u vertices and ghosts; use more parts", RD_VERTEX_MAX);
    RD_TRY(rd__array_new(&p->row, "the row offsets of a part", vertices + 1, sizeof *p->row, err));
    RD_TRY(rd__array_new(&p->ids, "the numbers of a part", vertices, sizeof *p->ids, err));
    p->row[0] = 0;
    for (uint64_t i = 0; i < vertices; i++) {
        const uint32_t v = i < p->own ? origin_of(to, p->first + (uint32_t)i) : 0;
        p->row[i + 1] = p->row[i] + (i < p->own ? graph->row[v + 1] - graph->row[v] : 0);
        p->ids[i] = p->first + i;
    }
    for (uint64_t e = 0; e < p->edges; e++) {
        const uint32_t number = p->col[e];
        p->col[e] = local_of(to, p, number);
        p->ids[p->col[e]] = number;
    }
    int sorted = 1;
    for (uint32_t i = 0; i < p->own && sorted; i++)
        sorted = rd__row_sort(&sorter, p->col + p->row[i], p->weight ? p->weight + p->row[i] : NULL,
                              p->row[i + 1] - p->row[i]);
    rd__row_sorter_free(&sorter);
    return sorted ? RD_OK : rd__fail_memory(err, "sorting the rows of a part", 8 * p->edges);
}

/* Takes the arrays. */
static rd_status save(const split *to, part *p, const char *path, rd_error *err)
{
    rd_graph *made = NULL;
    rd_status status =
        rd__graph_new(p->own + p->ghosts, p->edges, p->row, p->col, p->weight, to->graph->threads, &made, err);
    p->row = NULL; /* its own now, or gone */
    p->col = NULL;
    p->weight = NULL;
    if (status != RD_OK)
        return status;
    made->ids = p->ids;
    p->ids = NULL;
    made->real = to->graph->real;
    made->provenance = rd__strdup(to->parts.provenance);
    status = made->provenance ? rd_graph_save(made, path, "rdg", err) : rd__fail_memory(err, "a provenance", 1);
    rd_graph_destroy(made);
    return status;
}

static rd_status write_part(split *to, uint32_t number, rd_error *err)
{
    char path[RD__STORED_PATH];
    part p = {.first = to->start[number], .own = to->start[number + 1] - to->start[number]};
    rd_status status = copy_rows(to, &p, err);
    if (status == RD_OK)
        status = renumber(to, &p, err);
    to->parts.part[number] = (rd_part_info){p.first, p.own, p.ghosts, p.edges};
    rd__stored_part_path(to->folder, number, path);
    if (status == RD_OK)
        status = save(to, &p, path, err);
    free_part(&p);
    return status;
}

/* What vertices were called: an .rdg file without edges. */
static rd_status write_names(const split *to, rd_error *err)
{
    char path[RD__STORED_PATH];
    const uint32_t vertices = to->graph->vertices;
    part p = {.own = vertices};
    rd_status status = rd__array_new(&p.row, "names", vertices + 1ull, sizeof *p.row, err);
    if (status == RD_OK)
        status = rd__array_new(&p.ids, "names", vertices, sizeof *p.ids, err);
    if (status == RD_OK)
        status = rd__array_new(&p.col, "names", 0, sizeof *p.col, err);
    if (status == RD_OK) {
        memset(p.row, 0, (vertices + 1ull) * sizeof *p.row);
        for (uint32_t v = 0; v < vertices; v++)
            p.ids[v] = rd_graph_name(to->graph, origin_of(to, v));
        rd__stored_path(to->folder, "names.rdg", path);
        status = save(to, &p, path, err);
    }
    free_part(&p);
    return status;
}

/* ---- All of it ---- */

static rd_status check(const rd_graph *graph, const rd_partition *how, const char *folder, rd_error *err)
{
    if (!graph || !how || !folder || how->size != sizeof *how)
        return rd__fail(err, RD_EARG, "rd_graph_partition needs a graph, a folder, and rd_partition with its size");
    if (graph->part)
        return rd__fail(err, RD_EARG, "the graph is a part already");
    if (graph->shuffled)
        return rd__fail(err, RD_EARG, "rows of parts ascend, and those of this graph were shuffled");
    if (how->parts < 1 || how->parts > MOST_PARTS || strlen(folder) > RD__STORED_PATH - 64)
        return rd__fail(err, RD_EARG, "a graph is cut into 1 to %d parts, and the folder's name is short", MOST_PARTS);
    if ((unsigned)how->split > RD_SPLIT_SCOTCH || (how->split == RD_SPLIT_GIVEN && !how->part_of))
        return rd__fail(err, RD_EARG, "there is no such way to split, or part_of is missing: the part of each vertex");
    return how->split == RD_SPLIT_GIVEN ? check_parts(graph, how, err) : RD_OK;
}

static rd_status make(split *to, const rd_partition *how, rd_error *err)
{
    const rd_graph *graph = to->graph;
    const rd_csr csr = rd_graph_csr(graph);
    const uint64_t words = ((uint64_t)graph->vertices + 63) / 64;
    RD_TRY(rd__array_new(&to->start, "where parts begin", how->parts + 1ull, sizeof *to->start, err));
    RD_TRY(rd__array_new(&to->bit, "a bit for each vertex", words, sizeof *to->bit, err));
    RD_TRY(rd__array_new(&to->before, "counts of bits", words, sizeof *to->before, err));
    to->parts.part = rd__calloc(how->parts, sizeof *to->parts.part);
    to->parts.provenance = rd__strdup(rd_graph_provenance(graph));
    if (!to->parts.part || !to->parts.provenance)
        return rd__fail_memory(err, "notes on parts", how->parts * sizeof *to->parts.part);
    if (how->split == RD_SPLIT_BLOCKS)
        rd__blocks_cut(&csr, NULL, how->parts, to->start);
    else
        RD_TRY(how->split >= RD_SPLIT_METIS ? ask_library(to, how, err) : deal_out(to, how, err));
    to->parts.named = how->split != RD_SPLIT_BLOCKS || graph->ids;
    if (to->parts.named)
        RD_TRY(write_names(to, err));
    for (uint32_t p = 0; p < how->parts; p++)
        RD_TRY(write_part(to, p, err));
    return rd__stored_write(to->folder, &to->parts, err);
}

rd_status rd_graph_partition(const rd_graph *graph, const rd_partition *how, const char *folder, rd_error *err)
{
    static const char *const names[] = {"blocks", "hash", "given", "metis", "scotch"};
    char path[RD__STORED_PATH];
    RD_TRY(check(graph, how, folder, err));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return rd__fail(err, RD_EIO, "%s: cannot be made: %s", folder, strerror(errno));
    rd__stored_path(folder, "parts", path);
    if (unlink(path) != 0 && errno != ENOENT) /* until the new one is there, there are no parts */
        return rd__fail(err, RD_EIO, "%s: cannot be replaced: %s", path, strerror(errno));
    split to = {.graph = graph,
                .folder = folder,
                .parts = {.parts = how->parts,
                          .vertices = graph->vertices,
                          .edges = graph->edges,
                          .symmetric = graph->symmetric != 0,
                          .weighted = graph->weight != NULL,
                          .real = graph->real != 0,
                          .from = graph->first}};
    snprintf(to.parts.split, sizeof to.parts.split, "%s", names[how->split]);
    const rd_status status = make(&to, how, err);
    rd__array_free(to.start);
    rd__array_free(to.place);
    rd__array_free(to.origin);
    rd__array_free(to.bit);
    rd__array_free(to.before);
    rd_parts_free(&to.parts);
    return status;
}
