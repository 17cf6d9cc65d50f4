/* SPDX-License-Identifier: Apache-2.0 */
/* test_bits.c - strings of bits against one bit at a time; bits of a graph in parts against what they were made of. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <pthread.h>
#include <cmocka.h>

#include "core/bits.h"
#include "core/memory.h"
#include "graph/part/part.h"

enum { WORDS = 9, MOST = 5 };

static uint64_t mix(uint64_t x)
{
    x = (x ^ x >> 31) * 0x7fb5d329728ea185ull;
    return (x ^ x >> 27) * 0x81dadef4bc2dd44dull ^ x >> 33;
}

/* A word with about `of_16` of 16 bits set; 16: all. */
static uint64_t draw(uint64_t seed, unsigned of_16)
{
    uint64_t word = 0;
    for (unsigned b = 0; b < 64; b++)
        word |= (uint64_t)(mix(seed * 64 + b) % 16 < of_16) << b;
    return word;
}

static void picking_is_one_by_one(void **state)
{
    (void)state;
    for (unsigned density = 0; density <= 16; density++) {
        uint64_t bit[WORDS], mask[WORDS], out[WORDS] = {0}, want[WORDS] = {0}, count = 0;
        for (unsigned w = 0; w < WORDS; w++) {
            bit[w] = draw(100 * density + w, 8);
            mask[w] = draw(5000 + 100 * density + w, density);
        }
        for (unsigned i = 0; i < 64 * WORDS; i++)
            if (rd__bit_at(mask, i)) {
                if (rd__bit_at(bit, i))
                    rd__bit_set(want, count);
                count++;
            }
        assert_int_equal(rd__bits_pick(bit, mask, WORDS, out), count);
        assert_memory_equal(out, want, sizeof want);
        memset(out, 0, sizeof out);
        assert_int_equal(rd__bits_pick_anywhere(bit, mask, WORDS, out), count);
        assert_memory_equal(out, want, sizeof want);
    }
}

static void spreading_undoes_picking(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 200; seed++) {
        uint64_t bit[WORDS], mask[WORDS], picked[WORDS] = {0}, out[WORDS];
        for (unsigned w = 0; w < WORDS; w++) {
            bit[w] = draw(2 * seed + 1, w);
            mask[w] = seed % 5 == 0 ? 0 : seed % 5 == 1 ? ~0ull : draw(2 * seed, w);
        }
        rd__bits_pick(bit, mask, WORDS, picked);
        rd__bits_spread(picked, mask, WORDS, out);
        for (unsigned w = 0; w < WORDS; w++)
            assert_int_equal(out[w], bit[w] & mask[w]);
        memset(bit, 0xa5, sizeof bit);
        rd__bits_spread_anywhere(picked, mask, WORDS, bit);
        assert_memory_equal(out, bit, sizeof out);
        rd__bits_spread(picked, mask, WORDS, mask); /* into the mask itself */
        assert_memory_equal(out, mask, sizeof out);
    }
}

static void strings_move_to_any_place(void **state)
{
    (void)state;
    for (uint64_t at = 0; at < 130; at += 13)
        for (uint64_t count = 0; count <= 200; count += 25) {
            uint64_t bit[WORDS], out[WORDS] = {0}, to[WORDS] = {0};
            for (unsigned w = 0; w < WORDS; w++)
                bit[w] = draw(w + 1, 8);
            rd__bits_copy(bit, at, count, out);
            for (uint64_t i = 0; i < 64 * rd__bit_words(count); i++)
                assert_int_equal(rd__bit_at(out, i), i < count && rd__bit_at(bit, at + i));
            rd__bits_or(to, at, bit, count);
            for (uint64_t i = 0; i < 64 * WORDS; i++)
                assert_int_equal(rd__bit_at(to, i), i >= at && i < at + count && rd__bit_at(bit, i - at));
        }
}

/* ---- In parts ---- */

typedef struct crew {
    rd_ranks *ranks;
    const char *spec;
    const char *wrong; /* what was not as it should be */
} crew;

/* Has rank `who` set the bit of a vertex? Of densities there are none, few, many, all. */
static int is_set(uint32_t who, uint32_t vertex, unsigned density)
{
    static const unsigned of_64[] = {0, 1, 40, 64};
    return mix(1000003ull * who + vertex) % 64 < of_64[density];
}

/* Owners as rank 0 of is_set(), each rank as an offerer of its own number + 1. @return what is wrong, or NULL. */
static const char *go_round(const rd__part *part, unsigned density, uint64_t *own, uint64_t *all)
{
    const uint64_t vertices = (uint64_t)part->own + part->ghosts;
    const uint32_t me = rd_ranks_rank(part->ranks);
    uint64_t bytes = 0;
    memset(own, 0, rd__bit_words(part->own) * sizeof *own);
    memset(all, 0, rd__bit_words(vertices) * sizeof *all);
    for (uint32_t v = 0; v < part->own; v++)
        if (is_set(0, part->first + v, density))
            rd__bit_set(own, v);
    if (rd__part_tell_bits(part, own, all, &bytes, NULL) != RD_OK)
        return "telling";
    for (uint32_t v = part->own; v < vertices; v++)
        if (rd__bit_at(all, v) != is_set(0, rd__part_number(part, v), density))
            return "a ghost's bit is not its owner's";
    for (uint32_t v = 0; v < part->own; v++)
        if (rd__bit_at(all, v))
            return "an own bit was set";
    memset(own, 0, rd__bit_words(part->own) * sizeof *own);
    memset(all, 0, rd__bit_words(vertices) * sizeof *all);
    for (uint32_t v = part->own; v < vertices; v++)
        if (is_set(me + 1, rd__part_number(part, v), density))
            rd__bit_set(all, v);
    if (rd__part_offer_bits(part, all, own, &bytes, NULL) != RD_OK)
        return "offering";
    for (uint32_t v = 0; v < part->own; v++) {
        int offered = 0;
        for (uint32_t r = 0; r < rd_ranks_count(part->ranks); r++)
            for (uint64_t i = 0; i < part->lent_count[r]; i++)
                offered |= part->lent[r][i] == v && is_set(r + 1, part->first + v, density);
        if (rd__bit_at(own, v) != offered)
            return "an offer was lost, or not made";
    }
    return NULL;
}

