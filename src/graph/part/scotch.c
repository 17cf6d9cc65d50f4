/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scotch.c - parts with few edges between them, by Scotch (F. Pellegrini and J. Roman, 1996), version 6 or 7. Its
 * library is opened when it is asked for: the file that RADDLE_SCOTCH names, else one of the usual names. It takes its
 * messages from a second library, which is opened before it.
 *
 * Its numbers (SCOTCH_Num) have 32 or 64 bits, as SCOTCH_numSizeof says. Graphs and strategies are memory that the
 * caller has, of a size that its header says: some hundred bytes, of which there are more here.
 */
#include "graph/part/scotch.h"

#include "graph/part/handed.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { OPAQUE_DOUBLES = 256 };

typedef struct opaque {
    double memory[OPAQUE_DOUBLES];
} opaque;

typedef int (*init_fn)(opaque *what);
typedef void (*exit_fn)(opaque *what);
typedef int (*size_fn)(void);
typedef void (*reset_fn)(void);
/* Numbers are handed over by value, of either size. */
typedef int (*build32_fn)(opaque *graph, int32_t base, int32_t vertices, const void *row, const void *row_end,
                          const void *vertex_load, const void *label, int32_t edges, const void *col,
                          const void *edge_load);
typedef int (*build64_fn)(opaque *graph, int64_t base, int64_t vertices, const void *row, const void *row_end,
                          const void *vertex_load, const void *label, int64_t edges, const void *col,
                          const void *edge_load);
typedef int (*part32_fn)(opaque *graph, int32_t parts, opaque *strategy, void *part_of);
typedef int (*part64_fn)(opaque *graph, int64_t parts, opaque *strategy, void *part_of);

typedef struct scotch {
    void *messages, *library;
    init_fn graph_init, strategy_init;
    exit_fn graph_exit, strategy_exit;
    reset_fn reset;
    void *build, *part;
    size_t width; /* bytes of a SCOTCH_Num */
} scotch;

static void open_files(scotch *use, const char *named)
{
    static const char *const usual[][2] = {{"libscotcherr.so", "libscotch.so"},
                                           {"libscotcherr-7.0.so", "libscotch-7.0.so"},
                                           {"libscotcherr-6.1.so", "libscotch-6.1.so"},
                                           {"libscotcherr-6.0.so", "libscotch-6.0.so"}};
    for (size_t i = 0; i < sizeof usual / sizeof usual[0] && !use->library; i++) {
        use->messages = dlopen(usual[i][0], RTLD_NOW | RTLD_GLOBAL);
        use->library = dlopen(named ? named : usual[i][1], RTLD_NOW | RTLD_LOCAL);
        if (!use->library && use->messages) {
            dlclose(use->messages);
            use->messages = NULL;
        }
    }
}

static rd_status open_library(void *memory, size_t *width, rd_error *err)
{
    scotch *use = memory;
    const char *asked = getenv("RADDLE_SCOTCH"), *named = asked && *asked ? asked : NULL;
    size_fn num_size = NULL;
    open_files(use, named);
    if (!use->library) /* dlerror is not to be asked by several threads */
        return rd__fail(err, RD_EDEVICE,
                        "Scotch cannot be used: there is no %s; install it (libscotch), name it with RADDLE_SCOTCH, or "
                        "give a file of parts",
                        named ? named : "libscotch.so");
    const struct {
        const char *name;
        void *to; /* ISO C has no cast from an object to a function; POSIX promises that copying works */
    } symbol[] = {{"SCOTCH_graphInit", &use->graph_init},    {"SCOTCH_graphExit", &use->graph_exit},
                  {"SCOTCH_stratInit", &use->strategy_init}, {"SCOTCH_stratExit", &use->strategy_exit},
                  {"SCOTCH_randomReset", &use->reset},       {"SCOTCH_graphBuild", &use->build},
                  {"SCOTCH_graphPart", &use->part},          {"SCOTCH_numSizeof", &num_size}};
    for (size_t i = 0; i < sizeof symbol / sizeof symbol[0]; i++) {
        void *const found = dlsym(use->library, symbol[i].name);
        if (!found)
            return rd__fail(err, RD_EDEVICE, "Scotch cannot be used: what was found has no %s", symbol[i].name);
        memcpy(symbol[i].to, &found, sizeof found);
    }
    *width = use->width = (size_t)num_size();
    if (use->width != 4 && use->width != 8)
        return rd__fail(err, RD_EDEVICE, "Scotch cannot be used: it says that its numbers have %zu bytes", use->width);
    return RD_OK;
}

static int build(const scotch *use, opaque *to, uint32_t vertices, const rd__handed *of)
{
    const char *const end = (const char *)of->row + use->width;
    build32_fn narrow;
    build64_fn wide;
    memcpy(&narrow, &use->build, sizeof narrow);
    memcpy(&wide, &use->build, sizeof wide);
    return use->width == 4
               ? narrow(to, 0, (int32_t)vertices, of->row, end, of->load, NULL, (int32_t)of->edges, of->col, NULL)
               : wide(to, 0, vertices, of->row, end, of->load, NULL, (int64_t)of->edges, of->col, NULL);
}

static int cut(const scotch *use, opaque *graph, uint32_t parts, opaque *strategy, void *part_of)
{
    part32_fn narrow;
    part64_fn wide;
    memcpy(&narrow, &use->part, sizeof narrow);
    memcpy(&wide, &use->part, sizeof wide);
    return use->width == 4 ? narrow(graph, (int32_t)parts, strategy, part_of) : wide(graph, parts, strategy, part_of);
}

static rd_status call(const void *memory, const rd_graph *graph, uint32_t parts, rd__handed *of, rd_error *err)
{
    const scotch *use = memory;
    opaque cut_graph, strategy;
    int answer = use->graph_init(&cut_graph);
    if (answer == 0) {
        answer = use->strategy_init(&strategy);
        use->reset(); /* the same parts in every run */
        if (answer == 0)
            answer = build(use, &cut_graph, graph->vertices, of);
        if (answer == 0)
            answer = cut(use, &cut_graph, parts, &strategy, of->part);
        use->strategy_exit(&strategy);
        use->graph_exit(&cut_graph);
    }
    if (answer != 0)
        return rd__fail(err, RD_EDEVICE, "Scotch could not cut the graph into %u parts (it says %d)", parts, answer);
    return RD_OK;
}

static void close_library(void *memory)
{
    scotch *use = memory;
    if (use->library)
        dlclose(use->library);
    if (use->messages)
        dlclose(use->messages);
}

rd_status rd__scotch_parts(const rd_graph *graph, uint32_t parts, uint32_t *part_of, rd_error *err)
{
    static const rd__cutter cutter = {.name = "Scotch", .open = open_library, .cut = call, .close = close_library};
    scotch use = {.library = NULL};
    return rd__handed_cut(&cutter, &use, graph, parts, part_of, err);
}
