/* SPDX-License-Identifier: Apache-2.0 */
/* order.h - in which order the first residues are pushed (push.k.c). */
#ifndef RD_APPS_PR_ORDER_H
#define RD_APPS_PR_ORDER_H

#include "graph/graph.h"

/* Should few workers come to the vertices scattered? */
uint32_t rd__pr_scatters(const rd_csr *csr);

#endif
