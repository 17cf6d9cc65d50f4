/* SPDX-License-Identifier: Apache-2.0 */
/* app.c - runs any app of the library: options from its tables, device, graph, trials, checker. See app.h. */
#define _GNU_SOURCE /* getopt_long */
#include "cli/app.h"

#include "cli/machine.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    ID_TRIALS = 1,
    ID_SOURCE,
    ID_SOURCES,
    ID_VERIFY,
    ID_JSON,
    ID_JSON_FILE,
    ID_OUTPUT,
    ID_DRY_RUN,
    ID_TIMEOUT,
    ID_EXPLAIN,
    ID_QUIET
};
enum { ID_APP = 2000, ID_COMMON = 3000, ID_SCHED = 4000 };

static const cli_option options[] = {
    {"trials", 'n', "N", "run N times [1, or once for each source]", ID_TRIALS},
    {"verify", 'v', NULL, "prove each result; exit status 1 if one is wrong", ID_VERIFY},
    {"output", 'o', "FILE", "write the last result, one value a line ('-': stdout)", ID_OUTPUT},
    {"dry-run", 0, NULL, "print the device memory it would take, run nothing", ID_DRY_RUN},
    {"explain", 0, NULL, "say which scheduler and launch were chosen, and why", ID_EXPLAIN},
    {"timeout", 0, "SECONDS", "stop after so long, exit status 5", ID_TIMEOUT},
    {"json", 0, NULL, "JSON Lines on stdout: each trial, then a summary", ID_JSON},
    {"json-file", 0, "FILE", "append the same to FILE", ID_JSON_FILE},
    {"quiet", 'q', NULL, "no report and no progress; errors only", ID_QUIET},
    {NULL, 0, NULL, NULL, 0},
};
static const cli_option source_options[] = {
    {"source", 'r', "V[,V...]", "start here; trials take the next one [highest degree]", ID_SOURCE},
    {"sources", 0, "N", "N random sources that have edges, by --seed", ID_SOURCES},
    {NULL, 0, NULL, NULL, 0},
};
static const struct option input_options[] = {CLI_INPUT_LONG, {NULL, 0, NULL, 0}};

/* What the app's input is called in a usage line; NULL: it has none. */
static const char *input_name(const rd_app_info *app)
{
    return rd_app_takes_graph(app) ? "INPUT" : app->input == RD_INPUT_TEXT ? app->input_name : NULL;
}

/* The options of all schedulers that the app runs under, each name once; valid until the next call. */
static const rd_option_info *scheduler_options(const rd_app_info *app)
{
    static rd_option_info table[APP_SETTINGS_MAX + 1];
    size_t count = 0, i;
    for (const char *const *sched = app->schedulers; *sched; sched++)
        for (const rd_option_info *option = rd_scheduler_options(*sched); option && option->key; option++) {
            for (i = 0; i < count && strcmp(table[i].key, option->key) != 0; i++)
                ;
            if (i == count && count < APP_SETTINGS_MAX)
                table[count++] = *option;
        }
    table[count] = (rd_option_info){.key = NULL};
    return table;
}

/* Does all of the short help fit a screen? Where an app has much to say, the driver says less. */
static int fits_screen(const rd_app_info *app)
{
    enum { SPARE = 5 }; /* lines of 24 that the driver's own options leave */
    size_t lines = 0;
    for (const char *at = app->input == RD_INPUT_TEXT ? app->input_text : ""; *at; at++)
        lines += *at == '\n';
    for (const rd_option_info *option = app->options; option->key; option++)
        lines++;
    return lines <= SPARE;
}

static void print_little(FILE *out, const rd_app_info *app)
{
    static const cli_option few[] = {
        {"verify", 'v', NULL, "prove each result; exit status 1 if one is wrong", 0},
        {"output", 'o', "FILE", "write the last result", 0},
        {NULL, 0, NULL, NULL, 0},
    };
    const cli_option device[] = {cli_device_options[0], {NULL, 0, NULL, NULL, 0}};
    cli_print_options(out, few);
    cli_print_options(out, device);
    fprintf(out, "'raddle %s --help=all' has the options of every app, schedulers and devices too.\n", app->name);
}

