/* SPDX-License-Identifier: Apache-2.0 */
/* knapsack.c - knapsacks from files, their best value by trying all choices or by a table over capacities. */
#include "problems.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct sack {
    uint32_t count;
    uint64_t capacity, best;
    uint64_t value[64], weight[64];
};

static uint64_t by_table(const struct sack *s)
{
    uint64_t *best = need(calloc(s->capacity + 1, sizeof *best));
    for (uint32_t i = 0; i < s->count; i++)
        for (uint64_t c = s->capacity + 1; c-- > s->weight[i];)
            if (best[c - s->weight[i]] + s->value[i] > best[c])
                best[c] = best[c - s->weight[i]] + s->value[i];
    const uint64_t most = best[s->capacity];
    free(best);
    return most;
}

static uint64_t by_trying(const struct sack *s)
{
    uint64_t most = 0;
    for (uint32_t choice = 0; choice < 1u << s->count; choice++) {
        uint64_t value = 0, weight = 0;
        for (uint32_t i = 0; i < s->count; i++)
            if (choice >> i & 1) {
                value += s->value[i];
                weight += s->weight[i];
            }
        if (weight <= s->capacity && value > most)
            most = value;
    }
    return most;
}

static void draw_items(struct sack *s, rng *r, int huge)
{
    const uint64_t kind = rng_below(r, 6), range = huge ? 1ull << (31 + rng_below(r, 27)) : rng_sized(r, 1, 200);
    s->count = (uint32_t)rng_below(r, huge ? 13 : 48);
    for (uint32_t i = 0; i < s->count; i++) {
        const uint64_t w = 1 + rng_below(r, range);
        uint64_t v = w;
        switch (kind) {
        case 0: v = rng_below(r, range + 1); break;
        case 1: v = w + range / 10; break;
        case 2: v = w; break;
        case 3: v = 0; break;
        case 4: v = w > 3 ? w + rng_below(r, 7) - 3 : w; break;
        default: v = huge ? range - rng_below(r, 3) : rng_sized(r, 0, 5000);
        }
        s->weight[i] = w;
        s->value[i] = v;
    }
    if (s->count > 2 && rng_chance(r, 20)) { /* twins */
        s->weight[1] = s->weight[0];
        s->value[1] = s->value[0];
    }
}

/* One of the three layouts; `solved`: nothing chosen, as a solution at the end. */
static void write_sack(work *w, const struct sack *s, uint64_t form, int solved)
{
    FILE *file = problem_file(w);
    fprintf(file, "%u", s->count);
    if (form < 2)
        fprintf(file, "%s%" PRIu64, form ? "\n\n" : " ", s->capacity);
    fputc('\n', file);
    for (uint32_t i = 0; i < s->count; i++) {
        if (form == 2)
            fprintf(file, "%u ", i + 1);
        fprintf(file, "%" PRIu64 " %" PRIu64 "\n", s->value[i], s->weight[i]);
    }
    if (form == 2)
        fprintf(file, "%" PRIu64 "\n", s->capacity);
    for (uint32_t i = 0; solved && i < s->count; i++)
        fprintf(file, "0%c", i + 1 < s->count ? ' ' : '\n');
    if (fclose(file) != 0)
        need(NULL);
}

void knapsack_draw(work *w, rng *r)
{
    struct sack *s = w->answer = need(calloc(1, sizeof *s));
    const int huge = rng_chance(r, 15);
    uint64_t sum = 0;
    draw_items(s, r, huge);
    for (uint32_t i = 0; i < s->count; i++)
        sum += s->weight[i];
    const uint64_t kind = rng_below(r, 8);
    s->capacity = kind == 0 ? 0 : kind == 1 ? sum : kind == 2 ? sum + rng_below(r, 100) : rng_below(r, sum + 1);
    s->best = huge ? by_trying(s) : by_table(s);
    static const char *const efforts[] = {"0", "25", "1000", "256M"};
    work_set(w, "states", "%s", efforts[rng_below(r, 4)]);
    write_sack(w, s, rng_below(r, 3), rng_chance(r, 30));
}

int knapsack_judge(const work *w, const rd_result *result, const rd_report *report, int partial, char *why)
{
    const struct sack *s = w->answer;
    uint64_t value = 0, weight = 0;
    uint8_t chosen[64] = {0};
    (void)report;
    for (uint64_t i = 0; i < result->count; i++) {
        const uint32_t item = result->word[i];
        if (item >= s->count || chosen[item]++) {
            snprintf(why, WHY_MOST, "item %u is chosen, of %u, or twice", item, s->count);
            return 0;
        }
        value += s->value[item];
        weight += s->weight[item];
    }
    if (weight <= s->capacity && (partial ? value <= s->best : value == s->best))
        return 1;
    snprintf(why, WHY_MOST,
             "the choice is worth %" PRIu64 " and weighs %" PRIu64 "; the best of %u items in %" PRIu64
             " is worth %" PRIu64,
             value, weight, s->count, s->capacity, s->best);
    return 0;
}
