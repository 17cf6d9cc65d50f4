/* SPDX-License-Identifier: Apache-2.0 */
/*
 * octree.c - an octree flattened to a list with child and skip links, which a ray walks without a stack. A cell is cut
 * into eight at its middle until at most FEW triangles have their middles in it; the box of a node is that of the
 * triangles below it, so that each triangle is in one leaf only and boxes are tight. In preorder the child link of a
 * node is the node behind it; the skip link is the first node behind its subtree.
 *
 * Parallel: cells are independent of each other (ranges.h). A node of the build names its (up to eight) children, which
 * lie next to each other; the list is made in one walk in the end, so the result does not depend on the threads.
 */
#include "ray/accel.h"

#include "core/memory.h"
#include "ray/ranges.h"

#include <stdatomic.h>
#include <string.h>

enum { FEW = 8, MOST_DEPTH = 24 };

typedef struct oct_node {
    rd__box cell;      /* what is cut */
    rd__box box;       /* of the triangles, without margin */
    uint32_t from, to; /* items */
    uint32_t child;    /* the first one */
    uint32_t children; /* 0: a leaf */
} oct_node;

typedef struct oct_build {
    rd__item *item;
    oct_node *node;
    uint64_t room;
    atomic_ullong nodes;
} oct_build;

static uint32_t octant(const rd__item *item, rd__vec middle)
{
    const rd__vec p = rd__item_middle(item);
    return (p.x >= middle.x ? 1u : 0u) | (p.y >= middle.y ? 2u : 0u) | (p.z >= middle.z ? 4u : 0u);
}

/* Sorts the items of a node by octant, in place: an American flag sort. */
static void sort_octants(oct_build *build, const oct_node *node, rd__vec middle, uint32_t start[9])
{
    uint32_t count[8] = {0}, next[8];
    for (uint32_t i = node->from; i < node->to; i++)
        count[octant(&build->item[i], middle)]++;
    start[0] = node->from;
    for (int o = 0; o < 8; o++) {
        next[o] = start[o];
        start[o + 1] = start[o] + count[o];
    }
    for (uint32_t o = 0; o < 8; o++)
        while (next[o] < start[o + 1]) {
            const uint32_t home = octant(&build->item[next[o]], middle);
            if (home == o) {
                next[o]++;
            } else {
                const rd__item other = build->item[next[home]];
                build->item[next[home]++] = build->item[next[o]];
                build->item[next[o]] = other;
            }
        }
}

static rd__box octant_cell(const rd__box *cell, rd__vec middle, uint32_t o)
{
    rd__box part = *cell;
    *(o & 1 ? &part.lo.x : &part.hi.x) = middle.x;
    *(o & 2 ? &part.lo.y : &part.hi.y) = middle.y;
    *(o & 4 ? &part.lo.z : &part.hi.z) = middle.z;
    return part;
}

static void look(void *user, rd__ranges *ranges, const rd__range *range)
{
    oct_build *build = user;
    oct_node *node = &build->node[range->node];
    const rd__vec middle = rd__vec_scale(rd__vec_add(node->cell.lo, node->cell.hi), 0.5f);
    uint32_t start[9], parts = 0;
    node->box = rd__box_empty();
    for (uint32_t i = node->from; i < node->to; i++)
        rd__box_join(&node->box, &build->item[i].box);
    if (node->to - node->from <= FEW || range->depth == MOST_DEPTH)
        return;
    sort_octants(build, node, middle, start);
    for (int o = 0; o < 8; o++)
        parts += start[o + 1] > start[o];
    /* only a number: what it leads to is handed on by the lock of the list of ranges */
    const uint64_t first = atomic_fetch_add_explicit(&build->nodes, parts, memory_order_relaxed);
    if (first + parts > build->room)
        return; /* a chain of cells with a single child each has used it up: a large leaf is right too */
    node->child = (uint32_t)first;
    node->children = parts;
    uint32_t at = 0;
    for (uint32_t o = 0; o < 8; o++)
        if (start[o + 1] > start[o]) {
            build->node[first + at] =
                (oct_node){.cell = octant_cell(&node->cell, middle, o), .from = start[o], .to = start[o + 1]};
            at++;
        }
    for (uint32_t i = 0; i < parts; i++) {
        const oct_node *child = &build->node[first + i];
        rd__ranges_give(
            ranges,
            (rd__range){.from = child->from, .to = child->to, .node = (uint32_t)first + i, .depth = range->depth + 1});
    }
}

