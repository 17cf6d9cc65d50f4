/* SPDX-License-Identifier: Apache-2.0 */
/* heap_insert.k.h - insertion, from above and from below. Part of heap.k.h, which has the protocol. */
#ifndef RD_HEAP_INSERT_K_H
#define RD_HEAP_INSERT_K_H

/* Puts the n < k items of list x with those of the partial buffer (the head is ours). When there are k or more, the
 * least k stay in x. @return 1 then. Ends with a barrier. */
rd_fn rd_u32 heap_add_partial(heap_group *g, rd_u32 n, rd_u32 partial)
{
    const rd_u32 k = heap_k(g), full = n + partial >= k, rest = n + partial - (full ? k : 0);
    heap_load_partial(g, g->a, partial);
    rd_barrier(); /* list a is complete */
    /* The k least to x when x goes on, else to a. */
    rd_u32 low = full ? g->x : g->a, high = full ? g->a : g->x;
    heap_order(g, &low, &high);
    g->x = full ? low : high;
    g->a = full ? high : low;
    for (rd_u32 i = rd_lane(); i < rest; i += rd_lanes())
        g->item[i] = g->buf[g->a + i];
    rd_barrier(); /* the partial buffer is written, list a is read */
    return full;
}

/* Before list x is left in its slot: is it still wanted there? @return the slot's next state. */
rd_fn rd_u32 heap_claim(const heap_group *g, rd_u32 slot)
{
    /* partner: the deletion's in heap_take_last */
    return rd_cas_acqrel(&g->state[slot], HEAP_TARGET, HEAP_BUSY) == HEAP_TARGET ? HEAP_FULL : HEAP_HANDED;
}

/* Takes the full list x down from the root, which is ours with the head, to its slot (not the root). */
rd_fn void heap_sink(heap_group *g, rd_u32 slot, rd_u64 change)
{
    rd_u32 cur = 1, height = heap_log2(slot), next_state = 0;
    if (rd_lane() == HEAP_LANE_FIRST) {
        while (rd_ld_acq(&g->state[slot]) != HEAP_EMPTY) /* an earlier owner still reads it; pairs with its release */
            rd_pause();
        rd_st_rlx(&g->state[slot], HEAP_TARGET); /* from EMPTY only by the owner of the head */
    }
    while (!next_state) {
        heap_load(g, g->a, cur);
        rd_barrier(); /* list a is complete, and so is x */
        rd_once(heap_order(g, &g->a, &g->x))
            heap_store(g, g->a, cur);
        g->levels++;
        height--;
        const rd_u32 next = slot >> height;
        if (rd_lane() == HEAP_LANE_FIRST) {
            rd_u32 claimed = 0;
            if (next == slot || rd_ld_rlx(&g->state[slot]) == HEAP_MARKED) /* a hint; partner: heap_take_last */
                claimed = heap_claim(g, slot);
            else
                heap_take_full(g, next);
            g->board[BOARD_NEXT] = claimed;
        }
        rd_barrier(); /* the node is written, the board complete */
        next_state = (rd_u32)g->board[BOARD_NEXT];
        rd_once(next_state != 0) {
            heap_store(g, g->x, slot);
            rd_barrier(); /* the slot is written */
        }
        if (rd_lane() == HEAP_LANE_LAST) {
            if (next_state)
                heap_release(g, slot, next_state);
            if (cur == 1)
                heap_release_head(g, change);
            else
                heap_release(g, cur, HEAP_FULL);
        }
        cur = next;
    }
    g->handed += next_state == HEAP_HANDED;
}

/* Inserts the first n <= k items of list x, which may come in any order, among insertions and deletions. There must be
 * room for them: a node, when partial buffer and items make one. @return 0: refused, for it is the phase of insertions
 * from below. */
