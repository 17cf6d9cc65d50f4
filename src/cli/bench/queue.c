/* SPDX-License-Identifier: Apache-2.0 */
/*
 * queue.c - the suite `bench queue`: tokens a second through the shared queue, given and taken, in each of its
 * forms, with one worker, with parts of those that are resident at once, and with all. Each token is proved to have
 * come out once. The note counts looks in vain and, of the forms that can fail, what failed to reserve and was tried
 * again.
 */
#include "cli/bench/micro.h"

#include <string.h>

enum { ID_TOKEN = 1 };

static uint64_t token_bits = 32;
static const cli_option options[] = {
    {"token", 0, "BITS", "bits of a token: 32 or 64 [32]", ID_TOKEN},
    {NULL, 0, NULL, NULL, 0},
};

static int take(int id, const char *value)
{
    if (id == ID_TOKEN && strcmp(value, "32") != 0 && strcmp(value, "64") != 0)
        return cli_usage("bench", "--token wants 32 or 64, not '%s'", value);
    token_bits = strcmp(value, "64") == 0 ? 64 : 32;
    return 0;
}

static const char *const forms[] = {"queue/retry-free", "queue/an", "queue/cas"};

static rd_status run(bench_case *self, bench_sample *sample, rd_error *err)
{
    rd_micro_report report;
    rd_status status = bench_micro_run(self, sample, &report, err);
    self->workers = report.groups;
    const double tokens = report.count ? (double)report.count : 1;
    const double polls = (double)report.empty_polls / tokens;
    if (strcmp(self->text[0], forms[0]) == 0) /* additions cannot fail */
        snprintf(self->note, sizeof self->note, "%u x %u, %.3g empty polls a token", report.groups, report.lanes,
                 polls);
    else
        snprintf(self->note, sizeof self->note, "%u x %u, %.3g retries, %.3g empty polls a token", report.groups,
                 report.lanes, (double)report.retries / tokens, polls);
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const struct {
        const char *name;
        uint64_t share;
    } shares[] = {{"one", UINT32_MAX}, {"a 64th", 64}, {"a 16th", 16}, {"a quarter", 4}, {"half", 2}, {"all", 1}};
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (size_t s = 0; s < sizeof shares / sizeof *shares; s++) {
            bench_case item = {.unit = "tokens",
                               .open = bench_micro_open,
                               .run = run,
                               .describe = bench_micro_describe,
                               .close = bench_micro_close};
            snprintf(item.name, sizeof item.name, "%s/%s%s", forms[f] + 6, token_bits == 64 ? "64-bit/" : "",
                     shares[s].name);
            item.text[0] = forms[f];
            item.number[2] = shares[s].share;
            item.number[3] = token_bits;
            rd_status status = bench_add(list, &item, err);
            if (status != RD_OK)
                return status;
        }
    return RD_OK;
}

const bench_suite bench_suite_queue = {
    .name = "queue",
    .summary = "the shared queue: tokens a second, for each form, from one worker to all",
    .options = options,
    .take = take,
    .cases = cases,
};
