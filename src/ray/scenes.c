/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scenes.c - scenes that need no file. Each is made of triangles by its numbers alone, the same on every machine.
 *
 *   flake:LEVEL[:DETAIL]   the sphere flake: a ball with nine smaller ones around it, and so on; mirrors everywhere
 *   box[:DETAIL]           a room with coloured walls, a block, a mirror ball and a glass ball
 *   terrain:SIZE           hills of 2 x SIZE x SIZE triangles around a lake, with mirrors in the lake and some sky
 *   hills:SIZE             gentle hills without a lake, from straight above, and no edge in the picture: even work, two
 *                          rays for each pixel
 *   corner:LEVEL           an empty plain with a flake of glass and mirrors in one corner of the picture: uneven work
 */
#include "ray/scene.h"

#include "core/hash.h"
#include "core/memory.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

static const float pi = 3.14159265358979f;

const char rd__scene_help[] = "  FILE.obj               Wavefront OBJ with its MTL materials (also .gz)\n"
                              "  FILE.ply               Stanford PLY, ascii or binary (also .gz)\n"
                              "  flake:LEVEL[:DETAIL]   spheres around spheres, mirrors everywhere\n"
                              "  box[:DETAIL]           a room with a mirror ball and a glass ball\n"
                              "  terrain:SIZE           hills of 2 x SIZE x SIZE triangles around a lake\n"
                              "  hills:SIZE             hills from straight above: even work everywhere\n"
                              "  corner:LEVEL           glass and mirrors in one corner of an empty plain\n";

static rd_status material(rd__scene *scene, const char *name, const float colour[3], float gloss, float mirror,
                          float clear, uint32_t *index, rd_error *err)
{
    rd__material m = rd__material_default(name);
    memcpy(m.diffuse, colour, sizeof m.diffuse);
    for (int i = 0; i < 3; i++)
        m.specular[i] = gloss;
    m.shine = 60;
    m.reflectivity = mirror;
    m.transparency = clear;
    return rd__scene_material(scene, &m, index, err);
}

static rd_status quad(rd__scene *scene, rd__vec a, rd__vec b, rd__vec c, rd__vec d, uint32_t material_index,
                      rd_error *err)
{
    const rd__vec one[3] = {a, b, c}, two[3] = {a, c, d};
    RD_TRY(rd__scene_add(scene, one, NULL, material_index, err));
    return rd__scene_add(scene, two, NULL, material_index, err);
}

static rd__vec on_sphere(uint32_t i, uint32_t j, uint32_t detail)
{
    /* The seam and the poles get the very same numbers from both sides, so that the surface has no cracks. */
    const float a = j == 0 || j == 2 * detail ? 0 : pi * (float)j / (float)detail;
    const float b = pi * (float)i / (float)detail, s = i == 0 || i == detail ? 0 : sinf(b);
    return rd__vec_of(s * cosf(a), i == 0 ? 1 : i == detail ? -1 : cosf(b), s * sinf(a));
}

/* 4 x detail x (detail - 1) triangles, smooth. */
static rd_status sphere(rd__scene *scene, rd__vec middle, float radius, uint32_t detail, uint32_t material_index,
                        rd_error *err)
{
    for (uint32_t i = 0; i < detail; i++)
        for (uint32_t j = 0; j < 2 * detail; j++) {
            const rd__vec n[4] = {on_sphere(i, j, detail), on_sphere(i + 1, j, detail), on_sphere(i + 1, j + 1, detail),
                                  on_sphere(i, j + 1, detail)};
            for (int half = 0; half < 2; half++) {
                if ((half == 0 && i == detail - 1) || (half == 1 && i == 0))
                    continue; /* at a pole one of the two has no area */
                const rd__vec normal[3] = {n[0], n[half ? 2 : 1], n[half ? 3 : 2]};
                rd__vec corner[3];
                for (int c = 0; c < 3; c++)
                    corner[c] = rd__vec_add(middle, rd__vec_scale(normal[c], radius));
                RD_TRY(rd__scene_add(scene, corner, normal, material_index, err));
            }
        }
    return RD_OK;
}

