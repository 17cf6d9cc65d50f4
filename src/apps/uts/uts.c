/* SPDX-License-Identifier: Apache-2.0 */
/* uts.c - unbalanced tree search, host side: which tree, and the table of thresholds from which kernels tell how many
 * children a node has. */
#define _POSIX_C_SOURCE 200809L /* strtok_r */
#include "apps/common/answer.h"
#include "apps/common/arrays.h"
#include "apps/common/tasks.h"
#include "apps/uts/check.h"

#include "core/memory.h"
#include "gen/args/uts.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

enum { MOST_DEPTH = 1000, WIDTH = UTS_MOST_CHILDREN + 1 };

typedef struct uts_state {
    uts_tree tree;
    uint32_t rows;
    rd__buffer table;
} uts_state;

static const struct named {
    const char *name;
    uts_tree tree;
} known[] = {
    {"T1", {UTS_GEOMETRIC, UTS_FIXED, 4, 10, 0, 0, 19, 4130071}},
    {"T2", {UTS_GEOMETRIC, UTS_CYCLIC, 6, 16, 0, 0, 502, 4117769}},
    {"T3", {UTS_BINOMIAL, UTS_LINEAR, 2000, 0, 0.124875, 8, 42, 4112897}},
    {"T5", {UTS_GEOMETRIC, UTS_LINEAR, 4, 20, 0, 0, 34, 4147582}},
    {"T1L", {UTS_GEOMETRIC, UTS_FIXED, 4, 13, 0, 0, 29, 102181082}},
    {"T3L", {UTS_BINOMIAL, UTS_LINEAR, 2000, 0, 0.200014, 5, 7, 111345631}},
    {"T1XL", {UTS_GEOMETRIC, UTS_FIXED, 4, 15, 0, 0, 29, 1635119272}},
    {"T1XXL", {UTS_GEOMETRIC, UTS_FIXED, 4, 15, 0, 0, 19, 4230646601}},
};

static const rd__app_array arrays[] = {
    {.name = "thresholds", .at = offsetof(uts_state, table), .each = 4 * WIDTH}, /* an item is a depth */
    {0},
};
static const char *const samples[] = {"geo:fixed:4:6:19",
                                      "geo:linear:4:9:34",
                                      "geo:expdec:3:5:1",
                                      "geo:cyclic:2:4:502",
                                      "bin:100:0.12:8:42",
                                      "bin:3:0:2:1",
                                      NULL};

/* ---- Which tree ---- */

/* @return how many parts there are; only the first `most` are kept. */
static int split(char *text, char **part, int most)
{
    int count = 0;
    char *rest = text;
    for (char *word = strtok_r(text, ":", &rest); word; word = strtok_r(NULL, ":", &rest), count++)
        if (count < most)
            part[count] = word;
    return count;
}

static int read_geometric(char *const *part, uts_tree *tree)
{
    static const char *const forms[] = {"linear", "expdec", "cyclic", "fixed"};
    uint64_t depth, seed;
    int form = 0;
    while (form < 4 && strcmp(part[1], forms[form]) != 0)
        form++;
    if (form == 4 || !rd_parse_double(part[2], &tree->b0) || !rd_parse_u64(part[3], &depth) ||
        !rd_parse_u64(part[4], &seed) || tree->b0 <= 1 || tree->b0 > 50 || depth < 2 ||
        depth > (form == UTS_EXPDEC ? 50 : MOST_DEPTH / 5) || seed > INT32_MAX)
        return 0;
    tree->kind = UTS_GEOMETRIC;
    tree->form = (uts_form)form;
    tree->depth = (uint32_t)depth;
    tree->seed = (uint32_t)seed;
    return 1;
}

static int read_binomial(char *const *part, uts_tree *tree)
{
    uint64_t root, m, seed;
    if (!rd_parse_u64(part[1], &root) || !rd_parse_double(part[2], &tree->q) || !rd_parse_u64(part[3], &m) ||
        !rd_parse_u64(part[4], &seed) || root < 1 || root > 65535 || m < 1 || m > UTS_MOST_CHILDREN || tree->q < 0 ||
        tree->q * (double)m >= 1 + 1e-3 || seed > INT32_MAX)
        return 0;
    tree->kind = UTS_BINOMIAL;
    tree->b0 = (double)root;
    tree->m = (uint32_t)m;
    tree->seed = (uint32_t)seed;
    return 1;
}

