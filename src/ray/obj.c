/* SPDX-License-Identifier: Apache-2.0 */
/*
 * obj.c - Wavefront OBJ with MTL materials. Of OBJ: v, with a colour or without, vn, f (polygons become fans; v, v/t,
 * v//n, v/t/n; negative numbers count from the end), usemtl, mtllib. Texture coordinates, groups, lines and points are
 * read over, and so are curves and surfaces, which are no triangles. Of MTL: newmtl, Kd, Ks, Ns, Ke, d, Tr, Ni, illum;
 * illum 3 and more reflects as much as Ks says.
 *
 * Whoever wrote a scene need not be whoever renders it, so a name after mtllib is not trusted: it is that of a plain
 * file beside the scene, of at most MTL_BYTES, and what is in it appears in no message.
 */
#include "ray/scene.h"
#include "ray/words.h"

#include "core/log.h"
#include "core/memory.h"
#include "graph/read/beside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MTL_BYTES = 16 << 20 };

/* ---- MTL ---- */

static const char *const mtl_ignored[] = {"Ka", "Tf", "sharpness", "bump", "disp", "decal", "refl",   "norm",
                                          "Pr", "Pm", "Ps",        "Pc",   "Pcr",  "aniso", "anisor", NULL};

static int in_list(const char *const *list, const char *word)
{
    while (*list && strcmp(*list, word) != 0)
        list++;
    return *list != NULL;
}

typedef struct mtl_state {
    rd__material material;
    float illum;
    int open; /* a newmtl was seen */
} mtl_state;

/* The material is complete: what mirrors, what lets light through. */
static rd_status mtl_close(rd__scene *scene, mtl_state *state, rd_error *err)
{
    uint32_t index;
    rd__material *m = &state->material;
    const float mirror = (m->specular[0] + m->specular[1] + m->specular[2]) / 3;
    if (!state->open)
        return RD_OK;
    m->reflectivity = state->illum >= 3 ? (mirror < 1 ? mirror : 1) : 0;
    if (m->reflectivity + m->transparency > 1)
        m->reflectivity = 1 - m->transparency;
    return rd__scene_material(scene, m, &index, err);
}

static rd_status mtl_line(rd__scene *scene, rd__words *w, mtl_state *state, rd_error *err)
{
    rd__material *m = &state->material;
    char key[32];
    float glow[3], value = 0;
    snprintf(key, sizeof key, "%.31s", w->word);
    if (strcmp(key, "newmtl") == 0) {
        RD_TRY(mtl_close(scene, state, err));
        rd__word_rest(w);
        if (!w->word[0])
            return rd__fail(err, RD_EINPUT, "%s:%u: newmtl: the name is missing", w->path, w->line);
        if (strlen(w->word) >= RD__SCENE_NAME)
            return rd__fail(err, RD_EINPUT, "%s:%u: newmtl: names have at most %d letters", w->path, w->line,
                            RD__SCENE_NAME - 1);
        *state = (mtl_state){.material = rd__material_default(w->word), .illum = 2, .open = 1};
        memset(state->material.specular, 0, sizeof state->material.specular);
        return RD_OK;
    }
    if (in_list(mtl_ignored, key) || strncmp(key, "map_", 4) == 0)
        return RD_OK;
    if (!state->open)
        return rd__fail(err, RD_EINPUT, "%s:%u: a statement before the first newmtl", w->path, w->line);
    if (strcmp(key, "Kd") == 0)
        return rd__word_floats(w, key, m->diffuse, 3, err);
    if (strcmp(key, "Ks") == 0)
        return rd__word_floats(w, key, m->specular, 3, err);
    if (strcmp(key, "Ke") == 0) {
        RD_TRY(rd__word_floats(w, key, glow, 3, err));
        const float most = fmaxf(m->diffuse[0], fmaxf(m->diffuse[1], m->diffuse[2]));
        m->glow = most > 0 ? fmaxf(glow[0], fmaxf(glow[1], glow[2])) / most : 0;
        return RD_OK;
    }
    const int known = strcmp(key, "Ns") == 0 || strcmp(key, "d") == 0 || strcmp(key, "Tr") == 0 ||
                      strcmp(key, "Ni") == 0 || strcmp(key, "illum") == 0;
    if (!known)
        return rd__fail(err, RD_EINPUT, "%s:%u: not a statement of a .mtl file", w->path, w->line);
    RD_TRY(rd__word_float(w, key, &value, err));
    if (strcmp(key, "Ns") == 0)
        m->shine = value < 1 ? 1 : value;
    else if (strcmp(key, "illum") == 0)
        state->illum = value;
    else if (strcmp(key, "Ni") == 0)
        m->index = value < 0.1f ? 1 : value;
    else
        m->transparency = fminf(1, fmaxf(0, key[0] == 'd' ? 1 - value : value));
    return RD_OK;
}

rd_status rd__mtl_read(rd__scene *scene, const char *path, const char *text, rd_error *err)
{
    rd__words w = rd__words_of(path, text);
    mtl_state state = {.open = 0};
    w.discreet = 1;
    do {
        RD_TRY(rd__scene_tell(scene, w.line, err));
        if (rd__word_next(&w))
            RD_TRY(mtl_line(scene, &w, &state, err));
    } while (rd__line_next(&w));
    return mtl_close(scene, &state, err);
}

