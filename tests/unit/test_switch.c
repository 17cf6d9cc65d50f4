/* SPDX-License-Identifier: Apache-2.0 */
/* test_switch.c - a run that changes its engine on the way: when it is wanted, that it happens on a graph that is wide
 * at first and then narrow for long, that the result is right, and that rounds can go on instead. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/common/arrays.h"
#include "job/job.h"
#include "sanitized.h"

/* Narrow, and not so small that a round costs nothing; so long that a host which looks once in 64 rounds sees it. */
enum { LEAVES = 14000, WIDTH = 150, LENGTH = 120 };

struct edges {
    uint32_t count, source[80000], target[80000];
};

static void both_ways(struct edges *e, uint32_t a, uint32_t b)
{
    e->source[e->count] = e->target[e->count + 1] = a;
    e->target[e->count] = e->source[e->count + 1] = b;
    e->count += 2;
}

/* A star, and from WIDTH of its leaves a strip of LENGTH rows: more than half of the edges are seen at once. */
static rd_graph *star_and_strip(void)
{
    struct edges *e = calloc(1, sizeof *e);
    rd_graph *graph = NULL;
    rd_error err = {.status = RD_OK};
    const rd_graph_options options = {.size = sizeof options};
    assert_non_null(e);
    for (uint32_t v = 1; v <= LEAVES; v++)
        both_ways(e, 0, v);
    for (uint32_t row = 0; row < LENGTH; row++)
        for (uint32_t i = 0; i < WIDTH; i++) {
            const uint32_t v = 1 + LEAVES + row * WIDTH + i;
            both_ways(e, row ? v - WIDTH : 1 + i, v);
            if (i && row % 3 == 0)
                both_ways(e, v - 1, v);
        }
    const uint32_t vertices = 1 + LEAVES + WIDTH * LENGTH;
    if (rd_graph_from_edges(vertices, e->count, e->source, e->target, NULL, &options, &graph, &err) != RD_OK)
        fail_msg("%s", err.text);
    free(e);
    return graph;
}

static double measure(const rd_report *report, const char *name)
{
    for (uint32_t i = 0; i < report->measures; i++)
        if (strcmp(report->measure[i].name, name) == 0)
            return report->measure[i].value;
    return 0;
}

struct rig {
    rd_device *device;
    rd_graph *graph;
    rd_job *job;
};

static void open_rig(struct rig *rig, const char *device, const char *app, const char *const settings[][2])
{
    rd_error err = {.status = RD_OK};
    rd_status status = rd_device_open(device, NULL, &rig->device, &err);
    if (status == RD_OK)
        status = rd_job_create(rig->device, app, &rig->job, &err);
    for (int i = 0; status == RD_OK && settings[i][0]; i++)
        status = rd_job_set(rig->job, settings[i][0], settings[i][1], &err);
    rig->graph = star_and_strip();
    if (status == RD_OK)
        status = rd_job_set_graph(rig->job, rig->graph, &err);
    if (status != RD_OK)
        fail_msg("%s on %s: %s", app, device, err.text);
}

static void close_rig(struct rig *rig)
{
    rd_job_destroy(rig->job);
    rd_graph_destroy(rig->graph);
    rd_device_close(rig->device);
}

static double run_right(struct rig *rig)
{
    rd_error err = {.status = RD_OK};
    rd_report report;
    if (rd_job_run(rig->job, &report, &err) != RD_OK || rd_job_check(rig->job, &err) != RD_OK)
        fail_msg("%s", err.text);
    if (report.reached)
        assert_int_equal(report.reached, 1 + LEAVES + WIDTH * LENGTH);
    return measure(&report, "tasks_handed_over");
}

static void it_happens_and_is_right(void **state)
{
    static const char *const settings[][3][2] = {
        {{"switch", "on"}, {"learn", "off"}},
        {{"switch", "on"}, {"launch", "discrete"}},
    };
    static const char *const device[] = {"cpu:2", "cpu:3", "cpu:2x4"};
    (void)state;
    for (size_t d = 0; d < sizeof device / sizeof *device; d++)
        for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
            struct rig rig = {0};
            rd_switch list[4];
            size_t count = 0;
            open_rig(&rig, device[d], "bfs", settings[s]);
            for (int again = 0; again < 3; again++)
                assert_true(run_right(&rig) == WIDTH);
            assert_int_equal(rd_job_switches(rig.job, list, 4, &count, NULL), RD_OK);
            assert_int_equal(count, 3);
            assert_true(list[2].run == 3 && list[2].in_run && list[2].from_s > 0 && list[2].to_s > 0);
            assert_string_equal(list[2].kind, "hands over to");
            close_rig(&rig);
        }
}

