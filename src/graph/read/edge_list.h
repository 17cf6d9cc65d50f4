/* SPDX-License-Identifier: Apache-2.0 */
/* edge_list.h - lines of "u v" or "u v w" in the ways that readers want them. */
#ifndef RD_GRAPH_EDGE_LIST_H
#define RD_GRAPH_EDGE_LIST_H

#include "graph/read/ids.h"
#include "graph/read/reader.h"

typedef enum rd__list_header { RD__HEADER_NO, RD__HEADER_PERHAPS, RD__HEADER_YES } rd__list_header;

/* Takes the name of a vertex. @return 0 when there is no memory. */
typedef int rd__name_fn(void *user, uint64_t id);

typedef struct rd__list_form {
    int columns;    /* 2 or 3, or 0 to go by the first edge */
    int named;      /* numbers are names */
    int undirected; /* an edge stands for both directions */
    rd__list_header header;
    /* Of names: adds those of vertices that no edge may have. NULL: there are none. */
    rd_status (*more_names)(const rd__source *source, const rd_graph_options *options, rd__name_fn *take, void *user,
                            rd_error *err);
} rd__list_form;

rd_status rd__edge_list_read(rd__source *source, const rd_graph_options *options, const rd__list_form *form,
                             rd_graph **graph, rd_error *err);

#endif
