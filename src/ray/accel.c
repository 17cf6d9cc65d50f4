/* SPDX-License-Identifier: Apache-2.0 */
/* accel.c - what both acceleration structures are made from, and what they end in. */
#include "ray/accel.h"

#include "core/memory.h"
#include "core/parallel.h"
#include "raddle/tool.h"

#include <string.h>

float rd__bits_float(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

uint32_t rd__float_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

float rd__accel_pad(const rd__scene *scene)
{
    const rd__box *box = &scene->box;
    const float far = rd__vec_length(box->lo) + rd__vec_length(box->hi);
    return 2e-6f * (rd__vec_length(rd__vec_sub(box->hi, box->lo)) + far);
}

void rd__accel_free(rd__accel *accel)
{
    rd__array_free(accel->node);
    rd__array_free(accel->triangle);
    *accel = (rd__accel){.nodes = 0};
}

struct share {
    const rd__scene *scene;
    rd__item *item;
    const rd__item *sorted;
    rd__accel *accel;
};

static void make_items(void *arg, unsigned index, unsigned threads)
{
    const struct share *share = arg;
    uint64_t from, to;
    rd__share(share->scene->triangles, index, threads, &from, &to);
    for (uint64_t i = from; i < to; i++) {
        rd__item *item = &share->item[i];
        item->box = rd__box_empty();
        item->triangle = (uint32_t)i;
        for (int c = 0; c < 3; c++)
            rd__box_add(&item->box, share->scene->triangle[i].corner[c]);
    }
}

static rd_status all_items(const rd__scene *scene, unsigned threads, rd__item **items, rd_error *err)
{
    RD_TRY(rd__array_new(items, "items of an acceleration structure", scene->triangles, sizeof **items, err));
    struct share share = {.scene = scene, .item = *items};
    rd__parallel(threads, make_items, &share);
    return RD_OK;
}

static void make_triangles(void *arg, unsigned index, unsigned threads)
{
    const struct share *share = arg;
    uint64_t from, to;
    rd__share(share->scene->triangles, index, threads, &from, &to);
    for (uint64_t i = from; i < to; i++) {
        const uint32_t number = share->sorted[i].triangle;
        const rd__vec *corner = share->scene->triangle[number].corner;
        const rd__vec a = rd__vec_sub(corner[1], corner[0]), b = rd__vec_sub(corner[2], corner[0]);
        rd__vec4 *out = &share->accel->triangle[ACCEL_TRIANGLE_VECTORS * i];
        out[0] = (rd__vec4){corner[0].x, corner[0].y, corner[0].z, rd__bits_float(number)};
        out[1] = (rd__vec4){a.x, a.y, a.z, 0};
        out[2] = (rd__vec4){b.x, b.y, b.z, 0};
    }
}

static rd_status all_triangles(const rd__scene *scene, const rd__item *item, unsigned threads, rd__accel *accel,
                               rd_error *err)
{
    accel->triangles = scene->triangles;
    RD_TRY(rd__array_new(&accel->triangle, "triangles of an acceleration structure",
                         ACCEL_TRIANGLE_VECTORS * (uint64_t)scene->triangles, sizeof *accel->triangle, err));
    struct share share = {.scene = scene, .sorted = item, .accel = accel};
    rd__parallel(threads, make_triangles, &share);
    return RD_OK;
}

rd_status rd__accel_build(const rd__scene *scene, unsigned threads, rd__accel_nodes_fn nodes, rd__accel *accel,
                          rd_error *err)
{
    rd__item *item = NULL;
    const double began = rd_now();
    *accel = (rd__accel){.nodes = 0};
    threads = rd__thread_count(threads);
    rd_status status = all_items(scene, threads, &item, err);
    if (status == RD_OK)
        status = nodes(scene, item, threads, accel, err);
    if (status == RD_OK)
        status = all_triangles(scene, item, threads, accel, err);
    rd__array_free(item);
    if (status != RD_OK)
        rd__accel_free(accel);
    accel->build_s = rd_now() - began;
    return status;
}
