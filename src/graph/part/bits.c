/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bits.c - a bit for each vertex of a graph in parts: owners tell it to those who have the vertex as a ghost, and the
 * other way round. Both sides have the ghosts of one at another in the same order (rd__part_lend), so the bits of a
 * pair of ranks are a string, and nothing says which vertex one is for. Where few are set a list of their places is
 * shorter; where none is, the message is empty.
 *
 * Message: nothing; or a word of 64 bits with the number of places, and these, 32 bits each; or a word 0 and the bits.
 */
#include "graph/part/part.h"

#include "core/bits.h"
#include "core/memory.h"

#include <string.h>

/* A list is gone through as fast as a mask with so few bits. */
enum { SPARSE = 32 };

rd_status rd__part_lend_bits(rd__part *part, rd_error *err)
{
    const uint32_t count = rd_ranks_count(part->ranks);
    const uint64_t words = rd__bit_words(part->own);
    RD_TRY(rd__part_lend(part, err));
    if (part->lent_mask)
        return RD_OK;
    part->lent_mask = rd__calloc(count, sizeof *part->lent_mask);
    if (!part->lent_mask)
        return rd__fail_memory(err, "notes on other ranks", count * sizeof *part->lent_mask);
    for (uint32_t r = 0; r < count; r++) {
        if (part->lent_count[r] <= part->own / SPARSE)
            continue;
        RD_TRY(rd__array_new(&part->lent_mask[r], "marks of lent vertices", words, sizeof **part->lent_mask, err));
        memset(part->lent_mask[r], 0, words * sizeof **part->lent_mask);
        for (uint64_t i = 0; i < part->lent_count[r]; i++)
            rd__bit_set(part->lent_mask[r], part->lent[r][i]);
    }
    return RD_OK;
}

/* ---- A message ---- */

/* Room for a string of bits, behind the word that is 0. */
static rd_status make(rd__deal *deal, uint64_t bits, rd_error *err)
{
    uint64_t *word = NULL;
    RD_TRY(rd__array_new(&word, "bits for another rank", rd__bit_words(bits) + 1, sizeof *word, err));
    word[0] = 0;
    *deal = (rd__deal){word, (rd__bit_words(bits) + 1) * sizeof *word};
    return RD_OK;
}

/* The bits are there: is a list of them shorter? */
static rd_status shorten(rd__deal *deal, rd_error *err)
{
    const uint64_t *word = deal->data, words = deal->bytes / sizeof *word - 1;
    const uint64_t set = rd__bits_count(word + 1, words);
    char *list = NULL;
    if (set && set >= 2 * words)
        return RD_OK;
    const uint64_t bytes = set ? sizeof set + set * sizeof(uint32_t) : 0;
    RD_TRY(rd__array_new(&list, "bits for another rank", bytes, 1, err));
    if (set)
        memcpy(list, &set, sizeof set);
    char *to = list + sizeof set;
    for (uint64_t w = 0; w < words; w++)
        for (uint64_t left = word[w + 1]; left; left &= left - 1, to += sizeof(uint32_t)) {
            const uint32_t place = (uint32_t)(64 * w + (uint64_t)__builtin_ctzll(left));
            memcpy(to, &place, sizeof place);
        }
    rd__array_free(deal->data);
    *deal = (rd__deal){list, bytes};
    return RD_OK;
}

