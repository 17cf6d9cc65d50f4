/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sort.k.c - merge sort as cilksort does it (M. Frigo, after S. Akl and N. Santoro, 1987): sort four quarters, merge
 * two and two of them into scratch memory, merge those two back; a merge splits the longer of its runs in the middle,
 * finds the place of that element in the other one, and merges the lower and the upper parts apart.
 *
 * A task is a word that says what it is and how far, and up to two runs: first element and length of each, and where
 * the result goes. The three phases of sorting are three joins of the same task.
 *
 * raddle sort random:1000000 makes the numbers. As an own file (sort.k.c) it sorts what the caller binds to `data`.
 */
#define RD_TASK_WORDS    6 /* what; a and its length; b and its length; where to */
#define RD_TASK_CHILDREN 4
#define RD_TASK_JOIN     RD_JOIN_SUM
#include "model/forkjoin.k.h"

RD_APP(sort, "merge sort of 32-bit numbers, sorting and merging in parallel")
RD_OPTION(rd_u32, n, 100000, 0, 1073741824, "how many numbers")
RD_OPTION(rd_u32, serial, 512, 4, 1073741824, "elements that one task sorts or merges by itself")
RD_ARRAY(rd_u32, data, n, index)
RD_ARRAY(rd_u32, scratch, n, 0)
RD_RESULT(data)
RD_SAMPLE("n=10000 serial=64")

/* The first word of a task. A sort's phase is how many of its joins have run. */
#define SORT_SORT    0
#define SORT_MERGE   1 /* from data to scratch */
#define SORT_RETURN  2 /* from scratch to data */
#define SORT_PHASE   4 /* times the phase */
#define SORT_WHAT(x) ((x)&3)

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = SORT_SORT;
    t->word[1] = 0;
    t->word[2] = a->n;
    t->word[3] = t->word[4] = t->word[5] = 0;
}

/* Shell's sort, with Ciura's steps. */
rd_fn void sort_serial(rd_global rd_u32 *x, rd_u32 n)
{
    for (rd_u32 step = n > 701   ? 701
                       : n > 301 ? 301
                       : n > 132 ? 132
                       : n > 57  ? 57
                       : n > 23  ? 23
                       : n > 10  ? 10
                                 : 4;
         step; step = step == 701   ? 301
                      : step == 301 ? 132
                      : step == 132 ? 57
                      : step == 57  ? 23
                      : step == 23  ? 10
                      : step == 10  ? 4
                      : step == 4   ? 1
                                    : 0)
        for (rd_u32 i = step; i < n; i++) {
            const rd_u32 key = x[i];
            rd_u32 k = i;
            while (k >= step && x[k - step] > key) {
                x[k] = x[k - step];
                k -= step;
            }
            x[k] = key;
        }
}

rd_fn void sort_merge(rd_global const rd_u32 *from, rd_global rd_u32 *to, const rd_task *t)
{
    rd_u32 a = t->word[1], b = t->word[3];
    const rd_u32 a_end = a + t->word[2], b_end = b + t->word[4], end = t->word[5] + t->word[2] + t->word[4];
    for (rd_u32 out = t->word[5]; out < end; out++)
        to[out] = b == b_end || (a < a_end && from[a] <= from[b]) ? from[a++] : from[b++];
}

rd_fn void sort_spawn_merge(rd_worker *w, rd_u32 what, rd_u32 a, rd_u32 a_length, rd_u32 b, rd_u32 b_length, rd_u32 out)
{
    rd_task t;
    t.word[0] = what;
    t.word[1] = a;
    t.word[2] = a_length;
    t.word[3] = b;
    t.word[4] = b_length;
    t.word[5] = out;
    rd_spawn(w, &t);
}

/* Splits a merge in two. */
rd_fn void sort_split(const rd_app *app, rd_worker *w, const rd_task *t)
{
    rd_global const rd_u32 *from = SORT_WHAT(t->word[0]) == SORT_MERGE ? app->data : app->scratch;
    const rd_u32 swap = t->word[2] < t->word[4]; /* a is the longer one from here on */
    const rd_u32 a = t->word[swap ? 3 : 1], a_length = t->word[swap ? 4 : 2];
    const rd_u32 b = t->word[swap ? 1 : 3], b_length = t->word[swap ? 2 : 4];
    const rd_u32 middle = a_length / 2, key = from[a + middle];
    rd_u32 low = 0, high = b_length; /* the first of b that is not below key */
    while (low < high) {
        const rd_u32 m = (low + high) / 2;
        if (from[b + m] < key)
            low = m + 1;
        else
            high = m;
    }
    sort_spawn_merge(w, t->word[0], a, middle, b, low, t->word[5]);
    sort_spawn_merge(w, t->word[0], a + middle, a_length - middle, b + low, b_length - low, t->word[5] + middle + low);
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 what = SORT_WHAT(t->word[0]);
    if (what != SORT_SORT) {
        if (t->word[2] + t->word[4] > a->serial)
            sort_split(a, w, t);
        else if (what == SORT_MERGE)
            sort_merge(a->data, a->scratch, t);
        else
            sort_merge(a->scratch, a->data, t);
    } else if (t->word[2] <= a->serial) {
        sort_serial(a->data + t->word[1], t->word[2]);
        rd_return(w, t->word[2]);
    } else {
        const rd_u32 quarter = t->word[2] / 4;
        for (rd_u32 i = 0; i < 4; i++) {
            rd_task child;
            child.word[0] = SORT_SORT;
            child.word[1] = t->word[1] + i * quarter;
            child.word[2] = i < 3 ? quarter : t->word[2] - 3 * quarter;
            child.word[3] = child.word[4] = child.word[5] = 0;
            rd_spawn(w, &child);
        }
        t->word[0] += SORT_PHASE;
    }
}

rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 quarter = t->word[2] / 4, from = t->word[1], rest = t->word[2] - 2 * quarter;
    if (t->word[0] == SORT_SORT + SORT_PHASE) {
        sort_spawn_merge(w, SORT_MERGE, from, quarter, from + quarter, quarter, from);
        sort_spawn_merge(w, SORT_MERGE, from + 2 * quarter, quarter, from + 3 * quarter, rest - quarter,
                         from + 2 * quarter);
        t->word[0] += SORT_PHASE;
    } else if (t->word[0] == SORT_SORT + 2 * SORT_PHASE) {
        sort_spawn_merge(w, SORT_RETURN, from, 2 * quarter, from + 2 * quarter, rest, from);
        t->word[0] += SORT_PHASE;
    } else if (SORT_WHAT(t->word[0]) == SORT_SORT) {
        rd_return(w, t->word[2]);
    }
}

#ifdef RD_CHECK
/* What was there before is gone: that the numbers are the same is for who bound them to say (raddle sort -v does). */
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    for (rd_u32 i = 1; i < a->n; i++)
        if (a->data[i - 1] > a->data[i])
            return i;
    return c->sum == a->n ? RD_RIGHT : 0;
}
#endif
