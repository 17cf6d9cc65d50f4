/* SPDX-License-Identifier: Apache-2.0 */
/* nqueens.c - the queens, host side. The checker tries the places of each row with a list of queens, no bits; above a
 * size where that takes too long it knows the published numbers (OEIS A000170). */
#include "apps/common/answer.h"
#include "apps/common/options.h"
#include "apps/common/tasks.h"

#include "gen/args/nqueens.h"
#include "raddle/tool.h"

enum { MOST = 20, TRIED = 11 };

typedef struct nqueens_state {
    uint32_t n, serial;
} nqueens_state;

static const rd_option_info info[] = {
    {"cutoff", "ROWS", "7", "count serially when so few rows are left; 0: every board is a task", 0},
    {NULL, NULL, NULL, NULL, 0},
};
static const rd__app_option options[] = {
    {.key = "cutoff", .kind = RD__OPTION_U32, .at = offsetof(nqueens_state, serial), .most = MOST, .of = "rows"},
    {0},
};
static const char *const samples[] = {"8 cutoff=0", "9",           "1 cutoff=0",  "2",
                                      "3 cutoff=1", "6 cutoff=20", "10 cutoff=3", NULL};

static rd_status nqueens_open(rd_job *job, const char *text, rd_error *err)
{
    uint64_t number;
    if (!rd_parse_u64(text, &number) || number < 1 || number > MOST)
        return rd__fail(err, RD_EARG, "nqueens takes a board of 1 to %d rows, not '%s'", MOST, text);
    ((nqueens_state *)job->state)->n = (uint32_t)number;
    return RD_OK;
}

RD__ARGS(nqueens_args, NQUEENS_ARGS)

static uint32_t nqueens_pack(rd_job *job, rd__arg *args)
{
    const nqueens_state *state = job->state;
    const nqueens_args own = {.n = state->n, .serial = state->serial};
    return nqueens_args_pack(&own, args);
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

static rd_status nqueens_check(rd_job *job, const rd_result *result, rd_error *err)
{
    static const uint64_t published[MOST + 1] = {
        1,    1,     0,     0,      2,       10,       4,        40,        92,         352,        724,
        2680, 14200, 73712, 365596, 2279184, 14772512, 95815104, 666090624, 4968057848, 39029188884};
    const nqueens_state *state = job->state;
    int queen[MOST];
    (void)result; /* the sum */
    const uint64_t ways = state->n <= TRIED ? place_queens(queen, 0, (int)state->n) : published[state->n];
    return rd__tasks_expect(job, "the number of ways", ways, err);
}

static void nqueens_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    rd__snprintf(text, room, "%llu ways to place %u queens", (unsigned long long)*result->wide,
                 ((const nqueens_state *)job->state)->n);
}

static const rd__app_ranks in_parts = {.kind = RD__RANKS_SHARE, .root = "nqueens_parts"};

const rd__app rd__app_nqueens = {
    .info = {.name = "nqueens",
             .text = "in how many ways n queens stand on a board of n rows without attacking each other",
             .options = info,
             .input = RD_INPUT_TEXT,
             .input_name = "N",
             .input_text = "N is the number of rows, 1 to 20.\n",
             .samples = samples},
    .forkjoin = {.words = 3, .children = MOST, .join = RD_JOIN_SUM},
    .ranks = &in_parts,
    .state_bytes = sizeof(nqueens_state),
    .options = options,
    .open = nqueens_open,
    .args = nqueens_pack,
    .answer = nqueens_answer,
    .check = nqueens_check,
};
