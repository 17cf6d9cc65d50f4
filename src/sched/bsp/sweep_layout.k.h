/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_layout.k.h - the words that the host and kernel sides of sweeps share. Plain numbers: both include it. */
#ifndef RD_SCHED_SWEEP_LAYOUT_H
#define RD_SCHED_SWEEP_LAYOUT_H

#include "model/sweep_limits.k.h"
#include "sched/parts/barrier_layout.k.h"
#include "sched/parts/rest_layout.k.h"

/* Step t uses slot t % SWEEP_SLOTS of the control words. Words that many groups hit lie on lines of their own (128
 * bytes). */
#define SWEEP_SLOTS      4
#define SWEEP_SLOT_WORDS 192
#define SWEEP_PHASE      0   /* the step's phase, once it runs */
#define SWEEP_STOP       1   /* the host asked to stop: no step after this one */
#define SWEEP_SCALAR     2   /* the app's scalars, as the step has them: at most RD_SWEEP_SCALARS_MOST */
#define SWEEP_SUM        32  /* what the step gained: see rd_gain */
#define SWEEP_MOST       64  /* ... */
#define SWEEP_TOTAL      96  /* ... an rd_f32 */
#define SWEEP_SECOND     128 /* ... another one */
#define SWEEP_CURSOR     160 /* claims taken beyond the first of each group */
/* After the slots: */
#define SWEEP_STEPS (SWEEP_SLOTS * SWEEP_SLOT_WORDS) /* steps that were run */
#define SWEEP_AT    (SWEEP_STEPS + 1)                /* launch `graph`: steps of launches before */
#define SWEEP_LOOP  8                                /* its steps between two looks whether there are more */
#define SWEEP_EDGES (SWEEP_STEPS + 32)               /* 64 bits: edges looked at */
#define SWEEP_TASKS (SWEEP_STEPS + 2)                /* 64 bits: vertices asked, in all steps */
#define SWEEP_WAITS (SWEEP_STEPS + 4)                /* of RD_SWEEP_DONE: tasks of the step at hand */
#define SWEEP_REST  (SWEEP_EDGES + 32)               /* cores: the head of what is left of a step, parts/rest.k.h */
#define SWEEP_WORDS (SWEEP_REST + REST_HEAD)         /* behind these, on cores, its entries */

/* On cores, behind the words of the barrier and of discovery: a line for each range and slot, claims taken of it. */
#define SWEEP_CURSORS       (RD_GRID_LINES + RD_DISCOVERY_WORDS)
#define SWEEP_CURSOR_WORDS  (SWEEP_SLOTS * RD_GRID_LINE) /* of a range */

/* Kernel arguments; the host fills them by these names (model/args.h). */
/* clang-format off */
#define SWEEP_ARGS(buf, arg)                                                            \
    buf(const rd_u64, row)                                                              \
    buf(const rd_u32, col)                                                              \
    buf(const rd_u64, parts) /* vertex in the low half, number of the part above */     \
    buf(rd_u32, partial) /* what each part came to */                                   \
    buf(rd_u32, done) /* parts that are complete, at a vertex' first part */            \
    buf(rd_u32, control)                                                                \
    buf(rd_u32, grid_words) /* of the barrier, of discovery, cursors */                 \
    arg(rd_u32, vertices)                                                               \
    arg(rd_u32, part_count)                                                             \
    arg(rd_u32, span) /* 0: no vertex is in parts */                                    \
    arg(rd_u32, scattered) /* 1: neighbours in number are walked by different groups */ \
    arg(rd_u32, first)                                                                  \
    arg(rd_u32, persistent)                                                             \
    arg(rd_u32, discovery) /* which kind; RD_DISCOVERY_NONE: all groups are resident */ \
    arg(rd_u32, delay)
/* clang-format on */

#endif
