/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heap.k.h - a concurrent priority queue whose nodes are batches of k sorted items, kernel side. After C. Huang, "A
 * Model for Concurrent Priority Queue on Many-core Architectures", Rutgers 2019, with the corrections below.
 *
 * Layout. Node i (1 is the root, 2i and 2i+1 its children) is item[i*k] .. item[i*k + k-1]. Node 0 is the partial
 * buffer, with fewer than k items. state[i] says who owns node i, the head word counts full nodes and partial items.
 *
 * At rest:  P1  the items of a node and of the partial buffer ascend
 *           P2  no item of a node is greater than an item of its children
 *           P3  full nodes are heap_slot(1) .. heap_slot(size): each level is filled before the next
 * The partial buffer has no place in the order (the thesis keeps it above the root's items); a deletion merges it with
 * the root first. So an insertion of few items touches nothing else.
 *
 * One group works on an operation. It holds a few nodes at a time, from top to bottom (deletion, heap_insert) or from
 * bottom to top (heap_insert_up), and keeps the items of the node it holds in group memory until it goes on, so each
 * level costs one read and one write of a node.
 *
 * The head is a ticket lock in one word with the counts: who is served knows them without another trip to memory. It
 * stands for the root, too, except while there are only insertions from below: then nobody locks it to count a full
 * node, an addition is enough, and the root has a state like all other nodes. One lane (CPUs) takes the head by
 * compare-and-swap instead: a ticket of a thread that does not run would stop all others.
 *
 * Mixed traffic (heap_insert, heap_delete). Locks are taken from parent to child. Nobody but the owner of the parent
 * waits for a node, with one exception, the owner of the head, who takes the last node away; that node is then HANDED,
 * and nobody waits for it. The owner of a node never waits for one above it. So there is no circle of waiting.
 *   An insertion reserves its slot as TARGET and walks down to it, leaving the least items on the way. A deletion that
 * needs the items of a TARGET, because it is the last slot, makes it MARKED; the insertion sees it, stops where it is,
 * leaves the items in the slot as HANDED, and the deletion takes them as it would have taken those of a leaf. All other
 * groups pass over slots that are TARGET, MARKED or HANDED as if they were EMPTY: what will come to a TARGET comes
 * through its parent, whose owner they are. The insertion takes its slot before it lets the slot's parent go.
 *   Of two siblings the one whose old maximum is less gets the lesser half: its maximum does not grow, and that of
 * the other one stays, so the order below both stands.
 *
 * Insertions alone (heap_insert_up). An insertion holds its slot and takes the parent, from bottom to top; an edge that
 * is out of order belongs to the group that holds its lower end. Nobody waits for a node below, so there is no circle.
 * It stops as soon as the order holds, which on the average is far from the root. With deletions about, this would be
 * wrong (they take locks in the other order, and take away the last slot while its insertion climbs). HEAP_PHASE keeps
 * them apart: an operation in the wrong phase is refused and counted, and changes nothing. The host sets the phase
 * between launches.
 *
 * Orders. A node's items are read after an acquire (the compare-and-swap that makes it BUSY, the load that sees HANDED
 * or the head's serving) by one lane and a barrier, and written before a barrier and a release (the store of its next
 * state, the addition to the head) by one lane. The chain of owners of a node is so a chain of release and acquire.
 * States are only changed by who owns the node or the head.
 */
#ifndef RD_HEAP_K_H
#define RD_HEAP_K_H

#include "heap/heap_layout.k.h"
#include "heap/heap_sort.k.h"

#define HEAP_BOARD  8 /* 64-bit words of group memory through which one lane tells the others */
#define BOARD_HEAD  0
#define BOARD_CHILD 1 /* and 2: states in which the children were found */
#define BOARD_SLOT  3
#define BOARD_PLACE 4
#define BOARD_NEXT  5

