/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ray.c - ray tracing, host side: the scene and its acceleration structure, options, the picture. ray/ray.k.c is the
 * task, ray/check.c the checker. ray/view.c makes what the kernel needs of camera, lights and surfaces.
 */
#include "apps/choose.h"
#include "apps/ray/check.h"
#include "apps/ray/view.h"
#include "apps/values.h"

#include "core/log.h"
#include "core/memory.h"
#include "raddle/tool.h"
#include "ray/accel.h"
#include "ray/picture.h"
#include "ray/setup_layout.k.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SIDE = 16384, KERNEL_PACK = 8, GIVES = 2 };
static const uint64_t check_budget = 300000000ull; /* ray-triangle tests: a fraction of a second */

typedef struct ray_state {
    rd__scene scene;
    rd__ray_options options;
    uint32_t octree, heatmap;
    rd__accel accel;
    int built; /* accel fits scene and options */
    rd__vec4 *surface, *material;
    rd__buffer setup, node, triangle, surfaces, materials, image;
    /* of the last run */
    rd__ray_view ran;
    float *copy;
    double download_s, rays;
    int copied;
} ray_state;

static const rd_option_info options[] = {
    {"size", "WxH", "1024x1024", "pixels of the picture", 0},
    {"depth", "1..15", "8", "most rays one after another", 0},
    {"cutoff", "SHARE", "0.01", "follow no ray that brings less of its pixel", 0},
    {"shadows", "0|1", "1", "ask whether each light is seen", 0},
    {"accel", "bvh|octree", "bvh", "acceleration structure", 0},
    {"camera", "X,Y,Z", NULL, "where the eye is (default: by scene)", 0},
    {"look", "X,Y,Z", NULL, "what it looks at (default: by scene)", 0},
    {"fov", "DEGREES", NULL, "angle of view over the larger side (default: by scene)", 0},
    {"view", "0|1|2", "0", "the scene's own, half as far away, from the side", 0},
    {"heatmap", NULL, "0", "--output shows how many rays each pixel took", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const char *const samples[] = {"box:8 size=40x30 depth=5",
                                      "box:8 size=33x47 depth=5 schedule=static tile=4",
                                      "box:8 size=40x40 depth=5 schedule=central accel=octree",
                                      "box:6 size=40x40 depth=8 schedule=hardware tile=8 cutoff=0",
                                      "flake:1:6 size=48x32",
                                      "flake:1:6 size=48x32 accel=octree schedule=hardware",
                                      "terrain:12 size=50x20 shadows=0",
                                      "hills:8 size=37x50 schedule=hardware tile=4",
                                      "corner:1 size=32x32 view=1 depth=1",
                                      "terrain:1 size=1x1 tile=2",
                                      NULL};

static void ray_init(rd_job *job)
{
    ray_state *ray = job->state;
    ray->options = (rd__ray_options){.width = 1024, .height = 1024, .depth = 8, .cutoff = 0.01f, .shadows = 1};
}

/* ---- Options ---- */

static rd_status set_numbers(const char *key, const char *value, char between, float *out, int count, rd_error *err)
{
    const char *at = value;
    for (int i = 0; i < count; i++) {
        char word[40];
        double number;
        const size_t length = strcspn(at, (char[]){between, '\0'});
        snprintf(word, sizeof word, "%.*s", (int)(length < 39 ? length : 39), at);
        const int last = i + 1 == count;
        if (!rd_parse_double(word, &number) || (at[length] == '\0') != last || !(number > -1e9 && number < 1e9))
            return rd__fail(err, RD_EARG, "option %s takes %d number%s%s, not '%s'", key, count, count > 1 ? "s" : "",
                            count > 1 ? " with commas between" : "", value);
        out[i] = (float)number;
        at += length + !last;
    }
    return RD_OK;
}

static rd_status set_size(ray_state *ray, const char *value, rd_error *err)
{
    char text[32], *x;
    uint64_t width, height;
    snprintf(text, sizeof text, "%s", value);
    x = strchr(text, 'x');
    if (x)
        *x++ = '\0';
    if (strlen(value) >= sizeof text || !x || !rd_parse_u64(text, &width) || !rd_parse_u64(x, &height) || width < 1 ||
        height < 1 || width > MOST_SIDE || height > MOST_SIDE)
        return rd__fail(err, RD_EARG, "option size takes WIDTHxHEIGHT, each from 1 to %d, not '%s'", MOST_SIDE, value);
    ray->options.width = (uint32_t)width;
    ray->options.height = (uint32_t)height;
    return RD_OK;
}

static rd_status set_vector(const char *key, const char *value, rd__vec *out, uint32_t *has, rd_error *err)
{
    float v[3];
    RD_TRY(set_numbers(key, value, ',', v, 3, err));
    *out = rd__vec_of(v[0], v[1], v[2]);
    *has = 1;
    return RD_OK;
}

static void drop_accel(ray_state *ray)
{
    rd__accel_free(&ray->accel);
    ray->built = 0;
}

static rd_status ray_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    ray_state *ray = job->state;
    rd__ray_options *o = &ray->options;
    if (strcmp(key, "camera") == 0)
        return set_vector(key, value, &o->at, &o->has_at, err);
    if (strcmp(key, "look") == 0)
        return set_vector(key, value, &o->look, &o->has_look, err);
    if (strcmp(key, "view") == 0)
        return rd__value_u32(key, value, 0, 2, &o->view, err);
    if (strcmp(key, "shadows") == 0)
        return rd__value_u32(key, value, 0, 1, &o->shadows, err);
    if (strcmp(key, "heatmap") == 0)
        return rd__value_u32(key, value, 0, 1, &ray->heatmap, err);
    if (strcmp(key, "fov") == 0) {
        float fov;
        RD_TRY(set_numbers(key, value, ',', &fov, 1, err));
        if (!(fov > 0 && fov < 170))
            return rd__fail(err, RD_EARG, "option fov takes degrees between 0 and 170, not '%s'", value);
        o->fov = fov;
        return RD_OK;
    }
    if (strcmp(key, "cutoff") == 0) {
        float cutoff;
        RD_TRY(set_numbers(key, value, ',', &cutoff, 1, err));
        if (!(cutoff >= 0 && cutoff <= 1))
            return rd__fail(err, RD_EARG, "option cutoff takes a share from 0 to 1, not '%s'", value);
        o->cutoff = cutoff;
        return RD_OK;
    }
    /* What remains changes the size of buffers. */
    rd__job_release(job);
    if (strcmp(key, "size") == 0)
        return set_size(ray, value, err);
    if (strcmp(key, "depth") == 0)
        return rd__value_u32(key, value, 1, SETUP_MOST_DEPTH, &o->depth, err);
    if (strcmp(value, "bvh") != 0 && strcmp(value, "octree") != 0)
        return rd__fail(err, RD_EARG, "option accel takes bvh or octree, not '%s'", value);
    ray->octree = value[0] == 'o';
    drop_accel(ray);
    return RD_OK;
}

/* ---- Input ---- */

static rd_status ray_open(rd_job *job, const char *text, rd_error *err)
{
    ray_state *ray = job->state;
    const rd__watch watch = rd__job_watch(job);
    drop_accel(ray);
    RD_TRY(rd__scene_open(&ray->scene, text, &watch, err));
    if (ray->scene.degenerate)
        rd__log(RD_LOG_WARN, "%s: %u triangles without area were left out", ray->scene.source, ray->scene.degenerate);
    return RD_OK;
}

static void ray_close(rd_job *job)
{
    ray_state *ray = job->state;
    drop_accel(ray);
    rd__scene_free(&ray->scene);
}

static rd_status ray_validate(rd_job *job, rd_error *err)
{
    ray_state *ray = job->state;
    RD_TRY(rd__ray_view_of(&ray->scene, &ray->options, &ray->ran, err));
    if (!ray->built)
        RD_TRY(ray->octree ? rd__octree_build(&ray->scene, 0, &ray->accel, err)
                           : rd__bvh_build(&ray->scene, 0, &ray->accel, err));
    ray->built = 1;
    return RD_OK;
}

/* ---- Buffers ---- */

static uint64_t node_bytes(const ray_state *ray)
{
    const uint64_t vectors = ray->octree ? ACCEL_OCTREE_VECTORS : ACCEL_BVH_VECTORS;
    return ray->accel.nodes * vectors * sizeof(rd__vec4);
}

static uint64_t image_floats(const ray_state *ray)
{
    return 4ull * ray->options.width * ray->options.height;
}

static void ray_plan(const rd_job *job, rd_plan *plan)
{
    const ray_state *ray = job->state;
    const int shared = job->device && job->device->caps.shares_host;
    const uint64_t vector = sizeof(rd__vec4);
    rd__plan_add(plan, "scene: nodes", node_bytes(ray), 1, shared);
    rd__plan_add(plan, "scene: triangles", ACCEL_TRIANGLE_VECTORS * vector * ray->scene.triangles, 1, shared);
    rd__plan_add(plan, "scene: surfaces", SURFACE_VECTORS * vector * ray->scene.triangles, 1, shared);
    rd__plan_add(plan, "scene: materials", MATERIAL_VECTORS * vector * ray->scene.materials, 1, shared);
    rd__plan_add(plan, "camera and lights", vector * RD__RAY_SETUP_VECTORS, 0, 0);
    rd__plan_add(plan, "image", 4 * image_floats(ray), 0, 0);
}

static rd_status ray_alloc(rd_job *job, rd_error *err)
{
    ray_state *ray = job->state;
    rd_device *device = job->device;
    const uint64_t vector = sizeof(rd__vec4), triangles = ray->scene.triangles;
    RD_TRY(rd__array_new(&ray->copy, "image on the host", image_floats(ray), sizeof *ray->copy, err));
    RD_TRY(rd__ray_surfaces(&ray->scene, &ray->surface, &ray->material, err));
    RD_TRY(rd__buffer_from(device, &ray->node, "scene: nodes", node_bytes(ray), ray->accel.node, err));
    RD_TRY(rd__buffer_from(device, &ray->triangle, "scene: triangles", ACCEL_TRIANGLE_VECTORS * vector * triangles,
                           ray->accel.triangle, err));
    RD_TRY(rd__buffer_from(device, &ray->surfaces, "scene: surfaces", SURFACE_VECTORS * vector * triangles,
                           ray->surface, err));
    RD_TRY(rd__buffer_from(device, &ray->materials, "scene: materials",
                           MATERIAL_VECTORS * vector * ray->scene.materials, ray->material, err));
    RD_TRY(rd__buffer_alloc(device, &ray->setup, "camera and lights", vector * RD__RAY_SETUP_VECTORS, err));
    return rd__buffer_alloc(device, &ray->image, "image", 4 * image_floats(ray), err);
}

static void ray_free(rd_job *job)
{
    ray_state *ray = job->state;
    rd__buffer_free(&ray->setup);
    rd__buffer_free(&ray->node);
    rd__buffer_free(&ray->triangle);
    rd__buffer_free(&ray->surfaces);
    rd__buffer_free(&ray->materials);
    rd__buffer_free(&ray->image);
    rd__array_free(ray->surface);
    rd__array_free(ray->material);
    rd__array_free(ray->copy);
    ray->surface = ray->material = NULL;
    ray->copy = NULL;
}

static uint32_t ray_args(rd_job *job, rd__arg *args)
{
    const ray_state *ray = job->state;
    const rd__arg list[] = {RD__BUFFER(&ray->setup),       RD__BUFFER(&ray->node),      RD__BUFFER(&ray->triangle),
                            RD__BUFFER(&ray->surfaces),    RD__BUFFER(&ray->materials), RD__BUFFER(&ray->image),
                            RD__U32(ray->options.width),   RD__U32(ray->octree),        RD__U32(ray->scene.lights),
                            RD__U32(ray->options.shadows), RD__U32(ray->options.depth), RD__F32(ray->options.cutoff)};
    memcpy(args, list, sizeof list);
    return sizeof list / sizeof list[0];
}

static void ray_plane(const rd_job *job, rd__plane *plane)
{
    const ray_state *ray = job->state;
    *plane = (rd__plane){.columns = ray->options.width,
                         .rows = ray->options.height,
                         .gives = GIVES,
                         .depth = ray->options.depth,
                         .pack = KERNEL_PACK};
}

/* A CPU runs some tiles at a time, so that there is a progress line. */
static void ray_choose(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)job;
    choice->launch = facts->is_gpu ? RD__PERSISTENT : RD__DISCRETE;
    choice->reason = facts->is_gpu ? "a picture takes a GPU milliseconds: one launch"
                                   : "a picture may take a CPU long: parts of it, with a look at the clock in between";
}

