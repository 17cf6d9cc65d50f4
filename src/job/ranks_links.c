/* SPDX-License-Identifier: Apache-2.0 */
/* ranks_links.c - what ranks tell each other of the components of their parts: links, and in turns labels.
 * ranks_labels.c says why. */
#include "job/labels.h"

#include "core/bits.h"
#include "core/memory.h"

#include <string.h>

static rd_status add(rd__components *to, uint32_t component, rd_error *err)
{
    if (to->count == to->room) {
        RD_TRY(rd__array_grow(&to->of, "links of a part", to->count, 2 * to->room + 4, sizeof *to->of, err));
        to->room = 2 * to->room + 4;
    }
    to->of[to->count++] = component;
    return RD_OK;
}

uint32_t rd__labels_unite(rd__labels *l, uint32_t u, uint32_t v)
{
    const uint32_t x = rd__labels_root(l, u), y = rd__labels_root(l, v), low = x < y ? x : y, high = x < y ? y : x;
    l->of[high] = low;
    if (l->value[high] < l->value[low])
        l->value[low] = l->value[high];
    return low;
}

static int lower(rd__labels *l, uint32_t v, uint32_t value)
{
    uint32_t *at = &l->value[rd__labels_root(l, v)];
    const int is = value < *at;
    *at = is ? value : *at;
    return is;
}

static uint32_t label_of(const rd__labels *l, uint32_t component)
{
    return component == RD_NONE ? RD_NONE : l->value[rd__labels_root(l, component)];
}

rd_status rd__labels_swap(rd__labels *l, rd_error *err)
{
    rd__deal *deal = l->deal;
    const rd_status status = rd__ranks_deal(l->part->ranks, deal, deal + l->ranks, err);
    rd__deals_free(deal, l->ranks);
    return status;
}

rd_status rd__labels_no_sense(uint32_t from, uint64_t bytes, rd_error *err)
{
    return rd__fail(err, RD_EDEVICE, "rank %u sent %llu bytes about components, which make no sense", from,
                    (unsigned long long)bytes);
}

/* ---- Links ----
 * Message: a word of 64 bits with the number of components; a string of bits, one for each ghost, of those that are in
 * the first of these, the largest; records of others; the components' labels. Nothing, where there are none. */

typedef struct record {
    uint32_t ghost;     /* among those of the rank that it goes to */
    uint32_t component; /* of the message */
} record;

/* The bits of ghosts in the largest component. @return how many; *others: how many are in another one. */
static uint64_t mark_large(const rd__labels *l, uint32_t from, uint32_t count, uint64_t *bit, uint64_t *others)
{
    const uint32_t large = l->large == RD_NONE ? RD_NONE : rd__labels_root(l, l->large);
    uint64_t marked = 0, linked = 0;
    for (uint32_t i = 0; i < count; i += 64) {
        const uint32_t end = count - i < 64 ? count - i : 64;
        uint64_t word = 0;
        for (uint32_t k = 0; k < end; k++) {
            const uint32_t g = from + i + k;
            if (l->of[g] == g)
                continue;
            word |= (uint64_t)(rd__labels_root(l, g) == large) << k;
            linked++;
        }
        bit[i / 64] = word;
        marked += (uint64_t)__builtin_popcountll(word);
    }
    *others = linked - marked;
    return marked;
}

/* Records of ghosts that are in other components; those get their places in `told`. */
static rd_status list_others(rd__labels *l, uint32_t r, const uint64_t *bit, record *out, rd_error *err)
{
    const rd__part *part = l->part;
    const uint32_t from = part->own + part->ghost_from[r], count = part->ghost_from[r + 1] - part->ghost_from[r];
    rd__components *told = &l->told[r];
    rd_status status = RD_OK;
    for (uint32_t i = 0; i < count && status == RD_OK; i++) {
        if (l->of[from + i] == from + i || rd__bit_at(bit, i))
            continue;
        const uint32_t c = rd__labels_root(l, from + i);
        if (!l->slot[c]) {
            status = add(told, c, err);
            l->slot[c] = (uint32_t)told->count;
        }
        *out++ = (record){i, l->slot[c] - 1};
    }
    for (uint64_t i = 0; i < told->count; i++)
        l->slot[told->of[i]] = 0;
    return status;
}

static rd_status tell_links(rd__labels *l, uint32_t r, rd__deal *deal, rd_error *err)
{
    const rd__part *part = l->part;
    const uint32_t count = part->ghost_from[r + 1] - part->ghost_from[r];
    const uint64_t words = 1 + rd__bit_words(count);
    uint64_t others, *word = NULL;
    l->told[r].count = 0;
    RD_TRY(rd__array_new(&deal->data, "links for another rank", words, sizeof *word, err));
    word = deal->data;
    const uint64_t marked = mark_large(l, part->own + part->ghost_from[r], count, word + 1, &others);
    if (!marked && !others)
        return RD_OK;
    RD_TRY(rd__array_grow(&deal->data, "links for another rank", words, words + 2 * others + 1, sizeof *word, err));
    word = deal->data;
    RD_TRY(add(&l->told[r], l->large == RD_NONE ? 0 : rd__labels_root(l, l->large), err));
    RD_TRY(list_others(l, r, word + 1, (record *)(word + words), err));
    word[0] = l->told[r].count;
    uint32_t *label = (uint32_t *)(word + words + others);
    for (uint64_t i = 0; i < word[0]; i++)
        label[i] = label_of(l, l->told[r].of[i]);
    deal->bytes = (words + others) * sizeof *word + word[0] * sizeof *label;
    return RD_OK;
}