/* What a group has of the heap. buf and board are group memory; x, a, b are the lists in buf, equal in all lanes. */
typedef struct {
    rd_global heap_item *item;
    rd_global rd_u32 *state;
    rd_global rd_u64 *control;
    rd_u32 k, nodes;
    rd_local heap_item *buf;
    rd_local rd_u64 *board;
    rd_u32 x, a, b;
#if RD_LANES == 1
    rd_u32 c, d; /* lists that are spare: what is merged goes there, and they take each other's place */
#endif
    rd_u32 levels, merges, skips, handed, refused, inserts, deletes; /* counts; only lane 0's are used */
} heap_group;

rd_fn void heap_open(heap_group *g, rd_global heap_item *item, rd_global rd_u32 *state, rd_global rd_u64 *control,
                     rd_u32 k, rd_u32 nodes, rd_local heap_item *buf, rd_local rd_u64 *board)
{
    g->item = item;
    g->state = state;
    g->control = control;
    g->k = k;
    g->nodes = nodes;
    g->buf = buf;
    g->board = board;
    g->x = 0;
    g->a = HEAP_ROOM;
    g->b = 2 * HEAP_ROOM;
#if RD_LANES == 1
    g->c = 3 * HEAP_ROOM;
    g->d = 4 * HEAP_ROOM;
#endif
    g->levels = g->merges = g->skips = g->handed = g->refused = g->inserts = g->deletes = 0;
}

/* Adds this group's counts to the heap's. */
rd_fn void heap_close(heap_group *g)
{
    if (rd_lane() == 0) {
        const rd_u32 count[HEAP_FAULTS] = {g->inserts, g->deletes, g->levels, g->merges,
                                           g->skips,   g->handed,  g->refused};
        for (rd_u32 i = 0; i < HEAP_FAULTS; i++)
            if (count[i])
                rd_add64_rlx(&g->control[HEAP_STATS + i], count[i]); /* read by the host */
    }
}

/* Lanes with a part of their own, in different warps where there are several: what one waits for does not hold up the
 * others. */
#define HEAP_LANE_FIRST  0u
#define HEAP_LANE_SECOND (rd_lanes() / 2)
#define HEAP_LANE_THIRD  (rd_lanes() / 4)
#define HEAP_LANE_FOURTH (rd_lanes() / 4 * 3)
#define HEAP_LANE_LAST   (rd_lanes() - 1)

/* The host sets the phase between launches. */
rd_fn rd_u32 heap_phase_is(const heap_group *g, rd_u32 phase)
{
    return rd_ld64_rlx(&g->control[HEAP_PHASE]) == phase; /* no one changes it in a launch */
}

rd_fn rd_u32 heap_log2(rd_u32 n)
{
    rd_u32 log = 0;
    for (rd_u32 step = 16; step > 0; step /= 2)
        if (n >> log >> step)
            log += step;
    return log;
}

/* The n-th full node. Within a level slots are visited in bit-reversed order, so that paths to nodes that are filled
 * one after another have only the root in common. */
rd_fn rd_u32 heap_slot(rd_u32 n)
{
    const rd_u32 level = heap_log2(n);
    rd_u32 r = n << (31 - level) << 1; /* the bits below the highest one, at the top */
    r = (r & 0x55555555u) << 1 | (r >> 1 & 0x55555555u);
    r = (r & 0x33333333u) << 2 | (r >> 2 & 0x33333333u);
    r = (r & 0x0f0f0f0fu) << 4 | (r >> 4 & 0x0f0f0f0fu);
    r = (r & 0x00ff00ffu) << 8 | (r >> 8 & 0x00ff00ffu);
    r = r << 16 | r >> 16;
    return 1u << level | r;
}

/* ---- Items between memory and lists; the caller's barrier completes them ---- */

/* Item i of a list. To one lane they lie in a row, which a sum that may wrap around would hide from compilers. */
#if RD_LANES == 1
#define heap_at(g, list, i) (((g)->buf + (list))[i])
#else
#define heap_at(g, list, i) ((g)->buf[(list) + (i)])
#endif

