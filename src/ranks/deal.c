/* SPDX-License-Identifier: Apache-2.0 */
/* deal.c - each rank has something for each other one: as much as it likes, between neighbours only, or into places
 * that are there already. A deal is messages of one kind, the last of them marked, so that it needs no agreement on
 * sizes; what comes of the next deal before this one is over is put back. */
#include "ranks/ranks.h"

#include "core/memory.h"

#include <string.h>

void rd__deals_free(rd__deal *deal, uint32_t count)
{
    for (uint32_t r = 0; r < count; r++) {
        rd__array_free(deal[r].data);
        deal[r] = (rd__deal){NULL, 0};
    }
}

static rd_status send_all(rd_ranks *ranks, uint32_t to, const rd__deal *deal, rd_error *err)
{
    const uint64_t most = rd__ranks_message(ranks);
    uint64_t at = 0;
    while (deal->bytes - at > most) {
        RD_TRY(rd__ranks_send(ranks, to, RD__MESSAGE_DEAL, (const char *)deal->data + at, most, err));
        at += most;
    }
    const void *rest = at ? (const char *)deal->data + at : deal->data; /* which is NULL when there is nothing */
    return rd__ranks_send(ranks, to, RD__MESSAGE_DEAL_LAST, rest, deal->bytes - at, err);
}

/* *room: how much there is for what comes from this rank. It is doubled: there may be very many pieces. */
static rd_status append(rd__deal *deal, uint64_t *room, const void *data, uint64_t bytes, rd_error *err)
{
    if (!deal->data || deal->bytes + bytes > *room) {
        *room = deal->data && bytes < *room ? 2 * *room : deal->bytes + bytes;
        RD_TRY(rd__array_grow(&deal->data, "what other ranks sent", deal->bytes, *room, 1, err));
    }
    if (bytes)
        memcpy((char *)deal->data + deal->bytes, data, bytes);
    deal->bytes += bytes;
    return RD_OK;
}

/* Where `place` has room for just what comes: *bytes of it have come. */
static rd_status put(const rd__deal *place, uint64_t *bytes, const rd__message *message, rd_error *err)
{
    const uint64_t left = place->bytes - *bytes;
    const int is_last = message->kind == RD__MESSAGE_DEAL_LAST;
    if (message->bytes > left || (is_last && message->bytes < left))
        return rd__fail(err, RD_EDEVICE, "rank %u sent %s than the %llu bytes that were expected", message->from,
                        message->bytes > left ? "more" : "less", (unsigned long long)place->bytes);
    if (message->bytes)
        memcpy((char *)place->data + *bytes, message->data, message->bytes);
    *bytes += message->bytes;
    return RD_OK;
}

/* From each that is not marked there is one last piece for this deal; room: as of append, or with `place` of put. One
 * of the next deal may be here already, when another rank has all of its own: it is put back. */
static rd_status receive_all(rd_ranks *ranks, rd__deal *in, const rd__deal *place, unsigned char *had, uint64_t *room,
                             rd_error *err)
{
    uint32_t missing = 0;
    for (uint32_t r = 0; r < rd_ranks_count(ranks); r++)
        missing += !had[r] && r != rd_ranks_rank(ranks);
    rd__kept *early = NULL, **early_end = &early;
    rd_status status = RD_OK;
    while (missing && status == RD_OK) {
        rd__message message;
        int there;
        status = rd__ranks_poll(ranks, RD__MESSAGE_DEAL, &message, &there, err);
        if (status != RD_OK || !there) {
            status = status != RD_OK ? status : rd__ranks_pause(ranks, err);
        } else if (had[message.from]) {
            rd__kept *kept = rd__malloc(sizeof *kept);
            if (!kept) {
                rd__ranks_release(ranks, &message);
                status = rd__fail_memory(err, "a message from another rank", sizeof *kept);
            } else {
                *kept = (rd__kept){.message = message};
                *early_end = kept;
                early_end = &kept->next;
            }
        } else {
            status = place ? put(&place[message.from], &room[message.from], &message, err)
                           : append(&in[message.from], &room[message.from], message.data, message.bytes, err);
            had[message.from] = message.kind == RD__MESSAGE_DEAL_LAST;
            missing -= had[message.from];
            rd__ranks_release(ranks, &message);
        }
    }
    if (early) { /* older than anything that is kept */
        *early_end = ranks->kept;
        if (!ranks->kept)
            for (ranks->kept_last = early; ranks->kept_last->next; ranks->kept_last = ranks->kept_last->next)
                ;
        ranks->kept = early;
    }
    return status;
}

typedef struct dealing {
    const rd__deal *out;
    rd__deal *in;
    const rd__deal *place;          /* or where it goes to, where it is known how much there is */
    const unsigned char *to, *from; /* whom a message goes to, and comes from; NULL: all */
    const rd__sum *sum;             /* something to add up meanwhile, or NULL */
} dealing;

