/* SPDX-License-Identifier: Apache-2.0 */
/* selftest.c - runs the cases; and the rig they share. */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "selftest/selftest.h"

#include "job/job.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

static const rd__test_case *const tables[] = {
    rd__progress_cases, rd__dialect_cases, rd__litmus_cases,     rd__shape_cases,  rd__barrier_cases, rd__queue_cases,
    rd__deque_cases,    rd__crew_cases,    rd__fifo_cases,       rd__bsp_cases,    rd__heap_cases,    rd__rank_cases,
    rd__tiles_cases,    rd__command_cases, rd__app_cases,        rd__sample_cases, rd__stop_cases,    rd__turn_cases,
    rd__pr_cases,       rd__model_cases,   rd__task_model_cases, rd__cc_cases,     rd__steal_cases,   rd__seed_cases};
enum { TABLES = sizeof tables / sizeof tables[0] };

/* Where in the tables we are. */
typedef struct cursor {
    int table;
    size_t row, app;
    /* the case there: */
    const rd__test_case *test;
    const rd_app_info *about;
    char name[96];
} cursor;

static int is_about(const rd__test_case *test, const rd_app_info *app)
{
    return test->each == RD__EACH_APP || (test->each == RD__EACH_GRAPH_APP) == (rd_app_takes_graph(app) != 0);
}

/* Goes on to the next case. @return 0: there is none. */
static int next_case(cursor *at)
{
    while (at->table < TABLES) {
        const rd_app_info *app = &rd_apps()[at->app];
        at->test = &tables[at->table][at->row];
        if (!at->test->name || (at->test->each && !app->name)) { /* the end of a table, or of the apps */
            at->table += !at->test->name;
            at->row = at->test->name ? at->row + 1 : 0;
            at->app = 0;
            continue;
        }
        at->about = at->test->each ? app : NULL;
        at->app += at->test->each != RD__ONCE;
        at->row += at->test->each == RD__ONCE;
        if (at->about && !is_about(at->test, app))
            continue;
        snprintf(at->name, sizeof at->name, "%s%s%s", at->test->name, at->about ? "/" : "", at->about ? app->name : "");
        return 1;
    }
    return 0;
}

static int is_selected(const char *name, const char *filter)
{
    if (filter && *filter == '=')
        return strcmp(name, filter + 1) == 0;
    return !filter || strstr(name, filter);
}

static int next_selected(cursor *at, const rd_selftest_options *options)
{
    int more = next_case(at);
    while (more && !is_selected(at->name, options->filter))
        more = next_case(at);
    return more;
}

static size_t count_cases(const rd_selftest_options *options)
{
    cursor at = {0};
    size_t count = 0;
    while (next_selected(&at, options))
        count++;
    return count;
}

/* A device that says it has fewer units than it has gets fewer groups by everyone who asks it how many to take. */
static void say_units(rd_device *device, uint32_t units)
{
    rd_device_info *info = &device->info;
    if (units == 0 || units >= info->compute_units)
        return;
    info->resident_lanes = info->resident_lanes / info->compute_units * units;
    info->compute_units = units;
}

static rd_status run_cases(rd_device *device, const rd_selftest_options *options, rd_selftest_fn fn, void *user,
                           size_t *passed, size_t *failed, rd_error *err)
{
    size_t index = 0, good = 0, bad = 0, count = count_cases(options);
    rd_error first = {.status = RD_OK};
    cursor at = {0};
    while (next_selected(&at, options)) {
        rd__test test = {.device = device,
                         .repeats = options->repeats ? options->repeats : 1000,
                         .seed = options->seed ? options->seed : RD_SEED,
                         .units = options->units,
                         .app = at.about};
        rd_error why = {.status = RD_OK};
        double began = rd_now();
        rd_status status = options->list_only ? RD_OK : at.test->run(&test, &why);
        rd_selftest_case report = {.name = at.name,
                                   .status = status,
                                   .text = status == RD_OK ? test.note : why.text,
                                   .seconds = rd_now() - began,
                                   .index = index++,
                                   .count = count};
        if (fn)
            fn(user, &report);
        good += status == RD_OK;
        bad += status != RD_OK;
        if (status != RD_OK && first.status == RD_OK) {
            first.status = status;
            rd__fail(&first, status, "%s: %.900s", at.name, why.text);
        }
    }
    if (passed)
        *passed = good;
    if (failed)
        *failed = bad;
    return bad ? rd__fail(err, RD_EWRONG, "%.1000s", first.text) : RD_OK;
}