rd_fn void heap_load(const heap_group *g, rd_u32 list, rd_u32 node)
{
    const rd_u32 k = heap_k(g); /* here and below: items may be words too, and a compiler cannot tell them from k */
    rd_global const heap_item *from = g->item + (rd_u64)node * k;
    for (rd_u32 i = rd_lane(); i < k; i += rd_lanes())
        heap_at(g, list, i) = from[i];
}

rd_fn void heap_store(const heap_group *g, rd_u32 list, rd_u32 node)
{
    const rd_u32 k = heap_k(g);
    rd_global heap_item *to = g->item + (rd_u64)node * k;
    for (rd_u32 i = rd_lane(); i < k; i += rd_lanes())
        to[i] = heap_at(g, list, i);
}

/* The partial buffer's n items, and pads. */
rd_fn void heap_load_partial(const heap_group *g, rd_u32 list, rd_u32 n)
{
    for (rd_u32 i = rd_lane(); i < heap_k(g); i += rd_lanes())
        if (i < n)
            g->buf[list + i] = g->item[i];
        else
            g->buf[list + i] = HEAP_PAD;
}

/* Pads the list from its n-th item on: as many as heap_sort may look at, if that is more than k. */
rd_fn void heap_pad(const heap_group *g, rd_u32 list, rd_u32 n)
{
    const rd_u32 end = heap_k(g) < HEAP_SORTED ? HEAP_SORTED : heap_k(g);
    for (rd_u32 i = n + rd_lane(); i < end; i += rd_lanes())
        g->buf[list + i] = HEAP_PAD;
}

rd_fn void heap_exchange(rd_u32 *x, rd_u32 *y)
{
    const rd_u32 other = *x;
    *x = *y;
    *y = other;
}

/* Sorts the first n items of list x, and pads the others. */
rd_fn void heap_sort_x(heap_group *g, rd_u32 n)
{
#if RD_LANES == 1
    if (heap_sort(g->buf, g->x, g->c, n) != g->x)
        heap_exchange(&g->x, &g->c);
    heap_pad(g, g->x, n);
#else
    heap_pad(g, g->x, n);
    heap_sort(g->buf, g->x, n, heap_k(g));
#endif
}

/* ---- Locks: each by one lane ---- */

/* Waits until the head is ours. @return the head word. */
rd_fn rd_u64 heap_wait_head(const heap_group *g)
{
    rd_global rd_u64 *head = &g->control[HEAP_HEAD];
#if RD_LANES == 1
    rd_u64 seen = rd_ld64_rlx(head); /* a guess: the swap below decides */
    rd_u32 won = 0;
    while (!won) {
        while (seen >> HEAP_SERVING_SHIFT & 1) { /* odd: someone is served */
            rd_pause();
            seen = rd_ld64_rlx(head); /* partner: the addition in heap_release_head */
        }
        const rd_u64 old = rd_cas64_acq(head, seen, seen + HEAP_SERVING_ONE); /* pairs with heap_release_head */
        won = old == seen;
        seen = old;
    }
    return seen;
#else
    const rd_u32 ticket = (rd_u32)rd_add64_rlx(&g->control[HEAP_TICKET], 1) & HEAP_SERVING_MASK;
    rd_u64 seen = rd_ld64_acq(head); /* pairs with heap_release_head */
    while ((rd_u32)(seen >> HEAP_SERVING_SHIFT) != ticket) {
        rd_pause();
        seen = rd_ld64_acq(head); /* likewise */
    }
    return seen;
#endif
}

rd_fn rd_u64 heap_lock_head(const heap_group *g)
{
    if (rd_lane() == HEAP_LANE_FIRST)
        g->board[BOARD_HEAD] = heap_wait_head(g);
    rd_barrier(); /* the board is complete */
    return g->board[BOARD_HEAD];
}

/* Serves the next one, and changes the counts. */
rd_fn void heap_release_head(const heap_group *g, rd_u64 change)
{
    rd_add64_rel(&g->control[HEAP_HEAD], HEAP_SERVING_ONE + change); /* pairs with the acquire in heap_wait_head */
}

