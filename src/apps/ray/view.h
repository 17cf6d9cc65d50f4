/* SPDX-License-Identifier: Apache-2.0 */
/* view.h - from scene and options to what the kernel of ray reads: camera, lights, surfaces, materials. */
#ifndef RD_APPS_RAY_VIEW_H
#define RD_APPS_RAY_VIEW_H

#include "apps/app.h"
#include "apps/ray/check.h"
#include "ray/accel.h"
#include "ray/setup_layout.k.h"

#define RD__RAY_SETUP_VECTORS (SETUP_LIGHTS + 2 * RD__SCENE_LIGHTS)

typedef struct rd__ray_options {
    uint32_t width, height, depth, shadows, view;
    float cutoff;
    rd__vec at, look;
    uint32_t has_at, has_look; /* else the scene's */
    float fov;                 /* 0: the scene's */
} rd__ray_options;

/* The camera that scene and options make. */
rd_status rd__ray_view_of(const rd__scene *scene, const rd__ray_options *options, rd__ray_view *view, rd_error *err);
void rd__ray_setup(const rd__scene *scene, const rd__ray_view *view, rd__vec4 *setup);
/* Arrays as setup_layout.k.h has them; freed with rd__array_free. */
rd_status rd__ray_surfaces(const rd__scene *scene, rd__vec4 **surface, rd__vec4 **material, rd_error *err);

#endif
