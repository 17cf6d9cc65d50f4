/* SPDX-License-Identifier: Apache-2.0 */
/* variables.c - see variables.h. */
#include "cli/variables.h"

#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

const cli_variable cli_variables[] = {
    {"RADDLE_DEVICE", "default of --device", NULL},
    {"RADDLE_NUM_THREADS", "default of --threads", NULL},
    {"RADDLE_LOG", "messages on stderr: error, warn (default), info, debug", "error|warn|info|debug"},
    {"RADDLE_CACHE_DIR", "where compiled kernels are kept", NULL},
    {"XDG_CACHE_HOME", "the same, one level up: $XDG_CACHE_HOME/raddle", NULL},
    {"RADDLE_SOCKET", "where 'raddle serve' listens", NULL},
    {"RADDLE_CC", "the C compiler of own apps on the CPU", NULL},
    {"RADDLE_CHORES", "GPUs: 'off' gives small writes and fills one by one", "on|off"},
    {"RADDLE_WATCH", "'0': ranks do without a process that watches them", "0|1"},
    {"CUDA_VISIBLE_DEVICES", "CUDA: which GPUs, in which order", NULL},
    {"CUDA_HOME", "CUDA: where NVRTC is, when it is not in the usual places (also CUDA_PATH)", NULL},
    {"OCL_ICD_VENDORS", "OpenCL: which drivers", NULL},
    {"RADDLE_OPENCL_ATOMICS", "OpenCL, for tests: 'legacy' uses 1.2 atomics with fences", "legacy"},
    {"RADDLE_OPENCL_SUBGROUPS", "OpenCL: 'off' does without sub-groups as warps", "on|off"},
    {"POCL_CACHE_DIR", "PoCL: where it keeps compiled kernels", NULL},
    {"POCL_MAX_PTHREAD_COUNT", "PoCL: threads of its CPU device", NULL},
    {NULL, NULL, NULL},
};

static int is_one_of(const char *word, const char *words)
{
    for (size_t length; *words; words += length + (words[length] == '|')) {
        length = strcspn(words, "|");
        if (strlen(word) == length && memcmp(word, words, length) == 0)
            return 1;
    }
    return 0;
}

int cli_check_variables(const char *command)
{
    for (const cli_variable *variable = cli_variables; variable->name; variable++) {
        const char *said = variable->words ? getenv(variable->name) : NULL;
        if (said && *said && !is_one_of(said, variable->words))
            return cli_message(command, CLI_BAD_USAGE, "the environment's %s takes %s, not '%.40s'", variable->name,
                               variable->words, said);
    }
    return 0;
}