static rd_status uts_open(rd_job *job, const char *text, rd_error *err)
{
    uts_state *state = job->state;
    char copy[96], *part[6];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(text, known[i].name) == 0) {
            state->tree = known[i].tree;
            return RD_OK;
        }
    memset(&state->tree, 0, sizeof state->tree);
    const int fits = snprintf(copy, sizeof copy, "%s", text) < (int)sizeof copy;
    const int parts = fits ? split(copy, part, 5) : 0;
    if (parts == 5 && strcmp(part[0], "geo") == 0 && read_geometric(part, &state->tree))
        return RD_OK;
    if (parts == 5 && strcmp(part[0], "bin") == 0 && read_binomial(part, &state->tree))
        return RD_OK;
    return rd__fail(
        err, RD_EARG,
        "uts knows no tree '%s': use T1, T2, T3, T5, T1L, T3L, T1XL, T1XXL, "
        "geo:fixed|linear|cyclic|expdec:CHILDREN:DEPTH:SEED (more than 1 child, depth 2 to %d, of expdec to 50) or "
        "bin:CHILDREN:PROBABILITY:M:SEED (PROBABILITY times M at most 1)",
        text, MOST_DEPTH / 5);
}

/* ---- Thresholds ---- */

/* The least value with at least k children, of a geometric tree, where the number grows with the value. */
static uint32_t least(const uts_tree *tree, uint32_t depth, uint32_t k)
{
    uint32_t low = 0, high = 1u << 31;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rd__uts_children(tree, depth, middle) >= k)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint32_t rows_of(const uts_tree *tree)
{
    if (tree->kind == UTS_BINOMIAL)
        return 1;
    if (tree->form == UTS_EXPDEC) /* no end, but no tree gets that deep: hundreds of levels that each shrink */
        return MOST_DEPTH;
    return tree->form == UTS_CYCLIC ? 5 * tree->depth + 2 : tree->depth + 1;
}

static void fill_table(const uts_tree *tree, uint32_t rows, uint32_t *table)
{
    for (uint32_t d = 0; d < rows; d++)
        for (uint32_t k = 0; k < WIDTH; k++)
            table[(size_t)d * WIDTH + k] = k == WIDTH - 1 ? UINT32_MAX : least(tree, d, k + 1);
}

/* The first value that has no children, of a binomial tree. */
static uint32_t binomial_limit(const uts_tree *tree)
{
    uint32_t low = 0, high = 1u << 31;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rd__uts_children(tree, 1, middle) == 0)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static uint64_t uts_items(const rd_job *job)
{
    return rows_of(&((const uts_state *)job->state)->tree);
}

static rd_status uts_alloc(rd_job *job, rd_error *err)
{
    uts_state *state = job->state;
    uint32_t *table = NULL;
    state->rows = rows_of(&state->tree);
    const uint64_t words = (uint64_t)state->rows * WIDTH;
    RD_TRY(rd__array_new(&table, "thresholds", words, sizeof *table, err));
    if (state->tree.kind == UTS_BINOMIAL)
        table[0] = binomial_limit(&state->tree);
    else
        fill_table(&state->tree, state->rows, table);
    const rd_status status = rd__buffer_write(&state->table, 0, 4 * words, table, err);
    rd__array_free(table);
    return status;
}

RD__ARGS(uts_args, UTS_ARGS)

static uint32_t uts_pack(rd_job *job, rd__arg *args)
{
    const uts_state *state = job->state;
    const int binomial = state->tree.kind == UTS_BINOMIAL;
    const uts_args own = {.table = &state->table,
                          .rows = state->rows,
                          .width = WIDTH,
                          .root = state->tree.seed,
                          .first = binomial ? (uint32_t)state->tree.b0 : 0,
                          .threshold = 0, /* of own files: it is in the table */
                          .m = binomial ? state->tree.m : 0};
    return uts_args_pack(&own, args);
}

static rd_status uts_check(rd_job *job, const rd_result *result, rd_error *err)
{
    return rd__uts_check(&((const uts_state *)job->state)->tree, *result->wide, err);
}

static void uts_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    (void)job;
    rd__snprintf(text, room, "%llu nodes", (unsigned long long)*result->wide);
}

static const rd__app_ranks in_parts = {.kind = RD__RANKS_SHARE, .root = "uts_parts"};

const rd__app rd__app_uts = {
    .info = {.name = "uts",
             .text = "unbalanced tree search: counts the nodes of a tree that only hash values tell",
             .input = RD_INPUT_TEXT,
             .input_name = "TREE",
             .input_text =
                 "TREE is one of the published T1 T2 T3 T5 (4 million nodes), T1L T3L (100 million), T1XL, T1XXL\n"
                 "(1.6 and 4.2 billion), or geo:FORM:CHILDREN:DEPTH:SEED with FORM fixed, linear, cyclic or expdec,\n"
                 "or bin:CHILDREN:PROBABILITY:M:SEED.\n",
             .samples = samples},
    .forkjoin = {.words = 7, .children = 2, .join = RD_JOIN_NONE},
    .ranks = &in_parts,
    .state_bytes = sizeof(uts_state),
    .open = uts_open,
    .arrays = arrays,
    .items = uts_items,
    .alloc = uts_alloc,
    .args = uts_pack,
    .answer = uts_answer,
    .check = uts_check,
};
