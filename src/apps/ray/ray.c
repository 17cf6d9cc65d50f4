/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ray.c - ray tracing, host side: the scene and its acceleration structure, options, the picture. ray/ray.k.c is the
 * task, ray/check.c the checker. ray/view.c makes what the kernel needs of camera, lights and surfaces.
 */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"
#include "apps/ray/check.h"
#include "apps/ray/view.h"

#include "core/log.h"
#include "core/memory.h"
#include "gen/args/ray.h"
#include "model/args.h"
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
    rd__light light[2][RD__SCENE_LIGHTS]; /* the scene's own, and those asked for */
    uint32_t lights[2];                   /* of the second: 0, the scene's */
    float ambient[2][3];
    uint32_t has_ambient;
    uint32_t octree, heatmap;
    rd__accel accel;
    uint32_t built; /* accel is of the scene: 0, not yet; else 1 more than `octree` was */
    rd__vec4 *surface, *material;
    rd__buffer setup, node, triangle, surfaces, materials, image;
    /* of the last run */
    rd__ray_view ran;
} ray_state;

static const rd_option_info info[] = {
    {"size", "WxH", "1024x1024", "pixels of the picture", 0},
    {"depth", "1..15", "8", "most rays one after another", 0},
    {"cutoff", "SHARE", "0.01", "follow no ray that brings less of its pixel", 0},
    {"shadows", "0|1", "1", "ask whether each light is seen", 0},
    {"accel", "bvh|octree", "bvh", "acceleration structure", 0},
    {"camera", "X,Y,Z", NULL, "where the eye is (default: by scene)", 0},
    {"look", "X,Y,Z", NULL, "what it looks at (default: by scene)", 0},
    {"fov", "DEGREES", NULL, "angle of view over the larger side (default: by scene)", 0},
    {"lights", "LIST", NULL, "X,Y,Z,R,G,B of each, colons between: where it is, its colour (default: by scene)", 0},
    {"ambient", "R,G,B", NULL, "light that comes from everywhere (default: by scene)", 0},
    {"view", "0|1|2", "0", "the scene's own, half as far away, from the side", 0},
    {"heatmap", NULL, "0", "--output shows how many rays each pixel took", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const rd__app_option options[] = {
    {.key = "size", .changes = RD__CHANGES_BUFFERS},
    {.key = "depth",
     .kind = RD__OPTION_U32,
     .at = offsetof(ray_state, options.depth),
     .least = 1,
     .most = SETUP_MOST_DEPTH,
     .changes = RD__CHANGES_BUFFERS},
    {.key = "cutoff"},
    {.key = "shadows", .kind = RD__OPTION_FLAG, .at = offsetof(ray_state, options.shadows)},
    {.key = "accel", .kind = RD__OPTION_CHOICE, .at = offsetof(ray_state, octree), .changes = RD__CHANGES_BUFFERS},
    {.key = "camera"},
    {.key = "look"},
    {.key = "fov"},
    {.key = "lights"},
    {.key = "ambient"},
    {.key = "view", .kind = RD__OPTION_U32, .at = offsetof(ray_state, options.view), .most = 2},
    {.key = "heatmap", .kind = RD__OPTION_FLAG, .at = offsetof(ray_state, heatmap)},
    {0},
};
static const rd__app_array arrays[] = {
    {.name = "camera and lights", .at = offsetof(ray_state, setup), .more = sizeof(rd__vec4) * RD__RAY_SETUP_VECTORS},
    {.name = "image",
     .at = offsetof(ray_state, image),
     .each = 4 * sizeof(float),
     .filled = 1,
     .result = "rgb and rays",
     .kind = RD_RESULT_F32},
    {0},
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
                                      "box:4 size=30x30 schedule=fixed "
                                      "lights=0,1.5,0,1,0,0:.5,1,.5,0,1,1 ambient=.1,.1,.2",
                                      "terrain:1 size=1x1 tile=2",
                                      NULL};

static void ray_init(rd_job *job)
{
    ray_state *ray = job->state;
    ray->options.width = ray->options.height = 1024;
    ray->options.cutoff = 0.01f;
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

/* Light adds to what there is. */
static rd_status refuse_dark(const char *key, const float *colour, const char *value, rd_error *err)
{
    for (int i = 0; i < 3; i++)
        if (!(colour[i] >= 0))
            return rd__fail(err, RD_EARG, "option %s takes colours of 0 and more, not '%s'", key, value);
    return RD_OK;
}

static rd_status set_ambient(ray_state *ray, const char *value, rd_error *err)
{
    float colour[3];
    RD_TRY(set_numbers("ambient", value, ',', colour, 3, err));
    RD_TRY(refuse_dark("ambient", colour, value, err));
    memcpy(ray->ambient[1], colour, sizeof colour);
    ray->has_ambient = 1;
    return RD_OK;
}

/* Six numbers a light, with colons between lights. */
static rd_status set_lights(ray_state *ray, const char *value, rd_error *err)
{
    rd__light light[RD__SCENE_LIGHTS];
    uint32_t count = 0;
    for (const char *at = value, *end = at; end; at = end ? end + 1 : at) {
        char text[128];
        float v[6];
        end = strchr(at, ':');
        const size_t length = end ? (size_t)(end - at) : strlen(at);
        if (count == RD__SCENE_LIGHTS || length >= sizeof text)
            return rd__fail(err, RD_EARG, "option lights takes up to %d lights X,Y,Z,R,G,B with colons between",
                            RD__SCENE_LIGHTS);
        snprintf(text, sizeof text, "%.*s", (int)length, at);
        if (set_numbers("lights", text, ',', v, 6, err) != RD_OK)
            return rd__fail(err, RD_EARG,
                            "option lights takes 6 numbers of each light, X,Y,Z,R,G,B, and colons between lights, "
                            "not '%s'",
                            value);
        RD_TRY(refuse_dark("lights", v + 3, value, err));
        light[count++] = (rd__light){rd__vec_of(v[0], v[1], v[2]), {v[3], v[4], v[5]}};
    }
    memcpy(ray->light[1], light, sizeof *light * count);
    ray->lights[1] = count;
    return RD_OK;
}

/* What the scene says, unless the user does. */
static void light_scene(ray_state *ray)
{
    const int asked = ray->lights[1] != 0;
    memcpy(ray->scene.light, ray->light[asked], sizeof ray->scene.light);
    ray->scene.lights = ray->lights[asked];
    memcpy(ray->scene.ambient, ray->ambient[ray->has_ambient], sizeof ray->scene.ambient);
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
    if (strcmp(key, "lights") == 0)
        return set_lights(ray, value, err);
    if (strcmp(key, "ambient") == 0)
        return set_ambient(ray, value, err);
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
    return set_size(ray, value, err);
}

/* ---- Input ---- */

static rd_status ray_open(rd_job *job, const char *text, rd_error *err)
{
    ray_state *ray = job->state;
    const rd__watch watch = rd__job_watch(job);
    drop_accel(ray);
    RD_TRY(rd__scene_open(&ray->scene, text, &watch, err));
    memcpy(ray->light[0], ray->scene.light, sizeof ray->light[0]);
    ray->lights[0] = ray->scene.lights;
    memcpy(ray->ambient[0], ray->scene.ambient, sizeof ray->ambient[0]);
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
    light_scene(ray);
    RD_TRY(rd__ray_view_of(&ray->scene, &ray->options, &ray->ran, err));
    if (ray->built == 1 + ray->octree)
        return RD_OK;
    drop_accel(ray);
    RD_TRY(ray->octree ? rd__octree_build(&ray->scene, 0, &ray->accel, err)
                       : rd__bvh_build(&ray->scene, 0, &ray->accel, err));
    ray->built = 1 + ray->octree;
    return RD_OK;
}

/* ---- Buffers ---- */

static uint64_t node_bytes(const ray_state *ray)
{
    const uint64_t vectors = ray->octree ? ACCEL_OCTREE_VECTORS : ACCEL_BVH_VECTORS;
    return ray->accel.nodes * vectors * sizeof(rd__vec4);
}

static uint64_t ray_items(const rd_job *job)
{
    const ray_state *ray = job->state;
    return (uint64_t)ray->options.width * ray->options.height;
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
}

static rd_status ray_alloc(rd_job *job, rd_error *err)
{
    ray_state *ray = job->state;
    rd_device *device = job->device;
    const uint64_t vector = sizeof(rd__vec4), triangles = ray->scene.triangles;
    RD_TRY(rd__ray_surfaces(&ray->scene, &ray->surface, &ray->material, err));
    RD_TRY(rd__buffer_from(device, &ray->node, "scene: nodes", node_bytes(ray), ray->accel.node, err));
    RD_TRY(rd__buffer_from(device, &ray->triangle, "scene: triangles", ACCEL_TRIANGLE_VECTORS * vector * triangles,
                           ray->accel.triangle, err));
    RD_TRY(rd__buffer_from(device, &ray->surfaces, "scene: surfaces", SURFACE_VECTORS * vector * triangles,
                           ray->surface, err));
    return rd__buffer_from(device, &ray->materials, "scene: materials",
                           MATERIAL_VECTORS * vector * ray->scene.materials, ray->material, err);
}

static void ray_free(rd_job *job)
{
    ray_state *ray = job->state;
    rd__buffer_free(&ray->node);
    rd__buffer_free(&ray->triangle);
    rd__buffer_free(&ray->surfaces);
    rd__buffer_free(&ray->materials);
    rd__array_free(ray->surface);
    rd__array_free(ray->material);
    ray->surface = ray->material = NULL;
}

RD__ARGS(ray_args, RAY_ARGS)

static uint32_t ray_pack(rd_job *job, rd__arg *args)
{
    const ray_state *ray = job->state;
    const ray_args own = {.setup = &ray->setup,
                          .node = &ray->node,
                          .triangle = &ray->triangle,
                          .surface = &ray->surfaces,
                          .material = &ray->materials,
                          .image = &ray->image,
                          .width = ray->options.width,
                          .octree = ray->octree,
                          .lights = ray->scene.lights,
                          .shadows = ray->options.shadows,
                          .depth = ray->options.depth,
                          .cutoff = ray->options.cutoff};
    return ray_args_pack(&own, args);
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

static rd_status ray_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    ray_state *ray = job->state;
    rd__vec4 setup[RD__RAY_SETUP_VECTORS];
    (void)seeds;
    rd__ray_setup(&ray->scene, &ray->ran, setup);
    return rd__buffer_write(&ray->setup, 0, sizeof setup, setup, err);
}

/* ---- Results ---- */

static void ray_report(rd_job *job, rd_report *report)
{
    const ray_state *ray = job->state;
    rd_result result;
    rd__measure(report, "triangles", ray->scene.triangles);
    rd__measure(report, "degenerate", ray->scene.degenerate);
    rd__measure(report, "build_s", ray->accel.build_s);
    if (rd__app_result(job, &result, NULL) != RD_OK || !(report->kernel_s > 0))
        return; /* who asks for the result is told */
    double rays = 0;
    for (uint64_t i = 3; i < result.count; i += 4)
        rays += (double)result.real[i];
    rd__measure(report, "rays", rays);
    rd__measure(report, "mrays_per_s", 1e-6 * rays / report->kernel_s);
}

static rd_status ray_check(rd_job *job, const rd_result *result, rd_error *err)
{
    ray_state *ray = job->state;
    rd__ray_verdict verdict;
    RD_TRY(rd__ray_check(&ray->scene, &ray->ran, result->real, check_budget, &verdict, err));
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
    RD_TRY(rd__picture_new(job->copy, ray->options.width, ray->options.height, (int)ray->heatmap, &picture, err));
    rd_status status = rd__picture_save(&picture, path, err);
    rd__picture_free(&picture);
    return status;
}

static void ray_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    const ray_state *ray = job->state;
    (void)result;
    rd__snprintf(text, room, "a picture of %llu x %llu pixels, %llu triangles", (unsigned long long)ray->options.width,
                 (unsigned long long)ray->options.height, (unsigned long long)ray->scene.triangles);
}

const rd__app rd__app_ray = {
    .info = {.name = "ray",
             .text = "ray tracing: a picture of a scene of triangles, with shadows, mirrors and glass",
             .options = info,
             .input = RD_INPUT_TEXT,
             .input_name = "SCENE",
             .input_text = rd__scene_help,
             .samples = samples,
             .file_suffixes = ".png .ppm"},
    .state_bytes = sizeof(ray_state),
    .options = options,
    .arrays = arrays,
    .items = ray_items,
    .init = ray_init,
    .set = ray_set,
    .open = ray_open,
    .close = ray_close,
    .validate = ray_validate,
    .plan = ray_plan,
    .alloc = ray_alloc,
    .free = ray_free,
    .args = ray_pack,
    .plane = ray_plane,
    .choose = ray_choose,
    .start = ray_start,
    .report = ray_report,
    .answer = ray_answer,
    .check = ray_check,
    .save = ray_save,
};