/* Sets the bits of a message from rank r, which is about `bits` vertices; list: where they are, NULL: from `at` on. */
static rd_status take(const rd__deal *deal, uint32_t r, uint64_t bits, const uint32_t *list, uint64_t at, uint64_t *bit,
                      rd_error *err)
{
    const uint64_t *word = deal->data, words = rd__bit_words(bits);
    const uint64_t set = deal->bytes >= sizeof *word ? word[0] : 0;
    const uint64_t body = set ? set * sizeof(uint32_t) : words * sizeof *word;
    if (!deal->bytes)
        return RD_OK;
    if (set > bits || deal->bytes != sizeof *word + body)
        return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes of bits, for %llu vertices", r,
                        (unsigned long long)deal->bytes, (unsigned long long)bits);
    const uint32_t *place = (const uint32_t *)(word + 1);
    for (uint64_t i = 0; i < set; i++) {
        if (place[i] >= bits)
            return rd__fail(err, RD_EDEVICE, "rank %u sent bit %u of %llu", r, place[i], (unsigned long long)bits);
        rd__bit_set(bit, list ? list[place[i]] : at + place[i]);
    }
    if (!set && !list)
        rd__bits_or(bit, at, word + 1, bits);
    for (uint64_t w = 0; !set && list && w < words; w++)
        for (uint64_t left = rd__bits_first(word[w + 1], bits - 64 * w); left; left &= left - 1)
            rd__bit_set(bit, list[64 * w + (uint64_t)__builtin_ctzll(left)]);
    return RD_OK;
}

/* ---- All ranks ---- */

void rd__part_pick(const rd__part *part, uint32_t r, const uint64_t *own, uint64_t *out)
{
    const uint32_t *lent = part->lent[r];
    const uint64_t count = part->lent_count[r];
    if (part->lent_mask[r]) {
        rd__bits_pick(own, part->lent_mask[r], rd__bit_words(part->own), out);
        return;
    }
    for (uint64_t i = 0; i < count; i += 64) {
        const uint64_t end = count - i < 64 ? count - i : 64;
        uint64_t word = 0;
        for (uint64_t k = 0; k < end; k++)
            word |= (uint64_t)rd__bit_at(own, lent[i + k]) << k;
        out[i / 64] = word;
    }
}

/* The bits of those own vertices that rank r has as ghosts. */
static rd_status pick(const rd__part *part, uint32_t r, const uint64_t *own, rd__deal *deal, rd_error *err)
{
    if (!part->lent_count[r])
        return RD_OK;
    RD_TRY(make(deal, part->lent_count[r], err));
    rd__part_pick(part, r, own, (uint64_t *)deal->data + 1);
    return shorten(deal, err);
}

/* The bits of ghosts that rank r owns. */
static rd_status cut_out(const rd__part *part, uint32_t r, const uint64_t *all, rd__deal *deal, rd_error *err)
{
    const uint64_t from = part->ghost_from[r], count = part->ghost_from[r + 1] - from;
    if (!count)
        return RD_OK;
    RD_TRY(make(deal, count, err));
    rd__bits_copy(all, part->own + from, count, (uint64_t *)deal->data + 1);
    return shorten(deal, err);
}

static rd_status exchange(const rd__part *part, int to_ghosts, const uint64_t *from, uint64_t *to, uint64_t *bytes,
                          rd_error *err)
{
    const uint32_t ranks = rd_ranks_count(part->ranks);
    rd_status status = RD_OK;
    rd__deal *deal = rd__calloc(2ull * ranks, sizeof *deal);
    if (!deal)
        return rd__fail_memory(err, "notes on other ranks", 2ull * ranks * sizeof *deal);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++) {
        status = (to_ghosts ? pick : cut_out)(part, r, from, &deal[r], err);
        *bytes += deal[r].bytes;
    }
    if (status == RD_OK)
        status = rd__ranks_deal(part->ranks, deal, deal + ranks, err);
    for (uint32_t r = 0; r < ranks && status == RD_OK; r++) {
        const uint64_t at = part->ghost_from[r];
        if (to_ghosts)
            status = take(&deal[ranks + r], r, part->ghost_from[r + 1] - at, NULL, part->own + at, to, err);
        else
            status = take(&deal[ranks + r], r, part->lent_count[r], part->lent[r], 0, to, err);
    }
    rd__deals_free(deal, 2 * ranks);
    rd__free(deal);
    return status;
}

rd_status rd__part_tell_bits(const rd__part *part, const uint64_t *own, uint64_t *all, uint64_t *bytes, rd_error *err)
{
    return exchange(part, 1, own, all, bytes, err);
}

rd_status rd__part_offer_bits(const rd__part *part, const uint64_t *all, uint64_t *own, uint64_t *bytes, rd_error *err)
{
    return exchange(part, 0, all, own, bytes, err);
}
