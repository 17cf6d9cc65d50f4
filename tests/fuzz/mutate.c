/* SPDX-License-Identifier: Apache-2.0 */
/* mutate.c - one seed, and a few of the changes below in turn. Most are small, so that a reader gets far into it. */
#include "mutate.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS_MAX = 4096, WORD_MAX = 32 };

/* ---- Chance ---- */

static uint64_t next(fuzz_pool *pool) /* splitmix64 */
{
    uint64_t x = pool->random += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static size_t below(fuzz_pool *pool, size_t limit) /* 0 for a limit of 0 */
{
    return limit ? (size_t)(next(pool) % limit) : 0;
}

/* Lengths: mostly short. */
static size_t short_length(fuzz_pool *pool, size_t limit)
{
    const size_t most = (size_t)1 << below(pool, 9);
    return limit ? 1 + below(pool, most < limit ? most : limit) : 0;
}

/* ---- Seeds and words ---- */

int fuzz_pool_init(fuzz_pool *pool, uint64_t random, size_t most)
{
    *pool = (fuzz_pool){.random = random, .most = most, .spare = malloc(most ? most : 1)};
    return pool->spare != NULL;
}

int fuzz_pool_add(fuzz_pool *pool, uint8_t *data, size_t bytes)
{
    fuzz_text *grown = realloc(pool->seed, (pool->seeds + 1) * sizeof *grown);
    if (!grown)
        return 0;
    pool->seed = grown;
    pool->seed[pool->seeds++] = (fuzz_text){data, bytes < pool->most ? bytes : pool->most};
    return 1;
}

void fuzz_pool_free(fuzz_pool *pool)
{
    for (size_t i = 0; i < pool->seeds; i++)
        free(pool->seed[i].data);
    free(pool->seed);
    free(pool->word);
    free(pool->spare);
    *pool = (fuzz_pool){0};
}

static int is_space(uint8_t c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\0';
}

static int is_name(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

static void add_word(fuzz_pool *pool, uint8_t *data, size_t bytes)
{
    if (bytes < 1 || bytes > WORD_MAX || pool->words == WORDS_MAX)
        return;
    for (size_t i = 0; i < pool->words; i++)
        if (pool->word[i].bytes == bytes && memcmp(pool->word[i].data, data, bytes) == 0)
            return;
    pool->word[pool->words++] = (fuzz_text){data, bytes};
}

static void add_words(fuzz_pool *pool, const fuzz_text *seed, int names)
{
    size_t start = 0;
    for (size_t i = 0; i <= seed->bytes; i++)
        if (i == seed->bytes || (names ? !is_name(seed->data[i]) : is_space(seed->data[i]))) {
            add_word(pool, seed->data + start, i - start);
            start = i + 1;
        }
}

/* What stands between blanks, and the names and numbers in it: "kron:6:4", and kron. */
int fuzz_pool_words(fuzz_pool *pool)
{
    pool->word = malloc(WORDS_MAX * sizeof *pool->word);
    if (!pool->word)
        return 0;
    for (size_t i = 0; i < pool->seeds; i++) {
        add_words(pool, &pool->seed[i], 0);
        add_words(pool, &pool->seed[i], 1);
    }
    return 1;
}

/* ---- The input that is being made ---- */

struct input {
    uint8_t *data;
    size_t bytes;
};

/* Puts bytes in place of cut others; what does not fit falls off the end. The source is not in the input. */
static void replace(fuzz_pool *pool, struct input *in, size_t at, size_t cut, const uint8_t *source, size_t bytes)
{
    cut = cut < in->bytes - at ? cut : in->bytes - at;
    bytes = bytes < pool->most - at ? bytes : pool->most - at;
    size_t tail = in->bytes - at - cut;
    tail = tail < pool->most - at - bytes ? tail : pool->most - at - bytes;
    memmove(in->data + at + bytes, in->data + at + cut, tail);
    if (bytes)
        memcpy(in->data + at, source, bytes);
    in->bytes = at + bytes + tail;
}

static void flip_bit(fuzz_pool *pool, struct input *in)
{
    if (in->bytes)
        in->data[below(pool, in->bytes)] ^= (uint8_t)(1u << below(pool, 8));
}

static void set_byte(fuzz_pool *pool, struct input *in)
{
    static const uint8_t telling[] = {0, 1, 0x7f, 0x80, 0xff, ' ', '\n', '\r', '\t', '-', '.', ':', '/', '%', '#', '0'};
    if (in->bytes)
        in->data[below(pool, in->bytes)] = next(pool) & 1 ? telling[below(pool, sizeof telling)] : (uint8_t)next(pool);
}

/* The nearest token at or after a place: its start; *end is where it ends. */
static size_t token(fuzz_pool *pool, const uint8_t *data, size_t bytes, size_t *end)
{
    const int names = next(pool) & 1;
    size_t at = below(pool, bytes);
#define INSIDE(c) (names ? is_name(c) : !is_space(c))
    while (at < bytes && !INSIDE(data[at]))
        at++;
    while (at > 0 && at < bytes && INSIDE(data[at - 1]))
        at--;
    for (*end = at; *end < bytes && INSIDE(data[*end]);)
        ++*end;
#undef INSIDE
    return at;
}

static void text_number(fuzz_pool *pool, struct input *in)
{
    static const char *const number[] = {"0",
                                         "-1",
                                         "1",
                                         "2147483647",
                                         "2147483648",
                                         "4294967295",
                                         "4294967296",
                                         "-2147483648",
                                         "9223372036854775807",
                                         "9223372036854775808",
                                         "18446744073709551615",
                                         "18446744073709551616",
                                         "1e308",
                                         "1e309",
                                         "-1e308",
                                         "1e-320",
                                         "nan",
                                         "inf",
                                         "-inf",
                                         "-0",
                                         "0x10",
                                         "1.5",
                                         "00000000000000000000001",
                                         "99999999999999999999999999",
                                         "65535",
                                         "65536",
                                         "16777216"};
    const char *chosen = number[below(pool, sizeof number / sizeof number[0])];
    size_t end;
    const size_t at = token(pool, in->data, in->bytes, &end);
    replace(pool, in, at, end - at, (const uint8_t *)chosen, strlen(chosen));
}

static void binary_number(fuzz_pool *pool, struct input *in)
{
    static const uint64_t number[] = {0,
                                      1,
                                      UINT64_MAX,
                                      0x7fffffff,
                                      0x80000000u,
                                      0xffffffffu,
                                      0x100000000u,
                                      0x7fffffffffffffffu,
                                      0x8000000000000000u,
                                      0x7fe1ccf385ebc8a0u /* 1e308 */,
                                      0x7ff8000000000000u /* nan */,
                                      0x7fc00000u /* nan as a float */,
                                      0x7f800000u,
                                      0xffff,
                                      0x10000,
                                      0x40000000};
    const size_t width = (size_t)1 << below(pool, 4);
    uint64_t value = number[below(pool, sizeof number / sizeof number[0])];
    if (next(pool) & 1)
        value += next(pool) % 17 - 8;
    const int big = (next(pool) & 3) == 0;
    if (in->bytes < width)
        return;
    /* headers have their numbers at multiples of their width */
    size_t at = below(pool, in->bytes - width + 1);
    if (next(pool) & 3)
        at -= at % width;
    for (size_t i = 0; i < width; i++)
        in->data[at + i] = (uint8_t)(value >> 8 * (big ? width - 1 - i : i));
}

static void near_number(fuzz_pool *pool, struct input *in)
{
    if (!in->bytes)
        return;
    const size_t start = below(pool, in->bytes);
    for (size_t i = 0; i < in->bytes; i++) { /* the next digit from there, around the end */
        uint8_t *c = &in->data[(start + i) % in->bytes];
        if (*c >= '0' && *c <= '9') {
            *c = (uint8_t)('0' + below(pool, 10));
            return;
        }
    }
    in->data[start] = (uint8_t)(in->data[start] + (next(pool) & 1 ? 1 : -1));
}

static void splice_token(fuzz_pool *pool, struct input *in)
{
    const fuzz_text *other = &pool->seed[below(pool, pool->seeds)];
    size_t end, other_end;
    const size_t at = token(pool, in->data, in->bytes, &end);
    const size_t from = token(pool, other->data, other->bytes, &other_end);
    replace(pool, in, at, end - at, other->data + from, other_end - from);
}

static void splice_block(fuzz_pool *pool, struct input *in)
{
    const fuzz_text *other = &pool->seed[below(pool, pool->seeds)];
    const size_t from = below(pool, other->bytes), at = below(pool, in->bytes + 1);
    const size_t bytes = short_length(pool, other->bytes - from);
    replace(pool, in, at, next(pool) & 1 ? bytes : 0, other->data + from, bytes);
}

static void insert_word(fuzz_pool *pool, struct input *in)
{
    if (!pool->words)
        return;
    const fuzz_text *word = &pool->word[below(pool, pool->words)];
    size_t at = below(pool, in->bytes + 1), end = at;
    if (next(pool) & 1)
        at = token(pool, in->data, in->bytes, &end);
    if (next(pool) & 1)
        end = at;
    replace(pool, in, at, end - at, word->data, word->bytes);
}

static void insert_bytes(fuzz_pool *pool, struct input *in)
{
    uint8_t made[16];
    const size_t bytes = 1 + below(pool, sizeof made);
    const uint8_t same = (uint8_t)next(pool);
    const int all_same = next(pool) & 1;
    for (size_t i = 0; i < bytes; i++)
        made[i] = all_same ? same : (uint8_t)next(pool);
    replace(pool, in, below(pool, in->bytes + 1), 0, made, bytes);
}

static void delete_bytes(fuzz_pool *pool, struct input *in)
{
    const size_t at = below(pool, in->bytes);
    replace(pool, in, at, short_length(pool, in->bytes - at), NULL, 0);
}

static void cut_short(fuzz_pool *pool, struct input *in)
{
    in->bytes = below(pool, in->bytes + 1);
}

static void repeat_block(fuzz_pool *pool, struct input *in)
{
    const size_t at = below(pool, in->bytes), bytes = short_length(pool, in->bytes - at);
    const size_t times = 1 + below(pool, (size_t)1 << below(pool, 8));
    size_t made = 0;
    for (size_t i = 0; i < times && bytes && made + bytes <= pool->most; i++, made += bytes)
        memcpy(pool->spare + made, in->data + at, bytes);
    replace(pool, in, at, 0, pool->spare, made);
}

/* ---- Lines ---- */

/* A line with its end: where it starts; *end is after its newline. */
static size_t line(fuzz_pool *pool, const struct input *in, size_t *end)
{
    size_t at = below(pool, in->bytes);
    while (at > 0 && in->data[at - 1] != '\n')
        at--;
    for (*end = at; *end < in->bytes && in->data[(*end)++] != '\n';)
        ;
    return at;
}

static void copy_line(fuzz_pool *pool, struct input *in)
{
    size_t end, there;
    const size_t at = line(pool, in, &end), to = line(pool, in, &there);
    memcpy(pool->spare, in->data + at, end - at);
    replace(pool, in, to, 0, pool->spare, end - at);
}

static void delete_line(fuzz_pool *pool, struct input *in)
{
    size_t end;
    const size_t at = line(pool, in, &end);
    replace(pool, in, at, end - at, NULL, 0);
}

static void move_line(fuzz_pool *pool, struct input *in)
{
    size_t end, there;
    const size_t at = line(pool, in, &end), bytes = end - at;
    memcpy(pool->spare, in->data + at, bytes);
    replace(pool, in, at, bytes, NULL, 0);
    const size_t to = line(pool, in, &there);
    replace(pool, in, to, 0, pool->spare, bytes);
}

static void shuffle_lines(fuzz_pool *pool, struct input *in)
{
    for (size_t times = 2 + below(pool, 8); times > 0; times--)
        move_line(pool, in);
}

size_t fuzz_mutate(fuzz_pool *pool, uint8_t *into)
{
    static void (*const change[])(fuzz_pool *, struct input *) = {
        flip_bit, set_byte, text_number, binary_number, near_number, splice_token, splice_block, insert_word,
        insert_bytes, delete_bytes, cut_short, repeat_block, copy_line, delete_line, move_line, shuffle_lines,
        /* again: those that leave most of a seed as it is */
        flip_bit, set_byte, text_number, binary_number, near_number, splice_token, insert_word, delete_bytes};
    struct input in = {into, 0};
    if (pool->seeds) {
        const fuzz_text *seed = &pool->seed[below(pool, pool->seeds)];
        in.bytes = seed->bytes;
        if (seed->bytes)
            memcpy(into, seed->data, seed->bytes);
    }
    do { /* one in half of all inputs, two in a quarter, and so on */
        const size_t which = below(pool, sizeof change / sizeof change[0]);
        if (pool->seeds || (change[which] != splice_token && change[which] != splice_block))
            change[which](pool, &in);
    } while (next(pool) & 1);
    return in.bytes;
}
