/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h - what a record of a run says of where it was made: the machine, the build, the hour. */
#ifndef RD_CLI_MACHINE_H
#define RD_CLI_MACHINE_H

#include "cli/cli.h"

typedef struct cli_build {
    char commit[64], compiler[128], features[128];
} cli_build;
/* Takes rd_build_info() apart. */
void cli_describe_build(cli_build *build);

typedef struct cli_machine {
    char cpu[128];    /* the maker's name of the host's CPU */
    char kernel[256]; /* operating system, release, architecture */
    unsigned cores;   /* that this machine has on line */
    uint64_t memory;  /* bytes of host memory */
} cli_machine;
void cli_describe_machine(cli_machine *machine);

/* Fields of every record: version, git_commit_sha, compiler, sysinfo, command_line, time. */
void cli_json_origin(rd_json *json);
/* Object `key` with the name, model, driver, memory and sizes of a device. */
void cli_json_device(rd_json *json, const char *key, const rd_device_info *info);

/* Fields avg_S min_S max_S stddev_S median_S q1_S q3_S ci95_low_S ci95_high_S for the suffix S, each times scale. */
void cli_json_statistics(rd_json *json, const char *suffix, const rd_stats *stats, double scale);

/* The time now in UTC as 2026-01-31T12:00:00Z. @return buf. */
char *cli_time_text(char *buf, size_t n);

/* Opens a file for JSON Lines, to be appended to; "-" is standard output. @return 0, or an exit code after printing why
 * not. */
int cli_open_json(const char *command, const char *path, rd_output **output);
/* Closes it unless it is standard output; takes NULL. @return 0, or an exit code after printing that it could not be
 * written. */
int cli_close_json(const char *command, rd_output *output);

#endif
