/* SPDX-License-Identifier: Apache-2.0 */
/*
 * embree.c - see embree.h. Primary rays of the scene's own view, in tiles of 16 x 16 that threads take from one
 * counter, through rtcIntersect1, or rtcIntersect4 or 8 with the flag for coherent rays. No shading: what is timed is
 * making rays and finding hits. A sum of the hits is kept so that nothing can be left out.
 */
#include "micro/embree.h"

#ifdef RD_WITH_embree

#include "apps/ray/view.h"
#include "core/memory.h"
#include "core/parallel.h"
#include "core/library.h"
#include "raddle/tool.h"

#include <embree3/rtcore.h>
#include <stdatomic.h>
#include <string.h>

enum { TILE = 16, MOST_WIDTH = 8 };

#define EMBREE_FUNCTIONS(FN)                                                                                           \
    FN(rtcNewDevice)                                                                                                   \
    FN(rtcReleaseDevice)                                                                                               \
    FN(rtcGetDeviceProperty)                                                                                           \
    FN(rtcNewScene)                                                                                                    \
    FN(rtcReleaseScene)                                                                                                \
    FN(rtcSetSceneBuildQuality)                                                                                        \
    FN(rtcCommitScene)                                                                                                 \
    FN(rtcNewGeometry)                                                                                                 \
    FN(rtcReleaseGeometry)                                                                                             \
    FN(rtcCommitGeometry)                                                                                              \
    FN(rtcAttachGeometry)                                                                                              \
    FN(rtcSetNewGeometryBuffer)                                                                                        \
    FN(rtcIntersect1)                                                                                                  \
    FN(rtcIntersect4)                                                                                                  \
    FN(rtcIntersect8)

struct rd__embree {
#define EMBREE_POINTER(name) __typeof__(name) *name;
    EMBREE_FUNCTIONS(EMBREE_POINTER)
    RTCDevice device;
    RTCScene world;
    rd__scene scene;
    rd__vec4 setup[RD__RAY_SETUP_VECTORS];
    uint32_t side, width, threads;
    atomic_uint next;
    atomic_ullong hits;
};

static rd_status load(rd__embree *e, rd_error *err)
{
    static const char *const names[] = {"libembree3.so.3", "libembree3.so", NULL};
    char reason[200];
    void *library = rd__library_open(names, reason, sizeof reason);
    if (!library)
        return rd__fail(err, RD_EDEVICE, "Embree cannot be opened: %s", reason);
    int there = 1;
#define EMBREE_LOAD(name) there &= rd__library_symbol(library, #name, &e->name);
    EMBREE_FUNCTIONS(EMBREE_LOAD)
    if (!there)
        return rd__fail(err, RD_EDEVICE, "this Embree lacks a function; version 3 is wanted");
    e->device = e->rtcNewDevice(NULL);
    return e->device ? RD_OK : rd__fail(err, RD_EDEVICE, "Embree makes no device");
}

static rd_status build(rd__embree *e, rd_error *err)
{
    const uint32_t triangles = e->scene.triangles;
    RTCGeometry mesh = e->rtcNewGeometry(e->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    float *corner =
        e->rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, 12, 3ull * triangles);
    uint32_t *index = e->rtcSetNewGeometryBuffer(mesh, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 12, triangles);
    if (!corner || !index)
        return rd__fail(err, RD_ENOMEM, "Embree has no memory for %u triangles", triangles);
    for (uint32_t i = 0; i < triangles; i++)
        for (uint32_t c = 0; c < 3; c++) {
            memcpy(corner + 9ull * i + 3 * c, &e->scene.triangle[i].corner[c], 12);
            index[3ull * i + c] = 3 * i + c;
        }
    e->world = e->rtcNewScene(e->device);
    e->rtcCommitGeometry(mesh);
    e->rtcAttachGeometry(e->world, mesh);
    e->rtcReleaseGeometry(mesh);
    e->rtcSetSceneBuildQuality(e->world, RTC_BUILD_QUALITY_HIGH);
    e->rtcCommitScene(e->world);
    return RD_OK;
}

rd_status rd__embree_open(const rd_device *device, const char *scene, uint32_t side, int packets, rd__embree **out,
                          rd_error *err)
{
    rd__ray_view view;
    const rd__ray_options options = {.width = side, .height = side, .depth = 1};
    rd__embree *e = rd__calloc(1, sizeof *e);
    *out = NULL;
    if (!e)
        return rd__fail_memory(err, "Embree", sizeof *e);
    rd_status status = rd__scene_open(&e->scene, scene, NULL, err);
    if (status == RD_OK)
        status = rd__ray_view_of(&e->scene, &options, &view, err);
    if (status == RD_OK)
        status = load(e, err);
    if (status == RD_OK)
        status = build(e, err);
    if (status != RD_OK) {
        rd__embree_close(e);
        return status;
    }
    rd__ray_setup(&e->scene, &view, e->setup);
    e->side = side;
    e->threads = device->caps.shares_host ? device->info.compute_units : rd__thread_count(0);
    e->width = !packets ? 1 : e->rtcGetDeviceProperty(e->device, RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED) ? 8 : 4;
    *out = e;
    return RD_OK;
}

