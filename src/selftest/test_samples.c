/* SPDX-License-Identifier: Apache-2.0 */
/* test_samples.c - every app that takes no graph, under every scheduler and launch, on its samples, against its
 * checker. */
#include "selftest/selftest.h"

#include <stdio.h>

/* What is varied besides the sample. */
struct setting {
    const rd_app_info *app;
    const char *sched, *launch;
    const char *worker, *groups; /* NULL: the default */
    unsigned again;              /* runs besides the first */
};

static rd_status set_up(rd_job *job, const struct setting *setting, const char *sample, rd_error *err)
{
    RD_TRY(rd_job_set(job, "sched", setting->sched, err));
    RD_TRY(rd_job_set(job, "launch", setting->launch, err));
    if (setting->worker)
        RD_TRY(rd_job_set(job, "worker", setting->worker, err));
    if (setting->groups)
        RD_TRY(rd_job_set(job, "groups", setting->groups, err));
    return rd__test_set_sample(job, sample, err);
}

static rd_status run_sample(rd__test *test, const struct setting *setting, const char *sample, uint64_t *runs,
                            rd_error *err)
{
    char where[300];
    rd_job *job = NULL;
    snprintf(where, sizeof where, "%s --sched %s --launch %s --worker %s --groups %s on '%s'", setting->app->name,
             setting->sched, setting->launch, setting->worker ? setting->worker : "0",
             setting->groups ? setting->groups : "0", sample);
    RD_TRY(rd_job_create(test->device, setting->app->name, &job, err));
    rd_status status = set_up(job, setting, sample, err);
    for (unsigned i = 0; status == RD_OK && i <= setting->again; i++, (*runs)++)
        status = rd__test_run(job, where, NULL, err);
    rd_job_destroy(job);
    return status;
}

/* Under a tool every scheduler and launch has one sample, the next one its next: all have their turn. */
static int has_turn(const rd__test *test, uint32_t setting, uint32_t sample, const char *const *samples)
{
    uint32_t count = 0;
    while (samples[count])
        count++;
    return !rd__test_is_watched(test) || setting % count == sample;
}

/* One app: every sample under every scheduler and launch, then the first one at other widths, then again and again. */
static rd_status run_samples(rd__test *test, uint64_t *runs, rd_error *err)
{
    const rd_app_info *app = test->app;
    uint32_t settings = 0;
    size_t widths;
    const uint32_t *width = rd__test_widths(test->device, &widths);
    /* On slow devices one app shows that other widths and a second scheduler run tasks too. */
    const int all = !rd__test_is_slow(test) || rd__test_is_first(test);
    for (const char *const *sched = app->schedulers; *sched && (all || sched == app->schedulers); sched++)
        for (const char *const *launch = rd_scheduler_launches(*sched); *launch; launch++) {
            struct setting setting = {.app = app, .sched = *sched, .launch = *launch};
            if (!rd__test_has_launch(test, *launch))
                continue;
            for (uint32_t i = 0; app->samples[i]; i++)
                if (has_turn(test, settings, i, app->samples))
                    RD_TRY(run_sample(test, &setting, app->samples[i], runs, err));
            settings++;
            setting.again = test->repeats / 10;
            setting.groups = "3";
            RD_TRY(run_sample(test, &setting, app->samples[0], runs, err));
            setting.again = 1;
            for (size_t w = 0; w < widths && !test->device->caps.fixed_width; w++) {
                char lanes[16];
                snprintf(lanes, sizeof lanes, "%u", width[w]);
                setting.worker = lanes;
                const int few = rd__test_is_slow(test) || rd__test_is_watched(test);
                if (!few || (all && width[w] == (rd__test_is_watched(test) ? 33 : 7)))
                    RD_TRY(run_sample(test, &setting, app->samples[0], runs, err));
            }
        }
    return RD_OK;
}

static rd_status samples(rd__test *test, rd_error *err)
{
    uint64_t runs = 0;
    RD_TRY(run_samples(test, &runs, err));
    snprintf(test->note, sizeof test->note, "%llu checked runs", (unsigned long long)runs);
    return RD_OK;
}

const rd__test_case rd__sample_cases[] = {
    {"apps/samples", samples, RD__EACH_SAMPLE_APP},
    {NULL, NULL, RD__ONCE},
};
