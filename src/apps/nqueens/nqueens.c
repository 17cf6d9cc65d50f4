/* SPDX-License-Identifier: Apache-2.0 */
/* nqueens.c - the queens, host side. The checker tries the places of each row with a list of queens, no bits; above a
 * size where that takes too long it knows the published numbers (OEIS A000170). */
#include "apps/common/tasks.h"

#include "raddle/tool.h"

enum { MOST = 20, TRIED = 11 };

typedef struct nqueens_state {
    rd__tasks_state run;
    uint32_t n, serial;
} nqueens_state;

static const rd_option_info options[] = {
    {"cutoff", "ROWS", "7", "count serially when so few rows are left; 0: every board is a task", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const char *const samples[] = {"8 cutoff=0", "9",           "1 cutoff=0",  "2",
                                      "3 cutoff=1", "6 cutoff=20", "10 cutoff=3", NULL};

static void nqueens_init(rd_job *job)
{
    ((nqueens_state *)job->state)->serial = 7;
}

static rd_status nqueens_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    uint64_t number;
    (void)key;
    if (!rd_parse_u64(value, &number) || number > MOST)
        return rd__fail(err, RD_EARG, "cutoff takes a number of rows from 0 to %d, not '%s'", MOST, value);
    ((nqueens_state *)job->state)->serial = (uint32_t)number;
    return RD_OK;
}

static rd_status nqueens_open(rd_job *job, const char *text, rd_error *err)
{
    uint64_t number;
    if (!rd_parse_u64(text, &number) || number < 1 || number > MOST)
        return rd__fail(err, RD_EARG, "nqueens takes a board of 1 to %d rows, not '%s'", MOST, text);
    ((nqueens_state *)job->state)->n = (uint32_t)number;
    return RD_OK;
}

static uint32_t nqueens_args(rd_job *job, rd__arg *args)
{
    const nqueens_state *state = job->state;
    args[0] = RD__U32(state->n);
    args[1] = RD__U32(state->serial);
    return 2;
}

/* ---- The checker ---- */

static int is_safe(const int *queen, int row, int place)
{
    for (int r = 0; r < row; r++)
        if (queen[r] == place || queen[r] - place == row - r || place - queen[r] == row - r)
            return 0;
    return 1;
}

static uint64_t place_queens(int *queen, int row, int n)
{
    uint64_t ways = 0;
    if (row == n)
        return 1;
    for (queen[row] = 0; queen[row] < n; queen[row]++)
        if (is_safe(queen, row, queen[row]))
            ways += place_queens(queen, row + 1, n);
    return ways;
}

static rd_status nqueens_check(rd_job *job, rd_error *err)
{
    static const uint64_t published[MOST + 1] = {
        1,    1,     0,     0,      2,       10,       4,        40,        92,         352,        724,
        2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624, 4968057848, 39029188884};
    const nqueens_state *state = job->state;
    int queen[MOST];
    const uint64_t ways = state->n <= TRIED ? place_queens(queen, 0, (int)state->n) : published[state->n];
    return rd__tasks_expect(job, "the number of ways", ways, err);
}

const rd__app rd__app_nqueens = {
    .info = {.name = "nqueens",
             .text = "in how many ways n queens stand on a board of n rows without attacking each other",
             .options = options,
             .input = RD_INPUT_TEXT,
             .input_name = "N",
             .input_text = "N is the number of rows, 1 to 20.\n",
             .samples = samples},
    .forkjoin = {.words = 3, .children = MOST, .join = RD_JOIN_SUM},
    .state_bytes = sizeof(nqueens_state),
    .init = nqueens_init,
    .set = nqueens_set,
    .open = nqueens_open,
    .plan = rd__tasks_plan,
    .alloc = rd__tasks_alloc,
    .free = rd__tasks_free,
    .args = nqueens_args,
    .start = rd__tasks_start,
    .report = rd__tasks_report,
    .result = rd__tasks_result,
    .check = nqueens_check,
};
