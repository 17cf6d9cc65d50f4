/* SPDX-License-Identifier: Apache-2.0 */
/* check_layout.k.h - the arguments of the kernel that asks an own app's serial function, behind the app's own. */
#ifndef RD_APPS_OWN_CHECK_LAYOUT_K_H
#define RD_APPS_OWN_CHECK_LAYOUT_K_H

/* clang-format off */
#define OWN_CHECK_ARGS(buf, arg)    \
    buf(const rd_u64, check_row)    \
    buf(const rd_u32, check_col)    \
    buf(const rd_u32, check_weight) \
    buf(rd_u64, check_answer)       \
    arg(rd_u32, check_vertices)     \
    arg(rd_u64, check_edges)        \
    arg(rd_u64, check_sum)
/* clang-format on */

#endif
