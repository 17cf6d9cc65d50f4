/* SPDX-License-Identifier: Apache-2.0 */
/* graph_util.h - what the tests of graphs share. */
#ifndef TESTS_GRAPH_UTIL_H
#define TESTS_GRAPH_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "graph/gen/gen.h"
#include "graph/read/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline rd_graph *must_open(const char *spec, const rd_graph_options *options)
{
    rd_graph *graph = NULL;
    rd_error err = {RD_OK, ""};
    if (rd_graph_open(spec, options, &graph, &err) != RD_OK)
        fail_msg("%s: %s", spec, err.text);
    return graph;
}

/* Reads a graph from text, as from a file of that name. */
static inline rd_status read_text(const char *name, const char *text, size_t bytes, const rd_graph_options *options,
                                  rd_graph **graph, rd_error *err)
{
    rd_graph_options full;
    rd__source source;
    *graph = NULL;
    RD_TRY(rd__graph_options(options, &full, err));
    RD_TRY(rd__source_memory(&source, name, text, bytes, err));
    rd_status status = rd__graph_read(&source, NULL, &full, graph, err);
    rd__source_close(&source);
    return status;
}

static inline rd_graph *must_read(const char *name, const char *text)
{
    rd_graph *graph = NULL;
    rd_error err = {RD_OK, ""};
    if (read_text(name, text, strlen(text), NULL, &graph, &err) != RD_OK)
        fail_msg("%s", err.text);
    return graph;
}

/* The edges as "0>1 0>2:5 ...", for comparing with what is expected. */
static inline const char *edges_of(const rd_graph *graph)
{
    static char text[4096];
    rd_csr csr = rd_graph_csr(graph);
    size_t used = 0;
    text[0] = 0;
    for (uint32_t v = 0; v < csr.vertices; v++)
        for (uint64_t e = csr.row[v]; e < csr.row[v + 1] && used < sizeof text - 40; e++) {
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%u>%u", used ? " " : "", v, csr.col[e]);
            if (csr.weight)
                used += (size_t)snprintf(text + used, sizeof text - used, ":%d", csr.weight[e]);
        }
    return text;
}

static inline void assert_same_graph(const rd_graph *a, const rd_graph *b)
{
    rd_csr x = rd_graph_csr(a), y = rd_graph_csr(b);
    assert_int_equal(x.vertices, y.vertices);
    assert_int_equal(x.edges, y.edges);
    assert_memory_equal(x.row, y.row, 8 * ((size_t)x.vertices + 1));
    if (x.edges)
        assert_memory_equal(x.col, y.col, 4 * (size_t)x.edges);
    assert_int_equal(x.weight != NULL, y.weight != NULL);
    if (x.weight && x.edges)
        assert_memory_equal(x.weight, y.weight, 4 * (size_t)x.edges);
}

/* Rows ascend, targets exist; with symmetric, each edge has its reverse of the same weight (checked by search). */
static inline void assert_sound(const rd_graph *graph, int simple)
{
    rd_csr csr = rd_graph_csr(graph);
    assert_int_equal(csr.row[0], 0);
    assert_int_equal(csr.row[csr.vertices], csr.edges);
    for (uint32_t v = 0; v < csr.vertices; v++) {
        assert_true(csr.row[v] <= csr.row[v + 1]);
        for (uint64_t e = csr.row[v]; e < csr.row[v + 1]; e++) {
            assert_true(csr.col[e] < csr.vertices);
            if (e > csr.row[v])
                assert_true(simple ? csr.col[e - 1] < csr.col[e] : csr.col[e - 1] <= csr.col[e]);
            if (simple)
                assert_true(csr.col[e] != v);
            if (rd_graph_is_symmetric(graph)) {
                uint64_t low = csr.row[csr.col[e]], high = csr.row[csr.col[e] + 1];
                while (low < high) {
                    uint64_t middle = (low + high) / 2;
                    if (csr.col[middle] < v)
                        low = middle + 1;
                    else
                        high = middle;
                }
                assert_true(low < csr.row[csr.col[e] + 1] && csr.col[low] == v);
                if (csr.weight && simple)
                    assert_int_equal(csr.weight[low], csr.weight[e]);
            }
        }
    }
}

#endif
