/* SPDX-License-Identifier: Apache-2.0 */
/* fib.c - Fibonacci numbers by recursion, host side. The checker adds instead, and knows how many calls there must be.
 */
#include "apps/app.h"

#include "raddle/tool.h"
#include "sched/task_layout.k.h"

#include <string.h>

enum { MOST = 50 }; /* 4e10 calls */

typedef struct fib_state {
    uint32_t n;
    uint64_t value, tasks; /* of the last run */
} fib_state;

static const rd_option_info options[] = {
    {"number", "N", "30", "which Fibonacci number to compute, 0 to 50", 'N'},
    {NULL, NULL, NULL, NULL, 0},
};
static const char *const schedulers[] = {"steal", NULL};
static const char *const samples[] = {"number=17", "number=0", "number=1", "number=2", "number=5", "number=22", NULL};

static void fib_init(rd_job *job)
{
    ((fib_state *)job->state)->n = 30;
}

static rd_status fib_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    uint64_t number;
    (void)key;
    if (!rd_parse_u64(value, &number) || number > MOST)
        return rd__fail(err, RD_EARG, "number '%s' is not in the range 0 to %d", value, MOST);
    ((fib_state *)job->state)->n = (uint32_t)number;
    return RD_OK;
}

static rd_status fib_validate(rd_job *job, rd_error *err)
{
    (void)job;
    (void)err;
    return RD_OK;
}

static void fib_plan(const rd_job *job, rd_plan *plan)
{
    (void)job;
    (void)plan;
}

static rd_status fib_alloc(rd_job *job, rd_error *err)
{
    (void)job;
    (void)err;
    return RD_OK;
}

static void fib_free(rd_job *job)
{
    (void)job;
}

static uint32_t fib_args(rd_job *job, rd__arg *args)
{
    args[0] = RD__U32(((fib_state *)job->state)->n);
    return 1;
}

static rd_status fib_start(rd_job *job, uint32_t *seed, uint32_t *seeds, rd_error *err)
{
    (void)job;
    (void)seed;
    (void)err;
    *seeds = 1;
    return RD_OK;
}

static void fib_report(const rd_job *job, rd_report *report)
{
    fib_state *fib = job->state;
    fib->value = report->sum;
    fib->tasks = report->tasks;
}

static rd_status fib_result(rd_job *job, rd_result *result, rd_error *err)
{
    const fib_state *fib = job->state;
    (void)err;
    *result = (rd_result){.name = "fib", .wide = &fib->value, .kind = RD_RESULT_U64, .count = 1};
    return RD_OK;
}

static rd_status fib_check(rd_job *job, rd_error *err)
{
    const fib_state *fib = job->state;
    uint64_t value = 0, next = 1; /* calls of fib(n): 2 fib(n + 1) - 1 */
    for (uint32_t i = 0; i < fib->n; i++) {
        const uint64_t sum = value + next;
        value = next;
        next = sum;
    }
    if (fib->value != value)
        return rd__fail(err, RD_EWRONG, "fib: number %u is %llu, not %llu", fib->n, (unsigned long long)value,
                        (unsigned long long)fib->value);
    if (fib->tasks != 2 * next - 1)
        return rd__fail(err, RD_EWRONG, "fib: number %u takes %llu calls; %llu tasks were run", fib->n,
                        (unsigned long long)(2 * next - 1), (unsigned long long)fib->tasks);
    return RD_OK;
}

const rd__app rd__app_fib = {
    .info = {.name = "fib",
             .text = "Fibonacci numbers by recursion, every call a task: the cost of spawning and joining",
             .options = options,
             .schedulers = schedulers,
             .input = RD_INPUT_NONE,
             .samples = samples},
    .shape = RD__SHAPE_TASKS,
    .task = {.words = 1, .children = 2, .join = RD_JOIN_VALUES},
    .state_bytes = sizeof(fib_state),
    .init = fib_init,
    .set = fib_set,
    .validate = fib_validate,
    .plan = fib_plan,
    .alloc = fib_alloc,
    .free = fib_free,
    .args = fib_args,
    .start = fib_start,
    .report = fib_report,
    .result = fib_result,
    .check = fib_check,
};
