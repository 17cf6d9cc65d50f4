/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_stops.c - runs that are stopped, by time-out and by their caller, at random moments; and what comes after them.
 *
 * A run that was stopped says so and gives no result, unless its app promises one. The next run of the same job, and
 * every run of any other job on the device, is as if it had never been: it is checked each time. `stops/late` forces
 * the case in which a kernel is so slow that nobody waits for it to leave: the device's patience is set to nothing, and
 * the launches that come behind it must not see the request that was meant for it.
 */
#include "selftest/selftest.h"

#include "core/hash.h"
#include "core/text.h"
#include "model/args.h"
#include "raddle/tool.h"
#include "selftest/litmus_layout.k.h"

#include <stdio.h>
#include <string.h>

RD__ARGS(endless_args, ENDLESS_ARGS)

typedef struct tally {
    uint64_t stops, ends; /* runs that were stopped, that ended before */
} tally;

/* Stops a run when it was asked so many times whether to go on. */
static int count_down(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    uint32_t *left = user;
    (void)what;
    (void)done;
    (void)total;
    (void)unit;
    if (*left == 0)
        return 1;
    --*left;
    return 0;
}

/* One run that may be stopped, after a part of the time that a whole one takes. */
static rd_status run_stopped(rd_job *job, uint64_t draw, double whole, const char *where, tally *count, rd_error *err)
{
    char seconds[32];
    uint32_t left = (uint32_t)(draw >> 8) % 4;
    rd_error why = {.status = RD_OK};
    const int by_caller = draw % 4 == 0;
    const double part = 1.3 * (double)(draw >> 40) / (double)(1 << 24);
    rd__snprintf(seconds, sizeof seconds, "%.9f", part * whole > 1e-9 ? part * whole : 1e-9);
    if (by_caller)
        rd_job_set_progress(job, count_down, &left);
    else
        RD_TRY(rd_job_set(job, "timeout", seconds, err));
    const rd_status status = rd_job_run(job, NULL, &why);
    rd_job_set_progress(job, NULL, NULL);
    RD_TRY(rd_job_set(job, "timeout", "0", err));
    if (status != RD_OK && status != (by_caller ? RD_ECANCELLED : RD_ETIMEOUT))
        return rd__fail(err, RD_EWRONG, "%s, stopped: %s: %.800s", where, rd_status_name(status), why.text);
    if (status == RD_OK)
        RD_TRY(rd_job_check(job, err)); /* it ended before */
    count->stops += status != RD_OK;
    count->ends += status == RD_OK;
    return RD_OK;
}

static rd_status run_setting(rd__test *test, const rd__test_setting *setting, const rd_graph *graph, void *user,
                             rd_error *err)
{
    const uint32_t times = test->repeats / 50 + 1;
    tally *count = user;
    char where[300];
    rd_job *job = NULL;
    rd_report report;
    snprintf(where, sizeof where, "%s --sched %s --launch %s on '%s'", setting->app->name, setting->sched,
             setting->launch, setting->input);
    RD_TRY(rd_job_create(test->device, setting->app->name, &job, err));
    rd_status status = rd__test_set_up(job, setting, graph, err);
    if (status == RD_OK)
        status = rd__test_run(job, where, &report, err);
    for (uint32_t i = 0; status == RD_OK && i < times; i++) {
        const uint64_t draw = rd__mix64(test->seed + rd__mix64(i + 1000003ull * count->stops));
        status = run_stopped(job, draw, report.run_s, where, count, err);
        if (status == RD_OK)
            status = rd__test_run(job, where, NULL, err); /* as if nothing had been */
    }
    rd_job_destroy(job);
    return status;
}

/* One app under every scheduler and launch. */
static rd_status every_engine(rd__test *test, rd_error *err)
{
    /* wide levels; thousands of narrow ones; both; a hub */
    static const char *const large[] = {"kron:11", "path:2000", "road:40x40:0.7", "star:9000", NULL};
    static const char *const small[] = {"kron:7", "path:150", "star:700", NULL};
    enum { INPUTS = 5 }; /* of many samples; that each of them is right is not the matter here */
    tally count = {0, 0};
    const int most = rd__test_is_watched(test) ? 1 : INPUTS;
    RD_TRY(rd__test_every_engine(test, rd__test_is_small(test) ? small : large, most, run_setting, &count, err));
    snprintf(test->note, sizeof test->note, "%llu runs stopped, %llu had ended", (unsigned long long)count.stops,
             (unsigned long long)count.ends);
    return RD_OK;
}