void rd__embree_close(rd__embree *e)
{
    if (!e)
        return;
    if (e->world)
        e->rtcReleaseScene(e->world);
    if (e->device)
        e->rtcReleaseDevice(e->device);
    rd__scene_free(&e->scene);
    rd__free(e);
}

/* ---- Rays ---- */

static rd__vec direction(const rd__embree *e, uint32_t x, uint32_t y)
{
    const rd__vec4 *c = &e->setup[SETUP_CORNER], *r = &e->setup[SETUP_RIGHT], *d = &e->setup[SETUP_DOWN];
    const float fx = (float)x, fy = (float)y;
    return rd__vec_unit(
        rd__vec_of(c->x + fx * r->x + fy * d->x, c->y + fx * r->y + fy * d->y, c->z + fx * r->z + fy * d->z));
}

/* Sets ray k of a packet of `width`, which RTCRayHit4 and 8 lay out alike: one array a field. */
static void set_ray(const rd__embree *e, float *packet, uint32_t width, uint32_t k, uint32_t x, uint32_t y)
{
    const rd__vec d = direction(e, x, y);
    const rd__vec4 *eye = &e->setup[SETUP_EYE];
    const float value[12] = {eye->x, eye->y, eye->z, 0, d.x, d.y, d.z, 0, 1e30f, rd__bits_float(~0u), 0, 0};
    for (uint32_t i = 0; i < 12; i++) /* origin, near, direction, time, far, mask, id, flags */
        packet[i * width + k] = value[i];
    for (uint32_t i = 12; i < 20; i++) /* normal, u, v; primitive, geometry, instance: none */
        packet[i * width + k] = i < 17 ? 0 : rd__bits_float(RTC_INVALID_GEOMETRY_ID);
}

static uint64_t shoot_tile(rd__embree *e, struct RTCIntersectContext *context, uint32_t x0, uint32_t y0)
{
    _Alignas(64) int valid[MOST_WIDTH] = {-1, -1, -1, -1, -1, -1, -1, -1};
    _Alignas(64) union {
        struct RTCRayHit one;
        struct RTCRayHit4 four;
        struct RTCRayHit8 eight;
        float field[20 * MOST_WIDTH];
    } ray;
    const uint32_t width = e->width, across = width == 1 ? 1 : width / 2;
    uint64_t hits = 0;
    for (uint32_t i = 0; i < TILE * TILE; i += width) {
        for (uint32_t k = 0; k < width; k++) { /* packets of 2 x 2 or 4 x 2 pixels */
            const uint32_t packet = i / width, row = TILE / across;
            const uint32_t x = x0 + packet % row * across + k % across;
            const uint32_t y = y0 + packet / row * (width / across) + k / across;
            set_ray(e, ray.field, width, k, x, y);
        }
        if (width == 1)
            e->rtcIntersect1(e->world, context, &ray.one);
        else if (width == 4)
            e->rtcIntersect4(valid, e->world, context, &ray.four);
        else
            e->rtcIntersect8(valid, e->world, context, &ray.eight);
        for (uint32_t k = 0; k < width; k++)
            hits += rd__float_bits(ray.field[18 * width + k]) != RTC_INVALID_GEOMETRY_ID;
    }
    return hits;
}

static void shoot(void *arg, unsigned index, unsigned threads)
{
    rd__embree *e = arg;
    struct RTCIntersectContext context;
    const uint32_t across = e->side / TILE;
    uint64_t hits = 0;
    (void)index;
    (void)threads;
    rtcInitIntersectContext(&context);
    context.flags = RTC_INTERSECT_CONTEXT_FLAG_COHERENT;
    for (;;) {
        const uint32_t tile = atomic_fetch_add_explicit(&e->next, 1, memory_order_relaxed); /* only hands out numbers */
        if (tile >= across * across)
            break;
        hits += shoot_tile(e, &context, tile % across * TILE, tile / across * TILE);
    }
    atomic_fetch_add_explicit(&e->hits, hits, memory_order_relaxed); /* read after the threads are joined */
}

rd_status rd__embree_run(rd__embree *e, double *seconds, uint64_t *rays, rd_error *err)
{
    atomic_store_explicit(&e->next, 0, memory_order_relaxed);
    atomic_store_explicit(&e->hits, 0, memory_order_relaxed);
    const double began = rd_now();
    rd__parallel(e->threads, shoot, e);
    *seconds = rd_now() - began;
    *rays = (uint64_t)(e->side / TILE * TILE) * (e->side / TILE * TILE);
    if (atomic_load_explicit(&e->hits, memory_order_relaxed) == 0)
        return rd__fail(err, RD_EWRONG, "Embree hit nothing in %s", e->scene.source);
    return RD_OK;
}

#else

rd_status rd__embree_open(const rd_device *device, const char *scene, uint32_t side, int packets, rd__embree **out,
                          rd_error *err)
{
    (void)device;
    (void)scene;
    (void)side;
    (void)packets;
    *out = NULL;
    return rd__fail(err, RD_EDEVICE, "this library was built without Embree's header");
}

rd_status rd__embree_run(rd__embree *embree, double *seconds, uint64_t *rays, rd_error *err)
{
    (void)embree;
    (void)seconds;
    (void)rays;
    return rd__fail(err, RD_EDEVICE, "this library was built without Embree's header");
}

void rd__embree_close(rd__embree *embree)
{
    (void)embree;
}

#endif
