/* SPDX-License-Identifier: Apache-2.0 */
/* sort.c - merge sort of 32-bit numbers, host side: makes the numbers, and proves that the result has the same ones in
 * ascending order. */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/options.h"
#include "apps/common/tasks.h"

#include "core/hash.h"
#include "core/memory.h"
#include "gen/args/sort.h"
#include "raddle/tool.h"

#include <stdlib.h>
#include <string.h>

enum { GPU_SERIAL = 32, CPU_SERIAL = 512 };
static const uint64_t most = 1u << 30;

typedef struct sort_state {
    uint32_t serial; /* 0: by device */
    uint32_t *input;
    uint64_t count;
    rd__buffer data, scratch;
} sort_state;

static const rd_option_info info[] = {
    {"cutoff", "ELEMENTS", "0", "sort and merge so few serially, at least 4 (default: by device)", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const rd__app_option options[] = {{.key = "cutoff"}, {0}};
static const rd__app_array arrays[] = {
    {.name = "numbers", .at = offsetof(sort_state, data), .each = 4, .result = "sorted"},
    {.name = "scratch", .at = offsetof(sort_state, scratch), .each = 4},
    {0},
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

static uint64_t sort_items(const rd_job *job)
{
    return ((const sort_state *)job->state)->count;
}

RD__ARGS(sort_args, SORT_ARGS)

static uint32_t sort_pack(rd_job *job, rd__arg *args)
{
    const sort_state *state = job->state;
    const int gpu = job->device && job->device->info.is_gpu;
    const sort_args own = {.data = &state->data,
                           .scratch = &state->scratch,
                           .n = (uint32_t)state->count,
                           .serial = state->serial ? state->serial
                                     : gpu         ? GPU_SERIAL
                                                   : CPU_SERIAL};
    return sort_args_pack(&own, args);
}

static rd_status sort_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    sort_state *state = job->state;
    (void)seeds;
    return rd__buffer_write(&state->data, 0, 4 * state->count, state->input, err);
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static rd_status sort_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const sort_state *state = job->state;
    uint32_t *right = NULL;
    RD_TRY(rd__tasks_expect(job, "the number of elements", state->count, err));
    RD_TRY(rd__array_new(&right, "numbers sorted by the checker", state->count, sizeof *right, err));
    if (state->count)
        memcpy(right, state->input, 4 * state->count);
    qsort(right, state->count, sizeof *right, compare);
    rd_status status = RD_OK;
    for (uint64_t i = 0; i < state->count && status == RD_OK; i++)
        if (result->word[i] != right[i])
            status = rd__fail(err, RD_EWRONG, "sort: element %llu is %u; it should be %u", (unsigned long long)i,
                              result->word[i], right[i]);
    rd__array_free(right);
    return status;
}

static void sort_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    (void)job;
    if (result->count)
        rd__snprintf(text, room, "%llu numbers sorted, from %u to %u", (unsigned long long)result->count,
                     result->word[0], result->word[result->count - 1]);
    else
        rd__snprintf(text, room, "0 numbers sorted");
}

const rd__app rd__app_sort = {
    .info = {.name = "sort",
             .text = "merge sort of 32-bit numbers, sorting and merging in parallel",
             .options = info,
             .input = RD_INPUT_TEXT,
             .input_name = "NUMBERS",
             .input_text = "NUMBERS is random:N, sorted:N, reverse:N or equal:N, up to 2^30 of them.\n",
             .samples = samples},
    .forkjoin = {.words = 6, .children = 4, .join = RD_JOIN_SUM},
    .state_bytes = sizeof(sort_state),
    .options = options,
    .arrays = arrays,
    .items = sort_items,
    .set = sort_set,
    .open = sort_open,
    .close = sort_close,
    .args = sort_pack,
    .start = sort_start,
    .answer = sort_answer,
    .check = sort_check,
};
