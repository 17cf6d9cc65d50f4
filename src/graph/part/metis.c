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

static rd_status open_library(void *memory, size_t *width, rd_error *err)
{
    metis *use = memory;
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
    *width = find_width(defaults);
    return RD_OK;
}

static rd_status call(const void *memory, const rd_graph *graph, uint32_t parts, rd__handed *of, rd_error *err)
{
    const metis *use = memory;
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

static void close_library(void *memory)
{
    metis *use = memory;
    if (use->library)
        dlclose(use->library);
}

rd_status rd__metis_parts(const rd_graph *graph, uint32_t parts, uint32_t *part_of, rd_error *err)
{
    static const rd__cutter cutter = {.name = "METIS", .open = open_library, .cut = call, .close = close_library};
    metis use = {.library = NULL};
    return rd__handed_cut(&cutter, &use, graph, parts, part_of, err);
}
