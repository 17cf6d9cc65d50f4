/* SPDX-License-Identifier: Apache-2.0 */
/*
 * row_sort.h - sorts the edges of one vertex: 32-bit targets alone, or targets with weights as one 64-bit key (target,
 * then weight), so that the order is total and the result does not depend on the order the edges came in.
 *
 * Rows that are sorted already (most files) are only looked at. Short rows are sorted by insertion; long ones by a
 * least-significant-digit radix sort with 8-bit digits that skips digits in which all keys agree, with a second array
 * as long as the row.
 */
#ifndef RD_GRAPH_ROW_SORT_H
#define RD_GRAPH_ROW_SORT_H

#include "core/memory.h"

/* Memory for sorting, one a thread; grows to the longest row met. Zero it first. */
typedef struct rd__row_sorter {
    void *room;
    uint64_t bytes;
} rd__row_sorter;

/* @return 0 when there is no memory; the row then holds all its edges in some order. */
int rd__row_sort(rd__row_sorter *sorter, uint32_t *col, int32_t *weight, uint64_t count);
/* Drops all but the first of equal targets in a sorted row. @return how many are left. */
uint64_t rd__row_unique(uint32_t *col, int32_t *weight, uint64_t count);
void rd__row_sorter_free(rd__row_sorter *sorter);

#endif
