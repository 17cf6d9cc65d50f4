/* SPDX-License-Identifier: Apache-2.0 */
/* heap_delete.k.h - deletion of the least items. Part of heap.k.h, which has the protocol. */
#ifndef RD_HEAP_DELETE_K_H
#define RD_HEAP_DELETE_K_H

/* Takes the children of cur that are there, the two in parallel; `taken` is ours already and counts as absent.
 * Completed by a barrier. */
rd_fn void heap_take_children(const heap_group *g, rd_u32 cur, rd_u32 taken)
{
    for (rd_u32 c = 0; c < 2; c++)
        if (rd_lane() == (c ? HEAP_LANE_LAST : HEAP_LANE_SECOND)) {
            const rd_u32 node = 2 * cur + c;
            g->board[BOARD_CHILD + c] = node == taken                 ? HEAP_EMPTY
                                        : node < 4 && node < g->nodes ? heap_take_below_root(g, node)
                                                                      : heap_take_child(g, node);
        }
}

/* Lets go what is complete after a step of heap_sift, each node by a lane of its own: a release waits for memory. */
rd_fn void heap_release_family(const heap_group *g, rd_u32 cur, rd_u64 change, rd_u32 large, rd_u32 small, rd_u32 taken)
{
    if (rd_lane() == HEAP_LANE_FIRST) {
        if (cur == 1)
            heap_release_head(g, change);
        else
            heap_release(g, cur, HEAP_FULL);
    }
    if (rd_lane() == HEAP_LANE_THIRD && large)
        heap_release(g, large, HEAP_FULL);
    if (rd_lane() == HEAP_LANE_FOURTH) {
        if (taken)
            heap_release(g, taken, HEAP_EMPTY);
        if (small)
            heap_release(g, small, HEAP_FULL);
    }
}

/* Loads the node `taken`, if it is not 0, as list x, and the children of cur that are there as a and b. copies: the old
 * root is put out, too. */
rd_fn void heap_load_family(const heap_group *g, rd_u32 cur, rd_u32 taken, rd_u32 has_a, rd_u32 has_b, rd_u32 copies,
                            rd_global heap_item *out)
{
    const rd_u32 k = heap_k(g);
    rd_global heap_item *to = out + (copies ? g->board[BOARD_PLACE] : 0);
#if RD_LANES == 1 /* one after another; lanes have all of them under way at once */
    if (taken)
        heap_load(g, g->x, taken);
    if (has_a)
        heap_load(g, g->a, 2 * cur);
    if (has_b)
        heap_load(g, g->b, 2 * cur + 1);
    for (rd_u32 i = 0; copies && i < k; i++)
        to[i] = g->item[k + i];
#else
    for (rd_u32 i = rd_lane(); i < k; i += rd_lanes()) {
        rd_global const heap_item *child = g->item + 2ull * cur * k;
        if (taken)
            g->buf[g->x + i] = g->item[(rd_u64)taken * k + i];
        if (has_a)
            g->buf[g->a + i] = child[i];
        if (has_b)
            g->buf[g->b + i] = child[k + i];
        if (copies)
            to[i] = g->item[k + i];
    }
#endif
}

/* Lets the new root sink to where it belongs. The head is ours. last: a node whose items are the new root; 0: list x
 * has them. copies: the old root is to be put out, at board[BOARD_PLACE]. change: of the head's counts. */
