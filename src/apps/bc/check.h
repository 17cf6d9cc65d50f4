/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - the checker of betweenness centrality. */
#ifndef RD_APPS_BC_CHECK_H
#define RD_APPS_BC_CHECK_H

#include "core/error.h"

/* score: of each vertex, from `count` sources. A score may be off by a thousandth of what is right, and by a hundred
 * thousandth for each source. */
rd_status rd__bc_check(const rd_csr *csr, const uint32_t *source, uint32_t count, const float *score, rd_error *err);

#endif
