/* SPDX-License-Identifier: Apache-2.0 */
/* policy.h - scheduler `bsp` as the user sees it, for all its engines. */
#ifndef RD_SCHED_BSP_POLICY_H
#define RD_SCHED_BSP_POLICY_H

#include "sched/sched.h"

extern const rd__policy rd__policy_bsp;
extern const char rd__bsp_loops_need_all[]; /* why launch `graph` lends nothing */

/* Options of both engines: who finds out which groups are resident, and how long that waits (discovery.c). */
#define RD__BSP_DISCOVERY_OPTIONS                                                                                      \
    {"discovery", "needed|tickets|spin|destruct|counter", "needed",                                                    \
     "launch persistent: how the kernel finds out which groups are resident; needed: only where nobody can tell", 0},  \
    {                                                                                                                  \
        "delay", "auto|0..268435455", "auto", "of --discovery: turns or looks before it ends; auto: by device, graph", \
            0                                                                                                          \
    }
/* The kind; RD_DISCOVERY_NONE: the launch promises that all are resident, or is a round. */
uint32_t rd__bsp_discovery(const rd__sched_job *job);
/* Its delay before a launch that will visit about so many edges. */
uint32_t rd__bsp_delay(const rd__sched_job *job, uint32_t kind, uint64_t edges);

#endif
