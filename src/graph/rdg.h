/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rdg.h - layout of .rdg, Raddle's own file: the arrays of a graph as they lie in memory, so that a file is mapped and
 * not read.
 *
 *   0    header, 128 bytes (below), in the byte order of the machine that wrote it, which `order` tells
 *   128  sections, each at a multiple of 64, zeros between them, in this order:
 *          row     uint64 x (vertices + 1)
 *          col     uint32 x edges
 *          weight  int32  x edges      when RD_RDG_WEIGHTS is set; with RD_RDG_REAL words of rd_weight_word
 *          ids     uint64 x vertices   when RD_RDG_IDS is set: what the text that they came from called them
 *          text    text_bytes          provenance, UTF-8 without a NUL
 *
 * header_sum is a checksum of the 120 bytes before it and is always checked. content_sum covers row, col, weight and
 * ids; it takes a pass over all of the file and is checked on request (rd_graph_options.verify). Opening always checks,
 * in parallel, that offsets do not fall, that targets are in range and that rows ascend, so a damaged file gives a
 * message and not a crash.
 */
#ifndef RD_GRAPH_RDG_H
#define RD_GRAPH_RDG_H

#include "graph/graph.h"

#define RD_RDG_MAGIC     "\x89RDG\r\n\x1a\n" /* 8 bytes; damaged by text-mode transfers, as PNG's is */
#define RD_RDG_VERSION   1u
#define RD_RDG_ORDER     0x01020304u
#define RD_RDG_WEIGHTS   1u
#define RD_RDG_SYMMETRIC 2u
#define RD_RDG_IDS       4u
#define RD_RDG_FROM_ONE  8u  /* without ids: vertex v was called v + 1 where it came from */
#define RD_RDG_REAL      16u /* weights are floats, as words of rd_weight_word */
#define RD_RDG_FLAGS     31u /* all that version 1 knows */
#define RD_RDG_ALIGN     64u

typedef struct rd__rdg_header {
    char magic[8];
    uint32_t version, order, flags, vertices;
    uint64_t edges;
    uint64_t row_at, col_at, weight_at, ids_at, text_at; /* from the start of the file; 0: absent */
    uint64_t text_bytes;
    uint64_t file_bytes;
    uint64_t content_sum;
    uint64_t unused[3]; /* zeros */
    uint64_t header_sum;
} rd__rdg_header;

_Static_assert(sizeof(rd__rdg_header) == 120 + 8, "the header of .rdg is 128 bytes");

/* Fills in where the sections go and the size of the file, from vertices, edges, flags and text_bytes. */
void rd__rdg_place(rd__rdg_header *header);
uint64_t rd__rdg_header_sum(const rd__rdg_header *header);
/* The checksum of row, col, weight and ids. */
uint64_t rd__rdg_content_sum(const rd_graph *graph);

/* A checksum of arrays one after another: start with 0, then once for each. In parallel; independent of the number of
 * threads. */
uint64_t rd__checksum(uint64_t sum, const void *data, uint64_t bytes, unsigned threads);

#endif
