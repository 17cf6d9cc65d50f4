/* SPDX-License-Identifier: Apache-2.0 */
/* tables.c - many models under all schedulers: known idioms, Raddle's own protocols; and the order of schedulers. */
#include "cli/fairness/fairness.h"

#include <string.h>

/* Where Raddle's own protocols begin in the list of models. */
static const char first_protocol[] = "ring";

static int print_row(const fairness_job *job, const char *name, const rd_fairness_report *report)
{
    char text[64];
    if (job->json) {
        rd_json json;
        rd_json_begin(&json, stdout);
        rd_json_u64(&json, "schema", 1);
        rd_json_text(&json, "record", "fairness_row");
        rd_json_text(&json, "model", name);
        rd_json_bool(&json, "safe", !report->unsafe);
        rd_json_object(&json, "starvation_free");
        for (uint32_t k = 0; k < report->verdicts; k++)
            rd_json_bool(&json, report->verdict[k].scheduler, !report->verdict[k].starves);
        rd_json_close_object(&json);
        rd_json_u64(&json, "states", report->states);
        return rd_json_end(&json) ? CLI_BAD_INPUT : 0;
    }
    printf("%-20s", name);
    for (uint32_t k = 0; k < report->verdicts; k++)
        printf(" %7s", report->unsafe ? "?" : report->verdict[k].starves ? "no" : "yes");
    if (report->unsafe)
        printf("  UNSAFE: %s\n", report->fault);
    else
        printf("  %-11s %10llu\n", fairness_weakest(report, text), (unsigned long long)report->states);
    return report->unsafe ? CLI_WRONG : 0;
}

static int row(fairness_job *job, const char *name)
{
    rd_fairness *model;
    rd_fairness_report report;
    rd_error err = {.status = RD_OK};
    int code = fairness_open(job, name, &model);
    if (code)
        return code;
    const rd_status status = rd_fairness_check(model, &job->options, &report, &err);
    rd_progress_line_clear(&job->line);
    rd_fairness_close(model);
    if (status != RD_OK)
        return cli_fail("fairness", &err);
    code = print_row(job, name, &report);
    rd_fairness_report_free(&report);
    return code;
}

int fairness_table(fairness_job *job, int protocols)
{
    int own = 0, code = 0;
    if (job->schedulers || job->settings || job->dot || job->options.safety_only)
        return cli_usage("fairness", "a table is of all schedulers: -s, -D, --dot and --safety go with one MODEL");
    if (!job->json) {
        printf("%-20s", "starvation-free?");
        for (const rd_name_text *name = rd_fairness_schedulers(); name->name; name++)
            printf(" %7s", name->name);
        printf("  %-11s %10s\n", "weakest", "states");
    }
    for (const rd_name_text *model = rd_fairness_models(); model->name; model++) {
        own |= strcmp(model->name, first_protocol) == 0;
        const int failed = own == protocols ? row(job, model->name) : 0;
        if (failed > CLI_WRONG)
            return failed;
        code |= failed;
    }
    return code;
}

static void print_pair(const rd_fairness_pair *pair)
{
    printf("%-8s %s %-8s %s: %llu end under both, %llu only under %s, %llu only under %s\n", pair->weaker,
           pair->incomparable ? "#" : "<", pair->stronger, pair->holds ? "holds" : "DOES NOT HOLD",
           (unsigned long long)pair->both, (unsigned long long)pair->only_stronger, pair->stronger,
           (unsigned long long)pair->only_weaker, pair->weaker);
    for (int i = 0; i < 2; i++)
        if (pair->example[i][0])
            printf("    only %-8s %s\n", i ? pair->weaker : pair->stronger, pair->example[i]);
}

static void json_order(const rd_fairness_order_report *report)
{
    rd_json json;
    rd_json_begin(&json, stdout);
    rd_json_u64(&json, "schema", 1);
    rd_json_text(&json, "record", "fairness_order");
    rd_json_u64(&json, "programs", report->programs);
    rd_json_u64(&json, "ending", report->ending);
    rd_json_u64(&json, "states", report->states);
    rd_json_double(&json, "seconds", report->seconds);
    rd_json_array(&json, "pairs");
    for (uint32_t i = 0; i < report->pairs; i++) {
        const rd_fairness_pair *pair = &report->pair[i];
        rd_json_object(&json, NULL);
        rd_json_text(&json, "weaker", pair->weaker);
        rd_json_text(&json, "stronger", pair->stronger);
        rd_json_u64(&json, "both", pair->both);
        rd_json_u64(&json, "only_stronger", pair->only_stronger);
        rd_json_u64(&json, "only_weaker", pair->only_weaker);
        rd_json_bool(&json, "incomparable", pair->incomparable);
        rd_json_bool(&json, "holds", pair->holds);
        rd_json_text(&json, "only_stronger_example", pair->example[0][0] ? pair->example[0] : NULL);
        rd_json_text(&json, "only_weaker_example", pair->example[1][0] ? pair->example[1] : NULL);
        rd_json_close_object(&json);
    }
    rd_json_close_array(&json);
    rd_json_end(&json);
}

int fairness_order(fairness_job *job)
{
    rd_fairness_order_report report;
    rd_error err = {.status = RD_OK};
    int wrong = 0;
    if (job->schedulers || job->settings || job->dot || job->options.safety_only)
        return cli_usage("fairness", "order compares all schedulers on programs of its own: it takes no -s, -D, --dot");
    const rd_status status = rd_fairness_order(2, &job->options, &report, &err);
    rd_progress_line_clear(&job->line);
    if (status != RD_OK)
        return cli_fail("fairness", &err);
    for (uint32_t i = 0; i < report.pairs; i++)
        wrong |= !report.pair[i].holds;
    if (job->json) {
        json_order(&report);
        return wrong ? CLI_WRONG : 0;
    }
    printf("%llu programs, of which %llu end when all threads are run fairly; %llu states, %.1f s\n",
           (unsigned long long)report.programs, (unsigned long long)report.ending, (unsigned long long)report.states,
           report.seconds);
    for (uint32_t i = 0; i < report.pairs; i++)
        print_pair(&report.pair[i]);
    return wrong ? CLI_WRONG : 0;
}
