/* SPDX-License-Identifier: Apache-2.0 */
/* values.h - a result as a file of text. */
#ifndef RD_CLI_VALUES_H
#define RD_CLI_VALUES_H

#include "cli/cli.h"

/* A value a line; "none" (unreached) is -1. Where the file's numbers are not 0, 1, 2 ... each line has the vertex
 * before it, and values that are vertices speak the same numbers. graph: NULL where there is none. */
rd_status cli_write_values(const rd_graph *graph, const rd_result *result, const char *path, rd_error *err);

#endif
