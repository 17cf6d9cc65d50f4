/* SPDX-License-Identifier: Apache-2.0 */
/* app_options.c - the options of an app on the command line: those of the driver, and from the library's tables those
 * of the app, of all runs, and of the schedulers it runs under. See app.h. */
#define _GNU_SOURCE /* getopt_long */
#include "cli/app.h"
#include "cli/outputs.h"

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
    ID_QUIET,
    ID_STATS,
    ID_WINDOW,
    ID_CHECKPOINT,
    ID_EVERY,
    ID_SHARES,
    ID_MESSAGE
};
enum { ID_APP = 2000, ID_COMMON = 3000, ID_SCHED = 4000 };

static const cli_option options[] = {
    {"trials", 'n', "N", "run N times [1]", ID_TRIALS},
    {"verify", 'v', NULL, "prove each result; exit status 1 if one is wrong", ID_VERIFY},
    {"output", 'o', "FILE", "write the last result, one value a line ('-': stdout)", ID_OUTPUT},
    {"dry-run", 0, NULL, "print the device memory it would take, run nothing", ID_DRY_RUN},
    {"explain", 0, NULL, "say which scheduler, launch and worker were chosen, and why; what was learned", ID_EXPLAIN},
    {"stats", 0, NULL, "print counters, memory and times of preparing too", ID_STATS},
    {"timeout", 0, "SECONDS", "stop after so long, exit status 5", ID_TIMEOUT},
    {"json", 0, NULL, "JSON Lines on stdout: each trial, then a summary", ID_JSON},
    {"json-file", 0, "FILE", "append the same to FILE", ID_JSON_FILE},
    {"quiet", 'q', NULL, "no report and no progress; errors only", ID_QUIET},
    {NULL, 0, NULL, NULL, 0},
};
static const cli_option rank_options[] = {
    {"shares", 0, "N,N,...", "of several ranks: how much each gets; 0: nothing [by device]", ID_SHARES},
    {"message", 0, "BYTES", "of several ranks: what is longer goes as several messages [64 MiB]", ID_MESSAGE},
    {NULL, 0, NULL, NULL, 0},
};
static const cli_option window_options[] = {
    {"window", 0, "N", "of several ranks: levels or distance they run ahead [by cost]", ID_WINDOW},
    {NULL, 0, NULL, NULL, 0},
};
static const cli_option checkpoint_options[] = {
    {"checkpoint", 0, "DIR", "write down what it has now and then: 'raddle resume DIR' goes on", ID_CHECKPOINT},
    {"every", 0, "SECONDS", "between two checkpoints, at least [60]", ID_EVERY},
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
        for (const rd_option_info *option = rd_scheduler_options(app->name, *sched); option && option->key; option++) {
            for (i = 0; i < count && strcmp(table[i].key, option->key) != 0; i++)
                ;
            if (i == count && count < APP_SETTINGS_MAX)
                table[count++] = *option;
        }
    table[count] = (rd_option_info){.key = NULL};
    return table;
}

/* The driver's options, in the words that are true of this app. */
static void print_driver(FILE *out, const rd_app_info *app)
{
    char output[96];
    cli_option line[sizeof options / sizeof options[0]];
    memcpy(line, options, sizeof options);
    for (cli_option *option = line; option->name; option++) {
        if (option->id == ID_TRIALS && app->has_source)
            option->text = "run N times [1, or once for each source]";
        if (option->id == ID_OUTPUT && app->file_suffixes) {
            snprintf(output, sizeof output, "write the last result: a file that ends in %s ('-': stdout)",
                     app->file_suffixes);
            option->text = output;
        }
        if (option->id == ID_OUTPUT && app->arrays)
            option->text = "write the result, one value a line ('-': stdout); ARRAY=FILE: an array";
    }
    cli_print_options(out, line);
}

/* Does the app have an option of its own by this name? Then it takes the place of the common one. */
static int has_own(const rd_app_info *app, const char *key)
{
    for (const rd_option_info *option = app->options; option && option->key; option++)
        if (strcmp(option->key, key) == 0)
            return 1;
    return 0;
}

/* The help of --launch, with those that some scheduler of the app has. */
static const char *launch_text(const rd_app_info *app, char *text, size_t room)
{
    size_t used = (size_t)snprintf(text, room, "how the run is kept going:");
    const size_t first = used;
    for (const char *const *sched = app->schedulers; *sched; sched++)
        for (const char *const *launch = rd_scheduler_launches(*sched); launch && *launch; launch++)
            if (!strstr(text, *launch) && used < room)
                used += (size_t)snprintf(text + used, room - used, "%s %s", used > first ? "," : "", *launch);
    if (used < room)
        snprintf(text + used, room - used, "; auto: by scheduler");
    return text;
}

/* Of the options of all runs those that leave this app a choice; all: those that few need too. */
static void print_scheduling(FILE *out, const rd_app_info *app, int all)
{
    fprintf(out, "\nScheduling (%s runs under:", app->name);
    for (const char *const *sched = app->schedulers; *sched; sched++)
        fprintf(out, " %s", *sched);
    fprintf(out, ")\n");
    for (const rd_option_info *option = rd_common_options(); option->key; option++) {
        char launches[128];
        rd_option_info one[2] = {*option, {.key = NULL}};
        if (!rd_app_has_choice(app, option->key))
            continue;
        if (strcmp(option->key, "trace") == 0 && (!all || has_own(app, option->key)))
            continue;
        if (strcmp(option->key, "launch") == 0)
            one[0].text = launch_text(app, launches, sizeof launches);
        cli_print_option_infos(out, one, options);
    }
}

