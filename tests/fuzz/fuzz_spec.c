/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_spec.c - names of generators with their parameters: FUZZ_KIND graph, scene, knapsack or astar. Names of files
 * are left alone. Little memory: what a generator makes may be large, and here only its parameters matter.
 */
#include "fuzz.h"

#include "apps/astar/input.h"
#include "apps/knapsack/input.h"
#include "graph/gen/gen.h"
#include "ray/scene.h"

/* What takes long is right, but not for here. */
static int never_long(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    (void)user, (void)what, (void)done, (void)total, (void)unit;
    return 1;
}

static rd_status make_graph(const char *text, rd_error *err)
{
    const rd_graph_options options = {.size = sizeof options, .threads = 1, .progress = never_long};
    rd_graph *graph = NULL;
    if (!rd__generator_find(text))
        return RD_OK;
    const rd_status status = rd_graph_open(text, &options, &graph, err);
    if (status == RD_OK) {
        const rd_csr csr = rd_graph_csr(graph);
        if (rd__csr_check(&csr, 1, 1, "fuzz", err) != RD_OK)
            abort();
    }
    rd_graph_destroy(graph);
    return status;
}

static rd_status make_scene(const char *text, rd_error *err)
{
    rd__scene scene = {.source = "fuzz"};
    int known = 0;
    rd_status status = rd__scene_generate(&scene, text, &known, err);
    if (status == RD_OK && known)
        status = rd__scene_finish(&scene, err);
    rd__scene_free(&scene);
    return status;
}

static rd_status make_items(const char *text, rd_error *err)
{
    rd__knapsack_items items = {0};
    rd_status status = RD_OK;
    for (const rd_name_text *known = rd__knapsack_generators; known->name; known++) {
        char name[32];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(known->name, ":"), known->name);
        if (rd__spec_names(text, name))
            status = rd__knapsack_open(text, 1, NULL, &items, err);
    }
    rd__knapsack_free(&items);
    return status;
}

static rd_status make_grid(const char *text, rd_error *err)
{
    rd__astar_grid grid = {0};
    const rd_status status = rd__spec_names(text, "grid") ? rd__astar_open(text, 1, NULL, &grid, err) : RD_OK;
    rd__astar_free(&grid);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const char *kind = fuzz_kind();
    rd_error err = {RD_OK, ""};
    fuzz_most = strcmp(kind, "scene") == 0 ? 1 << 19 : 1 << 17; /* what the seeds need */
    fuzz_begin();
    char *text = fuzz_copy(data, bytes, 1);
    fuzz_check(strcmp(kind, "scene") == 0      ? make_scene(text, &err)
               : strcmp(kind, "knapsack") == 0 ? make_items(text, &err)
               : strcmp(kind, "astar") == 0    ? make_grid(text, &err)
                                               : make_graph(text, &err),
               &err);
    free(text);
    fuzz_end();
    return 0;
}
