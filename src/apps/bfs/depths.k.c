/* SPDX-License-Identifier: Apache-2.0 */
/* depths.k.c - bfs.k.c for runs that want the depths of all vertices, as CPUs have it: theirs is compiled with the
 * library, and to ask at each edge whether parents are wanted takes a tenth of the time. */
#define BFS_PARENTS 0
#define BFS_LEAVES  0
#define BFS_EAGER   0
#include "apps/bfs/bfs.k.c"
