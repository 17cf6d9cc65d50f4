/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranked.k.h - for apps whose tasks are {rank, data}, least rank first where the scheduler has an order (`heap`,
 * nearly `multi`; `bag` has none). Such an app defines
 *
 *   #define RD_TASK_GIVES 2      most tasks that one task gives, 1 to 8
 *   RD_APP_ARGS, rd_app          as every app
 *   rd_u32 rd_app_keep(const rd_app *a, rd_u64 rank, rd_u64 data)
 *                                is the task still worth running? 0: it is dropped
 *   void rd_app_task(const rd_app *a, rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
 *                                runs it, on one lane; gives others by rd_give_ranked
 *
 * and ends with sched/entry.k.h. What a task wrote before it gave is seen by the task that was given.
 */
#ifndef RD_SCHED_RANKED_K_H
#define RD_SCHED_RANKED_K_H

#define RD_RANKED 1
#define HEAP_ITEM 128
#include "heap/heap_item.k.h"

/* Private to a lane, as its slots are. */
typedef struct {
    heap_item *slot;
    rd_u32 given;
} rd_ranked_worker;

rd_fn void rd_give_ranked(rd_ranked_worker *w, rd_u64 rank, rd_u64 data)
{
    w->slot[w->given] = heap_make(rank, data);
    w->given++;
}

#endif
