/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.c - what ranks do together, on top of a transport: sending, waiting without burning a core that another rank
 * may need, adding up. */
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
