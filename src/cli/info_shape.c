/* SPDX-License-Identifier: Apache-2.0 */
/*
 * info_shape.c - passes over the edges for `raddle info`. Components by union-find with path halving, the lower number
 * as root. The diameter of a symmetric graph is bounded from below by sweeps: a breadth-first search from the hub,
 * another from the farthest vertex it found, and so on while the depth grows. A graph that is not symmetric gets one
 * search from the hub, along its edges.
 */
#include "cli/info_shape.h"

#include <stdlib.h>
#include <string.h>

enum { SWEEPS_MAX = 8, TICK = 1 << 16 };

static int stopped(rd_progress_line *progress, const char *what, uint64_t done, uint64_t total)
{
    return rd_progress_line_fn(progress, what, done, total, "vertices");
}

static int bin_of(uint64_t degree)
{
    int bin = 0;
    for (; degree; degree >>= 1)
        bin++;
    return bin < INFO_BINS ? bin : INFO_BINS - 1;
}

void info_bin_range(int bin, uint64_t *least, uint64_t *most)
{
    *least = bin ? 1ull << (bin - 1) : 0;
    *most = bin ? (1ull << bin) - 1 : 0;
}

static int count_edges(const rd_csr *csr, int real, rd_progress_line *progress, info_shape *shape)
{
    double sum = 0;
    if (csr->weight && csr->edges) {
        shape->weight_min = INT32_MAX;
        shape->weight_max = INT32_MIN;
    }
    for (uint32_t v = 0; v < csr->vertices; v++) {
        if (v % TICK == 0 && stopped(progress, "counting", v, csr->vertices))
            return 0;
        shape->bin[bin_of(csr->row[v + 1] - csr->row[v])]++;
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++) {
            shape->loops += csr->col[e] == v;
            shape->duplicates += e > csr->row[v] && csr->col[e] == csr->col[e - 1];
            if (csr->weight) {
                int32_t weight = csr->weight[e];
                shape->weight_min = weight < shape->weight_min ? weight : shape->weight_min;
                shape->weight_max = weight > shape->weight_max ? weight : shape->weight_max;
                sum += real ? (double)rd_weight_real(weight) : weight;
            }
        }
    }
    shape->weight_mean = csr->edges ? sum / (double)csr->edges : 0;
    return 1;
}

static uint32_t root_of(uint32_t *parent, uint32_t v)
{
    while (parent[v] != v) {
        parent[v] = parent[parent[v]];
        v = parent[v];
    }
    return v;
}

/* room: two words a vertex. */
static int find_components(const rd_csr *csr, uint32_t *room, rd_progress_line *progress, info_shape *shape)
{
    uint32_t *parent = room, *size = room + csr->vertices;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        parent[v] = v;
        size[v] = 0;
    }
    for (uint32_t v = 0; v < csr->vertices; v++) {
        if (v % TICK == 0 && stopped(progress, "components", v, csr->vertices))
            return 0;
        uint32_t mine = root_of(parent, v);
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++) {
            uint32_t other = root_of(parent, csr->col[e]);
            if (other < mine) {
                parent[mine] = other;
                mine = other;
            } else if (mine < other) {
                parent[other] = mine;
            }
        }
    }
    for (uint32_t v = 0; v < csr->vertices; v++) {
        uint32_t root = root_of(parent, v);
        shape->components += root == v;
        if (++size[root] > shape->largest)
            shape->largest = size[root];
    }
    return 1;
}

/* @return 0 when stopped. *last: a vertex farthest from source. */
static int search(const rd_csr *csr, uint32_t source, uint32_t *room, rd_progress_line *progress, uint32_t *depth,
                  uint32_t *last)
{
    uint32_t *queue = room, *level = room + csr->vertices;
    uint64_t head = 0, tail = 0;
    memset(level, 0xff, (size_t)csr->vertices * sizeof *level);
    queue[tail++] = source;
    level[source] = 0;
    while (head < tail) {
        if (head % TICK == 0 && stopped(progress, "diameter", head, csr->vertices))
            return 0;
        uint32_t v = queue[head++];
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++) {
            uint32_t u = csr->col[e];
            if (level[u] == RD_NONE) {
                level[u] = level[v] + 1;
                queue[tail++] = u;
            }
        }
    }
    *last = queue[tail - 1];
    *depth = level[*last];
    return 1;
}

rd_status info_shape_of(const rd_graph *graph, rd_progress_line *progress, info_shape *shape, rd_error *err)
{
    rd_csr csr = rd_graph_csr(graph);
    memset(shape, 0, sizeof *shape);
    shape->depth_from = RD_NONE;
    if (csr.vertices == 0)
        return RD_OK;
    uint32_t *room = malloc(2 * (size_t)csr.vertices * sizeof *room);
    if (!room) {
        *err = (rd_error){RD_ENOMEM, "out of host memory for components; --brief does without"};
        return RD_ENOMEM;
    }
    int go = count_edges(&csr, rd_graph_has_real_weights(graph), progress, shape) &&
             find_components(&csr, room, progress, shape);
    uint32_t from = rd_graph_hub(graph);
    for (int sweep = 0; go && sweep < SWEEPS_MAX; sweep++) {
        uint32_t depth, last;
        go = search(&csr, from, room, progress, &depth, &last);
        if (!go || (sweep && depth <= shape->depth))
            break;
        shape->depth = depth;
        shape->depth_from = from;
        from = last;
        if (!rd_graph_is_symmetric(graph))
            break;
    }
    free(room);
    rd_progress_line_clear(progress);
    if (go)
        return RD_OK;
    *err = (rd_error){RD_ECANCELLED, "stopped"};
    return RD_ECANCELLED;
}