rd_across(heap_fn, rd_u32, heap_insert, (heap_group * g, rd_u32 n))
{
    const rd_u32 k = heap_k(g), allowed = heap_phase_is(g, HEAP_PHASE_MIXED);
    rd_once(allowed) {
        heap_sort_x(g, n);
        const rd_u64 head = heap_lock_head(g);
        rd_u32 full = n == k;
        for (rd_u32 few = n < k; few; few = 0)
            full = heap_add_partial(g, n, HEAP_PARTIAL_OF(head));
        const rd_u32 slot = full ? heap_slot(HEAP_SIZE_OF(head) + 1) : 0;
        const rd_u64 change = (rd_u64)n - (full ? k : 0) + (full ? HEAP_SIZE_ONE : 0);
        for (rd_u32 first = slot == 1; first; first = 0) {
            heap_store(g, g->x, 1);
            rd_barrier(); /* the root is written */
        }
        if (slot <= 1 && rd_lane() == HEAP_LANE_LAST) {
            if (slot == 1)
                heap_release(g, 1, HEAP_FULL);
            heap_release_head(g, change);
        }
        for (rd_u32 sinks = slot > 1; sinks; sinks = 0)
            heap_sink(g, slot, change);
        g->inserts++;
        rd_barrier(); /* lists and board may be used again */
    }
    g->refused += !allowed;
    return allowed;
}

/* ---- From below ---- */

RD_COLD_BEGIN /* seeds */

/* Takes the full list x up from its slot. */
rd_fn void heap_climb(heap_group *g, rd_u32 slot)
{
    rd_u32 cur = slot, above = slot > 1;
    while (above) {
        const rd_u32 parent = cur / 2;
        if (rd_lane() == HEAP_LANE_FIRST)
            heap_take_full(g, parent);
        rd_barrier(); /* the parent is ours */
        heap_load(g, g->a, parent);
        rd_barrier(); /* list a is complete, and so is x */
        const rd_u32 changed = heap_order(g, &g->a, &g->x);
        heap_store(g, g->x, cur);
        rd_barrier(); /* the node is written; list x is read */
        if (rd_lane() == HEAP_LANE_LAST) {
            heap_release(g, cur, HEAP_FULL);
            if (!changed)
                heap_release(g, parent, HEAP_FULL);
        }
        heap_exchange(&g->x, &g->a); /* what the parent gets is not written yet */
        g->levels++;
        cur = changed ? parent : 0;
        above = cur > 1;
    }
    rd_once(cur == 1) {
        heap_store(g, g->x, 1);
        rd_barrier(); /* the root is written */
        if (rd_lane() == HEAP_LANE_LAST)
            heap_release(g, 1, HEAP_FULL);
    }
}

/* As heap_insert, while nobody deletes; else it refuses. @return 0: refused. */
heap_fn rd_u32 heap_insert_up(heap_group *g, rd_u32 n)
{
    const rd_u32 k = heap_k(g);
    const rd_u32 allowed = heap_phase_is(g, HEAP_PHASE_INSERT);
    rd_once(allowed) {
        heap_sort_x(g, n);
        rd_u32 full = n == k;
        for (rd_u32 locked = n < k; locked; locked = 0) {
            const rd_u64 head = heap_lock_head(g);
            full = heap_add_partial(g, n, HEAP_PARTIAL_OF(head));
            if (rd_lane() == HEAP_LANE_LAST)
                heap_release_head(g, (rd_u64)n - (full ? k : 0));
        }
        for (rd_u32 climbs = full; climbs; climbs = 0) {
            if (rd_lane() == HEAP_LANE_FIRST) /* partner: the same addition in other groups; hands out slots */
                g->board[BOARD_SLOT] = HEAP_SIZE_OF(rd_add64_rlx(&g->control[HEAP_HEAD], HEAP_SIZE_ONE)) + 1;
            rd_barrier(); /* the board is complete */
            heap_climb(g, heap_slot((rd_u32)g->board[BOARD_SLOT]));
        }
        g->inserts++;
        rd_barrier(); /* lists and board may be used again */
    }
    g->refused += !allowed;
    return allowed;
}

RD_COLD_END

#endif
