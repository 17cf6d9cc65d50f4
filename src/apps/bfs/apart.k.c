/* SPDX-License-Identifier: Apache-2.0 */
/* apart.k.c - take.k.c in two phases: a round that only claims, and makes a list of what it claimed, then a round that
 * visits the edges of that list. The lanes of the second are all busy; each level costs two rounds. */
#define RD_APP_APART 1
#include "apps/bfs/take.k.c"
