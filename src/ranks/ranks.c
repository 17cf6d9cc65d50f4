/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.c - what ranks do together, on top of a transport: sending, waiting without burning a core that another rank
 * may need, adding up, dealing. */
#define _POSIX_C_SOURCE 200809L
#include "ranks/ranks.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#ifdef __linux__
#include <sys/prctl.h>
#include <unistd.h>
#endif

struct rd__kept {
    rd__message message;
    rd__kept *next;
};

uint32_t rd_ranks_rank(const rd_ranks *ranks)
{
    return ranks ? ranks->transport->rank : 0;
}

uint32_t rd_ranks_count(const rd_ranks *ranks)
{
    return ranks ? ranks->transport->ranks : 1;
}

uint32_t rd_ranks_on_node(const rd_ranks *ranks, uint32_t *of)
{
    if (of)
        *of = ranks ? ranks->transport->node_ranks : 1;
    return ranks ? ranks->transport->node_rank : 0;
}

const char *rd_ranks_transport(const rd_ranks *ranks)
{
    return ranks ? ranks->transport->name : "";
}

rd_ranks_traffic rd_ranks_get_traffic(const rd_ranks *ranks)
{
    return ranks ? ranks->traffic : (rd_ranks_traffic){0};
}

void rd_ranks_set_progress(rd_ranks *ranks, rd_progress_fn progress, void *user)
{
    if (ranks)
        ranks->watch = (rd__watch){progress, user};
}

rd_status rd_ranks_set_message(rd_ranks *ranks, uint32_t bytes, rd_error *err)
{
    if (!ranks || (bytes && bytes < RD_MESSAGE_LEAST))
        return rd__fail(err, RD_EARG, "rd_ranks_set_message needs ranks, and at least %u bytes or 0", RD_MESSAGE_LEAST);
    ranks->message = bytes;
    return RD_OK;
}

uint32_t rd__ranks_message(const rd_ranks *ranks)
{
    const uint32_t most = ranks->transport->most_bytes;
    return ranks->message && ranks->message < most ? ranks->message : most;
}

void rd_ranks_stop(rd_ranks *ranks, rd_status status, const char *text)
{
    char named[RD_TRANSPORT_TEXT];
    if (!ranks || !rd__ranks_many(ranks))
        return;
    snprintf(named, sizeof named, "rank %u: %.200s", ranks->transport->rank, text ? text : "");
    if (rd_ranks_launched(NULL))
        rd_ranks_wait_until_heard();
    ranks->transport->stop(ranks->transport, rd_status_exit_code(status), named);
}

void rd_ranks_close(rd_ranks *ranks)
{
    if (!ranks)
        return;
    while (ranks->kept) {
        rd__kept *kept = ranks->kept;
        ranks->kept = kept->next;
        ranks->transport->release(ranks->transport, &kept->message);
        rd__free(kept);
    }
    ranks->transport->close(ranks->transport);
    rd__free(ranks->share);
    rd__free(ranks);
}

static rd_status failed(const rd_ranks *ranks, rd_error *err)
{
    return rd__fail(err, RD_EDEVICE, "%s", ranks->transport->text);
}

/* ---- Waiting ---- */

/* Who waits yields at first: a step of a search takes some tens of microseconds, and a nap costs as much. When that has
 * taken long it naps, for a part of the time that it has waited, so that what is slept too long is little against that.
 * Yielding for longer helps nobody: where another rank waits for this core, Linux may give it back to who yields again
 * and again, for as long as it does so. On a busy machine who yields goes behind everybody else, and who wakes up comes
 * before: where a yield took long, the next CROWDED waits are without. */
enum { WAITS_NOT, YIELDS, NAPS, CROWDED = 256, NAP_PART = 8 };
static const double long_yield = 100e-6, patience = 2e-3, longest_nap = 1e-3, shortest_nap = 1e-6;

/* Linux lets a thread sleep 50 us longer than it asked for, to wake several at once: of a nap of 1 us that makes 60 and
 * more, in every step of a search. Where ranks have no core each, who wakes up sooner is only in the way of others. */
static void take_nap(rd_ranks *ranks, double seconds)
{
    const struct timespec nap = {0, (long)(seconds * 1e9)};
#ifdef __linux__
    if (!ranks->cores)
        ranks->cores = sysconf(_SC_NPROCESSORS_ONLN);
    const int slack = ranks->cores >= (long)ranks->transport->node_ranks ? prctl(PR_GET_TIMERSLACK) : 0;
    if (slack > 0)
        prctl(PR_SET_TIMERSLACK, 1000UL);
#endif
    nanosleep(&nap, NULL);
#ifdef __linux__
    if (slack > 0)
        prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
#endif
}

