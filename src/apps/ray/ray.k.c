/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ray.k.c - ray tracing: a task is a ray. It finds the closest triangle, adds what light falls there to its pixel, and
 * gives a mirrored and a refracted ray as tasks of their own, each with its share of the weight (after T. Whitted,
 * 1980, without recursion: a pixel is a sum over its rays, in any order).
 *
 * A task is two vectors: origin and weight; direction, and the pixel with the depth in its upper four bits. A pixel is
 * four floats: red, green, blue, and the number of rays that were followed for it, shadow rays included. The tasks of a
 * pixel are run by one group unless the scheduler says that they are shared: so with one lane a group plain additions
 * do, as long as it does not.
 */
#include "raddle/kernel.h"

#define RAY_PACK     RD_VECTOR
#define RD_APP_PACK  RAY_PACK
#define RD_APP_GIVES 2
#include "model/plane.k.h"
#include "ray/setup_layout.k.h"
#include "ray/trace.k.h"

/* clang-format off */
#define RD_APP_ARGS(buf, arg)                                                                    \
    buf(const rd_f32x4, setup)    /* setup_layout.k.h */                        \
    buf(const rd_f32x4, node)                                                   \
    buf(const rd_f32x4, triangle)                                               \
    buf(const rd_f32x4, surface)  /* by number of the triangle in the scene */  \
    buf(const rd_f32x4, material)                                               \
    buf(rd_f32, image)                                                          \
    arg(rd_u32, width)                                                                      \
    arg(rd_u32, octree)                                                                     \
    arg(rd_u32, lights)                                                                     \
    arg(rd_u32, shadows)                                                                    \
    arg(rd_u32, depth)                                                                      \
    arg(rd_f32, cutoff)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

/* ---- Vectors ---- */

rd_fn rd_f32x4 ray_vector(rd_f32 x, rd_f32 y, rd_f32 z, rd_f32 w)
{
    rd_f32x4 v;
    v.x = x;
    v.y = y;
    v.z = z;
    v.w = w;
    return v;
}

