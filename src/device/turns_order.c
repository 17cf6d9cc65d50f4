/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns_order.c - of those who want a device, who goes before whom.
 *
 * Order: whoever was cancelled (it only wants to clean up), then by priority, then by deadline, then by arrival. A
 * holder is overtaken by a higher priority or an earlier deadline at once, and by its equals after a share of time; so
 * equals take turns, and none of them starves.
 */
#include "device/turns_order.h"

#include "raddle/tool.h"

static const double share_seconds = 0.1; /* after which an equal that waits goes before the holder */

int rd__turn_is_cancelled(const rd__turn *turn)
{
    return turn->cancelled && turn->cancelled(turn->user);
}

/* Does a come before b, apart from arrival? */
static int precedes(const rd__turn *a, const rd__turn *b)
{
    const int hurry = rd__turn_is_cancelled(a), other = rd__turn_is_cancelled(b);
    if (hurry || other)
        return hurry && !other;
    if (a->priority != b->priority)
        return a->priority > b->priority;
    return a->deadline != 0 && (b->deadline == 0 || a->deadline < b->deadline);
}

rd__turn *rd__turns_best(const struct rd__turns *turns)
{
    rd__turn *best = NULL;
    for (rd__turn *turn = turns->first; turn; turn = turn->next)
        if (turn->beside)
            continue;
        else if (!best || precedes(turn, best) || (!precedes(best, turn) && turn->number < best->number))
            best = turn;
    return best;
}

/* Is the holder to make room for one that waits? */
static int overtakes(const rd__turn *waiter, const rd__turn *holder)
{
    return precedes(waiter, holder) || (!precedes(holder, waiter) && rd_now() - holder->since > share_seconds);
}

uint32_t rd__turns_owed(const struct rd__turns *turns, const rd__turn *holder)
{
    const uint32_t workers = turns->beside ? turns->beside->workers : 0;
    return workers <= holder->lends ? workers : 0;
}

int rd__turns_can_lend(const rd__turn *holder, const rd__turn *waiter)
{
    return waiter->workers && !waiter->held && waiter->workers <= holder->lends;
}

int rd__turns_ask(const struct rd__turns *turns, const rd__turn *waiter, const rd__turn *holder)
{
    return overtakes(waiter, holder) && !(rd__turns_can_lend(holder, waiter) && turns->beside);
}
