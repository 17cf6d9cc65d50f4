/* SPDX-License-Identifier: Apache-2.0 */
/* test_options.c - values of options, of every app and scheduler that there is: what is in the list is taken, what only
 * looks like the list is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "apps/common/options.h"
#include "raddle.h"

static rd_error err;

/* Never right where a few words or a whole number are wanted. */
static const char *const wrong[] = {"",     " ",   "|",     "1..8",  "..",   "1..",
                                    "..8",  "+1",  "-1",    " 1",    "1 ",   "0x1",
                                    "0X10", "1e1", "1.0",   "1\n",   "\t1",  "18446744073709551616",
                                    "1|2",  "0|1", "auto|", "|auto", "AUTO", "99999999999999999999999999999999",
                                    "1,2",  "nan", "inf",   "1KK",   "1k",   "18014398509481984K",
                                    "one"};

static void refuses(rd_job *job, const char *key, const char *value)
{
    if (rd_job_set(job, key, value, &err) != RD_EARG)
        fail_msg("option %s takes '%s'", key, value);
}

/* Options whose values are words, ranges, 0 or 1: "a|b|1..8", or none at all. */
static int is_list(const rd_option_info *option)
{
    return !option->value || strchr(option->value, '|') || strstr(option->value, "..");
}

static void try_option(rd_job *job, const rd_option_info *option)
{
    char text[128];
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        refuses(job, option->key, wrong[i]);
    if (!option->value)
        return;
    refuses(job, option->key, option->value[strcspn(option->value, "|.")] ? option->value : "no such");
    for (const char *at = option->value, *end; *at; at = *end ? end + 1 : end) { /* each item, with its neighbours */
        end = at + strcspn(at, "|");
        snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
        char *dots = strstr(text, "..");
        if (dots)
            *dots = '\0';
        if (rd_job_set(job, option->key, text, &err) != RD_OK)
            fail_msg("option %s does not take '%s': %s", option->key, text, err.text);
        if (dots && rd_job_set(job, option->key, dots + 2, &err) != RD_OK)
            fail_msg("option %s does not take '%s': %s", option->key, dots + 2, err.text);
        if (*end) {
            refuses(job, option->key, at); /* "b|c" of "a|b|c" */
            snprintf(text, sizeof text, "%.*s|", (int)(end - at), at);
            refuses(job, option->key, text);
            snprintf(text, sizeof text, "|%.*s", (int)(end - at), at);
            refuses(job, option->key, text);
        }
        if (end > at + 1 && !dots) {
            snprintf(text, sizeof text, "%.*s", (int)(end - at) - 1, at);
            if (!strstr(option->value, text) || (*at > '9' && strlen(text) > 2))
                refuses(job, option->key, text); /* the beginning of a word */
            snprintf(text, sizeof text, "%.*s ", (int)(end - at), at);
            refuses(job, option->key, text);
            snprintf(text, sizeof text, " %.*s", (int)(end - at), at);
            refuses(job, option->key, text);
        }
    }
}

static void lists_take_their_items_only(void **state)
{
    rd_device *device;
    unsigned tried = 0;
    (void)state;
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, &err), RD_OK);
    for (const rd__app *const *app = rd__apps; *app; app++) {
        rd_job *job;
        assert_int_equal(rd_job_create(device, (*app)->info.name, &job, &err), RD_OK);
        for (const rd_option_info *option = (*app)->info.options; option && option->key; option++)
            if (is_list(option)) {
                try_option(job, option);
                tried++;
            }
        for (const rd__engine *const *engine = rd__app_engines(*app); *engine; engine++)
            for (const rd_option_info *option = (*engine)->options; option->key; option++) {
                try_option(job, option);
                tried++;
            }
        rd_job_destroy(job);
    }
    assert_true(tried > 20);
    rd_device_close(device);
}

/* Options that all jobs have. */
static void common_options(void **state)
{
    static const char *const keys[] = {"worker", "groups"};
    rd_device *device;
    rd_job *job;
    (void)state;
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, &err), RD_OK);
    assert_int_equal(rd_job_create(device, "bfs", &job, &err), RD_OK);
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
            refuses(job, keys[k], wrong[i]);
    static const char *const no_seconds[] = {"",    " ",   "1 ",  " 1",    "+1", "-1",
                                             "0x1", "nan", "inf", "1e999", "1s", "1|2"};
    for (size_t i = 0; i < sizeof no_seconds / sizeof *no_seconds; i++)
        refuses(job, "timeout", no_seconds[i]);
    static const char *const no_names[] = {"",     "bsp|fifo", "bsp,fifo", " bsp",
                                           "bsp ", "BSP",      "b",        "discrete|persistent"};
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++) {
        refuses(job, "sched", no_names[i]);
        refuses(job, "launch", no_names[i]);
    }
    rd_job_destroy(job);
    rd_device_close(device);
}

/* What was asked for can be left to the rule again, the one and the other. */
static void auto_takes_it_back(void **state)
{
    static const struct {
        const char *sets[4][2];
        const char *sched, *launch;
    } steps[] = {
        {{{"sched", "steal"}}, "steal", "persistent"},
        {{{"sched", "auto"}}, "bsp", "persistent"},
        {{{"sched", "fifo"}, {"launch", "discrete"}}, "fifo", "discrete"},
        {{{"launch", "auto"}}, "fifo", "persistent"},
        {{{"launch", "discrete"}, {"sched", "auto"}}, "bsp", "discrete"},
        {{{"launch", "auto"}, {"sched", "auto"}}, "bsp", "persistent"},
    };
    rd_device *device;
    rd_graph *graph;
    rd_job *job;
    (void)state;
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, &err), RD_OK);
    assert_int_equal(rd_graph_open("kron:8", NULL, &graph, &err), RD_OK);
    assert_int_equal(rd_job_create(device, "bfs", &job, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        rd_report report;
        for (size_t k = 0; k < 4 && steps[i].sets[k][0]; k++)
            assert_int_equal(rd_job_set(job, steps[i].sets[k][0], steps[i].sets[k][1], &err), RD_OK);
        assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
        assert_string_equal(report.sched, steps[i].sched);
        assert_string_equal(report.launch, steps[i].launch);
    }
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_device_close(device);
}

