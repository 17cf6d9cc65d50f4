/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gridsync.cu - the barrier of CUDA's own cooperative groups, as a peer for `raddle bench barrier`. Not of the dialect:
 * cooperative_groups.h, a header of the installed toolkit, goes before it (rd__program_spec.toolkit_header), and NVRTC
 * alone compiles it. The kernels are those of our own barriers with the call in the barrier's place, so that they are
 * proved and timed alike. It needs a cooperative launch and nothing of ours: `words` are not touched after they have
 * been opened.
 */
#include "raddle/kernel.h"
#include "micro/barrier_rounds.k.h"

#define GRID_SYNC(grid) cooperative_groups::this_grid().sync()

ROUNDS_KERNEL(rounds_gridsync, rd_grid_open_word, GRID_SYNC, 1)
ROUNDS_KERNEL(timed_gridsync, rd_grid_open_word, GRID_SYNC, 0)
