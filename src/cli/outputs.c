/* SPDX-License-Identifier: Apache-2.0 */
/* outputs.c - names of output files, looked at before any work is done: see outputs.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/outputs.h"

#include <string.h>
#include <sys/stat.h>

const char *cli_output_name(const char *path)
{
    static const char *const name[] = {"/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        if (strcmp(path, name[i]) == 0)
            return "-";
    return path;
}

static int is_same_file(const char *first, const char *second)
{
    struct stat a, b;
    return strcmp(first, second) == 0 || (stat(first, &a) == 0 && stat(second, &b) == 0 && S_ISREG(a.st_mode) &&
                                          a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

int cli_check_outputs(const char *command, const char *first, const char *second)
{
    rd_error err;
    if (first && second && is_same_file(first, second))
        return cli_usage(command, "two outputs go to '%s': one would replace the other", second);
    if (first && rd_output_check(first, RD_OUTPUT_REPLACE, &err) != RD_OK)
        return cli_fail(command, &err);
    return 0;
}
