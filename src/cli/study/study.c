/* SPDX-License-Identifier: Apache-2.0 */
/* study.c - `raddle study`: runs apps x inputs x configurations x devices, and says which switches are worth turning
 * on. */
#define _DEFAULT_SOURCE /* _SC_NPROCESSORS_ONLN */
#include "cli/study/study.h"

#include "cli/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void cli_study_help(FILE *out);
int cli_study_run(int argc, char **argv);

enum {
    ID_OUTPUT = 1,
    ID_APP,
    ID_GRAPH,
    ID_SWITCH,
    ID_RUNS,
    ID_BUDGET,
    ID_LIMIT,
    ID_JOBS,
    ID_QUICK,
    ID_NO_MICRO,
    ID_NO_DEFAULTS,
    ID_COMPILE
};
enum { ID_CSV = 50, ID_LIST, ID_QUIET, ID_ANALYSE };
enum { RUNS = 5, JOBS = 8 };

static const cli_option run_options[] = {
    {"output", 'o', "FILE", "measure, and append a JSON line a point; what is there is not run again", ID_OUTPUT},
    {"app", 'a', "NAME", "an app or variant; several times for several [all of --list]", ID_APP},
    {"graph", 'g', "INPUT", "a file or generator; several times for several [a road, kron, urand]", ID_GRAPH},
    {"switch", 0, "NAME", "a switch of --list, or NAME=OPTION:ON/OFF; several times [all]", ID_SWITCH},
    {"runs", 'n', "N", "timed runs of a point, at least 4 [5]", ID_RUNS},
    {"budget", 0, "SECONDS", "start no more points after so long, exit status 5", ID_BUDGET},
    {"time-limit", 0, "SECONDS", "leave out a point of which a run takes longer [60]", ID_LIMIT},
    {"jobs", 0, "N", "processes that compile kernels beforehand; 1: none [one a core, at most 8]", ID_JOBS},
    {"compile", 0, NULL, "compile kernels into the cache and measure nothing; cuda:sm_NN takes no GPU", ID_COMPILE},
    {"quick", 0, NULL, "small graphs", ID_QUICK},
    {"no-micro", 0, NULL, "leave out the microbenchmarks that explain", ID_NO_MICRO},
    {"no-defaults", 0, NULL, "leave out what apps choose by themselves, beside the best", ID_NO_DEFAULTS},
    {NULL, 0, NULL, NULL, 0},
};
static const cli_option say_options[] = {
    {"analyse", 0, NULL, "only say what the FILEs have (so it is without --output)", ID_ANALYSE},
    {"csv", 0, "TABLE", "switches, configs, strategies, choices, devices, moved, micro or defaults as CSV", ID_CSV},
    {"list", 'l', NULL, "print switches, apps and inputs, run nothing", ID_LIST},
    {"quiet", 'q', NULL, "no progress line; with --output, no tables", ID_QUIET},
    {NULL, 0, NULL, NULL, 0},
};

void cli_study_help(FILE *out)
{
    fputs("usage: raddle study -o FILE [options]      raddle study FILE... [options]\n\n"
          "Which optimisations are worth turning on? Runs every app on every input and\n"
          "device in every configuration of switches, then says what to turn on for all,\n"
          "for a device, an app, an input or two of these, and how near that comes to the\n"
          "best of each. Given FILEs it says so for what they have together.\n\n",
          out);
    cli_print_options(out, run_options);
    cli_print_options(out, say_options);
    cli_print_options(out, cli_device_options);
    fprintf(out, "%25s (--device may be given several times)\n", "");
}

static int take_device(study_job *job, const char *name)
{
    if (job->devices == STUDY_DEVICES)
        return cli_usage("study", "at most %d devices at a time", STUDY_DEVICES);
    for (size_t i = 0; i < job->devices; i++)
        if (strcmp(job->choice[i].name, name) == 0)
            return cli_usage("study", "device '%s' is there twice", name);
    job->choice[job->devices++].name = name;
    return 0;
}

static int take_input(study_job *job, const char *text)
{
    if (job->inputs == STUDY_INPUTS)
        return cli_usage("study", "at most %d inputs at a time", STUDY_INPUTS);
    for (size_t i = 0; i < job->inputs; i++)
        if (strcmp(job->input[i], text) == 0)
            return cli_usage("study", "input '%s' is there twice", text);
    job->input[job->inputs++] = text;
    return 0;
}

static int take_switch(study_job *job, const char *text)
{
    const int code = study_add_switch(job, text);
    const size_t used = strlen(job->only);
    if (!code) /* 16 names of at most 23 characters */
        snprintf(job->only + used, sizeof job->only - used, "%s%s", used ? "," : "",
                 job->of_switch[job->switches - 1].name);
    return code;
}

