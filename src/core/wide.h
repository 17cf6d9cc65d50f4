/* SPDX-License-Identifier: Apache-2.0 */
/* wide.h - products of 64-bit numbers that need 128 bits. */
#ifndef RD_CORE_WIDE_H
#define RD_CORE_WIDE_H

#include <stdint.h>

__extension__ typedef unsigned __int128 rd__u128;

/* a * b - c * d: its sign. */
static inline int rd__compare_products(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
    const rd__u128 left = (rd__u128)a * b, right = (rd__u128)c * d;
    return left < right ? -1 : left > right;
}

/* a * b / c rounded down, where that is below 2^64; c > 0. Short numbers are divided as such, which is faster. */
static inline uint64_t rd__mul_div(uint64_t a, uint64_t b, uint64_t c)
{
    const rd__u128 product = (rd__u128)a * b;
    return product >> 64 ? (uint64_t)(product / c) : (uint64_t)product / c;
}

#endif
