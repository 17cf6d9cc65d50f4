/* SPDX-License-Identifier: Apache-2.0 */
/* sources.h - the vertices that betweenness centrality starts from: options source and sources. */
#ifndef RD_APPS_BC_SOURCES_H
#define RD_APPS_BC_SOURCES_H

#include "graph/graph.h"

typedef struct rd__bc_sources {
    uint32_t *listed, listed_count; /* option source */
    uint32_t asked;                 /* option sources; 0: by the list, or one */
    uint32_t *vertex, count;        /* of the run */
} rd__bc_sources;

/* key: "source" or "sources". */
rd_status rd__bc_sources_set(rd__bc_sources *sources, const char *key, const char *value, rd_error *err);
/* Has the graph those that were listed? */
rd_status rd__bc_sources_check(const rd__bc_sources *sources, const rd_graph *graph, rd_error *err);
/* Those of a run on this graph. */
rd_status rd__bc_sources_find(rd__bc_sources *sources, const rd_graph *graph, rd_error *err);
void rd__bc_sources_free(rd__bc_sources *sources);

#endif
