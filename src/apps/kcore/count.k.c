/* SPDX-License-Identifier: Apache-2.0 */
/* count.k.c - before kcore/phases.k.c: how many neighbours each vertex has, where loops do not count and of parallel
 * edges one does. They are neighbours in a row that ascends. */
#include "raddle/kernel.h"
#include "apps/kcore/layout.k.h"

rd_kernel(kcore_count, KCORE_COUNT_ARGS)
{
    for (rd_u64 i = rd_group() * rd_lanes() + rd_lane(); i < vertices; i += (rd_u64)rd_groups() * rd_lanes()) {
        const rd_u64 from = rd_ld_const(&row[i]), end = rd_ld_const(&row[i + 1]);
        rd_u32 count = (rd_u32)(end - from);
        for (rd_u64 e = from; e < end && !simple; e++) {
            const rd_u32 v = rd_ld_const(&col[e]);
            count -= v == i || (e > from && rd_ld_const(&col[e - 1]) == v);
        }
        core[i] = count;
    }
}

#define KCORE_COUNT_KERNELS(k) k(kcore_count, KCORE_COUNT_ARGS)
rd_kernels(KCORE_COUNT_KERNELS);