/* ---- OBJ ---- */

typedef struct vec_list {
    rd__vec *item;
    uint32_t count, room;
} vec_list;

typedef struct obj_state {
    rd__scene *scene;
    rd__words w;
    vec_list vertex, normal;
    vec_list colour;   /* of vertices, as many as these once one has one; below 0: none */
    float brightest;   /* of the numbers of colours: more than 1, and they go up to 255 */
    uint32_t material; /* RD_NONE: the default one */
    int no_library;    /* a .mtl file is missing, which was said: so are its materials */
} obj_state;

static rd_status list_add(vec_list *list, rd__vec v, rd_error *err)
{
    if (list->count == list->room) {
        const uint32_t room = list->room ? 2 * list->room : 1024;
        rd__vec *more = rd__realloc(list->item, room * sizeof *more);
        if (!more)
            return rd__fail_memory(err, "vertices of a scene", room * sizeof *more);
        list->item = more;
        list->room = room;
    }
    list->item[list->count++] = v;
    return RD_OK;
}

/* Three more numbers, or four of which the first is a weight, which only curves have: a colour, as some programs write
 * it. Vertices before the first that has one have none. */
static rd_status add_colour(obj_state *obj, rd_error *err)
{
    float value[4];
    int count = 0;
    rd__vec colour = {-1, -1, -1};
    while (count < 4 && rd__word_float(&obj->w, "v", &value[count], NULL) == RD_OK)
        count++;
    if (count >= 3) {
        colour = rd__vec_of(fmaxf(0, value[count - 3]), fmaxf(0, value[count - 2]), fmaxf(0, value[count - 1]));
        obj->brightest = fmaxf(obj->brightest, fmaxf(colour.x, fmaxf(colour.y, colour.z)));
    }
    if (count < 3 && obj->colour.count == 0)
        return RD_OK;
    while (obj->colour.count + 1 < obj->vertex.count)
        RD_TRY(list_add(&obj->colour, rd__vec_of(-1, -1, -1), err));
    return list_add(&obj->colour, colour, err);
}

static rd_status add_vector(obj_state *obj, vec_list *list, const char *what, rd_error *err)
{
    float value[3];
    if (list->count == INT32_MAX)
        return rd__fail(err, RD_EINPUT, "%s:%u: too many vertices", obj->w.path, obj->w.line);
    RD_TRY(rd__word_floats(&obj->w, what, value, 3, err));
    RD_TRY(list_add(list, rd__vec_of(value[0], value[1], value[2]), err));
    return list == &obj->vertex ? add_colour(obj, err) : RD_OK;
}

/* One number of a corner: from 1, or from the end when negative. */
static rd_status resolve(const obj_state *obj, const char *text, char **end, const vec_list *list, const char *what,
                         uint32_t *out, rd_error *err)
{
    char shown[RD__WORD_SHOWN];
    const long number = strtol(text, end, 10);
    const long index = number < 0 ? (long)list->count + number : number - 1;
    if (*end == text || (**end && **end != '/'))
        return rd__fail(err, RD_EINPUT, "%s:%u: f: '%s' is no corner of a face", obj->w.path, obj->w.line,
                        rd__word_show(&obj->w, shown));
    if (number == 0 || index < 0 || index >= (long)list->count)
        return rd__fail(err, RD_EINPUT, "%s:%u: f: there is no %s %ld; %u came before this line", obj->w.path,
                        obj->w.line, what, number, list->count);
    *out = (uint32_t)index;
    return RD_OK;
}

/* A corner of a face that is being read. */
typedef struct obj_corner {
    rd__vec at, normal, colour;
    int has_normal;
} obj_corner;

static rd_status read_corner(obj_state *obj, obj_corner *corner, rd_error *err)
{
    char *end;
    uint32_t index;
    RD_TRY(resolve(obj, obj->w.word, &end, &obj->vertex, "vertex", &index, err));
    *corner = (obj_corner){.at = obj->vertex.item[index], .colour = {-1, -1, -1}};
    if (index < obj->colour.count)
        corner->colour = rd__vec_scale(obj->colour.item[index], obj->brightest > 1 ? 1 / 255.0f : 1);
    if (*end == '/') {
        end++;
        while (*end && *end != '/') /* the texture coordinate */
            end++;
        if (*end == '/' && end[1]) {
            RD_TRY(resolve(obj, end + 1, &end, &obj->normal, "normal", &index, err));
            corner->normal = obj->normal.item[index];
            corner->has_normal = 1;
        }
    }
    return RD_OK;
}

