/* SPDX-License-Identifier: Apache-2.0 */
/* test_progress.c - the programs of `raddle progress`: what the checker says of them, how copies are laid over groups,
 * what runs on a CPU of one thread must show, and that a device with a bad record is refused persistent launches. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "device/promise.h"
#include "fairness/family.h"
#include "progress/progress.h"
#include "progress/run_layout.k.h"
#include "progress/shapes.h"

#include "memory_util.h"

static rd_error err;

static uint32_t bit(const char *scheduler)
{
    return 1u << rd__progress_scheduler(scheduler);
}

static rd_progress_program *programs(uint64_t seed, uint32_t threads, size_t *count)
{
    const rd_progress_options options = {.size = sizeof options, .seed = seed, .threads = threads};
    rd_progress_program *list;
    if (rd_progress_programs(&options, &list, count, &err) != RD_OK)
        fail_msg("%s", err.text);
    return list;
}

static const rd_progress_program *find(const rd_progress_program *list, size_t count, const char *text)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i].text, text) == 0)
            return &list[i];
    fail_msg("'%s' is not among the programs", text);
    return NULL;
}

static void programs_of_every_kind(void **state)
{
    static const struct {
        const char *text, *weakest;
    } known[] = {{"0: await x == 1 | 1: x = 1", "fair"},
                 {"0: x = 1 | 1: await x == 1", "hsa"},
                 {"0: if x == 0; stop; end; await y == 1 | 1: x = 1; y = 1", "obe"},
                 {"0: if x == 0; stop; end; await y == 1 | 1: y = 1 | 2: x = 1", "lobe"}};
    size_t count, both = 0;
    rd_progress_program *list = programs(0, 0, &count);
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const uint32_t ends = find(list, count, known[i].text)->ends;
        const int is_low = strcmp(known[i].weakest, "hsa") == 0 || strcmp(known[i].weakest, "obe") == 0;
        const uint32_t upper = is_low                                  ? bit("hsa+obe") | bit("lobe")
                               : strcmp(known[i].weakest, "lobe") == 0 ? bit("lobe")
                                                                       : 0;
        assert_int_equal(ends, bit(known[i].weakest) | upper | bit("fair"));
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t ends = list[i].ends;
        assert_true(ends & bit("fair"));
        assert_true(!(ends & bit("lobe")) || ends & bit("fair"));
        assert_true(!(ends & bit("hsa+obe")) || ends & bit("lobe"));
        assert_true(!(ends & (bit("hsa") | bit("obe"))) || ends & bit("hsa+obe"));
        assert_true(i == 0 || list[i - 1].steps <= list[i].steps);
        assert_true(list[i].threads >= 2 && list[i].threads <= RD_PROGRESS_THREADS);
        both += ends == (bit("hsa+obe") | bit("lobe") | bit("fair"));
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(list[i].text, list[j].text);
    }
    assert_true(both > 0); /* what needs hsa and obe together */
    rd_free(list);
}

static void a_seed_draws_programs(void **state)
{
    size_t count[3];
    rd_progress_program *list[3] = {programs(5, 3, &count[0]), programs(5, 3, &count[1]), programs(6, 3, &count[2])};
    (void)state;
    assert_int_equal(count[0], count[1]);
    assert_memory_equal(list[0], list[1], count[0] * sizeof *list[0]);
    assert_true(count[0] != count[2] || memcmp(list[0], list[2], count[0] * sizeof *list[0]) != 0);
    for (int i = 0; i < 3; i++)
        rd_free(list[i]);
}

/* Each thread of each copy has a group, and in each copy they come in order. */
static void shapes_keep_the_order(void **state)
{
    enum { MOST = 4096 };
    static uint32_t role[MOST], next[MOST], last[MOST];
    (void)state;
    for (uint32_t number = 0; number < 200; number++)
        for (uint32_t threads = 2; threads <= RD_PROGRESS_THREADS; threads++) {
            const rd__shape shape = rd__shape_number(number, 77 + number, 4);
            const uint32_t copies = rd__shape_copies(&shape, threads, 1 + number % 50);
            const uint32_t groups = rd__shape_groups(&shape, threads, copies);
            uint32_t roles = 0;
            assert_true(groups <= MOST && copies >= 1 && shape.variant < 4);
            rd__shape_roles(&shape, threads, copies, number, role, next);
            memset(last, 0, sizeof last);
            for (uint32_t g = 0; g < groups; g++) {
                if (role[g] == PROGRESS_IDLE)
                    continue;
                assert_true(role[g] / 8 < copies);
                assert_int_equal(role[g] % 8, last[role[g] / 8]++);
                roles++;
            }
            assert_int_equal(roles, copies * threads);
        }
}

