/* SPDX-License-Identifier: Apache-2.0 */
/* entry.k.h - the last include of an app's kernel source: the chosen scheduler makes the kernels that run the app's
 * functions. */
#if defined(RD_SCHED_bsp)
#include "sched/bsp.k.h"
#elif defined(RD_SCHED_fifo)
#include "sched/fifo.k.h"
#elif defined(RD_SCHED_tiles)
#include "sched/tiles.k.h"
#endif