void cli_app_help(FILE *out, const rd_app_info *app, int all)
{
    const char *input = input_name(app);
    const char *words = cli_own_name && strcmp(app->name, cli_own_name) == 0 ? cli_own_words : app->name;
    fprintf(out, "usage: raddle %s %s%s[options]\n%s\n\n", words, input ? input : "", input ? " " : "", app->text);
    if (app->input == RD_INPUT_TEXT)
        fprintf(out, "%s\n", app->input_text);
    if (app->has_source)
        cli_print_options(out, source_options);
    cli_print_option_infos(out, app->options, app->has_source ? source_options : options);
    print_driver(out, app);
    if (rd_app_takes_ranks(app->name))
        cli_print_options(out, rank_options);
    if (app->has_source && rd_app_takes_ranks(app->name))
        cli_print_options(out, window_options);
    if (rd_app_takes_checkpoints(app->name))
        cli_print_options(out, checkpoint_options);
    print_scheduling(out, app, all);
    if (!all) {
        const cli_option device[] = {cli_device_options[0], {NULL, 0, NULL, NULL, 0}};
        cli_print_options(out, device);
        fprintf(out, "'raddle %s --help=all' has the options of schedulers%s too.\n", words,
                rd_app_takes_graph(app) ? ", devices and INPUT" : " and devices");
        return;
    }
    for (const char *const *sched = app->schedulers; sched && *sched; sched++)
        if (rd_scheduler_options(app->name, *sched)->key) {
            fprintf(out, "Of scheduler %s:\n", *sched);
            cli_print_option_infos(out, rd_scheduler_options(app->name, *sched), options);
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
    case ID_JSON_FILE: run->json_path = cli_output_name(value); break;
    case ID_OUTPUT: return app_take_output(run, value);
    case ID_DRY_RUN: run->dry_run = 1; break;
    case ID_QUIET: run->quiet = 1; break;
    case ID_STATS: run->stats = 1; break;
    case ID_WINDOW: return cli_take_u64(name, "window", value, 1, RD_NONE - 1, &run->window) ? 0 : CLI_BAD_USAGE;
    case ID_SHARES: run->shares = value; break;
    case ID_MESSAGE:
        return cli_take_u64(name, "message", value, RD_MESSAGE_LEAST, 1u << 30, &run->message) ? 0 : CLI_BAD_USAGE;
    case ID_CHECKPOINT: run->checkpoint = value; break;
    case ID_EVERY:
        run->has_every = 1;
        if (!rd_parse_double(value, &run->every) || !(run->every >= 0) || run->every > 1e9)
            return cli_usage(name, "--every wants a number of seconds (0: as often as can be), not '%s'", value);
        break;
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

/* A name whose end says nothing about the format is found before the work, too. */
static int check_suffix(const app_run *run)
{
    const char *path = run->output_path, *list = run->app->file_suffixes;
    const size_t length = path ? strlen(path) : 0;
    if (!path || !list || strcmp(path, "-") == 0)
        return 0;
    for (size_t n; *list; list += n + (list[n] == ' ')) {
        n = strcspn(list, " ");
        if (length > n && strncmp(path + length - n, list, n) == 0)
            return 0;
    }
    return cli_usage(run->app->name, "--output '%s' does not tell what to write; end it in one of %s", path,
                     run->app->file_suffixes);
}

/* A checkpoint is of one run. */
static int check_checkpoint(const app_run *run)
{
    const char *name = run->app->name;
    if (run->has_every && !run->checkpoint)
        return cli_usage(name, "--every is for --checkpoint DIR");
    if (run->checkpoint && (run->trials > 1 || run->named_count > 1 || run->random_sources > 1))
        return cli_usage(name, "--checkpoint is for one trial, from one source");
    if (run->checkpoint && run->spec && strcmp(run->spec, "-") == 0)
        return cli_usage(name, "--checkpoint: standard input cannot be read again; use a file");
    return 0;
}

int app_parse(app_run *run, int argc, char **argv)
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
    if (rd_app_takes_ranks(name))
        cli_parser_add(&parser, rank_options);
    if (app->has_source && rd_app_takes_ranks(name))
        cli_parser_add(&parser, window_options);
    if (rd_app_takes_checkpoints(name))
        cli_parser_add(&parser, checkpoint_options);
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
        return cli_usage(name, "%s is missing%s%.*s", input, app->input_text ? "\n" : "",
                         app->input_text ? (int)strlen(app->input_text) - 1 : 0,
                         app->input_text ? app->input_text : "");
    if (rd_app_takes_graph(app) && !run->spec)
        return cli_usage(name,
                         "INPUT is missing: a graph file, '-' for standard input, or a generator such as kron:20");
    if (run->json_path && strcmp(run->json_path, "-") == 0) {
        run->json = 1;
        run->json_path = NULL;
    }
    if (check_checkpoint(run))
        return CLI_BAD_USAGE;
    return check_suffix(run) ? CLI_BAD_USAGE : app_check_outputs(run);
}
