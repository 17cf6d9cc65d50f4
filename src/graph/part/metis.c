/* SPDX-License-Identifier: Apache-2.0 */
/*
 * metis.c - parts with few edges between them, by METIS (G. Karypis and V. Kumar, 1998), version 5. Its library is
 * opened when it is asked for: the file that RADDLE_METIS names, else libmetis.so.5 or libmetis.so.
 *
 * Its numbers (idx_t) have 32 or 64 bits, as it was built, and it does not say which. METIS_SetDefaultOptions does: it
 * sets METIS_NOPTIONS of them.
 */
#include "graph/part/metis.h"

#include "graph/part/handed.h"
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

static rd_status call(const metis *use, const rd_graph *graph, uint32_t parts, rd__handed *of, rd_error *err)
{
    int64_t vertices, constraints, count, cut;
    rd__handed_put(of, &vertices, 0, graph->vertices);
    rd__handed_put(of, &constraints, 0, 1);
    rd__handed_put(of, &count, 0, parts);
    const int answer = use->kway(&vertices, &constraints, of->row, of->col, of->load, NULL, NULL, &count, NULL, NULL,
                                 NULL, &cut, of->part);
    if (answer != METIS_OK)
        return rd__fail(err, RD_EDEVICE, "METIS could not cut the graph into %u parts (it says %d)", parts, answer);
    return RD_OK;
}

rd_status rd__metis_parts(const rd_graph *graph, uint32_t parts, uint32_t *part_of, rd_error *err)
{
    metis use = {.library = NULL};
    rd__handed of = {0};
    RD_TRY(rd__handed_allows(graph, 0, "METIS", err));
    rd_status status = open_library(&use, err);
    of.width = use.width;
    if (status == RD_OK)
        status = rd__handed_allows(graph, of.width, "METIS", err);
    memset(part_of, 0, graph->vertices * sizeof *part_of);
    if (status == RD_OK && parts > 1 && graph->vertices) { /* it does not take trifles */
        status = rd__handed_fill(&of, graph, err);
        if (status == RD_OK)
            status = call(&use, graph, parts, &of, err);
        if (status == RD_OK)
            rd__handed_take(&of, graph->vertices, part_of);
    }
    rd__handed_free(&of);
    if (use.library)
        dlclose(use.library);
    return status;
}
