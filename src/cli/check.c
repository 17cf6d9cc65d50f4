/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - `raddle check FILE`: an own app on every device that is here, under every scheduler that fits it, on the
 * small input that it names (RD_SAMPLE), and on the CPU with groups of several lanes too, which show missing barriers
 * and atomics. First of all it runs with guards around its arrays: what leaves their bounds would end this process
 * elsewhere. Kinds of devices that are not here are tried at the compiler where it is. An app that cannot prove its
 * results is told where they differ: that may be meant, so it is no failure.
 */
#include "cli/open_device.h"
#include "cli/options.h"
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

void cli_check_help(FILE *out);
int cli_check_run(int argc, char **argv);

enum { ID_DEVICE = 1, ID_TIMEOUT, PARTS = 16, TEXT_ROOM = 256 };

static const cli_option options[] = {
    {"device", 'd', "NAME", "only on this device [all, cpu:2x4, cpu:1x32]; cpu first with --debug", ID_DEVICE},
    {"timeout", 0, "SECONDS", "a run may take so long [60]", ID_TIMEOUT},
    {NULL, 0, NULL, NULL, 0},
};

typedef struct check {
    const rd_app_info *app;
    char sample[TEXT_ROOM];
    char *part[PARTS]; /* "key=value", cut in two */
    int parts;
    rd_graph *graph;
    char timeout[40];
    int failed, passed;
    int hopeless;                           /* a run was out of time, or of bounds or limits: others would be too */
    int code;                               /* of the first failure */
    char said[sizeof((rd_error *)0)->text]; /* of the last failure: what is the same is said once */
    int has_print;
    uint64_t print; /* of the first result */
} check;

void cli_check_help(FILE *out)
{
    fputs("usage: raddle check FILE [options]\n"
          "Compiles an app of your own for every device of this machine and runs it there, under every\n"
          "scheduler that fits it, on the small input that its RD_SAMPLE names. Results are proven\n"
          "where it has rd_app_check; else it says whether all are the same. On the CPU groups of several\n"
          "lanes are tried too, and first of all whether a task leaves the bounds of an array.\n\n",
          out);
    cli_print_options(out, options);
}

static void tell(check *c, const char *device, const char *sched, const rd_error *err, const char *good)
{
    if (err->status == RD_OK) {
        printf("%-12s %-14s %s\n", device, sched, good);
        fflush(stdout); /* the next one may take long */
        c->passed++;
        return;
    }
    printf("%-12s %-14s FAILED\n", device, sched);
    fflush(stdout);
    cli_message("check", 0, "%s under %s: %s", device, sched, strcmp(err->text, c->said) == 0 ? "the same" : err->text);
    snprintf(c->said, sizeof c->said, "%s", err->text);
    c->code = c->failed++ ? c->code : rd_status_exit_code(err->status);
}

static rd_status set_up(const check *c, rd_job *job, const char *sched, rd_error *err)
{
    rd_status status = rd_job_set(job, "sched", sched, err);
    if (status == RD_OK)
        status = rd_job_set(job, "timeout", c->timeout, err);
    for (int i = 0; i < c->parts && status == RD_OK; i++)
        if (strcmp(c->part[i], "graph") != 0)
            status = rd_job_set(job, c->part[i], c->part[i] + strlen(c->part[i]) + 1, err);
    if (status == RD_OK && c->graph)
        status = rd_job_set_graph(job, c->graph, err);
    return status;
}

/* Is the result that nothing proves the one of the first run? By a number made of all its bytes (FNV-1a). */
static const char *compare(check *c, rd_job *job)
{
    rd_result result;
    rd_error err = {.status = RD_OK};
    uint64_t print = 14695981039346656037u;
    if (rd_job_result(job, &result, &err) != RD_OK)
        return "ran (no rd_app_check to prove it)";
    const int is_word = result.kind == RD_RESULT_U32 || result.kind == RD_RESULT_I32 || result.kind == RD_RESULT_F32;
    const unsigned char *byte = (const unsigned char *)result.word;
    for (uint64_t i = 0; i < result.count * (is_word ? 4 : 8); i++)
        print = (print ^ byte[i]) * 1099511628211u;
    if (!c->has_print) {
        c->has_print = 1;
        c->print = print;
        return "ran (no rd_app_check to prove it)";
    }
    return print == c->print ? "ran: the same result as the first"
                             : "ran: ANOTHER result than the first (is that meant?)";
}

static rd_status run_once(check *c, rd_device *device, const char *name, const char *sched)
{
    rd_error err = {.status = RD_OK};
    rd_job *job = NULL;
    const char *good = "right";
    rd_status status = rd_job_create(device, c->app->name, &job, &err);
    if (status == RD_OK)
        status = set_up(c, job, sched, &err);
    if (status == RD_OK)
        status = rd_job_run(job, NULL, &err);
    if (status == RD_OK && rd_job_check(job, &err) == RD_EARG) {
        err = (rd_error){.status = RD_OK};
        good = compare(c, job);
    }
    if (err.status == RD_OK)
        err.text[0] = '\0';
    tell(c, name, sched, &err, good);
    rd_job_destroy(job);
    return status;
}

