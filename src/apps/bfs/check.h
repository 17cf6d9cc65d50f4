/* SPDX-License-Identifier: Apache-2.0 */
/* check.h - is this the result of a breadth-first search? Knows nothing of how it was found. */
#ifndef RD_BFS_CHECK_H
#define RD_BFS_CHECK_H

#include "core/error.h"

/* source RD_NONE: the graph has no vertices. @return RD_OK, RD_EWRONG with the first fault, RD_ENOMEM. */
rd_status rd__bfs_check_depths(const rd_csr *csr, uint32_t source, const uint32_t *depth, rd_error *err);
rd_status rd__bfs_check_parents(const rd_csr *csr, uint32_t source, const uint32_t *parent, rd_error *err);

#endif
