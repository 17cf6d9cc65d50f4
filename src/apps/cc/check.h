/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - are these the connected components? Knows nothing of how they were found. */
#ifndef RD_CC_CHECK_H
#define RD_CC_CHECK_H

#include "core/error.h"

/* label[v] must be the smallest vertex of v's component, edges taken both ways. *right: the right labels, worked out
 * when it is NULL; the caller keeps them for the same graph and frees them with rd__array_free.
 * @return RD_OK, RD_EWRONG with the first fault, RD_ENOMEM. */
rd_status rd__cc_check(const rd_csr *csr, uint32_t **right, const uint32_t *label, rd_error *err);

#endif
