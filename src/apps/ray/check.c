/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - proves a picture: renders some of its pixels again, each ray against each triangle, recursively, and
 * compares. It knows the scene and the camera only, nothing of tiles, tasks or acceleration structures.
 *
 * Arithmetic is in single precision as in the kernel: chains of mirrors magnify rounding, and in double precision they
 * would end elsewhere. Compilers that fuse multiplications with additions differ in last bits all the same; hence the
 * tolerance in ray_check.h.
 */
#include "apps/ray/check.h"
#include "ray/setup_layout.k.h"

#include "core/hash.h"
#include "core/memory.h"
#include "core/parallel.h"

#include <stdatomic.h>

enum { LEAST_PIXELS = 64, BATCH = 256 };
static const float pi = 3.14159265358979f;

typedef struct checker {
    const rd__scene *scene;
    const rd__ray_view *view;
    const float *image;
    float *soa[9]; /* corner, first edge, second edge: one array a coordinate, so that loops over them are fast */
    rd__vec forward, right, up;
    float half_width, half_height, start;
    uint64_t pixels, samples;
    atomic_ullong differing, tests;
    atomic_ullong first; /* the lowest pixel that differs */
} checker;

typedef struct ray {
    rd__vec from, to;
    float weight;
    uint32_t depth;
} ray;

/* ---- Hits ---- */

/* Distances from the ray's origin to a batch of triangles; infinite for a miss. */
static void test_batch(const checker *c, const ray *r, uint32_t base, uint32_t count, float *distance)
{
    const float dx = r->to.x, dy = r->to.y, dz = r->to.z, slack = 1e-6f;
    for (uint32_t i = 0; i < count; i++) {
        const float ex = c->soa[3][base + i], ey = c->soa[4][base + i], ez = c->soa[5][base + i];
        const float fx = c->soa[6][base + i], fy = c->soa[7][base + i], fz = c->soa[8][base + i];
        const float px = dy * fz - dz * fy, py = dz * fx - dx * fz, pz = dx * fy - dy * fx;
        const float inverse = 1 / (ex * px + ey * py + ez * pz);
        const float sx = r->from.x - c->soa[0][base + i], sy = r->from.y - c->soa[1][base + i],
                    sz = r->from.z - c->soa[2][base + i];
        const float u = (sx * px + sy * py + sz * pz) * inverse;
        const float qx = sy * ez - sz * ey, qy = sz * ex - sx * ez, qz = sx * ey - sy * ex;
        const float v = (dx * qx + dy * qy + dz * qz) * inverse;
        const float t = (fx * qx + fy * qy + fz * qz) * inverse;
        const int hit = (u >= -slack) & (v >= -slack) & (u + v <= 1 + slack) & (t > 0);
        distance[i] = hit ? t : INFINITY;
    }
}

/* @return the closest triangle nearer than `far`, the lowest number on a tie, or RD_NONE. */
static uint32_t closest(const checker *c, const ray *r, float far, int any, float *distance)
{
    float batch[BATCH];
    uint32_t best = RD_NONE;
    for (uint32_t base = 0; base < c->scene->triangles; base += BATCH) {
        const uint32_t rest = c->scene->triangles - base, count = rest < BATCH ? rest : BATCH;
        test_batch(c, r, base, count, batch);
        for (uint32_t i = 0; i < count; i++)
            if (batch[i] < far) {
                far = batch[i];
                best = base + i;
                if (any)
                    return best;
            }
    }
    *distance = far;
    return best;
}

/* The normal that shading uses: the corners' normals blended by where the point lies in the triangle; and likewise
 * their colours, where they have some. */
static rd__vec blend(const rd__triangle *t, const ray *r, float diffuse[3])
{
    const rd__vec e = rd__vec_sub(t->corner[1], t->corner[0]), f = rd__vec_sub(t->corner[2], t->corner[0]);
    const rd__vec p = rd__vec_cross(r->to, f), s = rd__vec_sub(r->from, t->corner[0]), q = rd__vec_cross(s, e);
    const float inverse = 1 / rd__vec_dot(e, p), u = rd__vec_dot(s, p) * inverse;
    const float v = rd__vec_dot(r->to, q) * inverse;
    for (int i = 0; t->tinted && i < 3; i++) {
        float part[3];
        for (int k = 0; k < 3; k++)
            part[k] = (float)(t->tint[k] >> (2 - i) * TINT_BITS & TINT_MOST) / (float)TINT_MOST;
        diffuse[i] = fminf(1, fmaxf(0, (1 - u - v) * part[0] + u * part[1] + v * part[2]));
    }
    rd__vec n = rd__vec_scale(t->normal[0], 1 - u - v);
    n = rd__vec_add(n, rd__vec_scale(t->normal[1], u));
    return rd__vec_unit(rd__vec_add(n, rd__vec_scale(t->normal[2], v)));
}

/* ---- Light ---- */

static void follow(checker *c, ray r, float out[4]);