/* Takes a node that is or will be full. */
rd_fn void heap_take_full(const heap_group *g, rd_u32 node)
{
    while (rd_cas_acq(&g->state[node], HEAP_FULL, HEAP_BUSY) != HEAP_FULL) /* pairs with heap_release */
        while (rd_ld_rlx(&g->state[node]) != HEAP_FULL)
            rd_pause();
}

/* Takes a child if it is there. @return HEAP_FULL when it was taken. */
rd_fn rd_u32 heap_take_child(const heap_group *g, rd_u32 node)
{
    rd_u32 found = HEAP_EMPTY;
    if (node < g->nodes) {
        found = rd_cas_acq(&g->state[node], HEAP_FULL, HEAP_BUSY); /* pairs with heap_release */
        while (found == HEAP_BUSY) {
            while (rd_ld_rlx(&g->state[node]) == HEAP_BUSY)
                rd_pause();
            found = rd_cas_acq(&g->state[node], HEAP_FULL, HEAP_BUSY); /* pairs with heap_release */
        }
    }
    return found;
}

/* The same for a child of the root: its parent's owner has the head, so nobody else can take it, and a look is enough.
 */
rd_fn rd_u32 heap_take_below_root(const heap_group *g, rd_u32 node)
{
    rd_u32 found = rd_ld_acq(&g->state[node]); /* pairs with heap_release */
    while (found == HEAP_BUSY) {
        rd_pause();
        found = rd_ld_acq(&g->state[node]); /* likewise */
    }
    if (found == HEAP_FULL)
        rd_st_rlx(&g->state[node], HEAP_BUSY); /* partner: who wants it next, and waits for heap_release */
    return found;
}

/* Takes the last node, for its items: HANDED, not BUSY, for the owner of its parent must not wait for it while we wait
 * for the root's children. An insertion that is on its way to it is told to hand its items over. */
rd_fn void heap_take_last(const heap_group *g, rd_u32 node)
{
    rd_u32 found = rd_cas_acq(&g->state[node], HEAP_FULL, HEAP_HANDED); /* pairs with heap_release */
    while (found != HEAP_FULL && found != HEAP_HANDED) {
        if (found == HEAP_TARGET)
            rd_cas_acqrel(&g->state[node], HEAP_TARGET, HEAP_MARKED); /* partner: the insertion's in heap_claim */
        else
            rd_pause();
        found = rd_ld_acq(&g->state[node]); /* pairs with the release of HANDED */
        if (found == HEAP_FULL)
            found = rd_cas_acq(&g->state[node], HEAP_FULL, HEAP_HANDED); /* pairs with heap_release */
    }
}

/* Lets a node go that this group owns. */
rd_fn void heap_release(const heap_group *g, rd_u32 node, rd_u32 state)
{
    rd_st_rel(&g->state[node], state); /* pairs with the acquires in heap_take_... */
}

/* ---- The least of two lists ---- */

/* Brings the k least of lists *x and *y to *x, the others to *y; exchanges the lists, with each other or with spare
 * ones, where that is enough. @return 0 when they were in order already. The lists are complete before (a barrier) and
 * after. */
rd_fn rd_u32 heap_order(heap_group *g, rd_u32 *x, rd_u32 *y)
{
    const rd_u32 k = heap_k(g);
    const rd_u32 in_order = !heap_less(g->buf[*y], g->buf[*x + k - 1]);
    const rd_u32 reversed = !in_order && !heap_less(g->buf[*x], g->buf[*y + k - 1]);
    rd_once(!in_order && !reversed) {
#if RD_LANES == 1
        heap_merge(g->buf, *x, *y, g->c, g->d, k);
        heap_exchange(x, &g->c);
        heap_exchange(y, &g->d);
#else
        heap_merge(g->buf, *x, *y, k);
#endif
    }
    g->merges += !in_order && !reversed;
    g->skips += in_order || reversed;
    if (reversed)
        heap_exchange(x, y);
    return !in_order;
}

#include "heap/heap_insert.k.h"
#include "heap/heap_delete.k.h"

#endif