static int take(study_job *job, int id, const char *value)
{
    switch (id) {
    case ID_OUTPUT: job->output = cli_output_name(value); return 0;
    case ID_APP: return study_add_app(job, value);
    case ID_GRAPH: return take_input(job, value);
    case ID_SWITCH: return take_switch(job, value);
    case ID_RUNS: return cli_take_u64("study", "runs", value, 4, 10000, &job->runs) ? 0 : CLI_BAD_USAGE;
    case ID_JOBS: return cli_take_u64("study", "jobs", value, 1, 64, &job->jobs) ? 0 : CLI_BAD_USAGE;
    case ID_BUDGET: return cli_take_seconds("study", "budget", value, &job->budget) ? 0 : CLI_BAD_USAGE;
    case ID_LIMIT: return cli_take_seconds("study", "time-limit", value, &job->limit) ? 0 : CLI_BAD_USAGE;
    case ID_COMPILE: job->compile = 1; return 0;
    case ID_QUICK: job->quick = 1; return 0;
    case ID_NO_MICRO: job->micro = 0; return 0;
    case ID_NO_DEFAULTS: job->defaults = 0; return 0;
    case ID_CSV: job->csv = value; return 0;
    case ID_LIST: job->list = 1; return 0;
    case ID_QUIET: job->quiet = 1; return 0;
    case ID_ANALYSE: job->analyse = 1; return 0;
    case CLI_ID_DEVICE: return take_device(job, value);
    }
    return cli_device_choice_take(&job->choice[0], "study", id, value) < 0 ? CLI_BAD_USAGE : 0;
}

static int parse(study_job *job, int argc, char **argv)
{
    cli_parser parser;
    int id, code = cli_device_choice_init(&job->choice[0], "study");
    cli_parser_init(&parser, "study");
    cli_parser_add(&parser, run_options);
    cli_parser_add(&parser, say_options);
    cli_parser_add(&parser, cli_device_options);
    while (code == 0 && (id = cli_parser_next(&parser, argc, argv)) != -1)
        code = id == 0 ? CLI_BAD_USAGE : take(job, id, optarg);
    if (code)
        return code;
    if (job->csv && study_csv(NULL, job->csv, NULL))
        return CLI_BAD_USAGE;
    if (job->output && strcmp(job->output, "-") == 0)
        return cli_usage("study", "--output takes a file, which is read again when the study goes on");
    if (job->output && job->analyse)
        return cli_usage("study", "--analyse measures nothing; leave --output out, and name its FILE alone");
    if (!job->output && !job->list && !job->compile && optind == argc)
        return cli_usage("study", "what is to be done? -o FILE measures, FILE... says what was measured");
    if (job->devices == 0)
        job->devices = 1; /* the default choice */
    for (size_t i = 1; i < job->devices; i++)
        job->choice[i].options = job->choice[0].options;
    return study_add_defaults(job);
}

static int read_points(study_job *job, const char *path)
{
    rd_study_lines lines;
    rd_error err = {.status = RD_OK};
    if (rd_study_read(job->points, path, &lines, &err) != RD_OK)
        return cli_fail("study", &err);
    if (lines.broken)
        cli_message("study", 0, "%s: %zu lines are passed over: they were cut off, or are no records", path,
                    lines.broken);
    return 0;
}

static int say(study_job *job)
{
    rd_study_result *result = NULL;
    rd_error err = {.status = RD_OK};
    const char *only = job->only[0] && !job->output ? job->only : NULL;
    if (rd_study_analyse(job->points, only, &result, &err) != RD_OK)
        return cli_fail("study", &err);
    const int code = job->csv ? study_csv(stdout, job->csv, result) : 0;
    if (!job->csv)
        study_report(stdout, result);
    rd_study_result_free(result);
    return code;
}

static int run(study_job *job, char **path, int paths)
{
    rd_error err = {.status = RD_OK};
    int code = 0, measured = 0;
    if (job->list) {
        study_print_list(job, stdout);
        return 0;
    }
    if (rd_study_create(&job->points, &err) != RD_OK)
        return cli_fail("study", &err);
    if (job->output && access(job->output, F_OK) == 0)
        code = read_points(job, job->output);
    if (!code && (job->output || job->compile))
        measured = study_run(job);
    if (job->compile)
        return code ? code : measured;
    for (int i = 0; i < paths && !code; i++) /* afterwards: what others measured is no reason to leave a point out */
        code = read_points(job, path[i]);
    if (code || (measured && measured != CLI_WRONG) || (job->output && job->quiet && !job->csv))
        return code ? code : measured;
    code = say(job);
    return measured ? measured : code;
}

int cli_study_run(int argc, char **argv)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    study_job *job = calloc(1, sizeof *job);
    if (!job)
        return cli_message("study", CLI_BAD_DEVICE, "out of memory");
    job->runs = RUNS;
    job->limit = 60;
    job->micro = job->defaults = 1;
    job->jobs = cores > JOBS ? JOBS : cores > 1 ? (uint64_t)cores : 1;
    int code = parse(job, argc, argv);
    cli_progress_line(&job->line, !job->quiet);
    if (!code)
        code = run(job, argv + optind, argc - optind);
    rd_study_destroy(job->points);
    free(job);
    return code;
}