rd_status rd__ranks_may_go_on(rd_ranks *ranks, const char *what, uint64_t done, const char *unit, rd_error *err)
{
    if (rd__watch_stops(&ranks->watch, what, done, 0, unit))
        return rd__fail(err, RD_ECANCELLED, "stopped on request, while %s", what);
    if (ranks->deadline > 0 && rd_now() >= ranks->deadline)
        return rd__fail(err, RD_ETIMEOUT, "the time allowed was used up while %s", what);
    return RD_OK;
}

rd_status rd__ranks_pause(rd_ranks *ranks, rd_error *err)
{
    const double began = rd_now();
    RD_TRY(rd__ranks_may_go_on(ranks, "waiting for other ranks", 0, "messages", err));
    if (ranks->waited == WAITS_NOT) {
        ranks->since = began;
        ranks->waited = ranks->crowded ? NAPS : YIELDS;
        ranks->crowded -= ranks->crowded > 0;
    }
    const double waited = began - ranks->since;
    if (ranks->waited == YIELDS) {
        sched_yield();
        const int is_long = rd_now() - began > long_yield;
        ranks->crowded = is_long ? CROWDED : ranks->crowded;
        ranks->waited = is_long || waited > patience ? NAPS : YIELDS;
    } else { /* there may be more ranks than cores */
        const double nap = waited / NAP_PART;
        take_nap(ranks, nap < shortest_nap ? shortest_nap : nap < longest_nap ? nap : longest_nap);
    }
    ranks->traffic.idle_s += rd_now() - began;
    return RD_OK;
}

/* ---- Messages ---- */

static rd_status keep(rd_ranks *ranks, const rd__message *message, rd_error *err)
{
    rd__kept *kept = rd__malloc(sizeof *kept);
    if (!kept)
        return rd__fail_memory(err, "a message from another rank", sizeof *kept);
    *kept = (rd__kept){.message = *message};
    if (ranks->kept)
        ranks->kept_last->next = kept;
    else
        ranks->kept = kept;
    ranks->kept_last = kept;
    return RD_OK;
}

static int is_wanted(uint32_t kind, uint32_t wanted)
{
    if (wanted == RD__MESSAGE_DEAL)
        return kind == RD__MESSAGE_DEAL || kind == RD__MESSAGE_DEAL_LAST;
    return kind == RD__MESSAGE_WORK || kind == RD__MESSAGE_ASK;
}

static int take_kept(rd_ranks *ranks, uint32_t kind, rd__message *message)
{
    rd__kept *before = NULL;
    for (rd__kept *kept = ranks->kept; kept; before = kept, kept = kept->next)
        if (is_wanted(kept->message.kind, kind)) {
            *message = kept->message;
            if (before)
                before->next = kept->next;
            else
                ranks->kept = kept->next;
            if (ranks->kept_last == kept)
                ranks->kept_last = before;
            rd__free(kept);
            return 1;
        }
    return 0;
}

rd_status rd__ranks_poll(rd_ranks *ranks, uint32_t kind, rd__message *message, int *there, rd_error *err)
{
    *there = take_kept(ranks, kind, message);
    while (!*there) {
        const int came = ranks->transport->poll(ranks->transport, message);
        if (came < 0)
            return failed(ranks, err);
        if (!came)
            return RD_OK;
        ranks->waited = 0;
        *there = is_wanted(message->kind, kind);
        if (!*there)
            RD_TRY(keep(ranks, message, err));
    }
    return RD_OK;
}

void rd__ranks_release(rd_ranks *ranks, rd__message *message)
{
    ranks->transport->release(ranks->transport, message);
    message->data = NULL;
}

rd_status rd__ranks_take_all(rd_ranks *ranks, rd__message_fn *take, void *user, rd_error *err)
{
    rd__message message;
    int there;
    RD_TRY(rd__ranks_poll(ranks, 0, &message, &there, err));
    while (there) {
        const rd_status status = take(user, &message, err);
        rd__ranks_release(ranks, &message);
        RD_TRY(status);
        RD_TRY(rd__ranks_poll(ranks, 0, &message, &there, err));
    }
    return RD_OK;
}

rd_status rd__ranks_send(rd_ranks *ranks, uint32_t to, uint32_t kind, const void *data, uint64_t bytes, rd_error *err)
{
    rd__message message;
    int sent;
    while ((sent = ranks->transport->send(ranks->transport, to, kind, data, bytes)) > 0) {
        const int came = ranks->transport->poll(ranks->transport, &message);
        if (came < 0)
            return failed(ranks, err);
        RD_TRY(came ? keep(ranks, &message, err) : rd__ranks_pause(ranks, err));
    }
    if (sent < 0)
        return failed(ranks, err);
    ranks->waited = 0;
    ranks->traffic.messages++;
    ranks->traffic.bytes += bytes;
    return RD_OK;
}

/* ---- Adding up ---- */