void cli_app_help(FILE *out, const rd_app_info *app, int all)
{
    const char *input = input_name(app);
    fprintf(out, "usage: raddle %s %s%s[options]\n%s\n\n", app->name, input ? input : "", input ? " " : "", app->text);
    if (app->input == RD_INPUT_TEXT)
        fprintf(out, "%s\n", app->input_text);
    if (app->has_source)
        cli_print_options(out, source_options);
    cli_print_option_infos(out, app->options, app->has_source ? source_options : options);
    if (!all && !fits_screen(app)) {
        print_little(out, app);
        return;
    }
    cli_print_options(out, options);
    fprintf(out, "\nScheduling (%s runs under:", app->name);
    for (const char *const *sched = app->schedulers; sched && *sched; sched++)
        fprintf(out, " %s", *sched);
    fprintf(out, ")\n");
    cli_print_option_infos(out, rd_common_options(), options);
    if (!all) {
        const cli_option device[] = {cli_device_options[0], {NULL, 0, NULL, NULL, 0}};
        cli_print_options(out, device);
        fprintf(out, "'raddle %s --help=all' has the options of schedulers, devices%s too.\n", app->name,
                rd_app_takes_graph(app) ? " and INPUT" : "");
        return;
    }
    for (const char *const *sched = app->schedulers; sched && *sched; sched++)
        if (rd_scheduler_options(*sched)->key) {
            fprintf(out, "Of scheduler %s:\n", *sched);
            cli_print_option_infos(out, rd_scheduler_options(*sched), options);
        }
    fprintf(out, "\nDevice\n");
    cli_print_options(out, cli_device_options);
    if (rd_app_takes_graph(app)) {
        fprintf(out, "\n");
        cli_input_help(out);
    }
}

static int keep_setting(app_run *run, const char *key, const char *value)
{
    if (run->settings >= APP_SETTINGS_MAX)
        return cli_usage(run->app->name, "too many options");
    run->setting[run->settings].key = key;
    run->setting[run->settings++].value = value;
    return 0;
}

/* Options of the driver itself. @return 0, or an exit code after printing. */
static int take_own(app_run *run, int id, const char *value)
{
    const char *name = run->app->name;
    switch (id) {
    case ID_TRIALS: return cli_take_u64(name, "trials", value, 1, 1000000, &run->trials) ? 0 : CLI_BAD_USAGE;
    case ID_SOURCE: return app_add_sources(run, value) ? 0 : CLI_BAD_USAGE;
    case ID_SOURCES: return cli_take_u64(name, "sources", value, 1, 1000000, &run->random_sources) ? 0 : CLI_BAD_USAGE;
    case ID_TIMEOUT: return cli_take_seconds(name, "timeout", value, &run->timeout) ? 0 : CLI_BAD_USAGE;
    case ID_VERIFY: run->verify = 1; break;
    case ID_EXPLAIN: run->explain = 1; break;
    case ID_JSON: run->json = 1; break;
    case ID_JSON_FILE: run->json_path = value; break;
    case ID_OUTPUT: run->output_path = value; break;
    case ID_DRY_RUN: run->dry_run = 1; break;
    case ID_QUIET: run->quiet = 1; break;
    }
    return 0;
}

static int take_option(app_run *run, int id, const char *value)
{
    const char *name = run->app->name;
    if (id >= ID_SCHED)
        return keep_setting(run, scheduler_options(run->app)[id - ID_SCHED].key, value ? value : "1");
    if (id >= ID_COMMON)
        return keep_setting(run, rd_common_options()[id - ID_COMMON].key, value ? value : "1");
    if (id >= ID_APP)
        return keep_setting(run, run->app->options[id - ID_APP].key, value ? value : "1");
    if (id == CLI_ID_THREADS && cli_input_option(&run->input, name, CLI_INPUT_THREADS, value) < 0)
        return CLI_BAD_USAGE; /* --threads is for the device and for reading alike */
    int taken = cli_device_choice_take(&run->choice, name, id, value);
    if (taken == 0)
        taken = cli_input_option(&run->input, name, id, value);
    if (taken)
        return taken < 0 ? CLI_BAD_USAGE : 0;
    return take_own(run, id, value);
}

