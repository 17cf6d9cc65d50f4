/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raw.h - edges between vertices that are called any numbers, read by several ranks, none of which knows all names.
 *
 * A rank keeps the edges of its blocks in few bytes: how far each end is from that of the edge before it, which in
 * most lists is little, seven bits a byte. When all are there each id goes to the rank that its hash names, which keeps
 * one of each; these are sorted over all ranks, by samples, so that rank r has those from splitter r to splitter r + 1,
 * in order: the number of an id is its place there. Then each rank asks for the numbers of its edges' ends, some edges
 * at a time, and gives the edges away as plain ones.
 *
 * So a rank needs memory for its share of the edges and its share of the names, and the numbers are those that one
 * process gives: the order of all ids.
 */
#ifndef RD_GRAPH_RAW_H
#define RD_GRAPH_RAW_H

#include "graph/part/part.h"
#include "graph/read/ids.h"

typedef struct rd__raw_chunk {
    struct rd__raw_chunk *next;
    uint32_t edges, bytes;
    uint64_t last[2]; /* the ends of the last edge */
} rd__raw_chunk;      /* bytes follow */

typedef struct rd__raw {
    rd_ranks *ranks;
    unsigned lanes;
    int weighted;
    rd__raw_chunk **lane; /* newest first */
    rd__ids ids;          /* those that the hash gives to this rank */
    /* after rd__raw_number */
    uint32_t vertices;
    uint64_t *name;  /* of vertices start[rank] .. start[rank + 1] - 1 */
    uint64_t *split; /* of each rank, the least id that is there */
    uint64_t *start; /* ranks + 1 */
} rd__raw;

rd_status rd__raw_create(rd__raw *raw, rd_ranks *ranks, unsigned lanes, int weighted, rd_error *err);
/* Also of a raw that is all zero. */
void rd__raw_destroy(rd__raw *raw);
/* An edge of a lane, which one thread uses at a time. @return 0 when there is no memory. */
int rd__raw_add(rd__raw *raw, unsigned lane, uint64_t source, uint64_t target, int32_t weight);
/* A vertex that may be without edges; all ranks have to hear of it, and one of them keeps it. @return as above. */
int rd__raw_add_vertex(rd__raw *raw, uint64_t id);
/* All ranks: finds the numbers. */
rd_status rd__raw_number(rd__raw *raw, rd_error *err);
/* All ranks: the edges go to the builder, and are gone here. */
rd_status rd__raw_pour(rd__raw *raw, rd__builder *builder, rd_error *err);

#endif
