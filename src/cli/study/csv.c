/* SPDX-License-Identifier: Apache-2.0 */
/* csv.c - the tables of a study as CSV (RFC 4180): a line of names, then a line a row. */
#include "cli/study/study.h"

#include <string.h>

/* A text in quotes. NULL is an empty field. */
static void text(FILE *out, const char *value, const char *after)
{
    fputc('"', out);
    for (; value && *value; value++) {
        if (*value == '"')
            fputc('"', out);
        fputc(*value, out);
    }
    fprintf(out, "\"%s", after);
}

static void set(FILE *out, const rd_study_result *result, uint32_t on, const char *after)
{
    char names[STUDY_TEXT];
    text(out, rd_study_names(result, on, names, sizeof names), after);
}

static void switches(FILE *out, const rd_study_result *result)
{
    fprintf(out, "switch,pairs,differ,median_on_over_off,p,worth_it,tests,needed,harmful\n");
    for (size_t i = 0; i < result->switches; i++) {
        const rd_study_switch *of = &result->of_switch[i];
        text(out, of->name, ",");
        fprintf(out, "%zu,%zu,%.6g,%.6g,%d,%zu,%zu,%zu\n", of->pairs, of->sure, of->median, of->p, of->on, of->tests,
                of->needed, of->harmful);
    }
}

static void configs(FILE *out, const rd_study_result *result)
{
    fprintf(out, "config,tests,faster,slower,best,speedup\n");
    for (size_t i = 0; i < result->configs; i++) {
        const rd_study_config *of = &result->of_config[i];
        set(out, result, of->on, ",");
        fprintf(out, "%zu,%zu,%zu,%zu,%.6g\n", of->tests, of->faster, of->slower, of->best, of->speedup);
    }
}

static void strategies(FILE *out, const rd_study_result *result)
{
    fprintf(out, "strategy,tests,faster,slower,over_best\n");
    for (size_t i = 0; i < result->strategies; i++) {
        const rd_study_strategy *of = &result->of_strategy[i];
        text(out, of->name, ",");
        fprintf(out, "%zu,%zu,%zu,%.6g\n", of->tests, of->faster, of->slower, of->over_best);
    }
}

static void choices(FILE *out, const rd_study_result *result)
{
    fprintf(out, "strategy,device,app,input,config\n");
    for (size_t i = 0; i < result->choices; i++) {
        const rd_study_choice *of = &result->of_choice[i];
        text(out, of->strategy, ",");
        text(out, of->device, ",");
        text(out, of->app, ",");
        text(out, of->input, ",");
        set(out, result, of->on, "\n");
    }
}

static void extreme(FILE *out, const rd_study_result *result, const rd_study_extreme *of, const char *after)
{
    fprintf(out, "%.6g,", of->times);
    text(out, of->app, ",");
    text(out, of->input, ",");
    set(out, result, of->on, after);
}

static void devices(FILE *out, const rd_study_result *result)
{
    fprintf(out, "device,model,tests,gains,fastest,fastest_app,fastest_input,fastest_config,slowest,slowest_app,"
                 "slowest_input,slowest_config\n");
    for (size_t i = 0; i < result->devices; i++) {
        const rd_study_device *of = &result->of_device[i];
        text(out, of->name, ",");
        text(out, of->model, ",");
        fprintf(out, "%zu,%zu,", of->tests, of->gains);
        extreme(out, result, &of->fastest, ",");
        extreme(out, result, &of->slowest, "\n");
    }
}

static void moved(FILE *out, const rd_study_result *result)
{
    fprintf(out, "device,best_of,over_best\n");
    for (size_t on = 0; on < result->devices; on++)
        for (size_t from = 0; from < result->devices; from++) {
            text(out, result->of_device[on].name, ",");
            text(out, result->of_device[from].name, ",");
            fprintf(out, "%.6g\n", result->moved[on * result->devices + from]);
        }
}

static void micro(FILE *out, const rd_study_result *result)
{
    fprintf(out, "device,name,value\n");
    for (size_t i = 0; i < result->facts; i++) {
        text(out, result->of_fact[i].device, ",");
        text(out, result->of_fact[i].name, ",");
        fprintf(out, "%.6g\n", result->of_fact[i].value);
    }
}

static void defaults(FILE *out, const rd_study_result *result)
{
    fprintf(out, "device,app,input,seconds,best_seconds,over_best,slower_for_sure,best_variant,best_config\n");
    for (size_t i = 0; i < result->defaults; i++) {
        const rd_study_default *of = &result->of_default[i];
        text(out, of->device, ",");
        text(out, of->app, ",");
        text(out, of->input, ",");
        fprintf(out, "%.6g,%.6g,%.4f,%d,", of->seconds, of->best_s, of->seconds / of->best_s, of->slower);
        text(out, of->best_app, ",");
        set(out, result, of->on, "\n");
    }
}

/* out NULL: only asks whether there is such a table. */
int study_csv(FILE *out, const char *table, const rd_study_result *result)
{
    static const struct {
        const char *name;
        void (*write)(FILE *out, const rd_study_result *result);
    } tables[] = {{"switches", switches}, {"configs", configs}, {"strategies", strategies}, {"choices", choices},
                  {"devices", devices},   {"moved", moved},     {"micro", micro},           {"defaults", defaults}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
        if (strcmp(tables[i].name, table) == 0) {
            if (out)
                tables[i].write(out, result);
            return 0;
        }
    return cli_usage("study",
                     "--csv takes switches, configs, strategies, choices, devices, moved, micro or defaults, not '%s'",
                     table);
}
