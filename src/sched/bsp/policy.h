/* SPDX-License-Identifier: Apache-2.0 */
/* policy.h - scheduler `bsp` as the user sees it, for all its engines. */
#ifndef RD_SCHED_BSP_POLICY_H
#define RD_SCHED_BSP_POLICY_H

#include "sched/sched.h"

extern const rd__policy rd__policy_bsp;

#endif
