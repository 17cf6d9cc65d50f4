/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap_steps.k.h - the pipelined heap, to compare with: N. Deo and S. Prasad 1992, on GPUs X. He and others 2012
 * ("P-Sync"). No node has a lock. Each level has at most one operation, even and odd levels take turns, and all groups
 * end a turn together: each turn is a launch, and what one wrote the next reads. An operation enters at the root every
 * second turn and goes one level down in each, so one that is at a level that has its turn works on nodes of that level
 * and the next, which nobody else does.
 *
 * An insertion carries its items down to its slot: in carry[level], for the operation at that level. A deletion has a
 * turn of its own before it enters, heap_fetch, for the last node may lie anywhere: it puts the root out and the last
 * node in its place. What is left to do is in the nodes: a node whose items are too great. When that node is itself the
 * last one and is taken away, nothing is left to do for it.
 */
#ifndef RD_HEAP_STEPS_K_H
#define RD_HEAP_STEPS_K_H

/* The insertion at a level, one level further. Its items are in list x. */
rd_fn void heap_step_insert(heap_group *g, rd_u32 level, rd_u32 cur, rd_u32 slot, rd_global rd_u32 *ops,
                            rd_global heap_item *carry)
{
    const rd_u32 ends = cur == slot;
    rd_once(!ends) {
        heap_load(g, g->a, cur);
        rd_barrier(); /* lists a and x are complete */
        heap_order(g, &g->a, &g->x);
        heap_store(g, g->a, cur);
    }
    for (rd_u32 i = rd_lane(); i < heap_k(g); i += rd_lanes())
        if (ends)
            g->item[(rd_u64)slot * heap_k(g) + i] = g->buf[g->x + i];
        else
            carry[(rd_u64)(level + 1) * heap_k(g) + i] = g->buf[g->x + i];
    if (rd_lane() == 0) { /* all of this is read in later launches */
        ops[level * HEAP_OP_WORDS + HEAP_OP_NODE] = 0;
        if (ends) {
            g->state[slot] = HEAP_FULL;
        } else {
            ops[(level + 1) * HEAP_OP_WORDS + HEAP_OP_NODE] = slot >> (heap_log2(slot) - level - 1);
            ops[(level + 1) * HEAP_OP_WORDS + HEAP_OP_SLOT] = slot;
        }
    }
    g->levels++;
}

/* The deletion at a level, one level further: node cur and its children. */
rd_fn void heap_step_delete(heap_group *g, rd_u32 level, rd_u32 cur, rd_global rd_u32 *ops)
{
    const rd_u32 k = heap_k(g), inner = 2 * cur + 1 < g->nodes && g->state[cur] == HEAP_FULL;
    const rd_u32 has_a = inner && g->state[2 * cur] == HEAP_FULL, has_b = inner && g->state[2 * cur + 1] == HEAP_FULL;
    rd_u32 moved = 0, small = 0;
    rd_once(has_a || has_b) {
        heap_load(g, g->x, cur);
        if (has_a)
            heap_load(g, g->a, 2 * cur);
        if (has_b)
            heap_load(g, g->b, 2 * cur + 1);
        rd_barrier(); /* the lists are complete */
        const rd_u32 a_first = !has_b || (has_a && !heap_less(g->buf[g->b + k - 1], g->buf[g->a + k - 1]));
        small = 2 * cur + !a_first;
        rd_u32 s = a_first ? g->a : g->b, l = a_first ? g->b : g->a, low = g->x;
        rd_once(has_a && has_b)
            heap_order(g, &s, &l);
        moved = heap_order(g, &low, &s);
        heap_store(g, low, cur);
        heap_store(g, s, small);
        if (has_a && has_b)
            heap_store(g, l, small ^ 1);
        g->x = low;
        g->a = s;
        g->b = l;
        g->levels++;
    }
    if (rd_lane() == 0) { /* read in the next launch */
        ops[level * HEAP_OP_WORDS + HEAP_OP_NODE] = 0;
        if (moved)
            ops[(level + 1) * HEAP_OP_WORDS + HEAP_OP_NODE] = small;
    }
}

/* One turn of the levels first, first + 2, ...: a group each. in_count: insertions (the batch that enters begins at
 * item in_count - 1 of `in`), 0: deletions. */
rd_kernel(heap_step, HEAP_STEP_ARGS)
{
    rd_local_array(heap_item, buf, HEAP_BUFFER);
    rd_local_array(rd_u64, board, HEAP_BOARD);
    heap_group g;
    heap_open(&g, heap_items, heap_states, heap_control, heap_node, heap_nodes, buf, board);
    for (rd_u32 level = first + 2 * rd_group(); level < HEAP_LEVELS_MAX; level += 2 * rd_groups()) {
        const rd_u32 enters = level == 0 && in_count && enter;
        const rd_u32 cur = enters ? 1 : ops[level * HEAP_OP_WORDS + HEAP_OP_NODE];
        const rd_u32 slot = enters ? enter : ops[level * HEAP_OP_WORDS + HEAP_OP_SLOT];
        rd_barrier(); /* all lanes have read what the first will write */
        rd_once(cur && in_count) {
            for (rd_u32 i = rd_lane(); i < heap_k(&g); i += rd_lanes())
                g.buf[g.x + i] = enters ? in[in_count - 1 + i] : carry[(rd_u64)level * heap_k(&g) + i];
            rd_once(enters) {
                heap_sort_x(&g, heap_k(&g));
            }
            g.inserts += enters;
            heap_step_insert(&g, level, cur, slot, ops, carry);
        }
        rd_once(cur && !in_count)
            heap_step_delete(&g, level, cur, ops);
        rd_barrier(); /* lists may be used again */
    }
    heap_close(&g);
}

/* The turn before a deletion enters, by one group: the root goes to item out_count of `out`, the items of the last node
 * to the root. */
rd_kernel(heap_fetch, HEAP_STEP_ARGS)
{
    const rd_u32 k = heap_node, last = enter;
    for (rd_u32 i = rd_lane(); i < k; i += rd_lanes()) {
        out[out_count + i] = heap_items[k + i];
        if (last > 1)
            heap_items[k + i] = heap_items[(rd_u64)last * k + i];
    }
    if (rd_lane() == 0) { /* read in the next launch */
        heap_states[last] = HEAP_EMPTY;
        ops[HEAP_OP_NODE] = last > 1;
        rd_add64_rlx(&heap_control[HEAP_STATS + HEAP_DELETES], 1); /* read by the host */
    }
}

#endif
