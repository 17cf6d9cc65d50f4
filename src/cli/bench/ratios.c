/* SPDX-License-Identifier: Apache-2.0 */
/* ratios.c - see ratios.h. */
#include "cli/bench/ratios.h"

#include "cli/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static ratio_run *runs;
static size_t run_count;

/* An app on a graph and a device: its runs come one after another. */
typedef struct family {
    const ratio_run *chosen, *best, *worst;
    double over_best, worst_over_best;
} family;

rd_status ratio_run_new(const char *app, const char *spec, const char *device, int chosen, size_t *index, rd_error *err)
{
    ratio_run *more = realloc(runs, (run_count + 1) * sizeof *runs);
    if (!more) {
        snprintf(err->text, sizeof err->text, "out of host memory: list of benchmark runs");
        return err->status = RD_ENOMEM;
    }
    runs = more;
    runs[run_count] = (ratio_run){.app = app, .spec = spec, .chosen = chosen};
    snprintf(runs[run_count].device, sizeof runs[run_count].device, "%s", device);
    *index = run_count++;
    return RD_OK;
}

ratio_run *ratio_run_at(size_t index)
{
    return &runs[index];
}

static int related(const ratio_run *a, const ratio_run *b)
{
    return a->app == b->app && a->spec == b->spec && strcmp(a->device, b->device) == 0;
}

double ratio_best(size_t index)
{
    double best = 0;
    for (size_t i = 0; i < run_count; i++)
        if (runs[i].least > 0 && !runs[i].stopped && related(&runs[i], &runs[index]) &&
            (best <= 0 || runs[i].least < best))
            best = runs[i].least;
    return best;
}

/* The family of run i, when i is its first and more than the choice has run. @return 0: there is none. */
static int family_of(size_t i, family *found)
{
    *found = (family){0};
    for (size_t j = 0; j < i; j++)
        if (related(&runs[i], &runs[j]))
            return 0;
    size_t count = 0;
    for (size_t j = i; j < run_count; j++)
        if (runs[j].chosen && runs[j].least > 0 && related(&runs[i], &runs[j]))
            found->chosen = &runs[j];
    for (size_t j = i; j < run_count; j++) {
        if (runs[j].least <= 0 || !related(&runs[i], &runs[j]))
            continue;
        count++;
        const int worse = found->chosen && runs[j].colours > found->chosen->colours;
        if (!worse && !runs[j].stopped && (!found->best || runs[j].least < found->best->least))
            found->best = &runs[j];
        if (!found->worst || runs[j].least > found->worst->least)
            found->worst = &runs[j];
    }
    if (count < 2 || !found->best)
        return 0;
    found->over_best = found->chosen ? found->chosen->least / found->best->least : 0;
    found->worst_over_best = found->worst->least / found->best->least;
    return 1;
}

/* By what was chosen, then by the worst of all. */
static int worse_first(const void *a, const void *b)
{
    const family *x = a, *y = b;
    if (x->over_best > y->over_best || x->over_best < y->over_best)
        return x->over_best > y->over_best ? -1 : 1;
    return x->worst_over_best > y->worst_over_best ? -1 : x->worst_over_best < y->worst_over_best;
}

static family *collect(size_t *count)
{
    family *all = malloc((run_count + 1) * sizeof *all);
    *count = 0;
    for (size_t i = 0; all && i < run_count; i++)
        *count += (size_t)family_of(i, &all[*count]);
    if (all)
        qsort(all, *count, sizeof *all, worse_first);
    return all;
}

static const char *at_least(const ratio_run *run)
{
    return run->stopped ? ">" : "";
}

static void print_row(FILE *out, const family *row, int width)
{
    if (row->chosen)
        fprintf(out, "%s%.2f", at_least(row->chosen), row->over_best);
    else
        fprintf(out, "-");
    fprintf(out, "\t%-6s %-*s %-8s ", row->best->app, width, row->best->spec, row->best->device);
    if (row->chosen)
        fprintf(out, "%s %.4g ms; ", row->chosen->name, 1e3 * row->chosen->least);
    fprintf(out, "best %s %.4g ms; worst %s %s%.4g ms, %s%.1f times\n", row->best->name, 1e3 * row->best->least,
            row->worst->name, at_least(row->worst), 1e3 * row->worst->least, at_least(row->worst),
            row->worst_over_best);
}

