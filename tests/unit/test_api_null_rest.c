/* SPDX-License-Identifier: Apache-2.0 */
/* test_api_null_rest.c - NULL where there is to be something, in the functions that test_api_null.c does not have: own
 * apps, jobs that were started, ranks, parts, checkpoints, studies, models, litmus tests, programs of progress. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "raddle.h"
#include "raddle/fairness.h"
#include "raddle/litmus.h"
#include "raddle/progress.h"
#include "raddle/ranks.h"
#include "raddle/study.h"

static rd_error err;

#define REFUSED(call)                                                                                                  \
    do {                                                                                                               \
        err = (rd_error){RD_OK, ""};                                                                                   \
        if ((call) != RD_EARG || err.status != RD_EARG || !err.text[0])                                                \
            fail_msg("%s: %s '%s'", #call, rd_status_name(err.status), err.text);                                      \
    } while (0)

static rd_device *one_thread(void)
{
    rd_device *device = NULL;
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, &err), RD_OK);
    return device;
}

static void null_for_own_apps(void **state)
{
    rd_device *none[1] = {NULL};
    const rd_app_info *info;
    size_t count;
    (void)state;
    REFUSED(rd_app_register(NULL, "x", &info, &err));
    REFUSED(rd_app_register_file(NULL, &info, &err));
    REFUSED(rd_app_register_compiled(NULL, "x", NULL, 0, &info, &err));
    REFUSED(rd_app_compile(NULL, "cpu", &count, &err));
    REFUSED(rd_app_compile("bfs", NULL, &count, &err));
    REFUSED(rd_app_write(NULL, "never", &count, &err));
    REFUSED(rd_app_write("bfs", NULL, &count, &err));
    REFUSED(rd_app_write_for(NULL, NULL, 0, "never", &count, &err));
    REFUSED(rd_app_write_for("bfs", NULL, 1, "never", &count, &err));
    REFUSED(rd_app_write_for("bfs", none, 1, "never", &count, &err));
    REFUSED(rd_app_write_for("bfs", NULL, 0, NULL, &count, &err));
    assert_int_equal(rd_app_takes_ranks(NULL), 0);
    assert_int_equal(rd_app_takes_checkpoints(NULL), 0);
}

static void null_for_started_jobs(void **state)
{
    rd_device *device = one_thread();
    rd_job *job = NULL;
    rd_job_now now;
    rd_report report;
    rd_result result;
    rd_switch entry;
    uint64_t word = 1;
    size_t count;
    (void)state;
    assert_int_equal(rd_job_create(device, "bfs", &job, &err), RD_OK);
    REFUSED(rd_job_start(NULL, NULL, &err));
    REFUSED(rd_job_wait(NULL, &report, &err));
    REFUSED(rd_job_wait(job, NULL, &err)); /* it was not started */
    REFUSED(rd_job_poll(NULL, 0, &now, &err));
    REFUSED(rd_job_poll(job, 0, NULL, &err));
    REFUSED(rd_job_cancel(NULL, &err));
    REFUSED(rd_job_pause(NULL, "never", &err));
    REFUSED(rd_job_pause(job, NULL, &err));
    REFUSED(rd_job_resume(NULL, "never", NULL, &err));
    REFUSED(rd_job_resume(job, NULL, NULL, &err));
    REFUSED(rd_job_compile(NULL, &err));
    REFUSED(rd_job_read(NULL, "depth", &result, &err));
    REFUSED(rd_job_read(job, NULL, &result, &err));
    REFUSED(rd_job_read(job, "depth", NULL, &err));
    REFUSED(rd_job_bind(NULL, "depth", &word, 1, 0, &err));
    REFUSED(rd_job_bind(job, NULL, &word, 1, 0, &err));
    REFUSED(rd_job_bind(job, "depth", NULL, 1, 0, &err));
    REFUSED(rd_job_switches(NULL, &entry, 1, &count, &err));
    REFUSED(rd_job_switches(job, NULL, 1, &count, &err));
    rd_job_destroy(job);
    rd_device_close(device);
}

