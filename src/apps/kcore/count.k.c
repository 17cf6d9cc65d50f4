/* SPDX-License-Identifier: Apache-2.0 */
/* count.k.c - before kcore/phases.k.c: how many neighbours each vertex has, where loops do not count and of parallel
 * edges one does. They are neighbours in a row that ascends. A lane has a vertex, a group those that have many edges:
 * one lane alone would take milliseconds for a hub. */
#include "raddle/kernel.h"
#include "apps/kcore/layout.k.h"

#define COUNT_FEW 64 /* edges */

/* Of edges e, e + stride, ...: how many lead to where the one before leads, or back. */
rd_fn rd_u32 count_spare(rd_global const rd_u32 *col, rd_u32 vertex, rd_u64 from, rd_u64 end, rd_u32 first,
                         rd_u32 stride)
{
    rd_u32 spare = 0;
    for (rd_u64 e = from + first; e < end; e += stride) {
        const rd_u32 v = rd_ld_const(&col[e]);
        spare += v == vertex || (e > from && rd_ld_const(&col[e - 1]) == v);
    }
    return spare;
}

rd_kernel(kcore_count, KCORE_COUNT_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    rd_local_array(rd_u32, many, RD_LANES); /* lanes whose vertex has many edges */
    for (rd_u64 base = rd_group() * (rd_u64)rd_lanes(); base < vertices; base += (rd_u64)rd_groups() * rd_lanes()) {
        const rd_u32 left = vertices - base < rd_lanes() ? (rd_u32)(vertices - base) : rd_lanes();
        const rd_u32 i = (rd_u32)base + rd_lane();
        rd_u32 big = 0;
        if (rd_lane() < left) {
            const rd_u64 from = rd_ld_const(&row[i]), end = rd_ld_const(&row[i + 1]);
            big = RD_LANES > 1 && !simple && end - from > COUNT_FEW;
            core[i] = (rd_u32)(end - from) - (simple || big ? 0 : count_spare(col, i, from, end, 0, 1));
        }
        if (RD_LANES > 1 && !simple) {
            many[rd_lane()] = big;
            rd_barrier();                       /* all have said it */
            for (rd_u32 k = 0; k < left; k++) { /* equal in all lanes */
                if (!many[k])
                    continue;
                const rd_u32 v = (rd_u32)base + k;
                const rd_u64 from = rd_ld_const(&row[v]), end = rd_ld_const(&row[v + 1]);
                const rd_u32 spare = rd_group_sum(scratch, count_spare(col, v, from, end, rd_lane(), rd_lanes()));
                if (rd_lane() == k)
                    core[v] = (rd_u32)(end - from) - spare;
            }
            rd_barrier(); /* before it is said of the next ones */
        }
    }
}

#define KCORE_COUNT_KERNELS(k) k(kcore_count, KCORE_COUNT_ARGS)
rd_kernels(KCORE_COUNT_KERNELS);
