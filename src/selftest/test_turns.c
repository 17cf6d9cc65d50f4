/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_turns.c - jobs that make way for others, and go on. While a job runs, someone of higher priority wants its
 * device again and again, at random moments; each time the job must leave with all that it has and be back later. Its
 * result is checked each time, and so are those of urgent jobs that run in between.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "selftest/selftest.h"

#include "core/hash.h"
#include "device/turns.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct tally {
    uint64_t runs, passes, urgent;
} tally;

enum { VISITS = 12 };

static int is_done(rd_job *job)
{
    rd_job_now now;
    return rd_job_poll(job, 0, &now, NULL) != RD_OK || now.state == RD_JOB_DONE || now.state == RD_JOB_IDLE;
}

/* Wants the device some times while the job runs; does nothing with it, or runs the urgent job. */
static rd_status visit(rd__test *test, rd_job *job, rd_job *urgent, uint64_t draw, tally *count, rd_error *err)
{
    const rd_start first = {.size = sizeof first, .priority = 2};
    for (uint32_t i = 0; i < VISITS && !is_done(job); i++) {
        const struct timespec rest = {.tv_nsec = (long)(rd__mix64(draw + i) % 100000)};
        rd__turn turn = {.device = test->device, .priority = 1};
        nanosleep(&rest, NULL);
        RD_TRY(rd__turn_take(&turn, err));
        rd__turn_give(&turn);
        if (urgent && i % 4 == 3) {
            RD_TRY(rd_job_start(urgent, &first, err));
            RD_TRY(rd_job_wait(urgent, NULL, err));
            RD_TRY(rd_job_check(urgent, err));
            count->urgent++;
        }
    }
    return RD_OK;
}

static rd_status run_once(rd__test *test, rd_job *job, rd_job *urgent, const char *where, uint64_t draw, tally *count,
                          rd_error *err)
{
    rd_report report = {0};
    rd_error why = {.status = RD_OK};
    RD_TRY(rd_job_start(job, NULL, err));
    const rd_status visited = visit(test, job, urgent, draw, count, err);
    rd_status status = rd_job_wait(job, &report, &why);
    RD_TRY(visited);
    if (status == RD_OK)
        status = rd_job_check(job, &why);
    if (status != RD_OK)
        return rd__fail(err, RD_EWRONG, "%s, made to give way: %s: %.800s", where, rd_status_name(status), why.text);
    count->runs++;
    for (uint32_t i = 0; i < report.measures; i++)
        count->passes += strcmp(report.measure[i].name, "passed") == 0 ? (uint64_t)report.measure[i].value : 0;
    return RD_OK;
}

static rd_status run_setting(rd__test *test, const rd__test_setting *setting, const rd_graph *graph, void *user,
                             rd_error *err)
{
    const uint32_t times = test->repeats / 200 + 1;
    tally *count = user;
    char where[300];
    rd_job *job = NULL, *urgent = NULL;
    snprintf(where, sizeof where, "%s --sched %s --launch %s on '%s'", setting->app->name, setting->sched,
             setting->launch, setting->input);
    RD_TRY(rd_job_create(test->device, setting->app->name, &job, err));
    rd_status status = rd__test_set_up(job, setting, graph, err);
    if (status == RD_OK && graph)
        status = rd_job_create(test->device, setting->app->name, &urgent, err);
    if (status == RD_OK && graph)
        status = rd__test_set_up(urgent, setting, graph, err);
    if (status == RD_OK)
        status = rd__test_run(job, where, NULL, err); /* alone, before it shares */
    for (uint32_t i = 0; status == RD_OK && i < times; i++)
        status = run_once(test, job, urgent, where, rd__mix64(test->seed + i), count, err);
    rd_job_destroy(job);
    rd_job_destroy(urgent);
    return status;
}

static void note(rd__test *test, const tally *count)
{
    snprintf(test->note, sizeof test->note, "%llu runs gave way %llu times; %llu urgent jobs between",
             (unsigned long long)count->runs, (unsigned long long)count->passes, (unsigned long long)count->urgent);
}

/* One app under every scheduler and launch. */
static rd_status every_engine(rd__test *test, rd_error *err)
{
    static const char *const large[] = {"kron:12", "path:3000", "road:60x60:0.7", NULL};
    static const char *const small[] = {"kron:8", "path:150", NULL};
    enum { INPUTS = 3 }; /* of many samples; that each of them is right is not the matter here */
    tally count = {0};
    RD_TRY(rd__test_every_engine(test, rd__test_has_threads(test) ? small : large, INPUTS, run_setting, &count, err));
    note(test, &count);
    return RD_OK;
}

/* One long run beside many urgent ones, none of which is lost. */
static rd_status beside(rd__test *test, rd_error *err)
{
    const char *const sizes[] = {rd__test_is_slow(test) ? "18" : "24", rd__test_is_slow(test) ? "12" : "16"};
    const uint32_t urgent_runs = test->repeats < 1000 ? test->repeats : 1000;
    const rd_start first = {.size = sizeof first, .priority = 1, .deadline = 1};
    rd_job *job[2] = {NULL, NULL};
    tally count = {0};
    rd_status status = RD_OK;
    rd_report report = {0};
    for (int i = 0; i < 2 && status == RD_OK; i++) {
        status = rd_job_create(test->device, "fib", &job[i], err);
        if (status == RD_OK)
            status = rd_job_set_input(job[i], sizes[i], err);
    }
    if (status == RD_OK)
        status = rd_job_start(job[0], NULL, err);
    for (uint32_t i = 0; i < urgent_runs && status == RD_OK; i++) {
        status = rd_job_start(job[1], &first, err);
        if (status == RD_OK)
            status = rd_job_wait(job[1], NULL, err);
        if (status == RD_OK)
            status = rd_job_check(job[1], err);
        count.urgent++;
    }
    if (status == RD_OK)
        status = rd_job_wait(job[0], &report, err);
    if (status == RD_OK)
        status = rd_job_check(job[0], err);
    rd_job_destroy(job[0]);
    rd_job_destroy(job[1]);
    count.runs = 1;
    note(test, &count);
    return status;
}

const rd__test_case rd__turn_cases[] = {
    {"turns/beside", beside, RD__ONCE},
    {"turns", every_engine, RD__EACH_APP},
    {NULL, NULL, RD__ONCE},
};
