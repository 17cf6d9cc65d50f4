/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choose.c - which graphs are coloured in rounds, by guesses. On a CPU few vertices guess at the same time, so that
 * rounds are few, and a step over all vertices costs less than a trip through a queue for each, unless they have many
 * edges, which rounds look at twice. The more cores, the more edges may be looked at twice before a deque is the
 * better way; but not in cliques, most of which guess at once: overlapping ones stand out by their degrees. Measured
 * with 2, 4, 8 and 16 cores.
 */
#include "apps/color/choose.h"

enum { FEWER_EDGES = 6 };                        /* on average, of fewer cores than several */
enum { SEVERAL = 4, MORE_EDGES = 32, FLAT = 4 }; /* cores; on average; highest degree over the mean */

enum { SKEWED = 64 }; /* likewise */

double rd__color_mean_degree(const rd_job *job)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    return csr.vertices ? (double)csr.edges / csr.vertices : 0;
}

int rd__color_is_skewed(const rd_job *job)
{
    return (double)rd_graph_max_degree(job->graph) > SKEWED * rd__color_mean_degree(job);
}

int rd__color_suits_rounds(const rd_job *job, const rd__facts *facts)
{
    const int cores = facts->is_cpu && job->device->caps.cores;
    const int several = cores && rd__workers_of(job) >= SEVERAL;
    const int few = cores && !several ? FEWER_EDGES : RD__COLOR_FEW_EDGES;
    if (facts->is_gpu)
        return facts->is_star;
    return (facts->mean_degree <= few && !facts->is_skewed) ||
           (several && facts->mean_degree <= MORE_EDGES && facts->skew <= FLAT);
}
