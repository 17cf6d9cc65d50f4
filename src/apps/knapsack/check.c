/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check.c - proves results of knapsack, serially and with no code of the app's.
 *
 * That the choice is one (numbers, weight, value) is added up. That no choice is better is proved by the first way that
 * is cheap enough:
 *   1. the fractional problem (Dantzig) is worth no more;
 *   2. R. Bellman's table: best value for each capacity, item after item;
 *   3. G. Nemhauser and Z. Ullmann's lists: the pairs (weight, value) that some choice of the first items reaches and
 * no other beats, without those whose fractional completion is worth no more than the claim. When the lists run empty,
 *      nothing is worth more. A list is ascending in both, so all completions are found in one pass.
 */
#include "apps/knapsack/check.h"

#include "core/wide.h"

#include <inttypes.h>
#include <stdlib.h>

static const uint64_t EFFORT = 1ull << 28;
static const uint64_t LIST_MAX = 1ull << 22;

/* ---- Adding up ---- */

rd_status rd__knapsack_check_choice(const rd__knapsack_items *items, const uint32_t *chosen, uint32_t count,
                                    uint64_t value, rd_error *err)
{
    uint64_t sum = 0, weight = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (chosen[i] >= items->count)
            return rd__fail(err, RD_EWRONG, "knapsack: item %u was chosen, but there are only %u", chosen[i],
                            items->count);
        if (i && chosen[i] <= chosen[i - 1])
            return rd__fail(err, RD_EWRONG, "knapsack: item %u was chosen after item %u: twice or out of order",
                            chosen[i], chosen[i - 1]);
        sum += items->value[chosen[i]];
        weight += items->weight[chosen[i]];
    }
    if (weight > items->capacity)
        return rd__fail(err, RD_EWRONG, "knapsack: the chosen items weigh %" PRIu64 ", the capacity is %" PRIu64,
                        weight, items->capacity);
    if (sum != value)
        return rd__fail(err, RD_EWRONG, "knapsack: the chosen items are worth %" PRIu64 ", not %" PRIu64, sum, value);
    return RD_OK;
}

/* ---- Bellman's table ---- */

rd_status rd__knapsack_table(const rd__knapsack_items *items, uint64_t *best, rd_error *err)
{
    uint64_t *table;
    const uint64_t room = items->capacity < items->weight_sum ? items->capacity : items->weight_sum;
    RD_TRY(rd__array_new(&table, "a table of all capacities", room + 1, sizeof *table, err));
    for (uint64_t c = 0; c <= room; c++)
        table[c] = 0;
    for (uint32_t i = 0; i < items->count; i++) {
        const uint64_t weight = items->weight[i], value = items->value[i];
        for (uint64_t c = room; weight <= room && c >= weight; c--)
            if (table[c - weight] + value > table[c])
                table[c] = table[c - weight] + value;
    }
    *best = table[room];
    rd__array_free(table);
    return RD_OK;
}

/* ---- The fractional problem ---- */

typedef struct item {
    uint64_t value, weight;
} item;

static int by_worth(const void *left, const void *right)
{
    const item *a = left, *b = right;
    return -rd__compare_products(a->value, b->weight, b->value, a->weight);
}

/* Items that fit, the best value per weight first. */
static uint32_t sort_items(const rd__knapsack_items *items, item *sorted)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < items->count; i++)
        if (items->weight[i] <= items->capacity)
            sorted[count++] = (item){items->value[i], items->weight[i]};
    if (count)
        qsort(sorted, count, sizeof *sorted, by_worth);
    return count;
}

static uint64_t fractional(const item *sorted, uint32_t count, uint64_t room)
{
    uint64_t value = 0;
    uint32_t i = 0;
    for (; i < count && sorted[i].weight <= room; i++) {
        room -= sorted[i].weight;
        value += sorted[i].value;
    }
    return i < count ? value + rd__mul_div(room, sorted[i].value, sorted[i].weight) : value;
}

/* ---- Lists ---- */

typedef struct pair {
    uint64_t weight, value;
} pair;

/* The union of a list and the same with one more item, without what does not fit or is beaten.
 * @return its length, or more than LIST_MAX. */
static uint64_t extend(const pair *list, uint64_t length, const item *more, uint64_t capacity, pair *out)
{
    uint64_t i = 0, j = 0, n = 0;
    while (i < length || (j < length && list[j].weight + more->weight <= capacity)) {
        pair next;
        if (j == length || list[j].weight + more->weight > capacity ||
            (i < length && list[i].weight <= list[j].weight + more->weight))
            next = list[i++];
        else {
            next = (pair){list[j].weight + more->weight, list[j].value + more->value};
            j++;
        }
        if (n && next.value <= out[n - 1].value)
            continue;
        if (n == LIST_MAX)
            return LIST_MAX + 1;
        out[n++] = next;
    }
    return n;
}

/* Leaves only pairs whose fractional completion with items [from, count) is worth more than `claim`. Lighter pairs come
 * first, so the item that is cut moves only towards the front. */
