/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - numbers that models/sweep.k.c, plane.k.c and dag.k.c share with their host sides. Plain numbers. */
#ifndef RD_SELFTEST_MODELS_LAYOUT_H
#define RD_SELFTEST_MODELS_LAYOUT_H

#define MODELS_TURNS 3
#define MODELS_ITEMS 77
#define MODELS_LEFT  8 /* one of so many items is left half-way, */
#define MODELS_LEAVERS 1024 /* by no more groups than may leave (parts/rest_layout.k.h) */

/* Words of `last`. */
#define MODELS_STEP   0
#define MODELS_SUM    1
#define MODELS_MOST   2
#define MODELS_TOTAL  3
#define MODELS_SECOND 4
#define MODELS_SCALAR 5
#define MODELS_LAST   8

#define MODELS_DEPTH 4 /* of a plane's tasks: 1, 2, 4, 8 for each item */

#define MODELS_SKIP 64 /* of a task graph: how far every other task waits back */

#endif
