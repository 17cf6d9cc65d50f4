/* SPDX-License-Identifier: Apache-2.0 */
/*
 * number.k.h - numbers of any size in 64 bits, for shortest ways, of which a grid of 2,000 x 2,000 has more than any
 * float counts: 40 bits of fraction below 24 bits of exponent. Not negative; all bits 0 are 0.
 *     value = fraction * 2^(exponent - BC_BIAS), the highest bit of the fraction is set
 */
#ifndef RD_APPS_BC_NUMBER_K_H
#define RD_APPS_BC_NUMBER_K_H

#include "raddle/kernel.h"
#include "apps/bc/layout.k.h"

#define BC_FRACTION 40
#define BC_BIAS     0x800000
#define BC_LARGEST  0xfffff0u /* exponents stay below */
#define BC_ONE      ((rd_u64)(BC_BIAS - 39) << BC_FRACTION | (rd_u64)1 << 39)

rd_fn rd_u32 bc_exponent(rd_u64 x)
{
    return (rd_u32)(x >> BC_FRACTION);
}

rd_fn rd_u64 bc_fraction(rd_u64 x)
{
    return x & (((rd_u64)1 << BC_FRACTION) - 1);
}

rd_fn rd_u64 bc_sum(rd_u64 x, rd_u64 y)
{
    const rd_u64 high = x > y ? x : y, low = x > y ? y : x; /* words have the order of numbers */
    const rd_u32 apart = bc_exponent(high) - bc_exponent(low);
    if (apart >= BC_FRACTION)
        return high;
    const rd_u64 sum = bc_fraction(high) + (bc_fraction(low) >> apart);
    const rd_u32 carry = (rd_u32)(sum >> BC_FRACTION);
    return (rd_u64)(bc_exponent(high) + carry) << BC_FRACTION | sum >> carry;
}

/* 1 / x, as exact as a float. */
rd_fn rd_u64 bc_inverse(rd_u64 x)
{
    const rd_u64 part = ((rd_u64)1 << 63) / (bc_fraction(x) >> 16); /* of 24 bits: a quotient of 40, or 2^40 */
    const rd_u32 carry = (rd_u32)(part >> BC_FRACTION);
    return (rd_u64)(2 * BC_BIAS - 79 - bc_exponent(x) + carry) << BC_FRACTION | part >> carry;
}

/* Words that are doubles for BC_DOUBLES, or else pairs. */
#ifdef RD_HAS_F64
#define BC_MANY_DOUBLES 0x7e37e43c8800759cul /* 1e300 */

rd_fn rd_u32 bc_is_double(rd_u32 wide)
{
    return wide == BC_DOUBLES;
}

rd_fn rd_u64 bc_double_sum(rd_u64 x, rd_u64 y)
{
    return rd_as_u64(rd_as_f64(x) + rd_as_f64(y));
}

rd_fn rd_u64 bc_double_behind(rd_u64 ways, rd_u64 sum) /* 1 / ways + sum */
{
    return rd_as_u64(1.0 / rd_as_f64(ways) + rd_as_f64(sum));
}

rd_fn rd_f32 bc_double_product(rd_u64 x, rd_u64 y)
{
    return (rd_f32)(rd_as_f64(x) * rd_as_f64(y));
}
#else
#define BC_MANY_DOUBLES 0

rd_fn rd_u32 bc_is_double(rd_u32 wide)
{
    return 0;
}

rd_fn rd_u64 bc_double_sum(rd_u64 x, rd_u64 y)
{
    return x;
}

rd_fn rd_u64 bc_double_behind(rd_u64 ways, rd_u64 sum)
{
    return sum;
}

rd_fn rd_f32 bc_double_product(rd_u64 x, rd_u64 y)
{
    return 0;
}
#endif

rd_fn rd_u64 bc_wide_sum(rd_u32 wide, rd_u64 x, rd_u64 y)
{
    return bc_is_double(wide) ? bc_double_sum(x, y) : bc_sum(x, y);
}

rd_fn rd_u64 bc_wide_one(rd_u32 wide)
{
    return bc_is_double(wide) ? 0x3ff0000000000000ul : BC_ONE;
}

/* Is x too many? As BC_MANY. */
rd_fn rd_u32 bc_wide_many(rd_u32 wide, rd_u64 x)
{
    return bc_is_double(wide) ? x > BC_MANY_DOUBLES : bc_exponent(x) >= BC_LARGEST ? 2 : 0;
}

/* x * y, which is no more than a float holds. */
rd_fn rd_f32 bc_product(rd_u64 x, rd_u64 y)
{
    const rd_i32 power = (rd_i32)bc_exponent(x) + (rd_i32)bc_exponent(y) - 2 * BC_BIAS + 32;
    if (!x || !y || power < -120)
        return 0.0f;
    return (rd_f32)(bc_fraction(x) >> 16) * (rd_f32)(bc_fraction(y) >> 16) * rd_as_f32((rd_u32)(power + 127) << 23);
}

#endif
