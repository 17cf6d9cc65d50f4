/* SPDX-License-Identifier: Apache-2.0 */
/* selftest.c - `raddle selftest`: the library's conformance suite, on a machine that has only the binary. */
#define _POSIX_C_SOURCE 200809L
#include "cli/machine.h"
#include "cli/open_device.h"

#include <string.h>

void cli_selftest_help(FILE *out);
int cli_selftest_run(int argc, char **argv);

enum { ID_FILTER = 1, ID_REPEATS, ID_SEED, ID_UNITS, ID_LIST, ID_ALL, ID_VERBOSE, ID_JSON, ID_QUIET };
static const cli_option options[] = {
    {"all-devices", 'a', NULL, "on every device that works, one after another", ID_ALL},
    {"filter", 0, "TEXT", "only cases whose name contains TEXT; =NAME: that case", ID_FILTER},
    {"repeats", 0, "N", "repetitions of the stress cases [1000]", ID_REPEATS},
    {"seed", 0, "N", "of random data [27491]", ID_SEED},
    {"units", 0, "N", "as if the device had N units, for slow tools such as compute-sanitizer [all]", ID_UNITS},
    {"list", 'l', NULL, "print the names of the cases, run nothing", ID_LIST},
    {"verbose", 0, NULL, "a line for each case, not only for failures", ID_VERBOSE},
    {"json", 0, NULL, "one JSON object a case, then a summary", ID_JSON},
    {"quiet", 'q', NULL, "no progress line", ID_QUIET},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct selftest {
    cli_device_choice choice;
    rd_selftest_options options;
    int all, verbose, json, quiet;
    const char *device; /* name of the one under test */
    rd_progress_line line;
    size_t passed, failed;
} selftest;

void cli_selftest_help(FILE *out)
{
    fprintf(out, "usage: raddle selftest [options]\n\n"
                 "Proves on a device what Raddle relies on: atomics, group operations and memory\n"
                 "orders against serial models, and each app under each scheduler on small\n"
                 "graphs against its checker. Exit status 1 when a case failed.\n\n");
    cli_print_options(out, options);
    cli_print_options(out, cli_device_options);
}

static void on_case(void *user, const rd_selftest_case *result)
{
    selftest *test = user;
    if (test->options.list_only) {
        printf("%s\n", result->name);
        return;
    }
    if (test->json) {
        rd_json line;
        rd_json_begin(&line, stdout);
        rd_json_u64(&line, "schema", 1);
        rd_json_text(&line, "record", "selftest");
        rd_json_text(&line, "device", test->device);
        rd_json_text(&line, "name", result->name);
        rd_json_bool(&line, "passed", result->status == RD_OK);
        rd_json_text(&line, "text", result->text);
        rd_json_double(&line, "seconds", result->seconds);
        rd_json_end(&line);
    } else if (result->status != RD_OK || test->verbose) {
        char seconds[32];
        int has_text = result->text && *result->text;
        rd_progress_line_clear(&test->line);
        printf("%-6s %s %s, %s%s%s\n", result->status == RD_OK ? "ok" : "FAILED", test->device, result->name,
               rd_format_seconds(result->seconds, seconds, sizeof seconds), has_text ? ": " : "",
               has_text ? result->text : "");
        fflush(stdout);
    }
    rd_progress_line_fn(&test->line, "selftest", result->index + 1, result->count, "cases");
}

static int run_on(selftest *test, rd_device *device)
{
    size_t passed = 0, failed = 0;
    rd_error err = {.status = RD_OK};
    test->device = rd_device_get_info(device)->name;
    double started = rd_now();
    rd_status status = rd_selftest(device, &test->options, on_case, test, &passed, &failed, &err);
    rd_progress_line_clear(&test->line);
    test->passed += passed;
    test->failed += failed;
    if (status != RD_OK && status != RD_EWRONG)
        return cli_fail("selftest", &err);
    if (!test->json && !test->options.list_only && passed + failed > 0) {
        char seconds[32];
        printf("%s (%s): %zu passed, %zu failed in %s\n", test->device, rd_device_get_info(device)->model, passed,
               failed, rd_format_seconds(rd_now() - started, seconds, sizeof seconds));
        fflush(stdout);
    }
    return status == RD_OK ? 0 : CLI_WRONG;
}

/* @return the worst exit code of one device. A device that is listed as usable and cannot be opened is a failure. */
static int run_on_all(selftest *test)
{
    rd_device_info *list = NULL;
    size_t count = 0;
    int code = 0;
    rd_error err = {.status = RD_OK};
    if (rd_device_list(&list, &count, &err) != RD_OK)
        return cli_fail("selftest", &err);
    for (size_t i = 0; i < count; i++) {
        rd_device *device = NULL;
        if (!list[i].usable) {
            if (!test->json)
                cli_message("selftest", 0, "%s skipped: %s", list[i].name[0] ? list[i].name : list[i].backend,
                            list[i].reason);
            continue;
        }
        test->choice.name = list[i].name;
        int got = cli_device_choice_open(&test->choice, "selftest", &device);
        if (got == 0)
            got = run_on(test, device);
        rd_device_close(device);
        if (got > code)
            code = got;
        if (test->options.list_only)
            break; /* the names are the same everywhere */
    }
    rd_free(list);
    return code;
}

static int parse(selftest *test, int argc, char **argv)
{
    uint64_t number;
    int id, code = cli_device_choice_init(&test->choice, "selftest");
    cli_parser parser;
    if (code)
        return code;
    cli_parser_init(&parser, "selftest");
    cli_parser_add(&parser, options);
    cli_parser_add(&parser, cli_device_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        switch (id) {
        case 0: return CLI_BAD_USAGE;
        case ID_ALL: test->all = 1; break;
        case ID_FILTER: test->options.filter = optarg; break;
        case ID_REPEATS:
            if (!cli_take_u64("selftest", "repeats", optarg, 1, UINT32_MAX, &number))
                return CLI_BAD_USAGE;
            test->options.repeats = (uint32_t)number;
            break;
        case ID_SEED:
            if (!cli_take_u64("selftest", "seed", optarg, 0, UINT64_MAX, &test->options.seed))
                return CLI_BAD_USAGE;
            break;
        case ID_UNITS:
            if (!cli_take_u64("selftest", "units", optarg, 1, UINT32_MAX, &number))
                return CLI_BAD_USAGE;
            test->options.units = (uint32_t)number;
            break;
        case ID_LIST: test->options.list_only = 1; break;
        case ID_VERBOSE: test->verbose = 1; break;
        case ID_JSON: test->json = 1; break;
        case ID_QUIET: test->quiet = 1; break;
        default:
            if (cli_device_choice_take(&test->choice, "selftest", id, optarg) < 0)
                return CLI_BAD_USAGE;
        }
    }
    if (optind < argc)
        return cli_usage("selftest", "takes no argument ('%s'); a device is given by --device", argv[optind]);
    return 0;
}

int cli_selftest_run(int argc, char **argv)
{
    selftest test = {.options = {.size = sizeof test.options}};
    int code = parse(&test, argc, argv);
    if (code)
        return code;
    /* Nothing is left half done by a self-test, so it may simply be killed. */
    cli_die_by_signals();
    rd_progress_line_init(&test.line, stderr, !test.quiet && !test.options.list_only);

    if (test.all) {
        code = run_on_all(&test);
    } else {
        rd_device *device = NULL;
        code = cli_device_choice_open(&test.choice, "selftest", &device);
        if (code == 0)
            code = run_on(&test, device);
        rd_device_close(device);
    }
    if (test.options.list_only || (code != 0 && test.passed + test.failed == 0))
        return code;
    if (test.passed + test.failed == 0)
        return cli_message("selftest", CLI_BAD_USAGE, "no case has '%s' in its name; --list prints them",
                           test.options.filter ? test.options.filter : "");
    if (test.json) {
        rd_json line;
        rd_json_begin(&line, stdout);
        rd_json_u64(&line, "schema", 1);
        rd_json_text(&line, "record", "summary");
        rd_json_u64(&line, "passed", test.passed);
        rd_json_u64(&line, "failed", test.failed);
        cli_json_origin(&line);
        rd_json_end(&line);
    } else {
        printf("%zu passed, %zu failed\n", test.passed, test.failed);
    }
    return code;
}
