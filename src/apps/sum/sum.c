/* SPDX-License-Identifier: Apache-2.0 */
/* sum.c - the scenarios SC1 and SC2, host side. */
#include "apps/tasks.h"

#include "raddle/tool.h"

#include <string.h>

enum { MOST = 1 << 20 };

typedef struct sum_state {
    rd__tasks_state run;
    uint32_t scenario, tasks, length;
} sum_state;

static const rd_option_info options[] = {{NULL, NULL, NULL, NULL, 0}};
static const char *const samples[] = {"sc1:31:100", "sc2:20:10", "sc1:0:1", "sc1:1000:1", "sc2:1:1", "sc2:64:1", NULL};

static rd_status sum_open(rd_job *job, const char *text, rd_error *err)
{
    sum_state *state = job->state;
    uint64_t number[2] = {0, 0};
    const int two = strncmp(text, "sc2:", 4) == 0,
              count = two || strncmp(text, "sc1:", 4) == 0 ? rd__tasks_numbers(text + 4, number, 2) : -1;
    if (count != 2 || number[0] > MOST || (two && number[0] < 1) || number[1] < 1 || number[1] > UINT32_MAX)
        return rd__fail(err, RD_EARG,
                        "sum takes sc1:TASKS:LENGTH or sc2:CHAINS:LENGTH, up to %d and a length of 1 or more, not '%s'",
                        MOST, text);
    state->scenario = two ? 2 : 1;
    state->tasks = (uint32_t)number[0];
    state->length = (uint32_t)number[1];
    return RD_OK;
}

static uint32_t sum_args(rd_job *job, rd__arg *args)
{
    const sum_state *state = job->state;
    args[0] = RD__U32(state->scenario);
    args[1] = RD__U32(state->tasks);
    args[2] = RD__U32(state->length);
    args[3] = RD__U32(1);
    args[4] = RD__U32(0);
    return 5;
}

static rd_status sum_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    const sum_state *state = job->state;
    (void)err;
    seeds->count = state->scenario == 1 ? 1 : state->tasks;
    return RD_OK;
}

static rd_status sum_check(rd_job *job, rd_error *err)
{
    const sum_state *state = job->state;
    const uint64_t n = state->tasks;
    return rd__tasks_expect(job, "the number of loops", state->scenario == 1 ? n + 1 : n * (n + 1) / 2, err);
}

const rd__app rd__app_sum = {
    .info = {.name = "sum",
             .text = "synthetic scenarios of work stealing: chains of tasks that each run a loop of known length",
             .options = options,
             .input = RD_INPUT_TEXT,
             .input_name = "SCENARIO",
             .input_text = "SCENARIO is sc1:TASKS:LENGTH, one task that spawns TASKS others one by one, or\n"
                           "sc2:CHAINS:LENGTH, chains of 1, 2, ... CHAINS tasks. LENGTH is that of each task's loop.\n",
             .samples = samples},
    .forkjoin = {.words = 2, .children = 16, .join = RD_JOIN_NONE},
    .state_bytes = sizeof(sum_state),
    .open = sum_open,
    .plan = rd__tasks_plan,
    .alloc = rd__tasks_alloc,
    .free = rd__tasks_free,
    .args = sum_args,
    .start = sum_start,
    .report = rd__tasks_report,
    .result = rd__tasks_result,
    .check = sum_check,
};
