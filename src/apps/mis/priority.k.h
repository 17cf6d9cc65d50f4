/* SPDX-License-Identifier: Apache-2.0 */
/* priority.k.h - who goes first: vertices of few edges, which shut out few others; chance between equals. */
#ifndef RD_APPS_MIS_PRIORITY_K_H
#define RD_APPS_MIS_PRIORITY_K_H

#include "raddle/kernel.h"

/* Between 2^-34 and 1, as bits: far above MIS_IN and MIS_OUT. mean: of degrees. */
rd_fn rd_u32 mis_priority_of(rd_u32 v, rd_u64 degree, rd_f32 mean)
{
    rd_u32 x = v * 2654435769u; /* a fraction by chance, so that equal degrees differ */
    x = (x ^ x >> 16) * 0x7feb352du;
    const rd_f32 chance = (rd_f32)(x >> 8) / 16777216.0f;
    return rd_as_u32((mean + 1.0f) / (mean + 2.0f + (rd_f32)degree + chance));
}

#endif