/* ---- A kernel that is slow to leave ---- */

enum { LINGER = 1 << 20, WATCHED_LINGER = 1 << 12 }; /* looks; a tool makes each of them hundreds of times as long */

/* Leaves a kernel behind that was asked to leave and has not yet. */
static rd_status leave_behind(rd__rig *rig, uint32_t linger, int *left, rd_error *err)
{
    const double patience = rig->device->grace_seconds;
    const rd__limit now = {.deadline = rd_now()};
    rd_error why = {.status = RD_OK};
    const endless_args args = {.count = &rig->buffer[0], .most = 1u << 26, .linger = linger};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = endless_args_pack(&args, list);
    RD_TRY(rd__rig_launch(rig, "endless", list, used, err));
    rig->device->grace_seconds = 1e-9;
    const rd_status waited = rd__device_wait_left(rig->device, &now, left, &why);
    rig->device->grace_seconds = patience;
    if (waited != RD_ETIMEOUT)
        return rd__fail(err, RD_EWRONG, "a launch that outlived its deadline was reported as %s: %.500s",
                        rd_status_name(waited), why.text);
    return RD_OK;
}

/* Every app of graphs, each right behind such a kernel. */
static rd_status run_behind(rd__test *test, rd__rig *rig, const rd_graph *graph, uint64_t *runs, uint64_t *late,
                            rd_error *err)
{
    uint32_t linger = rd__test_is_watched(test) ? WATCHED_LINGER : LINGER;
    for (const rd_app_info *app = rd_apps(); app->name; app++)
        for (const char *const *sched = app->schedulers; !app->samples && *sched; sched++)
            for (const char *const *launch = rd_scheduler_launches(*sched); *launch; launch++) {
                const rd__test_setting setting = {.app = app, .sched = *sched, .launch = *launch, .input = "kron:9"};
                char where[200];
                int left = 1;
                rd_job *job = NULL;
                if (!rd__test_shows_engine(test, app, *sched) || !rd__test_has_launch(test, *launch))
                    continue;
                snprintf(where, sizeof where, "%s --sched %s --launch %s behind a kernel that is late", app->name,
                         *sched, *launch);
                RD_TRY(rd_job_create(test->device, app->name, &job, err));
                rd_status status = rd__test_set_up(job, &setting, graph, err);
                if (status == RD_OK)
                    status = leave_behind(rig, linger, &left, err);
                for (int i = 0; status == RD_OK && i < 2; i++)
                    status = rd__test_run(job, where, NULL, err);
                rd_job_destroy(job);
                RD_TRY(status);
                ++*runs;
                *late += !left;
                linger *= left && linger < LINGER ? 2 : 1; /* nobody watches */
            }
    return RD_OK;
}

static rd_status late(rd__test *test, rd_error *err)
{
    const rd_graph_options options = {
        .size = sizeof options, .seed = test->seed, .weight_min = 1, .weight_max = 255, .keep_weights = 1};
    rd_graph *graph = NULL;
    uint64_t runs = 0, were_late = 0;
    rd__rig rig;
    RD_TRY(rd__rig_load(&rig, test->device, "selftest_litmus", "selftest/litmus.k.c",
                        rd__device_default_lanes(test->device), 4, err));
    rd_status status = rd__rig_buffer(&rig, 0, 8, 0, err);
    if (status == RD_OK)
        status = rd_graph_open("kron:9", &options, &graph, err);
    if (status == RD_OK)
        status = run_behind(test, &rig, graph, &runs, &were_late, err);
    if (status == RD_OK && were_late == 0)
        status = rd__fail(err, RD_EWRONG, "no kernel was late: this test shows nothing");
    rd_graph_destroy(graph);
    rd__rig_free(&rig);
    snprintf(test->note, sizeof test->note, "%llu jobs, %llu of them behind a kernel that had not left",
             (unsigned long long)runs, (unsigned long long)were_late);
    return status;
}

const rd__test_case rd__stop_cases[] = {
    {"stops/late", late, RD__ONCE},
    {"stops", every_engine, RD__EACH_APP},
    {NULL, NULL, RD__ONCE},
};
