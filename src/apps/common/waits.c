/* SPDX-License-Identifier: Apache-2.0 */
/*
 * waits.c - an order over several ranks. Going through all vertices again and again, to see who can be decided, takes
 * as many rounds as the longest chain of vertices that wait for each other is long: in cores of kron graphs thousands.
 * Here a vertex counts those it waits for, and has a list of those that wait for it: whoever is decided tells them, and
 * who waits for nobody any more comes into the queue. So each edge is looked at a few times, whatever the chain.
 *
 * In turns: a rank runs its queue until it is empty, then all tell those who have a vertex as a ghost which ones were
 * decided, and how many are left. Of all that are left the first in the order waits for nobody, so that every turn
 * decides something; when nobody has any left, all leave.
 */
#include "apps/common/waits.h"

#include "core/bits.h"
#include "core/memory.h"

#include <string.h>

typedef struct note {
    uint32_t place; /* among those that are lent to the rank */
    uint32_t word;
} note;

typedef struct waiting {
    const rd__waits *order;
    uint32_t *waits; /* of own vertices: for how many */
    uint64_t *from;  /* who waits for a vertex, own or ghost: list[from[u]] .. list[from[u + 1] - 1] */
    uint32_t *list;
    uint64_t *is_ready; /* a bit a vertex: it is in the queue, or was */
    uint32_t *queue;    /* in the order of decisions */
    uint32_t *word;     /* of each in the queue, once it is decided */
    uint32_t head, tail, told;
    uint32_t before; /* own vertices that were decided before */
} waiting;

static void make_ready(waiting *all, uint32_t v)
{
    rd__bit_set(all->is_ready, v);
    all->queue[all->tail++] = v;
}

/* ---- Who waits for whom ---- */

static rd_status make(waiting *all, rd_error *err)
{
    const rd__part *part = all->order->part;
    const uint64_t own = part->own, vertices = own + part->ghosts;
    RD_TRY(rd__array_new(&all->waits, "counts of waiting", own, sizeof *all->waits, err));
    RD_TRY(rd__array_new(&all->queue, "queue of vertices", own, sizeof *all->queue, err));
    RD_TRY(rd__array_new(&all->word, "words of vertices", own, sizeof *all->word, err));
    RD_TRY(rd__array_new(&all->from, "lists of who waits", vertices + 1, sizeof *all->from, err));
    RD_TRY(rd__array_new(&all->is_ready, "marks of vertices", rd__bit_words(own), sizeof *all->is_ready, err));
    memset(all->waits, 0, own * sizeof *all->waits);
    memset(all->from, 0, (vertices + 1) * sizeof *all->from);
    memset(all->is_ready, 0, rd__bit_words(own) * sizeof *all->is_ready);
    return RD_OK;
}

/* Own vertices that wait for nobody, whatever their neighbours are. */
static void find_decided(waiting *all)
{
    const rd__waits *order = all->order;
    const rd_csr *csr = &order->csr;
    uint32_t word = 0;
    for (uint32_t v = 0; v < order->part->own; v++) {
        if (order->is_decided(order->user, v, &word)) {
            rd__bit_set(all->is_ready, v);
            all->before++;
            continue;
        }
        for (uint64_t e = csr->row[v]; order->shuts && e < csr->row[v + 1] && !all->waits[v]; e++)
            all->waits[v] = order->is_decided(order->user, csr->col[e], &word) && word == order->shut;
        if (all->waits[v])
            make_ready(all, v);
    }
}

/* Has v, which is not decided, to wait for u? */
static int has_to_wait(const rd__waits *order, uint32_t v, uint32_t u)
{
    uint32_t word;
    return u != v && !order->is_decided(order->user, u, &word) && order->is_before(order->user, u, v);
}

/* Counts first, then the end of each list, which becomes its beginning while it is filled. */
static rd_status find_waiting(waiting *all, rd_error *err)
{
    const rd__waits *order = all->order;
    const rd_csr *csr = &order->csr;
    const uint32_t own = order->part->own, vertices = own + order->part->ghosts;
    for (uint32_t v = 0; v < own; v++)
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1] && !rd__bit_at(all->is_ready, v); e++)
            if (has_to_wait(order, v, csr->col[e])) {
                all->waits[v]++;
                all->from[csr->col[e]]++;
            }
    for (uint32_t u = 0; u < vertices; u++)
        all->from[u + 1] += all->from[u];
    RD_TRY(rd__array_new(&all->list, "lists of who waits", all->from[vertices], sizeof *all->list, err));
    for (uint32_t v = 0; v < own; v++) {
        if (rd__bit_at(all->is_ready, v))
            continue;
        for (uint64_t e = csr->row[v]; e < csr->row[v + 1]; e++)
            if (has_to_wait(order, v, csr->col[e]))
                all->list[--all->from[csr->col[e]]] = v;
        if (!all->waits[v])
            make_ready(all, v);
    }
    return RD_OK;
}