rd_fn rd_f32 ray_dot(rd_f32x4 a, rd_f32x4 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* a + s * b */
rd_fn rd_f32x4 ray_along(rd_f32x4 a, rd_f32 s, rd_f32x4 b)
{
    return ray_vector(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, 0.0f);
}

rd_fn rd_f32x4 ray_scaled(rd_f32x4 a, rd_f32 s)
{
    return ray_vector(a.x * s, a.y * s, a.z * s, 0.0f);
}

rd_fn rd_f32x4 ray_unit(rd_f32x4 a)
{
    return ray_scaled(a, 1.0f / rd_sqrt(ray_dot(a, a)));
}

/* ---- Tasks ---- */

/* The ray through the middle of a pixel. */
rd_fn rd_task rd_app_item(const rd_app *app, rd_u32 x, rd_u32 y)
{
    rd_task task;
    const rd_f32x4 eye = rd_ld_const4(&app->setup[SETUP_EYE]);
    rd_f32x4 d = rd_ld_const4(&app->setup[SETUP_CORNER]);
    d = ray_along(d, (rd_f32)x, rd_ld_const4(&app->setup[SETUP_RIGHT]));
    d = ray_unit(ray_along(d, (rd_f32)y, rd_ld_const4(&app->setup[SETUP_DOWN])));
    task.a = ray_vector(eye.x, eye.y, eye.z, 1.0f);
    task.b = ray_vector(d.x, d.y, d.z, rd_as_f32(y * app->width + x));
    return task;
}

/* Where a ray met a surface, seen from the ray's side. */
typedef struct {
    rd_f32x4 at, normal, face; /* face: the triangle's own normal */
    rd_f32x4 colour;           /* so far; w: rays */
    rd_u32 material, tint;     /* tint: in place of its diffuse colour, with TINT_THERE; 0: none */
    rd_u32 hit, inside;        /* inside: the ray came from behind the surface */
} ray_spot;

rd_fn rd_f32x4 ray_sky(const rd_app *app, rd_f32x4 d)
{
    const rd_f32x4 low = rd_ld_const4(&app->setup[SETUP_SKY_LOW]), high = rd_ld_const4(&app->setup[SETUP_SKY_HIGH]);
    const rd_f32 up = d.y > 0.0f ? d.y : 0.0f;
    return ray_vector(low.x + up * (high.x - low.x), low.y + up * (high.y - low.y), low.z + up * (high.z - low.z),
                      1.0f);
}

/* One channel of the colour between three corners. */
rd_fn rd_u32 ray_mix(rd_u32 shift, rd_u32 a, rd_u32 b, rd_u32 c, rd_f32 u, rd_f32 v)
{
    const rd_f32 mixed = (1.0f - u - v) * (rd_f32)(a >> shift & TINT_MOST) + u * (rd_f32)(b >> shift & TINT_MOST) +
                         v * (rd_f32)(c >> shift & TINT_MOST) + 0.5f;
    const rd_f32 least = mixed > 0.0f ? mixed : 0.0f;
    return (rd_u32)(least < (rd_f32)TINT_MOST ? least : (rd_f32)TINT_MOST) << shift;
}

/* The diffuse colour; w: shine. */
rd_fn rd_f32x4 ray_diffuse(const rd_app *app, const ray_spot *spot)
{
    rd_f32x4 diffuse = rd_ld_const4(&app->material[MATERIAL_VECTORS * spot->material]);
    if (spot->tint) {
        const rd_f32 part = 1.0f / (rd_f32)TINT_MOST;
        diffuse.x = part * (rd_f32)(spot->tint >> 2 * TINT_BITS & TINT_MOST);
        diffuse.y = part * (rd_f32)(spot->tint >> TINT_BITS & TINT_MOST);
        diffuse.z = part * (rd_f32)(spot->tint & TINT_MOST);
    }
    return diffuse;
}

rd_fn void ray_look(const rd_app *app, const ray_pack *r, rd_u32 k, const rd_task *task, ray_spot *spot)
{
    const rd_u32 triangle = rd_get(r->triangle, k);
    spot->hit = triangle != RAY_NONE;
    spot->colour = ray_sky(app, task->b);
    if (spot->hit) {
        rd_global const rd_f32x4 *s = app->surface + SURFACE_VECTORS * (rd_u64)triangle;
        const rd_f32x4 n0 = rd_ld_const4(s), n1 = rd_ld_const4(s + 1), n2 = rd_ld_const4(s + 2);
        const rd_f32 u = rd_get(r->u, k), v = rd_get(r->v, k), w = 1.0f - u - v;
        rd_f32x4 face = rd_ld_const4(s + 3), n = ray_along(ray_along(ray_scaled(n0, w), u, n1), v, n2);
        spot->inside = ray_dot(task->b, face) > 0.0f;
        spot->material = rd_as_u32(n0.w) & ~SURFACE_TINTED;
        if (rd_as_u32(n0.w) & SURFACE_TINTED) {
            const rd_u32 t0 = rd_as_u32(n1.w), t1 = rd_as_u32(n2.w), t2 = rd_as_u32(face.w);
            spot->tint = TINT_THERE | ray_mix(2 * TINT_BITS, t0, t1, t2, u, v) | ray_mix(TINT_BITS, t0, t1, t2, u, v) |
                         ray_mix(0, t0, t1, t2, u, v);
        }
        n = ray_unit(n);
        if (spot->inside) {
            n = ray_scaled(n, -1.0f);
            face = ray_scaled(face, -1.0f);
        }
        if (ray_dot(task->b, n) > 0.0f) /* bent so far that it looks away */
            n = face;
        spot->normal = n;
        spot->face = face;
        spot->at = ray_along(task->a, rd_get(r->t, k), task->b);
        const rd_f32x4 diffuse = ray_diffuse(app, spot);
        const rd_f32 glow = rd_ld_const4(&app->material[MATERIAL_VECTORS * spot->material + 2]).z;
        const rd_f32x4 ambient = rd_ld_const4(&app->setup[SETUP_AMBIENT]);
        spot->colour = ray_vector(diffuse.x * (ambient.x + glow), diffuse.y * (ambient.y + glow),
                                  diffuse.z * (ambient.z + glow), 1.0f);
    }
}

/* Phong: what a light that is seen adds. */
rd_fn void ray_light(const rd_app *app, const rd_task *task, ray_spot *spot, rd_f32x4 light, rd_f32x4 to_light)
{
    const rd_f32x4 diffuse = ray_diffuse(app, spot);
    const rd_f32x4 specular = rd_ld_const4(&app->material[MATERIAL_VECTORS * spot->material + 1]);
    const rd_f32 facing = ray_dot(spot->normal, to_light);
    const rd_f32x4 mirrored = ray_along(ray_scaled(to_light, -1.0f), 2.0f * facing, spot->normal);
    const rd_f32 shine = -ray_dot(mirrored, task->b);
    const rd_f32 gloss = shine > 0.0f ? rd_pow(shine, diffuse.w) : 0.0f;
    spot->colour.x += light.x * (diffuse.x * facing + specular.x * gloss);
    spot->colour.y += light.y * (diffuse.y * facing + specular.y * gloss);
    spot->colour.z += light.z * (diffuse.z * facing + specular.z * gloss);
}

rd_fn void ray_walk(const rd_app *app, ray_pack *r, rd_u32 any)
{
    if (app->octree)
        ray_walk_octree(app->node, app->triangle, r, any);
    else
        ray_walk_bvh(app->node, app->triangle, r, any);
}

/* One light on all spots of the lane. */
rd_fn void ray_shine(const rd_app *app, const rd_task *task, ray_spot *spot, rd_u32 number)
{
    ray_pack r;
    const rd_f32x4 at = rd_ld_const4(&app->setup[SETUP_LIGHTS + 2 * number]);
    const rd_f32x4 light = rd_ld_const4(&app->setup[SETUP_LIGHTS + 2 * number + 1]);
    const rd_f32 step = rd_ld_const4(&app->setup[SETUP_EYE]).w;
    rd_u32 facing[RAY_PACK];
    RD_UNROLL
    for (rd_u32 k = 0; k < RAY_PACK; k++) {
        rd_f32x4 d = ray_along(at, -1.0f, spot[k].at);
        const rd_f32 far = rd_sqrt(ray_dot(d, d));
        d = ray_scaled(d, 1.0f / far);
        facing[k] = spot[k].hit && ray_dot(spot[k].normal, d) > 0.0f;
        const rd_f32 side = ray_dot(spot[k].face, d) > 0.0f ? step : -step;
        ray_set(&r, k, ray_along(spot[k].at, side, spot[k].face), d, facing[k] ? far : -1.0f);
    }
    ray_ready(&r);
    if (app->shadows)
        ray_walk(app, &r, 1);
    RD_UNROLL
    for (rd_u32 k = 0; k < RAY_PACK; k++) {
        spot[k].colour.w += facing[k] && app->shadows ? 1.0f : 0.0f;
        if (facing[k] && rd_get(r.t, k) > 0.0f)
            ray_light(app, &task[k], &spot[k], light,
                      ray_vector(rd_get(r.dx, k), rd_get(r.dy, k), rd_get(r.dz, k), 0.0f));
    }
}

/* A mirrored and a refracted ray, where the material has them and their weight is worth it. */
rd_fn void ray_give(const rd_app *app, const rd_task *task, const ray_spot *spot, rd_task *out, rd_u32 *given)
{
    const rd_u32 place = rd_as_u32(task->b.w), depth = place >> SETUP_DEPTH_SHIFT;
    const rd_f32x4 specular = rd_ld_const4(&app->material[MATERIAL_VECTORS * spot->material + 1]);
    const rd_f32x4 clear = rd_ld_const4(&app->material[MATERIAL_VECTORS * spot->material + 2]);
    const rd_f32 step = rd_ld_const4(&app->setup[SETUP_EYE]).w, towards = -ray_dot(task->b, spot->normal);
    const rd_f32 eta = spot->inside ? clear.y : 1.0f / clear.y, k = 1.0f - eta * eta * (1.0f - towards * towards);
    /* Where no refracted ray exists all of it is mirrored. */
    const rd_f32 mirror = task->a.w * (specular.w + (k < 0.0f ? clear.x : 0.0f)), pass = task->a.w * clear.x;
    const rd_f32 deeper = rd_as_f32(place + (1u << SETUP_DEPTH_SHIFT));
    given[0] = depth + 1 < app->depth && mirror >= app->cutoff && mirror > 0.0f;
    given[1] = depth + 1 < app->depth && pass >= app->cutoff && pass > 0.0f && k >= 0.0f;
    if (given[0]) {
        const rd_f32x4 d = ray_unit(ray_along(task->b, 2.0f * towards, spot->normal));
        out[0].a = ray_along(spot->at, step, spot->face);
        out[0].a.w = mirror;
        out[0].b = ray_vector(d.x, d.y, d.z, deeper);
    }
    if (given[1]) {
        const rd_f32x4 d = ray_unit(ray_along(ray_scaled(task->b, eta), eta * towards - rd_sqrt(k), spot->normal));
        out[1].a = ray_along(spot->at, -step, spot->face);
        out[1].a.w = pass;
        out[1].b = ray_vector(d.x, d.y, d.z, deeper);
    }
}

rd_fn void ray_add(rd_global rd_f32 *pixel, rd_f32 weight, rd_f32x4 colour, rd_u32 shared)
{
#if RD_LANES == 1
    /* No one else has rays of this pixel. Atomic additions to it, by others before or later, are ordered: tasks pass
     * from group to group by a release and an acquire. */
    if (!shared) {
        pixel[0] += weight * colour.x;
        pixel[1] += weight * colour.y;
        pixel[2] += weight * colour.z;
        pixel[3] += colour.w;
        return;
    }
#endif
    rd_addf_rlx(&pixel[0], weight * colour.x); /* partners: other lanes with rays of the same pixel */
    rd_addf_rlx(&pixel[1], weight * colour.y);
    rd_addf_rlx(&pixel[2], weight * colour.z);
    rd_addf_rlx(&pixel[3], colour.w);
}

rd_fn void rd_app_tasks(const rd_app *app, rd_given *out, const rd_task *task, const rd_u32 *has, rd_u32 shared)
{
    ray_pack r;
    ray_spot spot[RAY_PACK];
    rd_u32 some = 0;
    RD_UNROLL
    for (rd_u32 k = 0; k < RAY_PACK; k++) {
        some |= has[k];
        spot[k].hit = spot[k].inside = spot[k].material = spot[k].tint = 0;
        spot[k].at = spot[k].normal = spot[k].face = spot[k].colour = ray_vector(0.0f, 0.0f, 0.0f, 0.0f);
        out->given[2 * k] = out->given[2 * k + 1] = 0;
        ray_set(&r, k, task[k].a, task[k].b, has[k] ? RAY_FAR : -1.0f);
    }
    if (some) {
        ray_ready(&r);
        ray_walk(app, &r, 0);
        RD_UNROLL
        for (rd_u32 k = 0; k < RAY_PACK; k++)
            if (has[k])
                ray_look(app, &r, k, &task[k], &spot[k]);
        for (rd_u32 i = 0; i < app->lights; i++)
            ray_shine(app, task, spot, i);
    }
    RD_UNROLL
    for (rd_u32 k = 0; k < RAY_PACK; k++)
        if (has[k]) {
            rd_global rd_f32 *pixel = app->image + 4 * (rd_u64)(rd_as_u32(task[k].b.w) & SETUP_PIXEL_MASK);
            ray_add(pixel, task[k].a.w, spot[k].colour, shared);
            if (spot[k].hit)
                ray_give(app, &task[k], &spot[k], &out->task[2 * k], &out->given[2 * k]);
        }
}