rd_status rd_selftest(rd_device *device, const rd_selftest_options *options, rd_selftest_fn fn, void *user,
                      size_t *passed, size_t *failed, rd_error *err)
{
    static const rd_selftest_options defaults = {.size = sizeof defaults};
    if (!options)
        options = &defaults;
    if (options->size != sizeof *options)
        return rd__fail(err, RD_EARG, "rd_selftest_options.size is %zu, this library's is %zu", options->size,
                        sizeof *options);
    if (!device && !options->list_only)
        return rd__fail(err, RD_EARG, "rd_selftest needs a device");
    if (device && options->units && device->caps.shares_host)
        return rd__fail(err, RD_EARG, "a CPU has the units it was opened with: open cpu:%u", options->units);
    if (!options->list_only) { /* its cases enter it one by one; here only whether that will do */
        RD_TRY(rd__device_enter(device, err));
        (void)rd__device_leave(device, RD_OK);
    }
    const rd_device_info whole = device ? device->info : (rd_device_info){.compute_units = 0};
    if (device)
        say_units(device, options->units);
    const rd_status status = run_cases(device, options, fn, user, passed, failed, err);
    if (device)
        device->info = whole;
    return status;
}

/* ---- Jobs ---- */

int rd__test_is_first(const rd__test *test)
{
    const rd_app_info *app = rd_apps();
    while (rd_app_takes_graph(app) != rd_app_takes_graph(test->app))
        app++;
    return app == test->app;
}