static int parse(app_run *run, int argc, char **argv)
{
    const rd_app_info *app = run->app;
    const char *name = app->name;
    cli_parser parser;
    int id, code = cli_device_choice_init(&run->choice, name);
    cli_input_init(&run->input);
    run->input.options.threads = run->choice.options.threads;
    cli_parser_init(&parser, name);
    cli_parser_add(&parser, options);
    if (app->has_source)
        cli_parser_add(&parser, source_options);
    cli_parser_add(&parser, cli_device_options);
    cli_parser_add_info(&parser, app->options, ID_APP);
    if (rd_app_takes_graph(app))
        cli_parser_add_getopt(&parser, input_options);
    cli_parser_add_info(&parser, rd_common_options(), ID_COMMON);
    cli_parser_add_info(&parser, scheduler_options(app), ID_SCHED);
    while (code == 0 && (id = cli_parser_next(&parser, argc, argv)) != -1)
        code = id == 0 ? CLI_BAD_USAGE : take_option(run, id, optarg);
    if (code)
        return code;
    const char *input = input_name(app);
    if (input && optind < argc)
        run->spec = argv[optind++];
    if (optind < argc)
        return input ? cli_usage(name, "one %s at a time ('%s' is one too many)", input, argv[optind])
                     : cli_usage(name, "it takes no input, only options ('%s' is neither)", argv[optind]);
    if (app->input == RD_INPUT_TEXT && !run->spec)
        return cli_usage(name, "%s is missing: 'raddle %s --help' says what it may be", input, name);
    if (rd_app_takes_graph(app) && !run->spec)
        return cli_usage(name,
                         "INPUT is missing: a graph file, '-' for standard input, or a generator such as kron:20");
    if (run->json_path && strcmp(run->json_path, "-") == 0) {
        run->json = 1;
        run->json_path = NULL;
    }
    if (run->output_path && strcmp(run->output_path, "-") == 0 && run->json)
        return cli_usage(name, "--json and --output - both want standard output; use --json-file");
    return 0;
}

static int explain(app_run *run)
{
    rd_error err = {.status = RD_OK};
    const char *text;
    if (rd_job_explain(run->job, &text, &err) != RD_OK)
        return cli_fail(run->app->name, &err);
    fprintf(run->text ? run->text : stderr, "choice:    %s\n", text);
    return 0;
}

/* Device, job and options first: what is wrong with them is said before a large graph is read. */
static int open_all(app_run *run)
{
    const char *name = run->app->name;
    rd_error err = {.status = RD_OK};
    int code = cli_device_choice_open(&run->choice, name, &run->device);
    if (code)
        return code;
    if (rd_job_create(run->device, name, &run->job, &err) != RD_OK)
        return cli_fail(name, &err);
    for (size_t i = 0; i < run->settings; i++)
        if (rd_job_set(run->job, run->setting[i].key, run->setting[i].value, &err) != RD_OK)
            return cli_fail(name, &err);
    if (run->timeout > 0) {
        char seconds[40];
        snprintf(seconds, sizeof seconds, "%.17g", run->timeout);
        cli_set_timeout(run->timeout);
        /* A watchdog inside the library, where it has one, also stops a kernel that no callback can reach. */
        for (const rd_option_info *option = rd_common_options(); option->key; option++)
            if (strcmp(option->key, "timeout") == 0 && rd_job_set(run->job, "timeout", seconds, &err) != RD_OK)
                return cli_fail(name, &err);
    }
    run->input.progress.enabled &= !run->quiet;
    rd_job_set_progress(run->job, rd_progress_line_fn, &run->input.progress);
    if (run->app->input == RD_INPUT_TEXT && rd_job_set_input(run->job, run->spec, &err) != RD_OK)
        return cli_fail(name, &err);
    if (rd_app_takes_graph(run->app)) {
        cli_input_want_weights(&run->input, run->app->input == RD_INPUT_WEIGHTED);
        code = cli_input_open(&run->input, name, run->spec, &run->graph);
        if (code == 0)
            code = run->app->has_source ? app_choose_sources(run) : 0;
        if (code)
            return code;
        if (rd_job_set_graph(run->job, run->graph, &err) != RD_OK)
            return cli_fail(name, &err);
    }
    if (rd_job_plan(run->job, &run->plan, &err) != RD_OK)
        return cli_fail(name, &err);
    return run->explain ? explain(run) : 0;
}

