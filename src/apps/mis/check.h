/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - is this a maximal independent set? Knows nothing of how it was found. */
#ifndef RD_MIS_CHECK_H
#define RD_MIS_CHECK_H

#include "core/error.h"

/* in[v]: 1 for a vertex in the set, 0 for one that is not. The graph is symmetric; loops do not count.
 * @return RD_OK, or RD_EWRONG with the first fault. */
rd_status rd__mis_check(const rd_csr *csr, const uint32_t *in, rd_error *err);

#endif