rd_status rd__ranks_counts(rd_ranks *ranks, const rd__tally *mine, rd__tally *all, int *done, rd_error *err)
{
    const int is = ranks->transport->counts(ranks->transport, mine, all);
    *done = is > 0;
    if (is > 0)
        ranks->waited = 0;
    return is < 0 ? failed(ranks, err) : RD_OK;
}

rd_status rd__ranks_tally(rd_ranks *ranks, const rd__tally *mine, rd__tally *all, rd_error *err)
{
    int done = 0;
    RD_TRY(rd__ranks_counts(ranks, mine, all, &done, err));
    while (!done) {
        RD_TRY(rd__ranks_pause(ranks, err));
        RD_TRY(rd__ranks_counts(ranks, NULL, all, &done, err));
    }
    return RD_OK;
}

rd_status rd_ranks_sum(rd_ranks *ranks, uint64_t *value, uint32_t count, rd_error *err)
{
    rd__tally mine = {{0}, {0}}, all;
    if (!value || count > RD_TALLY_SUMS)
        return rd__fail(err, RD_EARG, "rd_ranks_sum adds up to %d values", RD_TALLY_SUMS);
    if (!ranks || !rd__ranks_many(ranks))
        return RD_OK;
    memcpy(mine.sum, value, count * sizeof *value);
    RD_TRY(rd__ranks_tally(ranks, &mine, &all, err));
    memcpy(value, all.sum, count * sizeof *value);
    return RD_OK;
}

/* The least and the greatest hash are the same when all are. */
rd_status rd_ranks_agree(rd_ranks *ranks, const char *what, const char *text, rd_error *err)
{
    uint64_t hash = 0xcbf29ce484222325ull; /* FNV-1a */
    rd__tally mine = {{0}, {0}}, all;
    if (!what || !text)
        return rd__fail(err, RD_EARG, "rd_ranks_agree needs two texts");
    if (!ranks || !rd__ranks_many(ranks))
        return RD_OK;
    for (const char *c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 0x100000001b3ull;
    mine.most[0] = hash;
    mine.most[1] = ~hash;
    RD_TRY(rd__ranks_tally(ranks, &mine, &all, err));
    if (all.most[0] != ~all.most[1])
        return rd__fail(err, RD_EARG, "the ranks do not have the same %s; that of rank %u: %.200s", what,
                        ranks->transport->rank, text);
    return RD_OK;
}

/* ---- Dealing ---- */

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

/* From each that is not marked there is one last piece for this deal; room: as of append. One of the next deal may be
 * here already, when another rank has all of its own: it is put back. */
static rd_status receive_all(rd_ranks *ranks, rd__deal *in, unsigned char *had, uint64_t *room, rd_error *err)
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
            status = append(&in[message.from], &room[message.from], message.data, message.bytes, err);
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

/* to, from: whom a message goes to, and comes from; NULL: all. sum: something to add up meanwhile, or NULL. */
static rd_status deal_with(rd_ranks *ranks, const rd__deal *out, rd__deal *in, const unsigned char *to,
                           const unsigned char *from, const rd__sum *sum, rd_error *err)
{
    const uint32_t count = rd_ranks_count(ranks), own = rd_ranks_rank(ranks);
    uint64_t *room = rd__calloc(count, sizeof *room + 1);
    int added = !sum;
    if (!room)
        return rd__fail_memory(err, "notes on other ranks", count * (sizeof *room + 1));
    unsigned char *had = (unsigned char *)(room + count);
    memset(in, 0, count * sizeof *in);
    rd_status status = append(&in[own], &room[own], out[own].data, out[own].bytes, err);
    for (uint32_t i = 1; i < count && status == RD_OK; i++) { /* not all to the same one first */
        const uint32_t other = (own + i) % count;
        if (!to || to[other])
            status = send_all(ranks, other, &out[other], err);
        had[other] = from && !from[other];
    }
    if (status == RD_OK && sum)
        status = rd__ranks_counts(ranks, sum->mine, sum->all, &added, err);
    if (status == RD_OK)
        status = receive_all(ranks, in, had, room, err);
    while (status == RD_OK && !added) {
        status = rd__ranks_pause(ranks, err);
        if (status == RD_OK)
            status = rd__ranks_counts(ranks, NULL, sum->all, &added, err);
    }
    if (status != RD_OK)
        rd__deals_free(in, count);
    rd__free(room);
    return status;
}

rd_status rd__ranks_deal(rd_ranks *ranks, const rd__deal *out, rd__deal *in, rd_error *err)
{
    return deal_with(ranks, out, in, NULL, NULL, NULL, err);
}

rd_status rd__ranks_step(rd_ranks *ranks, const rd__deal *out, const unsigned char *to, rd__deal *in,
                         const unsigned char *from, const rd__sum *sum, rd_error *err)
{
    return deal_with(ranks, out, in, to, from, sum, err);
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
