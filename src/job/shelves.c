/* SPDX-License-Identifier: Apache-2.0 */
/* shelves.c - see shelves.h. */
#include "job/shelves.h"

#include "core/memory.h"
#include "raddle/graph.h"

#include <string.h>

enum { LEAST_ROOM = 64 };

rd_status rd__shelf_reserve(rd__shelf *shelf, uint64_t more, rd_error *err)
{
    uint64_t room = shelf->room ? shelf->room : LEAST_ROOM;
    while (room - shelf->count < more)
        room *= 2;
    if (room > shelf->room)
        RD_TRY(rd__array_grow(&shelf->vertex, "vertices that wait", shelf->count, room, sizeof *shelf->vertex, err));
    shelf->room = room;
    return RD_OK;
}

rd_status rd__shelf_add(rd__shelf *shelf, uint32_t vertex, rd_error *err)
{
    RD_TRY(rd__shelf_reserve(shelf, 1, err));
    shelf->vertex[shelf->count++] = vertex;
    return RD_OK;
}

/* The numbers of words grow, so it is found by halves; of floats as of integers, for words have the order of both. */
uint32_t rd__shelf_word(const rd__shelves *s, uint64_t number)
{
    uint32_t low = 0, high = s->real ? 0x7f800000u : RD_NONE; /* infinity has the last number of all */
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (rd__shelf_of(s, middle) < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* From the heap to the ring, as far as that goes. */
static rd_status bring(rd__shelves *s, rd__due_fn *due, const void *user, rd_error *err)
{
    rd__shelf *far = &s->far;
    uint64_t kept = 0, first = RD__SHELF_NONE;
    rd_status status = RD_OK;
    for (uint64_t i = 0; i < far->count; i++) {
        const uint32_t v = far->vertex[i], word = status == RD_OK ? due(user, v) : 0;
        const uint64_t number = word == RD_NONE ? 0 : rd__shelf_of(s, word);
        if (word == RD_NONE)
            continue;
        if (status == RD_OK && number - s->base < RD__SHELVES) {
            status = rd__shelves_put(s, v, number, err);
            continue;
        }
        first = number < first ? number : first;
        far->vertex[kept++] = v;
    }
    far->count = kept;
    s->far_first = first;
    return status;
}

rd_status rd__shelves_move(rd__shelves *s, uint64_t base, uint64_t until, rd__due_fn *due, const void *user,
                           rd_error *err)
{
    s->base = base;
    s->first = s->first < base ? base : s->first;
    if (s->far.count && s->far_first < until + RD__SHELVES / 2)
        return bring(s, due, user, err);
    return RD_OK;
}

/* Whoever of a list is not due is dropped. @return the least number of those that are. */
static uint64_t sift(const rd__shelves *s, rd__shelf *shelf, rd__due_fn *due, const void *user)
{
    uint64_t kept = 0, first = RD__SHELF_NONE;
    for (uint64_t i = 0; i < shelf->count; i++) {
        const uint32_t word = due(user, shelf->vertex[i]);
        if (word == RD_NONE)
            continue;
        const uint64_t number = rd__shelf_of(s, word);
        first = number < first ? number : first;
        shelf->vertex[kept++] = shelf->vertex[i];
    }
    shelf->count = kept;
    return first;
}

uint64_t rd__shelves_first(rd__shelves *s, rd__due_fn *due, const void *user)
{
    for (; s->first - s->base < RD__SHELVES; s->first++) {
        rd__shelf *shelf = &s->near[s->first % RD__SHELVES];
        if (shelf->count && sift(s, shelf, due, user) != RD__SHELF_NONE)
            return s->first;
    }
    s->far_first = sift(s, &s->far, due, user);
    return s->far_first;
}

rd_status rd__shelves_set(rd__shelves *s, double per, rd__due_fn *due, const void *user, rd_error *err)
{
    for (uint64_t i = 0; i < RD__SHELVES; i++) {
        for (uint64_t k = 0; k < s->near[i].count; k++)
            if (due(user, s->near[i].vertex[k]) != RD_NONE)
                RD_TRY(rd__shelf_add(&s->far, s->near[i].vertex[k], err));
        s->near[i].count = 0;
    }
    s->per = per;
    s->base = 0;
    s->first = RD__SHELVES;
    s->far_first = s->far.count ? 0 : RD__SHELF_NONE;
    return RD_OK;
}

void rd__shelves_clear(rd__shelves *s)
{
    for (uint64_t i = 0; i < RD__SHELVES; i++)
        s->near[i].count = 0;
    s->far.count = 0;
    s->base = 0;
    s->first = RD__SHELVES;
    s->far_first = RD__SHELF_NONE;
}

void rd__shelves_free(rd__shelves *s)
{
    for (uint64_t i = 0; i < RD__SHELVES; i++)
        rd__array_free(s->near[i].vertex);
    rd__array_free(s->far.vertex);
    memset(s, 0, sizeof *s);
}
