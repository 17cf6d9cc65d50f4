/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mark.k.h - a vertex waits once. Where tasks run in any order, a vertex may be given while it waits; the task that
 * waits will do for both. One word for each vertex, its mark, is set from before the vertex is put into a queue until
 * after it was taken out. So all queues of a run together hold no vertex twice, and none that has room for all vertices
 * can overflow.
 *
 * Not lost. Who gives a vertex has changed its data before, and made a release fence; who takes it clears the mark with
 * acquire before it looks at the data. Changes of one mark stand in one order. If giving finds the mark set, the taker
 * that clears it comes later in that order, reads from a chain of exchanges that the giver's is part of, and sees the
 * change. If not, the giver puts the vertex into a queue itself.
 *
 * Where there are several queues, a mark is a set of bits, one for each queue (mark_add, mark_take): the same, bit by
 * bit.
 */
#ifndef RD_SCHED_MARK_K_H
#define RD_SCHED_MARK_K_H

#include "raddle/kernel.h"

/* After rd_fence_rel(). @return 1: it did not wait, and has to be put into a queue. */
rd_fn rd_u32 mark_set(rd_global rd_u32 *mark)
{
    return !rd_xchg_fen(mark, 1); /* pairs with mark_clear */
}

/* It was taken out. */
rd_fn void mark_clear(rd_global rd_u32 *mark)
{
    rd_xchg_acq(mark, 0); /* pairs with mark_set */
}

/* As mark_set. @return the bits that were there. */
rd_fn rd_u32 mark_add(rd_global rd_u32 *mark, rd_u32 bits)
{
    return rd_or_fen(mark, bits); /* pairs with mark_take */
}

/* As mark_clear. @return the bits that were there. */
rd_fn rd_u32 mark_take(rd_global rd_u32 *mark, rd_u32 bits)
{
    return rd_and_acq(mark, ~bits); /* pairs with mark_add */
}

#endif