rd_status rd__test_set_sample(rd_job *job, const char *sample, rd_error *err)
{
    char text[256], *input = NULL, *rest = text;
    snprintf(text, sizeof text, "%s", sample);
    for (char *word = strtok_r(text, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *value = strchr(word, '=');
        if (value) {
            *value++ = '\0';
            RD_TRY(rd_job_set(job, word, value, err));
        } else {
            input = word;
        }
    }
    return input ? rd_job_set_input(job, input, err) : RD_OK;
}

/* What --explain says of workers before a run is what the run had. */
static rd_status check_width(rd_job *job, const rd_report *report, rd_error *err)
{
    const rd__width width = rd__job_width(job);
    if (width.lanes != report->lanes || (width.groups && report->groups > width.groups))
        return rd__fail(err, RD_EWRONG, "%u groups of %u lanes were to run, and %u groups of %u did", width.groups,
                        width.lanes, report->groups, report->lanes);
    return RD_OK;
}

rd_status rd__test_run(rd_job *job, const char *where, rd_report *report, rd_error *err)
{
    rd_error why = {.status = RD_OK};
    rd_report own;
    report = report ? report : &own;
    rd_status status = rd_job_run(job, report, &why);
    if (status == RD_OK)
        status = check_width(job, report, &why);
    if (status == RD_OK)
        status = rd_job_check(job, &why);
    return status == RD_OK ? RD_OK : rd__fail(err, status, "%s: %.900s", where, why.text);
}

/* ---- The rig ---- */

rd_status rd__rig_load(rd__rig *rig, rd_device *device, const char *program, const char *root, uint32_t lanes,
                       uint32_t most, rd_error *err)
{
    const rd__program_spec spec = {.name = program, .root = root, .lanes = lanes};
    *rig = (rd__rig){.device = device, .lanes = lanes};
    RD_TRY(rd__program_load(device, &spec, &rig->program, err));
    uint32_t resident = device->info.resident_lanes ? device->info.resident_lanes / lanes : device->info.compute_units;
    rig->groups = resident < 1 ? 1 : resident < most ? resident : most;
    return RD_OK;
}

rd_status rd__rig_buffer(rd__rig *rig, int i, uint64_t bytes, uint32_t word, rd_error *err)
{
    rd__buffer_free(&rig->buffer[i]);
    RD_TRY(rd__buffer_alloc(rig->device, &rig->buffer[i], "selftest", bytes, err));
    return rd__buffer_fill(&rig->buffer[i], word, err);
}

rd_status rd__rig_launch(rd__rig *rig, const char *name, const rd__arg *args, uint32_t count, rd_error *err)
{
    rd__kernel *kernel;
    RD_TRY(rd__kernel_find(rig->device, rig->program, name, &kernel, err));
    return rd__kernel_launch(rig->device, kernel, rig->groups, 0, args, count, err);
}

void rd__rig_free(rd__rig *rig)
{
    for (int i = 0; i < 4; i++)
        rd__buffer_free(&rig->buffer[i]);
    rd__program_unload(rig->device, rig->program);
    *rig = (rd__rig){0};
}

const uint32_t *rd__test_widths(const rd_device *device, size_t *count)
{
    static const uint32_t all[] = {1, 2, 7, 32, 33, 64, 100, 256, 512, 1024};
    if (device->caps.fixed_width) { /* compiled for one width */
        *count = 1;
        return &device->info.max_group;
    }
    /* A CPU behind OpenCL compiles each width for seconds and gains nothing from wide ones. */
    const uint32_t most = device->info.is_gpu ? device->info.max_group : 64;
    *count = 0;
    while (*count < sizeof all / sizeof all[0] && all[*count] <= most && all[*count] <= device->info.max_group)
        ++*count;
    return all;
}

int rd__test_has_threads(const rd__test *test)
{
    return test->device->caps.fixed_width && test->device->info.max_group > 1;
}

/* compute-sanitizer takes a second to load a program and some hundred times as long to run it. */
int rd__test_is_watched(const rd__test *test)
{
    return test->repeats < 3;
}

int rd__test_has_launch(const rd__test *test, const char *launch)
{
    return rd_device_can_launch(test->device, launch) &&
           !(rd__test_is_watched(test) && test->device->caps.loops && strcmp(launch, "graph") == 0);
}

int rd__test_is_small(const rd__test *test)
{
    return rd__test_has_threads(test) || rd__test_is_watched(test);
}

int rd__test_is_slow(const rd__test *test)
{
    return rd__test_has_threads(test) || test->device->caps.slow_wide_compile;
}

int rd__test_shows_engine(const rd__test *test, const rd_app_info *app, const char *sched)
{
    const rd__engine *engine = rd__app_engine(rd__app_find(app->name), sched);
    if (!test->device->caps.slow_wide_compile)
        return 1;
    for (const rd_app_info *other = rd_apps(); other->name && strcmp(other->name, app->name) != 0; other++)
        for (const char *const *has = other->schedulers; *has; has++)
            if (rd__app_engine(rd__app_find(other->name), *has) == engine)
                return 0;
    return 1;
}

rd_status rd__test_set_up(rd_job *job, const rd__test_setting *setting, const rd_graph *graph, rd_error *err)
{
    if (!graph)
        RD_TRY(rd__test_set_sample(job, setting->input, err));
    RD_TRY(rd_job_set(job, "sched", setting->sched, err));
    RD_TRY(rd_job_set(job, "launch", setting->launch, err));
    return graph ? rd_job_set_graph(job, graph, err) : RD_OK;
}

static rd_status every_engine_on(rd__test *test, rd__test_setting setting, rd__test_setting_fn fn, void *user,
                                 rd_error *err)
{
    const rd_graph_options options = {
        .size = sizeof options, .seed = test->seed, .weight_min = 1, .weight_max = 255, .keep_weights = 1};
    rd_graph *graph = NULL;
    rd_status status = RD_OK;
    if (!setting.app->samples)
        RD_TRY(rd_graph_open(setting.input, &options, &graph, err));
    for (const char *const *sched = setting.app->schedulers; *sched; sched++)
        for (const char *const *launch = rd_scheduler_launches(*sched); *launch && status == RD_OK; launch++) {
            setting.sched = *sched;
            setting.launch = *launch;
            if (rd__test_shows_engine(test, setting.app, *sched) && rd__test_has_launch(test, *launch))
                status = fn(test, &setting, graph, user, err);
        }
    rd_graph_destroy(graph);
    return status;
}

rd_status rd__test_every_engine(rd__test *test, const char *const *graphs, int most, rd__test_setting_fn fn, void *user,
                                rd_error *err)
{
    const rd_app_info *app = test->app;
    const char *const *input = app->samples ? app->samples : graphs;
    for (int i = 0; input[i] && i < most; i++)
        RD_TRY(every_engine_on(test, (rd__test_setting){.app = app, .input = input[i]}, fn, user, err));
    return RD_OK;
}
