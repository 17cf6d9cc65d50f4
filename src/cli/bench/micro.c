/* SPDX-License-Identifier: Apache-2.0 */
/* micro.c - see micro.h. */
#include "cli/bench/micro.h"
#include "cli/open_device.h"

#include <stdlib.h>
#include <string.h>

typedef struct micro_case {
    rd_micro *micro;
    rd_micro_report report; /* of the last run */
} micro_case;

/* Small: a warp, or one lane. Large: all a GPU allows; CPUs gain nothing from very wide groups. */
static uint32_t choose_lanes(const bench_case *self, const rd_device_info *info)
{
    if (!self->text[1] || cli_is_host(info))
        return 0;
    if (strcmp(self->text[1], "small") == 0)
        return info->is_gpu ? 32 : 1;
    return info->is_gpu || info->max_group < 64 ? info->max_group : 64;
}

/* "burst=8", "delay=10 native=1", "lanes=64": what the case sets besides. */
static void take_more(const char *text, rd_micro_options *options)
{
    char key[16];
    unsigned value;
    int used;
    for (; text && sscanf(text, " %15[^=]=%u%n", key, &value, &used) == 2; text += used) {
        if (strcmp(key, "burst") == 0)
            options->burst = value;
        else if (strcmp(key, "delay") == 0)
            options->delay = value + 1;
        else if (strcmp(key, "native") == 0)
            options->native = (uint8_t)value;
        else if (strcmp(key, "lanes") == 0)
            options->lanes = value;
    }
}

rd_status bench_micro_open(bench_case *self, rd_device *device, rd_error *err)
{
    micro_case *data = calloc(1, sizeof *data);
    self->data = data;
    if (!data) {
        snprintf(err->text, sizeof err->text, "out of host memory: a microbenchmark");
        return err->status = RD_ENOMEM;
    }
    rd_micro_options options = {.size = sizeof options,
                                .lanes = choose_lanes(self, rd_device_get_info(device)),
                                .per_unit = (uint32_t)self->number[0],
                                .share = (uint32_t)self->number[2],
                                .large_local = self->number[1] != 0,
                                .token_bits = (uint8_t)self->number[3]};
    take_more(self->text[2], &options);
    return rd_micro_open(device, self->text[0], &options, &data->micro, err);
}

rd_status bench_micro_run(bench_case *self, bench_sample *sample, rd_micro_report *report, rd_error *err)
{
    micro_case *data = self->data;
    memset(report, 0, sizeof *report);
    rd_status status = rd_micro_run(data->micro, report, err);
    if (status != RD_OK)
        return status;
    data->report = *report;
    sample->kernel_s = report->kernel_s;
    sample->total_s = report->total_s;
    sample->work = report->count;
    return RD_OK;
}

void bench_micro_describe(const bench_case *self, rd_json *json)
{
    const micro_case *data = self->data;
    rd_json_u64(json, "groups", data->report.groups);
    rd_json_u64(json, "lanes", data->report.lanes);
    if (data->report.bound)
        rd_json_u64(json, "resident_groups", data->report.bound);
    if (data->report.token_bits)
        rd_json_u64(json, "token_bits", data->report.token_bits);
    if (data->report.reservations) {
        rd_json_u64(json, "reservations", data->report.reservations);
        if (strcmp(self->text[0], "queue/retry-free") != 0) /* whose additions cannot fail */
            rd_json_u64(json, "retries", data->report.retries);
        rd_json_u64(json, "empty_polls", data->report.empty_polls);
        rd_json_double(json, "atomics_per_token",
                       (double)(data->report.reservations + data->report.retries) / (double)data->report.count);
    }
    if (data->report.work_s > 0 && data->report.work_s < data->report.kernel_s)
        rd_json_double(json, "end_to_start_us",
                       1e6 * (data->report.kernel_s - data->report.work_s) / (double)data->report.count);
    if (data->report.share > 0)
        rd_json_double(json, "largest_share", data->report.share);
    if (data->report.share > 0 && data->report.success >= 0)
        rd_json_double(json, "theft_success", data->report.success);
}

void bench_micro_close(bench_case *self)
{
    micro_case *data = self->data;
    if (data)
        rd_micro_close(data->micro);
    free(data);
    self->data = NULL;
}
