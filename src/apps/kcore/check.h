/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - are these the corenesses? Knows nothing of how they were found. */
#ifndef RD_KCORE_CHECK_H
#define RD_KCORE_CHECK_H

#include "core/error.h"

/* core[v] for each vertex. The graph is symmetric; loops do not count, of parallel edges one does.
 * @return RD_OK, or RD_EWRONG with the first fault. */
rd_status rd__kcore_check(const rd_csr *csr, const uint32_t *core, rd_error *err);

#endif
