/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - what host and kernels of kcore share. Plain numbers: both include it. */
#ifndef RD_APPS_KCORE_LAYOUT_H
#define RD_APPS_KCORE_LAYOUT_H

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define KCORE_COUNT_ARGS(buf, arg) \
    buf(const rd_u64, row)         \
    buf(const rd_u32, col)         \
    arg(rd_u32, vertices)          \
    arg(rd_u32, simple)            \
    buf(rd_u32, core)
/* clang-format on */

#endif
