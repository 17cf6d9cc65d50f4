/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - the checker of ray: pixels rendered again without any acceleration structure. */
#ifndef RD_APPS_RAY_CHECK_H
#define RD_APPS_RAY_CHECK_H

#include "ray/scene.h"

/* How a scene was rendered. */
typedef struct rd__ray_view {
    rd__camera camera;
    uint32_t width, height;
    uint32_t depth; /* most rays one after another */
    float cutoff;
    uint32_t shadows;
} rd__ray_view;

typedef struct rd__ray_verdict {
    uint64_t compared, differing; /* pixels */
    uint64_t tests;               /* of a ray with a triangle */
} rd__ray_verdict;

/* A pixel differs when a channel is off by more than RD__RAY_OFF (of the light, 1 is white) plus that share of itself,
 * or when another number of rays was followed. RD__RAY_LEAST pixels and one in RD__RAY_SHARE may differ: a last bit
 * decides on which side of an edge a ray passes, and mirrors behind mirrors make much of it. */
#define RD__RAY_OFF   0.01f
#define RD__RAY_SHARE 100
#define RD__RAY_LEAST 3

/* image: four floats a pixel, the last one the number of rays. All pixels are looked at: each has at least one ray and
 * is finite. As many as `budget` ray-triangle tests allow (at least 64) are rendered again. */
rd_status rd__ray_check(const rd__scene *scene, const rd__ray_view *view, const float *image, uint64_t budget,
                        rd__ray_verdict *verdict, rd_error *err);

#endif
