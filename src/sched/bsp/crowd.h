/* SPDX-License-Identifier: Apache-2.0 */
/* crowd.h - do vertices of many edges have neighbouring numbers? */
#ifndef RD_SCHED_BSP_CROWD_H
#define RD_SCHED_BSP_CROWD_H

#include "raddle.h"

/* Would groups that walk so many vertices in a row have very different numbers of edges? Looks at 512 runs at most,
 * wherever they lie. */
int rd__sweep_is_crowded(const rd_csr *csr, uint32_t lanes);

#endif