/* A ball and nine a third as large on it: six around its equator, three above; each goes on outwards. */
static rd_status flake(rd__scene *scene, rd__vec middle, float radius, rd__vec up, uint64_t level, uint32_t detail,
                       const uint32_t *materials, uint32_t kinds, rd_error *err)
{
    RD_TRY(sphere(scene, middle, radius, detail, materials[level % kinds], err));
    if (level == 0)
        return RD_OK;
    const rd__vec aside = fabsf(up.x) < 0.9f ? rd__vec_of(1, 0, 0) : rd__vec_of(0, 1, 0);
    const rd__vec u = rd__vec_unit(rd__vec_cross(up, aside)), v = rd__vec_cross(up, u);
    for (int i = 0; i < 9; i++) {
        const float turn = i < 6 ? pi * (float)i / 3 : pi * (2 * (float)i + 1) / 3, rise = i < 6 ? 0 : pi / 3;
        const rd__vec flat = rd__vec_add(rd__vec_scale(u, cosf(turn)), rd__vec_scale(v, sinf(turn)));
        const rd__vec out = rd__vec_add(rd__vec_scale(flat, cosf(rise)), rd__vec_scale(up, sinf(rise)));
        RD_TRY(flake(scene, rd__vec_add(middle, rd__vec_scale(out, radius * 4 / 3)), radius / 3, out, level - 1,
                     detail > 8 ? detail * 2 / 3 : detail, materials, kinds, err));
    }
    return RD_OK;
}

static rd_status chessboard(rd__scene *scene, float size, int fields, rd_error *err)
{
    static const float light[3] = {0.75f, 0.75f, 0.7f}, dark[3] = {0.2f, 0.25f, 0.2f};
    uint32_t kind[2];
    RD_TRY(material(scene, "light field", light, 0.1f, 0, 0, &kind[0], err));
    RD_TRY(material(scene, "dark field", dark, 0.1f, 0.1f, 0, &kind[1], err));
    const float step = 2 * size / (float)fields;
    for (int i = 0; i < fields; i++)
        for (int j = 0; j < fields; j++) {
            const float x = -size + step * (float)i, z = -size + step * (float)j;
            RD_TRY(quad(scene, rd__vec_of(x, 0, z), rd__vec_of(x, 0, z + step), rd__vec_of(x + step, 0, z + step),
                        rd__vec_of(x + step, 0, z), kind[(i + j) % 2], err));
        }
    return RD_OK;
}

static void look(rd__scene *scene, rd__vec at, rd__vec to, float fov)
{
    scene->camera = (rd__camera){.at = at, .look = to, .up = {0, 1, 0}, .fov = fov};
    scene->has_camera = 1;
}

static rd_status make_flake(rd__scene *scene, uint64_t level, uint64_t detail, rd_error *err)
{
    static const float gold[3] = {0.8f, 0.55f, 0.2f}, blue[3] = {0.25f, 0.35f, 0.7f}, red[3] = {0.7f, 0.2f, 0.2f};
    uint32_t kind[3];
    RD_TRY(material(scene, "gold", gold, 0.5f, 0.35f, 0, &kind[0], err));
    RD_TRY(material(scene, "blue", blue, 0.5f, 0.3f, 0, &kind[1], err));
    RD_TRY(material(scene, "red", red, 0.5f, 0.3f, 0, &kind[2], err));
    RD_TRY(chessboard(scene, 8, 16, err));
    RD_TRY(flake(scene, rd__vec_of(0, 1.9f, 0), 1, rd__vec_of(0, 1, 0), level, (uint32_t)detail, kind, 3, err));
    RD_TRY(rd__scene_light(scene, rd__vec_of(-6, 8, 6), 0.75f, 0.7f, 0.65f, err));
    RD_TRY(rd__scene_light(scene, rd__vec_of(5, 6, 3), 0.3f, 0.32f, 0.4f, err));
    look(scene, rd__vec_of(1.5f, 3.4f, 5), rd__vec_of(0, 1.6f, 0), 50);
    return RD_OK;
}