/* Own vertex v is in component i of rank r. */
static void hear_of(rd__labels *l, uint32_t r, uint64_t i, uint32_t v)
{
    uint32_t *at = &l->heard[r].of[i];
    *at = *at == RD_NONE ? rd__labels_root(l, v) : rd__labels_unite(l, *at, v);
}

static rd_status hear_links(rd__labels *l, uint32_t r, const rd__deal *deal, rd_error *err)
{
    const rd__part *part = l->part;
    const uint64_t *word = deal->data, bits = part->lent_count[r], words = 1 + rd__bit_words(bits);
    rd__components *heard = &l->heard[r];
    heard->count = 0;
    if (!deal->bytes)
        return RD_OK;
    const uint64_t components = deal->bytes >= words * sizeof *word ? word[0] : 0;
    const uint64_t labels_at = deal->bytes - components * sizeof(uint32_t), records = labels_at / sizeof *word - words;
    if (!components || components > deal->bytes / 4 || labels_at < words * sizeof *word || labels_at % sizeof *word)
        return rd__labels_no_sense(r, deal->bytes, err);
    for (uint64_t i = 0; i < components; i++)
        RD_TRY(add(heard, RD_NONE, err));
    for (uint64_t w = 0; w + 1 < words; w++)
        for (uint64_t left = rd__bits_first(word[w + 1], bits - 64 * w); left; left &= left - 1)
            hear_of(l, r, 0, part->lent[r][64 * w + (uint64_t)__builtin_ctzll(left)]);
    const record *at = (const record *)(word + words);
    for (uint64_t i = 0; i < records; i++) {
        if (at[i].ghost >= bits || at[i].component >= heard->count)
            return rd__labels_no_sense(r, deal->bytes, err);
        hear_of(l, r, at[i].component, part->lent[r][at[i].ghost]);
    }
    const uint32_t *label = (const uint32_t *)(at + records);
    for (uint64_t i = 0; i < components; i++)
        if (heard->of[i] != RD_NONE)
            lower(l, heard->of[i], label[i]);
    return RD_OK;
}

static rd_status link_up(rd__labels *l, rd_error *err)
{
    rd__deal *deal = l->deal;
    rd_status status = RD_OK;
    for (uint32_t r = 0; r < l->ranks && status == RD_OK; r++)
        status = tell_links(l, r, &deal[r], err);
    if (status == RD_OK)
        status = rd__labels_swap(l, err);
    for (uint32_t r = 0; r < l->ranks && status == RD_OK; r++)
        status = hear_links(l, r, &deal[l->ranks + r], err);
    rd__deals_free(deal, 2 * l->ranks);
    return status;
}

/* ---- Turns ----
 * Message: were there news; the label of the largest component; labels of what was told, then of what was heard. */
enum { NEWS, LARGE, HEAD };

static rd_status tell_labels(const rd__labels *l, uint32_t r, int news, rd__deal *deal, rd_error *err)
{
    const rd__components *told = &l->told[r], *heard = &l->heard[r];
    const uint64_t words = HEAD + told->count + heard->count;
    uint32_t *word = NULL;
    RD_TRY(rd__array_new(&word, "labels for another rank", words, sizeof *word, err));
    *deal = (rd__deal){word, words * sizeof *word};
    word[NEWS] = (uint32_t)news;
    word[LARGE] = l->skipped ? label_of(l, l->large) : RD_NONE;
    for (uint64_t i = 0; i < told->count; i++)
        word[HEAD + i] = label_of(l, told->of[i]);
    for (uint64_t i = 0; i < heard->count; i++)
        word[HEAD + told->count + i] = label_of(l, heard->of[i]);
    return RD_OK;
}

/* What one side has told the other has heard. *news: labels that have changed; *others: whether the sender had some. */
static rd_status hear_labels(rd__labels *l, uint32_t r, const rd__deal *deal, int *news, int *others, rd_error *err)
{
    const rd__components *told = &l->told[r], *heard = &l->heard[r];
    const uint32_t *word = deal->data;
    if (deal->bytes != (HEAD + told->count + heard->count) * sizeof *word)
        return rd__labels_no_sense(r, deal->bytes, err);
    *others |= word[NEWS] != 0;
    l->others[r] = word[LARGE];
    for (uint64_t i = 0; i < heard->count; i++)
        *news |= heard->of[i] != RD_NONE && lower(l, heard->of[i], word[HEAD + i]);
    for (uint64_t i = 0; i < told->count; i++)
        *news |= lower(l, told->of[i], word[HEAD + heard->count + i]);
    return RD_OK;
}

static rd_status take_turns(rd__labels *l, rd_error *err)
{
    rd__deal *deal = l->deal;
    int news = 1, others = 1;
    rd_status status = RD_OK;
    while (others && status == RD_OK) {
        for (uint32_t r = 0; r < l->ranks && status == RD_OK; r++)
            status = tell_labels(l, r, news, &deal[r], err);
        if (status == RD_OK)
            status = rd__labels_swap(l, err);
        news = others = 0;
        for (uint32_t r = 0; r < l->ranks && status == RD_OK; r++)
            status = hear_labels(l, r, &deal[l->ranks + r], &news, &others, err);
        rd__deals_free(deal, 2 * l->ranks);
        l->turns += (uint64_t)others;
    }
    return status;
}

rd_status rd__labels_link(rd__labels *l, rd_error *err)
{
    RD_TRY(link_up(l, err));
    return take_turns(l, err);
}