static void null_for_ranks(void **state)
{
    rd_ranks *ranks = NULL, *other;
    rd_graph *graph = NULL, *made;
    rd_partition how = {.parts = 2, .split = RD_SPLIT_GIVEN};
    rd_checkpoint checkpoint;
    rd_parts parts;
    uint64_t value = 1, *sizes;
    void *all;
    (void)state;
    assert_int_equal(rd_ranks_open_threads(1, &ranks, &err), RD_OK);
    assert_int_equal(rd_graph_open("path:9", NULL, &graph, &err), RD_OK);
    REFUSED(rd_ranks_open_threads(1, NULL, &err));
    REFUSED(rd_ranks_open_threads(0, &other, &err));
    REFUSED(rd_ranks_open_threads(4000000000u, &other, &err));
    REFUSED(rd_ranks_open_mpi(NULL, &err));
    REFUSED(rd_ranks_agree(ranks, NULL, "b", &err));
    REFUSED(rd_ranks_agree(ranks, "a", NULL, &err));
    REFUSED(rd_ranks_sum(ranks, NULL, 1, &err));
    REFUSED(rd_ranks_gather(ranks, NULL, 8, &all, &sizes, &err));
    REFUSED(rd_ranks_gather(ranks, &value, 8, NULL, &sizes, &err));
    REFUSED(rd_ranks_gather(ranks, &value, 8, &all, NULL, &err));
    rd_ranks_set_progress(NULL, NULL, NULL);
    REFUSED(rd_ranks_set_message(NULL, 4096, &err));
    REFUSED(rd_ranks_set_message(ranks, RD_MESSAGE_LEAST - 1, &err));
    rd_ranks_stop(NULL, RD_EIO, "x");
    rd_ranks_close(NULL);
    assert_int_equal(rd_ranks_count(NULL), 1);
    assert_int_equal(rd_ranks_rank(NULL), 0);
    assert_int_equal(rd_ranks_on_node(NULL, NULL), 0);
    assert_non_null(rd_ranks_transport(NULL));
    assert_int_equal(rd_ranks_get_traffic(NULL).bytes, 0);
    assert_int_equal(rd_job_rank_stats(NULL).tasks, 0);
    (void)rd_ranks_launched(NULL);
    REFUSED(rd_job_set_ranks(NULL, ranks, 0, &err));
    REFUSED(rd_job_set_checkpoint(NULL, NULL, &err));
    REFUSED(rd_checkpoint_read(NULL, &checkpoint, &err));
    REFUSED(rd_checkpoint_read("never", NULL, &err));
    REFUSED(rd_graph_open_part(NULL, NULL, ranks, &made, &err));
    REFUSED(rd_graph_open_part("path:9", NULL, NULL, &made, &err));
    REFUSED(rd_graph_open_part("path:9", NULL, ranks, NULL, &err));
    REFUSED(rd_graph_partition(NULL, &how, "never", &err));
    REFUSED(rd_graph_partition(graph, NULL, "never", &err));
    REFUSED(rd_graph_partition(graph, &how, NULL, &err));
    REFUSED(rd_graph_partition(graph, &how, "never", &err)); /* given, and there is none */
    REFUSED(rd_parts_read(NULL, &parts, &err));
    REFUSED(rd_parts_read("never", NULL, &err));
    rd_parts_free(NULL);
    assert_int_equal(rd_graph_get_part(NULL).vertices, 0);
    assert_int_equal(rd_graph_find(NULL, 1), RD_NONE);
    assert_int_equal(rd_graph_has_drawn_weights(NULL), 0);
    assert_int_equal(rd_graph_has_real_weights(NULL), 0);
    (void)rd_graph_name(NULL, 0);
    rd_graph_destroy(graph);
    rd_ranks_close(ranks);
}

static void null_for_models(void **state)
{
    rd_fairness *model = NULL, *made;
    rd_fairness_report report;
    const rd_fairness_run run = {0};
    (void)state;
    REFUSED(rd_fairness_open("x", NULL, NULL, &made, &err));
    REFUSED(rd_fairness_open("x", "x", NULL, NULL, &err));
    assert_int_equal(rd_fairness_open("x", rd_fairness_model_text("cas-mutex"), NULL, &model, &err), RD_OK);
    REFUSED(rd_fairness_check(NULL, NULL, &report, &err));
    REFUSED(rd_fairness_check(model, NULL, NULL, &err));
    REFUSED(rd_fairness_replay(NULL, &run, NULL, &err));
    REFUSED(rd_fairness_replay(model, NULL, NULL, &err));
    REFUSED(rd_fairness_order(3, NULL, NULL, &err));
    REFUSED(rd_fairness_scheduler_check(NULL, &err));
    rd_fairness_report_free(NULL);
    assert_null(rd_fairness_model_text(NULL));
    rd_fairness_close(model);
    rd_fairness_close(NULL);
}

