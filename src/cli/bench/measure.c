/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measure.c - one case on one device. Warm-up runs pay for compiling, uploading and cold caches; then each timed
 * run is checked before the next, so that no time of a wrong result is ever shown. Where checking takes longer than
 * what is measured, --verify last has only the last run of a case checked.
 */
#include "cli/bench/bench.h"

#include <stdlib.h>
#include <string.h>

static rd_status fail(bench_outcome *outcome, rd_status status, const char *text)
{
    snprintf(outcome->err.text, sizeof outcome->err.text, "%s", text);
    return outcome->err.status = status;
}

static rd_status run_once(bench_settings *settings, bench_case *item, bench_sample *sample, int check, rd_error *err)
{
    memset(sample, 0, sizeof *sample);
    rd_status status = item->run(item, sample, err);
    if (status == RD_OK && check && item->check)
        status = item->check(item, err);
    settings->steps_done++;
    rd_progress_line_fn(&settings->line, settings->suite->name, settings->steps_done, settings->steps_all, "runs");
    return status;
}

/* Cases that were measured, of suites that vary the workers. On a small machine "half" and "a quarter" are one worker
 * each, and a case under two names would look like two. */
static struct seen {
    const char *name, *device;
    uint32_t workers;
} seen[512];
static size_t seen_count;

/* @return 1 when an earlier case was the same, and then err says which; else notes this one. */
static int repeats(const bench_case *item, const rd_device_info *info, rd_error *err)
{
    const char *slash = strrchr(item->name, '/');
    const size_t family = slash ? (size_t)(slash - item->name) + 1 : 0;
    if (!item->workers)
        return 0;
    for (size_t i = 0; i < seen_count; i++)
        if (seen[i].workers == item->workers && seen[i].device == info->name && seen[i].name != item->name &&
            strncmp(seen[i].name, item->name, family) == 0 && !strchr(seen[i].name + family, '/')) {
            snprintf(err->text, sizeof err->text, "%u worker%s here, as '%s'", item->workers,
                     item->workers == 1 ? "" : "s", seen[i].name);
            return 1;
        }
    if (seen_count < sizeof seen / sizeof *seen)
        seen[seen_count++] = (struct seen){item->name, info->name, item->workers};
    return 0;
}

static rd_status measure(bench_settings *settings, bench_case *item, rd_device *device, bench_outcome *outcome)
{
    bench_sample sample;
    rd_status status = RD_OK;
    double started = rd_now();
    outcome->kernel = calloc((size_t)settings->trials, sizeof(double));
    outcome->total = calloc((size_t)settings->trials, sizeof(double));
    if (!outcome->kernel || !outcome->total)
        return fail(outcome, RD_ENOMEM, "out of host memory: times of the trials");
    if (item->open)
        status = item->open(item, device, &outcome->err);
    if (item->optional && status == RD_EDEVICE) {
        outcome->left_out = 1;
        return RD_OK;
    }
    item->warming = 1;
    for (uint64_t i = 0; i < settings->warmup && status == RD_OK && !outcome->left_out; i++) {
        status = cli_stop ? fail(outcome, RD_ECANCELLED, "interrupted")
                          : run_once(settings, item, &sample, !settings->verify_last, &outcome->err);
        outcome->left_out = i == 0 && status == RD_OK && repeats(item, outcome->device, &outcome->err);
    }
    item->warming = 0;
    if (outcome->left_out)
        return RD_OK;
    while (outcome->count < settings->trials && status == RD_OK && !outcome->left_out) {
        if (cli_stop)
            return fail(outcome, RD_ECANCELLED, "interrupted");
        /* At least one timed run: a limit makes a figure less certain, it does not make it vanish. */
        if (settings->time_limit > 0 && outcome->count > 0 && rd_now() - started > settings->time_limit)
            break;
        status = run_once(settings, item, &sample, !settings->verify_last, &outcome->err);
        if (outcome->count + settings->warmup == 0 && status == RD_OK)
            outcome->left_out = repeats(item, outcome->device, &outcome->err);
        if (status == RD_OK) {
            outcome->kernel[outcome->count] = sample.kernel_s;
            outcome->total[outcome->count++] = sample.total_s;
            outcome->work = sample.work;
        }
    }
    if (settings->verify_last && status == RD_OK && item->check)
        status = item->check(item, &outcome->err);
    if (item->optional && (status == RD_ETIMEOUT || status == RD_EARG)) {
        outcome->left_out = 1;
        return RD_OK;
    }
    return status;
}

void bench_measure(bench_settings *settings, bench_case *item, rd_device *device, bench_outcome *outcome)
{
    double started = rd_now();
    uint64_t steps = settings->steps_done + settings->warmup + settings->trials;
    memset(outcome, 0, sizeof *outcome);
    outcome->item = item;
    outcome->device = rd_device_get_info(device);
    outcome->status = measure(settings, item, device, outcome);
    outcome->seconds = rd_now() - started;
    settings->steps_done = steps; /* runs that were left out count as done, for the time left */
}

void bench_outcome_free(bench_outcome *outcome)
{
    free(outcome->kernel);
    free(outcome->total);
    outcome->kernel = outcome->total = NULL;
}
