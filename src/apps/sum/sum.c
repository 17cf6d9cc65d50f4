/* SPDX-License-Identifier: Apache-2.0 */
/* sum.c - the scenarios SC1 and SC2, host side. */
#include "apps/common/answer.h"
#include "apps/common/tasks.h"

#include "gen/args/sum.h"

#include <string.h>

enum { MOST = 1 << 20 };

typedef struct sum_state {
    uint32_t scenario, tasks, length;
} sum_state;

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

RD__ARGS(sum_args, SUM_ARGS)

static uint32_t sum_pack(rd_job *job, rd__arg *args)
{
    const sum_state *state = job->state;
    const sum_args own = {
        .scenario = state->scenario, .tasks = state->tasks, .length = state->length, .one = 1, .zero = 0};
    return sum_args_pack(&own, args);
}

static rd_status sum_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    const sum_state *state = job->state;
    (void)err;
    seeds->count = state->scenario == 1 ? 1 : state->tasks;
    return RD_OK;
}

static rd_status sum_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const sum_state *state = job->state;
    const uint64_t n = state->tasks;
    (void)result; /* the sum */
    return rd__tasks_expect(job, "the number of loops", state->scenario == 1 ? n + 1 : n * (n + 1) / 2, err);
}

static void sum_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    (void)job;
    rd__snprintf(text, room, "%llu loops", (unsigned long long)*result->wide);
}

const rd__app rd__app_sum = {
    .info = {.name = "sum",
             .text = "synthetic scenarios of work stealing: chains of tasks that each run a loop of known length",
             .input = RD_INPUT_TEXT,
             .input_name = "SCENARIO",
             .input_text = "SCENARIO is sc1:TASKS:LENGTH, one task that spawns TASKS others one by one, or\n"
                           "sc2:CHAINS:LENGTH, chains of 1, 2, ... CHAINS tasks. LENGTH is that of each task's loop.\n",
             .samples = samples},
    .forkjoin = {.words = 2, .children = 16, .join = RD_JOIN_NONE},
    .state_bytes = sizeof(sum_state),
    .open = sum_open,
    .args = sum_pack,
    .start = sum_start,
    .answer = sum_answer,
    .check = sum_check,
};
