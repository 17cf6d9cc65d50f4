/* SPDX-License-Identifier: Apache-2.0 */
/* scene.c - a scene grows triangle by triangle and is made ready to be rendered. See scene.h. */
#include "ray/scene.h"
#include "ray/setup_layout.k.h"

#include "core/memory.h"
#include "graph/graph.h"

#include <stdio.h>
#include <string.h>

void rd__scene_free(rd__scene *scene)
{
    rd__free(scene->triangle);
    rd__free(scene->material);
    *scene = (rd__scene){.triangles = 0};
}

rd__material rd__material_default(const char *name)
{
    rd__material material = {.diffuse = {0.7f, 0.7f, 0.7f}, .specular = {0.2f, 0.2f, 0.2f}, .shine = 20, .index = 1.5f};
    snprintf(material.name, sizeof material.name, "%s", name);
    return material;
}

uint32_t rd__scene_find_material(const rd__scene *scene, const char *name)
{
    for (uint32_t i = 0; i < scene->materials; i++)
        if (strcmp(scene->material[i].name, name) == 0)
            return i;
    return RD_NONE;
}

rd_status rd__scene_material(rd__scene *scene, const rd__material *material, uint32_t *index, rd_error *err)
{
    *index = rd__scene_find_material(scene, material->name);
    if (*index == RD_NONE) {
        const size_t bytes = (scene->materials + 1ull) * sizeof *scene->material;
        if (scene->materials == RD__SCENE_MATERIALS) /* names are looked up one by one */
            return rd__fail(err, RD_EINPUT, "%s: more than %d materials", scene->source, RD__SCENE_MATERIALS);
        rd__material *more = rd__realloc(scene->material, bytes);
        if (!more)
            return rd__fail_memory(err, "materials of a scene", bytes);
        scene->material = more;
        *index = scene->materials++;
    }
    scene->material[*index] = *material;
    return RD_OK;
}

/* Room for one more triangle. The last of them is kept for the padding that wide loads may touch. */
static rd_status make_room(rd__scene *scene, rd_error *err)
{
    enum { MOST = 1 << 28 }; /* what a leaf of the BVH can name */
    if (scene->triangles >= MOST)
        return rd__fail(err, RD_EINPUT, "%s: more than %d triangles", scene->source, MOST);
    if (scene->triangles < scene->room)
        return RD_OK;
    const uint32_t room = scene->room ? 2 * scene->room : 1024;
    rd__triangle *more = rd__realloc(scene->triangle, room * sizeof *more);
    if (!more)
        return rd__fail_memory(err, "triangles of a scene", room * sizeof *more);
    scene->triangle = more;
    scene->room = room;
    return RD_OK;
}

rd_status rd__scene_add(rd__scene *scene, const rd__vec corner[3], const rd__vec *normal, uint32_t material,
                        rd_error *err)
{
    const rd__vec face = rd__vec_cross(rd__vec_sub(corner[1], corner[0]), rd__vec_sub(corner[2], corner[0]));
    const float area = rd__vec_length(face);
    if (!(area > 0) || !isfinite(area)) {
        scene->degenerate++;
        return RD_OK;
    }
    RD_TRY(make_room(scene, err));
    rd__triangle *triangle = &scene->triangle[scene->triangles++];
    triangle->material = material;
    triangle->tinted = 0;
    for (int i = 0; i < 3; i++) {
        triangle->corner[i] = corner[i];
        triangle->normal[i] = rd__vec_scale(face, 1 / area);
        if (normal && rd__vec_length(normal[i]) > 0)
            triangle->normal[i] = rd__vec_unit(normal[i]);
        /* A vertex normal on the wrong side of its face would turn the shading inside out. */
        if (rd__vec_dot(triangle->normal[i], face) < 0)
            triangle->normal[i] = rd__vec_scale(triangle->normal[i], -1);
    }
    return RD_OK;
}

/* As setup_layout.k.h has it. */
static uint32_t tint_of(rd__vec colour)
{
    uint32_t tint = 0;
    for (int i = 0; i < 3; i++) {
        const float part = rd__vec_axis(colour, i);
        tint = tint << TINT_BITS | (uint32_t)((part > 0 ? part < 1 ? part : 1 : 0) * (float)TINT_MOST + 0.5f);
    }
    return tint;
}

rd_status rd__scene_add_tinted(rd__scene *scene, const rd__vec corner[3], const rd__vec *normal,
                               const rd__vec colour[3], uint32_t material, rd_error *err)
{
    const uint32_t before = scene->triangles;
    RD_TRY(rd__scene_add(scene, corner, normal, material, err));
    if (scene->triangles == before || !(colour[0].x >= 0 && colour[1].x >= 0 && colour[2].x >= 0))
        return RD_OK; /* one without an area was left out, or a corner has no colour */
    rd__triangle *triangle = &scene->triangle[before];
    triangle->tinted = 1;
    for (int i = 0; i < 3; i++)
        triangle->tint[i] = tint_of(colour[i]);
    return RD_OK;
}

rd_status rd__scene_light(rd__scene *scene, rd__vec at, float red, float green, float blue, rd_error *err)
{
    if (scene->lights == RD__SCENE_LIGHTS)
        return rd__fail(err, RD_EINPUT, "%s: more than %d lights", scene->source, RD__SCENE_LIGHTS);
    scene->light[scene->lights++] = (rd__light){at, {red, green, blue}};
    return RD_OK;
}

static void set3(float *out, float a, float b, float c)
{
    out[0] = a;
    out[1] = b;
    out[2] = c;
}