/* @return NULL: there is none, and it is said why. */
static rd_device *open_for(check *c, const char *name, int debug)
{
    const rd_device_options how = {.size = sizeof how, .debug = (uint8_t)debug};
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;
    if (rd_device_open(name, &how, &device, &err) != RD_OK)
        tell(c, name, "-", &err, "");
    return device;
}

/* Runs on it, and closes it. */
static void run_on(check *c, rd_device *device, int debug)
{
    for (const char *const *sched = c->app->schedulers; device && *sched && !cli_stop && !c->hopeless; sched++) {
        const rd_status status = run_once(c, device, debug ? "cpu --debug" : rd_device_get_info(device)->name, *sched);
        c->hopeless = status == RD_ETIMEOUT || (debug && (status == RD_EDEVICE || status == RD_EINPUT));
    }
    rd_device_close(device);
}

static void try_device(check *c, const char *name, int debug)
{
    run_on(c, open_for(c, name, debug), debug);
}

/* A kind of device that is not here: does its compiler take the app? */
static void try_compiler(check *c, const rd_device_info *info)
{
    rd_error err = {.status = RD_OK};
    size_t programs = 0;
    char good[64];
    const rd_status status = rd_app_compile(c->app->name, info->backend, &programs, &err);
    if (status == RD_EDEVICE) {
        printf("%-12s %-14s not tried: %s\n", info->name, "-", info->reason);
        return;
    }
    snprintf(good, sizeof good, "%zu program%s; there is no device to run %s", programs,
             programs == 1 ? " compiles" : "s compile", programs == 1 ? "it" : "them");
    tell(c, info->backend, "-", &err, good);
}

static int try_all(check *c)
{
    rd_error err = {.status = RD_OK};
    rd_device_info *list;
    size_t count;
    if (rd_device_list(&list, &count, &err) != RD_OK)
        return cli_fail("check", &err);
    try_device(c, "cpu", 1);
    for (size_t i = 0; i < count && !cli_stop && !c->hopeless; i++)
        if (list[i].usable)
            try_device(c, list[i].name, 0);
        else
            try_compiler(c, &list[i]);
    rd_free(list);
    static const char *const also[] = {"cpu:2x4", "cpu:1x32"};
    for (size_t i = 0; i < sizeof also / sizeof also[0] && !cli_stop && !c->hopeless; i++)
        try_device(c, also[i], 0);
    return 0;
}

/* The host's own with guards first. */
static void try_one(check *c, const char *name)
{
    rd_device *device = open_for(c, name, 0);
    if (device && cli_is_host(rd_device_get_info(device)))
        try_device(c, "cpu", 1);
    run_on(c, device, 0);
}

/* "n=7 graph=kron:8" */
static int take_sample(check *c)
{
    const char *text = c->app->samples && c->app->samples[0] ? c->app->samples[0] : "", *spec = "kron:8";
    rd_error err = {.status = RD_OK};
    snprintf(c->sample, sizeof c->sample, "%s", text);
    for (char *at = c->sample; *at && c->parts < PARTS;) {
        at += strspn(at, " ");
        char *end = at + strcspn(at, " "), *equals = memchr(at, '=', (size_t)(end - at));
        if (!*at)
            break;
        if (!equals)
            return cli_message("check", CLI_BAD_INPUT, "RD_SAMPLE has \"option=value ...\", not '%s'", text);
        const int last = !*end;
        *equals = *end = '\0';
        c->part[c->parts++] = at;
        spec = strcmp(at, "graph") == 0 ? equals + 1 : spec;
        at = last ? end : end + 1;
    }
    if (!rd_app_takes_graph(c->app))
        return 0;
    const rd_graph_options graph = {.size = sizeof graph,
                                    .weight_min = c->app->input == RD_INPUT_WEIGHTED,
                                    .weight_max = c->app->input == RD_INPUT_WEIGHTED ? 255 : 0};
    return rd_graph_open(spec, &graph, &c->graph, &err) == RD_OK ? 0 : cli_fail("check", &err);
}

int cli_check_run(int argc, char **argv)
{
    check c = {.failed = 0};
    const char *device = NULL;
    double seconds = 60;
    cli_parser parser;
    int id;
    cli_parser_init(&parser, "check");
    cli_parser_add(&parser, options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0 || (id == ID_TIMEOUT && !cli_take_seconds("check", "timeout", optarg, &seconds)))
            return CLI_BAD_USAGE;
        device = id == ID_DEVICE ? optarg : device;
    }
    if (argc - optind != 1)
        return cli_usage("check", argc > optind ? "one FILE at a time" : "FILE is missing");
    int code = cli_own_app("check", argv[optind], &c.app);
    if (code)
        return code;
    snprintf(c.timeout, sizeof c.timeout, "%.17g", seconds);
    code = take_sample(&c);
    if (code == 0 && device)
        try_one(&c, device);
    else if (code == 0)
        code = try_all(&c);
    if (code == 0)
        printf("%d passed, %d failed\n", c.passed, c.failed);
    if (cli_stop) /* what failed after that failed because of it */
        code = cli_message("check", CLI_TIMED_OUT, "it was stopped before all had been tried");
    rd_graph_destroy(c.graph);
    return code ? code : c.code;
}
