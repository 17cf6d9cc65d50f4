/* SPDX-License-Identifier: Apache-2.0 */
/* test_tiles.c - scheduler `tiles`: every scheme with planes that do not come out even, in tiles smaller and larger
 * than a group, by one group and by several; and tasks that another group steals. Pictures of `ray` against its
 * checker. */
#include "selftest/selftest.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

struct setting {
    const char *key, *value;
};

static rd_status set_all(rd_job *job, const struct setting *settings, rd_error *err)
{
    for (const struct setting *s = settings; s->key; s++)
        RD_TRY(rd_job_set(job, s->key, s->value, err));
    return RD_OK;
}

static double measured(const rd_report *report, const char *name)
{
    for (uint32_t i = 0; i < report->measures; i++)
        if (strcmp(report->measure[i].name, name) == 0)
            return report->measure[i].value;
    return 0;
}

/* A picture of a scene. *job is to be destroyed, also on failure. */
static rd_status make_job(rd__test *test, const struct setting *settings, const char *scene, rd_job **job,
                          rd_error *err)
{
    RD_TRY(rd_job_create(test->device, "ray", job, err));
    RD_TRY(set_all(*job, settings, err));
    return rd_job_set_input(*job, scene, err);
}

static rd_status schemes_of(rd__test *test, rd_job *job, uint32_t *runs, rd_error *err)
{
    static const char *const schemes[] = {"static", "central", "steal", "hardware"};
    static const char *const tiles[] = {"2", "8", "32"}, *const launches[] = {"persistent", "discrete"};
    static const char *const groups[] = {"1", "3", "0"}; /* 0: all that are resident */
    const int step = rd__test_has_threads(test) ? 2 : 1;
    for (int i = 0; i < 4 * 3 * 3; i += step) {
        char where[96];
        rd_report report;
        const struct setting settings[] = {{"schedule", schemes[i % 4]}, {"tile", tiles[i / 4 % 3]},
                                           {"groups", groups[i / 12]},   {"launch", launches[i / 3 % 2]},
                                           {"share", i % 5 ? "1" : "0"}, {NULL, NULL}};
        snprintf(where, sizeof where, "schedule %s, tiles of %s, groups %s, launch %s", schemes[i % 4],
                 tiles[i / 4 % 3], groups[i / 12], launches[i / 3 % 2]);
        RD_TRY(set_all(job, settings, err));
        RD_TRY(rd__test_run(job, where, &report, err));
        if (!(measured(&report, "lane_use") > 0 && measured(&report, "lane_use") <= 1))
            return rd__fail(err, RD_EWRONG, "%s: lane_use is %g", where, measured(&report, "lane_use"));
        ++*runs;
    }
    return RD_OK;
}

static rd_status every_scheme(rd__test *test, rd_error *err)
{
    static const struct setting small[] = {{"size", "37x21"}, {"depth", "6"}, {NULL, NULL}};
    rd_job *job = NULL;
    uint32_t runs = 0;
    rd_status status = make_job(test, small, "box:4", &job, err);
    if (status == RD_OK)
        status = schemes_of(test, job, &runs, err);
    rd_job_destroy(job);
    snprintf(test->note, sizeof test->note, "%u checked runs", runs);
    return status;
}

/* A ball of glass in the upper half of the picture has all secondary rays. Whoever has the lower half is done soon and
 * steals; how soon the owner sees it is a matter of time, hence many runs. */
static rd_status steal_tasks(rd__test *test, rd_job *job, uint32_t *runs, double *stolen, rd_error *err)
{
    enum { RUNS_MOST = 2000, UNEVENTFUL = 10 };
    const uint32_t least = rd__test_is_watched(test) ? 2 : 20;
    /* Elsewhere groups may run one after the other. */
    int together = test->device->info.is_gpu || test->device->caps.shares_host;
    for (; *runs < least || (*runs < RUNS_MOST && together && *stolen == 0); ++*runs) {
        rd_report report;
        RD_TRY(rd_job_run(job, &report, err));
        const double tasks = measured(&report, "tasks_stolen");
        if (tasks > 0 || *runs % UNEVENTFUL == 0)
            RD_TRY(rd_job_check(job, err));
        *stolen += tasks;
        together &= report.groups > 1;
    }
    if (*stolen == 0 && together)
        return rd__fail(err, RD_EWRONG, "groups stole no task from each other in %u runs", *runs);
    return RD_OK;
}

static rd_status stolen_tasks(rd__test *test, rd_error *err)
{
    const int gpu = test->device->info.is_gpu; /* has wider groups */
    const struct setting settings[] = {{"size", gpu ? "16x16" : "8x8"},
                                       {"tile", gpu ? "16" : "8"},
                                       {"camera", "-3.4,3.3,0.7"},
                                       {"look", "-3.4,3.3,0"},
                                       {"depth", "15"},
                                       {"cutoff", "0"},
                                       {"schedule", "steal"},
                                       {"launch", "persistent"},
                                       {NULL, NULL}};
    rd_job *job = NULL;
    uint32_t runs = 0;
    double stolen = 0;
    rd_status status = make_job(test, settings, "corner:0", &job, err);
    if (status == RD_OK)
        status = steal_tasks(test, job, &runs, &stolen, err);
    rd_job_destroy(job);
    rd__snprintf(test->note, sizeof test->note, "%u runs, %.0f tasks stolen", runs, stolen);
    return status;
}

/* Wide groups take two units at once while items give no tasks. With glass all over the picture they find that they
 * have more than they can run, and one unit goes back. */
static rd_status return_units(rd__test *test, rd_job *job, double *returned, rd_error *err)
{
    enum { RUNS = 2 };
    for (uint32_t i = 0; i < RUNS; i++) {
        rd_report report;
        RD_TRY(rd__test_run(job, "two groups", &report, err));
        if (report.lanes > 1 && measured(&report, "units_returned") == 0)
            return rd__fail(err, RD_EWRONG, "no unit went back to its range (%u groups of %u lanes)", report.groups,
                            report.lanes);
        *returned += measured(&report, "units_returned");
    }
    rd__snprintf(test->note, sizeof test->note, "%u runs, %.0f units went back", RUNS, *returned);
    return RD_OK;
}

static rd_status returned_units(rd__test *test, rd_error *err)
{
    const int wide = test->device->info.max_group > 1; /* one lane has nothing to give back */
    const struct setting settings[] = {{"size", wide ? "64x64" : "16x16"},
                                       {"tile", "8"},
                                       {"groups", "2"},
                                       {"camera", "-3.4,3.2,0.6"},
                                       {"look", "-3.4,3.2,0"},
                                       {"fov", "20"},
                                       {"depth", "4"},
                                       {"schedule", "steal"},
                                       {"launch", "persistent"},
                                       {NULL, NULL}};
    rd_job *job = NULL;
    double returned = 0;
    rd_status status = make_job(test, settings, "corner:0", &job, err);
    if (status == RD_OK)
        status = return_units(test, job, &returned, err);
    rd_job_destroy(job);
    return status;
}

const rd__test_case rd__tiles_cases[] = {{"tiles/every-scheme", every_scheme, RD__ONCE},
                                         {"tiles/stolen-tasks", stolen_tasks, RD__ONCE},
                                         {"tiles/returned-units", returned_units, RD__ONCE},
                                         {NULL, NULL, RD__ONCE}};
