/* SPDX-License-Identifier: Apache-2.0 */
/* color_hash.k.h - an order of vertices that has nothing to do with their numbers. */
#ifndef RD_APPS_COLOR_HASH_K_H
#define RD_APPS_COLOR_HASH_K_H

#include "raddle/kernel.h"

/* A permutation of all words (C. Wellons, "Prospecting for hash functions", 2018). */
rd_fn rd_u32 color_hash(rd_u32 x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

#endif