/* Help and field of an option are two tables with the same keys, and a new job has what its help promises: setting an
 * option to its default changes nothing in the state. */
static const rd_app_info *find(const char *name)
{
    const rd_app_info *app = rd_apps();
    while (app->name && strcmp(app->name, name) != 0)
        app++;
    return app;
}

/* Help shows what can matter: ray has one scheduler and nothing to learn, only some hand their runs over. */
static void options_that_leave_a_choice(void **state)
{
    (void)state;
    assert_true(rd_app_has_choice(find("bfs"), "sched") && rd_app_has_choice(find("bfs"), "learn"));
    assert_true(rd_app_has_choice(find("bfs"), "switch") && rd_app_has_choice(find("bfs"), "launch"));
    assert_true(rd_app_has_choice(find("cc"), "learn") && !rd_app_has_choice(find("cc"), "switch"));
    assert_true(!rd_app_has_choice(find("ray"), "sched") && !rd_app_has_choice(find("ray"), "learn"));
    assert_true(rd_app_has_choice(find("ray"), "worker"));
}

static void every_option_has_its_field(void **state)
{
    (void)state;
    for (const rd__app *const *app = rd__apps; *app; app++) {
        size_t count = 0, fields = 0;
        rd_job *job;
        assert_int_equal(rd_job_create(NULL, (*app)->info.name, &job, &err), RD_OK);
        for (const rd__app_option *field = (*app)->options; field && field->key; field++, fields++)
            assert_true(field->at < (*app)->state_bytes && (field->kind || (*app)->set));
        for (const rd_option_info *option = (*app)->info.options; option && option->key; option++, count++) {
            const rd__app_option *field = (*app)->options;
            rd__changes changes = RD__CHANGES_NOTHING;
            char before[8];
            while (field->key && strcmp(field->key, option->key) != 0)
                field++;
            if (!field->key)
                fail_msg("%s: option %s has no field", (*app)->info.name, option->key);
            if (!option->initial || field->kind == RD__OPTION_OWN)
                continue;
            const size_t width = field->kind == RD__OPTION_U64 || field->kind == RD__OPTION_REAL ? 8 : 4;
            memcpy(before, (char *)job->state + field->at, width);
            if (rd__options_set(job, option->key, option->initial, &changes, &err) != RD_OK)
                fail_msg("%s: option %s does not take its default: %s", (*app)->info.name, option->key, err.text);
            assert_memory_equal(before, (char *)job->state + field->at, width);
        }
        assert_int_equal(count, fields);
        rd_job_destroy(job);
    }
}

/* A new value makes useless what it says, the same value again nothing; a value that is refused changes nothing. */
static void what_a_new_value_changes(void **state)
{
    static const struct {
        const char *app, *key, *value;
        rd_status status;
        rd__changes changes;
    } steps[] = {
        {"pr", "iterations", "1000", RD_OK, RD__CHANGES_PROGRAM}, /* the default, but now it was set */
        {"pr", "iterations", "1000", RD_OK, RD__CHANGES_NOTHING},
        {"pr", "iterations", "1000001", RD_EARG, RD__CHANGES_NOTHING},
        {"pr", "dangling", "spread", RD_OK, RD__CHANGES_NOTHING},
        {"pr", "dangling", "drop", RD_OK, RD__CHANGES_PROGRAM},
        {"pr", "alpha", "0.5", RD_OK, RD__CHANGES_NOTHING},
        {"pr", "alpha", "nan", RD_EARG, RD__CHANGES_NOTHING},
        {"color", "method", "auto", RD_OK, RD__CHANGES_NOTHING},
        {"color", "method", "priority", RD_OK, RD__CHANGES_PROGRAM},
        {"knapsack", "pool", "64", RD_OK, RD__CHANGES_BUFFERS},
        {"knapsack", "pool", "64", RD_OK, RD__CHANGES_NOTHING},
        {"knapsack", "seed", "7", RD_OK, RD__CHANGES_INPUT},
        {"ray", "accel", "octree", RD_OK, RD__CHANGES_BUFFERS},
        {"ray", "size", "9x9", RD_OK, RD__CHANGES_BUFFERS},
        {"bfs", "source", "4294967295", RD_EARG, RD__CHANGES_NOTHING},
    };
    rd_job *job = NULL;
    (void)state;
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        rd__changes changes = RD__CHANGES_NOTHING;
        if (!job || strcmp(job->app->info.name, steps[i].app) != 0) {
            rd_job_destroy(job);
            assert_int_equal(rd_job_create(NULL, steps[i].app, &job, &err), RD_OK);
        }
        const rd_status status = rd__options_set(job, steps[i].key, steps[i].value, &changes, &err);
        if (status != steps[i].status || changes != steps[i].changes)
            fail_msg("%s: %s = %s: %s, changes %d", steps[i].app, steps[i].key, steps[i].value, rd_status_name(status),
                     (int)changes);
    }
    rd_job_destroy(job);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_take_their_items_only), cmocka_unit_test(common_options),
        cmocka_unit_test(auto_takes_it_back),          cmocka_unit_test(options_that_leave_a_choice),
        cmocka_unit_test(every_option_has_its_field),  cmocka_unit_test(what_a_new_value_changes),
    };
    return cmocka_run_group_tests_name("values of options", tests, NULL, NULL);
}