static rd_status ray_start(rd_job *job, uint32_t *seed, uint32_t *seeds, rd_error *err)
{
    ray_state *ray = job->state;
    rd__vec4 setup[RD__RAY_SETUP_VECTORS];
    (void)seed;
    *seeds = 0;
    ray->copied = 0;
    rd__ray_setup(&ray->scene, &ray->ran, setup);
    RD_TRY(rd__buffer_write(&ray->setup, 0, sizeof setup, setup, err));
    return rd__buffer_fill(&ray->image, 0, err);
}

/* ---- Results ---- */

static rd_status download(rd_job *job, rd_error *err)
{
    ray_state *ray = job->state;
    if (ray->copied)
        return RD_OK;
    const double began = rd_now();
    RD_TRY(rd__buffer_read(&ray->image, 0, 4 * image_floats(ray), ray->copy, err));
    ray->download_s = rd_now() - began;
    ray->rays = 0;
    for (uint64_t i = 3; i < image_floats(ray); i += 4)
        ray->rays += (double)ray->copy[i];
    ray->copied = 1;
    return RD_OK;
}

static rd_status ray_result(rd_job *job, rd_result *result, rd_error *err)
{
    ray_state *ray = job->state;
    RD_TRY(download(job, err));
    *result = (rd_result){.name = "rgb and rays",
                          .real = ray->copy,
                          .kind = RD_RESULT_F32,
                          .count = image_floats(ray),
                          .download_s = ray->download_s};
    return RD_OK;
}

