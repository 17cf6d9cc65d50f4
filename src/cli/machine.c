/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c - see machine.h. */
#define _DEFAULT_SOURCE /* _SC_PHYS_PAGES */
#include "cli/machine.h"

#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Copies what lies between the end of `before` and the start of `after` ("" = the end of text). */
static void cut(const char *text, const char *before, const char *after, char *out, size_t n)
{
    const char *from = strstr(text, before);
    from = from ? from + strlen(before) : text;
    const char *to = *after ? strstr(from, after) : NULL;
    int length = (int)(to ? to - from : (ptrdiff_t)strlen(from));
    snprintf(out, n, "%.*s", length, from);
}

void cli_describe_build(cli_build *build)
{
    const char *info = rd_build_info();
    cut(info, "commit ", ", ", build->commit, sizeof build->commit);
    cut(info, ", ", ", with: ", build->compiler, sizeof build->compiler);
    cut(info, ", with: ", "", build->features, sizeof build->features);
}

void cli_describe_machine(cli_machine *machine)
{
    struct utsname system;
    rd_device *cpu = NULL;
    memset(machine, 0, sizeof *machine);
    /* The CPU back end already knows how to name a CPU on every architecture. */
    if (rd_device_open("cpu", NULL, &cpu, NULL) == RD_OK)
        snprintf(machine->cpu, sizeof machine->cpu, "%s", rd_device_get_info(cpu)->model);
    rd_device_close(cpu);
    if (uname(&system) == 0)
        snprintf(machine->kernel, sizeof machine->kernel, "%.64s %.128s %.32s", system.sysname, system.release,
                 system.machine);
    long cores = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    machine->cores = cores > 0 ? (unsigned)cores : 0;
    machine->memory = pages > 0 && page > 0 ? (uint64_t)pages * (uint64_t)page : 0;
}

char *cli_time_text(char *buf, size_t n)
{
    time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || strftime(buf, n, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0)
        snprintf(buf, n, "unknown");
    return buf;
}

void cli_json_origin(rd_json *json)
{
    /* Asked for once a process: a record is written for each trial. */
    static cli_machine machine;
    static cli_build build;
    static int known;
    char now[32];
    if (!known) {
        cli_describe_machine(&machine);
        cli_describe_build(&build);
        known = 1;
    }
    rd_json_text(json, "version", rd_version());
    rd_json_text(json, "git_commit_sha", build.commit);
    rd_json_text(json, "compiler", build.compiler);
    rd_json_object(json, "sysinfo");
    rd_json_text(json, "cpu", machine.cpu);
    rd_json_u64(json, "cores", machine.cores);
    rd_json_u64(json, "memory", machine.memory);
    rd_json_text(json, "kernel", machine.kernel);
    rd_json_close_object(json);
    rd_json_text(json, "command_line", cli_command_line);
    rd_json_text(json, "time", cli_time_text(now, sizeof now));
}

void cli_json_device(rd_json *json, const char *key, const rd_device_info *info)
{
    rd_json_object(json, key);
    rd_json_text(json, "name", info->name);
    rd_json_text(json, "backend", info->backend);
    rd_json_bool(json, "usable", info->usable);
    if (info->usable) {
        rd_json_text(json, "model", info->model);
        rd_json_text(json, "driver", info->driver);
        rd_json_bool(json, "gpu", info->is_gpu);
        rd_json_u64(json, "memory", info->memory);
        rd_json_u64(json, "memory_free", info->memory_free);
        rd_json_u64(json, "memory_max_alloc", info->memory_max_alloc);
        rd_json_u64(json, "compute_units", info->compute_units);
        rd_json_u64(json, "resident_lanes", info->resident_lanes);
        rd_json_u64(json, "max_group", info->max_group);
        rd_json_u64(json, "warp", info->warp);
        rd_json_u64(json, "local_bytes", info->local_bytes);
    } else {
        rd_json_text(json, "reason", info->reason);
    }
    rd_json_close_object(json);
}

void cli_json_statistics(rd_json *json, const char *suffix, const rd_stats *stats, double scale)
{
    const struct {
        const char *name;
        double value;
    } field[] = {
        {"avg", stats->mean},      {"min", stats->min},           {"max", stats->max},
        {"stddev", stats->stddev}, {"median", stats->median},     {"q1", stats->q1},
        {"q3", stats->q3},         {"ci95_low", stats->ci95_low}, {"ci95_high", stats->ci95_high},
    };
    for (size_t i = 0; i < sizeof field / sizeof *field; i++) {
        char key[64];
        snprintf(key, sizeof key, "%s_%s", field[i].name, suffix);
        rd_json_double(json, key, scale * field[i].value);
    }
}

int cli_open_json(const char *command, const char *path, rd_output **output)
{
    rd_error err;
    return rd_output_open(path, RD_OUTPUT_LINES, output, &err) == RD_OK ? 0 : cli_fail(command, &err);
}

int cli_close_json(const char *command, rd_output *output)
{
    rd_error err;
    return rd_output_close(output, RD_OK, &err) == RD_OK ? 0 : cli_fail(command, &err);
}