/* A camera in front of the box and a little above it, two lights behind the camera's shoulders. */
static rd_status add_defaults(rd__scene *scene, rd_error *err)
{
    const rd__vec middle = rd__vec_scale(rd__vec_add(scene->box.lo, scene->box.hi), 0.5f);
    const float size = rd__vec_length(rd__vec_sub(scene->box.hi, scene->box.lo));
    if (!scene->has_camera)
        scene->camera = (rd__camera){.at = rd__vec_add(middle, rd__vec_scale(rd__vec_of(0.35f, 0.3f, 1), size)),
                                     .look = middle,
                                     .up = {0, 1, 0},
                                     .fov = 50};
    if (scene->lights == 0) {
        const rd__vec left = rd__vec_add(middle, rd__vec_scale(rd__vec_of(-1, 1.2f, 1), size));
        const rd__vec right = rd__vec_add(middle, rd__vec_scale(rd__vec_of(1.5f, 0.8f, 0.4f), size));
        RD_TRY(rd__scene_light(scene, left, 0.7f, 0.68f, 0.62f, err));
        RD_TRY(rd__scene_light(scene, right, 0.3f, 0.33f, 0.4f, err));
    }
    if (scene->ambient[0] + scene->ambient[1] + scene->ambient[2] <= 0)
        set3(scene->ambient, 0.18f, 0.18f, 0.2f);
    if (scene->sky_high[0] + scene->sky_high[1] + scene->sky_high[2] <= 0) {
        set3(scene->sky_low, 0.75f, 0.8f, 0.85f);
        set3(scene->sky_high, 0.25f, 0.45f, 0.75f);
    }
    return RD_OK;
}

rd_status rd__scene_finish(rd__scene *scene, rd_error *err)
{
    uint32_t index;
    if (scene->triangles == 0 && scene->degenerate == 0)
        return rd__fail(err, RD_EINPUT, "%s: there is no triangle", scene->source);
    if (scene->triangles == 0)
        return rd__fail(err, RD_EINPUT, "%s: there is no triangle with an area (%u without were left out)",
                        scene->source, scene->degenerate);
    if (scene->materials == 0) {
        const rd__material plain = rd__material_default("plain");
        RD_TRY(rd__scene_material(scene, &plain, &index, err));
    }
    scene->box = rd__box_empty();
    for (uint32_t i = 0; i < scene->triangles; i++)
        for (int c = 0; c < 3; c++)
            rd__box_add(&scene->box, scene->triangle[i].corner[c]);
    return add_defaults(scene, err);
}

rd_status rd__scene_slurp(rd__source *source, uint64_t most, char **text, size_t *bytes, rd_error *err)
{
    size_t room = 1 << 16, used = 0, got = 0;
    char *data = rd__malloc(room + 1);
    *text = NULL;
    if (!data)
        return rd__fail_memory(err, source->name, room);
    rd_status status;
    rd__source_skip_mark(source); /* binary PLY files begin with text too */
    for (;;) {
        status = rd__source_read(source, data + used, room - used, &got, err);
        used += status == RD_OK ? got : 0;
        if (status == RD_OK && used > most)
            status = rd__fail(err, RD_EINPUT, "%s: has more than %llu bytes", source->name, (unsigned long long)most);
        if (status != RD_OK || used < room)
            break;
        status = rd__memory_expect(2 * (uint64_t)room, source->name, err); /* something endless is told in time */
        char *more = status == RD_OK ? rd__realloc(data, 2 * room + 1) : NULL;
        if (!more) {
            status = status == RD_OK ? rd__fail_memory(err, source->name, 2 * room) : status;
            break;
        }
        data = more;
        room *= 2;
    }
    if (status != RD_OK) {
        rd__free(data);
        return status;
    }
    data[used] = '\0';
    *text = data;
    *bytes = used;
    return RD_OK;
}

rd_status rd__scene_tell(const rd__scene *scene, uint64_t done, rd_error *err)
{
    enum { EVERY = 1 << 14 };
    if (done % EVERY == 0 && rd__watch_stops(&scene->watch, "reading", done, 0, "lines"))
        return rd__fail(err, RD_ECANCELLED, "%s: stopped while reading", scene->source);
    return RD_OK;
}

static int ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

static rd_status read_file(rd__scene *scene, const char *path, rd_error *err)
{
    rd__source source;
    char *text;
    size_t bytes;
    RD_TRY(rd__source_open(&source, path, &scene->watch, err));
    rd_status status = rd__scene_slurp(&source, UINT64_MAX, &text, &bytes, err);
    rd__source_close(&source);
    if (status != RD_OK)
        return status;
    if (bytes >= 4 && memcmp(text, "ply", 3) == 0 && (text[3] == '\n' || text[3] == '\r'))
        status = rd__ply_read(scene, path, text, bytes, err);
    else if (ends_with(path, ".ply") || ends_with(path, ".ply.gz") || ends_with(path, ".ply.zst"))
        status = rd__fail(err, RD_EINPUT, "%s:1: a PLY file begins with the line 'ply'; this one does not", path);
    else
        status = rd__obj_read(scene, path, text, bytes, err);
    rd__free(text);
    return status;
}

rd_status rd__scene_open(rd__scene *scene, const char *text, const rd__watch *watch, rd_error *err)
{
    int known = 0;
    rd__scene_free(scene);
    if (watch)
        scene->watch = *watch;
    snprintf(scene->source, sizeof scene->source, "%s", text);
    rd_status status = rd__scene_generate(scene, text, &known, err);
    if (status == RD_OK && !known)
        status = read_file(scene, text, err);
    if (status == RD_OK)
        status = rd__scene_finish(scene, err);
    scene->watch = (rd__watch){NULL, NULL};
    if (status != RD_OK)
        rd__scene_free(scene);
    return status;
}
