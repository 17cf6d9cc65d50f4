/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metis.c - parts with few edges between them, by METIS (G. Karypis and V. Kumar, 1998), version 5. Its library is
 * opened when it is asked for: the file that RADDLE_METIS names, else libmetis.so.5 or libmetis.so.
 *
 * Its numbers (idx_t) have 32 or 64 bits, as it was built, and it does not say which. METIS_SetDefaultOptions does: it
 * sets METIS_NOPTIONS of them.
 */
#include "graph/part/metis.h"

#include "graph/part/part.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { METIS_OK = 1, METIS_NOPTIONS = 40 };

typedef int (*defaults_fn)(void *options);
typedef int (*kway_fn)(void *vertices, void *constraints, void *row, void *col, void *vertex_weight, void *vertex_size,
                       void *edge_weight, void *parts, void *part_weight, void *imbalance, void *options, void *cut,
                       void *part_of);

typedef struct metis {
    void *library;
    kway_fn kway;
    size_t width; /* bytes of an idx_t */
} metis;

typedef struct arrays {
    void *row, *col, *weight, *part;
} arrays;

static void put(const metis *use, void *array, uint64_t at, uint64_t value)
{
    if (use->width == 8)
        ((int64_t *)array)[at] = (int64_t)value;
    else
        ((int32_t *)array)[at] = (int32_t)value;
}

static uint64_t get(const metis *use, const void *array, uint64_t at)
{
    return use->width == 8 ? (uint64_t)((const int64_t *)array)[at] : (uint64_t)((const int32_t *)array)[at];
}

static size_t find_width(defaults_fn defaults)
{
    int32_t option[2 * METIS_NOPTIONS];
    const int32_t untouched = 0x5a5a5a5a;
    for (int i = 0; i < 2 * METIS_NOPTIONS; i++)
        option[i] = untouched;
    (void)defaults(option);
    return option[2 * METIS_NOPTIONS - 1] == untouched ? 4 : 8;
}

static rd_status open_library(metis *use, rd_error *err)
{
    const char *named = getenv("RADDLE_METIS");
    defaults_fn defaults;
    use->library = dlopen(named && *named ? named : "libmetis.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!use->library && !(named && *named))
        use->library = dlopen("libmetis.so", RTLD_NOW | RTLD_LOCAL);
    if (!use->library) /* dlerror is not to be asked by several threads */
        return rd__fail(err, RD_EDEVICE,
                        "METIS cannot be used: there is no %s; install it (libmetis5), name it with "
                        "RADDLE_METIS, or give a file of parts",
                        named && *named ? named : "libmetis.so.5");
    void *const kway = dlsym(use->library, "METIS_PartGraphKway");
    void *const set = dlsym(use->library, "METIS_SetDefaultOptions");
    if (!kway || !set)
        return rd__fail(err, RD_EDEVICE, "METIS cannot be used: what was found is not version 5 of it");
    memcpy(&use->kway, &kway, sizeof kway); /* ISO C has no such cast; POSIX promises that it works */
    memcpy(&defaults, &set, sizeof set);
    use->width = find_width(defaults);
    return RD_OK;
}

/* The graph without loops. A vertex weighs as much as blocks count it: itself and its edges. */
static rd_status fill(const metis *use, const rd_graph *graph, arrays *to, rd_error *err)
{
    const uint64_t vertices = graph->vertices;
    uint64_t at = 0;
    RD_TRY(rd__array_new(&to->row, "rows for METIS", vertices + 1, use->width, err));
    RD_TRY(rd__array_new(&to->col, "edges for METIS", graph->edges, use->width, err));
    RD_TRY(rd__array_new(&to->weight, "weights for METIS", vertices, use->width, err));
    RD_TRY(rd__array_new(&to->part, "parts of METIS", vertices, use->width, err));
    for (uint64_t v = 0; v < vertices; v++) {
        put(use, to->row, v, at);
        for (uint64_t e = graph->row[v]; e < graph->row[v + 1]; e++)
            if (graph->col[e] != v)
                put(use, to->col, at++, graph->col[e]);
        put(use, to->weight, v, graph->row[v + 1] - graph->row[v] + 1);
    }
    put(use, to->row, vertices, at);
    return RD_OK;
}

static rd_status call(const metis *use, const rd_graph *graph, uint32_t parts, arrays *of, rd_error *err)
{
    int64_t vertices, constraints, count, cut;
    put(use, &vertices, 0, graph->vertices);
    put(use, &constraints, 0, 1);
    put(use, &count, 0, parts);
    const int answer = use->kway(&vertices, &constraints, of->row, of->col, of->weight, NULL, NULL, &count, NULL, NULL,
                                 NULL, &cut, of->part);
    if (answer != METIS_OK)
        return rd__fail(err, RD_EDEVICE, "METIS could not cut the graph into %u parts (it says %d)", parts, answer);
    return RD_OK;
}

rd_status rd__metis_parts(const rd_graph *graph, uint32_t parts, uint32_t *part_of, rd_error *err)
{
    metis use = {.library = NULL};
    arrays of = {NULL, NULL, NULL, NULL};
    if (!graph->symmetric)
        return rd__fail(err, RD_EARG, "METIS takes symmetric graphs: each edge with its reverse; option -s adds them");
    rd_status status = open_library(&use, err);
    if (status == RD_OK && use.width == 4 && (graph->edges > INT32_MAX || graph->vertices > INT32_MAX))
        status = rd__fail(err, RD_EARG, "this METIS has numbers of 32 bits, and the graph has %llu edges",
                          (unsigned long long)graph->edges);
    memset(part_of, 0, graph->vertices * sizeof *part_of);
    if (status == RD_OK && parts > 1 && graph->vertices) { /* it does not take trifles */
        status = fill(&use, graph, &of, err);
        if (status == RD_OK)
            status = call(&use, graph, parts, &of, err);
        for (uint64_t v = 0; v < graph->vertices && status == RD_OK; v++)
            part_of[v] = (uint32_t)get(&use, of.part, v);
    }
    rd__array_free(of.row);
    rd__array_free(of.col);
    rd__array_free(of.weight);
    rd__array_free(of.part);
    if (use.library)
        dlclose(use.library);
    return status;
}
