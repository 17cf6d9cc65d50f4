/* SPDX-License-Identifier: Apache-2.0 */
/*
 * discovery.c - the suite `bench discovery`: how many of the groups that fit are found, and how long that takes,
 * for each kind of turns, for small and large groups, with little and much memory of their own; with more and less
 * delay between polling and closing; for groups of every width; with dense numbers and the groups' own. Beside it what
 * the device says fits (where none does, only the groups found are shown), and what trying finds: groups that meet
 * without discovery, stopped by a watchdog when some wait in vain. The note has the mean over all runs.
 */
#include "cli/bench/micro.h"
#include "cli/open_device.h"

#include <string.h>

enum { RUNS = 50 };

/* Of the case at hand: cases run one after another. */
static struct {
    uint64_t runs, groups;
    uint32_t bound;
} so_far;

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    const rd_device_info *info = rd_device_get_info(device);
    memset(&so_far, 0, sizeof so_far);
    if (self->text[2] && strncmp(self->text[2], "lanes=", 6) == 0 && cli_is_host(info)) {
        snprintf(err->text, sizeof err->text, "groups of %s have one width: as 'counter/small'", info->name);
        return err->status = RD_EDEVICE;
    }
    if (strcmp(self->text[1], "large") == 0 && cli_is_host(info)) {
        snprintf(err->text, sizeof err->text, "groups of %s have one width: as '%.*s/small%s'", info->name,
                 (int)strcspn(self->name, "/"), self->name, self->number[1] ? "/local" : "");
        return err->status = RD_EDEVICE;
    }
    return bench_micro_open(self, device, err);
}

static double mean(void)
{
    return so_far.runs ? (double)so_far.groups / (double)so_far.runs : 0;
}

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    rd_status status = bench_micro_run(self, sample, &report, err);
    if (status != RD_OK || self->warming)
        return status;
    so_far.runs++;
    so_far.groups += report.groups;
    so_far.bound = report.bound;
    if (report.bound)
        snprintf(self->note, sizeof self->note, "%.4g of %u groups of %u", mean(), report.bound, report.lanes);
    else
        snprintf(self->note, sizeof self->note, "%.4g groups of %u", mean(), report.lanes);
    return status;
}

static void describe(const bench_case *self, rd_json *json)
{
    bench_micro_describe(self, json);
    rd_json_double(json, "mean_groups", mean());
    if (so_far.bound)
        rd_json_double(json, "recall", mean() / so_far.bound);
    if (self->text[2])
        rd_json_text(json, "settings", self->text[2]);
}

static rd_status add(bench_list *list, const char *micro, const char *name, const char *size, uint64_t local,
                     const char *more, int optional, rd_error *err)
{
    bench_case item = {.unit = "groups",
                       .optional = optional,
                       .open = open_case,
                       .run = run,
                       .describe = describe,
                       .close = bench_micro_close,
                       .text = {micro, size, more},
                       .number = {0, local}};
    snprintf(item.name, sizeof item.name, "%s", name);
    return bench_add(list, &item, err);
}

/* Each kind: sizes, delays, numbers. */
static rd_status of_kind(bench_list *list, const char *micro, rd_error *err)
{
    static const struct {
        const char *name, *size, *more;
        uint64_t local;
        int optional;
    } ways[] = {{"small", "small", NULL, 0, 0},
                {"large", "large", NULL, 0, 1},
                {"small/local", "small", NULL, 1, 0},
                {"large/local", "large", NULL, 1, 1},
                {"delay/0", "small", "delay=0", 0, 0},
                {"delay/10", "small", "delay=10", 0, 0},
                {"delay/100", "small", "delay=100", 0, 0},
                {"delay/1000", "small", "delay=1000", 0, 0},
                {"native", "small", "native=1", 0, 1}};
    rd_status status = RD_OK;
    for (size_t i = 0; i < sizeof ways / sizeof *ways && status == RD_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s/%s", strchr(micro, '/') + 1, ways[i].name);
        status = add(list, micro, name, ways[i].size, ways[i].local, ways[i].more, ways[i].optional, err);
    }
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const char *const widths[] = {"lanes=8",   "lanes=32",  "lanes=64",  "lanes=128",
                                         "lanes=256", "lanes=512", "lanes=1024"};
    rd_status status = RD_OK;
    for (const rd_name_text *micro = rd_micros(); micro->name && status == RD_OK; micro++)
        if (strncmp(micro->name, "discovery/", 10) == 0)
            status = of_kind(list, micro->name, err);
    for (size_t i = 0; i < sizeof widths / sizeof *widths && status == RD_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "counter/%s", widths[i]);
        status = add(list, "discovery/counter", name, "small", 0, widths[i], 1, err);
    }
    if (status == RD_OK)
        status = add(list, "occupancy/search", "search/small", "small", 0, NULL, 0, err);
    return status == RD_OK ? add(list, "occupancy/search", "search/large", "large", 0, NULL, 1, err) : status;
}

const bench_suite bench_suite_discovery = {
    .name = "discovery",
    .summary = "occupancy discovery: groups found of those that fit, and time",
    .trials = RUNS,
    .time_limit = 10,
    .cases = cases,
};