/* Has this rank told the owner of a vertex something by which both know? */
static int has_sent(uint32_t rank, uint32_t vertex)
{
    return mix(77ull * rank + vertex) % 8 == 0;
}

/* Both ends take note of what is sent. */
static void send_some(rd__news *news)
{
    const rd__part *part = news->part;
    const uint32_t me = rd_ranks_rank(part->ranks);
    for (uint32_t g = 0; g < part->ghosts; g += 32) { /* in two halves, wherever they lie */
        uint64_t bits = 0;
        for (uint32_t i = 0; i < 32 && g + i < part->ghosts; i++)
            bits |= (uint64_t)has_sent(me, part->ghost[g + i]) << i;
        rd__news_sent(news, g, bits & 0xffff);
        rd__news_sent(news, g + 16, bits >> 16);
    }
    for (uint32_t r = 0; r < rd_ranks_count(part->ranks); r++)
        for (uint64_t i = 0; i < part->lent_count[r]; i++)
            if (has_sent(r, part->first + part->lent[r][i]))
                rd__news_received(news, r, i);
}

/* In four goes, each with more bits: nothing is told twice, nor what both know, and nothing is missed. */
static const char *tell_more_and_more(rd__news *news, uint64_t *own, uint64_t *heard)
{
    const rd__part *part = news->part;
    const uint32_t me = rd_ranks_rank(part->ranks);
    for (unsigned density = 0; density < 4; density++) {
        uint64_t bytes = 0, open = 0;
        memset(own, 0, rd__bit_words(part->own) * sizeof *own);
        for (uint32_t v = 0; v < part->own; v++)
            if (is_set(0, part->first + v, density))
                rd__bit_set(own, v);
        if (density == 2)
            send_some(news);
        if (rd__news_tell(news, own, heard, &bytes, NULL) != RD_OK)
            return "telling news";
        for (uint32_t g = 0; g < part->ghosts; g++) {
            const uint32_t number = part->ghost[g];
            const int sent = density >= 2 && has_sent(me, number);
            const int before = density && is_set(0, number, density - 1), now = is_set(0, number, density);
            if (rd__bit_at(heard, g) != (now && !before && !sent))
                return "news are not those of the owner, or not new";
            open += !now && !sent;
        }
        if (rd__news_open(news) != open)
            return "what is not known is not what was not told";
    }
    return NULL;
}

static void *work(void *arg)
{
    crew *self = arg;
    const rd_graph_options options = {.size = sizeof options, .threads = 1};
    rd_graph *graph = NULL;
    uint64_t *own = NULL, *all = NULL; /* own: room for all */
    rd__news news = {0};
    self->wrong = "no graph";
    if (rd_graph_open_part(self->spec, &options, self->ranks, &graph, NULL) == RD_OK &&
        rd__part_lend_bits(graph->part, NULL) == RD_OK) {
        const rd__part *part = graph->part;
        self->wrong = "no memory";
        const uint64_t words = rd__bit_words((uint64_t)part->own + part->ghosts);
        if (rd__array_new(&own, "own", words, sizeof *own, NULL) == RD_OK &&
            rd__array_new(&all, "all", words, sizeof *all, NULL) == RD_OK)
            self->wrong = NULL;
        for (unsigned density = 0; density < 4 && !self->wrong; density++)
            self->wrong = go_round(part, density, own, all);
        if (!self->wrong)
            self->wrong = rd__news_new(&news, graph->part, NULL) == RD_OK ? tell_more_and_more(&news, own, all)
                                                                          : "no memory for news";
        rd__news_free(&news);
    }
    if (self->wrong)
        rd_ranks_stop(self->ranks, RD_EWRONG, self->wrong); /* or the others wait for ever */
    rd__array_free(own);
    rd__array_free(all);
    rd_graph_destroy(graph);
    return NULL;
}

static void ghosts_and_owners_hear_of_each_other(void **state)
{
    static const char *const specs[] = {"kron:9", "road:20x13", "star:70", "path:3", NULL};
    (void)state;
    for (const char *const *spec = specs; *spec; spec++)
        for (uint32_t count = 2; count <= MOST; count += 3) {
            rd_ranks *ranks[MOST];
            crew member[MOST];
            pthread_t thread[MOST];
            assert_int_equal(rd_ranks_open_threads(count, ranks, NULL), RD_OK);
            for (uint32_t r = 0; r < count; r++) {
                member[r] = (crew){ranks[r], *spec, NULL};
                assert_int_equal(pthread_create(&thread[r], NULL, work, &member[r]), 0);
            }
            for (uint32_t r = 0; r < count; r++)
                assert_int_equal(pthread_join(thread[r], NULL), 0);
            for (uint32_t r = 0; r < count; r++)
                rd_ranks_close(ranks[r]);
            for (uint32_t r = 0; r < count; r++)
                if (member[r].wrong)
                    fail_msg("%s, rank %u of %u: %s", *spec, r, count, member[r].wrong);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picking_is_one_by_one),
        cmocka_unit_test(spreading_undoes_picking),
        cmocka_unit_test(strings_move_to_any_place),
        cmocka_unit_test(ghosts_and_owners_hear_of_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
