/* SPDX-License-Identifier: Apache-2.0 */
/* fib.c - Fibonacci numbers by recursion, host side. The checker adds instead, and knows how many calls there must be.
 */
#include "apps/common/answer.h"
#include "apps/common/tasks.h"

#include "gen/args/fib.h"
#include "raddle/tool.h"

enum { MOST = 50 }; /* 4e10 calls */

typedef struct fib_state {
    uint32_t n;
} fib_state;

static const char *const samples[] = {"17", "0", "1", "2", "5", "22", NULL};

static rd_status fib_open(rd_job *job, const char *text, rd_error *err)
{
    uint64_t number;
    if (!rd_parse_u64(text, &number) || number > MOST)
        return rd__fail(err, RD_EARG, "fib takes a number from 0 to %d, not '%s'", MOST, text);
    ((fib_state *)job->state)->n = (uint32_t)number;
    return RD_OK;
}

RD__ARGS(fib_args, FIB_ARGS)

static uint32_t fib_pack(rd_job *job, rd__arg *args)
{
    const fib_args own = {.n = ((const fib_state *)job->state)->n};
    return fib_args_pack(&own, args);
}

static rd_status fib_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const fib_state *fib = job->state;
    uint64_t value = 0, next = 1;
    (void)result; /* the sum */
    for (uint32_t i = 0; i < fib->n; i++) {
        const uint64_t sum = value + next;
        value = next;
        next = sum;
    }
    RD_TRY(rd__tasks_expect(job, "the number", value, err));
    if (job->last.tasks != 2 * next - 1) /* calls of fib(n): 2 fib(n + 1) - 1 */
        return rd__fail(err, RD_EWRONG, "fib: number %u takes %llu calls; %llu tasks were run", fib->n,
                        (unsigned long long)(2 * next - 1), (unsigned long long)job->last.tasks);
    return RD_OK;
}

static void fib_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    rd__snprintf(text, room, "fib(%u) = %llu", ((const fib_state *)job->state)->n, (unsigned long long)*result->wide);
}

static const rd__app_ranks in_parts = {.kind = RD__RANKS_SHARE, .root = "fib_parts"};

const rd__app rd__app_fib = {
    .info = {.name = "fib",
             .text = "Fibonacci numbers by recursion, every call a task: the cost of spawning and joining",
             .input = RD_INPUT_TEXT,
             .input_name = "N",
             .input_text = "N is a number from 0 to 50; fib of 40 is 331 million tasks.\n",
             .samples = samples},
    .forkjoin = {.words = 1, .children = 2, .join = RD_JOIN_VALUES},
    .ranks = &in_parts,
    .state_bytes = sizeof(fib_state),
    .open = fib_open,
    .args = fib_pack,
    .answer = fib_answer,
    .check = fib_check,
};
