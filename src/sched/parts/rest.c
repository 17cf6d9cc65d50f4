/* SPDX-License-Identifier: Apache-2.0 */
/* rest.c - see rest.h. */
#include "sched/parts/rest.h"

#include <string.h>

int rd__rest_may_be(const rd__sched_job *job)
{
    return job->device && job->device->caps.cores;
}

uint64_t rd__rest_bytes(const rd__sched_job *job)
{
    return rd__rest_may_be(job) ? 4ull * REST_WORDS : 0;
}

uint64_t rd__rest_cleared(const rd__sched_job *job, uint32_t groups)
{
    return rd__rest_may_be(job) ? 16ull * (groups < REST_MOST ? groups : REST_MOST) : 0;
}

int rd__rest_is_left(const uint32_t *head, uint32_t *round)
{
    if (head[REST_AT])
        *round = head[REST_AT] - 1;
    return head[REST_AT] != 0;
}

/* The list as it is made: pieces of two words, and no more than there is room for (parts/rest.k.h). */
typedef struct list {
    uint32_t word[2 * 3 * REST_MOST], count;
} list;

static void add(list *to, const uint32_t *piece, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (piece[2 * i] < piece[2 * i + 1]) {
            memcpy(to->word + 2 * (size_t)to->count, piece + 2 * (size_t)i, 2 * sizeof *piece);
            to->count++;
        }
}

/* Where places begin that are nobody's, when so many claims were taken that are not of the list before. */
static uint32_t first_free(const uint32_t *head, uint32_t before, uint32_t taken)
{
    const uint32_t units = head[REST_UNITS] > before ? head[REST_UNITS] - before : 0;
    const uint64_t at = before + (taken <= units ? taken : units + (uint64_t)(taken - units) * head[REST_SIZE]);
    return at < UINT32_MAX ? (uint32_t)at : UINT32_MAX;
}

rd_status rd__rest_go_on(const rd__rest *rest, const uint32_t *head, uint32_t cursor, const uint32_t *piece,
                         uint32_t more, rd_error *err)
{
    const uint32_t count = head[REST_COUNT], claims = head[REST_CLAIMS];
    const uint32_t taken = claims <= count || claims - count < cursor ? claims : count + cursor;
    const int again = head[REST_STEP] == head[REST_AT];
    const uint32_t left = again ? head[REST_LEFT] : 0, from = again ? head[REST_FROM] : 0;
    uint32_t back[4 * REST_MOST], old[2 * 3 * REST_MOST];
    list now;
    now.count = 0;
    RD_TRY(rd__buffer_read(rest->control, 4 * (rest->entries + REST_BACK), 16ull * count, back, err));
    add(&now, back, 2 * count);
    if (taken < left) {
        RD_TRY(rd__buffer_read(rest->control, 4 * (rest->entries + REST_LIST), 8ull * left, old, err));
        add(&now, old + 2 * (size_t)taken, left - taken);
    }
    if (head[REST_OWNED])
        add(&now, piece, more);
    uint32_t next[3] = {head[REST_AT], now.count, from};
    if (head[REST_OWNED])
        next[2] = UINT32_MAX; /* all of it is in pieces */
    else if (taken > left)
        next[2] = first_free(head, from, taken - left);
    memset(back, 0, 16ull * count);
    const uint32_t none = 0;
    RD_TRY(rd__buffer_write(rest->control, 4 * (rest->entries + REST_BACK), 16ull * count, back, err));
    RD_TRY(rd__buffer_write(rest->control, 4 * (rest->entries + REST_LIST), 8ull * now.count, now.word, err));
    RD_TRY(rd__buffer_write(rest->control, 4 * (rest->head + REST_STEP), sizeof next, next, err));
    return rd__buffer_write(rest->control, 4 * (rest->head + REST_AT), sizeof none, &none, err);
}