static rd_progress_result run_program(const char *name, const rd_progress_program *program)
{
    const rd_progress_options options = {.size = sizeof options, .patience = 0.1, .shapes = 8, .repeats = 2};
    rd_progress_result result = {0};
    rd_progress *progress = NULL;
    rd_device *device;
    if (rd_device_open(name, NULL, &device, &err) != RD_OK ||
        rd_progress_open(device, &options, &progress, &err) != RD_OK ||
        rd_progress_run(progress, program, &result, &err) != RD_OK)
        fail_msg("%s", err.text);
    rd_progress_close(progress);
    rd_device_close(device);
    return result;
}

static rd_progress_result run(const char *name, const char *text)
{
    size_t count;
    rd_progress_program *list = programs(0, 2, &count);
    const rd_progress_result result = run_program(name, find(list, count, text));
    rd_free(list);
    return result;
}

/* One thread runs group after group: who waits for a higher one waits for ever, wherever that is. */
static void one_worker_runs_in_order(void **state)
{
    rd_progress_result result = run("cpu:1", "0: await x == 1 | 1: x = 1");
    (void)state;
    assert_int_equal(result.hung, 1);
    assert_int_equal(result.unstopped, 0);
    assert_string_equal(result.state, "0 stays at 'await x == 1'; 1 never began");
    assert_non_null(strstr(result.shape, "1 copy"));
    /* planted: a barrier of two groups, and discovery was dropped */
    const rd_progress_program barrier = {
        .threads = 2,
        .steps = 4,
        .step = {{RD__FAMILY_SET_X, RD__FAMILY_AWAIT_Y}, {RD__FAMILY_SET_Y, RD__FAMILY_AWAIT_X}}};
    result = run_program("cpu:1", &barrier);
    assert_int_equal(result.hung, 1);
    assert_string_equal(result.state, "0 stays at 'await y == 1'; 1 never began");
    result = run("cpu:1", "0: x = 1 | 1: await x == 1");
    assert_int_equal(result.hung, 0);
    assert_int_equal(result.launches, 16);
    assert_int_equal(run("cpu:1x3", "0: x = 1 | 1: await x == 1").hung, 0);
}

static void verdicts_add_up(void **state)
{
    const rd_progress_program p = {.threads = 2, .ends = bit("lobe") | bit("fair"), .text = "p"},
                              q = {.threads = 2, .ends = bit("fair"), .text = "q"};
    const rd_progress_result hung = {.launches = 3, .hung = 1, .shape = "s", .state = "t"}, fine = {.launches = 2};
    rd_progress_verdicts v = {0};
    (void)state;
    rd_progress_add(&v, &p, &fine);
    assert_int_equal(v.violated, 0);
    rd_progress_add(&v, &q, &hung);
    assert_int_equal(v.violated, bit("fair"));
    assert_false(rd_progress_is_worth(&v, &q));
    assert_true(rd_progress_is_worth(&v, &p));
    rd_progress_add(&v, &p, &hung);
    assert_int_equal(v.violated, bit("fair") | bit("lobe"));
    assert_string_equal(v.program[rd__progress_scheduler("fair")], "q"); /* the first one was the smallest */
    assert_string_equal(v.program[rd__progress_scheduler("lobe")], "p");
    assert_int_equal(v.launches, 8);
    assert_int_equal(v.programs[rd__progress_scheduler("fair")], 3);
}

static rd_status run_bfs(rd_device *device, const char *launch)
{
    rd_job *job = NULL;
    rd_graph *graph = NULL;
    rd_status status = rd_graph_open("path:50", NULL, &graph, &err);
    if (status == RD_OK)
        status = rd_job_create(device, "bfs", &job, &err);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, &err);
    if (status == RD_OK)
        status = rd_job_set(job, "launch", launch, &err);
    if (status == RD_OK)
        status = rd_job_run(job, NULL, &err);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    return status;
}

static rd_status run_with_record(const char *launch)
{
    rd_device *device;
    assert_int_equal(rd_device_open("cpu:2", NULL, &device, &err), RD_OK);
    const rd_status status = run_bfs(device, launch);
    rd_device_close(device);
    return status;
}

