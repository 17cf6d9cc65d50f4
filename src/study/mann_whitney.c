/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mann_whitney.c - the Mann-Whitney U test of two samples (H. B. Mann, D. R. Whitney, 1947).
 *
 * All values are ranked together, equal ones by their mean rank. If both samples are of one distribution, every choice
 * of `lefts` of the ranks is as likely as any other to be the left sample's. Few values: the choices are counted by the
 * sum of their ranks, by dynamic programming over the ranks as they are, ties included (ranks are doubled, so that mean
 * ranks are whole numbers); the answer is the share of choices whose sum is at least as far from its mean as this
 * one's. Many: the sum is nearly normal, with a variance that ties make smaller.
 */
#include "core/memory.h"
#include "raddle/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXACT = 20 };

typedef struct ranked {
    double value;
    uint32_t is_left, twice; /* twice its rank */
} ranked;

static int compare(const void *left, const void *right)
{
    const double a = ((const ranked *)left)->value, b = ((const ranked *)right)->value;
    return (a > b) - (a < b);
}

/* Ranks all; @return the sum of t^3 - t over the sets of t equal values. */
static double rank_all(ranked *item, size_t count)
{
    double ties = 0;
    qsort(item, count, sizeof *item, compare);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from + 1; to < count && !(item[to].value > item[from].value); to++)
            continue;
        const double same = (double)(to - from);
        ties += same * same * same - same;
        for (size_t i = from; i < to; i++)
            item[i].twice = (uint32_t)(from + 1 + to);
    }
    return ties;
}

/* The share of choices of `lefts` ranks whose doubled sum is at least `far` from `mean`. */
static double exact(const ranked *item, size_t count, size_t lefts, double mean, double far)
{
    enum { SUMS = EXACT * (EXACT + 1) + 1 };
    double ways[EXACT + 1][SUMS], all = 0, extreme = 0;
    const size_t sums = count * (count + 1) + 1; /* the sum of all of them, and one */
    for (size_t chosen = 0; chosen <= lefts; chosen++)
        memset(ways[chosen], 0, sums * sizeof ways[chosen][0]);
    ways[0][0] = 1;
    for (size_t i = 0; i < count; i++) /* with rank i or without */
        for (size_t chosen = i < lefts ? i + 1 : lefts; chosen > 0; chosen--)
            for (size_t sum = sums - 1; sum >= item[i].twice; sum--)
                ways[chosen][sum] += ways[chosen - 1][sum - item[i].twice];
    for (size_t sum = 0; sum < sums; sum++) {
        all += ways[lefts][sum];
        extreme += fabs((double)sum - mean) >= far ? ways[lefts][sum] : 0;
    }
    return extreme / all;
}

double rd_mann_whitney(const double *left, size_t lefts, const double *right, size_t rights)
{
    if (!left || !right || lefts == 0 || rights == 0)
        return 1;
    const size_t count = lefts + rights;
    ranked few[EXACT], *item = count <= EXACT ? few : rd__calloc(count, sizeof *item);
    if (!item)
        return NAN;
    for (size_t i = 0; i < count; i++)
        item[i] = (ranked){.value = i < lefts ? left[i] : right[i - lefts], .is_left = i < lefts};
    const double ties = rank_all(item, count), n = (double)lefts, m = (double)rights, all = n + m;
    double twice = 0, p = 1;
    for (size_t i = 0; i < count; i++)
        twice += item[i].is_left ? item[i].twice : 0;
    const double mean = n * (all + 1), far = fabs(twice - mean); /* doubled, both */
    if (count <= EXACT) {
        p = exact(item, count, lefts, mean, far);
    } else {
        const double variance = n * m / 12 * (all + 1 - ties / (all * (all - 1)));
        const double off = far / 2 - 0.5; /* the correction for continuity */
        p = variance > 0 && off > 0 ? erfc(off / sqrt(2 * variance)) : 1;
        rd__free(item);
    }
    return p < 1 ? p : 1;
}
