/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pack.k.h - rays that a lane follows together: RAY_PACK of them. On a GPU that is one; on a CPU, where a group is one
 * lane, eight rays share a walk through the acceleration structure, and each step is a short loop over them which the
 * compiler turns into vector instructions. So loops over rays have no branches inside.
 *
 * The closest hit does not depend on the order of a walk: of two hits at the same distance the triangle of the lower
 * number wins, and a box is skipped only when it begins behind the best hit.
 */
#ifndef RD_RAY_PACK_K_H
#define RD_RAY_PACK_K_H

#include "raddle/kernel.h"
#include "ray/accel_layout.k.h"

#define RAY_FAR   1e30f  /* no hit */
#define RAY_NONE  0xffffffffu
#define RAY_SLACK 1e-6f  /* triangles are larger by this share of their edges, so that surfaces have no cracks */
#define RAY_WIDER 1.000001f

/* t < 0: the ray takes no part. */
typedef struct {
    rd_f32 ox[RAY_PACK], oy[RAY_PACK], oz[RAY_PACK]; /* origin */
    rd_f32 dx[RAY_PACK], dy[RAY_PACK], dz[RAY_PACK]; /* direction, of length 1 */
    rd_f32 ix[RAY_PACK], iy[RAY_PACK], iz[RAY_PACK]; /* 1 / direction, never infinite */
    rd_f32 t[RAY_PACK];                              /* distance of the best hit so far, or how far to look */
    rd_f32 u[RAY_PACK], v[RAY_PACK];
    rd_u32 triangle[RAY_PACK];
} ray_pack;

rd_fn rd_f32 ray_inverse(rd_f32 d)
{
    const rd_f32 most = 1e20f, x = 1.0f / (rd_fabs(d) < 1e-20f ? 1e-20f : rd_fabs(d));
    const rd_f32 size = x < most ? x : most;
    return d < 0.0f ? -size : size;
}

/* Sets ray k; t: how far to look, or negative. */
rd_fn void ray_set(ray_pack *r, rd_u32 k, rd_f32x4 from, rd_f32x4 to, rd_f32 t)
{
    r->ox[k] = from.x;
    r->oy[k] = from.y;
    r->oz[k] = from.z;
    r->dx[k] = to.x;
    r->dy[k] = to.y;
    r->dz[k] = to.z;
    r->ix[k] = ray_inverse(to.x);
    r->iy[k] = ray_inverse(to.y);
    r->iz[k] = ray_inverse(to.z);
    r->t[k] = t;
    r->u[k] = r->v[k] = 0.0f;
    r->triangle[k] = RAY_NONE;
}

#define RAY_LESS(a, b) ((a) < (b) ? (a) : (b))
#define RAY_MORE(a, b) ((a) > (b) ? (a) : (b))

/* Where ray k enters a box; RAY_FAR when it misses it or the box is behind the best hit. */
rd_fn rd_f32 ray_enter(const ray_pack *r, rd_u32 k, rd_f32 lx, rd_f32 hx, rd_f32 ly, rd_f32 hy, rd_f32 lz, rd_f32 hz)
{
    const rd_f32 ax = (lx - r->ox[k]) * r->ix[k], bx = (hx - r->ox[k]) * r->ix[k];
    const rd_f32 ay = (ly - r->oy[k]) * r->iy[k], by = (hy - r->oy[k]) * r->iy[k];
    const rd_f32 az = (lz - r->oz[k]) * r->iz[k], bz = (hz - r->oz[k]) * r->iz[k];
    const rd_f32 nx = RAY_LESS(ax, bx), fx = RAY_MORE(ax, bx), ny = RAY_LESS(ay, by), fy = RAY_MORE(ay, by);
    const rd_f32 nz = RAY_LESS(az, bz), fz = RAY_MORE(az, bz);
    const rd_f32 nxy = RAY_MORE(nx, ny), nz0 = RAY_MORE(nz, 0.0f), in = RAY_MORE(nxy, nz0);
    const rd_f32 fxy = RAY_LESS(fx, fy), exit = RAY_LESS(fxy, fz) * RAY_WIDER, out = RAY_LESS(exit, r->t[k]);
    return in <= out ? in : RAY_FAR;
}

/* Moeller and Trumbore, 1997: ray k against a triangle. any: a hit ends the ray (t = -1) instead of being kept. */
rd_fn void ray_hit(ray_pack *r, rd_u32 k, rd_f32x4 p, rd_f32x4 e, rd_f32x4 f, rd_u32 any)
{
    const rd_u32 number = rd_bits(p.w);
    const rd_f32 dx = r->dx[k], dy = r->dy[k], dz = r->dz[k], best = r->t[k];
    const rd_f32 px = dy * f.z - dz * f.y, py = dz * f.x - dx * f.z, pz = dx * f.y - dy * f.x;
    const rd_f32 det = e.x * px + e.y * py + e.z * pz, inverse = 1.0f / det;
    const rd_f32 sx = r->ox[k] - p.x, sy = r->oy[k] - p.y, sz = r->oz[k] - p.z;
    const rd_f32 u = (sx * px + sy * py + sz * pz) * inverse;
    const rd_f32 qx = sy * e.z - sz * e.y, qy = sz * e.x - sx * e.z, qz = sx * e.y - sy * e.x;
    const rd_f32 v = (dx * qx + dy * qy + dz * qz) * inverse;
    const rd_f32 t = (f.x * qx + f.y * qy + f.z * qz) * inverse;
    /* A comparison with NaN (a ray in the triangle's plane) is false. */
    const rd_u32 inside = (rd_u32)(u >= -RAY_SLACK) & (rd_u32)(v >= -RAY_SLACK) & (rd_u32)(u + v <= 1.0f + RAY_SLACK);
    const rd_u32 first = (rd_u32)(t < best) | ((rd_u32)(t == best) & (rd_u32)(number < r->triangle[k]));
    const rd_u32 hit = inside & (rd_u32)(t > 0.0f) & first;
    r->t[k] = hit ? (any ? -1.0f : t) : best;
    r->u[k] = hit ? u : r->u[k];
    r->v[k] = hit ? v : r->v[k];
    r->triangle[k] = hit ? number : r->triangle[k];
}

/* All triangles of a leaf. */
rd_fn void ray_leaf(rd_global const rd_f32x4 *triangle, ray_pack *r, rd_u32 link, rd_u32 any)
{
    const rd_u32 first = ACCEL_LINK_FIRST(link), count = ACCEL_LINK_COUNT(link);
    for (rd_u32 i = first; i < first + count; i++) {
        const rd_f32x4 p = rd_ld_const4(&triangle[3 * i]), e = rd_ld_const4(&triangle[3 * i + 1]);
        const rd_f32x4 f = rd_ld_const4(&triangle[3 * i + 2]);
        RD_UNROLL
        for (rd_u32 k = 0; k < RAY_PACK; k++)
            ray_hit(r, k, p, e, f, any);
    }
}

/* Does any ray still look for something? */
rd_fn rd_u32 ray_open(const ray_pack *r)
{
    rd_u32 some = 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < RAY_PACK; k++)
        some |= (rd_u32)(r->t[k] > 0.0f);
    return some;
}

#endif
