/* SPDX-License-Identifier: Apache-2.0 */
/* ranked.k.h - engine: scheduler `heap` for ranked tasks. What it is made of, in order. */
#include "model/item.k.h"
#include "sched/rank/layout.k.h"
#include "sched/heap/queue.k.h"
#include "sched/rank/work.k.h"
#include "sched/rank/tasks.k.h"
#include "sched/rank/sift.k.h"
#include "sched/heap/collect.k.h"
