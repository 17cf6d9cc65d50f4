/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_commands.c - what a run asks of a driver besides its launches does not grow with the graph: how many commands,
 * and how many bytes that are copied. The caller waits for each of them. Counted, not timed; where the host's memory is
 * the device's own there are no commands, and the bytes alone are looked at.
 */
#include "selftest/selftest.h"

#include "device/chores.h"
#include "job/job.h"

#include <stdio.h>
#include <string.h>

/* Besides a launch: what the run begins with, before the clock's begin and behind it, the seeds, which some engines put
 * in by a launch of their own, what the app launches itself, the clock's begin and end, control words and a note that
 * are read. Where the device looks for the seeds, what is before that, the launch, the clock's end and the count of
 * them. A launch that leaves because the host has to help (a heap that is full) costs what that takes; of those in
 * batches each batch, the clock's end and control words. */
enum { A_STAGE = 9, A_LOOK = 4, A_HELP = 12, BYTES = 24 << 10 };

static double stages_of(const rd_report *report)
{
    for (uint32_t i = 0; i < report->measures; i++)
        if (strcmp(report->measure[i].name, "stages") == 0)
            return report->measure[i].value;
    return 1;
}

static int looks(rd_job *job)
{
    rd__arg args[RD__APP_MAX_ARGS];
    const rd__root *root = rd__root_find(rd__job_view(job, args).program);
    return root && (root->traits & RD__TRAIT_SEEDS);
}

/* After runs that made what later ones keep. The least of a few runs counts: on a device that others use too a launch
 * may take so long that the host looks after it. */
static rd_status count(rd__test *test, rd_job *job, const char *where, rd_error *err)
{
    const rd_device *device = test->device;
    rd_report report = {0};
    uint64_t commands = 0, bytes = 0;
    double stages = 1, most = 0, most_bytes = 0;
    for (int i = 0; i < 3; i++)
        RD_TRY(rd_job_run(job, &report, err));
    for (int i = 0; i < 3; i++) {
        const uint64_t before = device->commands, copied = device->copied;
        RD_TRY(rd_job_run(job, &report, err));
        commands = device->commands - before;
        bytes = device->copied - copied;
        stages = stages_of(&report);
        const double launches = (double)report.launches, later = launches > stages ? launches - stages : 0;
        const double more = strcmp(report.launch, "discrete") == 0 ? later : A_HELP * later;
        most = launches + (A_STAGE + (looks(job) ? A_LOOK : 0)) * stages + more;
        most_bytes = BYTES * (stages + later);
        if ((double)commands <= most && (double)bytes <= most_bytes)
            return RD_OK;
    }
    return rd__fail(err, RD_EWRONG,
                    "%s: a repeated run of %llu launches and %g stages gave %llu commands (at most %g) and copied %llu "
                    "bytes (at most %g)",
                    where, (unsigned long long)report.launches, stages, (unsigned long long)commands, most,
                    (unsigned long long)bytes, most_bytes);
}

static rd_status run_job(rd__test *test, const rd__test_setting *setting, const rd_graph *graph, uint64_t *runs,
                         rd_error *err)
{
    char where[160];
    rd_job *job = NULL;
    const int named = setting->sched != NULL;
    snprintf(where, sizeof where, "%s --sched %s --launch %s on %s", setting->app->name,
             named ? setting->sched : "auto", named ? setting->launch : "auto", setting->input);
    RD_TRY(rd_job_create(test->device, setting->app->name, &job, err));
    rd_status status = named ? rd__test_set_up(job, setting, graph, err) : rd_job_set_graph(job, graph, err);
    if (status == RD_OK)
        status = count(test, job, where, err);
    *runs += 1;
    rd_job_destroy(job);
    return status;
}

static rd_status run_setting(rd__test *test, const rd__test_setting *setting, const rd_graph *graph, void *user,
                             rd_error *err)
{
    return run_job(test, setting, graph, user, err);
}

/* The app as it runs by itself: where programs compile slowly not all of its engines are tried. */
static rd_status run_by_rule(rd__test *test, const char *input, uint64_t *runs, rd_error *err)
{
    const rd_graph_options options = {.size = sizeof options, .seed = test->seed, .weight_min = 1, .weight_max = 255};
    const rd__test_setting setting = {.app = test->app, .input = input};
    rd_graph *graph = NULL;
    RD_TRY(rd_graph_open(input, &options, &graph, err));
    const rd_status status = run_job(test, &setting, graph, runs, err);
    rd_graph_destroy(graph);
    return status;
}

static rd_status commands(rd__test *test, rd_error *err)
{
    static const char *const graphs[] = {"kron:8", "star:8000", NULL}; /* the second has more vertices than BYTES */
    uint64_t runs = 0;
    /* Lanes that are threads have no commands, and take long; the host's side is that of one lane. Nor has a tool that
     * watches kernels anything to see. */
    if (rd__test_has_threads(test) || rd__test_is_watched(test))
        return RD_OK;
    RD_TRY(rd__chores_force(test->device, err));
    for (int i = 0; graphs[i]; i++)
        RD_TRY(run_by_rule(test, graphs[i], &runs, err));
    RD_TRY(rd__test_every_engine(test, graphs, 2, run_setting, &runs, err));
    snprintf(test->note, sizeof test->note, "%llu configurations", (unsigned long long)runs);
    return RD_OK;
}

const rd__test_case rd__command_cases[] = {
    {"apps/commands", commands, RD__EACH_GRAPH_APP},
    {NULL, NULL, RD__ONCE},
};
