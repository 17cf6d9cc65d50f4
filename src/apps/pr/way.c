/* SPDX-License-Identifier: Apache-2.0 */
/* way.c - see way.h. */
#include "apps/pr/way.h"

#include "apps/pr/layout.k.h"

#include <math.h>

/* Iterations in place are fewer up to this highest degree; many cores take longer for them from this mean on. */
enum { IN_PLACE_DEGREE = 32, THICK_DEGREE = 16, EVEN = 4, LARGE = 1 << 15 };
enum { SAMPLES = 1024, SAMPLE_EDGES = 32 };
enum { RANGE = 2048 };         /* vertices of a core, at least, that it relaxes; of one alone any number */
static const double nearer = 1.0 / 3;
static const double far = 0.9; /* above this alpha relaxed iterations go far, and too far where orders differ */

static int is_of_cores(const rd_job *job)
{
    return job->device && job->device->caps.cores;
}

/* In place from the start? On graphs of low degree a change takes many iterations to travel, and in place it travels
 * further in each. Where some vertices have very many edges, and in forests, Jacobi's iteration begins better: it keeps
 * the sum of ranks right. With many edges a change is everywhere soon, and a core that reads what is newest waits for
 * lines that others write; on large graphs it seldom does, and saves iterations where vertices are much alike. */
static int is_in_place(const rd_job *job)
{
    const rd_csr csr = rd_graph_csr(job->graph);
    const uint64_t most = rd_graph_max_degree(job->graph);
    const int cores = is_of_cores(job);
    const int forest = cores && most > 2 && csr.edges < 2ull * csr.vertices;
    const int even = cores && csr.vertices >= LARGE && most * csr.vertices <= EVEN * csr.edges;
    return !forest && (even || (most <= IN_PLACE_DEGREE && !(cores && csr.edges / THICK_DEGREE >= csr.vertices)));
}

/* Each core goes through a range of its own vertex after vertex, so nearly all are in the same order each time, as long
 * as ranges are not small beside what cores are ahead of each other. What lanes write at a time none of them sees: they
 * would go too far. So would cores along edges of one direction: each vertex of a chain adds to what is too far at the
 * one before. Where each edge is there both ways the matrix is like one that is symmetric and positive definite, and
 * they come to the end whatever the order is (A. Ostrowski, 1954). */
static int is_relaxed(const rd_job *job, double alpha)
{
    const uint32_t units = job->device ? job->device->info.compute_units : 0;
    const int both_ways = rd_graph_is_symmetric(job->graph);
    return both_ways && is_of_cores(job) && alpha <= far &&
           (units < 2 || rd_graph_csr(job->graph).vertices / units >= RANGE);
}

/* Richardson's parameter less 1, for eigenvalues between -alpha and alpha; Young's is the same number. */
static float leap_of(double alpha)
{
    return alpha < 1 ? (float)(2 / (1 + sqrt(1 - alpha * alpha)) - 1) : 0.0f;
}

/* What v would get in an iteration if each vertex had 1: of many edges some are looked at. */
static double got_by(const rd_csr *csr, uint32_t v)
{
    const uint64_t edges = csr->row[v + 1] - csr->row[v], each = edges / SAMPLE_EDGES + 1;
    double sum = 0, seen = 0;
    for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e += each, seen++) {
        const uint32_t u = csr->col[e];
        sum += 1 / (double)(csr->row[u + 1] - csr->row[u]);
    }
    return seen > 0 ? sum * (double)edges / seen : 0;
}

/* Both starts are right as far as an iteration does not change them. It changes ranks that are all alike by alpha times
 * the first sum, and those of pr_first (pr/pr.k.c) by alpha (1 - alpha) times the second. What the first start leaves
 * is mostly between neighbours, and gone soon; what the second does may be between parts of the graph that have more
 * edges and less, such as components, and stays long. */
double rd__pr_off_by_degrees(const rd_csr *csr, uint64_t joined)
{
    const double by_edge = csr->edges ? (double)joined / (double)csr->edges : 0;
    const uint32_t each = csr->vertices / SAMPLES + 1;
    double alike = 0, by_degrees = 0;
    for (uint64_t v = 0; v < csr->vertices; v += each) {
        const double degree = (double)(csr->row[v + 1] - csr->row[v]), got = got_by(csr, (uint32_t)v);
        alike += degree > 0 ? fabs(got - 1) : 0;
        by_degrees += fabs(got - degree * by_edge);
    }
    return alike > 0 ? by_degrees / alike : HUGE_VAL;
}

rd__pr_way rd__pr_find_way(const rd_job *job, uint32_t update, int counted, double alpha,
                           double off_by_degrees)
{
    rd__pr_way way = {0, 0, 0.0f};
    if (update != RD__PR_AUTO || counted) {
        way.ways = update == RD__PR_IN_PLACE ? PR_IN_PLACE : 0;
        return way;
    }
    way.ways = (is_in_place(job) ? PR_IN_PLACE : 0) | (is_relaxed(job, alpha) ? PR_RELAXED : 0);
    way.guesses = is_of_cores(job) && rd_graph_is_symmetric(job->graph) && (1 - alpha) * off_by_degrees <= nearer;
    way.leap = way.ways == PR_IN_PLACE ? 0.0f : leap_of(alpha);
    return way;
}
