/* SPDX-License-Identifier: Apache-2.0 */
/* devices.c - `raddle devices`: what there is to run on, and why the rest is not there. */
#include "cli/machine.h"
#include "cli/options.h"
#include "cli/variables.h"
#include "raddle/progress.h"

#include <stdlib.h>
#include <string.h>

void cli_devices_help(FILE *out);
int cli_devices_run(int argc, char **argv);

enum { ID_JSON = 1, ID_VERBOSE };
static const cli_option options[] = {
    {"verbose", 0, NULL, "also print the environment variables that matter", ID_VERBOSE},
    {"json", 0, NULL, "one JSON object a device", ID_JSON},
    {NULL, 0, NULL, NULL, 0},
};

void cli_devices_help(FILE *out)
{
    fprintf(out, "usage: raddle devices [options]\n\n"
                 "Lists every device with its memory, compute units and the lanes that can be\n"
                 "resident at once; for a back end that is absent, the reason. The first column\n"
                 "is what --device takes.\n\n");
    cli_print_options(out, options);
    fprintf(out, "\nBesides the names listed, --device takes cpu:T (T threads) and, for tests,\n"
                 "cpu:TxW (T groups of W lanes, for tests). Without --device a command takes\n"
                 "the first GPU that works, else the CPU.\n");
}

/* Schedulers that the device was seen to violate, or not to: "lobe, fair". */
static void schedulers_text(uint32_t mask, char *text, size_t bytes)
{
    const rd_name_text *row = rd_fairness_schedulers();
    int used = snprintf(text, bytes, "%s", "");
    for (int k = 0; row[k].name; k++)
        if (mask >> k & 1)
            used += snprintf(text + used, bytes - (size_t)used, "%s%s", used ? ", " : "", row[k].name);
}

static void print_progress(const rd_device_info *info)
{
    rd_progress_verdicts verdicts;
    char broken[64], kept[64];
    if (!rd_progress_recorded(info, &verdicts)) {
        printf("%-12s progress: not tested; raddle progress -d %s does\n", "", info->name);
        return;
    }
    schedulers_text(verdicts.violated, broken, sizeof broken);
    schedulers_text(~verdicts.violated, kept, sizeof kept);
    printf("%-12s progress: %s%s%s kept in %llu launches\n", "", broken, broken[0] ? " violated; " : "", kept,
           (unsigned long long)verdicts.launches);
}

static void print_device(const rd_device_info *info)
{
    char memory[32], unused[32], lanes[32];
    if (!info->usable) {
        printf("%-12s absent: %s\n", info->name[0] ? info->name : info->backend, info->reason);
        return;
    }
    printf("%-12s %s\n", info->name, info->model);
    printf("%-12s driver: %s\n", "", info->driver);
    printf("%-12s memory: %s", "", rd_format_bytes(info->memory, memory, sizeof memory));
    if (info->memory_free)
        printf(", %s free", rd_format_bytes(info->memory_free, unused, sizeof unused));
    printf("; largest buffer %s\n", rd_format_bytes(info->memory_max_alloc, unused, sizeof unused));
    if (info->resident_lanes)
        snprintf(lanes, sizeof lanes, "%u", info->resident_lanes);
    else
        snprintf(lanes, sizeof lanes, "unknown");
    printf("%-12s compute units: %u; resident lanes: %s\n", "", info->compute_units, lanes);
    printf("%-12s group: at most %u lanes, %s of its own; warp: %u\n", "", info->max_group,
           rd_format_bytes(info->local_bytes, memory, sizeof memory), info->warp);
    print_progress(info);
}

static void json_progress(rd_json *line, const rd_device_info *info)
{
    rd_progress_verdicts verdicts;
    char broken[64];
    if (!info->usable || !rd_progress_recorded(info, &verdicts))
        return;
    schedulers_text(verdicts.violated, broken, sizeof broken);
    rd_json_object(line, "progress");
    rd_json_text(line, "violated", broken);
    rd_json_u64(line, "launches", verdicts.launches);
    rd_json_close_object(line);
}

static void print_variables(void)
{
    printf("\nenvironment:\n");
    for (const cli_variable *variable = cli_variables; variable->name; variable++) {
        const char *value = getenv(variable->name);
        printf("  %-23s %s%s%s\n", variable->name, variable->text, value ? "; now " : "", value ? value : "");
    }
}

int cli_devices_run(int argc, char **argv)
{
    int json = 0, verbose = 0, id;
    cli_parser parser;
    cli_parser_init(&parser, "devices");
    cli_parser_add(&parser, options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        if (id == 0)
            return CLI_BAD_USAGE;
        json |= id == ID_JSON;
        verbose |= id == ID_VERBOSE;
    }
    if (optind < argc)
        return cli_usage("devices", "takes no argument ('%s')", argv[optind]);

    rd_device_info *list = NULL;
    size_t count = 0;
    rd_error err = {.status = RD_OK};
    if (rd_device_list(&list, &count, &err) != RD_OK)
        return cli_fail("devices", &err);
    for (size_t i = 0; i < count; i++) {
        if (json) {
            rd_json line;
            rd_json_begin(&line, stdout);
            rd_json_u64(&line, "schema", 1);
            rd_json_text(&line, "record", "device");
            cli_json_device(&line, "device", &list[i]);
            json_progress(&line, &list[i]);
            rd_json_end(&line);
        } else {
            print_device(&list[i]);
        }
    }
    rd_free(list);
    if (verbose && !json)
        print_variables();
    return 0;
}
