/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack.k.h - rays that a lane follows together, RD_VECTOR of them: on a GPU one, on a CPU, where a group is one lane,
 * eight. Those share a walk through the acceleration structure; each step is arithmetic on vectors, without branches.
 *
 * The closest hit does not depend on the order of a walk: of two hits at the same distance the triangle of the lower
 * number wins, and a box is skipped only when it begins behind the best hit.
 */
#ifndef RD_RAY_PACK_K_H
#define RD_RAY_PACK_K_H

#include "raddle/kernel.h"
#include "ray/accel_layout.k.h"

#define RAY_FAR   1e30f /* no hit */
#define RAY_NONE  0xffffffffu
#define RAY_SLACK 1e-6f /* triangles are larger by this share of their edges, so that surfaces have no cracks */
#define RAY_WIDER 1.000001f

/* t < 0: the ray takes no part. */
typedef struct {
    rd_f32v ox, oy, oz; /* origin */
    rd_f32v dx, dy, dz; /* direction, of length 1 */
    rd_f32v ix, iy, iz; /* 1 / direction, never infinite */
    rd_f32v t;          /* distance of the best hit so far, or how far to look */
    rd_f32v u, v;
    rd_u32v triangle;
} ray_pack;

/* 1 / d, as if d were never 0: the product with a distance is never NaN. */
rd_fn rd_f32v ray_inverse(rd_f32v d)
{
    const rd_f32v tiny = rd_all(1e-20f), zero = rd_all(0.0f);
    const rd_f32v up = rd_maxv(d, tiny), down = rd_minv(d, zero - tiny);
    return rd_all(1.0f) / rd_pick(rd_lt(d, zero), down, up);
}

/* Sets ray k; t: how far to look, or negative. ray_ready follows when all are set. */
rd_fn void ray_set(ray_pack *r, rd_u32 k, rd_f32x4 from, rd_f32x4 to, rd_f32 t)
{
    rd_put(&r->ox, k, from.x);
    rd_put(&r->oy, k, from.y);
    rd_put(&r->oz, k, from.z);
    rd_put(&r->dx, k, to.x);
    rd_put(&r->dy, k, to.y);
    rd_put(&r->dz, k, to.z);
    rd_put(&r->t, k, t);
}

rd_fn void ray_ready(ray_pack *r)
{
    r->ix = ray_inverse(r->dx);
    r->iy = ray_inverse(r->dy);
    r->iz = ray_inverse(r->dz);
    r->u = r->v = rd_all(0.0f);
    r->triangle = rd_allu(RAY_NONE);
}

/* Where rays enter a box; RAY_FAR when they miss it or the box is behind the best hit. */
rd_fn rd_f32v ray_enter(const ray_pack *r, rd_f32 lx, rd_f32 hx, rd_f32 ly, rd_f32 hy, rd_f32 lz, rd_f32 hz)
{
    const rd_f32v ax = (lx - r->ox) * r->ix, bx = (hx - r->ox) * r->ix;
    const rd_f32v ay = (ly - r->oy) * r->iy, by = (hy - r->oy) * r->iy;
    const rd_f32v az = (lz - r->oz) * r->iz, bz = (hz - r->oz) * r->iz;
    const rd_f32v nx = rd_minv(ax, bx), fx = rd_maxv(ax, bx), ny = rd_minv(ay, by), fy = rd_maxv(ay, by);
    const rd_f32v nz = rd_minv(az, bz), fz = rd_maxv(az, bz), zero = rd_all(0.0f);
    const rd_f32v nxy = rd_maxv(nx, ny), nz0 = rd_maxv(nz, zero), in = rd_maxv(nxy, nz0);
    const rd_f32v fxy = rd_minv(fx, fy), fxyz = rd_minv(fxy, fz), leave = fxyz * RAY_WIDER, out = rd_minv(leave, r->t);
    return rd_pick(rd_le(in, out), in, rd_all(RAY_FAR));
}

/* Moeller and Trumbore, 1997: rays against a triangle. any: a hit ends the ray (t = -1) instead of being kept. */
rd_fn void ray_hit(ray_pack *r, rd_f32x4 p, rd_f32x4 e, rd_f32x4 f, rd_u32 any)
{
    const rd_u32v number = rd_allu(rd_as_u32(p.w));
    const rd_f32v px = r->dy * f.z - r->dz * f.y, py = r->dz * f.x - r->dx * f.z, pz = r->dx * f.y - r->dy * f.x;
    const rd_f32v inverse = 1.0f / (e.x * px + e.y * py + e.z * pz);
    const rd_f32v sx = r->ox - p.x, sy = r->oy - p.y, sz = r->oz - p.z;
    const rd_f32v u = (sx * px + sy * py + sz * pz) * inverse;
    const rd_f32v qx = sy * e.z - sz * e.y, qy = sz * e.x - sx * e.z, qz = sx * e.y - sy * e.x;
    const rd_f32v v = (r->dx * qx + r->dy * qy + r->dz * qz) * inverse;
    const rd_f32v t = (f.x * qx + f.y * qy + f.z * qz) * inverse;
    const rd_f32v low = rd_all(-RAY_SLACK), high = rd_all(1.0f + RAY_SLACK), sum = u + v, zero = rd_all(0.0f);
    /* A comparison with NaN (a ray in the triangle's plane) is false. */
    const rd_u32v inside = rd_le(low, u) & rd_le(low, v) & rd_le(sum, high) & rd_lt(zero, t);
    const rd_u32v first = rd_lt(t, r->t) | (rd_eq(t, r->t) & rd_lt(number, r->triangle));
    const rd_u32v hit = inside & first;
    const rd_f32v kept = any ? rd_all(-1.0f) : t;
    r->t = rd_pick(hit, kept, r->t);
    r->u = rd_pick(hit, u, r->u);
    r->v = rd_pick(hit, v, r->v);
    r->triangle = rd_picku(hit, number, r->triangle);
}

/* All triangles of a leaf. */
rd_fn void ray_leaf(rd_global const rd_f32x4 *triangle, ray_pack *r, rd_u32 link, rd_u32 any)
{
    const rd_u32 first = ACCEL_LINK_FIRST(link), count = ACCEL_LINK_COUNT(link);
    for (rd_u32 i = first; i < first + count; i++)
        ray_hit(r, rd_ld_const4(&triangle[3 * i]), rd_ld_const4(&triangle[3 * i + 1]),
                rd_ld_const4(&triangle[3 * i + 2]), any);
}

/* Does any ray still look for something? */
rd_fn rd_u32 ray_open(const ray_pack *r)
{
    const rd_f32v zero = rd_all(0.0f);
    return rd_some(rd_lt(zero, r->t));
}

#endif
