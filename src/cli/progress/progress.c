/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - `raddle progress`: what does a device do for groups that wait for one another? */
#define _POSIX_C_SOURCE 200809L
#include "cli/progress/progress.h"

#include <string.h>

void cli_progress_help(FILE *out);
int cli_progress_run(int argc, char **argv);

enum {
    ID_NEED = 1,
    ID_MOST,
    ID_PROGRAMS,
    ID_SHAPES,
    ID_REPEATS,
    ID_SEED,
    ID_PATIENCE,
    ID_TIMEOUT,
    ID_ALL,
    ID_LIST,
    ID_JSON,
    ID_QUIET
};

static const cli_option options[] = {
    {"need", 0, "NAME", "exit status 1 if this scheduler is violated [obe]", ID_NEED},
    {"most", 0, "N", "most threads of a program, 2 to 5 [5]", ID_MOST},
    {"programs", 0, "N", "of each kind: the N smallest, and N by lot [3]", ID_PROGRAMS},
    {"shapes", 0, "N", "shapes of launches for each program [12]", ID_SHAPES},
    {"repeats", 0, "N", "launches of each shape [4]", ID_REPEATS},
    {"seed", 0, "N", "of programs, shapes and delays [27491]", ID_SEED},
    {"patience", 0, "SECONDS", "without a step: then it hangs [1]", ID_PATIENCE},
    {"all", 0, NULL, "also programs that can tell nothing new", ID_ALL},
    {"list", 'l', NULL, "print the programs and what ends them, run nothing", ID_LIST},
    {"timeout", 0, "SECONDS", "give up after so long", ID_TIMEOUT},
    {"json", 0, NULL, "one JSON object", ID_JSON},
    {"quiet", 'q', NULL, "no progress line", ID_QUIET},
    {NULL, 0, NULL, NULL, 0},
};

void cli_progress_help(FILE *out)
{
    fputs("usage: raddle progress [options]\n\n"
          "Runs small programs in which groups wait for one another, in many shapes. Of\n"
          "each the model checker knows which schedulers end it: one that hangs shows that\n"
          "the device is none of them. The verdict is kept, `raddle devices` shows it, and\n"
          "persistent launches are refused where obe is violated. See docs/progress.md.\n\n",
          out);
    cli_print_options(out, options);
    cli_print_options(out, cli_device_options);
    fputs("Exit status 1: what --need names was seen to be violated.\n", out);
}

int progress_scheduler(const char *name)
{
    const rd_name_text *row = rd_fairness_schedulers();
    for (int k = 0; row[k].name; k++)
        if (strcmp(row[k].name, name) == 0)
            return k;
    return -1;
}

static int take_u32(const char *name, uint64_t low, uint64_t high, uint32_t *value)
{
    uint64_t number;
    if (!cli_take_u64("progress", name, optarg, low, high, &number))
        return 0;
    *value = (uint32_t)number;
    return 1;
}

/* @return 1 to go on, 0 after an error. */
static int take(progress_job *job, int id)
{
    double seconds;
    switch (id) {
    case ID_NEED:
        job->need = optarg;
        if (progress_scheduler(optarg) < 0)
            cli_usage("progress", "--need: '%s' is not one of opencl, hsa, obe, hsa+obe, lobe, fair", optarg);
        return progress_scheduler(optarg) >= 0;
    case ID_MOST: return take_u32("most", 2, RD_PROGRESS_THREADS, &job->options.threads);
    case ID_PROGRAMS: return take_u32("programs", 1, 1000000, &job->options.programs);
    case ID_SHAPES: return take_u32("shapes", 1, 1000000, &job->options.shapes);
    case ID_REPEATS: return take_u32("repeats", 1, 4096, &job->options.repeats);
    case ID_SEED: return cli_take_u64("progress", "seed", optarg, 0, UINT64_MAX, &job->options.seed);
    case ID_PATIENCE: return cli_take_seconds("progress", "patience", optarg, &job->options.patience);
    case ID_TIMEOUT:
        if (!cli_take_seconds("progress", "timeout", optarg, &seconds))
            return 0;
        cli_set_timeout(seconds);
        return 1;
    case ID_ALL: job->all = 1; return 1;
    case ID_LIST: job->list = 1; return 1;
    case ID_JSON: job->json = 1; return 1;
    case ID_QUIET: job->quiet = 1; return 1;
    default: return cli_device_choice_take(&job->choice, "progress", id, optarg) > 0;
    }
}

static int parse(progress_job *job, int argc, char **argv)
{
    cli_parser parser;
    int id, code = cli_device_choice_init(&job->choice, "progress");
    if (code)
        return code;
    cli_parser_init(&parser, "progress");
    cli_parser_add(&parser, options);
    cli_parser_add(&parser, cli_device_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1)
        if (id == 0 || !take(job, id))
            return CLI_BAD_USAGE;
    if (optind < argc)
        return cli_usage("progress", "takes no argument ('%s'); a device is given by --device", argv[optind]);
    return 0;
}

int cli_progress_run(int argc, char **argv)
{
    progress_job job = {.options = {.size = sizeof job.options}, .need = "obe"};
    rd_error err = {.status = RD_OK};
    int code = parse(&job, argc, argv);
    if (code)
        return code;
    cli_progress_line(&job.line, !job.quiet);
    job.options.progress = rd_progress_line_fn;
    job.options.user = &job.line;
    if (rd_progress_programs(&job.options, &job.program, &job.programs, &err) != RD_OK)
        code = cli_fail("progress", &err);
    else if (job.list)
        code = progress_print_list(&job);
    else
        code = progress_run(&job);
    rd_progress_line_clear(&job.line);
    if (!code && !job.list)
        code = progress_print(&job);
    rd_free(job.program);
    return code;
}
