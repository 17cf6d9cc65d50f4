/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trace.k.h - walks through the two acceleration structures (accel_layout.k.h): the BVH with a short stack, nearer
 * child first; the octree along its child and skip links, without a stack. any: the first hit of a ray ends it
 * (shadows). After the walk t is the distance of the closest hit and triangle its number, or for any: t < 0 where there
 * was a hit.
 */
#ifndef RD_RAY_TRACE_K_H
#define RD_RAY_TRACE_K_H

#include "ray/pack.k.h"

#if RD_VECTOR == 1

rd_fn void ray_walk_bvh(rd_global const rd_f32x4 *node, rd_global const rd_f32x4 *triangle, ray_pack *r, rd_u32 any)
{
    rd_u32 stack[ACCEL_STACK], top = 0, link = ray_open(r) ? 0 : ACCEL_END;
    while (link != ACCEL_END) {
        /* Lanes that are at a leaf wait for those that are not (Aila and Laine, 2009). ACCEL_END looks like a leaf. */
        while (!(link & ACCEL_LEAF)) {
            rd_global const rd_f32x4 *n = node + (rd_u64)link * ACCEL_BVH_VECTORS;
            const rd_f32x4 a = rd_ld_const4(n), b = rd_ld_const4(n + 1), c = rd_ld_const4(n + 2);
            const rd_f32x4 d = rd_ld_const4(n + 3);
            const rd_f32 one = ray_enter(r, a.x, a.y, a.z, a.w, c.x, c.y);
            const rd_f32 two = ray_enter(r, b.x, b.y, b.z, b.w, c.z, c.w);
            const rd_u32 first = two < one ? rd_as_u32(d.y) : rd_as_u32(d.x);
            const rd_u32 second = two < one ? rd_as_u32(d.x) : rd_as_u32(d.y);
            const rd_f32 nearer = rd_minv(one, two), farther = rd_maxv(one, two);
            if (farther < RAY_FAR)
                stack[top++] = second;
            if (nearer < RAY_FAR)
                link = first;
            else
                link = top ? stack[--top] : ACCEL_END;
        }
        if (link != ACCEL_END) {
            ray_leaf(triangle, r, link, any);
            link = top && ray_open(r) ? stack[--top] : ACCEL_END;
        }
    }
}

#else

/* The children's order is that of the first ray along the axis that parts them: rays of a pack go roughly together. */
rd_fn void ray_walk_bvh(rd_global const rd_f32x4 *node, rd_global const rd_f32x4 *triangle, ray_pack *r, rd_u32 any)
{
    rd_u32 stack[ACCEL_STACK], top = 0, link = ray_open(r) ? 0 : ACCEL_END;
    const rd_u32 turned[3] = {r->dx[0] < 0.0f, r->dy[0] < 0.0f, r->dz[0] < 0.0f};
    while (link != ACCEL_END) {
        if (link & ACCEL_LEAF) {
            ray_leaf(triangle, r, link, any);
            link = top ? stack[--top] : ACCEL_END;
            if (any && !ray_open(r))
                link = ACCEL_END;
        } else {
            rd_global const rd_f32x4 *n = node + (rd_u64)link * ACCEL_BVH_VECTORS;
            const rd_f32x4 a = n[0], b = n[1], c = n[2], d = n[3];
            const rd_f32v far = rd_all(RAY_FAR);
            const rd_u32 one = rd_some(rd_lt(ray_enter(r, a.x, a.y, a.z, a.w, c.x, c.y), far));
            const rd_u32 two = rd_some(rd_lt(ray_enter(r, b.x, b.y, b.z, b.w, c.z, c.w), far));
            const rd_u32 swap = turned[rd_as_u32(d.z)];
            const rd_u32 first = swap ? rd_as_u32(d.y) : rd_as_u32(d.x),
                         second = swap ? rd_as_u32(d.x) : rd_as_u32(d.y);
            if (one && two) {
                stack[top++] = second;
                link = first;
            } else if (one || two) {
                link = one ? rd_as_u32(d.x) : rd_as_u32(d.y);
            } else {
                link = top ? stack[--top] : ACCEL_END;
            }
        }
    }
}

#endif

rd_fn void ray_walk_octree(rd_global const rd_f32x4 *node, rd_global const rd_f32x4 *triangle, ray_pack *r, rd_u32 any)
{
    rd_u32 at = ray_open(r) ? 0 : ACCEL_END;
    while (at != ACCEL_END) {
        const rd_f32x4 lo = rd_ld_const4(&node[ACCEL_OCTREE_VECTORS * (rd_u64)at]);
        const rd_f32x4 hi = rd_ld_const4(&node[ACCEL_OCTREE_VECTORS * (rd_u64)at + 1]);
        const rd_u32 skip = rd_as_u32(lo.w), leaf = rd_as_u32(hi.w);
        const rd_f32v far = rd_all(RAY_FAR), in = ray_enter(r, lo.x, hi.x, lo.y, hi.y, lo.z, hi.z);
        const rd_u32 some = rd_some(rd_lt(in, far));
        if (some && leaf != ACCEL_INNER)
            ray_leaf(triangle, r, leaf, any);
        at = some && leaf == ACCEL_INNER ? at + 1 : skip;
        if (any && some && !ray_open(r))
            at = ACCEL_END;
    }
}

#endif
