/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - are these the shortest distances? Knows nothing of how they were found. */
#ifndef RD_SSSP_CHECK_H
#define RD_SSSP_CHECK_H

#include "core/error.h"

/* csr has weights, none below 0. source RD_NONE: the graph has no vertices. distance RD_NONE: not reached.
 * @return RD_OK, RD_EWRONG with the first fault, RD_EINPUT when a distance does not fit 32 bits, RD_ENOMEM. */
rd_status rd__sssp_check_distances(const rd_csr *csr, int real, uint32_t source, const uint32_t *distance,
                                   rd_error *err);
/* The distances were checked before. */
rd_status rd__sssp_check_parents(const rd_csr *csr, int real, uint32_t source, const uint32_t *distance,
                                 const uint32_t *parent, rd_error *err);

#endif
