/* SPDX-License-Identifier: Apache-2.0 */
/* test_models_tasks.c - what src/model/forkjoin.k.h, ranked.k.h, plane.k.h and dag.k.h promise, counted; as
 * test_models.c. */
#include "selftest/models.h"

#include "core/memory.h"
#include "model/forkjoin_layout.k.h"
#include "selftest/models/layout.k.h"

#include <stdio.h>

enum { TASKS = 20000, SLOW_TASKS = 1500, COLUMNS = 150, ROWS = 70, SLOW_COLUMNS = 37, SLOW_ROWS = 18 };

typedef struct extent {
    uint32_t count;  /* tasks, or items */
    uint32_t *right; /* what is expected of each */
} extent;

static uint32_t count_of(const rd__models_run *run)
{
    return ((const extent *)run->user)->count;
}

/* Under every engine; then all is freed. */
static rd_status run_all(rd__models_run *run, extent *own, rd_error *err)
{
    rd_status status = rd__array_new(&own->right, "what is expected", own->count, sizeof *own->right, err);
    run->user = own;
    if (status == RD_OK)
        status = rd__models_everywhere(run, err);
    rd__models_free(run);
    rd__array_free(own->right);
    snprintf(run->test->note, sizeof run->test->note, "%u counted runs", run->runs);
    return status;
}

static rd_status start_words(rd__models_run *run, int buffers, rd_error *err)
{
    for (int i = 0; i < buffers; i++)
        RD_TRY(rd__models_words(run, i, count_of(run), 0, err));
    return RD_OK;
}

/* ---- Fork-join: 0 ran, 1 joined, 2 told, 3 done, 4 wrong ---- */

static rd_status start_forkjoin(rd__models_run *run, rd_error *err)
{
    return start_words(run, 5, err);
}

static rd_status check_forkjoin(rd__models_run *run, const rd_report *report, rd_error *err)
{
    const uint32_t count = count_of(run);
    uint32_t *const right = ((const extent *)run->user)->right;
    uint64_t extra = 0;
    for (uint32_t i = 0; i < count; i++)
        right[i] = 1;
    RD_TRY(rd__models_expect(run, 0, count, right, right, "runs of task", err));
    for (uint32_t i = 0; i < count; i++) {
        const int spawns = 3ull * i + 1 < count, twice = spawns && i % 4 == 0;
        right[i] = (uint32_t)(spawns + twice);
        extra += (uint64_t)twice;
    }
    RD_TRY(rd__models_expect(run, 1, count, right, right, "joins of task", err));
    RD_TRY(rd__models_nothing_wrong(run, 4, err));
    if (report->sum != 1 || report->tasks != count + extra)
        return rd__fail(err, RD_EWRONG, "the root returned %llu, not 1; %llu tasks were run, not %llu",
                        (unsigned long long)report->sum, (unsigned long long)report->tasks,
                        (unsigned long long)(count + extra));
    return RD_OK;
}

static rd_status forkjoin(rd__test *test, rd_error *err)
{
    extent own = {.count = rd__test_is_small(test) ? SLOW_TASKS : TASKS};
    rd__models_run run = {.test = test,
                          .root = "selftest_models_forkjoin",
                          .job = {.forkjoin = {.words = 2, .children = 3, .join = RD_JOIN_VALUES}},
                          .seeds = 1,
                          .start = start_forkjoin,
                          .check = check_forkjoin};
    const rd__arg arg[] = {RD__BUFFER(&run.buffer[0]), RD__BUFFER(&run.buffer[1]), RD__BUFFER(&run.buffer[2]),
                           RD__BUFFER(&run.buffer[3]), RD__BUFFER(&run.buffer[4]), RD__U32(own.count)};
    run.job.args = arg;
    run.job.arg_count = 6;
    return run_all(&run, &own, err);
}

/* ---- Ranked: 0 ran, 1 told, 2 wrong ---- */

static rd_status start_ranked(rd__models_run *run, rd_error *err)
{
    const uint32_t told = 1;
    RD_TRY(start_words(run, 3, err));
    return rd__buffer_write(&run->buffer[1], 0, sizeof told, &told, err); /* the seed */
}

/* A task is run when it and all above it are worth it. */
static rd_status check_ranked(rd__models_run *run, const rd_report *report, rd_error *err)
{
    const uint32_t count = count_of(run);
    uint32_t *const right = ((const extent *)run->user)->right;
    uint64_t tasks = 0;
    for (uint32_t i = 0; i < count; i++) {
        right[i] = i == 0 || (right[(i - 1) / 4] && i % 5 != 0);
        tasks += right[i];
    }
    RD_TRY(rd__models_expect(run, 0, count, right, right, "runs of task", err));
    RD_TRY(rd__models_nothing_wrong(run, 2, err));
    if (report->tasks != tasks)
        return rd__fail(err, RD_EWRONG, "%llu tasks were run, not %llu", (unsigned long long)report->tasks,
                        (unsigned long long)tasks);
    return RD_OK;
}

