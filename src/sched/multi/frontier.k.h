/* SPDX-License-Identifier: Apache-2.0 */
/* frontier.k.h - engine: scheduler `multi` for vertices, by the rank that the app gives them. What it is made of, in
 * order. */
#include "sched/rank/vertex_sizes.k.h"
#include "model/item.k.h"
#include "sched/rank/layout.k.h"
#include "sched/multi/queue.k.h"
#include "sched/rank/work.k.h"
#include "sched/rank/vertices.k.h"
#include "sched/rank/sift.k.h"
#include "sched/multi/collect.k.h"
