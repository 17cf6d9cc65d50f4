/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - the programs, and what became of them. */
#include "cli/machine.h"
#include "cli/progress/progress.h"

#include <string.h>

/* The schedulers that end a program, from the weakest. */
static void ends_text(uint32_t ends, char *text, size_t bytes)
{
    const rd_name_text *row = rd_fairness_schedulers();
    int used = snprintf(text, bytes, "%s", "");
    for (int k = 0; row[k].name; k++)
        if (ends >> k & 1)
            used += snprintf(text + used, bytes - (size_t)used, "%s%s", used ? "," : "", row[k].name);
}

int progress_print_list(const progress_job *job)
{
    char ends[80];
    for (size_t i = 0; i < job->programs; i++) {
        ends_text(job->program[i].ends, ends, sizeof ends);
        if (job->json) {
            rd_json json;
            rd_json_begin(&json, stdout);
            rd_json_u64(&json, "schema", 1);
            rd_json_text(&json, "record", "progress_program");
            rd_json_u64(&json, "threads", job->program[i].threads);
            rd_json_u64(&json, "steps", job->program[i].steps);
            rd_json_text(&json, "program", job->program[i].text);
            rd_json_text(&json, "ends_under", ends);
            if (rd_json_end(&json))
                return CLI_BAD_INPUT;
        } else {
            printf("%-34s %s\n", ends, job->program[i].text);
        }
    }
    return 0;
}

/* The strongest schedulers that nothing was seen against, as "hsa+obe". */
static void kept_text(const rd_progress_verdicts *v, char *text, size_t bytes)
{
    const rd_name_text *row = rd_fairness_schedulers();
    const int hsa = progress_scheduler("hsa"), obe = progress_scheduler("obe");
    int best = -1;
    for (int k = 0; row[k].name; k++)
        if (!(v->violated >> k & 1))
            best = k;
    if (best < 0)
        snprintf(text, bytes, "none");
    else if (best == obe && !(v->violated >> hsa & 1))
        snprintf(text, bytes, "hsa and obe");
    else
        snprintf(text, bytes, "%s", row[best].name);
}

static void print_text(const progress_job *job)
{
    const rd_progress_verdicts *v = &job->verdicts;
    const rd_name_text *row = rd_fairness_schedulers();
    char seconds[32], kept[32];
    printf("%s (%s), %s\n", job->info.name, job->info.model, job->info.driver);
    printf("%zu programs of %zu run, %llu launches of at most %u groups, %s; seed %llu\n", job->run, job->programs,
           (unsigned long long)v->launches, job->most_groups, rd_format_seconds(job->seconds, seconds, sizeof seconds),
           (unsigned long long)(job->options.seed ? job->options.seed : RD_SEED));
    if (job->slow)
        printf("in %u launches a step took more than a quarter of the patience: --patience may be too small\n",
               job->slow);
    printf("%-10s %8s  verdict\n", "scheduler", "programs");
    for (int k = 0; row[k].name; k++) {
        const int broken = v->violated >> k & 1;
        printf("%-10s %8llu  %s%s\n", row[k].name, (unsigned long long)v->programs[k],
               broken ? "VIOLATED by " : "not seen to be violated", broken ? v->program[k] : "");
        if (broken)
            printf("%21s%s: %s\n", "", v->shape[k], v->state[k]);
    }
    kept_text(v, kept, sizeof kept);
    printf("strongest that was not violated: %s\n", kept);
}

static int print_json(const progress_job *job)
{
    const rd_progress_verdicts *v = &job->verdicts;
    const rd_name_text *row = rd_fairness_schedulers();
    char kept[32];
    rd_json json;
    rd_json_begin(&json, stdout);
    rd_json_u64(&json, "schema", 1);
    rd_json_text(&json, "record", "progress");
    cli_json_device(&json, "device", &job->info);
    rd_json_u64(&json, "seed", job->options.seed ? job->options.seed : RD_SEED);
    rd_json_u64(&json, "programs", job->run);
    rd_json_u64(&json, "launches", v->launches);
    rd_json_u64(&json, "most_groups", job->most_groups);
    rd_json_u64(&json, "slow", job->slow);
    rd_json_u64(&json, "killed", job->killed);
    rd_json_double(&json, "seconds", job->seconds);
    rd_json_array(&json, "verdicts");
    for (int k = 0; row[k].name; k++) {
        const int broken = v->violated >> k & 1;
        rd_json_object(&json, NULL);
        rd_json_text(&json, "scheduler", row[k].name);
        rd_json_bool(&json, "violated", broken);
        rd_json_u64(&json, "programs", v->programs[k]);
        rd_json_text(&json, "program", broken ? v->program[k] : NULL);
        rd_json_text(&json, "shape", broken ? v->shape[k] : NULL);
        rd_json_text(&json, "state", broken ? v->state[k] : NULL);
        rd_json_close_object(&json);
    }
    rd_json_close_array(&json);
    kept_text(v, kept, sizeof kept);
    rd_json_text(&json, "strongest_kept", kept);
    rd_json_text(&json, "need", job->need);
    rd_json_bool(&json, "passed", !(v->violated >> progress_scheduler(job->need) & 1));
    cli_json_origin(&json);
    return rd_json_end(&json);
}

int progress_print(const progress_job *job)
{
    if (!job->json)
        print_text(job);
    else if (print_json(job))
        return CLI_BAD_INPUT;
    return job->verdicts.violated >> progress_scheduler(job->need) & 1 ? CLI_WRONG : 0;
}
