/* SPDX-License-Identifier: Apache-2.0 */
/* policy.h - scheduler `steal` as the user sees it, for all its engines. */
#ifndef RD_SCHED_STEAL_POLICY_H
#define RD_SCHED_STEAL_POLICY_H

#include "sched/sched.h"

extern const rd__policy rd__policy_steal;

#endif
