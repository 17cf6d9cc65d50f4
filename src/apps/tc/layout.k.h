/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - numbers that both sides of triangle counting share. Plain numbers: both include it. */
#ifndef RD_APPS_TC_LAYOUT_H
#define RD_APPS_TC_LAYOUT_H

/* Edges that are looked through at once while the graph is made acyclic: by a lane; and by a core, which has no others
 * to keep busy, and finds the row that a chunk begins in by a search; it may leave only behind a chunk. */
#define TC_LANE_CHUNK 64u
#define TC_CORE_CHUNK 1024u

/* Graphs that cores take as they are: */
#define TC_SPARSE 1u /* without hubs */
#define TC_HUBS   2u /* with hardly more edges than vertices */
#define TC_EVEN   3u /* with more edges, and rows that are alike: by a bitmap */

#define TC_FLAT      32u   /* most edges of a vertex where there are no hubs */
#define TC_FLAT_MEAN 16u   /* and on average: merging rows of 26 edges takes longer than half of them in a bitmap */
#define TC_EVEN_MOST 64u   /* most edges of a vertex where rows are alike */
#define TC_LEAP      8u    /* there: a step over what is below all of a row */
#define TC_BLOCK     64u   /* vertices that are counted in the graph as it is in a row */
#define TC_PARTS     1024u /* pieces of the prefix sum over chunks */
#define TC_SLOTS     4096u /* words of 64 bits in which triangles are counted */

#endif