/* u has been decided. */
static void tell_waiting(waiting *all, uint32_t u, uint32_t word)
{
    const int shuts = all->order->shuts && word == all->order->shut;
    for (uint64_t i = all->from[u]; i < all->from[u + 1]; i++) {
        const uint32_t v = all->list[i];
        if (rd__bit_at(all->is_ready, v))
            continue;
        if (shuts || --all->waits[v] == 0) /* who is shut out still has some to wait for: decide() is told by that */
            make_ready(all, v);
    }
}

static void run_queue(waiting *all)
{
    for (; all->head < all->tail; all->head++) {
        const uint32_t v = all->queue[all->head];
        all->word[all->head] = all->order->decide(all->order->user, v, all->waits[v] != 0);
        tell_waiting(all, v, all->word[all->head]);
    }
}

/* ---- Between ranks ---- */

/* Where v is in a list in ascending order; `count`: nowhere. */
static uint64_t place_of(const uint32_t *list, uint64_t count, uint32_t v)
{
    uint64_t low = 0, high = count;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (list[middle] < v)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && list[low] == v ? low : count;
}

/* A message: how many are left here, and notes on what was decided since the last one. */
static rd_status write_notes(const waiting *all, uint32_t to, rd__deal *deal, rd_error *err)
{
    const rd__part *part = all->order->part;
    const uint64_t left = part->own - all->before - all->tail, count = part->lent_count[to];
    char *data = NULL;
    RD_TRY(
        rd__array_new(&data, "notes for another rank", sizeof left + (all->tail - all->told) * sizeof(note), 1, err));
    memcpy(data, &left, sizeof left);
    note *at = (note *)(data + sizeof left);
    for (uint32_t i = all->told; i < all->tail && count; i++) {
        const uint64_t place = place_of(part->lent[to], count, all->queue[i]);
        if (place < count)
            *at++ = (note){(uint32_t)place, all->word[i]};
    }
    *deal = (rd__deal){data, (uint64_t)((char *)at - data)};
    return RD_OK;
}

static rd_status read_notes(waiting *all, uint32_t from, const rd__deal *deal, uint64_t *left, rd_error *err)
{
    const rd__part *part = all->order->part;
    const uint32_t first = part->ghost_from[from], count = part->ghost_from[from + 1] - first;
    uint64_t there = 0;
    if (deal->bytes < sizeof there || (deal->bytes - sizeof there) % sizeof(note))
        return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes, which are no notes", from,
                        (unsigned long long)deal->bytes);
    memcpy(&there, deal->data, sizeof there);
    *left += there;
    const note *list = (const note *)((const char *)deal->data + sizeof there);
    for (uint64_t i = 0; i < (deal->bytes - sizeof there) / sizeof *list; i++) {
        const uint32_t u = part->own + first + list[i].place;
        if (list[i].place >= count)
            return rd__fail(err, RD_EDEVICE, "rank %u sent a note on vertex %u of %u", from, list[i].place, count);
        all->order->hear(all->order->user, u, list[i].word);
        tell_waiting(all, u, list[i].word);
    }
    return RD_OK;
}

static rd_status take_turns(waiting *all, uint64_t *turns, rd_error *err)
{
    const rd__part *part = all->order->part;
    const uint32_t ranks = rd_ranks_count(part->ranks);
    rd_status status = RD_OK;
    uint64_t left = 1;
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    while (left && status == RD_OK) {
        left = 0;
        run_queue(all);
        for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
            status = write_notes(all, r, &deal[r], err);
        all->told = all->tail;
        if (status == RD_OK)
            status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
        for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
            status = read_notes(all, r, &deal[ranks + r], &left, err);
        rd__deals_free(deal, 2 * ranks);
        ++*turns;
    }
    rd__free(deal);
    return status;
}

rd_status rd__waits_can(const rd__part *part, const void *words, int *can, rd_error *err)
{
    uint64_t cannot = !words;
    RD_TRY(rd_ranks_sum(part->ranks, &cannot, 1, err));
    *can = !cannot;
    return RD_OK;
}

rd_status rd__waits_run(const rd__waits *order, uint64_t *turns, rd_report *report, rd_error *err)
{
    waiting all = {.order = order};
    rd_status status = make(&all, err);
    if (status == RD_OK)
        find_decided(&all);
    if (status == RD_OK)
        status = find_waiting(&all, err);
    if (status == RD_OK)
        status = take_turns(&all, turns, err);
    report->tasks += all.tail;
    rd__array_free(all.waits);
    rd__array_free(all.from);
    rd__array_free(all.list);
    rd__array_free(all.is_ready);
    rd__array_free(all.queue);
    rd__array_free(all.word);
    return status;
}
