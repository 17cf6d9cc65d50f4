/* SPDX-License-Identifier: Apache-2.0 */
/* open_device.h - the options by which every command chooses a device. */
#ifndef RD_CLI_OPEN_DEVICE_H
#define RD_CLI_OPEN_DEVICE_H

#include "cli/options.h"

enum { CLI_ID_DEVICE = 900, CLI_ID_THREADS, CLI_ID_NO_PIN, CLI_ID_NO_CACHE, CLI_ID_DEBUG };
enum { CLI_DEVICES_MOST = 64 };
extern const cli_option cli_device_options[];

typedef struct cli_device_choice {
    const char *name;                    /* NULL: RADDLE_DEVICE, else the best device */
    const char *names[CLI_DEVICES_MOST]; /* all that were named, for apps on several; `name` is the last of them */
    uint32_t count;
    rd_device_options options;
} cli_device_choice;

/* Is it the CPU, by threads and memory of this process? The one place where the command knows the name of that. */
int cli_is_host(const rd_device_info *info);
/* The same of a device that is not open yet. */
int cli_names_host(const char *name);
/* Defaults, with RADDLE_NUM_THREADS. @return 0, or an exit code when that variable is not a number. */
int cli_device_choice_init(cli_device_choice *choice, const char *command);
/* Handles an option of the table. @return 1 when it was one, 0 when not, -1 after printing a usage error. */
int cli_device_choice_take(cli_device_choice *choice, const char *command, int id, const char *value);
/* Opens the device. @return 0, or an exit code after printing the error. */
int cli_device_choice_open(const cli_device_choice *choice, const char *command, rd_device **device);

#endif
