/* SPDX-License-Identifier: Apache-2.0 */
/* entry.k.h - the last include of an app's kernel source: the chosen scheduler makes the kernels that run the app's
 * functions. What several of them include comes first, since a file is taken in at its first place. */
#include "sched/barrier.k.h"
#include "sched/discovery.k.h"
#include "sched/queue_layout.k.h"
#include "sched/deque_layout.k.h"
#include "sched/owner.k.h"
#include "sched/ahead.k.h"
#if defined(RD_SCHED_steal) || defined(RD_SCHED_steal_levels)
#include "sched/deque.k.h"
#endif
/* Schedulers that spread the edges of vertices. Beside a priority queue the widest groups have less memory for it. */
#if (defined(RD_SCHED_heap) || defined(RD_SCHED_multi)) && RD_LANES > 512
#define SPREAD_BATCH 2
#define SPREAD_STASH (3 * RD_LANES)
#endif
#if !defined(RD_APP_SWEEPS) && !defined(RD_SCHED_bsp) && !defined(RD_TASK_WORDS) && !defined(RD_SCHED_tiles) &&        \
    !defined(RD_RANKED)
#include "sched/spread.k.h"
#endif
#if defined(RD_APP_SWEEPS)
#include "sched/sweep.k.h"
#elif defined(RD_SCHED_bsp)
#include "sched/bsp.k.h"
#elif defined(RD_TASK_WORDS)
#include "sched/steal_lanes.k.h"
#if defined(RD_SCHED_fifo)
#include "sched/fifo_tasks.k.h"
#else
#include "sched/steal.k.h"
#endif
#elif defined(RD_SCHED_tiles)
#include "sched/tiles.k.h"
#elif defined(RD_SCHED_bag)
#include "sched/bag.k.h"
#elif defined(RD_SCHED_heap) || defined(RD_SCHED_multi)
#include "sched/rank_work.k.h"
#elif defined(RD_SCHED_fifo) || defined(RD_SCHED_gate)
#include "sched/fifo.k.h"
#else
#include "sched/steal_vertex.k.h"
#endif
