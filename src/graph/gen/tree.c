/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c - the complete tree: vertex 0 is the root, the children of v are FANOUT * v + 1 .. FANOUT * v + FANOUT. Stored
 * in both directions. */
#include "graph/gen/gen.h"

#include <inttypes.h>
#include <stdio.h>

struct tree {
    uint64_t fanout, vertices;
};

static uint64_t tree_row(const void *arg, uint32_t v, uint32_t *out)
{
    const struct tree *tree = arg;
    uint64_t count = 0, child = tree->fanout * v + 1;
    if (v > 0) {
        if (out)
            out[0] = (uint32_t)((v - 1) / tree->fanout);
        count = 1;
    }
    if (child >= tree->vertices)
        return count;
    for (uint64_t i = 0; out && i < tree->fanout; i++)
        out[count + i] = (uint32_t)(child + i);
    return count + tree->fanout;
}

rd_status rd__gen_tree(rd__gen_args *args, const rd_graph_options *options, rd_graph **graph, rd_error *err)
{
    struct tree tree = {.vertices = 1};
    uint64_t depth, level = 1;
    RD_TRY(rd__gen_number(args, 0, "FANOUT", 1, RD_VERTEX_MAX, 0, &tree.fanout, err));
    RD_TRY(rd__gen_number(args, 1, "DEPTH", 1, RD_VERTEX_MAX, 0, &depth, err));
    for (uint64_t d = 0; d < depth && tree.vertices <= RD_VERTEX_MAX; d++) {
        level *= tree.fanout;
        tree.vertices += level;
    }
    snprintf(args->source, sizeof args->source, "tree:%" PRIu64 ":%" PRIu64, tree.fanout, depth);
    RD_TRY(rd__gen_fits(args, tree.vertices, 2 * tree.vertices, sizeof(uint32_t), err));
    return rd__rows_build((uint32_t)tree.vertices, tree_row, &tree, options, graph, err);
}
