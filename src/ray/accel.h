/* SPDX-License-Identifier: Apache-2.0 */
/* accel.h - acceleration structures: built on the host in parallel, laid out as accel_layout.k.h says. */
#ifndef RD_RAY_ACCEL_H
#define RD_RAY_ACCEL_H

#include "ray/accel_layout.k.h"
#include "ray/scene.h"

typedef struct rd__vec4 {
    float x, y, z, w;
} rd__vec4;

typedef struct rd__accel {
    rd__vec4 *node;
    uint32_t nodes;
    rd__vec4 *triangle;
    uint32_t triangles;
    uint32_t depth;
    double build_s;
} rd__accel;

/* threads 0: all cores. */
rd_status rd__bvh_build(const rd__scene *scene, unsigned threads, rd__accel *accel, rd_error *err);
rd_status rd__octree_build(const rd__scene *scene, unsigned threads, rd__accel *accel, rd_error *err);
void rd__accel_free(rd__accel *accel);

/* A walk over the whole structure: does each box hold what is below it, and is each triangle in exactly one leaf? */
rd_status rd__bvh_check(const rd__scene *scene, const rd__accel *accel, rd_error *err);
rd_status rd__octree_check(const rd__scene *scene, const rd__accel *accel, rd_error *err);

/* ---- Between the builders ---- */

/* What builders sort. */
typedef struct rd__item {
    rd__box box;
    uint32_t triangle;
} rd__item;
/* A builder's own part: sorts the items, an item for each triangle, and makes accel's nodes. */
typedef rd_status (*rd__accel_nodes_fn)(const rd__scene *scene, rd__item *item, unsigned threads, rd__accel *accel,
                                        rd_error *err);
/* The rest of a builder: items, nodes, and the triangles in the order of the items; all or nothing. */
rd_status rd__accel_build(const rd__scene *scene, unsigned threads, rd__accel_nodes_fn nodes, rd__accel *accel,
                          rd_error *err);
/* The middle of an item's box. */
static inline rd__vec rd__item_middle(const rd__item *item)
{
    return rd__vec_scale(rd__vec_add(item->box.lo, item->box.hi), 0.5f);
}
/* Boxes grow by this, so that rounding in a traversal never misses what touches their border. */
float rd__accel_pad(const rd__scene *scene);
/* Words in vectors. */
float rd__bits_float(uint32_t bits);
uint32_t rd__float_bits(float x);

#endif
