/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c - see tasks.h. */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "apps/tasks.h"

#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

void rd__tasks_plan(const rd_job *job, rd_plan *plan)
{
    (void)job;
    (void)plan;
}

rd_status rd__tasks_alloc(rd_job *job, rd_error *err)
{
    (void)job;
    (void)err;
    return RD_OK;
}

void rd__tasks_free(rd_job *job)
{
    (void)job;
}

rd_status rd__tasks_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    (void)job;
    (void)err;
    seeds->count = 1;
    return RD_OK;
}

void rd__tasks_report(const rd_job *job, rd_report *report)
{
    rd__tasks_state *state = job->state;
    state->sum = report->sum;
    state->tasks = report->tasks;
}

rd_status rd__tasks_result(rd_job *job, rd_result *result, rd_error *err)
{
    const rd__tasks_state *state = job->state;
    (void)err;
    *result = (rd_result){.name = job->app->info.name, .wide = &state->sum, .kind = RD_RESULT_U64, .count = 1};
    return RD_OK;
}

rd_status rd__tasks_expect(const rd_job *job, const char *what, uint64_t expected, rd_error *err)
{
    const rd__tasks_state *state = job->state;
    if (state->sum != expected)
        return rd__fail(err, RD_EWRONG, "%s: %s is %llu, not %llu", job->app->info.name, what,
                        (unsigned long long)expected, (unsigned long long)state->sum);
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
