/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks.c - knapsack on several ranks: what job/ranks_bound.c asks of an app. Between two whiles all tasks of a rank
 * lie in its pool (parts.k.c); `used` says where. A task that goes to another rank takes its whole path with it, since
 * the trail stays: the words of a record are
 *
 *   rank, the task's own KNAPSACK_TASK_WORDS, and for each 64 levels above, the nearest first, its two words.
 *
 * All ranks know the best value of all, some waves late, which costs time only. The rank that has found the best
 * solution has its path, and tells the others which items it is. Nodes that one rank has met are not known to others:
 * what is dominated is found by each for itself.
 */
#include "apps/knapsack/ranks.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "ranks/ranks.h"
#include "sched/freeze.h"

#include <inttypes.h>
#include <string.h>

enum {
    FIRST_BUDGET = 64,
    LEAST_BUDGET = 512,
    MOST_GIVEN = 4096,
    RECORD_HEAD = 1 + KNAPSACK_TASK_WORDS,
    ENTRY_WORDS = 2
};
static const double while_s = 0.1;

static uint64_t rank_at(const knapsack_state *own, uint32_t slot)
{
    return 8 * (KNAPSACK_TASK_WORDS * (uint64_t)own->sizes.slots + slot);
}

static rd_status read_note(const knapsack_state *own, uint32_t note, uint64_t *word, rd_error *err)
{
    return rd__buffer_read(&own->control, 8ull * note, sizeof *word, word, err);
}

static rd_status write_note(knapsack_state *own, uint32_t note, uint64_t word, rd_error *err)
{
    return rd__buffer_write(&own->control, 8ull * note, sizeof word, &word, err);
}

/* Which tasks there are. */
static rd_status look(knapsack_state *own, rd_error *err)
{
    knapsack_share *share = &own->share;
    RD_TRY(rd__buffer_read(&own->used, 0, own->sizes.slots / 8, share->used, err));
    RD_TRY(read_note(own, KNAPSACK_BEST, &share->best, err));
    share->count = 0;
    for (uint32_t w = 0; w < own->sizes.slots / 32; w++)
        for (uint32_t left = share->used[w]; left; left &= left - 1)
            share->slot[share->count++] = 32 * w + (uint32_t)__builtin_ctz(left);
    return RD_OK;
}

rd_status rd__knapsack_share_begin(rd_job *job, int first, rd_error *err)
{
    knapsack_state *own = job->state;
    knapsack_share *share = &own->share;
    const uint64_t zero = 0;
    if (!share->slot) {
        RD_TRY(rd__array_new(&share->slot, "tasks that wait", own->sizes.slots, sizeof *share->slot, err));
        RD_TRY(rd__array_new(&share->used, "slots in use on the host", own->sizes.slots / 32, 4, err));
    }
    share->budget = FIRST_BUDGET;
    RD_TRY(rd__buffer_write(&own->pool_buffer, rank_at(own, 0), sizeof zero, &zero, err)); /* the root's */
    if (!first)
        RD_TRY(rd__buffer_fill(&own->used, 0, err));
    return look(own, err);
}

void rd__knapsack_share_free(knapsack_state *own)
{
    rd__array_free(own->share.slot);
    rd__array_free(own->share.used);
    memset(&own->share, 0, sizeof own->share);
}

uint64_t rd__knapsack_share_count(const rd_job *job)
{
    return ((const knapsack_state *)job->state)->share.count;
}

static rd_status trail_is_full(const knapsack_state *own, rd_error *err)
{
    return rd__fail(err, RD_ENOMEM, "knapsack: the buffer 'trail' (%u entries) was full; --trail N makes it larger",
                    own->sizes.trail);
}

rd_status rd__knapsack_share_run(rd_job *job, rd__slice_fn slice, rd_report *report, rd_error *err)
{
    knapsack_state *own = job->state;
    knapsack_share *share = &own->share;
    const uint64_t tasks = report->tasks, needed = report->tasks_needed;
    const double began = rd_now();
    uint64_t run, lost;
    RD_TRY(write_note(own, KNAPSACK_RUN, 0, err));
    RD_TRY(rd__buffer_write(&own->problem, 8 * KNAPSACK_BUDGET, sizeof share->budget, &share->budget, err));
    for (uint32_t i = 0; i < share->count; i++)
        share->slot[i] |= KNAPSACK_SEED;
    const rd__seeds seeds = {.kind = RD__SEEDS_LIST, .count = share->count, .vertex = share->slot};
    RD_TRY(slice(job, &seeds, report, err));
    if (own->look_error.status != RD_OK)
        return rd__fail(err, own->look_error.status, "%s", own->look_error.text);
    RD_TRY(read_note(own, KNAPSACK_LOST, &lost, err));
    RD_TRY(read_note(own, KNAPSACK_RUN, &run, err));
    if (lost)
        return trail_is_full(own, err);
    run = run < share->budget ? run : share->budget; /* what was only put back has not run */
    report->tasks = tasks + run;
    report->tasks_needed = needed + run;
    const double took = rd_now() - began;
    if (took < while_s / 2 && share->budget < 1u << 30)
        share->budget *= 2;
    else if (took > while_s * 2 && share->budget > LEAST_BUDGET)
        share->budget /= 2;
    return look(own, err);
}

