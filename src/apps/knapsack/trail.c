/* SPDX-License-Identifier: Apache-2.0 */
/*
 * trail.c - collects the trail between launches: entries that no waiting task and no kept solution leads to
 * are dropped, the others move together, and tasks and entries that name them are told their new places.
 *
 * Between launches every task waits and has its record in the pool, so the slots in use are all there is to follow. Of
 * the solutions only the best one is kept. An entry is marked once, however many paths share it.
 */
#include "apps/knapsack/state.h"

#include "core/memory.h"

typedef struct image {
    uint32_t *used;
    uint64_t *pool, *trail, *notes;
    uint32_t *place; /* of each entry: KNAPSACK_ROOT unless marked; then its new index */
    uint64_t entries;
} image;

static void mark(image *im, uint64_t at)
{
    while (at < im->entries && im->place[at] == KNAPSACK_ROOT) {
        im->place[at] = 0;
        at = im->trail[KNAPSACK_TRAIL_WORDS * at + KNAPSACK_TRAIL_PARENT];
    }
}

static uint64_t moved(const image *im, uint64_t at)
{
    return at < im->entries ? im->place[at] : at;
}

/* The upper half of a word that holds a level and an entry. */
static void move_place(const image *im, uint64_t *word)
{
    *word = (*word & UINT32_MAX) | moved(im, *word >> 32) << 32;
}

/* Calls mark or move_place for all that leads to entries. */
static void mark_all(image *im, const knapsack_sizes *sizes)
{
    for (uint32_t slot = 0; slot < sizes->slots; slot++)
        if (im->used[slot / 32] >> slot % 32 & 1)
            mark(im, im->pool[KNAPSACK_TASK_WORDS * (uint64_t)slot + KNAPSACK_TASK_PLACE] >> 32);
    for (uint32_t i = 0; i < KNAPSACK_LIST_SIZE; i++) {
        uint64_t *solution = im->notes + KNAPSACK_LIST + KNAPSACK_SOLUTION_WORDS * i;
        if (solution[KNAPSACK_SOLUTION_VALUE] == im->notes[KNAPSACK_BEST])
            mark(im, solution[KNAPSACK_SOLUTION_PLACE] >> 32);
        else
            solution[KNAPSACK_SOLUTION_VALUE] = 0;
    }
}

static void move_all(image *im, const knapsack_sizes *sizes)
{
    uint64_t kept = 0;
    for (uint64_t at = 0; at < im->entries; at++)
        if (im->place[at] != KNAPSACK_ROOT)
            im->place[at] = (uint32_t)kept++;
    for (uint64_t at = 0; at < im->entries; at++)
        if (im->place[at] != KNAPSACK_ROOT) { /* to a place at or before this one: nothing unread is overwritten */
            const uint64_t *from = im->trail + KNAPSACK_TRAIL_WORDS * at;
            uint64_t *to = im->trail + KNAPSACK_TRAIL_WORDS * (uint64_t)im->place[at];
            to[KNAPSACK_TRAIL_BITS] = from[KNAPSACK_TRAIL_BITS];
            to[KNAPSACK_TRAIL_OPEN] = from[KNAPSACK_TRAIL_OPEN];
            to[KNAPSACK_TRAIL_PARENT] = moved(im, from[KNAPSACK_TRAIL_PARENT]);
        }
    for (uint32_t slot = 0; slot < sizes->slots; slot++)
        if (im->used[slot / 32] >> slot % 32 & 1)
            move_place(im, &im->pool[KNAPSACK_TASK_WORDS * (uint64_t)slot + KNAPSACK_TASK_PLACE]);
    for (uint32_t i = 0; i < KNAPSACK_LIST_SIZE; i++) {
        uint64_t *solution = im->notes + KNAPSACK_LIST + KNAPSACK_SOLUTION_WORDS * i;
        if (solution[KNAPSACK_SOLUTION_VALUE])
            move_place(im, &solution[KNAPSACK_SOLUTION_PLACE]);
    }
    im->entries = kept;
}

static rd_status collect(knapsack_state *own, image *im, rd_error *err)
{
    const knapsack_sizes *sizes = &own->sizes;
    const uint64_t pool_words = KNAPSACK_TASK_WORDS * (uint64_t)sizes->slots, notes = 8 * KNAPSACK_CONTROL_WORDS;
    RD_TRY(rd__array_new(&im->notes, "counters of knapsack", KNAPSACK_CONTROL_WORDS, 8, err));
    RD_TRY(rd__buffer_read(&own->control, 0, notes, im->notes, err));
    im->entries = im->notes[KNAPSACK_TRAIL] < sizes->trail ? im->notes[KNAPSACK_TRAIL] : sizes->trail;
    const uint64_t trail_words = KNAPSACK_TRAIL_WORDS * im->entries;
    RD_TRY(rd__array_new(&im->used, "slots in use on the host", sizes->slots / 32, 4, err));
    RD_TRY(rd__array_new(&im->pool, "pool of tasks on the host", pool_words, 8, err));
    RD_TRY(rd__array_new(&im->trail, "trail on the host", trail_words, 8, err));
    RD_TRY(rd__array_new(&im->place, "places in the trail", im->entries, 4, err));
    RD_TRY(rd__buffer_read(&own->used, 0, sizes->slots / 8, im->used, err));
    RD_TRY(rd__buffer_read(&own->pool_buffer, 0, 8 * pool_words, im->pool, err));
    RD_TRY(rd__buffer_read(&own->trail, 0, 8 * trail_words, im->trail, err));
    for (uint64_t i = 0; i < im->entries; i++)
        im->place[i] = KNAPSACK_ROOT;
    mark_all(im, sizes);
    move_all(im, sizes);
    im->notes[KNAPSACK_TRAIL] = im->entries;
    if (im->entries)
        RD_TRY(rd__buffer_write(&own->trail, 0, 8 * KNAPSACK_TRAIL_WORDS * im->entries, im->trail, err));
    RD_TRY(rd__buffer_write(&own->pool_buffer, 0, 8 * pool_words, im->pool, err));
    return rd__buffer_write(&own->control, 0, notes, im->notes, err);
}

rd_status rd__knapsack_collect_trail(knapsack_state *own, rd_error *err)
{
    image im = {0};
    const rd_status status = collect(own, &im, err);
    rd__array_free(im.used);
    rd__array_free(im.pool);
    rd__array_free(im.trail);
    rd__array_free(im.notes);
    rd__array_free(im.place);
    own->collections += status == RD_OK;
    return status;
}