/* A record that says that obe was violated: persistent launches are refused, others are not. */
static void a_bad_record_refuses_persistent_launches(void **state)
{
    rd_progress_verdicts v = {.violated = bit("obe") | bit("fair"), .launches = 7}, got;
    rd_device *device;
    (void)state;
    snprintf(v.program[rd__progress_scheduler("obe")], sizeof v.program[0], "the program");
    assert_int_equal(rd_device_open("cpu:2", NULL, &device, &err), RD_OK);
    const rd_device_info info = *rd_device_get_info(device);
    rd_device_close(device);
    assert_int_equal(rd_progress_recorded(&info, &got), 0);
    if (run_with_record("persistent") != RD_OK)
        fail_msg("%s", err.text);
    rd_progress_record(&info, &v);
    assert_int_equal(rd_progress_recorded(&info, &got), 1);
    assert_int_equal(got.violated, v.violated);
    assert_int_equal(run_with_record("persistent"), RD_EDEVICE);
    assert_non_null(strstr(err.text, "'the program'"));
    assert_non_null(strstr(err.text, "--launch discrete"));
    assert_int_equal(run_with_record("discrete"), RD_OK);
    v.violated = bit("fair"); /* tested again: nothing against obe */
    rd_progress_record(&info, &v);
    assert_int_equal(run_with_record("persistent"), RD_OK);
}

static void a_mark_lasts_while_it_is_open(void **state)
{
    rd_device *device;
    uint32_t launches = 0;
    (void)state;
    assert_int_equal(rd_device_open("cpu:2", NULL, &device, &err), RD_OK);
    assert_int_equal(rd__progress_probe(device, 1, &launches, &err), RD_OK);
    assert_true(launches > 10);
    rd__promise_broken(device, "0: ...");
    assert_int_equal(run_bfs(device, "persistent"), RD_EDEVICE);
    rd_micro *micro = NULL;
    assert_int_equal(rd_micro_open(device, "barrier/word", NULL, &micro, &err), RD_OK);
    rd_micro_report report;
    assert_int_equal(rd_micro_run(micro, &report, &err), RD_EDEVICE);
    rd_micro_close(micro);
    rd_device_close(device);
}

static void wrong_requests(void **state)
{
    rd_progress_options options = {.size = 3};
    rd_progress_program *list;
    rd_progress *progress;
    size_t count;
    (void)state;
    assert_int_equal(rd_progress_programs(&options, &list, &count, &err), RD_EARG);
    options = (rd_progress_options){.size = sizeof options, .threads = 6};
    assert_int_equal(rd_progress_programs(&options, &list, &count, &err), RD_EARG);
    assert_non_null(strstr(err.text, "6"));
    assert_int_equal(rd_progress_programs(NULL, NULL, &count, &err), RD_EARG);
    assert_int_equal(rd_progress_open(NULL, NULL, &progress, &err), RD_EARG);
    assert_int_equal(rd_progress_run(NULL, NULL, NULL, &err), RD_EARG);
    assert_int_equal(rd_progress_recorded(NULL, NULL), 0);
    rd_progress_close(NULL);
}

static rd_status open_and_run(const void *program, rd_error *error)
{
    const rd_progress_options options = {.size = sizeof options, .shapes = 3, .repeats = 1};
    rd_device *device = NULL;
    rd_progress *progress = NULL;
    rd_progress_result result;
    rd_status status = rd_device_open("cpu:2", NULL, &device, error);
    if (status == RD_OK)
        status = rd_progress_open(device, &options, &progress, error);
    if (status == RD_OK)
        status = rd_progress_run(progress, program, &result, error);
    rd_progress_close(progress);
    rd_device_close(device);
    return status;
}

static rd_status list_programs(const void *options, rd_error *error)
{
    rd_progress_program *list = NULL;
    size_t count;
    const rd_status status = rd_progress_programs(options, &list, &count, error);
    assert_true(status == RD_OK || !list);
    rd_free(list);
    return status;
}

static void memory_runs_out(void **state)
{
    const rd_progress_options two = {.size = sizeof two, .threads = 2, .host_threads = 1};
    rd_progress_program *list = NULL;
    size_t count;
    (void)state;
    assert_int_equal(rd_progress_programs(&two, &list, &count, &err), RD_OK);
    const rd_progress_program program = *find(list, count, "0: x = 1 | 1: await x == 1");
    rd_free(list);
    assert_true(with_little_memory("a progress test", open_and_run, &program) > 5);
    assert_true(with_little_memory("a list of progress tests", list_programs, &two) > 0);
}

static char directory[] = "/tmp/raddle-progress-XXXXXX";

static int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? setenv("RADDLE_CACHE_DIR", directory, 1) : -1;
}

static int remove_directory(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r '%s'", directory);
    return system(command) == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_of_every_kind),
        cmocka_unit_test(a_seed_draws_programs),
        cmocka_unit_test(shapes_keep_the_order),
        cmocka_unit_test(one_worker_runs_in_order),
        cmocka_unit_test(verdicts_add_up),
        cmocka_unit_test(a_bad_record_refuses_persistent_launches),
        cmocka_unit_test(a_mark_lasts_while_it_is_open),
        cmocka_unit_test(wrong_requests),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