static rd_status make_box(rd__scene *scene, uint64_t detail, uint64_t unused, rd_error *err)
{
    static const float white[3] = {0.75f, 0.75f, 0.75f}, red[3] = {0.65f, 0.1f, 0.1f}, green[3] = {0.15f, 0.5f, 0.15f};
    static const float glass[3] = {0.05f, 0.05f, 0.05f}, steel[3] = {0.2f, 0.2f, 0.22f};
    uint32_t w, r, g, mirror, clear, lamp;
    (void)unused;
    RD_TRY(material(scene, "white", white, 0, 0, 0, &w, err));
    RD_TRY(material(scene, "red", red, 0, 0, 0, &r, err));
    RD_TRY(material(scene, "green", green, 0, 0, 0, &g, err));
    RD_TRY(material(scene, "mirror", steel, 0.8f, 0.75f, 0, &mirror, err));
    RD_TRY(material(scene, "glass", glass, 0.8f, 0.1f, 0.85f, &clear, err));
    RD_TRY(material(scene, "lamp", white, 0, 0, 0, &lamp, err));
    scene->material[lamp].glow = 1.5f;
    const rd__vec p[8] = {{-1, 0, -1}, {1, 0, -1}, {1, 0, 1}, {-1, 0, 1},
                          {-1, 2, -1}, {1, 2, -1}, {1, 2, 1}, {-1, 2, 1}};
    RD_TRY(quad(scene, p[0], p[3], p[2], p[1], w, err)); /* floor */
    RD_TRY(quad(scene, p[4], p[5], p[6], p[7], w, err)); /* ceiling */
    RD_TRY(quad(scene, p[0], p[1], p[5], p[4], w, err)); /* back */
    RD_TRY(quad(scene, p[0], p[4], p[7], p[3], r, err));
    RD_TRY(quad(scene, p[1], p[2], p[6], p[5], g, err));
    RD_TRY(quad(scene, rd__vec_of(-0.3f, 1.99f, -0.3f), rd__vec_of(0.3f, 1.99f, -0.3f), rd__vec_of(0.3f, 1.99f, 0.3f),
                rd__vec_of(-0.3f, 1.99f, 0.3f), lamp, err));
    RD_TRY(sphere(scene, rd__vec_of(-0.45f, 0.4f, -0.35f), 0.4f, (uint32_t)detail, mirror, err));
    RD_TRY(sphere(scene, rd__vec_of(0.45f, 0.36f, 0.35f), 0.35f, (uint32_t)detail, clear, err));
    RD_TRY(rd__scene_light(scene, rd__vec_of(0, 1.9f, 0), 0.75f, 0.72f, 0.65f, err));
    look(scene, rd__vec_of(0, 1, 3.4f), rd__vec_of(0, 0.95f, 0), 45);
    return RD_OK;
}

/* Smooth noise: values at whole points, drawn by their place, blended between. */
static float draw(int x, int z)
{
    const uint64_t place = (uint64_t)(uint32_t)x << 32 | (uint32_t)z;
    return (float)(rd__mix64(place * RD_GOLDEN + 12345) >> 40) / (float)(1 << 24);
}

static float noise(float x, float z)
{
    const float fx = floorf(x), fz = floorf(z), u = x - fx, v = z - fz;
    const int i = (int)fx, k = (int)fz;
    const float s = u * u * (3 - 2 * u), t = v * v * (3 - 2 * v);
    const float low = draw(i, k) + s * (draw(i + 1, k) - draw(i, k));
    const float high = draw(i, k + 1) + s * (draw(i + 1, k + 1) - draw(i, k + 1));
    return low + t * (high - low);
}

static rd__vec hill(uint64_t i, uint64_t j, uint64_t size, float weight)
{
    const float x = 10 * (2 * (float)i / (float)size - 1), z = 10 * (2 * (float)j / (float)size - 1);
    float height = 0, scale = 0.3f;
    for (int octave = 0; octave < 6; octave++) {
        height += weight * noise(scale * x + 100, scale * z + 100);
        weight /= 2;
        scale *= 2;
    }
    return rd__vec_of(x, height - 1.2f, z);
}

/* high: what is higher than this is rock. */
static rd_status hills(rd__scene *scene, uint64_t size, float weight, float high, rd_error *err)
{
    static const float grass[3] = {0.3f, 0.5f, 0.2f}, rock[3] = {0.5f, 0.45f, 0.4f};
    uint32_t g, r;
    RD_TRY(material(scene, "grass", grass, 0.05f, 0, 0, &g, err));
    RD_TRY(material(scene, "rock", rock, 0.1f, 0, 0, &r, err));
    for (uint64_t i = 0; i < size; i++)
        for (uint64_t j = 0; j < size; j++) {
            const rd__vec a = hill(i, j, size, weight), b = hill(i, j + 1, size, weight);
            const rd__vec c = hill(i + 1, j + 1, size, weight), d = hill(i + 1, j, size, weight);
            RD_TRY(quad(scene, a, b, c, d, a.y > high ? r : g, err));
        }
    return RD_OK;
}

/* The light stands where no slope hides from it: every ray that meets the ground sends one shadow ray. */
static rd_status make_hills(rd__scene *scene, uint64_t size, uint64_t unused, rd_error *err)
{
    (void)unused;
    RD_TRY(hills(scene, size, 0.8f, -0.3f, err));
    RD_TRY(rd__scene_light(scene, rd__vec_of(-6, 60, 4), 0.9f, 0.85f, 0.75f, err));
    look(scene, rd__vec_of(0, 40, 0), rd__vec_of(0, 0, 0), 19);
    return RD_OK;
}

