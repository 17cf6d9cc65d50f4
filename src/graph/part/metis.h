/* SPDX-License-Identifier: Apache-2.0 */
/* metis.h - parts by METIS, when its library is there: see metis.c. */
#ifndef RD_GRAPH_METIS_H
#define RD_GRAPH_METIS_H

#include "graph/graph.h"

/* Fills part_of[0 .. vertices - 1]. RD_EDEVICE: there is no METIS. */
rd_status rd__metis_parts(const rd_graph *graph, uint32_t parts, uint32_t *part_of, rd_error *err);

#endif