static void null_for_litmus_tests(void **state)
{
    rd_device *device = one_thread();
    const rd_litmus_test *test = rd_litmus_get(0);
    rd_litmus *litmus;
    rd_litmus_table table;
    rd_litmus_result result;
    char text[32];
    (void)state;
    REFUSED(rd_litmus_open(NULL, NULL, &litmus, &err));
    REFUSED(rd_litmus_open(device, NULL, NULL, &err));
    REFUSED(rd_litmus_run(NULL, test, &result, &err));
    REFUSED(rd_litmus_allowed(NULL, &table, &err));
    REFUSED(rd_litmus_allowed(test, NULL, &err));
    (void)rd_litmus_model(NULL, text, sizeof text);
    (void)rd_litmus_outcome(NULL, 0, text, sizeof text);
    assert_null(rd_litmus_get(SIZE_MAX));
    rd_litmus_close(NULL);
    rd_device_close(device);
}

static void null_for_progress(void **state)
{
    rd_device *device = one_thread();
    rd_progress *progress;
    rd_progress_program *list = NULL;
    rd_progress_verdicts verdicts = {0};
    rd_progress_result result = {0};
    size_t count;
    (void)state;
    REFUSED(rd_progress_open(NULL, NULL, &progress, &err));
    REFUSED(rd_progress_open(device, NULL, NULL, &err));
    REFUSED(rd_progress_programs(NULL, NULL, &count, &err));
    REFUSED(rd_progress_programs(NULL, &list, NULL, &err));
    assert_int_equal(rd_progress_programs(NULL, &list, &count, &err), RD_OK);
    REFUSED(rd_progress_run(NULL, list, &result, &err));
    rd_progress_add(NULL, list, &result);
    rd_progress_add(&verdicts, NULL, &result);
    rd_progress_add(&verdicts, list, NULL);
    assert_int_equal(verdicts.launches, 0);
    assert_int_equal(rd_progress_is_worth(NULL, list), 0);
    assert_int_equal(rd_progress_is_worth(&verdicts, NULL), 0);
    assert_int_equal(rd_progress_is_worth(&verdicts, list), 1);
    rd_progress_record(NULL, &verdicts);
    rd_progress_record(rd_device_get_info(device), NULL);
    assert_int_equal(rd_progress_recorded(NULL, &verdicts), 0);
    assert_int_equal(rd_progress_recorded(rd_device_get_info(device), NULL), 0);
    rd_free(list);
    rd_progress_close(NULL);
    rd_device_close(device);
}

static void null_for_studies(void **state)
{
    rd_study *study = NULL;
    rd_study_result *result;
    const rd_study_point empty = {0};
    const double value = 1;
    char text[32];
    (void)state;
    REFUSED(rd_study_create(NULL, &err));
    assert_int_equal(rd_study_create(&study, &err), RD_OK);
    REFUSED(rd_study_add(NULL, &empty, &err));
    REFUSED(rd_study_add(study, NULL, &err));
    REFUSED(rd_study_add(study, &empty, &err));
    REFUSED(rd_study_add_fact(NULL, "a", "b", "c", 1, &err));
    REFUSED(rd_study_add_fact(study, NULL, "b", "c", 1, &err));
    REFUSED(rd_study_add_fact(study, "a", "b", NULL, 1, &err));
    REFUSED(rd_study_read(NULL, "never", NULL, &err));
    REFUSED(rd_study_read(study, NULL, NULL, &err));
    REFUSED(rd_study_analyse(NULL, NULL, &result, &err));
    REFUSED(rd_study_analyse(study, NULL, NULL, &err));
    assert_int_equal(rd_study_has(NULL, &empty), 0);
    assert_int_equal(rd_study_has(study, NULL), 0);
    assert_int_equal(rd_study_has(study, &empty), 0);
    assert_int_equal(rd_study_has_fact(NULL, "a", "b", "c"), 0);
    assert_int_equal(rd_study_has_fact(study, NULL, NULL, NULL), 0);
    (void)rd_study_names(NULL, 0, text, sizeof text);
    (void)rd_mann_whitney(NULL, 1, &value, 1);
    (void)rd_mann_whitney(&value, 1, NULL, 1);
    rd_study_result_free(NULL);
    rd_study_destroy(study);
    rd_study_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(null_for_own_apps),     cmocka_unit_test(null_for_started_jobs),
        cmocka_unit_test(null_for_ranks),        cmocka_unit_test(null_for_models),
        cmocka_unit_test(null_for_litmus_tests), cmocka_unit_test(null_for_progress),
        cmocka_unit_test(null_for_studies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
