/* SPDX-License-Identifier: Apache-2.0 */
/* litmus.c - `raddle litmus`: which outcomes of small racing programs does a device show, and which may it? */
#define _POSIX_C_SOURCE 200809L
#include "cli/litmus/litmus.h"

#include <stdlib.h>
#include <string.h>

void cli_litmus_help(FILE *out);
int cli_litmus_run(int argc, char **argv);

enum { ID_RUNS = 1, ID_SEED, ID_AS, ID_SHOW, ID_TABLE, ID_LIST, ID_VERBOSE, ID_TIMEOUT, ID_JSON, ID_QUIET };

static const cli_option options[] = {
    {"runs", 0, "N", "runs of each test, at least [1000000]", ID_RUNS},
    {"seed", 0, "N", "of placement and stress [27491]", ID_SEED},
    {"as", 0, "TEST", "judge by the table of this test: a planted bug", ID_AS},
    {"table", 0, NULL, "print what may come of each test, run nothing", ID_TABLE},
    {"list", 'l', NULL, "print the tests, run nothing", ID_LIST},
    {"show", 0, NULL, "print one test as a model for raddle fairness", ID_SHOW},
    {"verbose", 0, NULL, "also print how often each outcome was seen", ID_VERBOSE},
    {"timeout", 0, "SECONDS", "give up after so long", ID_TIMEOUT},
    {"json", 0, NULL, "one JSON object a test, then a summary", ID_JSON},
    {"quiet", 'q', NULL, "no progress line", ID_QUIET},
    {NULL, 0, NULL, NULL, 0},
};

void cli_litmus_help(FILE *out)
{
    fputs("usage: raddle litmus [TEST...] [options]\n\n"
          "Runs small racing programs (message passing, store buffering ...) in the orders\n"
          "of the kernel dialect millions of times and counts outcomes. What may come of\n"
          "each is computed from a memory model. TEST is a name, or the beginning of some:\n"
          "mp, sb, lb, s, r, 2_2w, iriw, co. docs/progress.md has shapes and model.\n\n",
          out);
    cli_print_options(out, options);
    cli_print_options(out, cli_device_options);
    fputs("Exit status 1: an outcome was seen that the model forbids.\n", out);
}

/* @return 1 when the test is one of those that were asked for: by its name, or the words that it begins with. */
static int is_wanted(const litmus_job *job, const rd_litmus_test *test)
{
    for (int i = 0; i < job->names; i++) {
        const size_t length = strlen(job->name[i]);
        if (strncmp(test->name, job->name[i], length) == 0 && (test->name[length] == '\0' || test->name[length] == '_'))
            return 1;
    }
    return job->names == 0;
}

static int check_names(const litmus_job *job)
{
    for (int i = 0; i < job->names; i++) {
        const litmus_job one = {.name = job->name + i, .names = 1};
        size_t k = 0;
        while (rd_litmus_get(k) && !is_wanted(&one, rd_litmus_get(k)))
            k++;
        if (!rd_litmus_get(k))
            return cli_usage("litmus", "there is no test '%s'; --list names them", job->name[i]);
    }
    return 0;
}

/* Shows tests without running them. */
static int show(const litmus_job *job)
{
    rd_litmus_table *table = malloc(sizeof *table);
    rd_error err = {.status = RD_OK};
    int code = table ? 0 : cli_message("litmus", CLI_BAD_DEVICE, "out of memory");
    for (size_t i = 0; !code && rd_litmus_get(i); i++) {
        const rd_litmus_test *test = rd_litmus_get(i);
        if (!is_wanted(job, test))
            continue;
        if (rd_litmus_allowed(test, table, &err) != RD_OK)
            code = cli_fail("litmus", &err);
        else
            code = job->table ? litmus_print_table(job, test, table) : litmus_print_name(job, test);
    }
    free(table);
    return code;
}