static uint64_t prune(pair *list, uint64_t length, const item *sorted, uint32_t from, uint32_t count, uint64_t capacity,
                      uint64_t claim)
{
    uint64_t n = 0, weight = 0, value = 0;
    uint32_t cut = from;
    if (length == 0)
        return 0;
    for (; cut < count && weight + sorted[cut].weight <= capacity - list[0].weight; cut++) {
        weight += sorted[cut].weight;
        value += sorted[cut].value;
    }
    for (uint64_t i = 0; i < length; i++) {
        const uint64_t room = capacity - list[i].weight;
        while (weight > room) {
            cut--;
            weight -= sorted[cut].weight;
            value -= sorted[cut].value;
        }
        uint64_t bound = list[i].value + value;
        if (cut < count)
            bound += rd__mul_div(room - weight, sorted[cut].value, sorted[cut].weight);
        if (bound > claim)
            list[n++] = list[i];
    }
    return n;
}

static rd_status lists(const rd__knapsack_items *items, const item *sorted, uint32_t count, uint64_t claim,
                       uint64_t effort, rd__knapsack_proof *proof, rd_error *err)
{
    pair *list, *other = NULL;
    rd_status status = rd__array_new(&list, "a list of weights", LIST_MAX, sizeof *list, err);
    if (status == RD_OK)
        status = rd__array_new(&other, "a list of weights", LIST_MAX, sizeof *other, err);
    uint64_t length = 1, spent = 0;
    if (status == RD_OK)
        list[0] = (pair){0, 0};
    for (uint32_t i = 0; status == RD_OK && i < count && length && length <= LIST_MAX && spent < effort; i++) {
        length = extend(list, length, &sorted[i], items->capacity, other);
        spent += length;
        if (length > LIST_MAX)
            break;
        if (length && other[length - 1].value > claim)
            status = rd__fail(err, RD_EWRONG,
                              "knapsack: %" PRIu64 " was said to be the most, but a choice worth %" PRIu64 " fits",
                              claim, other[length - 1].value);
        length = prune(other, length, sorted, i + 1, count, items->capacity, claim);
        pair *swap = list;
        list = other;
        other = swap;
    }
    if (status == RD_OK)
        *proof = length == 0 ? RD__KNAPSACK_BY_LISTS : RD__KNAPSACK_UNPROVED;
    rd__array_free(list);
    rd__array_free(other);
    return status;
}

/* ---- The whole ---- */

static rd_status prove(const rd__knapsack_items *items, uint64_t value, uint64_t effort, item *sorted,
                       rd__knapsack_proof *proof, uint64_t *bound, rd_error *err)
{
    const uint32_t count = sort_items(items, sorted);
    *bound = fractional(sorted, count, items->capacity);
    *proof = RD__KNAPSACK_BY_BOUND;
    if (*bound == value)
        return RD_OK;
    const uint64_t room = items->capacity < items->weight_sum ? items->capacity : items->weight_sum;
    if (items->count == 0 || room <= effort / 8 / items->count) {
        uint64_t best = 0;
        *proof = RD__KNAPSACK_BY_TABLE;
        RD_TRY(rd__knapsack_table(items, &best, err));
        if (best != value)
            return rd__fail(err, RD_EWRONG,
                            "knapsack: %" PRIu64 " was said to be the most, but a choice worth %" PRIu64 " fits", value,
                            best);
    } else {
        RD_TRY(lists(items, sorted, count, value, effort, proof, err));
    }
    if (*proof != RD__KNAPSACK_UNPROVED)
        *bound = value;
    return RD_OK;
}

rd_status rd__knapsack_check(const rd__knapsack_items *items, const uint32_t *chosen, uint32_t count, uint64_t value,
                             uint64_t effort, rd__knapsack_proof *proof, uint64_t *bound, rd_error *err)
{
    item *sorted;
    *proof = RD__KNAPSACK_UNPROVED;
    RD_TRY(rd__knapsack_check_choice(items, chosen, count, value, err));
    if (value < items->published)
        return rd__fail(err, RD_EWRONG,
                        "knapsack: %" PRIu64 " was said to be the most, but the solution in the file is worth %" PRIu64,
                        value, items->published);
    RD_TRY(rd__array_new(&sorted, "items to sort", items->count, sizeof *sorted, err));
    const rd_status status = prove(items, value, effort ? effort : EFFORT, sorted, proof, bound, err);
    rd__array_free(sorted);
    return status;
}

const char *rd__knapsack_proof_text(rd__knapsack_proof proof)
{
    switch (proof) {
    case RD__KNAPSACK_BY_BOUND: return "the most by the fractional bound";
    case RD__KNAPSACK_BY_TABLE: return "the most by a table of all capacities";
    case RD__KNAPSACK_BY_LISTS: return "the most by lists of weights";
    default: return "it adds up; that it is the most was too much to prove";
    }
}
