/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector.h - a lane's vectors: RD_VECTOR values on which every operator works at once. Where a group is one lane of a
 * CPU there are four or eight, in vector registers; elsewhere lanes themselves are the vector, and a vector is one
 * value. So what is written with these names is right at any width: + - * / as usual, and
 *     rd_f32v rd_u32v    values     rd_all(x)  x in each place     rd_get(v, k) rd_put(&v, k, x)  one place
 *     rd_lt rd_le rd_eq  comparisons, which make masks: all bits set or none; & | ~ combine them
 *     rd_pick(m, a, b), rd_picku  a where m is set, else b     rd_minv rd_maxv  of rd_f32v     rd_some(m)  any bit?
 */
#ifndef RD_DIALECT_VECTOR_H
#define RD_DIALECT_VECTOR_H

#if defined(RD_TARGET_CPU) && RD_CORE

/* As wide as the machine's registers: of wider ones compilers make comparisons one by one. */
#if defined(__AVX2__)
#define RD_VECTOR  8
#define RD_EACH(x) (x), (x), (x), (x), (x), (x), (x), (x)
#else
#define RD_VECTOR  4
#define RD_EACH(x) (x), (x), (x), (x)
#endif
typedef rd_f32 rd_f32v __attribute__((vector_size(4 * RD_VECTOR)));
typedef rd_u32 rd_u32v __attribute__((vector_size(4 * RD_VECTOR)));

#define rd_get(v, k)    ((v)[k])
#define rd_put(v, k, x) ((*(v))[k] = (x))
#define rd_lt(a, b)     ((rd_u32v)((a) < (b)))
#define rd_le(a, b)     ((rd_u32v)((a) <= (b)))
#define rd_eq(a, b)     ((rd_u32v)((a) == (b)))
#define rd_allu(x)      ((rd_u32v){RD_EACH(x)})
#define rd_all(x)       ((rd_f32v){RD_EACH(x)})

rd_fn rd_u32v rd_picku(rd_u32v m, rd_u32v a, rd_u32v b)
{
    return (a & m) | (b & ~m);
}
rd_fn rd_f32v rd_pick(rd_u32v m, rd_f32v a, rd_f32v b)
{
    return (rd_f32v)rd_picku(m, (rd_u32v)a, (rd_u32v)b);
}
#if defined(__aarch64__)
/* Not from <arm_neon.h>: its 30,000 lines are most of what a compiler reads, in every kernel, vectors or not. */
rd_fn rd_f32v rd_minv(rd_f32v a, rd_f32v b)
{
    rd_f32v r;
    __asm__("fmin %0.4s, %1.4s, %2.4s" : "=w"(r) : "w"(a), "w"(b));
    return r;
}
rd_fn rd_f32v rd_maxv(rd_f32v a, rd_f32v b)
{
    rd_f32v r;
    __asm__("fmax %0.4s, %1.4s, %2.4s" : "=w"(r) : "w"(a), "w"(b));
    return r;
}
rd_fn rd_u32 rd_some(rd_u32v m)
{
    rd_u32 most;
    __asm__("umaxv %s0, %1.4s" : "=w"(most) : "w"(m));
    return most != 0;
}
#else
/* In this form compilers find the instruction for it. */
rd_fn rd_f32v rd_minv(rd_f32v a, rd_f32v b)
{
    rd_f32v r;
    for (int k = 0; k < RD_VECTOR; k++)
        r[k] = a[k] < b[k] ? a[k] : b[k];
    return r;
}
rd_fn rd_f32v rd_maxv(rd_f32v a, rd_f32v b)
{
    rd_f32v r;
    for (int k = 0; k < RD_VECTOR; k++)
        r[k] = a[k] > b[k] ? a[k] : b[k];
    return r;
}
rd_fn rd_u32 rd_some(rd_u32v m)
{
    rd_u32 bits = 0;
    for (int k = 0; k < RD_VECTOR; k++)
        bits |= m[k];
    return bits != 0;
}
#endif

#else

#define RD_VECTOR 1
typedef rd_f32 rd_f32v;
typedef rd_u32 rd_u32v;

#define rd_get(v, k)      (v)
#define rd_put(v, k, x)   (*(v) = (x))
#define rd_lt(a, b)       ((a) < (b) ? 0xffffffffu : 0u)
#define rd_le(a, b)       ((a) <= (b) ? 0xffffffffu : 0u)
#define rd_eq(a, b)       ((a) == (b) ? 0xffffffffu : 0u)
#define rd_all(x)         (x)
#define rd_allu(x)        (x)
#define rd_pick(m, a, b)  ((m) ? (a) : (b))
#define rd_picku(m, a, b) ((m) ? (a) : (b))
#define rd_minv(a, b)     ((a) < (b) ? (a) : (b))
#define rd_maxv(a, b)     ((a) > (b) ? (a) : (b))
#define rd_some(m)        ((m) != 0u)

#endif

#endif