static rd_status ranked(rd__test *test, rd_error *err)
{
    static const uint32_t seed = 0;
    extent own = {.count = rd__test_is_small(test) ? SLOW_TASKS : TASKS};
    rd__models_run run = {.test = test,
                          .root = "selftest_models_ranked",
                          .seed = &seed,
                          .seeds = 1,
                          .start = start_ranked,
                          .check = check_ranked};
    const rd__arg arg[] = {RD__BUFFER(&run.buffer[0]), RD__BUFFER(&run.buffer[1]), RD__BUFFER(&run.buffer[2]),
                           RD__U32(own.count)};
    run.job.args = arg;
    run.job.arg_count = 4;
    return run_all(&run, &own, err);
}

/* ---- Planes: 0 begun, 1 ran, 2 ran too, 3 wrong ---- */

static rd_status start_plane(rd__models_run *run, rd_error *err)
{
    return start_words(run, 4, err);
}

static rd_status check_plane(rd__models_run *run, const rd_report *report, rd_error *err)
{
    const uint32_t count = count_of(run), each = (1u << MODELS_DEPTH) - 1;
    uint32_t *const right = ((const extent *)run->user)->right;
    for (uint32_t i = 0; i < count; i++)
        right[i] = 1;
    RD_TRY(rd__models_expect(run, 0, count, right, right, "beginnings of item", err));
    for (uint32_t i = 0; i < count; i++)
        right[i] = each;
    RD_TRY(rd__models_expect(run, 1, count, right, right, "tasks of item", err));
    RD_TRY(rd__models_expect(run, 2, count, right, right, "tasks of item, added as `shared` says,", err));
    RD_TRY(rd__models_nothing_wrong(run, 3, err));
    if (report->tasks != (uint64_t)count * each)
        return rd__fail(err, RD_EWRONG, "%llu tasks were run, not %llu", (unsigned long long)report->tasks,
                        (unsigned long long)count * each);
    return RD_OK;
}

static rd_status plane(rd__test *test, rd_error *err)
{
    const uint32_t columns = rd__test_is_small(test) ? SLOW_COLUMNS : COLUMNS;
    const uint32_t rows = rd__test_is_small(test) ? SLOW_ROWS : ROWS;
    extent own = {.count = columns * rows};
    rd__models_run run = {
        .test = test,
        .root = "selftest_models_plane",
        .job = {.plane = {.columns = columns, .rows = rows, .gives = 2, .depth = MODELS_DEPTH, .pack = 2}},
        .start = start_plane,
        .check = check_plane};
    const rd__arg arg[] = {RD__BUFFER(&run.buffer[0]), RD__BUFFER(&run.buffer[1]), RD__BUFFER(&run.buffer[2]),
                           RD__BUFFER(&run.buffer[3]), RD__U32(columns),           RD__U32(rows)};
    run.job.args = arg;
    run.job.arg_count = 6;
    return run_all(&run, &own, err);
}

/* ---- Task graphs: 0 ran, 1 done, 2 told, 3 from, 4 wrong ---- */

enum { NO_TASKS = 10 }; /* numbers that stand for none */

static rd_status start_dag(rd__models_run *run, rd_error *err)
{
    return start_words(run, 5, err);
}

static rd_status check_dag(rd__models_run *run, const rd_report *report, rd_error *err)
{
    const uint32_t most = count_of(run), known = run->job.dag.known, count = known - NO_TASKS;
    uint32_t *const right = ((const extent *)run->user)->right;
    for (uint32_t i = 0; i < most; i++)
        right[i] = i < count || i >= known;
    RD_TRY(rd__models_expect(run, 0, most, right, right, "runs of task", err));
    RD_TRY(rd__models_nothing_wrong(run, 4, err));
    if (report->tasks != most - NO_TASKS)
        return rd__fail(err, RD_EWRONG, "%llu tasks were run, not %u", (unsigned long long)report->tasks,
                        most - NO_TASKS);
    return RD_OK;
}

static rd_status dag(rd__test *test, rd_error *err)
{
    const uint32_t count = rd__test_is_small(test) ? SLOW_TASKS : TASKS, known = count + NO_TASKS;
    extent own = {.count = known + 2 * ((count + 6) / 7)};
    rd__models_run run = {.test = test,
                          .root = "selftest_models_dag",
                          .job = {.dag = {.known = known, .most = own.count}},
                          .start = start_dag,
                          .check = check_dag};
    const rd__arg arg[] = {RD__BUFFER(&run.buffer[0]),
                           RD__BUFFER(&run.buffer[1]),
                           RD__BUFFER(&run.buffer[2]),
                           RD__BUFFER(&run.buffer[3]),
                           RD__BUFFER(&run.buffer[4]),
                           RD__U32(count),
                           RD__U32(known)};
    run.job.args = arg;
    run.job.arg_count = 7;
    return run_all(&run, &own, err);
}

const rd__test_case rd__task_model_cases[] = {
    {"models/forkjoin", forkjoin, RD__ONCE},
    {"models/ranked", ranked, RD__ONCE},
    {"models/plane", plane, RD__ONCE},
    {"models/dag", dag, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
