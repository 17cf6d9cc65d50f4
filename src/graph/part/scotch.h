/* SPDX-License-Identifier: Apache-2.0 */
/* scotch.h - parts by Scotch, when its library is there: see scotch.c. */
#ifndef RD_GRAPH_SCOTCH_H
#define RD_GRAPH_SCOTCH_H

#include "graph/graph.h"

/* Fills part_of[0 .. vertices - 1]. RD_EDEVICE: there is no Scotch. */
rd_status rd__scotch_parts(const rd_graph *graph, uint32_t parts, uint32_t *part_of, rd_error *err);

#endif
