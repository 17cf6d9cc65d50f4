/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checked.k.h - what the serial function of an own app sees, besides its arguments:
 *
 *     rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
 *
 * returns RD_RIGHT, or the number of the first value that is wrong. It is compiled for the CPU alone (#ifdef RD_CHECK),
 * by a C compiler, with headers such as <stdlib.h>; its arrays are copies, which it may change.
 */
#ifndef RD_APPS_OWN_CHECKED_K_H
#define RD_APPS_OWN_CHECKED_K_H

#define RD_RIGHT 0xffffffffffffffffull
#define RD_NONE  0xffffffffu /* as in declarations: RD_ARRAY(rd_u32, depth, vertices, RD_NONE) */

#ifdef RD_CHECK
typedef struct {
    const rd_u64 *row; /* the graph: edges of v lead to col[row[v]] .. col[row[v + 1] - 1] */
    const rd_u32 *col;
    const rd_u32 *weight;
    rd_u32 vertices;
    rd_u64 edges;
    rd_u64 sum; /* what root tasks returned, added up; of rd_f64 by rd_as_f64 */
} rd_checked;
#endif

#endif