/* ---- Giving and taking ---- */

typedef struct batch {
    uint64_t *word;
    uint64_t count, room, most;
} batch;

/* Appends a record, unless there is no room for it in a message. *fits: so. */
static rd_status add_record(const knapsack_state *own, uint32_t slot, batch *to, int *fits, rd_error *err)
{
    uint64_t task[KNAPSACK_TASK_WORDS], entry[KNAPSACK_TRAIL_WORDS];
    RD_TRY(rd__buffer_read(&own->pool_buffer, sizeof task * slot, sizeof task, task, err));
    const uint32_t blocks = (uint32_t)task[KNAPSACK_TASK_PLACE] / 64;
    const uint64_t words = RECORD_HEAD + (uint64_t)ENTRY_WORDS * blocks;
    *fits = to->count + words <= to->most;
    if (!*fits)
        return RD_OK;
    if (to->count + words > to->room) {
        const uint64_t room = 2 * (to->count + words);
        RD_TRY(rd__array_grow(&to->word, "tasks for another rank", to->count, room, sizeof *to->word, err));
        to->room = room;
    }
    uint64_t *word = to->word + to->count;
    RD_TRY(rd__buffer_read(&own->pool_buffer, rank_at(own, slot), sizeof *word, word, err));
    memcpy(word + 1, task, sizeof task);
    word += RECORD_HEAD;
    uint64_t at = task[KNAPSACK_TASK_PLACE] >> 32;
    for (uint32_t b = 0; b < blocks; b++, word += ENTRY_WORDS, at = entry[KNAPSACK_TRAIL_PARENT]) {
        if (at >= own->sizes.trail)
            return rd__fail(err, RD_EWRONG, "knapsack: the path of a task is broken");
        RD_TRY(rd__buffer_read(&own->trail, at * sizeof entry, sizeof entry, entry, err));
        word[0] = entry[KNAPSACK_TRAIL_BITS];
        word[1] = entry[KNAPSACK_TRAIL_OPEN];
    }
    to->count += words;
    return RD_OK;
}

/* Slots are taken at random, so every second one is a fair half. */
rd_status rd__knapsack_share_give(rd_job *job, uint64_t most, void **data, uint64_t *bytes, rd_error *err)
{
    knapsack_state *own = job->state;
    knapsack_share *share = &own->share;
    batch to = {.most = most / 8};
    uint32_t kept = 0, given = 0;
    int fits = 1;
    rd_status status = RD_OK;
    for (uint32_t i = 0; i < share->count; i++) {
        const uint32_t slot = share->slot[i];
        const int goes = i % 2 && fits && given < MOST_GIVEN && given < own->sizes.slots && status == RD_OK;
        if (goes)
            status = add_record(own, slot, &to, &fits, err);
        if (goes && fits && status == RD_OK) {
            share->used[slot / 32] &= ~(1u << slot % 32);
            given++;
        } else {
            share->slot[kept++] = slot;
        }
    }
    share->count = kept;
    if (given && status == RD_OK)
        status = rd__buffer_write(&own->used, 0, own->sizes.slots / 8, share->used, err);
    if (status != RD_OK) {
        rd__array_free(to.word);
        return status;
    }
    *data = to.word;
    *bytes = 8 * to.count;
    return RD_OK;
}

/* The path of a record becomes entries of this rank's trail, from `next` on. */
static rd_status put_path(knapsack_state *own, const uint64_t *word, uint32_t blocks, uint64_t next, uint64_t *first,
                          rd_error *err)
{
    *first = KNAPSACK_ROOT;
    for (uint32_t b = blocks; b-- > 0; next++) { /* from the root on: each names the one before it */
        const uint64_t entry[KNAPSACK_TRAIL_WORDS] = {[KNAPSACK_TRAIL_BITS] = word[ENTRY_WORDS * b],
                                                      [KNAPSACK_TRAIL_OPEN] = word[ENTRY_WORDS * b + 1],
                                                      [KNAPSACK_TRAIL_PARENT] = *first};
        RD_TRY(rd__buffer_write(&own->trail, next * sizeof entry, sizeof entry, entry, err));
        *first = next;
    }
    return RD_OK;
}

