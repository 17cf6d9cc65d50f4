/* SPDX-License-Identifier: Apache-2.0 */
/* bench.c - `raddle bench SUITE`: options, the loop over cases and devices, the exit status. See bench.h. */
#include "cli/bench/bench.h"

#include "cli/bench/graph.h"
#include "cli/machine.h"
#include "cli/nearest.h"
#include "cli/open_device.h"
#include "cli/outputs.h"

#include <stdlib.h>
#include <string.h>

void cli_bench_help(FILE *out);
int cli_bench_run(int argc, char **argv);

#define SUITE(name) extern const bench_suite bench_suite_##name;
#include "cli/bench/suites.def"
#undef SUITE

enum { SUITES_MAX = 64 };

/* Those of apps on graphs, which follow from the table of apps, then those of suites.def; ended by a name of NULL. */
static const bench_suite *all_suites(void)
{
    static const bench_suite *const others[] = {
#define SUITE(name) &bench_suite_##name,
#include "cli/bench/suites.def"
#undef SUITE
        NULL,
    };
    static bench_suite table[SUITES_MAX + 1];
    static char text[SUITES_MAX][BENCH_SUMMARY];
    size_t count = 0;
    if (table[0].name)
        return table;
    for (const rd_app_info *app = rd_apps(); app->name && count < SUITES_MAX; app++)
        if (rd_app_takes_graph(app)) {
            table[count] = bench_graph_suite(app, text[count]);
            count++;
        }
    for (const bench_suite *const *other = others; *other && count < SUITES_MAX; other++)
        table[count++] = **other;
    return table;
}

