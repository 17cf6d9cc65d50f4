/* SPDX-License-Identifier: Apache-2.0 */
/* fib.c - Fibonacci numbers by recursion, host side. The checker adds instead, and knows how many calls there must be.
 */
#include "apps/common/tasks.h"

#include "raddle/tool.h"

enum { MOST = 50 }; /* 4e10 calls */

typedef struct fib_state {
    rd__tasks_state run;
    uint32_t n;
} fib_state;

static const rd_option_info options[] = {{NULL, NULL, NULL, NULL, 0}};
static const char *const samples[] = {"17", "0", "1", "2", "5", "22", NULL};

static rd_status fib_open(rd_job *job, const char *text, rd_error *err)
{
    uint64_t number;
    if (!rd_parse_u64(text, &number) || number > MOST)
        return rd__fail(err, RD_EARG, "fib takes a number from 0 to %d, not '%s'", MOST, text);
    ((fib_state *)job->state)->n = (uint32_t)number;
    return RD_OK;
}

static uint32_t fib_args(rd_job *job, rd__arg *args)
{
    args[0] = RD__U32(((fib_state *)job->state)->n);
    return 1;
}

static rd_status fib_check(rd_job *job, rd_error *err)
{
    const fib_state *fib = job->state;
    uint64_t value = 0, next = 1;
    for (uint32_t i = 0; i < fib->n; i++) {
        const uint64_t sum = value + next;
        value = next;
        next = sum;
    }
    RD_TRY(rd__tasks_expect(job, "the number", value, err));
    if (fib->run.tasks != 2 * next - 1) /* calls of fib(n): 2 fib(n + 1) - 1 */
        return rd__fail(err, RD_EWRONG, "fib: number %u takes %llu calls; %llu tasks were run", fib->n,
                        (unsigned long long)(2 * next - 1), (unsigned long long)fib->run.tasks);
    return RD_OK;
}

const rd__app rd__app_fib = {
    .info = {.name = "fib",
             .text = "Fibonacci numbers by recursion, every call a task: the cost of spawning and joining",
             .options = options,
             .input = RD_INPUT_TEXT,
             .input_name = "N",
             .input_text = "N is a number from 0 to 50; fib of 40 is 331 million tasks.\n",
             .samples = samples},
    .forkjoin = {.words = 1, .children = 2, .join = RD_JOIN_VALUES},
    .state_bytes = sizeof(fib_state),
    .open = fib_open,
    .plan = rd__tasks_plan,
    .alloc = rd__tasks_alloc,
    .free = rd__tasks_free,
    .args = fib_args,
    .start = rd__tasks_start,
    .report = rd__tasks_report,
    .result = rd__tasks_result,
    .check = fib_check,
};
