/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - is this a colouring? Knows nothing of how it was found. */
#ifndef RD_COLOR_CHECK_H
#define RD_COLOR_CHECK_H

#include "core/error.h"

/* Every vertex has a colour, no edge joins two vertices of one colour (edges from a vertex to itself do not count), and
 * there are `colours` different ones. @return RD_OK, RD_EWRONG with the first fault, RD_ENOMEM. */
rd_status rd__color_check(const rd_csr *csr, const uint32_t *colour, uint32_t colours, rd_error *err);
/* How many different colours there are. RD_NONE, and all above max_colour, are passed over. */
rd_status rd__color_count(const uint32_t *colour, uint64_t vertices, uint32_t max_colour, uint32_t *colours,
                          rd_error *err);

#endif