enum { TRIALS = 9 };
enum { ID_TRIALS = 100, ID_WARMUP, ID_FILTER, ID_LIST, ID_JSON, ID_JSON_FILE, ID_TIME_LIMIT, ID_QUIET, ID_VERIFY };
static const cli_option options[] = {
    {"trials", 'n', "N", "timed runs of each case [9]", ID_TRIALS},
    {"warmup", 0, "N", "runs before them, not timed [1]", ID_WARMUP},
    {"filter", 0, "TEXT", "only cases whose name contains TEXT", ID_FILTER},
    {"list", 'l', NULL, "print the names of the cases, run nothing", ID_LIST},
    {"json", 0, NULL, "JSON Lines on stdout, a record a case, instead of the table", ID_JSON},
    {"json-file", 0, "FILE", "append the same to FILE", ID_JSON_FILE},
    {"time-limit", 0, "SECONDS", "start no more trials of a case after so long", ID_TIME_LIMIT},
    {"verify", 0, "every|last", "check each timed run, or only a case's last [every]", ID_VERIFY},
    {"quiet", 'q', NULL, "no progress line", ID_QUIET},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct bench_command {
    bench_settings settings;
    const bench_suite *suite;
    cli_device_choice choice[BENCH_DEVICES_MAX];
    size_t devices;
    rd_device *device[BENCH_DEVICES_MAX];
    const char *filter, *json_path;
    int list, quiet, json_too; /* json_too: records on standard output, no table */
    bench_list cases;
    FILE *json;
} bench_command;

void cli_bench_help(FILE *out)
{
    fprintf(out, "usage: raddle bench SUITE [options]\n\n"
                 "Measures each case of a suite on each device given: a warm-up, then trials,\n"
                 "each result verified. Suites:\n");
    for (const bench_suite *suite = all_suites(); suite->name; suite++)
        fprintf(out, "  %-9s %s\n", suite->name, suite->summary);
    cli_print_options(out, options);
    cli_print_options(out, cli_device_options);
    fprintf(out, "%25s (--device may be given several times)\n", "");
    for (const bench_suite *suite = all_suites(); suite->name; suite++)
        if (suite->options && cli_help_topic &&
            (strcmp(cli_help_topic, "all") == 0 || strcmp(cli_help_topic, suite->name) == 0)) {
            fprintf(out, "Options of %s:\n", suite->name);
            cli_print_options(out, suite->options);
        }
    if (!cli_help_topic)
        fprintf(out, "'raddle bench SUITE --help' has the options of a suite too.\n");
}

rd_status bench_add(bench_list *list, const bench_case *item, rd_error *err)
{
    bench_case *more = realloc(list->item, (list->count + 1) * sizeof *more);
    if (!more) {
        snprintf(err->text, sizeof err->text, "out of host memory: list of benchmark cases");
        return err->status = RD_ENOMEM;
    }
    list->item = more;
    list->item[list->count++] = *item;
    return RD_OK;
}

static int take_option(bench_command *bench, int id, const char *value)
{
    bench_settings *settings = &bench->settings;
    switch (id) {
    case ID_TRIALS: return cli_take_u64("bench", "trials", value, 1, 1000000, &settings->trials) ? 0 : CLI_BAD_USAGE;
    case ID_WARMUP: return cli_take_u64("bench", "warmup", value, 0, 1000000, &settings->warmup) ? 0 : CLI_BAD_USAGE;
    case ID_TIME_LIMIT:
        return cli_take_seconds("bench", "time-limit", value, &settings->time_limit) ? 0 : CLI_BAD_USAGE;
    case ID_FILTER: bench->filter = value; return 0;
    case ID_LIST: bench->list = 1; return 0;
    case ID_JSON: bench->json_too = 1; return 0;
    case ID_JSON_FILE: bench->json_path = cli_output_name(value); return 0;
    case ID_QUIET: bench->quiet = 1; return 0;
    case ID_VERIFY:
        if (strcmp(value, "every") != 0 && strcmp(value, "last") != 0)
            return cli_usage("bench", "--verify is every or last, not '%s'", value);
        settings->verify_last = strcmp(value, "last") == 0;
        return 0;
    case CLI_ID_DEVICE:
        if (bench->devices == BENCH_DEVICES_MAX)
            return cli_usage("bench", "at most %d devices at a time", BENCH_DEVICES_MAX);
        bench->choice[bench->devices++].name = value;
        return 0;
    }
    if (id < ID_TRIALS)
        return bench->suite->take(id, value);
    return cli_device_choice_take(&bench->choice[0], "bench", id, value) < 0 ? CLI_BAD_USAGE : 0;
}

static int no_suite(const char *word)
{
    cli_nearest nearest;
    cli_nearest_init(&nearest, word);
    for (const bench_suite *suite = all_suites(); suite->name; suite++)
        cli_nearest_try(&nearest, suite->name, strlen(suite->name));
    return nearest.best[0] ? cli_usage("bench", "there is no suite '%s'%s", word, cli_nearest_text(&nearest, "", ""))
                           : cli_usage("bench", "there is no suite '%s'; 'raddle bench --list' has them", word);
}

static int parse(bench_command *bench, int argc, char **argv)
{
    cli_parser parser;
    int id, code = cli_device_choice_init(&bench->choice[0], "bench");
    if (argc >= 2 && argv[1][0] != '-') {
        for (const bench_suite *suite = all_suites(); suite->name; suite++)
            if (strcmp(suite->name, argv[1]) == 0)
                bench->suite = suite;
        if (!bench->suite)
            return no_suite(argv[1]);
        argc--;
        argv++;
    }
    cli_parser_init(&parser, "bench");
    cli_parser_add(&parser, options);
    cli_parser_add(&parser, cli_device_options);
    if (bench->suite)
        cli_parser_add(&parser, bench->suite->options);
    while (code == 0 && (id = cli_parser_next(&parser, argc, argv)) != -1)
        code = id == 0 ? CLI_BAD_USAGE : take_option(bench, id, optarg);
    while (code == 0 && bench->suite && bench->suite->word && optind < argc)
        code = bench->suite->word(argv[optind++]);
    if (code)
        return code;
    if (optind < argc)
        return cli_usage("bench", bench->suite ? "one suite at a time ('%s')" : "the suite comes first ('%s')",
                         argv[optind]);
    if (!bench->suite && !bench->list)
        return cli_usage("bench", "SUITE is missing; 'raddle bench --list' has them");
    if (bench->json_path && strcmp(bench->json_path, "-") == 0) {
        bench->json_too = 1;
        bench->json_path = NULL;
    }
    if (bench->devices == 0)
        bench->devices = 1; /* the default choice */
    for (size_t i = 1; i < bench->devices; i++)
        bench->choice[i].options = bench->choice[0].options;
    bench->settings.suite = bench->suite;
    if (bench->suite && !bench->settings.trials)
        bench->settings.trials = bench->suite->trials;
    if (!bench->settings.trials)
        bench->settings.trials = TRIALS;
    if (bench->suite && bench->settings.time_limit == 0)
        bench->settings.time_limit = bench->suite->time_limit;
    return 0;
}

/* Leaves only the cases that --filter wants. */
static int make_list(bench_command *bench)
{
    rd_error err = {.status = RD_OK};
    size_t kept = 0;
    bench->cases.suite = bench->suite;
    if (bench->suite->cases(&bench->cases, &err) != RD_OK)
        return cli_fail("bench", &err);
    for (size_t i = 0; i < bench->cases.count; i++)
        if (!bench->filter || strstr(bench->cases.item[i].name, bench->filter))
            bench->cases.item[kept++] = bench->cases.item[i];
    bench->cases.count = kept;
    for (size_t i = 0; i < kept; i++)
        if ((int)strlen(bench->cases.item[i].name) > bench->settings.name_width)
            bench->settings.name_width = (int)strlen(bench->cases.item[i].name);
    if (kept == 0 && !bench->filter)
        return cli_message("bench", CLI_BAD_USAGE, "the suite has no cases");
    if (kept == 0)
        return cli_message("bench", CLI_BAD_USAGE, "no case has '%s' in its name; --list prints them", bench->filter);
    return 0;
}

/* @return 0, or the exit code of the worst outcome: a wrong result before any other failure. */
static int run_cases(bench_command *bench)
{
    bench_settings *settings = &bench->settings;
    int table = !bench->json_too, code = 0;
    settings->steps_all = bench->cases.count * bench->devices * (settings->warmup + settings->trials);
    if (table) {
        bench_print_machine(stdout, bench->device, bench->devices);
        bench_print_header(stdout, settings);
    }
    for (size_t i = 0; i < bench->cases.count; i++) {
        bench_case *item = &bench->cases.item[i];
        item->progress = rd_progress_line_fn;
        item->progress_user = &settings->line;
        item->threads = bench->choice[0].options.threads;
        for (size_t d = 0; d < bench->devices && !cli_stop; d++) {
            bench_outcome outcome;
            if (item->launch && !rd_device_can_launch(bench->device[d], item->launch))
                continue;
            item->workers = 0;
            bench_measure(settings, item, bench->device[d], &outcome);
            rd_progress_line_clear(&settings->line);
            if (table)
                bench_print_row(stdout, settings, &outcome);
            if (outcome.status != RD_OK)
                cli_message("bench", 0, "%s on %s: %s", item->name, outcome.device->name, outcome.err.text);
            if (outcome.left_out && !table)
                cli_message("bench", 0, "%s on %s is left out: %s", item->name, outcome.device->name, outcome.err.text);
            if (bench->json_too && !outcome.left_out)
                bench_json_record(stdout, settings, &outcome);
            if (bench->json && !outcome.left_out)
                bench_json_record(bench->json, settings, &outcome);
            if (outcome.status != RD_OK && code != CLI_WRONG)
                code = rd_status_exit_code(outcome.status);
            if (item->close)
                item->close(item);
            bench_outcome_free(&outcome);
        }
    }
    return cli_stop && code != CLI_WRONG ? CLI_TIMED_OUT : code;
}

static int run_suite(bench_command *bench)
{
    int code = make_list(bench);
    if (code)
        return code;
    if (bench->list) {
        for (size_t i = 0; i < bench->cases.count; i++)
            printf("%s\n", bench->cases.item[i].name);
        return 0;
    }
    for (size_t i = 0; i < bench->devices; i++) {
        code = cli_device_choice_open(&bench->choice[i], "bench", &bench->device[i]);
        if (code)
            return code;
    }
    rd_output *records = NULL;
    if (bench->json_path) {
        code = cli_open_json("bench", bench->json_path, &records);
        if (code)
            return code;
        bench->json = rd_output_stream(records);
    }
    code = run_cases(bench);
    if (bench->suite->summarize)
        bench->suite->summarize(stdout, bench->json_too);
    if (bench->suite->summarize && bench->json)
        bench->suite->summarize(bench->json, 1);
    int closed = cli_close_json("bench", records);
    return code ? code : closed;
}

int cli_bench_run(int argc, char **argv)
{
    bench_command bench = {.settings = {.warmup = 1}};
    int code = parse(&bench, argc, argv);
    if (code)
        return code;
    if (!bench.suite) {
        for (const bench_suite *suite = all_suites(); suite->name; suite++)
            printf("%-9s %s\n", suite->name, suite->summary);
        return 0;
    }
    cli_progress_line(&bench.settings.line, !bench.quiet);
    code = run_suite(&bench);
    if (bench.suite->close)
        bench.suite->close();
    for (size_t i = 0; i < bench.devices; i++)
        rd_device_close(bench.device[i]);
    free(bench.cases.item);
    return code;
}