static void json_run(rd_json *json, const char *name, const char *time, const char *stopped, const ratio_run *run)
{
    rd_json_text(json, name, run->name);
    rd_json_double(json, time, 1e3 * run->least);
    rd_json_bool(json, stopped, run->stopped);
}

static void json_row(FILE *out, const family *row)
{
    rd_json json;
    rd_json_begin(&json, out);
    rd_json_u64(&json, "schema", 1);
    rd_json_text(&json, "record", "shape");
    rd_json_text(&json, "primitive", row->best->app);
    rd_json_text(&json, "graph_file", row->best->spec);
    rd_json_text(&json, "device", row->best->device);
    if (row->chosen) {
        json_run(&json, "chosen", "chosen_time", "chosen_stopped", row->chosen);
        rd_json_double(&json, "over_best", row->over_best);
    }
    json_run(&json, "best", "best_time", "best_stopped", row->best);
    json_run(&json, "worst", "worst_time", "worst_stopped", row->worst);
    rd_json_double(&json, "worst_over_best", row->worst_over_best);
    rd_json_end(&json);
}

typedef struct totals {
    size_t chosen, slow, slow_siblings;
    double mean, worst, worst_sibling;
} totals;

static totals add_up(const family *all, size_t count)
{
    totals sum = {.mean = 1};
    double logs = 0;
    for (size_t i = 0; i < count; i++) {
        sum.slow_siblings += all[i].worst_over_best > 5;
        sum.worst_sibling = fmax(sum.worst_sibling, all[i].worst_over_best);
        if (!all[i].chosen)
            continue;
        sum.chosen++;
        sum.slow += all[i].over_best > 1.2;
        sum.worst = fmax(sum.worst, all[i].over_best);
        logs += log(all[i].over_best);
    }
    if (sum.chosen)
        sum.mean = exp(logs / (double)sum.chosen);
    return sum;
}

static void json_totals(FILE *out, const totals *sum, size_t count)
{
    rd_json json;
    rd_json_begin(&json, out);
    rd_json_u64(&json, "schema", 1);
    rd_json_text(&json, "record", "shapes");
    rd_json_u64(&json, "rows", count);
    rd_json_double(&json, "geometric_mean", sum->mean);
    rd_json_double(&json, "over_best", sum->worst);
    rd_json_u64(&json, "above_1_2", sum->slow);
    rd_json_double(&json, "worst_over_best", sum->worst_sibling);
    rd_json_u64(&json, "above_5", sum->slow_siblings);
    cli_json_origin(&json);
    rd_json_end(&json);
}

void ratios_print(FILE *out, int json)
{
    size_t count;
    int width = 5;
    family *all = collect(&count);
    if (!all || !count) {
        free(all);
        return;
    }
    const totals sum = add_up(all, count);
    for (size_t i = 0; i < count; i++)
        if ((int)strlen(all[i].best->spec) > width)
            width = (int)strlen(all[i].best->spec);
    if (!json)
        fprintf(out, "\nThe choice over the best (least kernel times), worst first; > where a run was stopped.\n");
    for (size_t i = 0; i < count; i++)
        if (json)
            json_row(out, &all[i]);
        else
            print_row(out, &all[i], width);
    if (json)
        json_totals(out, &sum, count);
    else
        fprintf(out,
                "geometric mean %.3f of %zu, worst %.2f, %zu above 1.2; slowest configuration over the best: worst "
                "%.1f, %zu above 5\n",
                sum.mean, sum.chosen, sum.worst, sum.slow, sum.worst_sibling, sum.slow_siblings);
    free(all);
}

void ratios_free(void)
{
    free(runs);
    runs = NULL;
    run_count = 0;
}
