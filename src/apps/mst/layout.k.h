/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - numbers that both sides of spanning forests share. Plain numbers: both include it. */
#ifndef RD_APPS_MST_LAYOUT_H
#define RD_APPS_MST_LAYOUT_H

#define MST_LISTS                                                                                                      \
    128u /* lists of edges in a run at most: each round at least halves what is left of 2^31 trees, twice */

#endif
