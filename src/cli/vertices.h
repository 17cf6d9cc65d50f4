/* SPDX-License-Identifier: Apache-2.0 */
/* vertices.h - vertices that a user names, by the numbers of the file. The library has numbers of its own. */
#ifndef RD_CLI_VERTICES_H
#define RD_CLI_VERTICES_H

#include "cli/cli.h"

/* All ranks, of a part. RD_EARG: there is no such vertex. */
rd_status cli_find_vertex(const rd_graph *graph, uint64_t name, uint32_t *vertex, rd_error *err);
/* @return 1 when that option of the app is a vertex, or several with commas between them. */
int cli_takes_vertices(const rd_app_info *app, const char *key);
/* Sets such an option. */
rd_status cli_set_vertices(rd_job *job, const rd_graph *graph, const char *key, const char *names, rd_error *err);

#endif
