/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bvh.c - a bounding volume hierarchy by the surface-area heuristic over bins (I. Wald, "On fast construction of
 * SAH-based bounding volume hierarchies", 2007). A range of triangles is cut where the expected cost of a ray is
 * least: areas of the two boxes weighted by their triangles, tried at 15 planes along each axis; it becomes a leaf when
 * no cut is cheaper than testing all of it. From a certain depth on ranges are halved, so that the tree fits the stack
 * of a traversal.
 *
 * Parallel: ranges are independent of each other (ranges.h). Nodes are numbered as threads make them and put into
 * depth-first order in the end, so the result does not depend on the threads.
 */
#include "ray/accel.h"

#include "core/memory.h"
#include "ray/ranges.h"

#include <stdatomic.h>
#include <string.h>

enum { BINS = 16, HALVE_DEPTH = 30 };
static const float visit_cost = 1.2f; /* of a node, in triangle tests */

typedef struct build_node {
    rd__box box[2];
    uint32_t link[2];
    uint32_t axis;
} build_node;

typedef struct bvh_build {
    rd__item *item;
    build_node *node;
    atomic_uint nodes;
} bvh_build;

typedef struct cut {
    int axis; /* -1: none */
    uint32_t bin;
    float cost;
} cut;

typedef struct bins {
    rd__vec lo, scale;
    rd__box box[3][BINS];
    uint32_t count[3][BINS];
} bins;

static uint32_t bin_of(const bins *b, rd__vec middle, int axis)
{
    const float at = (rd__vec_axis(middle, axis) - rd__vec_axis(b->lo, axis)) * rd__vec_axis(b->scale, axis);
    return at > 0 ? (at < BINS - 1 ? (uint32_t)at : BINS - 1) : 0; /* what is no number becomes 0 */
}

static float bin_scale(float width)
{
    const float scale = width > 0 ? (float)BINS * 0.9999f / width : 0;
    return isfinite(scale) ? scale : 0;
}

static void fill_bins(const bvh_build *build, const rd__range *range, const rd__box *middles, bins *b)
{
    const rd__vec width = rd__vec_sub(middles->hi, middles->lo);
    b->lo = middles->lo;
    b->scale = rd__vec_of(bin_scale(width.x), bin_scale(width.y), bin_scale(width.z));
    memset(b->count, 0, sizeof b->count);
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < BINS; i++)
            b->box[axis][i] = rd__box_empty();
    for (uint32_t i = range->from; i < range->to; i++) {
        const rd__vec middle = rd__item_middle(&build->item[i]);
        for (int axis = 0; axis < 3; axis++) {
            const uint32_t bin = bin_of(b, middle, axis);
            b->count[axis][bin]++;
            rd__box_join(&b->box[axis][bin], &build->item[i].box);
        }
    }
}

/* The cheapest of all planes between bins. */
static cut best_cut(const bins *b, float area, uint32_t count)
{
    cut best = {.axis = -1, .cost = INFINITY};
    for (int axis = 0; axis < 3; axis++) {
        float right[BINS];
        rd__box box = rd__box_empty();
        uint32_t n = 0;
        for (int i = BINS - 1; i > 0; i--) {
            rd__box_join(&box, &b->box[axis][i]);
            n += b->count[axis][i];
            right[i] = rd__box_area(&box) * (float)n;
        }
        box = rd__box_empty();
        n = 0;
        for (int i = 0; i + 1 < BINS; i++) {
            rd__box_join(&box, &b->box[axis][i]);
            n += b->count[axis][i];
            const float cost = rd__box_area(&box) * (float)n + right[i + 1];
            if (n > 0 && n < count && cost < best.cost)
                best = (cut){axis, (uint32_t)i, cost};
        }
    }
    if (best.axis >= 0)
        best.cost = visit_cost + (area > 0 ? best.cost / area : (float)count);
    return best;
}

static uint32_t partition(bvh_build *build, const rd__range *range, const bins *b, const cut *c)
{
    uint32_t left = range->from, right = range->to;
    while (left < right) {
        if (bin_of(b, rd__item_middle(&build->item[left]), c->axis) <= c->bin) {
            left++;
        } else {
            const rd__item other = build->item[--right];
            build->item[right] = build->item[left];
            build->item[left] = other;
        }
    }
    return left;
}

static rd__box range_box(const bvh_build *build, uint32_t from, uint32_t to, rd__box *middles)
{
    rd__box box = rd__box_empty();
    *middles = rd__box_empty();
    for (uint32_t i = from; i < to; i++) {
        rd__box_join(&box, &build->item[i].box);
        rd__box_add(middles, rd__item_middle(&build->item[i]));
    }
    return box;
}

