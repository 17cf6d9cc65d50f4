/* SPDX-License-Identifier: Apache-2.0 */
/*
 * teps.h - numbers that are said of runs in several places, defined once.
 *
 * TEPS, traversed edges a second: the out-edges (directed) of all vertices that the run reached, however few of them a
 * clever search looked at, over the time by the device's clock (by the host's where the device has none). Of apps that
 * look at every vertex these are all edges. So searches, and devices, compare; it is how Graph500 and GAP count, but
 * for their counting an undirected edge once.
 */
#ifndef RD_CLI_TEPS_H
#define RD_CLI_TEPS_H

#include "cli/cli.h"

uint64_t cli_edges_reached(const rd_graph *graph, const rd_result *result);
/* @return edges_reached a second; 0 when no time was measured. */
double cli_teps(uint64_t edges_reached, const rd_report *report);

enum { CLI_INTERVAL_TRIALS = 6 }; /* from so many on there is a 95 % confidence interval of the median */
/* @return how far the quartiles are apart, in hundredths of the median, when that is more than 10 of three trials or
 * more: such times say little about small differences. Else 0. */
unsigned cli_noise(const rd_stats *stats);

#endif