static rd_status put_record(knapsack_state *own, const uint64_t *word, uint32_t slot, uint64_t *next, rd_error *err)
{
    uint64_t task[KNAPSACK_TASK_WORDS], trail;
    memcpy(task, word + 1, sizeof task);
    const uint32_t level = (uint32_t)task[KNAPSACK_TASK_PLACE], blocks = level / 64;
    RD_TRY(put_path(own, word + RECORD_HEAD, blocks, *next, &trail, err));
    *next += blocks;
    task[KNAPSACK_TASK_PLACE] = level | trail << 32;
    RD_TRY(rd__buffer_write(&own->pool_buffer, sizeof task * slot, sizeof task, task, err));
    return rd__buffer_write(&own->pool_buffer, rank_at(own, slot), sizeof *word, word, err);
}

/* How many entries and records there are; 0 records: it is no list of them. */
static uint64_t count_records(const knapsack_state *own, const uint64_t *word, uint64_t words, uint64_t *entries)
{
    uint64_t records = 0;
    *entries = 0;
    for (uint64_t at = 0; at < words; records++) {
        if (words - at < RECORD_HEAD || (uint32_t)word[at + 1 + KNAPSACK_TASK_PLACE] > own->core.count)
            return 0;
        const uint64_t blocks = (uint32_t)word[at + 1 + KNAPSACK_TASK_PLACE] / 64;
        at += RECORD_HEAD;
        if (words - at < ENTRY_WORDS * blocks)
            return 0;
        at += ENTRY_WORDS * blocks;
        *entries += blocks;
    }
    return records;
}

rd_status rd__knapsack_share_take(rd_job *job, const void *data, uint64_t bytes, rd_error *err)
{
    knapsack_state *own = job->state;
    knapsack_share *share = &own->share;
    const uint64_t *word = data;
    uint64_t entries, next;
    const uint64_t records = count_records(own, word, bytes / 8, &entries);
    if (!records || bytes % 8 || records > own->sizes.slots - share->count)
        return rd__fail(err, RD_EDEVICE, "%" PRIu64 " bytes, which are no tasks", bytes);
    RD_TRY(read_note(own, KNAPSACK_TRAIL, &next, err));
    if (next + entries > own->sizes.trail) {
        RD_TRY(rd__knapsack_collect_trail(own, err));
        RD_TRY(read_note(own, KNAPSACK_TRAIL, &next, err));
    }
    if (next + entries > own->sizes.trail)
        return trail_is_full(own, err);
    uint32_t slot = 0;
    for (uint64_t i = 0; i < records; i++) {
        while (share->used[slot / 32] >> slot % 32 & 1)
            slot++;
        share->used[slot / 32] |= 1u << slot % 32;
        share->slot[share->count++] = slot;
        RD_TRY(put_record(own, word, slot, &next, err));
        word += RECORD_HEAD + (uint64_t)ENTRY_WORDS * ((uint32_t)word[1 + KNAPSACK_TASK_PLACE] / 64);
    }
    RD_TRY(write_note(own, KNAPSACK_TRAIL, next, err));
    return rd__buffer_write(&own->used, 0, own->sizes.slots / 8, share->used, err);
}

/* ---- The best value ---- */

uint64_t rd__knapsack_share_best(const rd_job *job)
{
    return ((const knapsack_state *)job->state)->share.best;
}

rd_status rd__knapsack_share_hear(rd_job *job, uint64_t best, rd_error *err)
{
    knapsack_state *own = job->state;
    if (best <= own->share.best)
        return RD_OK;
    own->share.best = best;
    return write_note(own, KNAPSACK_BEST, best, err);
}

/* ---- Checkpoints ---- */

/* Of the pool only what is in use, of the trail only what leads there. */
static rd_status move_tasks(knapsack_state *own, rd__freeze *freeze, uint64_t entries, rd_error *err)
{
    const uint64_t words = KNAPSACK_TRAIL_WORDS * entries;
    uint64_t *trail = NULL, word[1 + KNAPSACK_TASK_WORDS];
    RD_TRY(rd__array_new(&trail, "trail on the host", words, 8, err));
    rd_status status = freeze->sink && words ? rd__buffer_read(&own->trail, 0, 8 * words, trail, err) : RD_OK;
    if (status == RD_OK)
        status = rd__freeze_bytes(freeze, trail, 8 * words, err);
    if (status == RD_OK && !freeze->sink && words)
        status = rd__buffer_write(&own->trail, 0, 8 * words, trail, err);
    rd__array_free(trail);
    for (uint32_t i = 0; i < own->share.count && status == RD_OK; i++) {
        const uint64_t at = 8 * KNAPSACK_TASK_WORDS * (uint64_t)own->share.slot[i];
        const uint64_t rank = rank_at(own, own->share.slot[i]);
        if (freeze->sink) {
            RD_TRY(rd__buffer_read(&own->pool_buffer, at, sizeof word - 8, word + 1, err));
            RD_TRY(rd__buffer_read(&own->pool_buffer, rank, 8, word, err));
        }
        RD_TRY(rd__freeze_bytes(freeze, word, sizeof word, err));
        if (!freeze->sink) {
            RD_TRY(rd__buffer_write(&own->pool_buffer, at, sizeof word - 8, word + 1, err));
            RD_TRY(rd__buffer_write(&own->pool_buffer, rank, 8, word, err));
        }
    }
    return status;
}

