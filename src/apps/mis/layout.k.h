/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - marks of vertices that are decided, which are the result; others have their priority, which is above
 * both. Plain numbers: host and kernels include it. */
#ifndef RD_APPS_MIS_LAYOUT_H
#define RD_APPS_MIS_LAYOUT_H

#define MIS_OUT 0u
#define MIS_IN  1u

#endif
