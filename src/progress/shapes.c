/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shapes.c - see shapes.h.
 *
 * A launch runs copies of a program beside each other, and groups without a role between them. If a scheduler promises
 * that one copy ends, it promises that all do, as long as the threads of each copy have increasing group numbers. For
 * suppose that the launch goes on for ever: then from some moment on the same groups are not at their end, and some
 * copy makes infinitely many steps. Where the promise is about a thread and whether it or higher ones have begun (obe,
 * lobe, fair), it holds in that copy by itself, which is then an endless execution that the scheduler allows. Where it
 * is about the lowest group of all (hsa), that group makes infinitely many steps, in a copy of which it is the lowest.
 * Groups without a role end with their first step, so they are in nobody's way.
 */
#include "progress/shapes.h"

#include "core/hash.h"
#include "progress/run_layout.k.h"

#include <stdio.h>
#include <string.h>

/* LATE: the shape in eight whose delays are longer than a sleeping thread of a CPU takes to come. */
enum { MOST_GROUPS = 1 << 16, LEAST_COPIES = 4, LATE = 4 };

static const char *const placements[] = {"near", "far", "mixed"};
static const char *const amounts[] = {"one copy", "as many as fit", "more than fit"};

rd__shape rd__shape_number(uint32_t number, uint64_t seed, uint32_t variants)
{
    /* What is most likely to tell something comes first; then what the lot says. */
    static const uint8_t first[][2] = {{0, 0}, {1, 1}, {0, 2}, {1, 2}, {2, 2}, {2, 1}};
    const uint64_t lot = rd__mix64(seed + number * RD_GOLDEN);
    const int is_first = number < sizeof first / sizeof first[0];
    return (rd__shape){.placement = is_first ? first[number][0] : (uint8_t)(lot % 3),
                       .amount = is_first ? first[number][1] : (uint8_t)(lot / 3 % 3),
                       .variant = (uint8_t)(is_first ? number % variants : lot / 9 % variants),
                       .apart = lot / 128 % 2 ? 1 : 32,
                       .jitter = number % 8 == LATE ? 1u << 15 : 1u << (lot / 256 % 14)};
}

uint32_t rd__shape_copies(const rd__shape *shape, uint32_t threads, uint32_t resident)
{
    if (shape->amount == 0)
        return 1;
    uint32_t copies = shape->amount == 1 ? resident / threads : 2 * resident / threads + LEAST_COPIES;
    const uint32_t most = MOST_GROUPS / threads;
    return copies < 1 ? 1 : copies > most ? most : copies;
}

uint32_t rd__shape_groups(const rd__shape *shape, uint32_t threads, uint32_t copies)
{
    return threads * copies + (shape->placement == RD__MIXED ? threads * copies / 4 : 0);
}

void rd__shape_roles(const rd__shape *shape, uint32_t threads, uint32_t copies, uint64_t seed, uint32_t *role,
                     uint32_t *next)
{
    const uint32_t groups = rd__shape_groups(shape, threads, copies);
    for (uint32_t g = 0; g < groups; g++)
        if (g >= threads * copies)
            role[g] = PROGRESS_IDLE;
        else
            role[g] = shape->placement == RD__NEAR ? g / threads * 8 + g % threads : g % copies * 8 + g / copies;
    if (shape->placement != RD__MIXED)
        return;
    for (uint32_t g = groups; g > 1; g--) { /* shuffled */
        const uint32_t other = (uint32_t)(rd__mix64(seed + g * RD_GOLDEN) % g), kept = role[other];
        role[other] = role[g - 1];
        role[g - 1] = kept;
    }
    /* and numbered again: in each copy the first to come is thread 0 */
    memset(next, 0, copies * sizeof next[0]);
    for (uint32_t g = 0; g < groups; g++)
        if (role[g] != PROGRESS_IDLE)
            role[g] = role[g] / 8 * 8 + next[role[g] / 8]++;
}

void rd__shape_text(const rd__shape *shape, uint32_t groups, uint32_t lanes, int heavy, uint32_t copies, char *text,
                    size_t bytes)
{
    snprintf(text, bytes, "%u cop%s (%s) in %u groups of %u lanes%s, placed %s, words %s", copies,
             copies == 1 ? "y" : "ies", amounts[shape->amount], groups, lanes, heavy ? " with much group memory" : "",
             placements[shape->placement], shape->apart == 1 ? "side by side" : "on lines of their own");
}
