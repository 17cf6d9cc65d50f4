/* SPDX-License-Identifier: Apache-2.0 */
/* vec.h - points and directions on the host. */
#ifndef RD_RAY_VEC_H
#define RD_RAY_VEC_H

#include <math.h>

typedef struct rd__vec {
    float x, y, z;
} rd__vec;

static inline rd__vec rd__vec_of(float x, float y, float z)
{
    return (rd__vec){x, y, z};
}
static inline rd__vec rd__vec_add(rd__vec a, rd__vec b)
{
    return (rd__vec){a.x + b.x, a.y + b.y, a.z + b.z};
}
static inline rd__vec rd__vec_sub(rd__vec a, rd__vec b)
{
    return (rd__vec){a.x - b.x, a.y - b.y, a.z - b.z};
}
static inline rd__vec rd__vec_scale(rd__vec a, float s)
{
    return (rd__vec){a.x * s, a.y * s, a.z * s};
}
static inline float rd__vec_dot(rd__vec a, rd__vec b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static inline rd__vec rd__vec_cross(rd__vec a, rd__vec b)
{
    return (rd__vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline float rd__vec_length(rd__vec a)
{
    return sqrtf(rd__vec_dot(a, a));
}
/* A vector without length stays as it is. */
static inline rd__vec rd__vec_unit(rd__vec a)
{
    const float length = rd__vec_length(a);
    return length > 0 ? rd__vec_scale(a, 1 / length) : a;
}
static inline float rd__vec_axis(rd__vec a, int axis)
{
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}

/* An axis-aligned box; empty when lo > hi. */
typedef struct rd__box {
    rd__vec lo, hi;
} rd__box;

static inline rd__box rd__box_empty(void)
{
    return (rd__box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}
static inline void rd__box_add(rd__box *box, rd__vec p)
{
    box->lo = rd__vec_of(p.x < box->lo.x ? p.x : box->lo.x, p.y < box->lo.y ? p.y : box->lo.y,
                         p.z < box->lo.z ? p.z : box->lo.z);
    box->hi = rd__vec_of(p.x > box->hi.x ? p.x : box->hi.x, p.y > box->hi.y ? p.y : box->hi.y,
                         p.z > box->hi.z ? p.z : box->hi.z);
}
static inline void rd__box_join(rd__box *box, const rd__box *other)
{
    box->lo =
        rd__vec_of(other->lo.x < box->lo.x ? other->lo.x : box->lo.x, other->lo.y < box->lo.y ? other->lo.y : box->lo.y,
                   other->lo.z < box->lo.z ? other->lo.z : box->lo.z);
    box->hi =
        rd__vec_of(other->hi.x > box->hi.x ? other->hi.x : box->hi.x, other->hi.y > box->hi.y ? other->hi.y : box->hi.y,
                   other->hi.z > box->hi.z ? other->hi.z : box->hi.z);
}
/* Half of its surface; 0 when empty. */
static inline float rd__box_area(const rd__box *box)
{
    const rd__vec d = rd__vec_sub(box->hi, box->lo);
    return d.x < 0 ? 0 : d.x * d.y + d.y * d.z + d.z * d.x;
}

#endif