static void ray_report(const rd_job *job, rd_report *report)
{
    rd_error ignored; /* a failed download comes up again when the result is asked for */
    rd_job *same = ((ray_state *)job->state)->copy ? (rd_job *)(uintptr_t)job : NULL;
    const ray_state *ray = job->state;
    rd__measure(report, "triangles", ray->scene.triangles);
    rd__measure(report, "degenerate", ray->scene.degenerate);
    rd__measure(report, "build_s", ray->accel.build_s);
    if (same && download(same, &ignored) == RD_OK && report->kernel_s > 0) {
        rd__measure(report, "rays", ray->rays);
        rd__measure(report, "mrays_per_s", 1e-6 * ray->rays / report->kernel_s);
    }
}

static rd_status ray_check(rd_job *job, rd_error *err)
{
    ray_state *ray = job->state;
    rd__ray_verdict verdict;
    RD_TRY(download(job, err));
    RD_TRY(rd__ray_check(&ray->scene, &ray->ran, ray->copy, check_budget, &verdict, err));
    rd__log(RD_LOG_INFO, "%llu pixels were rendered again, %llu differ by more than %g",
            (unsigned long long)verdict.compared, (unsigned long long)verdict.differing, (double)RD__RAY_OFF);
    if (err) {
        err->status = RD_OK;
        snprintf(err->text, sizeof err->text, "%llu pixels rendered again, %llu differ",
                 (unsigned long long)verdict.compared, (unsigned long long)verdict.differing);
    }
    return RD_OK;
}