static void add_light(checker *c, const ray *r, const rd__material *m, rd__vec at, rd__vec normal, rd__vec face,
                      const rd__light *light, float colour[4])
{
    const rd__vec way = rd__vec_sub(light->at, at);
    const float far = rd__vec_length(way);
    float ignored;
    ray shadow = {.to = rd__vec_scale(way, 1 / far)};
    const float facing = rd__vec_dot(normal, shadow.to);
    if (!(facing > 0))
        return;
    shadow.from = rd__vec_add(at, rd__vec_scale(face, rd__vec_dot(face, shadow.to) > 0 ? c->start : -c->start));
    if (c->view->shadows) {
        colour[3]++;
        if (closest(c, &shadow, far, 1, &ignored) != RD_NONE)
            return;
    }
    const rd__vec mirrored = rd__vec_sub(rd__vec_scale(normal, 2 * facing), shadow.to);
    const float shine = -rd__vec_dot(mirrored, r->to), gloss = shine > 0 ? powf(shine, m->shine) : 0;
    for (int i = 0; i < 3; i++)
        colour[i] += light->colour[i] * (m->diffuse[i] * facing + m->specular[i] * gloss);
}

/* Secondary rays. */
static void branch(checker *c, const ray *r, const rd__material *m, rd__vec at, rd__vec normal, rd__vec face,
                   int inside, float out[4])
{
    const float cosine = -rd__vec_dot(r->to, normal), eta = inside ? m->index : 1 / m->index;
    const float k = 1 - eta * eta * (1 - cosine * cosine);
    ray next = {.depth = r->depth + 1};
    if (next.depth >= c->view->depth)
        return;
    next.weight = r->weight * (m->reflectivity + (k < 0 ? m->transparency : 0));
    if (next.weight >= c->view->cutoff && next.weight > 0) {
        next.from = rd__vec_add(at, rd__vec_scale(face, c->start));
        next.to = rd__vec_unit(rd__vec_add(r->to, rd__vec_scale(normal, 2 * cosine)));
        follow(c, next, out);
    }
    next.weight = r->weight * m->transparency;
    if (k >= 0 && next.weight >= c->view->cutoff && next.weight > 0) {
        next.from = rd__vec_sub(at, rd__vec_scale(face, c->start));
        next.to = rd__vec_unit(rd__vec_add(rd__vec_scale(r->to, eta), rd__vec_scale(normal, eta * cosine - sqrtf(k))));
        follow(c, next, out);
    }
}

/* Adds all light that a ray and its descendants bring. */
static void follow(checker *c, ray r, float out[4])
{
    float far, colour[4] = {0, 0, 0, 1};
    const uint32_t hit = closest(c, &r, 1e30f, 0, &far);
    if (hit == RD_NONE) {
        const float up = r.to.y > 0 ? r.to.y : 0;
        for (int i = 0; i < 3; i++)
            colour[i] = c->scene->sky_low[i] + up * (c->scene->sky_high[i] - c->scene->sky_low[i]);
    } else {
        const rd__triangle *t = &c->scene->triangle[hit];
        rd__material own = c->scene->material[t->material], *m = &own;
        const rd__vec at = rd__vec_add(r.from, rd__vec_scale(r.to, far));
        rd__vec face = rd__vec_unit(
            rd__vec_cross(rd__vec_sub(t->corner[1], t->corner[0]), rd__vec_sub(t->corner[2], t->corner[0])));
        rd__vec normal = blend(t, &r, own.diffuse);
        const int inside = rd__vec_dot(r.to, face) > 0;
        if (inside) {
            face = rd__vec_scale(face, -1);
            normal = rd__vec_scale(normal, -1);
        }
        if (rd__vec_dot(r.to, normal) > 0)
            normal = face;
        for (int i = 0; i < 3; i++)
            colour[i] = m->diffuse[i] * (c->scene->ambient[i] + m->glow);
        for (uint32_t i = 0; i < c->scene->lights; i++)
            add_light(c, &r, m, at, normal, face, &c->scene->light[i], colour);
        branch(c, &r, m, at, normal, face, inside, out);
    }
    for (int i = 0; i < 3; i++)
        out[i] += r.weight * colour[i];
    out[3] += colour[3];
}

/* ---- Pixels ---- */

static void render(checker *c, uint64_t pixel, float out[4])
{
    const float x = (float)(pixel % c->view->width), y = (float)(pixel / c->view->width);
    const float across = ((2 * x + 1) / (float)c->view->width - 1) * c->half_width;
    const float down = ((2 * y + 1) / (float)c->view->height - 1) * c->half_height;
    rd__vec way = rd__vec_add(c->forward, rd__vec_scale(c->right, across));
    way = rd__vec_sub(way, rd__vec_scale(c->up, down));
    const ray r = {.from = c->view->camera.at, .to = rd__vec_unit(way), .weight = 1};
    out[0] = out[1] = out[2] = out[3] = 0;
    follow(c, r, out);
}

