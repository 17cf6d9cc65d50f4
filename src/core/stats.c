/* SPDX-License-Identifier: Apache-2.0 */
/*
 * stats.c - robust statistics of a small sample of times.
 *
 * Run times are skewed and have outliers, so the median is the figure and its confidence interval comes from order
 * statistics, which assume no distribution: of n sorted values, [x(k), x(n+1-k)] covers the true median with
 * probability 1 - 2 P(Binomial(n, 1/2) <= k-1). We take the largest k that still gives 95 %.
 */
#include "raddle/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare(const void *left, const void *right)
{
    double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Quantile of sorted values by linear interpolation (type 7 of Hyndman and Fan; NumPy's and R's default). */
static double quantile(const double *value, size_t count, double q)
{
    double position = q * (double)(count - 1);
    size_t below = (size_t)position;
    if (below + 1 >= count)
        return value[count - 1];
    return value[below] + (position - (double)below) * (value[below + 1] - value[below]);
}

/* @return the k described above, or 0 when even [min, max] covers the median with less than 95 %. */
static size_t interval_rank(size_t count)
{
    /* 2^-n underflows beyond; the normal approximation is exact to far less than a rank there. */
    if (count > 1000) {
        double k = floor(0.5 * (double)count - 0.98 * sqrt((double)count));
        return (size_t)k;
    }
    double term = pow(0.5, (double)count), sum = 0;
    size_t k = 0;
    while (k <= count / 2) {
        sum += term; /* = P(X <= k), which is what choosing rank k + 1 leaves out on one side */
        if (sum > 0.025)
            break;
        k++;
        term *= (double)(count - k + 1) / (double)k;
    }
    return k;
}

void rd_stats_of(double *value, size_t count, rd_stats *out)
{
    if (!out)
        return;
    memset(out, 0, sizeof *out);
    if (!value || count == 0)
        return;
    qsort(value, count, sizeof *value, compare);
    out->count = count;
    out->min = value[0];
    out->max = value[count - 1];
    out->median = quantile(value, count, 0.5);
    out->q1 = quantile(value, count, 0.25);
    out->q3 = quantile(value, count, 0.75);

    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++)
        sum += value[i];
    out->mean = sum / (double)count;
    for (size_t i = 0; i < count; i++)
        squares += (value[i] - out->mean) * (value[i] - out->mean);
    out->stddev = count > 1 ? sqrt(squares / (double)(count - 1)) : 0;

    size_t k = interval_rank(count);
    out->ci95_low = k ? value[k - 1] : out->min;
    out->ci95_high = k ? value[count - k] : out->max;
}
