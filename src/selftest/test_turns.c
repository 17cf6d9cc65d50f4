/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_turns.c - jobs that make way for others, and go on. While a job runs, someone of higher priority wants its
 * device again and again, at random moments; each time the job must leave with all that it has and be back later. Its
 * result is checked each time, and so are those of urgent jobs that run in between, or beside it where the device lends
 * workers.
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
    uint64_t runs, passes, urgent, beside;
} tally;

enum { VISITS = 12, WATCHED_VISITS = 4 };

static int is_done(rd_job *job)
{
    rd_job_now now;
    return rd_job_poll(job, 0, &now, NULL) != RD_OK || now.state == RD_JOB_DONE || now.state == RD_JOB_IDLE;
}

static double measured(const rd_report *report, const char *name)
{
    for (uint32_t i = 0; i < report->measures; i++)
        if (strcmp(report->measure[i].name, name) == 0)
            return report->measure[i].value;
    return 0;
}

/* Wants the device some times while the job runs; does nothing with it, or runs the urgent job. */
static rd_status visit(rd__test *test, rd_job *job, rd_job *urgent, uint64_t draw, tally *count, rd_error *err)
{
    const uint32_t units = rd_device_get_info(test->device)->compute_units;
    const uint32_t visits = rd__test_is_watched(test) ? WATCHED_VISITS : VISITS;
    /* the same number each time: for another one the job has to be made anew */
    const rd_start first = {
        .size = sizeof first, .priority = 2, .workers = 1 + (uint32_t)(draw % (units > 1 ? units - 1 : 1))};
    rd_report report = {0};
    for (uint32_t i = 0; i < visits && !is_done(job); i++) {
        const struct timespec rest = {.tv_nsec = (long)(rd__mix64(draw + i) % 100000)};
        rd__turn turn = {.device = test->device, .priority = 1};
        nanosleep(&rest, NULL);
        RD_TRY(rd__turn_take(&turn, err));
        rd__turn_give(&turn);
        if (urgent && i % 4 == 3) {
            RD_TRY(rd_job_start(urgent, &first, err));
            RD_TRY(rd_job_wait(urgent, &report, err));
            RD_TRY(rd_job_check(urgent, err));
            count->urgent++;
            count->beside += (uint64_t)measured(&report, "beside");
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
    count->passes += (uint64_t)measured(&report, "passed");
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
    snprintf(test->note, sizeof test->note, "%llu runs gave way %llu times; %llu urgent jobs between, %llu beside",
             (unsigned long long)count->runs, (unsigned long long)count->passes,
             (unsigned long long)(count->urgent - count->beside), (unsigned long long)count->beside);
}

/* One app under every scheduler and launch. */
static rd_status every_engine(rd__test *test, rd_error *err)
{
    static const char *const large[] = {"kron:12", "path:3000", "road:60x60:0.7", "star:20000", NULL};
    static const char *const small[] = {"kron:8", "path:150", "star:700", NULL};
    static const char *const least[] = {"kron:6", "path:40", "star:300",
                                        NULL}; /* each visit is a launch under a tool */
    enum { INPUTS = 3 };                       /* of many samples; that each of them is right is not the matter here */
    tally count = {0};
    const int watched = rd__test_is_watched(test);
    const char *const *graphs = watched ? least : rd__test_is_small(test) ? small : large;
    RD_TRY(rd__test_every_engine(test, graphs, watched ? 1 : INPUTS, run_setting, &count, err));
    note(test, &count);
    return RD_OK;
}

/* Long jobs whose launches can do without some of the workers, each in its own way. */
static const struct {
    const char *app, *sched, *launch, *input, *small; /* input: of a graph, or a text */
} long_jobs[] = {
    {"fib", "steal", "persistent", "24", "18"},
    {"fib", "fifo", "persistent", "24", "18"},
    {"pr", "bsp", "persistent", "kron:10", "kron:6"},
    {"bfs", "bsp", "persistent", "path:3000", "path:150"},
    {"bfs", "fifo", "persistent", "kron:12", "kron:7"},
    {"sssp", "steal", "persistent", "kron:12", "kron:7"},
    {"kcore", "bsp", "discrete", "kron:12", "kron:7"},
    {"uts", "steal", "discrete", "geo:fixed:4:6:19", "geo:fixed:4:4:19"},
    {"color", "fifo", "persistent", "kron:10", "kron:6"},
    {"sssp", "heap", "persistent", "kron:11", "kron:6"},
    {"sssp", "multi", "persistent", "kron:11", "kron:6"},
    {"sssp", "bsp", "persistent", "kron:13", "kron:7"},
    {"tc", "bsp", "persistent", "complete:500", "complete:30"},
};
enum { LONG_JOBS = sizeof long_jobs / sizeof long_jobs[0] };
enum { SAME = 4 }; /* urgent jobs in a row are of the same number of workers: a GPU has the first in turn, to make it */

static rd_status open_long(rd__test *test, int which, rd_graph **graph, rd_job **job, rd_error *err)
{
    const rd_graph_options options = {.size = sizeof options, .symmetrize = 1, .weight_min = 1, .weight_max = 255};
    const char *input = rd__test_is_slow(test) ? long_jobs[which].small : long_jobs[which].input;
    RD_TRY(rd_job_create(test->device, long_jobs[which].app, job, err));
    RD_TRY(rd_job_set(*job, "sched", long_jobs[which].sched, err));
    RD_TRY(rd_job_set(*job, "launch", long_jobs[which].launch, err));
    if (strchr("fu", long_jobs[which].app[0]))
        return rd_job_set_input(*job, input, err);
    RD_TRY(rd_graph_open(input, &options, graph, err));
    return rd_job_set_graph(*job, *graph, err);
}

static rd_status serve(rd_job *urgent, const rd_start *how, tally *count, rd_error *err)
{
    rd_report report = {0};
    RD_TRY(rd_job_start(urgent, how, err));
    RD_TRY(rd_job_wait(urgent, &report, err));
    count->urgent++;
    count->beside += (uint64_t)measured(&report, "beside");
    return rd_job_check(urgent, err);
}

static rd_status end_long(rd_job *job, tally *count, rd_error *err)
{
    rd_report report = {0};
    RD_TRY(rd_job_wait(job, &report, err));
    count->runs++;
    count->passes += (uint64_t)measured(&report, "passed");
    return rd_job_check(job, err);
}

/* Urgent jobs, each of a number of workers that is drawn, while the long one runs; when that is done it begins anew. */
static rd_status ask_beside(rd__test *test, rd_job *job, rd_job *urgent, uint32_t times, tally *count, rd_error *err)
{
    const uint32_t units = rd_device_get_info(test->device)->compute_units;
    RD_TRY(rd_job_start(job, NULL, err));
    for (uint32_t i = 0; i < times; i++) {
        const uint64_t draw = rd__mix64(test->seed + count->urgent / SAME);
        const rd_start first = {
            .size = sizeof first, .priority = 1, .deadline = 1, .workers = (uint32_t)(draw % units)};
        if (is_done(job)) {
            RD_TRY(rd_job_wait(job, NULL, err));
            RD_TRY(rd_job_check(job, err));
            RD_TRY(rd_job_start(job, NULL, err));
            count->runs++;
        }
        RD_TRY(serve(urgent, &first, count, err));
    }
    return end_long(job, count, err);
}

/* Long runs beside many urgent ones, none of which is lost. */
static rd_status beside(rd__test *test, rd_error *err)
{
    const uint32_t times = (test->repeats < 1000 ? test->repeats : 1000) / LONG_JOBS + 1;
    tally count = {0};
    rd_status status = RD_OK;
    for (int i = 0; i < LONG_JOBS && status == RD_OK; i++) {
        rd_job *job = NULL, *urgent = NULL;
        rd_graph *graph = NULL;
        rd_error why = {.status = RD_OK};
        status = open_long(test, i, &graph, &job, &why);
        if (status == RD_OK)
            status = rd_job_create(test->device, "fib", &urgent, &why);
        if (status == RD_OK)
            status = rd_job_set_input(urgent, rd__test_is_slow(test) ? "12" : "16", &why);
        if (status == RD_OK)
            status = ask_beside(test, job, urgent, times, &count, &why);
        if (status != RD_OK)
            status = rd__fail(err, status, "%s --sched %s --launch %s: %.800s", long_jobs[i].app, long_jobs[i].sched,
                              long_jobs[i].launch, why.text);
        rd_job_destroy(job);
        rd_job_destroy(urgent);
        rd_graph_destroy(graph);
    }
    note(test, &count);
    return status;
}

/* ---- During one run ---- */

/* Urgent jobs while one long run lasts, `times` of them if it lasts so long. *served: those that came back by then. */
static rd_status ask_during(rd__test *test, rd_job *job, rd_job *urgent, uint32_t times, uint32_t *served,
                            tally *count, rd_error *err)
{
    (void)test;
    const rd_start first = {.size = sizeof first, .priority = 1, .workers = 1};
    *served = 0;
    RD_TRY(rd_job_start(job, NULL, err));
    for (uint32_t i = 0; i < times && !is_done(job); i++) {
        RD_TRY(serve(urgent, &first, count, err));
        *served += !is_done(job);
    }
    return end_long(job, count, err);
}

/* One that wants a worker, and keeps it until the long job goes on without: it was lent one, so no launch may have it.
 * It comes when the holder has looked up since the last one left, and found that there is nothing to do. */
static rd_status see_room(rd_job *job, rd_device *device, rd_error *err)
{
    static const double wait_seconds = 60;
    const struct timespec pause = {.tv_nsec = 70000000}, rest = {.tv_nsec = 20000};
    const uint32_t units = rd_device_get_info(device)->compute_units;
    rd__turn turn = {.device = device, .priority = 1, .workers = 1};
    rd_job_now now = {.state = RD_JOB_RUNNING};
    nanosleep(&pause, NULL);
    RD_TRY(rd__turn_take(&turn, err));
    rd__turn_began(&turn);
    const double until = rd_now() + wait_seconds;
    int without = !turn.beside;
    while (!without && rd_now() < until) {
        nanosleep(&rest, NULL);
        without = rd_job_poll(job, 0, &now, NULL) != RD_OK || now.state == RD_JOB_DONE || now.workers + 1 == units;
    }
    rd__turn_give(&turn);
    return without ? RD_OK
                   : rd__fail(err, RD_EWRONG, "a job that lent one of its %u workers had %u still after %g s", units,
                              now.workers, wait_seconds);
}

/* As ask_during, of those who want a worker each. */
static rd_status ask_for_room(rd__test *test, rd_job *job, rd_job *urgent, uint32_t times, uint32_t *served,
                              tally *count, rd_error *err)
{
    (void)urgent;
    *served = 0;
    RD_TRY(rd_job_start(job, NULL, err));
    for (uint32_t i = 0; i < times && !is_done(job); i++) {
        RD_TRY(see_room(job, test->device, err));
        *served += !is_done(job);
    }
    return end_long(job, count, err);
}

typedef rd_status asks(rd__test *test, rd_job *job, rd_job *urgent, uint32_t times, uint32_t *served, tally *count,
                       rd_error *err);

/* A run by work stealing and one in rounds, each made longer until all urgent jobs come and go during one run. */
static rd_status one_long_run(rd__test *test, int rounds, uint32_t times, asks *ask, tally *count, rd_error *err)
{
    enum { SIZES = 20 };
    uint32_t served = 0;
    for (uint32_t size = 0; served < times; size++) {
        rd_job *job = NULL, *urgent = NULL;
        rd_graph *graph = NULL;
        char input[32];
        if (size == SIZES)
            return rd__fail(err, RD_EWRONG, "the longest run there is was done before %u urgent jobs were", times);
        snprintf(input, sizeof input, rounds ? "path:%u" : "%u", rounds ? 2000u << size : 20 + 2 * size);
        rd_status status = rd_job_create(test->device, rounds ? "bfs" : "fib", &job, err);
        if (status == RD_OK)
            status = rd_job_set(job, "sched", rounds ? "bsp" : "steal", err);
        if (status == RD_OK)
            status = rd_job_set(job, "launch", "persistent", err);
        if (status == RD_OK && rounds && (status = rd_graph_open(input, NULL, &graph, err)) == RD_OK)
            status = rd_job_set_graph(job, graph, err);
        if (status == RD_OK && !rounds)
            status = rd_job_set_input(job, input, err);
        if (status == RD_OK)
            status = rd_job_create(test->device, "fib", &urgent, err);
        if (status == RD_OK)
            status = rd_job_set_input(urgent, "12", err);
        if (status == RD_OK)
            status = ask(test, job, urgent, times, &served, count, err);
        rd_job_destroy(job);
        rd_job_destroy(urgent);
        rd_graph_destroy(graph);
        RD_TRY(status);
    }
    return RD_OK;
}

/* Up to a thousand urgent jobs during one long run: all right, none lost. */
static rd_status thousand(rd__test *test, rd_error *err)
{
    const uint32_t times = test->repeats < 1000 ? test->repeats : 1000;
    tally count = {0};
    for (int rounds = 0; rounds < 2; rounds++)
        RD_TRY(one_long_run(test, rounds, times, ask_during, &count, err));
    snprintf(test->note, sizeof test->note, "%u urgent jobs during one long run, twice, all right; %llu of %llu beside",
             times, (unsigned long long)count.beside, (unsigned long long)count.urgent);
    return RD_OK;
}

/* Who lends goes on without what it lent. */
static rd_status room(rd__test *test, rd_error *err)
{
    const uint32_t times = test->repeats < 2 ? test->repeats : 2;
    tally count = {0};
    for (int rounds = 0; rounds < 2 && test->device->caps.lends; rounds++)
        RD_TRY(one_long_run(test, rounds, times, ask_for_room, &count, err));
    snprintf(test->note, sizeof test->note, "%u times a worker lent during one long run, twice", times);
    return RD_OK;
}

const rd__test_case rd__turn_cases[] = {
    {"turns/beside", beside, RD__ONCE},
    {"turns/room", room, RD__ONCE},
    {"turns/thousand", thousand, RD__ONCE},
    {"turns", every_engine, RD__EACH_APP},
    {NULL, NULL, RD__ONCE},
};
