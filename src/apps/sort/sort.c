/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - merge sort of 32-bit numbers, host side: makes the numbers, and proves that the result has the same ones in
 * ascending order. */
#include "apps/tasks.h"

#include "core/hash.h"
#include "core/memory.h"
#include "raddle/tool.h"

#include <stdlib.h>
#include <string.h>

enum { GPU_SERIAL = 32, CPU_SERIAL = 512 };
static const uint64_t most = 1u << 30;

typedef struct sort_state {
    rd__tasks_state run;
    uint32_t serial; /* 0: by device */
    uint32_t *input, *copy;
    uint64_t count;
    rd__buffer data, scratch;
    double download_s;
    int copied;
} sort_state;

static const rd_option_info options[] = {
    {"cutoff", "ELEMENTS", "0", "sort and merge so few serially, at least 4 (default: by device)", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const char *const samples[] = {"random:3000 cutoff=16",
                                      "random:1",
                                      "random:0",
                                      "sorted:500 cutoff=4",
                                      "reverse:777 cutoff=7",
                                      "equal:600 cutoff=5",
                                      "random:20011 cutoff=33",
                                      NULL};

static rd_status sort_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    uint64_t number;
    (void)key;
    if (!rd_parse_u64(value, &number) || (number && number < 4) || number > UINT32_MAX)
        return rd__fail(err, RD_EARG, "cutoff takes a number of elements from 4 on, not '%s'", value);
    ((sort_state *)job->state)->serial = (uint32_t)number;
    return RD_OK;
}

static rd_status sort_open(rd_job *job, const char *text, rd_error *err)
{
    static const char *const kinds[] = {"random:", "sorted:", "reverse:", "equal:"};
    sort_state *state = job->state;
    uint64_t count = 0;
    int kind = 0;
    while (kind < 4 && strncmp(text, kinds[kind], strlen(kinds[kind])) != 0)
        kind++;
    if (kind == 4 || !rd_parse_u64(text + strlen(kinds[kind]), &count) || count > most)
        return rd__fail(err, RD_EARG,
                        "sort takes random:N, sorted:N, reverse:N or equal:N with up to 2^30 numbers, not '%s'", text);
    rd__array_free(state->input);
    state->input = NULL;
    RD_TRY(rd__array_new(&state->input, "numbers to sort", count, sizeof *state->input, err));
    for (uint64_t i = 0; i < count; i++)
        state->input[i] = (uint32_t)(kind == 0 ? rd__mix64(RD_SEED + i) : kind == 1 ? i : kind == 2 ? count - i : 7);
    state->count = count;
    return RD_OK;
}

static void sort_close(rd_job *job)
{
    rd__array_free(((sort_state *)job->state)->input);
}

static void sort_plan(const rd_job *job, rd_plan *plan)
{
    const sort_state *state = job->state;
    rd__plan_add(plan, "numbers", 4 * state->count, 0, 0);
    rd__plan_add(plan, "scratch", 4 * state->count, 0, 0);
}

static rd_status sort_alloc(rd_job *job, rd_error *err)
{
    sort_state *state = job->state;
    RD_TRY(rd__array_new(&state->copy, "result on the host", state->count, sizeof *state->copy, err));
    RD_TRY(rd__buffer_alloc(job->device, &state->data, "numbers", 4 * state->count, err));
    return rd__buffer_alloc(job->device, &state->scratch, "scratch", 4 * state->count, err);
}

static void sort_free(rd_job *job)
{
    sort_state *state = job->state;
    rd__buffer_free(&state->data);
    rd__buffer_free(&state->scratch);
    rd__array_free(state->copy);
    state->copy = NULL;
}

static uint32_t sort_args(rd_job *job, rd__arg *args)
{
    sort_state *state = job->state;
    const int gpu = job->device && job->device->info.is_gpu;
    args[0] = RD__BUFFER(&state->data);
    args[1] = RD__BUFFER(&state->scratch);
    args[2] = RD__U32((uint32_t)state->count);
    args[3] = RD__U32(state->serial ? state->serial : gpu ? GPU_SERIAL : CPU_SERIAL);
    return 4;
}

static rd_status sort_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    sort_state *state = job->state;
    state->copied = 0;
    seeds->count = 1;
    return rd__buffer_write(&state->data, 0, 4 * state->count, state->input, err);
}

static rd_status sort_result(rd_job *job, rd_result *result, rd_error *err)
{
    sort_state *state = job->state;
    if (!state->copied) {
        const double began = rd_now();
        RD_TRY(rd__buffer_read(&state->data, 0, 4 * state->count, state->copy, err));
        state->download_s = rd_now() - began;
        state->copied = 1;
    }
    *result =
        (rd_result){.name = "sorted", .word = state->copy, .count = state->count, .download_s = state->download_s};
    return RD_OK;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static rd_status sort_check(rd_job *job, rd_error *err)
{
    const sort_state *state = job->state;
    rd_result result;
    uint32_t *right = NULL;
    RD_TRY(rd__tasks_expect(job, "the number of elements", state->count, err));
    RD_TRY(sort_result(job, &result, err));
    RD_TRY(rd__array_new(&right, "numbers sorted by the checker", state->count, sizeof *right, err));
    if (state->count)
        memcpy(right, state->input, 4 * state->count);
    qsort(right, state->count, sizeof *right, compare);
    rd_status status = RD_OK;
    for (uint64_t i = 0; i < state->count && status == RD_OK; i++)
        if (result.word[i] != right[i])
            status = rd__fail(err, RD_EWRONG, "sort: element %llu is %u; it should be %u", (unsigned long long)i,
                              result.word[i], right[i]);
    rd__array_free(right);
    return status;
}

const rd__app rd__app_sort = {
    .info = {.name = "sort",
             .text = "merge sort of 32-bit numbers, sorting and merging in parallel",
             .options = options,
             .input = RD_INPUT_TEXT,
             .input_name = "NUMBERS",
             .input_text = "NUMBERS is random:N, sorted:N, reverse:N or equal:N, up to 2^30 of them.\n",
             .samples = samples},
    .forkjoin = {.words = 6, .children = 4, .join = RD_JOIN_SUM},
    .state_bytes = sizeof(sort_state),
    .set = sort_set,
    .open = sort_open,
    .close = sort_close,
    .plan = sort_plan,
    .alloc = sort_alloc,
    .free = sort_free,
    .args = sort_args,
    .start = sort_start,
    .report = rd__tasks_report,
    .result = sort_result,
    .check = sort_check,
};
