/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c - see tasks.h. */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "apps/common/tasks.h"

#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

rd_status rd__tasks_expect(const rd_job *job, const char *what, uint64_t expected, rd_error *err)
{
    if (job->last.sum != expected)
        return rd__fail(err, RD_EWRONG, "%s: %s is %llu, not %llu", job->app->info.name, what,
                        (unsigned long long)expected, (unsigned long long)job->last.sum);
    return RD_OK;
}

int rd__tasks_numbers(const char *text, uint64_t *number, int most)
{
    char copy[128], *rest = copy;
    int count = 0;
    if (snprintf(copy, sizeof copy, "%s", text) >= (int)sizeof copy)
        return -1;
    for (char *word = strtok_r(copy, ":", &rest); word; word = strtok_r(NULL, ":", &rest)) {
        if (count == most || !rd_parse_u64(word, &number[count]))
            return -1;
        count++;
    }
    return count;
}