static void not_where_it_is_not_wanted(void **state)
{
    static const char *const settings[][3][2] = {
        {{"switch", "off"}},
        {{"switch", "on"}, {"sched", "bsp"}},
        {{"switch", "on"}, {"parents", "1"}},
        {{"switch", "on"}, {"frontier", "bitmap"}},
    };
    (void)state;
    for (size_t s = 0; s < sizeof settings / sizeof *settings; s++) {
        struct rig rig = {0};
        open_rig(&rig, "cpu:2", "bfs", settings[s]);
        assert_true(run_right(&rig) == 0);
        close_rig(&rig);
    }
}

/* What is tried between runs and what changes in a run do not get in each other's way. */
static void with_learning(void **state)
{
    static const char *const settings[][2] = {{"switch", "on"}, {"learn", "eager"}, {NULL, NULL}};
    struct rig rig = {0};
    (void)state;
    open_rig(&rig, "cpu:2", "bfs", settings);
    for (int i = 0; i < (SANITIZED ? 8 : 25); i++)
        (void)run_right(&rig);
    close_rig(&rig);
}

/* As when there is no memory for the other engine. */
static void rounds_can_go_on(void **state)
{
    static const char *const settings[][2] = {{"switch", "on"}, {"learn", "off"}, {NULL, NULL}};
    struct rig rig = {0};
    rd__arg args[RD__APP_MAX_ARGS];
    rd_report report = {0};
    rd_error err = {.status = RD_OK};
    rd__seeds seeds = {0}, rest;
    (void)state;
    open_rig(&rig, "cpu:2", "bfs", settings);
    (void)run_right(&rig); /* all is ready, and arrays are as a search left them: */
    assert_int_equal(rd__arrays_fill(rig.job, &err), RD_OK);
    assert_int_equal(rig.job->app->start(rig.job, &seeds, &err), RD_OK);
    rd__sched_job view = rd__job_view(rig.job, args);
    assert_int_not_equal(view.leave_rounds, 0);
    const rd__engine *engine = rig.job->engine;
    assert_int_equal(engine->run(rig.job->sched_state, &view, &seeds, &report, &err), RD_OK);
    engine->hand_over(rig.job->sched_state, &rest);
    assert_int_equal(rest.count, WIDTH);
    assert_true(report.tasks < 1 + LEAVES + WIDTH * LENGTH);
    view.leave_rounds = 0;
    view.resumes = 1;
    assert_int_equal(engine->run(rig.job->sched_state, &view, &seeds, &report, &err), RD_OK);
    assert_int_equal(report.tasks, 1 + LEAVES + WIDTH * LENGTH);
    engine->hand_over(rig.job->sched_state, &rest);
    assert_int_equal(rest.count, 0);
    rig.job->fetched = 0;
    assert_int_equal(rd_job_check(rig.job, &err), RD_OK);
    close_rig(&rig);
}

static void the_rule(void **state)
{
    rd__sched_job view = {0};
    (void)state;
    rd__hand_rule(RD__HANDS_OFF, 1, RD__MOVES, &view);
    rd__hand_rule(RD__HANDS_AUTO, 0, RD__MOVES, &view); /* not measured to win there */
    rd__hand_rule(RD__HANDS_ON, 1, RD__MOVES_NEVER, &view);
    assert_int_equal(view.leave_rounds, 0);
    rd__hand_rule(RD__HANDS_ON, 0, RD__MOVES_LATE, &view);
    assert_true(view.leave_rounds > 1 && view.leave_tasks > 64 && view.leave_late);
    view = (rd__sched_job){0};
    rd__hand_rule(RD__HANDS_AUTO, 1, RD__MOVES, &view);
    assert_true(view.leave_rounds > 1 && !view.leave_late);
}

static void misuse(void **state)
{
    static const char *const settings[][2] = {{NULL, NULL}};
    struct rig rig = {0};
    rd_switch list[1];
    size_t count = 7;
    (void)state;
    open_rig(&rig, "cpu:1", "bfs", settings);
    assert_int_equal(rd_job_switches(NULL, list, 1, &count, NULL), RD_EARG);
    assert_int_equal(rd_job_switches(rig.job, NULL, 1, &count, NULL), RD_EARG);
    assert_int_equal(rd_job_switches(rig.job, list, 1, NULL, NULL), RD_EARG);
    assert_int_equal(rd_job_switches(rig.job, list, 1, &count, NULL), RD_OK);
    assert_int_equal(count, 0);
    close_rig(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_happens_and_is_right),
        cmocka_unit_test(not_where_it_is_not_wanted),
        cmocka_unit_test(with_learning),
        cmocka_unit_test(rounds_can_go_on),
        cmocka_unit_test(the_rule),
        cmocka_unit_test(misuse),
    };
    return cmocka_run_group_tests_name("a run that changes its engine", tests, NULL, NULL);
}
