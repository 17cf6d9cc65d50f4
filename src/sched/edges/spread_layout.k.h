/* SPDX-License-Identifier: Apache-2.0 */
/* spread_layout.k.h - how much group memory edges/spread.k.h takes. Plain numbers: host and kernel include it. */
#ifndef RD_SCHED_SPREAD_LAYOUT_H
#define RD_SCHED_SPREAD_LAYOUT_H

/* Edges of a lane in a tile: between two looks at the stash; in wide groups, loads in flight. */
#define SPREAD_BATCH_OF(lanes) ((lanes) == 1 ? 1024 : 4)
/* Places of the stash beyond those that one tile can fill. */
#define SPREAD_SPARE_OF(core) ((core) ? 3072 : 512)

#endif