rd_status rd__knapsack_share_freeze(rd_job *job, rd__freeze *freeze, rd_error *err)
{
    knapsack_state *own = job->state;
    uint64_t entries;
    if (freeze->sink)
        RD_TRY(rd__knapsack_collect_trail(own, err));
    RD_TRY(rd__freeze_same(freeze, "the size of the pool", own->sizes.slots, err));
    RD_TRY(rd__freeze_same(freeze, "the size of the trail", own->sizes.trail, err));
    RD_TRY(rd__freeze_fixed(freeze, &own->control, err));
    RD_TRY(rd__freeze_fixed(freeze, &own->used, err));
    RD_TRY(read_note(own, KNAPSACK_TRAIL, &entries, err));
    if (entries > own->sizes.trail || 8 * KNAPSACK_TRAIL_WORDS * entries > (freeze->sink ? UINT64_MAX : freeze->left))
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint was changed or damaged", freeze->path);
    RD_TRY(look(own, err));
    return move_tasks(own, freeze, entries, err);
}

/* ---- The end ---- */

/* Who has written down a solution of this value? *owner becomes the lowest of those. */
static rd_status find_owner(rd_job *job, uint64_t best, uint32_t *owner, rd_error *err)
{
    const knapsack_state *own = job->state;
    rd__tally mine = {{0}, {0}}, all;
    int has = best == own->core.start_value;
    RD_TRY(has ? RD_OK : rd__knapsack_has_solution(own, best, &has, err));
    mine.most[0] = has ? ~(uint64_t)rd_ranks_rank(job->ranks) : 0;
    RD_TRY(rd__ranks_tally(job->ranks, &mine, &all, err));
    if (!all.most[0])
        return rd__fail(err, RD_EWRONG, "knapsack: no rank has the solution worth %" PRIu64, best);
    *owner = (uint32_t)~all.most[0];
    return RD_OK;
}

/* What the owner has, to all: value, weight, and the items. */
static rd_status spread(rd_job *job, uint32_t owner, rd_error *err)
{
    knapsack_state *own = job->state;
    const uint32_t ranks = rd_ranks_count(job->ranks);
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    uint64_t *word = NULL, head[2];
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    rd_status status = rd__array_new(&word, "the chosen items", 2 + own->core.count / 2 + 1ull, 8, err);
    if (status == RD_OK && owner == rd_ranks_rank(job->ranks)) {
        word[0] = own->value;
        word[1] = own->weight;
        memcpy(word + 2, own->chosen, own->chosen_count * sizeof *own->chosen);
        for (uint32_t r = 0; r < ranks; r++)
            deal[r] = (rd__deal){word, sizeof head + own->chosen_count * sizeof *own->chosen};
    }
    if (status == RD_OK)
        status = rd__ranks_deal(job->ranks, deal, deal + ranks, err);
    if (status == RD_OK) {
        const rd__deal *came = &deal[ranks + owner];
        memcpy(head, came->data, sizeof head);
        own->value = head[0];
        own->weight = head[1];
        own->chosen_count = (uint32_t)((came->bytes - sizeof head) / sizeof *own->chosen);
        if (own->chosen_count)
            memcpy(own->chosen, (const char *)came->data + sizeof head, own->chosen_count * sizeof *own->chosen);
    }
    rd__deals_free(deal + ranks, ranks);
    rd__free(deal);
    rd__array_free(word);
    return status;
}

rd_status rd__knapsack_share_end(rd_job *job, rd_report *report, rd_error *err)
{
    knapsack_state *own = job->state;
    rd__tally mine = {{0}, {0}}, all;
    uint32_t owner = 0;
    mine.most[0] = own->share.best;
    RD_TRY(rd__knapsack_count_nodes(own, &mine.sum[0], err));
    RD_TRY(rd__ranks_tally(job->ranks, &mine, &all, err));
    RD_TRY(rd__knapsack_share_hear(job, all.most[0], err));
    RD_TRY(find_owner(job, all.most[0], &owner, err));
    if (owner == rd_ranks_rank(job->ranks))
        RD_TRY(rd__knapsack_fetch(job, err));
    RD_TRY(spread(job, owner, err));
    own->nodes = all.sum[0];
    own->bound = own->value;
    rd__measure(report, "value", (double)own->value);
    rd__measure(report, "nodes", (double)own->nodes);
    return RD_OK;
}