/* The memory plan, and whether it fits: exit status 4 when it does not. */
static int dry_run(app_run *run)
{
    const rd_device_info *info = rd_device_get_info(run->device);
    uint64_t need = run->plan.alloc_bytes, largest = 0;
    uint64_t have = info->memory_free ? info->memory_free : info->memory;
    char text[2][32];
    if (run->json)
        app_json_plan(run, stdout);
    else
        app_print_plan(run, stdout);
    if (run->json_file)
        app_json_plan(run, run->json_file);
    for (size_t i = 0; i < run->plan.count; i++)
        if (!run->plan.item[i].is_shared && run->plan.item[i].bytes > largest)
            largest = run->plan.item[i].bytes;
    if (have && need > have)
        return cli_message(run->app->name, CLI_BAD_DEVICE, "it would not fit: %s wanted, %s there on %s",
                           rd_format_bytes(need, text[0], 32), rd_format_bytes(have, text[1], 32), info->name);
    if (info->memory_max_alloc && largest > info->memory_max_alloc)
        return cli_message(run->app->name, CLI_BAD_DEVICE, "it would not fit: a buffer of %s, %s allows %s",
                           rd_format_bytes(largest, text[0], 32), info->name,
                           rd_format_bytes(info->memory_max_alloc, text[1], 32));
    return 0;
}

static uint64_t greatest_depth(const rd_result *result)
{
    uint32_t depth = 0;
    for (uint64_t i = 0; i < result->count; i++)
        if (result->word[i] != RD_NONE && result->word[i] > depth)
            depth = result->word[i];
    return depth;
}

/* @return 0, or an exit code; a wrong result is noted in the trial and is not an error here. */
static int run_trial(app_run *run, app_trial *trial)
{
    const char *name = run->app->name;
    rd_error err = {.status = RD_OK};
    rd_result result;
    trial->source = RD_NONE;
    if (run->app->has_source && run->source_count) {
        char vertex[16];
        trial->source = run->source[run->done % run->source_count];
        snprintf(vertex, sizeof vertex, "%u", trial->source);
        if (rd_job_set(run->job, "source", vertex, &err) != RD_OK)
            return cli_fail(name, &err);
    } else if (run->app->has_source && run->graph) {
        trial->source = rd_graph_hub(run->graph);
    }
    double started = rd_now();
    rd_status status = rd_job_run(run->job, &trial->report, &err);
    /* Stopped early: some apps have a result all the same. */
    if (status == RD_ETIMEOUT || status == RD_ECANCELLED)
        trial->stopped = rd_job_result(run->job, &result, NULL) == RD_OK;
    else if (status == RD_OK)
        status = rd_job_result(run->job, &result, &err);
    trial->total_s = rd_now() - started;
    rd_progress_line_clear(&run->input.progress);
    if (status != RD_OK && !trial->stopped)
        return cli_fail(name, &err);
    trial->download_s = result.download_s;
    trial->depth = strcmp(result.name, "depth") == 0 ? greatest_depth(&result) : trial->report.rounds;
    if (run->verify && !trial->stopped) {
        started = rd_now();
        err = (rd_error){.status = RD_OK};
        status = rd_job_check(run->job, &err);
        trial->verify_s = rd_now() - started;
        trial->checked = 1;
        trial->right = status == RD_OK;
        if (status == RD_OK)
            snprintf(trial->note, sizeof trial->note, "%.*s", (int)sizeof trial->note - 1, err.text);
        if (status == RD_EWRONG)
            cli_message(name, 0, "trial %zu is wrong: %s", run->done + 1, err.text);
        else if (status != RD_OK)
            return cli_fail(name, &err);
    }
    return trial->stopped ? cli_fail(name, &err) : 0;
}

