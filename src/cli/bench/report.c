/* SPDX-License-Identifier: Apache-2.0 */
/* report.c - the table and the JSON records of the bench harness. docs/json.md explains the fields. */
#include "cli/bench/bench.h"

#include "cli/machine.h"
#include "cli/teps.h"

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

/* Milliseconds with four significant digits. @return buf. */
static char *milliseconds(double seconds, char buf[32])
{
    double ms = 1e3 * seconds;
    snprintf(buf, 32, "%.*f", ms < 10 ? 3 : ms < 100 ? 2 : ms < 1000 ? 1 : 0, ms);
    return buf;
}

static void range(double low, double high, char buf[64])
{
    char from[32], to[32];
    snprintf(buf, 64, "%s-%s", milliseconds(low, from), milliseconds(high, to));
}

#define ROW "%-*s %-10s %3s %8s %8s %15s %15s %8s  %s\n"

void bench_print_header(FILE *out, const bench_settings *settings)
{
    const int few = settings->trials < CLI_INTERVAL_TRIALS;
    fprintf(out,
            "\nTimes in ms. kernel: median by the device's clock, with its minimum, quartiles and %s;\n"
            "total: median by the host's clock until the result is back on the host.\n",
            few ? "the least and greatest\n(six trials or more give a 95 % confidence interval)"
                : "the 95 % confidence\ninterval of the median");
    fprintf(out, ROW, settings->name_width, "case", "device", "n", "kernel", "min", "q1-q3", few ? "min-max" : "95 %",
            "total", "rate");
    fflush(out);
}

static void format_rate(const bench_outcome *outcome, double seconds, char buf[96])
{
    char text[32];
    const bench_case *item = outcome->item;
    buf[0] = '\0';
    if (outcome->work == 0 || seconds <= 0)
        return;
    if (item->per_unit)
        snprintf(buf, 96, "%s each of %s", rd_format_seconds(seconds / (double)outcome->work, text, sizeof text),
                 item->unit);
    else
        snprintf(buf, 96, "%s %s/s", rd_format_count((uint64_t)((double)outcome->work / seconds), text, sizeof text),
                 item->unit);
}

void bench_print_row(FILE *out, const bench_settings *settings, const bench_outcome *outcome)
{
    rd_stats main_time, total;
    char count[24], median[32], least[32], quartiles[64], confidence[64], all[32], rate[224];
    if (outcome->left_out) {
        fprintf(out, "%-*s %-10s left out: %s\n", settings->name_width, outcome->item->name, outcome->device->name,
                outcome->err.text);
        fflush(out);
        return;
    }
    if (outcome->count == 0 || !statistics(headline(outcome), outcome->count, &main_time) ||
        !statistics(outcome->total, outcome->count, &total)) {
        fprintf(out, "%-*s %-10s failed: %s\n", settings->name_width, outcome->item->name, outcome->device->name,
                rd_status_text(outcome->status));
        fflush(out);
        return;
    }
    snprintf(count, sizeof count, "%zu", outcome->count);
    range(main_time.q1, main_time.q3, quartiles);
    /* Under the title "95 %" a case that was cut short has none. */
    if (outcome->count < CLI_INTERVAL_TRIALS && settings->trials >= CLI_INTERVAL_TRIALS)
        snprintf(confidence, sizeof confidence, "-");
    else
        range(main_time.ci95_low, main_time.ci95_high, confidence); /* of few: min and max */
    format_rate(outcome, main_time.median, rate);
    size_t used = strlen(rate);
    if (outcome->item->note[0])
        snprintf(rate + used, sizeof rate - used, "%s%s", used ? ", " : "", outcome->item->note);
    used = strlen(rate);
    if (cli_noise(&main_time))
        snprintf(rate + used, sizeof rate - used, "%snoisy: quartiles %u %% of the median apart", used ? ", " : "",
                 cli_noise(&main_time));
    fprintf(out, ROW, settings->name_width, outcome->item->name, outcome->device->name, count,
            milliseconds(main_time.median, median), milliseconds(main_time.min, least), quartiles, confidence,
            milliseconds(total.median, all), rate);
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