rd_fn void heap_sift(heap_group *g, rd_u32 last, rd_u64 change, rd_u32 copies, rd_global heap_item *out)
{
    const rd_u32 k = heap_k(g);
    rd_u32 cur = 1, taken = last;
    if (last && rd_lane() == HEAP_LANE_FIRST)
        heap_take_last(g, last);
    while (cur) {
        heap_take_children(g, cur, taken);
        rd_barrier(); /* the nodes are ours, the board complete */
        const rd_u32 has_a = g->board[BOARD_CHILD] == HEAP_FULL, has_b = g->board[BOARD_CHILD + 1] == HEAP_FULL;
        heap_load_family(g, cur, taken, has_a, has_b, copies, out);
        rd_barrier(); /* the lists are complete */
        g->levels++;
        /* The lesser half of the children's items goes to the one whose maximum is less. */
        const rd_u32 a_first = !has_b || (has_a && !heap_less(g->buf[g->b + k - 1], g->buf[g->a + k - 1]));
        const rd_u32 small = 2 * cur + !a_first, large = 2 * cur + a_first;
        rd_u32 s = a_first ? g->a : g->b, l = a_first ? g->b : g->a, crossed = 0, moved = 0;
        /* Twice the same: siblings, then the node and its lesser child. A loop, so that there is one copy. */
        for (rd_u32 step = 0; step < 2; step++) {
            const rd_u32 needed = has_a && has_b ? 1 : step && (has_a || has_b);
            rd_u32 low = step ? g->x : s, high = step ? s : l, changed = 0;
            rd_once(needed)
                changed = heap_order(g, &low, &high);
            g->x = step ? low : g->x;
            s = step ? high : low;
            l = step ? l : high;
            crossed = step ? crossed : changed;
            moved = changed;
        }
        /* x is cur's now, s goes on if it moved, l is complete. */
        heap_store(g, g->x, cur);
        if (crossed)
            heap_store(g, l, large);
        if (crossed && !moved)
            heap_store(g, s, small);
        rd_barrier(); /* the nodes are written, the lists read */
        heap_release_family(g, cur, change, has_a && has_b ? large : 0, (has_a || has_b) && !moved ? small : 0, taken);
        /* The list that goes on is x. */
        const rd_u32 unused = g->x;
        g->x = s;
        g->a = l;
        g->b = unused;
        cur = moved ? small : 0;
        taken = copies = 0;
    }
}

/* Puts out the `got` least items of root and partial buffer. Of the `rest` others k go to list x when they are enough
 * for a root, and the partial buffer has what is left. */
rd_fn void heap_split_root(heap_group *g, rd_u32 size, rd_u32 partial, rd_u32 got, rd_u32 rest,
                           rd_global heap_item *out)
{
    const rd_u32 k = heap_k(g), stays = size && rest >= k;
    if (size)
        heap_load(g, g->a, 1);
    heap_load_partial(g, g->b, partial);
    rd_barrier(); /* lists a and b and the board are complete */
    rd_once(size && partial)
        heap_order(g, &g->a, &g->b);
    rd_global heap_item *to = out + g->board[BOARD_PLACE];
    for (rd_u32 i = rd_lane(); i < got + rest; i += rd_lanes()) {
        const heap_item item = size && i < k ? g->buf[g->a + i] : g->buf[g->b + i - (size ? k : 0)];
        if (i < got)
            to[i] = item;
        else if (stays && i - got < k)
            g->buf[g->x + i - got] = item;
        else
            g->item[i - got - (stays ? k : 0)] = item; /* the partial buffer */
    }
    rd_barrier(); /* lists a and b are read; the partial buffer and x are written */
}

/* Deletes the least m <= k items, or all when there are fewer, and puts them to out[place], where place counts the
 * items deleted so far (HEAP_OUT), or is 0 when not counted. So what is put out is in order unless something is
 * inserted meanwhile. Complete at the caller's next barrier.
 * @return how many. */
heap_fn rd_u32 heap_delete(heap_group *g, rd_u32 m, rd_global heap_item *out, rd_u32 counted)
{
    const rd_u32 k = heap_k(g), allowed = heap_phase_is(g, HEAP_PHASE_MIXED);
    rd_u32 got = 0;
    rd_once(allowed) {
        const rd_u64 head = heap_lock_head(g);
        const rd_u32 size = HEAP_SIZE_OF(head), partial = HEAP_PARTIAL_OF(head);
        got = size || partial > m ? m : partial;
        if (rd_lane() == HEAP_LANE_THIRD) /* in the order in which groups have the head */
            g->board[BOARD_PLACE] = counted ? rd_add64_rlx(&g->control[HEAP_OUT], got) : 0;
        const rd_u32 rest = (size ? k : 0) - got + partial; /* items of root and partial buffer that remain */
        const rd_u32 stays = size && rest >= k;             /* enough for a root: the last node is left alone */
        const rd_u32 last = size && !stays ? heap_slot(size) : 0;
        const rd_u64 change = (rd_u64)(stays ? rest - k : rest) - partial - (last ? HEAP_SIZE_ONE : 0);
        const rd_u32 simple = last > 1 && partial == 0 && got == k; /* the root is the answer: heap_sift copies it */
        rd_once(!simple)
            heap_split_root(g, size, partial, got, rest, out);
        if (last <= 1 && !stays && rd_lane() == HEAP_LANE_FIRST) {
            if (last == 1)
                heap_release(g, 1, HEAP_EMPTY);
            heap_release_head(g, change);
        }
        rd_once(last > 1 || stays)
            heap_sift(g, last, change, simple, out);
        g->deletes++;
        rd_barrier(); /* lists and board may be used again */
    }
    g->refused += !allowed;
    return got;
}

#endif
