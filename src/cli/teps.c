/* SPDX-License-Identifier: Apache-2.0 */
/* teps.c - see teps.h. */
#include "cli/teps.h"

#include "raddle/ranks.h"

#include <math.h>

uint64_t cli_edges_reached(const rd_graph *graph, const rd_result *result)
{
    const rd_csr csr = rd_graph_csr(graph);
    uint64_t edges = 0;
    /* A number for the graph, or a list: that is not about single vertices. A part of a graph has ghosts besides. */
    if (result->count != csr.vertices && rd_graph_get_part(graph).vertices == csr.vertices)
        return csr.edges;
    for (uint64_t v = 0; v < result->count && v < csr.vertices; v++)
        if (result->kind == RD_RESULT_F32   ? result->real[v] < INFINITY /* a distance, or what every vertex has */
            : result->kind == RD_RESULT_F64 ? result->wide_real[v] < (double)INFINITY
            : result->kind == RD_RESULT_U32 ? result->word[v] != RD_NONE
                                            : 1)
            edges += csr.row[v + 1] - csr.row[v];
    return edges;
}

double cli_teps(uint64_t edges_reached, const rd_report *report)
{
    const double seconds = report->kernel_s > 0 ? report->kernel_s : report->run_s;
    return seconds > 0 ? (double)edges_reached / seconds : 0;
}

unsigned cli_noise(const rd_stats *stats)
{
    enum { FEW = 3, MUCH = 10, MOST = 999 };
    if (stats->count < FEW || !(stats->median > 0))
        return 0;
    const double apart = 100 * (stats->q3 - stats->q1) / stats->median;
    return apart > MUCH ? (unsigned)(apart < MOST ? apart : MOST) : 0;
}
