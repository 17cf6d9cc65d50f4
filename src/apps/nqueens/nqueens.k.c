/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nqueens.k.c - in how many ways can n queens stand on a board without attacking each other? A task is a board whose
 * first rows are taken: columns and diagonals that are attacked in the next row, a bit each. It spawns a child for each
 * free place of that row; with no more than `serial` rows left it counts by itself. Values are added up on the way
 * back. raddle nqueens 12, or as an own file: raddle run nqueens.k.c --n 12
 */
#define RD_TASK_WORDS    3 /* columns, diagonals to the left, to the right */
#define RD_TASK_CHILDREN 20
#define RD_TASK_JOIN     RD_JOIN_SUM
#include "model/forkjoin.k.h"

#define NQUEENS_ROWS 20

/* On a core a loop of its own has all registers; inside the turn that runs tasks it reads some back from the stack. */
#if RD_CORE
#define NQUEENS_LOOP rd_apart
#else
#define NQUEENS_LOOP rd_fn
#endif

RD_APP(nqueens, "in how many ways n queens stand on a board of n rows without attacking each other")
RD_OPTION(rd_u32, n, 12, 1, 20, "rows")
RD_OPTION(rd_u32, serial, 7, 0, 20, "count serially when so few rows are left; 0: every board is a task")
RD_SAMPLE("n=9 serial=3")

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = t->word[1] = t->word[2] = 0;
}

/*
 * The boards that a board with `rows` rows left leads to, row by row: free[r] are the places of a row that were not
 * tried yet, and none of the rows kept is without any. The last row is never gone to: it has one place at most.
 */
NQUEENS_LOOP rd_u64 nqueens_count(const rd_app *a, const rd_task *t, rd_u32 rows)
{
    rd_u32 columns[NQUEENS_ROWS], left[NQUEENS_ROWS], right[NQUEENS_ROWS], free[NQUEENS_ROWS];
    const rd_u32 all = (1u << a->n) - 1;
    rd_u64 found = 0;
    rd_u32 row = 0; /* the one that places are tried in */
    columns[0] = t->word[0];
    left[0] = t->word[1];
    right[0] = t->word[2];
    free[0] = all & ~(columns[0] | left[0] | right[0]);
    if (rows == 1 || !free[0]) return free[0] != 0;
    for (;;) {
        const rd_u32 place = free[row] & (0u - free[row]), c = columns[row] | place;
        const rd_u32 l = (left[row] | place) << 1, r = (right[row] | place) >> 1, next = all & ~(c | l | r);
        free[row] ^= place;
        if (row + 2 == rows) {
            found += next != 0;
        } else if (next) {
            row++;
            columns[row] = c;
            left[row] = l;
            right[row] = r;
            free[row] = next;
        }
        while (!free[row]) {
            if (!row) return found;
            row--;
        }
    }
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 all = (1u << a->n) - 1, columns = t->word[0], rows = a->n - rd_popcount(columns);
    if (columns == all) {
        rd_return(w, 1);
    } else if (rows <= a->serial) {
        rd_return(w, nqueens_count(a, t, rows));
    } else {
        rd_u32 free = all & ~(columns | t->word[1] | t->word[2]);
        while (free) {
            const rd_u32 place = free & (0u - free);
            rd_task child;
            child.word[0] = columns | place;
            child.word[1] = (t->word[1] | place) << 1;
            child.word[2] = (t->word[2] | place) >> 1;
            rd_spawn(w, &child);
            free ^= place;
        }
    }
}

rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)
{
    rd_return(w, rd_sum(w));
}

#ifdef RD_CHECK
/* The published numbers: OEIS A000170. */
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    static const rd_u64 ways[NQUEENS_ROWS + 1] = {
        1,    1,     0,     0,      2,       10,       4,        40,        92,         352,        724,
        2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624, 4968057848, 39029188884};
    return c->sum == ways[a->n] ? RD_RIGHT : 0;
}
#endif
