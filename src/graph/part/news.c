/* SPDX-License-Identifier: Apache-2.0 */
/*
 * news.c - a bit for each vertex that is set once and never taken back, which owners tell to those who have the vertex
 * as a ghost, in several goes. A pair of ranks both know for which of the ghosts that one has of the other nothing is
 * known yet: those are open. Of these, in their order, a go has a bit each, written short (core/rice.h). Who has told
 * the owner something itself, from which it follows that the bit is set, knows it without a message: so does the owner,
 * and the ghost is open no more.
 */
#include "graph/part/part.h"

#include "core/bits.h"
#include "core/memory.h"
#include "core/rice.h"

#include <string.h>

static void open_all(uint64_t *bit, uint64_t bits)
{
    memset(bit, 0xff, bits / 64 * sizeof *bit);
    if (bits % 64)
        bit[bits / 64] = (1ull << bits % 64) - 1;
}

rd_status rd__news_new(rd__news *news, rd__part *part, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(part->ranks);
    uint64_t most = rd__bit_words(part->ghosts);
    memset(news, 0, sizeof *news);
    RD_TRY(rd__part_lend_bits(part, err));
    news->part = part;
    news->open = rd__calloc(ranks, sizeof *news->open);
    if (!news->open)
        return rd__fail_memory(err, "notes on other ranks", ranks * sizeof *news->open);
    RD_TRY(rd__array_new(&news->ghost, "ghosts that nothing is known of", most, sizeof *news->ghost, err));
    open_all(news->ghost, part->ghosts);
    for (uint32_t r = 0; r < ranks; r++) {
        const uint64_t words = rd__bit_words(part->lent_count[r]);
        most = words > most ? words : most;
        RD_TRY(rd__array_new(&news->open[r], "lent ones that nothing is known of", words, sizeof **news->open, err));
        open_all(news->open[r], part->lent_count[r]);
    }
    news->words = most;
    return rd__array_new(&news->room, "bits for other ranks", 2 * most, sizeof *news->room, err);
}

void rd__news_free(rd__news *news)
{
    for (uint32_t r = 0; news->open && r < rd_ranks_count(news->part->ranks); r++)
        rd__array_free(news->open[r]);
    rd__free(news->open);
    rd__array_free(news->ghost);
    rd__array_free(news->room);
}

uint64_t rd__news_open(const rd__news *news)
{
    return rd__bits_count(news->ghost, rd__bit_words(news->part->ghosts));
}

static rd_status tell(rd__news *news, uint32_t r, const uint64_t *own, rd__deal *deal, rd_error *err)
{
    const uint64_t words = rd__bit_words(news->part->lent_count[r]);
    uint64_t *const open = news->open[r], *const set = news->room, *const told = set + news->words;
    unsigned char *out = NULL;
    if (!words)
        return RD_OK;
    rd__part_pick(news->part, r, own, set);
    const uint64_t bits = rd__bits_pick(set, open, words, told);
    RD_TRY(rd__array_new(&out, "bits for another rank", rd__rice_room(bits), 1, err));
    *deal = (rd__deal){out, rd__rice_put(told, bits, out)};
    for (uint64_t w = 0; w < words; w++)
        open[w] &= ~set[w];
    return RD_OK;
}

static rd_status hear(rd__news *news, uint32_t r, const rd__deal *deal, uint64_t *heard, rd_error *err)
{
    const uint64_t at = news->part->ghost_from[r], ghosts = news->part->ghost_from[r + 1] - at;
    const uint64_t words = rd__bit_words(ghosts);
    uint64_t *const open = news->room, *const told = open + news->words;
    if (!deal->bytes)
        return RD_OK;
    rd__bits_copy(news->ghost, at, ghosts, open);
    if (!rd__rice_get(deal->data, deal->bytes, rd__bits_count(open, words), told))
        return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes of bits, which are none of %llu vertices", r,
                        (unsigned long long)deal->bytes, (unsigned long long)ghosts);
    rd__bits_spread(told, open, words, open);
    rd__bits_or(heard, at, open, ghosts);
    return RD_OK;
}

rd_status rd__news_tell(rd__news *news, const uint64_t *own, uint64_t *heard, uint64_t *bytes, rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(news->part->ranks);
    const uint64_t words = rd__bit_words(news->part->ghosts);
    rd_status status = RD_OK;
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    memset(heard, 0, words * sizeof *heard);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++) {
        status = tell(news, r, own, &deal[r], err);
        *bytes += deal[r].bytes;
    }
    if (status == RD_OK)
        status = rd__ranks_deal(news->part->ranks, deal, deal + ranks, err);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++)
        status = hear(news, r, &deal[ranks + r], heard, err);
    for (uint64_t w = 0; w < words; w++)
        news->ghost[w] &= ~heard[w];
    rd__deals_free(deal, 2 * ranks);
    rd__free(deal);
    return status;
}
