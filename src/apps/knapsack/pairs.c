/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pairs.c - see pairs.h. A state fills its window only; with a few thousand states and all pairs of an item that goes
 * and one that comes there are billions of choices, each state's best of which two fingers on sorted lists find in one
 * pass. That is what meets a bound to the last unit where items are many and alike (after D. Pisinger's COMBO, 1999,
 * which pairs states with single items).
 */
#include "apps/knapsack/pairs.h"

#include "core/memory.h"

#include <stdlib.h>

static int by_weight(const void *left, const void *right)
{
    const rd__knapsack_end *a = left, *b = right;
    if (a->weight != b->weight)
        return a->weight < b->weight ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* None, then items [from, to), by weight. */
static void fill(const rd__knapsack_core *core, rd__knapsack_end *list, uint32_t from, uint32_t to)
{
    list[0] = (rd__knapsack_end){0, 0, RD__NO_ITEM};
    for (uint32_t i = from; i < to; i++) {
        const uint64_t *at = core->prefix + 2ull * i;
        list[i - from + 1] = (rd__knapsack_end){(int64_t)(at[2] - at[0]), (int64_t)(at[3] - at[1]), i};
    }
    qsort(list + 1, to - from, sizeof *list, by_weight);
}

rd_status rd__knapsack_pairs_make(const rd__knapsack_core *core, uint32_t level, rd__knapsack_pairs *pairs,
                                  rd_error *err)
{
    uint32_t first, end;
    rd__knapsack_window(core, level, &first, &end);
    *pairs = (rd__knapsack_pairs){.outs = first + 1, .ins = core->count - end + 1};
    RD_TRY(rd__array_new(&pairs->out, "items that may go", pairs->outs, sizeof *pairs->out, err));
    RD_TRY(rd__array_new(&pairs->in, "items that may come", pairs->ins, sizeof *pairs->in, err));
    fill(core, pairs->out, 0, first);
    fill(core, pairs->in, end, core->count);
    for (uint32_t i = 1; i < pairs->ins; i++)
        if (pairs->in[i].value <= pairs->in[i - 1].value) {
            pairs->in[i].value = pairs->in[i - 1].value;
            pairs->in[i].place = pairs->in[i - 1].place;
        }
    return RD_OK;
}

void rd__knapsack_pairs_free(rd__knapsack_pairs *pairs)
{
    rd__array_free(pairs->out);
    rd__array_free(pairs->in);
    *pairs = (rd__knapsack_pairs){0};
}

int64_t rd__knapsack_pairs_best(const rd__knapsack_pairs *pairs, int64_t room, uint32_t *out, uint32_t *in)
{
    int64_t best = INT64_MIN;
    uint32_t i = 0;
    for (uint32_t o = 0; o < pairs->outs; o++) {
        const int64_t free_now = room + pairs->out[o].weight;
        if (free_now < 0)
            continue;
        while (i + 1 < pairs->ins && pairs->in[i + 1].weight <= free_now)
            i++;
        const int64_t more = pairs->in[i].value - pairs->out[o].value;
        if (more > best) {
            best = more;
            *out = pairs->out[o].place;
            *in = pairs->in[i].place;
        }
    }
    return best;
}
