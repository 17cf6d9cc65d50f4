/* SPDX-License-Identifier: Apache-2.0 */
/* accel_check.c - proves an acceleration structure: boxes hold what is below them, each triangle is in one leaf. */
#include "ray/accel.h"

#include "core/memory.h"

typedef struct walk {
    const rd__scene *scene;
    const rd__accel *accel;
    unsigned char *seen; /* by triangle of the scene */
    uint32_t count;
} walk;

static int holds(const rd__box *box, const rd__vec *p)
{
    return box->lo.x <= p->x && p->x <= box->hi.x && box->lo.y <= p->y && p->y <= box->hi.y && box->lo.z <= p->z &&
           p->z <= box->hi.z;
}

static rd_status check_leaf(walk *w, uint32_t link, const rd__box *box, rd_error *err)
{
    const uint32_t first = ACCEL_LINK_FIRST(link), count = ACCEL_LINK_COUNT(link);
    if (first + count > w->accel->triangles)
        return rd__fail(err, RD_EWRONG, "a leaf ends at triangle %u of %u", first + count, w->accel->triangles);
    for (uint32_t i = first; i < first + count; i++) {
        const uint32_t number = rd__float_bits(w->accel->triangle[ACCEL_TRIANGLE_VECTORS * (uint64_t)i].w);
        if (number >= w->scene->triangles || w->seen[number])
            return rd__fail(err, RD_EWRONG, "triangle %u is in more than one leaf, or does not exist", number);
        w->seen[number] = 1;
        w->count++;
        for (int c = 0; c < 3; c++)
            if (!holds(box, &w->scene->triangle[number].corner[c]))
                return rd__fail(err, RD_EWRONG, "triangle %u is outside the box of its leaf", number);
    }
    return RD_OK;
}

static rd_status check_inside(const rd__box *outer, const rd__box *inner, uint32_t node, rd_error *err)
{
    if (!holds(outer, &inner->lo) || !holds(outer, &inner->hi))
        return rd__fail(err, RD_EWRONG, "the box of node %u is not inside that of its parent", node);
    return RD_OK;
}

static rd_status check_bvh_nodes(walk *w, rd_error *err)
{
    struct {
        uint32_t node;
        rd__box box;
    } stack[ACCEL_STACK];
    int top = 0;
    const float far = INFINITY;
    stack[0].node = 0;
    stack[top++].box = (rd__box){{-far, -far, -far}, {far, far, far}};
    while (top > 0) {
        const uint32_t at = stack[--top].node;
        const rd__box outer = stack[top].box;
        const rd__vec4 *v = &w->accel->node[ACCEL_BVH_VECTORS * (uint64_t)at];
        const rd__box box[2] = {{{v[0].x, v[0].z, v[2].x}, {v[0].y, v[0].w, v[2].y}},
                                {{v[1].x, v[1].z, v[2].z}, {v[1].y, v[1].w, v[2].w}}};
        const uint32_t link[2] = {rd__float_bits(v[3].x), rd__float_bits(v[3].y)};
        for (int i = 0; i < 2; i++) {
            if (box[i].lo.x > 2e38f)
                continue; /* no child */
            RD_TRY(check_inside(&outer, &box[i], at, err));
            if (link[i] & ACCEL_LEAF) {
                RD_TRY(check_leaf(w, link[i], &box[i], err));
            } else if (link[i] <= at || link[i] >= w->accel->nodes || top == ACCEL_STACK) {
                return rd__fail(err, RD_EWRONG, "node %u leads to node %u", at, link[i]);
            } else {
                stack[top].node = link[i];
                stack[top++].box = box[i];
            }
        }
    }
    return RD_OK;
}

static rd_status check_octree_nodes(walk *w, rd_error *err)
{
    /* Subtrees that are open: where they end, and their box. */
    struct {
        uint32_t end;
        rd__box box;
    } open[ACCEL_STACK];
    int top = 0;
    for (uint32_t at = 0; at < w->accel->nodes; at++) {
        const rd__vec4 *v = &w->accel->node[ACCEL_OCTREE_VECTORS * (uint64_t)at];
        const rd__box box = {{v[0].x, v[0].y, v[0].z}, {v[1].x, v[1].y, v[1].z}};
        const uint32_t skip = rd__float_bits(v[0].w), leaf = rd__float_bits(v[1].w);
        const uint32_t end = skip == ACCEL_END ? w->accel->nodes : skip;
        while (top > 0 && open[top - 1].end <= at)
            top--;
        if (top > 0)
            RD_TRY(check_inside(&open[top - 1].box, &box, at, err));
        if (end <= at || end > w->accel->nodes || (top > 0 && end > open[top - 1].end) || top == ACCEL_STACK)
            return rd__fail(err, RD_EWRONG, "node %u skips to node %u", at, end);
        if (leaf != ACCEL_INNER) {
            if (end != at + 1)
                return rd__fail(err, RD_EWRONG, "leaf %u skips more than itself", at);
            RD_TRY(check_leaf(w, leaf, &box, err));
        } else {
            open[top].end = end;
            open[top++].box = box;
        }
    }
    return RD_OK;
}

static rd_status check(const rd__scene *scene, const rd__accel *accel, rd_status (*nodes)(walk *, rd_error *),
                       rd_error *err)
{
    walk w = {.scene = scene, .accel = accel, .seen = rd__calloc(scene->triangles, 1)};
    if (!w.seen)
        return rd__fail_memory(err, "marks of triangles", scene->triangles);
    rd_status status = nodes(&w, err);
    if (status == RD_OK && w.count != scene->triangles)
        status = rd__fail(err, RD_EWRONG, "%u of %u triangles are in leaves", w.count, scene->triangles);
    rd__free(w.seen);
    return status;
}

rd_status rd__bvh_check(const rd__scene *scene, const rd__accel *accel, rd_error *err)
{
    return check(scene, accel, check_bvh_nodes, err);
}

rd_status rd__octree_check(const rd__scene *scene, const rd__accel *accel, rd_error *err)
{
    return check(scene, accel, check_octree_nodes, err);
}