static rd_status make_terrain(rd__scene *scene, uint64_t size, uint64_t unused, rd_error *err)
{
    static const float water[3] = {0.05f, 0.15f, 0.25f};
    uint32_t lake;
    (void)unused;
    RD_TRY(hills(scene, size, 1.6f, 0.75f, err));
    RD_TRY(material(scene, "water", water, 0.6f, 0.5f, 0, &lake, err));
    RD_TRY(quad(scene, rd__vec_of(-10, 0.1f, -10), rd__vec_of(-10, 0.1f, 10), rd__vec_of(10, 0.1f, 10),
                rd__vec_of(10, 0.1f, -10), lake, err));
    RD_TRY(rd__scene_light(scene, rd__vec_of(-30, 40, 20), 0.85f, 0.8f, 0.7f, err));
    look(scene, rd__vec_of(0, 4.5f, 10.5f), rd__vec_of(0, 0, 1), 60);
    return RD_OK;
}

static rd_status make_corner(rd__scene *scene, uint64_t level, uint64_t unused, rd_error *err)
{
    static const float glass[3] = {0.05f, 0.07f, 0.06f}, steel[3] = {0.25f, 0.25f, 0.3f};
    uint32_t kind[2];
    (void)unused;
    RD_TRY(material(scene, "glass", glass, 0.6f, 0.3f, 0.65f, &kind[0], err));
    RD_TRY(material(scene, "mirror", steel, 0.6f, 0.7f, 0, &kind[1], err));
    RD_TRY(chessboard(scene, 20, 2, err));
    RD_TRY(flake(scene, rd__vec_of(-3.4f, 3.6f, 0), 0.5f, rd__vec_of(0, 1, 0), level, 24, kind, 2, err));
    RD_TRY(rd__scene_light(scene, rd__vec_of(-8, 12, 8), 0.8f, 0.8f, 0.75f, err));
    RD_TRY(rd__scene_light(scene, rd__vec_of(6, 8, 6), 0.2f, 0.22f, 0.3f, err));
    look(scene, rd__vec_of(0, 2.6f, 7), rd__vec_of(0, 2, 0), 60);
    return RD_OK;
}

static const struct {
    const char *name;
    rd_status (*make)(rd__scene *scene, uint64_t first, uint64_t second, rd_error *err);
    struct {
        const char *name;
        uint64_t least, most, initial; /* initial UINT64_MAX: must be given */
    } number[2];
} generators[] = {
    {"flake", make_flake, {{"LEVEL", 0, 7, 3}, {"DETAIL", 4, 256, 16}}},
    {"box", make_box, {{"DETAIL", 4, 1024, 48}, {NULL, 0, 0, 0}}},
    {"hills", make_hills, {{"SIZE", 1, 8192, 256}, {NULL, 0, 0, 0}}},
    {"terrain", make_terrain, {{"SIZE", 1, 8192, 256}, {NULL, 0, 0, 0}}},
    {"corner", make_corner, {{"LEVEL", 0, 6, 3}, {NULL, 0, 0, 0}}},
};

rd_status rd__scene_generate(rd__scene *scene, const char *text, int *known, rd_error *err)
{
    const size_t name = strcspn(text, ":");
    *known = 0;
    for (size_t g = 0; g < sizeof generators / sizeof generators[0]; g++) {
        if (strlen(generators[g].name) != name || strncmp(generators[g].name, text, name) != 0)
            continue;
        uint64_t value[2];
        const char *at = text + name;
        for (int i = 0; i < 2; i++) {
            char word[24];
            value[i] = generators[g].number[i].initial;
            if (*at != ':')
                continue;
            const size_t length = strcspn(++at, ":");
            snprintf(word, sizeof word, "%.*s", (int)(length < 23 ? length : 23), at);
            at += length;
            if (!generators[g].number[i].name)
                return rd__fail(err, RD_EARG, "scene '%s': %s takes one number", text, generators[g].name);
            if (!rd_parse_u64(word, &value[i]) || value[i] < generators[g].number[i].least ||
                value[i] > generators[g].number[i].most)
                return rd__fail(err, RD_EARG, "scene '%s': %s is a number from %llu to %llu, not '%s'", text,
                                generators[g].number[i].name, (unsigned long long)generators[g].number[i].least,
                                (unsigned long long)generators[g].number[i].most, word);
        }
        if (*at)
            return rd__fail(err, RD_EARG, "scene '%s': too many numbers", text);
        *known = 1;
        return generators[g].make(scene, value[0], value[1], err);
    }
    return RD_OK;
}