/* Numbers one a line; "none" (unreached) is -1. */
static int write_result(app_run *run)
{
    const char *name = run->app->name, *path = run->output_path;
    int to_stdout = strcmp(path, "-") == 0;
    rd_result result;
    rd_error err = {.status = RD_OK};
    if (run->app->has_file)
        return rd_job_save(run->job, path, &err) == RD_OK ? 0 : cli_fail(name, &err);
    if (rd_job_result(run->job, &result, &err) != RD_OK)
        return cli_fail(name, &err);
    FILE *out = to_stdout ? stdout : fopen(path, "w");
    if (!out)
        return cli_message(name, CLI_BAD_INPUT, "%s: cannot be opened for writing: %s", path, strerror(errno));
    for (uint64_t i = 0; i < result.count; i++) {
        if (result.kind == RD_RESULT_F32)
            fprintf(out, "%.9g\n", (double)result.real[i]);
        else if (result.kind == RD_RESULT_U64)
            fprintf(out, "%" PRIu64 "\n", result.wide[i]);
        else if (result.word[i] == RD_NONE)
            fputs("-1\n", out);
        else
            fprintf(out, "%" PRIu32 "\n", result.word[i]);
    }
    return to_stdout ? 0 : cli_close_json(name, path, out);
}

static int run_trials(app_run *run)
{
    const char *name = run->app->name;
    size_t trials = run->trials ? (size_t)run->trials : run->source_count ? run->source_count : 1;
    int code = 0, wrong = 0, stopped = 0;
    run->trial = calloc(trials, sizeof *run->trial);
    if (!run->trial)
        return cli_message(name, CLI_BAD_DEVICE, "out of host memory: records of %zu trials", trials);
    while (run->done < trials) {
        if (cli_stop) {
            rd_error err = {.status = RD_ECANCELLED};
            snprintf(err.text, sizeof err.text, "%zu of %zu trials were done", run->done, trials);
            code = cli_fail(name, &err);
            break;
        }
        code = run_trial(run, &run->trial[run->done]);
        const app_trial *trial = &run->trial[run->done];
        stopped = trial->stopped;
        if (code && !stopped)
            break;
        run->done++;
        wrong |= trial->checked && !trial->right;
        if (run->text && run->done == 1)
            app_print_head(run);
        if (run->text)
            app_print_trial(run, run->done - 1);
        if (run->json)
            app_json_trial(run, run->done - 1, stdout);
        if (run->json_file)
            app_json_trial(run, run->done - 1, run->json_file);
        if (stopped)
            break;
    }
    if (run->done) {
        if (run->text)
            app_print_summary(run);
        if (run->json)
            app_json_summary(run, stdout);
        if (run->json_file)
            app_json_summary(run, run->json_file);
    }
    if ((code == 0 || stopped) && run->output_path) {
        const int written = write_result(run);
        code = code ? code : written;
    }
    return wrong ? CLI_WRONG : code;
}

int cli_app_run(const rd_app_info *app, int argc, char **argv)
{
    app_run run = {.app = app, .started = rd_now()};
    int code = parse(&run, argc, argv);
    if (code == 0 && run.json_path && !(run.json_file = cli_open_json(app->name, run.json_path)))
        code = CLI_BAD_INPUT;
    if (code == 0) {
        /* Values on stdout (-o -) drive the report to stderr. */
        int values = run.output_path && strcmp(run.output_path, "-") == 0;
        run.text = run.quiet || run.json ? NULL : values ? stderr : stdout;
        code = open_all(&run);
    }
    if (code == 0)
        code = run.dry_run ? dry_run(&run) : run_trials(&run);
    int closed = cli_close_json(app->name, run.json_path, run.json_file);
    rd_progress_line_clear(&run.input.progress);
    rd_job_destroy(run.job);
    rd_graph_destroy(run.graph);
    rd_device_close(run.device);
    free(run.trial);
    free(run.source);
    return code ? code : closed;
}