static void write_node(rd__accel *accel, const rd__box *box, float pad, uint32_t leaf)
{
    rd__vec4 *out = &accel->node[ACCEL_OCTREE_VECTORS * (uint64_t)accel->nodes];
    out[0] = (rd__vec4){box->lo.x - pad, box->lo.y - pad, box->lo.z - pad, rd__bits_float(accel->nodes + 1)};
    out[1] = (rd__vec4){box->hi.x + pad, box->hi.y + pad, box->hi.z + pad, rd__bits_float(leaf)};
    accel->nodes++;
}

/* Preorder. A leaf with more triangles than a link can count becomes several in a row. */
static void flatten(const oct_build *build, float pad, rd__accel *accel)
{
    struct {
        uint32_t node, at; /* in the build; in the list */
        uint32_t done;     /* children that are written */
    } stack[MOST_DEPTH + 2];
    int top = 1;
    stack[0].node = stack[0].at = stack[0].done = 0;
    while (top > 0) {
        const oct_node *node = &build->node[stack[top - 1].node];
        if (stack[top - 1].done == 0) {
            accel->depth = (uint32_t)top > accel->depth ? (uint32_t)top : accel->depth;
            stack[top - 1].at = accel->nodes;
            if (node->children)
                write_node(accel, &node->box, pad, ACCEL_INNER);
            for (uint32_t i = node->from; i < node->to && !node->children; i += ACCEL_LEAF_MOST) {
                const uint32_t count = node->to - i < ACCEL_LEAF_MOST ? node->to - i : ACCEL_LEAF_MOST;
                write_node(accel, &node->box, pad, ACCEL_LEAF_LINK(i, count));
            }
        }
        if (stack[top - 1].done < node->children) {
            const uint32_t child = node->child + stack[top - 1].done++;
            stack[top].node = child;
            stack[top++].done = 0;
        } else {
            top--;
            if (node->children)
                accel->node[ACCEL_OCTREE_VECTORS * (uint64_t)stack[top].at].w = rd__bits_float(accel->nodes);
        }
    }
    /* What would go past the last node is the end. */
    for (uint32_t i = 0; i < accel->nodes; i++) {
        float *skip = &accel->node[ACCEL_OCTREE_VECTORS * (uint64_t)i].w;
        if (rd__float_bits(*skip) == accel->nodes)
            *skip = rd__bits_float(ACCEL_END);
    }
}

static rd_status build_tree(const rd__scene *scene, unsigned threads, oct_build *build, rd__accel *accel, rd_error *err)
{
    build->room = 2ull * scene->triangles + 64;
    RD_TRY(rd__array_new(&build->node, "nodes of an octree", build->room, sizeof *build->node, err));
    build->node[0] = (oct_node){.cell = scene->box, .from = 0, .to = scene->triangles};
    atomic_init(&build->nodes, 1);
    const rd__range all = {.from = 0, .to = scene->triangles};
    RD_TRY(rd__ranges_run(all, threads, look, build, err));
    /* In the list: each node of the build, and the further parts of large leaves. */
    const uint64_t most = build->room + scene->triangles / ACCEL_LEAF_MOST;
    if (most > UINT32_MAX / 2)
        return rd__fail(err, RD_EINPUT, "%s: too many triangles for an octree; use --accel bvh", scene->source);
    RD_TRY(rd__array_new(&accel->node, "nodes of an octree", ACCEL_OCTREE_VECTORS * most, sizeof *accel->node, err));
    flatten(build, rd__accel_pad(scene), accel);
    return RD_OK;
}

static rd_status make_nodes(const rd__scene *scene, rd__item *item, unsigned threads, rd__accel *accel, rd_error *err)
{
    oct_build build = {.item = item};
    const rd_status status = build_tree(scene, threads, &build, accel, err);
    rd__array_free(build.node);
    return status;
}

rd_status rd__octree_build(const rd__scene *scene, unsigned threads, rd__accel *accel, rd_error *err)
{
    return rd__accel_build(scene, threads, make_nodes, accel, err);
}
