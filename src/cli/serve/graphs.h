/* SPDX-License-Identifier: Apache-2.0 */
/* graphs.h - graphs that stay loaded between the jobs of `raddle serve`, up to a limit of memory. */
#ifndef RD_CLI_SERVE_GRAPHS_H
#define RD_CLI_SERVE_GRAPHS_H

#include "cli/cli.h"

typedef struct serve_graphs serve_graphs;

/* bytes: what graphs may take. @return NULL: out of memory. */
serve_graphs *serve_graphs_new(uint64_t bytes);
void serve_graphs_free(serve_graphs *graphs);
/* Gives a job its graph, which is read unless it is there already. progress: non-zero stops the reading. */
rd_status serve_graphs_give(serve_graphs *graphs, rd_job *job, const char *input, rd_graph_options options,
                            rd_error *err);

#endif
