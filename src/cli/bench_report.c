/* SPDX-License-Identifier: Apache-2.0 */
/* bench_report.c - the table and the JSON records of the bench harness. docs/json.md explains the fields. */
#include "cli/bench.h"

#include "cli/machine.h"

#include <stdlib.h>
#include <string.h>

enum { SCHEMA = 1 };

/* Statistics of times in the order they were measured, which stays. @return 0 when memory is out. */
static int statistics(const double *value, size_t count, rd_stats *stats)
{
    double *sorted = malloc((count ? count : 1) * sizeof *sorted);
    if (!sorted)
        return 0;
    memcpy(sorted, value, count * sizeof *sorted);
    rd_stats_of(sorted, count, stats);
    free(sorted);
    return 1;
}

/* The device's own time where there is one. */
static const double *headline(const bench_outcome *outcome)
{
    return outcome->count && outcome->kernel[0] > 0 ? outcome->kernel : outcome->total;
}

void bench_print_machine(FILE *out, rd_device *const *device, size_t count)
{
    cli_machine machine;
    cli_build build;
    char memory[32], now[32];
    cli_describe_machine(&machine);
    cli_describe_build(&build);
    fprintf(out, "host:      %s, %u cores, %s, %s\n", machine.cpu, machine.cores,
            rd_format_bytes(machine.memory, memory, sizeof memory), machine.kernel);
    fprintf(out, "build:     raddle %s, commit %s, %s\n", rd_version(), build.commit, build.compiler);
    fprintf(out, "time:      %s\n", cli_time_text(now, sizeof now));
    for (size_t i = 0; i < count; i++) {
        const rd_device_info *info = rd_device_get_info(device[i]);
        fprintf(out, "device:    %s, %s, %s\n", info->name, info->model, info->driver);
    }
}

#define ROW "%-28s %-10s %3s %10s %10s %21s %21s %10s  %s\n"

void bench_print_header(FILE *out)
{
    fprintf(out, "\nTimes in ms. kernel: by the device's clock; total: by the host's, with the result copied back.\n");
    fprintf(out, ROW, "case", "device", "n", "kernel", "min", "q1 - q3", "95 % confidence", "total", "rate");
    fflush(out);
}

void bench_print_row(FILE *out, const bench_outcome *outcome)
{
    rd_stats main_time, total;
    char count[24], median[32], least[32], quartiles[64], confidence[64], all[32], rate[64], text[32];
    if (outcome->count == 0 || !statistics(headline(outcome), outcome->count, &main_time) ||
        !statistics(outcome->total, outcome->count, &total)) {
        fprintf(out, "%-28s %-10s   failed: %s\n", outcome->item->name, outcome->device->name,
                rd_status_text(outcome->status));
        fflush(out);
        return;
    }
    snprintf(count, sizeof count, "%zu", outcome->count);
    snprintf(median, sizeof median, "%.4f", 1e3 * main_time.median);
    snprintf(least, sizeof least, "%.4f", 1e3 * main_time.min);
    snprintf(quartiles, sizeof quartiles, "%.4f - %.4f", 1e3 * main_time.q1, 1e3 * main_time.q3);
    snprintf(confidence, sizeof confidence, "%.4f - %.4f", 1e3 * main_time.ci95_low, 1e3 * main_time.ci95_high);
    snprintf(all, sizeof all, "%.4f", 1e3 * total.median);
    rate[0] = '\0';
    if (outcome->work && main_time.median > 0 && outcome->item->per_unit)
        snprintf(rate, sizeof rate, "%s each (%s)",
                 rd_format_seconds(main_time.median / (double)outcome->work, text, sizeof text), outcome->item->unit);
    else if (outcome->work && main_time.median > 0)
        snprintf(rate, sizeof rate, "%s %s/s",
                 rd_format_count((uint64_t)((double)outcome->work / main_time.median), text, sizeof text),
                 outcome->item->unit);
    fprintf(out, ROW, outcome->item->name, outcome->device->name, count, median, least, quartiles, confidence, all,
            rate);
    fflush(out);
}

static void put_times(rd_json *json, const char *array, const char *suffix, const double *value, size_t count)
{
    rd_stats stats;
    rd_json_array(json, array);
    for (size_t i = 0; i < count; i++)
        rd_json_double(json, NULL, 1e3 * value[i]);
    rd_json_close_array(json);
    if (count && statistics(value, count, &stats))
        cli_json_statistics(json, suffix, &stats, 1e3);
}

int bench_json_record(FILE *out, const bench_settings *settings, const bench_outcome *outcome)
{
    rd_stats stats;
    rd_json json;
    rd_json_begin(&json, out);
    rd_json_u64(&json, "schema", SCHEMA);
    rd_json_text(&json, "record", "bench");
    rd_json_text(&json, "suite", settings->suite->name);
    rd_json_text(&json, "case", outcome->item->name);
    rd_json_text(&json, "device", outcome->device->name);
    rd_json_text(&json, "model", outcome->device->model);
    rd_json_text(&json, "driver", outcome->device->driver);
    rd_json_u64(&json, "warmup", settings->warmup);
    rd_json_u64(&json, "trials", outcome->count);
    rd_json_bool(&json, "verified", outcome->status == RD_OK);
    rd_json_text(&json, "status", rd_status_name(outcome->status));
    if (outcome->status != RD_OK)
        rd_json_text(&json, "error", outcome->err.text);
    put_times(&json, "kernel_times", "kernel_time", outcome->kernel, outcome->count);
    put_times(&json, "total_times", "total_time", outcome->total, outcome->count);
    rd_json_text(&json, "unit", outcome->item->unit);
    rd_json_u64(&json, "work", outcome->work);
    if (outcome->count && statistics(headline(outcome), outcome->count, &stats) && stats.median > 0)
        rd_json_double(&json, "work_per_s", (double)outcome->work / stats.median);
    rd_json_double(&json, "case_s", outcome->seconds);
    if (outcome->count && outcome->item->describe)
        outcome->item->describe(outcome->item, &json);
    cli_json_device(&json, "gpuinfo", outcome->device);
    cli_json_origin(&json);
    return rd_json_end(&json);
}
