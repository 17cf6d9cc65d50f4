/* SPDX-License-Identifier: Apache-2.0 */
/* ranked.k.h - engine: scheduler `multi` for ranked tasks. What it is made of, in order. */
#include "model/item.k.h"
#include "sched/rank/layout.k.h"
#include "sched/multi/queue.k.h"
#include "sched/rank/work.k.h"
#include "sched/rank/tasks.k.h"
#include "sched/rank/sift.k.h"
#include "sched/multi/collect.k.h"
