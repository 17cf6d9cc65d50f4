/* SPDX-License-Identifier: Apache-2.0 */
/*
 * own.k.h - scheduler `bsp` on cores: what a core found it runs itself in the next round, unless others are done
 * sooner. Part of bsp/give.k.h and bsp/edges.k.h.
 *
 * A chain, a leg of a road, the tooth of a comb: what comes next lies beside what came before, in the cache of the core
 * that ran it. Where claims are dealt out anew in each round, two cores take such lines from each other all the time,
 * which costs many times what the task does.
 *
 * A core writes what it found to the queue in one piece, if it is no more than its stash holds, and says where that is:
 * its entry for the next round. When all tasks of a round are in such pieces (OWNED is COUNT) claims are made from
 * them: by the core itself, and when it has no more, from those of others, who then are behind. The last claim of
 * a core that takes part is left to it: it is at work on the one before, and will have it in its cache.
 *
 * Orders. Entries are written in a round and read in the next: a barrier or a launch lies between, and two in turn keep
 * writers from readers. Cursors are changed by relaxed additions, which hand out places and nothing else.
 */
#ifndef RD_SCHED_BSP_OWN_K_H
#define RD_SCHED_BSP_OWN_K_H

#include "sched/bsp/group.k.h"

#if RD_CORE

#define BSP_OWN_LEAST 64

rd_fn rd_global rd_u32 *bsp_entry(const bsp_ctx *c, rd_u32 group, rd_u32 round)
{
    return c->control + BSP_OWN + (2 * group + round % 2) * BSP_LINE;
}

/* The group has put `count` tasks into the queue of the next round, from `at` on. */
rd_fn void bsp_own(const bsp_ctx *c, bsp_group *g, rd_u32 at, rd_u32 count)
{
    const rd_u32 round = g->view.number + 1;
    rd_global rd_u32 *const entry = bsp_entry(c, g->id, round);
    if (g->all == 1 && count <= BSP_OWN_LEAST)
        return; /* most likely it will be alone in that round too */
    if (!count || g->id >= c->control[BSP_OWNERS] || entry[BSP_OWN_ROUND] == round)
        return; /* a second piece: nobody owns the round */
    entry[BSP_OWN_ROUND] = round;
    entry[BSP_OWN_FROM] = at;
    entry[BSP_OWN_COUNT] = count;
    rd_st_rlx(&entry[BSP_OWN_CURSOR], 0);   /* partners: the additions two rounds ago, and in the next */
    rd_add_rlx(&g->next[BSP_OWNED], count); /* partner: the same add in other groups; read in the next round */
}

/* Are all tasks of the round in pieces that have owners? The same in all groups. */
rd_fn rd_u32 bsp_is_owned(const bsp_ctx *c, const bsp_group *g)
{
    return g->all > 1 && g->view.kind == BSP_PUSH && g->view.tasks && !g->view.parts && !bsp_option(c, BSP_BITMAP) &&
           rd_ld_rlx(&g->now[BSP_OWNED]) == g->view.tasks;
}

/* A claim of at most `size` tasks, the core's own first. @return where it begins, *end where it ends; the number of
 * tasks when there is none. */
rd_fn rd_u32 bsp_own_claim(const bsp_ctx *c, bsp_group *g, rd_u32 size, rd_u32 stop, rd_u32 *end)
{
    const rd_u32 owners = c->control[BSP_OWNERS];
    for (; g->owner < owners && !stop; g->owner++) {
        const rd_u32 group = g->id + g->owner < owners ? g->id + g->owner : g->id + g->owner - owners;
        rd_global rd_u32 *const entry = bsp_entry(c, group, g->view.number);
        const rd_u32 count = entry[BSP_OWN_ROUND] == g->view.number ? entry[BSP_OWN_COUNT] : 0;
        const rd_u32 left = g->owner && group < g->all ? size : 0; /* to the owner */
        /* partners: the additions in other groups */
        const rd_u32 looks = count && rd_ld_rlx(&entry[BSP_OWN_CURSOR]) + left < count;
        const rd_u32 at = looks ? rd_add_rlx(&entry[BSP_OWN_CURSOR], size) : count;
        if (at < count) {
            *end = entry[BSP_OWN_FROM] + (count - at < size ? count : at + size);
            return entry[BSP_OWN_FROM] + at;
        }
    }
    return g->view.tasks;
}

rd_fn rd_u32 bsp_first_claim(const bsp_ctx *c, bsp_group *g, rd_u32 size, rd_u32 *end)
{
    g->owner = 0;
    return bsp_own_claim(c, g, size, 0, end);
}

#else
#define bsp_first_claim(c, g, size, end) 0
#define bsp_own(c, g, at, count)
#define bsp_is_owned(c, g)                   0
#define bsp_own_claim(c, g, size, stop, end) 0
#endif

#endif
