/* SPDX-License-Identifier: Apache-2.0 */
/* parts.c - what several suites have in common: bench.h, "Between suites". */
#include "cli/bench/bench.h"

#include <stdlib.h>
#include <string.h>

enum { ID_QUICK = 1 };

int bench_quick;
const cli_option bench_quick_options[] = {
    {"quick", 0, NULL, "small inputs, short jobs", ID_QUICK},
    {NULL, 0, NULL, NULL, 0},
};

int bench_take_quick(int id, const char *value)
{
    (void)value;
    bench_quick = id == ID_QUICK;
    return 0;
}

rd_status bench_no_memory(rd_error *err, const char *what)
{
    err->status = RD_ENOMEM;
    snprintf(err->text, sizeof err->text, "out of host memory: %s", what);
    return RD_ENOMEM;
}

double bench_measured(const rd_report *report, const char *name)
{
    for (uint32_t i = 0; i < report->measures; i++)
        if (strcmp(report->measure[i].name, name) == 0)
            return report->measure[i].value;
    return 0;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_sort(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
}

double bench_at(const double *sorted, size_t count, double share)
{
    return count ? sorted[(size_t)(share * (double)(count - 1))] : 0;
}
