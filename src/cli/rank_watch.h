/* SPDX-License-Identifier: Apache-2.0 */
/* rank_watch.h - a process that watches over a rank: see rank_watch.c. */
#ifndef RD_CLI_RANK_WATCH_H
#define RD_CLI_RANK_WATCH_H

#include <stdint.h>

/* In a process that a launcher has started as one of several, before it has threads: returns in a child, which is to do
 * the rank's work. The process itself waits for it and ends as it ends; that it was killed is told, with its rank.
 * Where there can be no child, or RADDLE_WATCH is 0, it returns in the process itself. */
void cli_watch_rank(const char *name, uint32_t rank);

#endif