static rd_status ray_save(rd_job *job, const char *path, rd_error *err)
{
    ray_state *ray = job->state;
    rd__picture picture;
    RD_TRY(rd__picture_check_name(path, err));
    RD_TRY(download(job, err));
    RD_TRY(rd__picture_new(ray->copy, ray->options.width, ray->options.height, (int)ray->heatmap, &picture, err));
    rd_status status = rd__picture_save(&picture, path, err);
    rd__picture_free(&picture);
    return status;
}

const rd__app rd__app_ray = {
    .info = {.name = "ray",
             .text = "ray tracing: a picture of a scene of triangles, with shadows, mirrors and glass",
             .options = options,
             .input = RD_INPUT_TEXT,
             .input_name = "SCENE",
             .input_text = rd__scene_help,
             .samples = samples,
             .has_file = 1},
    .state_bytes = sizeof(ray_state),
    .init = ray_init,
    .set = ray_set,
    .open = ray_open,
    .close = ray_close,
    .validate = ray_validate,
    .plan = ray_plan,
    .alloc = ray_alloc,
    .free = ray_free,
    .args = ray_args,
    .plane = ray_plane,
    .choose = ray_choose,
    .start = ray_start,
    .report = ray_report,
    .result = ray_result,
    .check = ray_check,
    .save = ray_save,
};
