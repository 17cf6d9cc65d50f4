/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_part.c - a part of a graph in parts, which is a file of its own: whatever is in it, it is refused, or a slice
 * comes of it whose edges lead into the whole graph. The whole is a path of 9 vertices, cut in two.
 */
#include "fuzz.h"
#include "rdg_sum.h"

#include "graph/part/part.h"
#include "graph/read/reader.h"

static rd_part_info info[2] = {{.own = 4, .edges = 7, .ghosts = 1}, {.first = 4, .own = 5, .edges = 9, .ghosts = 1}};

static void slice_of(const rd_graph *file, uint32_t rank, int weighted)
{
    const rd_parts parts = {.parts = 2, .vertices = 9, .edges = 16, .part = info, .weighted = weighted != 0};
    rd_graph *slice = NULL;
    rd_error err = {RD_OK, ""};
    const rd_status status = rd__stored_slice(file, "fuzz", &parts, rank, &slice, &err);
    fuzz_check(status, &err);
    if (status != RD_OK)
        return;
    if (slice->vertices != info[rank].own || slice->edges != info[rank].edges || slice->row[0] != 0 ||
        slice->row[slice->vertices] != slice->edges || (slice->weight != NULL) != weighted)
        abort();
    for (uint32_t v = 0; v < slice->vertices; v++)
        if (slice->row[v] > slice->row[v + 1])
            abort();
    for (uint64_t e = 0; e < slice->edges; e++)
        if (slice->col[e] >= parts.vertices)
            abort();
    rd_graph_destroy(slice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    const rd_graph_options options = {.size = sizeof options, .threads = 1, .format = "rdg"};
    rd_graph_options full;
    rd__source source;
    rd_graph *file = NULL;
    rd_error err = {RD_OK, ""};
    fuzz_begin();
    if (rd__graph_options(&options, &full, &err) != RD_OK)
        abort();
    char *copy = fuzz_copy(data, bytes, 0);
    fuzz_rdg_sum(copy, bytes);
    rd_status status = rd__source_memory(&source, "fuzz", copy, bytes, &err);
    if (status == RD_OK) {
        status = rd__graph_read(&source, NULL, &full, &file, &err);
        rd__source_close(&source);
    }
    fuzz_check(status, &err);
    for (uint32_t i = 0; status == RD_OK && i < 4; i++)
        slice_of(file, i / 2, i % 2);
    rd_graph_destroy(file);
    free(copy);
    fuzz_end();
    return 0;
}
