/* SPDX-License-Identifier: Apache-2.0 */
/* view.c - see ray_view.h. */
#include "apps/ray/view.h"

#include "core/memory.h"

#include <string.h>

/* Other views of the same scene: half as far away; turned by 40 degrees, higher and a little farther. */
static void move_camera(rd__camera *camera, uint32_t view)
{
    const rd__vec way = rd__vec_sub(camera->at, camera->look);
    const float c = 0.766f, s = 0.643f, higher = 0.35f * rd__vec_length(way);
    if (view == 1)
        camera->at = rd__vec_add(camera->look, rd__vec_scale(way, 0.5f));
    if (view == 2)
        camera->at =
            rd__vec_add(camera->look, rd__vec_of(c * way.x + s * way.z, way.y + higher, c * way.z - s * way.x));
}

rd_status rd__ray_view_of(const rd__scene *scene, const rd__ray_options *options, rd__ray_view *view, rd_error *err)
{
    rd__camera camera = scene->camera;
    move_camera(&camera, options->view);
    camera.at = options->has_at ? options->at : camera.at;
    camera.look = options->has_look ? options->look : camera.look;
    camera.fov = options->fov > 0 ? options->fov : camera.fov;
    rd__vec forward = rd__vec_sub(camera.look, camera.at);
    if (!(rd__vec_length(forward) > 0))
        return rd__fail(err, RD_EARG, "the eye is at the point it looks at: change --camera or --look");
    forward = rd__vec_unit(forward);
    if (rd__vec_length(rd__vec_cross(forward, camera.up)) < 1e-4f)
        camera.up = rd__vec_of(0, 0, -1); /* straight down or up */
    *view = (rd__ray_view){.camera = camera,
                           .width = options->width,
                           .height = options->height,
                           .depth = options->depth,
                           .cutoff = options->cutoff,
                           .shadows = options->shadows};
    return RD_OK;
}

static rd__vec4 vec4(rd__vec v, float w)
{
    return (rd__vec4){v.x, v.y, v.z, w};
}

static rd__vec4 colour4(const float *c)
{
    return (rd__vec4){c[0], c[1], c[2], 0};
}

void rd__ray_setup(const rd__scene *scene, const rd__ray_view *view, rd__vec4 *setup)
{
    const rd__camera *camera = &view->camera;
    const rd__vec forward = rd__vec_unit(rd__vec_sub(camera->look, camera->at));
    const rd__vec right = rd__vec_unit(rd__vec_cross(forward, camera->up)), up = rd__vec_cross(right, forward);
    const uint32_t larger = view->width > view->height ? view->width : view->height;
    const float pixel = 2 * tanf(camera->fov * 3.14159265f / 360) / (float)larger;
    const float left = -0.5f * ((float)view->width - 1) * pixel, top = 0.5f * ((float)view->height - 1) * pixel;
    rd__vec corner = rd__vec_add(forward, rd__vec_scale(right, left));
    corner = rd__vec_add(corner, rd__vec_scale(up, top));
    memset(setup, 0, RD__RAY_SETUP_VECTORS * sizeof *setup);
    setup[SETUP_EYE] = vec4(camera->at, 2e-5f * rd__vec_length(rd__vec_sub(scene->box.hi, scene->box.lo)));
    setup[SETUP_CORNER] = vec4(corner, 0);
    setup[SETUP_RIGHT] = vec4(rd__vec_scale(right, pixel), 0);
    setup[SETUP_DOWN] = vec4(rd__vec_scale(up, -pixel), 0);
    setup[SETUP_AMBIENT] = colour4(scene->ambient);
    setup[SETUP_SKY_LOW] = colour4(scene->sky_low);
    setup[SETUP_SKY_HIGH] = colour4(scene->sky_high);
    for (uint32_t i = 0; i < scene->lights; i++) {
        setup[SETUP_LIGHTS + 2 * i] = vec4(scene->light[i].at, 0);
        setup[SETUP_LIGHTS + 2 * i + 1] = colour4(scene->light[i].colour);
    }
}

rd_status rd__ray_surfaces(const rd__scene *scene, rd__vec4 **surface, rd__vec4 **material, rd_error *err)
{
    RD_TRY(rd__array_new(surface, "surfaces", SURFACE_VECTORS * (uint64_t)scene->triangles, sizeof **surface, err));
    RD_TRY(rd__array_new(material, "materials", MATERIAL_VECTORS * (uint64_t)scene->materials, sizeof **material, err));
    for (uint32_t i = 0; i < scene->triangles; i++) {
        const rd__triangle *t = &scene->triangle[i];
        const rd__vec face =
            rd__vec_cross(rd__vec_sub(t->corner[1], t->corner[0]), rd__vec_sub(t->corner[2], t->corner[0]));
        rd__vec4 *out = *surface + SURFACE_VECTORS * (uint64_t)i;
        out[0] = vec4(t->normal[0], rd__bits_float(t->material | (t->tinted ? SURFACE_TINTED : 0)));
        out[1] = vec4(t->normal[1], t->tinted ? rd__bits_float(t->tint[0]) : 0);
        out[2] = vec4(t->normal[2], t->tinted ? rd__bits_float(t->tint[1]) : 0);
        out[3] = vec4(rd__vec_unit(face), t->tinted ? rd__bits_float(t->tint[2]) : 0);
    }
    for (uint32_t i = 0; i < scene->materials; i++) {
        const rd__material *m = &scene->material[i];
        rd__vec4 *out = *material + MATERIAL_VECTORS * (uint64_t)i;
        out[0] = (rd__vec4){m->diffuse[0], m->diffuse[1], m->diffuse[2], m->shine};
        out[1] = (rd__vec4){m->specular[0], m->specular[1], m->specular[2], m->reflectivity};
        out[2] = (rd__vec4){m->transparency, m->index, m->glow, 0};
    }
    return RD_OK;
}
