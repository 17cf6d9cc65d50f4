/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - tests, their tables, and what was seen. */
#include "cli/litmus/litmus.h"
#include "cli/machine.h"

/* What the model says of an outcome. */
static const char *kind_of(const rd_litmus_table *table, uint32_t outcome)
{
    if (table->allowed[outcome] & RD_LITMUS_SC)
        return "interleaved";
    return table->allowed[outcome] ? "weak" : "forbidden";
}

int litmus_print_name(const litmus_job *job, const rd_litmus_test *test)
{
    if (!job->json) {
        printf("%-14s %s\n", test->name, test->text);
        return 0;
    }
    rd_json json;
    rd_json_begin(&json, stdout);
    rd_json_u64(&json, "schema", 1);
    rd_json_text(&json, "record", "litmus_test");
    rd_json_text(&json, "test", test->name);
    rd_json_text(&json, "program", test->text);
    rd_json_text(&json, "scope", test->scope);
    return rd_json_end(&json) ? CLI_BAD_INPUT : 0;
}

int litmus_print_table(const litmus_job *job, const rd_litmus_test *test, const rd_litmus_table *table)
{
    char text[80];
    rd_json json;
    if (job->json) {
        rd_json_begin(&json, stdout);
        rd_json_u64(&json, "schema", 1);
        rd_json_text(&json, "record", "litmus_table");
        rd_json_text(&json, "test", test->name);
        rd_json_text(&json, "program", test->text);
        rd_json_u64(&json, "executions", table->executions);
        rd_json_bool(&json, "races", table->races);
        rd_json_object(&json, "allowed");
    } else {
        printf("%s: %s%s\n", test->name, test->text, table->races ? " (plain accesses race: undefined)" : "");
    }
    for (uint32_t i = 0; i < RD_LITMUS_OUTCOMES; i++) {
        if (!table->allowed[i])
            continue;
        (void)rd_litmus_outcome(test, i, text, sizeof text);
        if (job->json)
            rd_json_text(&json, text, kind_of(table, i));
        else
            printf("  %-36s %s\n", text, kind_of(table, i));
    }
    if (!job->json)
        return 0;
    rd_json_close_object(&json);
    return rd_json_end(&json) ? CLI_BAD_INPUT : 0;
}

void litmus_add(litmus_job *job, const rd_litmus_result *result)
{
    job->tests += !result->skipped;
    job->skipped += result->skipped;
    job->runs += result->runs;
    job->weak += result->weak;
    job->forbidden += result->forbidden;
    job->failed += result->forbidden != 0;
}

static void print_outcomes(const rd_litmus_test *test, const rd_litmus_result *result, const rd_litmus_table *table,
                           int all)
{
    char text[80];
    for (uint32_t i = 0; i < RD_LITMUS_OUTCOMES; i++)
        if ((all && table->allowed[i]) || (result->seen[i] && (all || !table->allowed[i])))
            printf("    %-36s %12llu  %s\n", rd_litmus_outcome(test, i, text, sizeof text),
                   (unsigned long long)result->seen[i], kind_of(table, i));
}

static int print_json(const litmus_job *job, const rd_litmus_test *test, const rd_litmus_result *result,
                      const rd_litmus_table *table, double seconds)
{
    char text[80];
    rd_json json;
    rd_json_begin(&json, stdout);
    rd_json_u64(&json, "schema", 1);
    rd_json_text(&json, "record", "litmus");
    rd_json_text(&json, "device", job->info->name);
    rd_json_text(&json, "test", test->name);
    rd_json_text(&json, "program", test->text);
    rd_json_bool(&json, "skipped", result->skipped);
    rd_json_u64(&json, "runs", result->runs);
    rd_json_u64(&json, "launches", result->launches);
    rd_json_u64(&json, "met", result->met);
    rd_json_u64(&json, "weak", result->weak);
    rd_json_u64(&json, "forbidden", result->forbidden);
    rd_json_bool(&json, "passed", !result->forbidden);
    rd_json_object(&json, "seen");
    for (uint32_t i = 0; i < RD_LITMUS_OUTCOMES; i++)
        if (result->seen[i])
            rd_json_u64(&json, rd_litmus_outcome(test, i, text, sizeof text), result->seen[i]);
    rd_json_close_object(&json);
    rd_json_u64(&json, "allowed_interleaved", table->interleaved);
    rd_json_u64(&json, "allowed_weak", table->weak);
    rd_json_double(&json, "seconds", seconds);
    return rd_json_end(&json) ? CLI_BAD_INPUT : 0;
}

int litmus_print(const litmus_job *job, const rd_litmus_test *test, const rd_litmus_result *result,
                 const rd_litmus_table *table, double seconds)
{
    char runs[32], met[32];
    if (job->json)
        return print_json(job, test, result, table, seconds);
    if (result->skipped) {
        printf("%-14s skipped: %s has no %u threads that meet at this barrier\n", test->name, job->info->name,
               test->threads);
        return 0;
    }
    if (job->tests == 1)
        printf("%-14s %10s %10s %12s %12s\n", "test", "runs", "met", "weak", "forbidden");
    printf("%-14s %10s %10s %12llu %12llu%s\n", test->name, rd_format_count(result->runs, runs, sizeof runs),
           test->scope[0] ? "-" : rd_format_count(result->met, met, sizeof met), (unsigned long long)result->weak,
           (unsigned long long)result->forbidden, result->forbidden ? "  FORBIDDEN" : "");
    if (job->verbose || result->forbidden)
        print_outcomes(test, result, table, job->verbose);
    fflush(stdout);
    return 0;
}

int litmus_print_sum(const litmus_job *job)
{
    char runs[32];
    if (job->json) {
        rd_json json;
        rd_json_begin(&json, stdout);
        rd_json_u64(&json, "schema", 1);
        rd_json_text(&json, "record", "litmus_summary");
        cli_json_device(&json, "device", job->info);
        rd_json_u64(&json, "seed", job->options.seed ? job->options.seed : RD_SEED);
        rd_json_u64(&json, "tests", job->tests);
        rd_json_u64(&json, "skipped", job->skipped);
        rd_json_u64(&json, "runs", job->runs);
        rd_json_u64(&json, "weak", job->weak);
        rd_json_u64(&json, "forbidden", job->forbidden);
        rd_json_u64(&json, "failed", job->failed);
        rd_json_bool(&json, "passed", !job->failed);
        cli_json_origin(&json);
        if (rd_json_end(&json))
            return CLI_BAD_INPUT;
    } else {
        printf("%s (%s): %llu tests, %s runs, %llu weak, %llu forbidden\n", job->info->name, job->info->model,
               (unsigned long long)job->tests, rd_format_count(job->runs, runs, sizeof runs),
               (unsigned long long)job->weak, (unsigned long long)job->forbidden);
    }
    return job->failed ? CLI_WRONG : 0;
}
