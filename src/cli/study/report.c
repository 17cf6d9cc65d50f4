/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - what a study says, as tables for people. csv.c has all of it. */
#include "cli/study/study.h"

#include <stdlib.h>
#include <string.h>

enum { CONFIGS_SHOWN = 5, DEFAULTS_SHOWN = 5 };

static void print_switches(FILE *out, const rd_study_result *result)
{
    fprintf(out, "\nswitch        pairs  differ  time on/off         p  worth it  tests  needed  harmful\n");
    for (size_t i = 0; i < result->switches; i++) {
        const rd_study_switch *of = &result->of_switch[i];
        if (of->tests)
            fprintf(out, "%-12s %6zu  %6zu  %11.3f  %8.2g  %8s  %5zu  %6zu  %7zu\n", of->name, of->pairs, of->sure,
                    of->median, of->p, of->on ? "yes" : "no", of->tests, of->needed, of->harmful);
    }
}

static void print_config(FILE *out, const rd_study_result *result, const rd_study_config *of)
{
    char names[STUDY_TEXT];
    fprintf(out, "%-44s %6zu  %6zu  %6zu  %5zu  %7.3f\n", rd_study_names(result, of->on, names, sizeof names),
            of->tests, of->faster, of->slower, of->best, of->speedup);
}

static void print_configs(FILE *out, const rd_study_result *result)
{
    size_t harmless = 0;
    for (size_t i = 0; i < result->configs; i++)
        harmless += result->of_config[i].on && result->of_config[i].slower == 0;
    fprintf(out, "\n%zu configurations beside none; %zu of them slow nothing down. Least and most harmful:\n",
            result->configs - 1, harmless);
    fprintf(out, "%-44s  tests  faster  slower   best  speedup\n", "configuration");
    for (size_t i = 0; i < result->configs; i++) {
        if (i >= CONFIGS_SHOWN && i + CONFIGS_SHOWN == result->configs)
            fprintf(out, "...\n");
        if (i < CONFIGS_SHOWN || i + CONFIGS_SHOWN >= result->configs)
            print_config(out, result, &result->of_config[i]);
    }
}

static void print_strategies(FILE *out, const rd_study_result *result)
{
    char names[STUDY_TEXT];
    fprintf(out, "\nknown         tests  faster  slower  time over the best\n");
    for (size_t i = 0; i < result->strategies; i++) {
        const rd_study_strategy *of = &result->of_strategy[i];
        fprintf(out, "%-12s %6zu  %6zu  %6zu  %18.3f\n", of->name, of->tests, of->faster, of->slower, of->over_best);
    }
    fprintf(out, "\nto turn on\n");
    for (size_t i = 0; i < result->choices; i++) {
        const rd_study_choice *of = &result->of_choice[i];
        if (strchr(of->strategy, '+')) /* many: --csv choices has them */
            continue;
        const char *value = of->device ? of->device : of->app ? of->app : of->input ? of->input : "all";
        fprintf(out, "  %-9s %-24s %s\n", of->strategy, value, rd_study_names(result, of->on, names, sizeof names));
    }
}

/* Those that lose most by choosing for themselves. */
static void print_defaults(FILE *out, const rd_study_result *result)
{
    char names[STUDY_TEXT];
    size_t slower = 0;
    double below = 1e300; /* what is printed already is not below */
    for (size_t i = 0; i < result->defaults; i++)
        slower += result->of_default[i].slower != 0;
    if (!result->defaults)
        return;
    fprintf(out, "\nwhat apps choose by themselves: %.3f of the best, slower for sure in %zu of %zu. Slowest:\n",
            result->default_over_best, slower, result->defaults);
    for (size_t shown = 0; shown < DEFAULTS_SHOWN; shown++) {
        const rd_study_default *worst = NULL;
        for (size_t i = 0; i < result->defaults; i++) {
            const rd_study_default *of = &result->of_default[i];
            if (of->slower && of->seconds / of->best_s < below &&
                (!worst || of->seconds / of->best_s > worst->seconds / worst->best_s))
                worst = of;
        }
        if (!worst)
            return;
        below = worst->seconds / worst->best_s;
        fprintf(out, "  %.2f x  %s on %s, %s: best is %s with %s\n", below, worst->app, worst->input, worst->device,
                worst->best_app, rd_study_names(result, worst->on, names, sizeof names));
    }
}

static void print_extreme(FILE *out, const rd_study_result *result, const char *what, const rd_study_extreme *of)
{
    char names[STUDY_TEXT];
    if (of->times > 0)
        fprintf(out, "  %-8s %.2f x, %s on %s with %s\n", what, of->times, of->app, of->input,
                rd_study_names(result, of->on, names, sizeof names));
}

static void print_devices(FILE *out, const rd_study_result *result)
{
    for (size_t i = 0; i < result->devices; i++) {
        const rd_study_device *of = &result->of_device[i];
        if (!of->tests)
            continue;
        fprintf(out, "\n%s (%s): some configuration is faster than none in %zu of %zu tests\n", of->name, of->model,
                of->gains, of->tests);
        print_extreme(out, result, "fastest", &of->fastest);
        print_extreme(out, result, "slowest", &of->slowest);
        for (size_t k = 0; k < result->facts; k++)
            if (strcmp(result->of_fact[k].device, of->name) == 0)
                fprintf(out, "  %s %.2f\n", result->of_fact[k].name, result->of_fact[k].value);
    }
}

static void print_moved(FILE *out, const rd_study_result *result)
{
    if (result->devices < 2)
        return;
    fprintf(out, "\ntime over the best, on the device of the row in what is best on the device of the column\n%-16s",
            "");
    for (size_t from = 0; from < result->devices; from++)
        fprintf(out, " %12.12s", result->of_device[from].name);
    for (size_t on = 0; on < result->devices; on++) {
        fprintf(out, "\n%-16.16s", result->of_device[on].name);
        for (size_t from = 0; from < result->devices; from++) {
            const double times = result->moved[on * result->devices + from];
            if (times > 0)
                fprintf(out, " %12.2f", times);
            else
                fprintf(out, " %12s", "-");
        }
    }
    fprintf(out, "\n");
}

void study_report(FILE *out, const rd_study_result *result)
{
    size_t devices = 0;
    for (size_t i = 0; i < result->devices; i++)
        devices += result->of_device[i].tests != 0;
    fprintf(out, "%zu points: %zu tests (%zu devices, %zu apps, %zu inputs), at least %zu runs each\n", result->points,
            result->tests, devices, result->apps, result->inputs, result->samples);
    if (result->samples < 4)
        fprintf(out, "with less than 4 runs no two points differ for sure\n");
    print_switches(out, result);
    print_configs(out, result);
    print_strategies(out, result);
    print_defaults(out, result);
    print_devices(out, result);
    print_moved(out, result);
}
