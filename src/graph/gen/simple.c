/* SPDX-License-Identifier: Apache-2.0 */
/* simple.c - path, cycle, star, complete: graphs whose answers are known without computing. All stored in both
 * directions. */
#include "graph/gen/gen.h"

#include <inttypes.h>
#include <stdio.h>

static uint64_t path_row(const void *arg, uint32_t v, uint32_t *out)
{
    uint64_t n = *(const uint64_t *)arg, count = 0;
    if (v > 0) {
        if (out)
            out[count] = v - 1;
        count++;
    }
    if (v + 1 < n) {
        if (out)
            out[count] = v + 1;
        count++;
    }
    return count;
}

static uint64_t cycle_row(const void *arg, uint32_t v, uint32_t *out)
{
    uint64_t n = *(const uint64_t *)arg;
    uint32_t before = (uint32_t)((v + n - 1) % n), after = (uint32_t)((v + 1) % n);
    if (out) {
        out[0] = before < after ? before : after;
        out[1] = before < after ? after : before;
    }
    return 2;
}

static uint64_t star_row(const void *arg, uint32_t v, uint32_t *out)
{
    uint64_t n = *(const uint64_t *)arg;
    if (v > 0) {
        if (out)
            out[0] = 0;
        return 1;
    }
    for (uint64_t leaf = 1; out && leaf < n; leaf++)
        out[leaf - 1] = (uint32_t)leaf;
    return n - 1;
}

static uint64_t complete_row(const void *arg, uint32_t v, uint32_t *out)
{
    uint64_t n = *(const uint64_t *)arg, count = 0;
    for (uint64_t other = 0; out && other < n; other++)
        if (other != v)
            out[count++] = (uint32_t)other;
    return n - 1;
}

static rd_status make(rd__gen_args *args, const char *name, uint64_t least, int dense, rd__row_fn fn,
                      const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    uint64_t n;
    RD_TRY(rd__gen_number(args, 0, "N", least, RD_VERTEX_MAX, 0, &n, err));
    snprintf(args->source, sizeof args->source, "%s:%" PRIu64, name, n);
    RD_TRY(rd__gen_fits(args, n, dense ? n * (n - 1) : 2 * n, sizeof(uint32_t), err));
    return rd__rows_build((uint32_t)n, fn, &n, options, graph, err);
}

rd_status rd__gen_path(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return make(args, "path", 1, 0, path_row, options, graph, err);
}

rd_status rd__gen_cycle(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return make(args, "cycle", 3, 0, cycle_row, options, graph, err);
}

rd_status rd__gen_star(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return make(args, "star", 1, 0, star_row, options, graph, err);
}

rd_status rd__gen_complete(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    return make(args, "complete", 1, 1, complete_row, options, graph, err);
}
