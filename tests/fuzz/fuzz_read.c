/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_read.c - a libFuzzer target for every reader: built once for each with -DFUZZ_FORMAT='"mtx"', and once with
 * FUZZ_FORMAT NULL, which finds the format itself. An input must give a graph that passes the checks or an error with a
 * message; never anything else. Memory is capped, since a small file may promise a large graph.
 */
#include "graph/read/reader.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#ifndef FUZZ_FORMAT
#define FUZZ_FORMAT NULL
#endif

enum { MOST = 64 << 20 };

static atomic_long live; /* blocks that are allocated */

static void *capped_malloc(size_t bytes)
{
    void *ptr = bytes > MOST ? NULL : malloc(bytes);
    if (ptr)
        atomic_fetch_add(&live, 1);
    return ptr;
}

static void *capped_realloc(void *ptr, size_t bytes)
{
    void *moved = bytes > MOST ? NULL : realloc(ptr, bytes);
    if (moved && !ptr)
        atomic_fetch_add(&live, 1);
    return moved;
}

static void counted_free(void *ptr)
{
    if (ptr)
        atomic_fetch_sub(&live, 1);
    free(ptr);
}

static void check(rd_graph *graph)
{
    rd_csr csr = rd_graph_csr(graph), turned;
    rd_error err;
    if (rd__csr_check(&csr, 1, 1, "fuzz", &err) != RD_OK)
        abort();
    if (csr.edges < 100000 && csr.vertices < 100000 && rd_graph_transpose(graph, &turned, &err) == RD_OK &&
        turned.edges != csr.edges)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    /* some of the options come from the input too, from its last byte, so that they can be reached */
    unsigned char bits = bytes ? data[bytes - 1] : 0;
    rd_graph_options options = {.size = sizeof options, .format = FUZZ_FORMAT, .threads = 1 + (bits & 1)}, full;
    rd__source source;
    rd_graph *graph = NULL;
    rd_error err = {RD_OK, ""};
    options.symmetrize = bits >> 1 & 1;
    options.drop_duplicates = bits >> 2 & 1;
    options.permute = bits >> 5 & 1;
    options.round_weights = bits >> 6 & 1;
    options.verify = bits >> 7;
    rd_set_allocator(capped_malloc, capped_realloc, counted_free);
    if (rd__graph_options(&options, &full, &err) != RD_OK)
        abort();
    /* a copy of its own, so that reading past its end is found */
    char *copy = malloc(bytes ? bytes : 1);
    memcpy(copy, data, bytes);
    rd_status status = rd__source_memory(&source, "fuzz", copy, bytes, &err);
    if (status == RD_OK) {
        status = rd__graph_read(&source, NULL, &full, &graph, &err);
        rd__source_close(&source);
    }
    if (status == RD_OK ? !graph : graph || err.status != status || !err.text[0])
        abort();
    if (graph)
        check(graph);
    rd_graph_destroy(graph);
    free(copy);
    if (atomic_load(&live) != 0)
        abort();
    return 0;
}
