/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scene.h - what is rendered: triangles with materials, point lights, a camera. A triangle has three corners, three
 * normals (all equal to the face's where the surface is flat), a material, and where its vertices had them three
 * colours. Readers (obj.c, ply.c) and generators (scenes.c) fill a scene through the functions here; rd__scene_finish
 * makes it ready to be rendered.
 */
#ifndef RD_RAY_SCENE_H
#define RD_RAY_SCENE_H

#include "core/error.h"
#include "core/watch.h"
#include "graph/read/source.h"
#include "ray/vec.h"

enum { RD__SCENE_NAME = 64, RD__SCENE_LIGHTS = 8, RD__SCENE_MATERIALS = 1 << 14 };

typedef struct rd__material {
    char name[RD__SCENE_NAME];
    float diffuse[3], specular[3];
    float shine;        /* Phong's exponent */
    float reflectivity; /* share of the light that a mirror ray brings */
    float transparency; /* share of the light that a refracted ray brings */
    float index;        /* of refraction */
    float glow;         /* light of its own, as a multiple of diffuse */
} rd__material;

typedef struct rd__light {
    rd__vec at;
    float colour[3];
} rd__light;

typedef struct rd__camera {
    rd__vec at, look; /* from here, towards there */
    rd__vec up;
    float fov; /* degrees, of the larger side */
} rd__camera;

typedef struct rd__triangle {
    rd__vec corner[3], normal[3];
    uint32_t material;
    uint32_t tinted; /* its corners have colours, which take the place of the material's diffuse one */
    uint32_t tint[3];
} rd__triangle;

typedef struct rd__scene {
    char source[256]; /* the file, or the generator with its arguments */
    rd__triangle *triangle;
    uint32_t triangles, room;
    rd__material *material;
    uint32_t materials;
    rd__light light[RD__SCENE_LIGHTS];
    uint32_t lights;
    float ambient[3], sky_low[3], sky_high[3];
    rd__camera camera;
    uint32_t has_camera;
    uint32_t degenerate; /* triangles without area that were left out */
    rd__box box;
    rd__watch watch; /* while it is read */
} rd__scene;

/* Zeroed memory is an empty scene; free it in the end. */
void rd__scene_free(rd__scene *scene);
rd__material rd__material_default(const char *name);
/* Adds a material, or replaces the one of that name. @return RD_OK with its number in *index. */
rd_status rd__scene_material(rd__scene *scene, const rd__material *material, uint32_t *index, rd_error *err);
/* @return the number of the material of that name, or RD_NONE. */
uint32_t rd__scene_find_material(const rd__scene *scene, const char *name);
/* normal: three, or NULL for a flat face. A triangle without area is counted and left out. */
rd_status rd__scene_add(rd__scene *scene, const rd__vec corner[3], const rd__vec *normal, uint32_t material,
                        rd_error *err);
/* The same, of corners with colours: red, green, blue from 0 to 1; below 0: it has none, and so has the triangle. */
rd_status rd__scene_add_tinted(rd__scene *scene, const rd__vec corner[3], const rd__vec *normal,
                               const rd__vec colour[3], uint32_t material, rd_error *err);
rd_status rd__scene_light(rd__scene *scene, rd__vec at, float red, float green, float blue, rd_error *err);
/* Bounds; a camera, lights and a sky where the source named none. */
rd_status rd__scene_finish(rd__scene *scene, rd_error *err);

/* A file (.obj, .ply, by name or content) or a generator ("flake:4"). watch NULL: nobody. */
rd_status rd__scene_open(rd__scene *scene, const char *text, const rd__watch *watch, rd_error *err);
/* Tells the watch how far reading is, every so many times. @return RD_ECANCELLED when it wants to stop. */
rd_status rd__scene_tell(const rd__scene *scene, uint64_t done, rd_error *err);
/* What generators there are: lines of help. */
extern const char rd__scene_help[];
/* @return RD_OK and *known = 1 when text names a generator. */
rd_status rd__scene_generate(rd__scene *scene, const char *text, int *known, rd_error *err);

/* text: the content, ended by a NUL that is not part of `bytes`; path: for messages and to find .mtl files beside it
 * (graph/read/beside.h). Messages about an .mtl file do not quote it. */
rd_status rd__obj_read(rd__scene *scene, const char *path, const char *text, size_t bytes, rd_error *err);
rd_status rd__mtl_read(rd__scene *scene, const char *path, const char *text, rd_error *err);
rd_status rd__ply_read(rd__scene *scene, const char *path, const char *text, size_t bytes, rd_error *err);
/* All that is left of a source, ended by a NUL; freed with rd__free. RD_EINPUT when it is more than `most` bytes. */
rd_status rd__scene_slurp(rd__source *source, uint64_t most, char **text, size_t *bytes, rd_error *err);

#endif
