/* SPDX-License-Identifier: Apache-2.0 */
/* open_device.c - see open_device.h. */
#include "cli/open_device.h"

#include <stdlib.h>
#include <string.h>

const cli_option cli_device_options[] = {
    {"device", 'd', "NAME", "cpu, cpu:T, cuda:N, opencl:P.D [best: GPU, else cpu]", CLI_ID_DEVICE},
    {"threads", 0, "N", "threads of the CPU device and of reading [all cores]", CLI_ID_THREADS},
    {"no-pin", 0, NULL, "do not pin threads to cores", CLI_ID_NO_PIN},
    {"no-cache", 0, NULL, "compile kernels anew, leave the disk cache alone", CLI_ID_NO_CACHE},
    {"debug", 0, NULL, "own apps on the CPU: say where a task left an array, or gave too much", CLI_ID_DEBUG},
    {NULL, 0, NULL, NULL, 0},
};

static int set_threads(cli_device_choice *choice, const char *command, const char *what, const char *text)
{
    uint64_t threads;
    if (!cli_take_u64(command, what, text, 1, 4096, &threads))
        return 0;
    choice->options.threads = (uint32_t)threads;
    return 1;
}

int cli_is_host(const rd_device_info *info)
{
    return strcmp(info->backend, "cpu") == 0;
}

int cli_names_host(const char *name)
{
    return strncmp(name, "cpu", 3) == 0 && (name[3] == '\0' || name[3] == ':');
}

int cli_device_choice_init(cli_device_choice *choice, const char *command)
{
    const char *name = getenv("RADDLE_DEVICE"), *threads = getenv("RADDLE_NUM_THREADS");
    memset(choice, 0, sizeof *choice);
    choice->options.size = sizeof choice->options;
    choice->name = name && *name ? name : NULL;
    if (threads && *threads && !set_threads(choice, command, "threads (from RADDLE_NUM_THREADS)", threads))
        return CLI_BAD_USAGE;
    return 0;
}

int cli_device_choice_take(cli_device_choice *choice, const char *command, int id, const char *value)
{
    switch (id) {
    case CLI_ID_DEVICE:
        choice->name = value;
        if (choice->count == CLI_DEVICES_MOST) {
            cli_usage(command, "at most %d devices", CLI_DEVICES_MOST);
            return -1;
        }
        choice->names[choice->count++] = value;
        return 1;
    case CLI_ID_THREADS: return set_threads(choice, command, "threads", value) ? 1 : -1;
    case CLI_ID_NO_PIN: choice->options.no_pin = 1; return 1;
    case CLI_ID_NO_CACHE: choice->options.no_cache = 1; return 1;
    case CLI_ID_DEBUG: choice->options.debug = 1; return 1;
    }
    return 0;
}

int cli_device_choice_open(const cli_device_choice *choice, const char *command, rd_device **device)
{
    rd_error err = {.status = RD_OK};
    const char *name = !choice->name && choice->options.debug ? "cpu" : choice->name;
    if (rd_device_open(name, &choice->options, device, &err) != RD_OK)
        return cli_fail(command, &err);
    if (choice->options.debug && !cli_is_host(rd_device_get_info(*device))) {
        rd_device_close(*device);
        *device = NULL;
        return cli_usage(command, "--debug watches over arrays on the CPU, and %s is none: use -d cpu", choice->name);
    }
    return 0;
}