static rd_status add_face(obj_state *obj, rd_error *err)
{
    obj_corner c[3];
    int count = 0;
    while (rd__word_next(&obj->w)) {
        if (count >= 3) /* a fan: the first corner, the last one, this one */
            c[1] = c[2];
        RD_TRY(read_corner(obj, &c[count < 3 ? count : 2], err));
        if (++count < 3)
            continue;
        const rd__vec at[] = {c[0].at, c[1].at, c[2].at}, normal[] = {c[0].normal, c[1].normal, c[2].normal},
                      colour[] = {c[0].colour, c[1].colour, c[2].colour};
        const int round = c[0].has_normal && c[1].has_normal && c[2].has_normal;
        RD_TRY(rd__scene_add_tinted(obj->scene, at, round ? normal : NULL, colour, obj->material, err));
    }
    if (count < 3)
        return rd__fail(err, RD_EINPUT, "%s:%u: f: a face has at least three corners, this one %d", obj->w.path,
                        obj->w.line, count);
    return RD_OK;
}

static rd_status open_library(const obj_state *obj, const char *name, rd__source *source, rd_error *err)
{
    int fd;
    rd_error why = {.status = RD_OK};
    const rd_status status = rd__open_beside(obj->w.path, name, &fd, &why);
    if (status != RD_OK)
        return rd__fail(err, status, "%s:%u: mtllib: %.800s", obj->w.path, obj->w.line, why.text);
    return rd__source_fd(source, name, fd, &obj->scene->watch, err);
}

/* A .mtl file is named relative to the .obj file. */
static rd_status read_library(obj_state *obj, rd_error *err)
{
    rd__source source;
    char *text;
    size_t bytes;
    rd__word_rest(&obj->w);
    rd_error why = {.status = RD_OK};
    if (open_library(obj, obj->w.word, &source, &why) != RD_OK) {
        if (why.status != RD_EIO) /* a name that leads elsewhere, a pipe */
            return rd__fail(err, why.status, "%s", why.text);
        rd__log(RD_LOG_WARN, "%s; its materials are plain", why.text);
        obj->no_library = 1;
        return RD_OK;
    }
    rd_status status = rd__scene_slurp(&source, MTL_BYTES, &text, &bytes, err);
    if (status == RD_OK) {
        status = rd__mtl_read(obj->scene, source.name, text, err);
        rd__free(text);
    }
    rd__source_close(&source);
    return status;
}

static rd_status use_material(obj_state *obj, rd_error *err)
{
    char shown[RD__WORD_SHOWN];
    rd__word_rest(&obj->w);
    obj->material = rd__scene_find_material(obj->scene, obj->w.word);
    if (obj->material != RD_NONE)
        return RD_OK;
    if (!obj->no_library)
        rd__log(RD_LOG_WARN, "%s:%u: usemtl: material '%s' is in no .mtl file that was read before; it is plain",
                obj->w.path, obj->w.line, rd__word_show(&obj->w, shown));
    /* From now on it is known, and the warning came once. */
    const rd__material plain = rd__material_default(obj->w.word);
    return rd__scene_material(obj->scene, &plain, &obj->material, err);
}

static const char *const obj_ignored[] = {"vt",   "vp",     "o",      "g",          "s",         "l",        "p",
                                          "mg",   "usemap", "maplib", "bevel",      "c_interp",  "d_interp", "lod",
                                          "curv", "surf",   "parm",   "trim",       "cstype",    "hole",     "scrv",
                                          "sp",   "end",    "con",    "shadow_obj", "trace_obj", "step",     "bmat",
                                          "deg",  "ctech",  "stech",  "curv2",      "call",      "csh",      NULL};

static rd_status obj_line(obj_state *obj, rd_error *err)
{
    char shown[RD__WORD_SHOWN];
    const char *key = obj->w.word;
    if (strcmp(key, "v") == 0)
        return add_vector(obj, &obj->vertex, "v", err);
    if (strcmp(key, "vn") == 0)
        return add_vector(obj, &obj->normal, "vn", err);
    if (strcmp(key, "usemtl") == 0)
        return use_material(obj, err);
    if (strcmp(key, "mtllib") == 0)
        return read_library(obj, err);
    if (strcmp(key, "f") == 0) {
        if (obj->material == RD_NONE) {
            const rd__material plain = rd__material_default("plain");
            RD_TRY(rd__scene_material(obj->scene, &plain, &obj->material, err));
        }
        return add_face(obj, err);
    }
    if (in_list(obj_ignored, key))
        return RD_OK;
    return rd__fail(err, RD_EINPUT, "%s:%u: '%s' is no statement of an .obj file", obj->w.path, obj->w.line,
                    rd__word_show(&obj->w, shown));
}

rd_status rd__obj_read(rd__scene *scene, const char *path, const char *text, size_t bytes, rd_error *err)
{
    obj_state obj = {.scene = scene, .w = rd__words_of(path, text), .material = RD_NONE};
    rd_status status = RD_OK;
    if (strlen(text) != bytes)
        return rd__fail(err, RD_EINPUT, "%s: is no .obj file: it has bytes of zero", path);
    do {
        status = rd__scene_tell(scene, obj.w.line, err);
        if (status == RD_OK && rd__word_next(&obj.w))
            status = obj_line(&obj, err);
    } while (status == RD_OK && rd__line_next(&obj.w));
    rd__free(obj.vertex.item);
    rd__free(obj.normal.item);
    rd__free(obj.colour.item);
    return status;
}
