/* SPDX-License-Identifier: Apache-2.0 */
/* recolor.h - orders in which colouring again needs no more colours: see recolor.c. */
#ifndef RD_APPS_COLOR_RECOLOR_H
#define RD_APPS_COLOR_RECOLOR_H

#include "core/error.h"
#include "raddle/graph.h"

/* Puts the vertices into another order, class of colour after class; which order the classes have is drawn by `pass`.
 * colour[v] < colours. order: room for each vertex; scratch: for 3 x colours words. */
void rd__color_reorder(const uint32_t *colour, uint32_t vertices, uint32_t colours, uint64_t pass, uint32_t *order,
                       uint32_t *scratch);
/* The same, where nobody knows that each colour[v] < colours: else it says so. */
rd_status rd__color_next_order(const uint32_t *colour, uint32_t vertices, uint32_t colours, uint64_t pass,
                               uint32_t *order, rd_error *err);
/* Puts in place of `*colours` colours those that an order by number needs, where these are fewer. other: room for the
 * colour of each vertex. */
rd_status rd__color_or_by_number(const rd_csr *csr, uint32_t *colour, uint32_t *colours, uint32_t *other,
                                 rd_error *err);
/* Numbers colours from 0 on, without gaps: a guess that was taken back may leave one. */
rd_status rd__color_close_gaps(uint32_t *colour, uint32_t vertices, rd_error *err);

#endif