/* Splits a range into the two children of a new node, or makes it a leaf; hangs it below its parent. */
static void look(void *user, rd__ranges *ranges, const rd__range *range)
{
    bvh_build *build = user;
    build_node *parent = &build->node[range->node];
    const uint32_t count = range->to - range->from;
    rd__box middles;
    const rd__box box = range_box(build, range->from, range->to, &middles);
    bins b;
    cut c = {.axis = -1, .cost = INFINITY};
    parent->box[range->side] = box;
    if (count > 1 && range->depth < HALVE_DEPTH) {
        fill_bins(build, range, &middles, &b);
        c = best_cut(&b, rd__box_area(&box), count);
    }
    if (count <= ACCEL_LEAF_MOST && (c.axis < 0 || c.cost >= (float)count)) {
        parent->link[range->side] = ACCEL_LEAF_LINK(range->from, count);
        return;
    }
    const uint32_t middle = c.axis < 0 ? range->from + count / 2 : partition(build, range, &b, &c);
    const uint32_t node = atomic_fetch_add_explicit(&build->nodes, 1, memory_order_relaxed); /* only a number */
    build->node[node].axis = c.axis < 0 ? 0 : (uint32_t)c.axis;
    parent->link[range->side] = node;
    rd__range part = {.node = node, .depth = range->depth + 1};
    part.from = range->from;
    part.to = middle;
    part.side = 0;
    rd__ranges_give(ranges, part);
    part.from = middle;
    part.to = range->to;
    part.side = 1;
    rd__ranges_give(ranges, part);
}

static void write_node(rd__vec4 *out, const build_node *node, float pad)
{
    const rd__vec margin = {pad, pad, pad};
    rd__vec lo[2], hi[2];
    for (int i = 0; i < 2; i++) {
        lo[i] = rd__vec_sub(node->box[i].lo, margin);
        hi[i] = rd__vec_add(node->box[i].hi, margin);
    }
    out[0] = (rd__vec4){lo[0].x, hi[0].x, lo[0].y, hi[0].y};
    out[1] = (rd__vec4){lo[1].x, hi[1].x, lo[1].y, hi[1].y};
    out[2] = (rd__vec4){lo[0].z, hi[0].z, lo[1].z, hi[1].z};
    out[3] = (rd__vec4){rd__bits_float(node->link[0]), rd__bits_float(node->link[1]), rd__bits_float(node->axis), 0};
}

/* Depth-first, child 0 right behind its parent. */
static void flatten(const bvh_build *build, uint32_t root, float pad, rd__accel *accel)
{
    struct {
        uint32_t node, parent, side, depth;
    } stack[ACCEL_STACK + 2];
    int top = 0;
    stack[top].node = root;
    stack[top].parent = ACCEL_END;
    stack[top].side = 0;
    stack[top++].depth = 1;
    while (top > 0) {
        top--;
        const build_node *node = &build->node[stack[top].node];
        const uint32_t at = accel->nodes++, parent = stack[top].parent, depth = stack[top].depth;
        if (parent != ACCEL_END) {
            rd__vec4 *links = &accel->node[ACCEL_BVH_VECTORS * (uint64_t)parent + 3];
            *(stack[top].side ? &links->y : &links->x) = rd__bits_float(at);
        }
        write_node(&accel->node[ACCEL_BVH_VECTORS * (uint64_t)at], node, pad);
        accel->depth = depth > accel->depth ? depth : accel->depth;
        for (int side = 1; side >= 0; side--)
            if (!(node->link[side] & ACCEL_LEAF)) {
                stack[top].node = node->link[side];
                stack[top].parent = at;
                stack[top].side = (uint32_t)side;
                stack[top++].depth = depth + 1;
            }
    }
}

/* The first node stands above the root: a scene of few triangles is one leaf and needs a node to hang on. Its other
 * child is a box that no ray reaches. */
static void finish(bvh_build *build, float pad, rd__accel *accel)
{
    const float far = 3e38f;
    build_node *top = &build->node[0];
    top->box[1] = (rd__box){{far, far, far}, {far, far, far}};
    top->link[1] = ACCEL_LEAF_LINK(0u, 1u);
    flatten(build, top->link[0] & ACCEL_LEAF ? 0 : top->link[0], pad, accel);
}

static rd_status build_tree(const rd__scene *scene, unsigned threads, bvh_build *build, rd__accel *accel, rd_error *err)
{
    RD_TRY(rd__array_new(&build->node, "nodes of a BVH", scene->triangles + 1ull, sizeof *build->node, err));
    build->node[0] = (build_node){.axis = 0};
    atomic_init(&build->nodes, 1);
    const rd__range all = {.from = 0, .to = scene->triangles};
    RD_TRY(rd__ranges_run(all, threads, look, build, err));
    const uint32_t nodes = atomic_load_explicit(&build->nodes, memory_order_relaxed); /* threads have been joined */
    RD_TRY(
        rd__array_new(&accel->node, "nodes of a BVH", ACCEL_BVH_VECTORS * (uint64_t)nodes, sizeof *accel->node, err));
    finish(build, rd__accel_pad(scene), accel);
    return RD_OK;
}

static rd_status make_nodes(const rd__scene *scene, rd__item *item, unsigned threads, rd__accel *accel, rd_error *err)
{
    bvh_build build = {.item = item};
    const rd_status status = build_tree(scene, threads, &build, accel, err);
    rd__array_free(build.node);
    return status;
}

rd_status rd__bvh_build(const rd__scene *scene, unsigned threads, rd__accel *accel, rd_error *err)
{
    return rd__accel_build(scene, threads, make_nodes, accel, err);
}
