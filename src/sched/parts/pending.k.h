/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pending.k.h - exact termination: how workers know that no task is left and none can come. One word, PENDING, counts
 * units. What a unit stands for is up to the scheduler (the list is below); the rules are the same for all:
 *   cover   A task that is not complete is covered by a unit: its own, or that of the worker or deque that has it. It
 *           is complete when it has run and all that it gave is covered.
 *   raise   A unit is added before what it covers is shown to anyone else.
 *   lower   A unit is taken away when all that it covered is complete, or covered by another one.
 *   pass    A task may get another unit on its way from giver to taker. That is added before the task changes hands,
 *           and the old one is taken away by someone who knows of the change, in the order of memory: the task or its
 *           place was released (a ring's slot, a deque's head, a queue's lock, the counter of seeds) and acquired.
 *
 * Why 0 means the end. Changes of one word stand in one order, the same for all; call it S. Each unit lasts in S from
 * where it is added to where it is taken away. By `raise` and `pass`, and because what happens before something else
 * also stands before it in S, each unit of a task begins before the one before it ends, and the first unit of what a
 * task gave begins before the last one of that task ends. The host adds the first unit before the launch. So units
 * follow each other without a gap until the last one of the last task has ended, when all tasks are complete; and
 * before that place the value in S is never 0. A load that returns 0, however old, tells the truth. A load that is
 * behind returns another number, and the worker looks again: that is all. So every operation is relaxed.
 *   Later the value may be above 0 for a while: a worker added a unit for a task that it then did not get, because
 * others were faster. It takes it away again and has brought no task.
 *   Nobody waits for a worker that has not started: it has no unit, unless the host gave it one.
 *
 * Credit and debt. A worker may hold more units than it needs, and so change the word once for many tasks: it covers
 * what it gives with units of tasks that it took (credit), or takes away later what is complete (debt). Before it looks
 * for 0, and before it leaves, it settles.
 *
 * Who uses it, and what has a unit there:
 *   fifo/fifo.k.h       a task in the ring; a group that has tasks. Units come with tasks that are taken: credit.
 *                       Its gate counts the tasks of one level: who takes away the last unit adds those of the next
 *   fifo/forkjoin.k.h   a task in the ring; a group that has tasks; the seeds, all together
 *   steal/forkjoin.k.h  a group whose lanes or deque have tasks; the seeds. A thief adds its own before it closes the
 *                       theft, and a victim that finds its deque empty has acquired that change of the deque's head
 *   steal/frontier.k.h  the same without seeds; in rounds a level ends by a barrier instead
 *   fifo/dag.k.h        a task that is ready or runs. On cores a task in the ring; a worker that has tasks; credit
 *   steal/dag.k.h       a seed that nobody took; a group that has tasks; a thief as above
 *   rank/work.k.h       a task in the queue or in the hands of a group; 64 bits, for queues may be long; debt
 *   edges/hubs.k.h      a span of a hub that nobody took, in the count of the engine; who takes it gets the unit
 *   tiles/offers.k.h    a unit of the plane that nobody took; where tasks are shared also an offer, and a group that
 *                       has work. Where they are not, 0 means only that nothing is left to take
 */
#ifndef RD_SCHED_PENDING_K_H
#define RD_SCHED_PENDING_K_H

#include "raddle/kernel.h"

/* Before what the units cover is shown. Partner: pending_lower, by the chain of events above. */
rd_fn void pending_raise(rd_global rd_u32 *pending, rd_u32 units)
{
    rd_add_rlx(pending, units);
}

/* After what the units covered is complete. Partners: pending_raise, pending_now. */
rd_fn void pending_lower(rd_global rd_u32 *pending, rd_u32 units)
{
    rd_add_rlx(pending, 0u - units);
}

/* 0: it is over. Partners: both of the above. */
rd_fn rd_u32 pending_now(rd_global const rd_u32 *pending)
{
    return rd_ld_rlx(pending);
}

rd_fn rd_u32 pending_none(rd_global const rd_u32 *pending)
{
    return pending_now(pending) == 0;
}

/* Of 64 bits: raises by `more` and lowers by `less` in one change, which may be below 0: it wraps around and adds up.
 * more: before what it covers is shown; less: complete. @return the value after it. */
rd_fn rd_u64 pending_change64(rd_global rd_u64 *pending, rd_u64 more, rd_u64 less)
{
    return more - less + rd_add64_rlx(pending, more - less); /* partners: itself, pending_none64 */
}

rd_fn rd_u32 pending_none64(rd_global const rd_u64 *pending)
{
    return rd_ld64_rlx(pending) == 0; /* partner: pending_change64 */
}

#endif
