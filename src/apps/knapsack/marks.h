/* SPDX-License-Identifier: Apache-2.0 */
/*
 * marks.h - the states of dynamic programming, and how they came about. A state that took a decision names a mark: what
 * was decided, and the mark before. Marks that no state leads to are dropped when there are many.
 */
#ifndef RD_APPS_KNAPSACK_MARKS_H
#define RD_APPS_KNAPSACK_MARKS_H

#include "core/error.h"

#define RD__NO_MARK 0xffffffffu

typedef struct rd__knapsack_state {
    int64_t weight, value;
    uint32_t mark;
    uint32_t hope; /* of bundles.c: how far above the best value its bound is */
} rd__knapsack_state;

typedef struct rd__knapsack_mark {
    uint32_t before, what;
} rd__knapsack_mark;

typedef struct rd__knapsack_marks {
    rd__knapsack_mark *mark;
    uint64_t count, room;
} rd__knapsack_marks;

/* Room for one more for each state of the list, and one. *kept is a mark that stays besides theirs, or RD__NO_MARK; it
 * and those of the list may get other numbers. RD_ENOMEM also when there would be too many to be numbered. */
rd_status rd__knapsack_marks_room(rd__knapsack_marks *marks, rd__knapsack_state *list, uint64_t states, uint32_t *kept,
                                  rd_error *err);
/* There is room. @return its number. */
static inline uint32_t rd__knapsack_marks_add(rd__knapsack_marks *marks, uint32_t before, uint32_t what)
{
    marks->mark[marks->count] = (rd__knapsack_mark){before, what};
    return (uint32_t)marks->count++;
}

#endif