static void compare_share(void *arg, unsigned index, unsigned threads)
{
    checker *c = arg;
    uint64_t rays = 0;
    for (uint64_t i = index; i < c->samples; i += threads) {
        const uint64_t from = c->pixels * i / c->samples, to = c->pixels * (i + 1) / c->samples;
        const uint64_t pixel = from + rd__mix64(i * RD_GOLDEN + 1) % (to - from);
        const float *is = &c->image[4 * pixel];
        float should[4];
        render(c, pixel, should);
        int differs = is[3] != should[3];
        for (int k = 0; k < 3; k++)
            differs |= !(fabsf(is[k] - should[k]) <= RD__RAY_OFF * (1 + fabsf(should[k])));
        rays += (uint64_t)should[3];
        if (differs) {
            atomic_fetch_add_explicit(&c->differing, 1, memory_order_relaxed); /* read after the threads are joined */
            unsigned long long first = atomic_load_explicit(&c->first, memory_order_relaxed);
            while (pixel < first && !atomic_compare_exchange_weak_explicit(
                                        &c->first, &first, pixel, memory_order_relaxed, memory_order_relaxed)) {
            }
        }
    }
    atomic_fetch_add_explicit(&c->tests, rays * c->scene->triangles, memory_order_relaxed);
}

static rd_status look_at_all(const checker *c, uint64_t *rays, rd_error *err)
{
    double sum = 0;
    for (uint64_t i = 0; i < c->pixels; i++) {
        const float *p = &c->image[4 * i];
        if (!isfinite(p[0]) || !isfinite(p[1]) || !isfinite(p[2]) || !(p[3] >= 1) || p[3] != floorf(p[3]))
            return rd__fail(err, RD_EWRONG, "pixel (%llu, %llu) is %g %g %g after %g rays",
                            (unsigned long long)(i % c->view->width), (unsigned long long)(i / c->view->width),
                            (double)p[0], (double)p[1], (double)p[2], (double)p[3]);
        sum += (double)p[3];
    }
    *rays = (uint64_t)sum;
    return RD_OK;
}

static rd_status set_up(checker *c, rd_error *err)
{
    const rd__camera *camera = &c->view->camera;
    const float half = tanf(camera->fov * pi / 360);
    const float w = (float)c->view->width, h = (float)c->view->height, larger = w > h ? w : h;
    c->forward = rd__vec_unit(rd__vec_sub(camera->look, camera->at));
    c->right = rd__vec_unit(rd__vec_cross(c->forward, camera->up));
    c->up = rd__vec_cross(c->right, c->forward);
    c->half_width = half * w / larger;
    c->half_height = half * h / larger;
    c->start = 2e-5f * rd__vec_length(rd__vec_sub(c->scene->box.hi, c->scene->box.lo));
    for (int i = 0; i < 9; i++)
        RD_TRY(rd__array_new(&c->soa[i], "triangles to check with", c->scene->triangles, sizeof(float), err));
    for (uint32_t i = 0; i < c->scene->triangles; i++) {
        const rd__vec *p = c->scene->triangle[i].corner;
        const rd__vec v[3] = {p[0], rd__vec_sub(p[1], p[0]), rd__vec_sub(p[2], p[0])};
        for (int k = 0; k < 9; k++)
            c->soa[k][i] = rd__vec_axis(v[k / 3], k % 3);
    }
    return RD_OK;
}

static rd_status compare(checker *c, uint64_t budget, rd_error *err)
{
    uint64_t rays = 0;
    RD_TRY(look_at_all(c, &rays, err));
    RD_TRY(set_up(c, err));
    const double each = (double)rays / (double)c->pixels * (double)c->scene->triangles;
    const double fits = (double)budget / each;
    c->samples = fits > (double)c->pixels ? c->pixels : fits < LEAST_PIXELS ? LEAST_PIXELS : (uint64_t)fits;
    c->samples = c->samples < c->pixels ? c->samples : c->pixels;
    rd__parallel(rd__thread_count(0), compare_share, c);
    return RD_OK;
}

rd_status rd__ray_check(const rd__scene *scene, const rd__ray_view *view, const float *image, uint64_t budget,
                        rd__ray_verdict *verdict, rd_error *err)
{
    checker c = {.scene = scene, .view = view, .image = image, .pixels = (uint64_t)view->width * view->height};
    atomic_init(&c.differing, 0);
    atomic_init(&c.tests, 0);
    atomic_init(&c.first, UINT64_MAX);
    rd_status status = compare(&c, budget, err);
    for (int i = 0; i < 9; i++)
        rd__array_free(c.soa[i]);
    const uint64_t first = atomic_load_explicit(&c.first, memory_order_relaxed); /* threads have been joined */
    *verdict = (rd__ray_verdict){c.samples, atomic_load_explicit(&c.differing, memory_order_relaxed),
                                 atomic_load_explicit(&c.tests, memory_order_relaxed)};
    if (status == RD_OK && verdict->differing > RD__RAY_LEAST + verdict->compared / RD__RAY_SHARE) {
        const float *is = &image[4 * first];
        return rd__fail(err, RD_EWRONG,
                        "%llu of %llu pixels compared differ from the reference; the first is (%llu, %llu): %g %g %g "
                        "after %g rays",
                        (unsigned long long)verdict->differing, (unsigned long long)verdict->compared,
                        (unsigned long long)(first % view->width), (unsigned long long)(first / view->width),
                        (double)is[0], (double)is[1], (double)is[2], (double)is[3]);
    }
    return status;
}
