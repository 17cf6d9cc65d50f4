/* SPDX-License-Identifier: Apache-2.0 */
/* graphs.h - graphs that stay loaded between the jobs of `raddle serve`, up to a limit of memory. */
#ifndef RD_CLI_SERVE_GRAPHS_H
#define RD_CLI_SERVE_GRAPHS_H

#include "cli/cli.h"

typedef struct serve_graphs serve_graphs;

/* bytes: what graphs may take. pressed: called when some had to be dropped for another one; whoever else holds graphs
 * is to let them go. @return NULL: out of memory. */
serve_graphs *serve_graphs_new(uint64_t bytes, void (*pressed)(void *user), void *user);
void serve_graphs_free(serve_graphs *graphs);
/* What an input is known by: its name, how it is read, the time and size of its file. @return a text of the caller's,
 * or NULL when there is no memory. */
char *serve_input_key(const char *input, const rd_graph_options *options);
/* Gives a job its graph, which is read unless it is there already. *graph: valid as long as the job has it. progress:
 * non-zero stops the reading. */
rd_status serve_graphs_give(serve_graphs *graphs, rd_job *job, const char *input, rd_graph_options options,
                            const rd_graph **graph, rd_error *err);

#endif
