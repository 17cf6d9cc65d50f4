/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - the checker of spanning forests. */
#ifndef RD_APPS_MST_CHECK_H
#define RD_APPS_MST_CHECK_H

#include "core/error.h"

/* edge: `count` places of edges, ascending. *right: the checker's own forest, found the first time and then kept by
 * the caller, who frees it with rd__array_free; its first word is how many edges it has. real: weights are. */
rd_status rd__mst_check(const rd_csr *csr, int real, uint32_t **right, const uint32_t *edge, uint64_t count,
                        rd_error *err);

#endif