static rd_status take_own(const dealing *d, uint32_t own, uint64_t *room, rd_error *err)
{
    const rd__message message = {own, RD__MESSAGE_DEAL_LAST, d->out[own].bytes, d->out[own].data};
    return d->place ? put(&d->place[own], &room[own], &message, err)
                    : append(&d->in[own], &room[own], d->out[own].data, d->out[own].bytes, err);
}

/* had, room: of each rank, zeroed. */
static rd_status go_round(rd_ranks *ranks, const dealing *d, unsigned char *had, uint64_t *room, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks), own = rd_ranks_rank(ranks);
    int added = !d->sum;
    RD_TRY(take_own(d, own, room, err));
    for (uint32_t i = 1; i < count; i++) { /* not all to the same one first */
        const uint32_t other = (own + i) % count;
        if (d->place ? d->out[other].bytes != 0 : !d->to || d->to[other])
            RD_TRY(send_all(ranks, other, &d->out[other], err));
        had[other] = d->place ? !d->place[other].bytes : d->from && !d->from[other];
    }
    if (d->sum)
        RD_TRY(rd__ranks_counts(ranks, d->sum->mine, d->sum->all, &added, err));
    RD_TRY(receive_all(ranks, d->in, d->place, had, room, err));
    while (!added) {
        RD_TRY(rd__ranks_pause(ranks, err));
        RD_TRY(rd__ranks_counts(ranks, NULL, d->sum->all, &added, err));
    }
    return RD_OK;
}

static rd_status deal_with(rd_ranks *ranks, const dealing *d, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks);
    uint64_t *room = rd__calloc(count, sizeof *room + 1);
    if (!room)
        return rd__fail_memory(err, "notes on other ranks", count * (sizeof *room + 1));
    if (d->in)
        memset(d->in, 0, count * sizeof *d->in);
    const rd_status status = go_round(ranks, d, (unsigned char *)(room + count), room, err);
    if (status != RD_OK && d->in)
        rd__deals_free(d->in, count);
    rd__free(room);
    return status;
}

rd_status rd__ranks_deal(rd_ranks *ranks, const rd__deal *out, rd__deal *in, rd_error *err)
{
    const dealing d = {.out = out, .in = in};
    return deal_with(ranks, &d, err);
}

rd_status rd__ranks_step(rd_ranks *ranks, const rd__deal *out, const unsigned char *to, rd__deal *in,
                         const unsigned char *from, const rd__sum *sum, rd_error *err)
{
    const dealing d = {.out = out, .in = in, .to = to, .from = from, .sum = sum};
    return deal_with(ranks, &d, err);
}

rd_status rd__ranks_fill(rd_ranks *ranks, const rd__deal *out, const rd__deal *in, const rd__sum *sum, rd_error *err)
{
    const dealing d = {.out = out, .place = in, .sum = sum};
    return deal_with(ranks, &d, err);
}

static rd_status join(const rd__deal *in, uint32_t count, void **all, uint64_t **sizes, rd_error *err)
{
    uint64_t total = 0, at = 0;
    for (uint32_t r = 0; r < count; r++)
        total += in[r].bytes;
    *all = rd__malloc(total ? total : 1);
    *sizes = rd__malloc(count * sizeof **sizes);
    if (!*all || !*sizes) {
        rd__free(*all);
        rd__free(*sizes);
        *all = NULL;
        *sizes = NULL;
        return rd__fail_memory(err, "what all ranks have", total);
    }
    for (uint32_t r = 0; r < count; r++) {
        if (in[r].bytes)
            memcpy((char *)*all + at, in[r].data, in[r].bytes);
        at += (*sizes)[r] = in[r].bytes;
    }
    return RD_OK;
}

rd_status rd_ranks_gather(rd_ranks *ranks, const void *mine, uint64_t bytes, void **all, uint64_t **sizes,
                          rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks);
    if (!ranks || !all || !sizes || (!mine && bytes))
        return rd__fail(err, RD_EARG, "rd_ranks_gather needs ranks, what to send and two places");
    *all = NULL;
    *sizes = NULL;
    rd__deal *deal = rd__calloc(2ull * count, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * count * sizeof *deal);
    deal[0].data = (void *)(uintptr_t)mine; /* only read */
    deal[0].bytes = bytes;
    rd_status status = rd__ranks_deal(ranks, deal, deal + count, err);
    if (status == RD_OK && rd_ranks_rank(ranks) == 0)
        status = join(deal + count, count, all, sizes, err);
    rd__deals_free(deal + count, count);
    rd__free(deal);
    return status;
}
