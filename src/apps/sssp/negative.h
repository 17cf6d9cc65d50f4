/* SPDX-License-Identifier: Apache-2.0 */
/* negative.h - what shortest paths by negative weights need on the host. */
#ifndef RD_SSSP_NEGATIVE_H
#define RD_SSSP_NEGATIVE_H

#include "core/error.h"

/* A run ended because there is a cycle of negative weight, or a distance below 32 bits, that the source reaches. Finds
 * the cycle, first among the parents that the run left (of vertices without one RD_NONE), then by itself.
 * @return RD_EINPUT, with who is on the cycle; or RD_ENOMEM. */
rd_status rd__sssp_tell_cycle(const rd_graph *graph, uint32_t source, const uint32_t *parent, rd_error *err);

/* The checker (check_signed.c). distance: infinite where a vertex is not reached; parent: NULL when it was not asked
 * for. @return as rd__sssp_check_distances. */
rd_status rd__sssp_check_signed(const rd_csr *csr, uint32_t source, const double *distance, const uint32_t *parent,
                                rd_error *err);

#endif