/* Runs the tests that are wanted. */
static int run(litmus_job *job, rd_litmus *litmus, rd_litmus_result *result, rd_litmus_table *table)
{
    rd_error err = {.status = RD_OK};
    size_t done = 0;
    for (size_t i = 0; rd_litmus_get(i); i++) {
        const rd_litmus_test *test = rd_litmus_get(i);
        if (!is_wanted(job, test))
            continue;
        const double began = rd_now();
        const rd_status status = rd_litmus_run(litmus, test, result, &err);
        rd_progress_line_clear(&job->line);
        if ((status != RD_OK && status != RD_EWRONG) ||
            rd_litmus_allowed(job->options.as ? job->options.as : test, table, &err) != RD_OK)
            return cli_fail("litmus", &err);
        litmus_add(job, result);
        if (litmus_print(job, test, result, table, rd_now() - began))
            return CLI_BAD_INPUT;
        rd_progress_line_fn(&job->line, "litmus tests", ++done, 0, "tests");
    }
    return 0;
}

static int open_and_run(litmus_job *job)
{
    rd_device *device = NULL;
    rd_litmus *litmus = NULL;
    rd_error err = {.status = RD_OK};
    int code = cli_device_choice_open(&job->choice, "litmus", &device);
    if (code)
        return code;
    job->info = rd_device_get_info(device);
    rd_litmus_result *result = malloc(sizeof *result);
    rd_litmus_table *table = malloc(sizeof *table);
    if (!result || !table)
        code = cli_message("litmus", CLI_BAD_DEVICE, "out of memory");
    else if (rd_litmus_open(device, &job->options, &litmus, &err) != RD_OK)
        code = cli_fail("litmus", &err);
    else
        code = run(job, litmus, result, table);
    rd_progress_line_clear(&job->line);
    if (!code)
        code = litmus_print_sum(job);
    rd_litmus_close(litmus);
    free(result);
    free(table);
    rd_device_close(device);
    return code;
}

static const rd_litmus_test *find(const char *name)
{
    size_t i = 0;
    while (rd_litmus_get(i) && strcmp(rd_litmus_get(i)->name, name) != 0)
        i++;
    return rd_litmus_get(i);
}

static int take_as(litmus_job *job, const char *name)
{
    job->options.as = find(name);
    if (!job->options.as)
        cli_usage("litmus", "--as: there is no test '%s'; --list names them", name);
    return job->options.as != NULL;
}

static int show_model(const litmus_job *job)
{
    char text[1000];
    const rd_litmus_test *test = job->names == 1 ? find(job->name[0]) : NULL;
    if (!test || !rd_litmus_model(test, text, sizeof text))
        return cli_usage("litmus", "--show takes the whole name of one test; --list has them");
    fputs(text, stdout);
    return 0;
}

static int take(litmus_job *job, int id)
{
    double seconds;
    switch (id) {
    case ID_RUNS: return cli_take_u64("litmus", "runs", optarg, 1, UINT64_MAX, &job->options.runs);
    case ID_SEED: return cli_take_u64("litmus", "seed", optarg, 0, UINT64_MAX, &job->options.seed);
    case ID_AS: return take_as(job, optarg);
    case ID_SHOW: job->show = 1; return 1;
    case ID_TABLE: job->table = 1; return 1;
    case ID_LIST: job->list = 1; return 1;
    case ID_VERBOSE: job->verbose = 1; return 1;
    case ID_TIMEOUT:
        if (!cli_take_seconds("litmus", "timeout", optarg, &seconds))
            return 0;
        cli_set_timeout(seconds);
        return 1;
    case ID_JSON: job->json = 1; return 1;
    case ID_QUIET: job->quiet = 1; return 1;
    default: return cli_device_choice_take(&job->choice, "litmus", id, optarg) > 0;
    }
}

int cli_litmus_run(int argc, char **argv)
{
    litmus_job job = {.options = {.size = sizeof job.options}};
    cli_parser parser;
    int id, code = cli_device_choice_init(&job.choice, "litmus");
    if (code)
        return code;
    cli_parser_init(&parser, "litmus");
    cli_parser_add(&parser, options);
    cli_parser_add(&parser, cli_device_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1)
        if (id == 0 || !take(&job, id))
            return CLI_BAD_USAGE;
    job.name = argv + optind;
    job.names = argc - optind;
    code = check_names(&job);
    if (code)
        return code;
    cli_progress_line(&job.line, !job.quiet);
    job.options.progress = rd_progress_line_fn;
    job.options.user = &job.line;
    if (job.show)
        return show_model(&job);
    return job.table || job.list ? show(&job) : open_and_run(&job);
}
