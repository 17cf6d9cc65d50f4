/* SPDX-License-Identifier: Apache-2.0 */
/* test_dialect.c - the dialect's primitives against serial models, at every width the device has. */
#include "selftest/selftest.h"

#include "core/hash.h"
#include "core/memory.h"
#include "model/args.h"
#include "selftest/dialect_layout.k.h"

#include <stdio.h>

RD__ARGS(geometry_args, GEOMETRY_ARGS)
RD__ARGS(atomics32_args, ATOMICS32_ARGS)
RD__ARGS(atomics64_args, ATOMICS64_ARGS)
RD__ARGS(together_args, TOGETHER_ARGS)
RD__ARGS(cas_args, CAS_ARGS)
RD__ARGS(load_store_args, LOAD_STORE_ARGS)
RD__ARGS(collectives_args, COLLECTIVES_ARGS)

static const char program[] = "selftest_dialect", root[] = "selftest/dialect.k.c";
enum { MOST_GROUPS = 64 };

/* Runs one(test, rig) at each width. */
static rd_status at_each_width(rd__test *test, rd_status (*one)(rd__test *, rd__rig *, rd_error *), rd_error *err)
{
    size_t count;
    const uint32_t *width = rd__test_widths(test->device, &count);
    for (size_t i = 0; i < count; i++) {
        rd__rig rig;
        rd_status status = rd__rig_load(&rig, test->device, program, root, width[i], MOST_GROUPS, err);
        if (status == RD_OK)
            status = one(test, &rig, err);
        rd__rig_free(&rig);
        if (status != RD_OK)
            return status;
    }
    snprintf(test->note, sizeof test->note, "%zu width%s up to %u", count, count == 1 ? "" : "s", width[count - 1]);
    return RD_OK;
}

static rd_status expect64(const rd__rig *rig, const char *what, uint64_t found, uint64_t right, rd_error *err)
{
    if (found == right)
        return RD_OK;
    return rd__fail(err, RD_EWRONG, "%s is %llu and must be %llu (%u groups of %u lanes)", what,
                    (unsigned long long)found, (unsigned long long)right, rig->groups, rig->lanes);
}

/* ---- Geometry ---- */

static rd_status geometry_one(rd__test *test, rd__rig *rig, rd_error *err)
{
    const uint32_t lanes = rig->lanes * rig->groups;
    uint32_t *out = NULL;
    uint64_t turns = 0;
    (void)test;
    RD_TRY(rd__rig_buffer(rig, 0, 24ull * lanes, RD_NONE, err));
    const geometry_args args = {.out = &rig->buffer[0]};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = geometry_args_pack(&args, list);
    RD_TRY(rd__rig_launch(rig, "geometry", list, used, err));
    RD_TRY(rd__array_new(&out, "selftest", 6ull * lanes, sizeof *out, err));
    rd_status status = rd__buffer_read(&rig->buffer[0], 0, 24ull * lanes, out, err);
    for (uint32_t i = 0; status == RD_OK && i < lanes; i++) {
        const uint32_t *w = out + 6 * i;
        turns += w[5];
        if (w[4] != rig->lanes || w[5] >= rig->lanes)
            status = rd__fail(err, RD_EWRONG, "add_local: lane %u of %u x %u found %u, and %u in the end", i,
                              rig->groups, rig->lanes, w[5], w[4]);
        if (w[0] != i % rig->lanes || w[1] != rig->lanes || w[2] != i / rig->lanes || w[3] != rig->groups)
            status = rd__fail(err, RD_EWRONG, "lane %u of %u x %u sees itself as lane %u of %u in group %u of %u", i,
                              rig->groups, rig->lanes, w[0], w[1], w[2], w[3]);
    }
    if (status == RD_OK)
        status = expect64(rig, "add_local", turns, (uint64_t)rig->groups * rig->lanes * (rig->lanes - 1) / 2, err);
    rd__array_free(out);
    return status;
}

static rd_status geometry(rd__test *test, rd_error *err)
{
    return at_each_width(test, geometry_one, err);
}

/* ---- Atomics ---- */

struct atomics_model {
    uint64_t word[8];
};

/* What atomics_32 and atomics_64 must leave; bits: 32 or 64. */
static struct atomics_model foretell(uint64_t lanes, uint32_t turns, unsigned bits)
{
    const uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX, ids = lanes * turns;
    struct atomics_model m = {{0}};
    m.word[0] = m.word[7] = ids;
    m.word[1] = ~(ids - 1) & mask;
    m.word[2] = ids - 1;
    m.word[3] = ids >= bits ? mask : (1ull << ids) - 1;
    m.word[4] = ~m.word[3] & mask;
    return m;
}

static rd_status atomics_check(const rd__rig *rig, const uint64_t *word, const uint64_t *ticket, uint32_t turns,
                               unsigned bits, rd_error *err)
{
    static const char *const name[] = {"add", "min", "max", "or", "and"};
    const uint64_t lanes = (uint64_t)rig->lanes * rig->groups, ids = lanes * turns;
    const struct atomics_model m = foretell(lanes, turns, bits);
    for (int i = 0; i < 5; i++)
        RD_TRY(expect64(rig, name[i], word[i], m.word[i], err));
    const uint64_t mask = bits == 64 ? UINT64_MAX : UINT32_MAX, written = ids * (ids - 1) / 2;
    RD_TRY(expect64(rig, "sum of values exchanged out plus the last", (word[6] + word[5]) & mask, written & mask, err));
    RD_TRY(expect64(rig, "add with acquire and release", word[7], m.word[7], err));
    for (uint64_t i = 0; i < ids; i++)
        if (ticket[i] != 1)
            return rd__fail(err, RD_EWRONG, "old value %llu of add was returned %llu times", (unsigned long long)i,
                            (unsigned long long)ticket[i]);
    return RD_OK;
}

/* Reads count words of the given width into 64-bit ones. */
static rd_status read_words(const rd__buffer *buffer, uint64_t count, unsigned bits, uint64_t *out, rd_error *err)
{
    if (bits == 64)
        return rd__buffer_read(buffer, 0, 8 * count, out, err);
    uint32_t *narrow = NULL;
    RD_TRY(rd__array_new(&narrow, "selftest", count, sizeof *narrow, err));
    rd_status status = rd__buffer_read(buffer, 0, 4 * count, narrow, err);
    for (uint64_t i = 0; status == RD_OK && i < count; i++)
        out[i] = narrow[i];
    rd__array_free(narrow);
    return status;
}

static rd_status atomics_bits(rd__rig *rig, unsigned bits, uint32_t turns, rd_error *err)
{
    const uint64_t lanes = (uint64_t)rig->lanes * rig->groups, ids = lanes * turns, bytes = bits / 8;
    uint64_t *ticket = NULL, word[8], start[8] = {0, UINT64_MAX, 0, 0, UINT64_MAX, 0, 0, 0};
    uint32_t start32[8];
    for (int i = 0; i < 8; i++)
        start32[i] = (uint32_t)start[i];
    RD_TRY(rd__rig_buffer(rig, 0, 8 * bytes, 0, err));
    RD_TRY(rd__buffer_write(&rig->buffer[0], 0, 8 * bytes, bits == 64 ? (const void *)start : start32, err));
    RD_TRY(rd__rig_buffer(rig, 1, ids * bytes, 0, err));
    const atomics32_args narrow = {.word = &rig->buffer[0], .ticket = &rig->buffer[1], .turns = turns};
    const atomics64_args wide = {.word = &rig->buffer[0], .ticket = &rig->buffer[1], .turns = turns};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = bits == 64 ? atomics64_args_pack(&wide, list) : atomics32_args_pack(&narrow, list);
    RD_TRY(rd__rig_launch(rig, bits == 64 ? "atomics_64" : "atomics_32", list, used, err));
    RD_TRY(rd__array_new(&ticket, "selftest", ids, sizeof *ticket, err));
    rd_status status = read_words(&rig->buffer[0], 8, bits, word, err);
    if (status == RD_OK)
        status = read_words(&rig->buffer[1], ids, bits, ticket, err);
    if (status == RD_OK)
        status = atomics_check(rig, word, ticket, turns, bits, err);
    rd__array_free(ticket);
    return status;
}

static uint32_t turns_for(const rd__test *test, const rd__rig *rig)
{
    const uint64_t lanes = (uint64_t)rig->lanes * rig->groups;
    const uint64_t turns = 40ull * test->repeats / lanes;
    return turns < 3 ? 3 : (uint32_t)turns;
}

static rd_status atomics32_one(rd__test *test, rd__rig *rig, rd_error *err)
{
    return atomics_bits(rig, 32, turns_for(test, rig), err);
}

static rd_status atomics64_one(rd__test *test, rd__rig *rig, rd_error *err)
{
    return atomics_bits(rig, 64, turns_for(test, rig), err);
}

static rd_status atomics32(rd__test *test, rd_error *err)
{
    return at_each_width(test, atomics32_one, err);
}

static rd_status atomics64(rd__test *test, rd_error *err)
{
    return at_each_width(test, atomics64_one, err);
}

static rd_status together_one(rd__test *test, rd__rig *rig, rd_error *err)
{
    const uint32_t lanes = rig->lanes * rig->groups, turns = 5;
    uint64_t sum = 0, word = 0, *ticket = NULL;
    (void)test;
    for (uint32_t me = 0; me < lanes; me++)
        for (uint32_t i = 0; i < turns; i++)
            sum += TOGETHER_ADDS(me, i) == TOGETHER_AWAY ? 0 : TOGETHER_ADDS(me, i);
    /* room for all that could come, so that wrong places are told and not written to */
    RD_TRY(rd__rig_buffer(rig, 0, sizeof(uint32_t), 0, err));
    RD_TRY(rd__rig_buffer(rig, 1, 4ull * lanes * turns * TOGETHER_MOST, 0, err));
    const together_args args = {.word = &rig->buffer[0], .ticket = &rig->buffer[1], .turns = turns};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = together_args_pack(&args, list);
    RD_TRY(rd__rig_launch(rig, "together", list, used, err));
    RD_TRY(read_words(&rig->buffer[0], 1, 32, &word, err));
    RD_TRY(expect64(rig, "what lanes added together", word, sum, err));
    RD_TRY(rd__array_new(&ticket, "selftest", sum, sizeof *ticket, err));
    rd_status status = read_words(&rig->buffer[1], sum, 32, ticket, err);
    for (uint64_t i = 0; status == RD_OK && i < sum; i++)
        status = expect64(rig, "how often a place was given", ticket[i], 1, err);
    rd__array_free(ticket);
    return status;
}

static rd_status together(rd__test *test, rd_error *err)
{
    return at_each_width(test, together_one, err);
}

static rd_status cas_one(rd__test *test, rd__rig *rig, rd_error *err)
{
    uint32_t turns = turns_for(test, rig), word[2];
    uint64_t wide[2];
    float sum;
    turns = turns > 100 ? 100 : turns; /* float sums stay exact, and a contended CAS is slow */
    RD_TRY(rd__rig_buffer(rig, 0, sizeof word, 0, err));
    RD_TRY(rd__rig_buffer(rig, 1, sizeof wide, 0, err));
    RD_TRY(rd__rig_buffer(rig, 2, sizeof sum, 0, err));
    const cas_args args = {.word = &rig->buffer[0], .wide = &rig->buffer[1], .sum = &rig->buffer[2], .turns = turns};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = cas_args_pack(&args, list);
    RD_TRY(rd__rig_launch(rig, "cas_float", list, used, err));
    RD_TRY(rd__buffer_read(&rig->buffer[0], 0, sizeof word, word, err));
    RD_TRY(rd__buffer_read(&rig->buffer[1], 0, sizeof wide, wide, err));
    RD_TRY(rd__buffer_read(&rig->buffer[2], 0, sizeof sum, &sum, err));
    const uint64_t wins = (uint64_t)rig->groups * turns;
    RD_TRY(expect64(rig, "cas, relaxed", word[0], wins, err));
    RD_TRY(expect64(rig, "cas, acq_rel", word[1], wins, err));
    RD_TRY(expect64(rig, "cas64, relaxed", wide[0], wins * ((1ull << 32) + 1), err));
    RD_TRY(expect64(rig, "cas64, acq_rel", wide[1], wins * ((1ull << 32) + 1), err));
    return expect64(rig, "float add", (uint64_t)sum, wins * rig->lanes, err);
}

static rd_status cas(rd__test *test, rd_error *err)
{
    return at_each_width(test, cas_one, err);
}

static rd_status load_store_one(rd__test *test, rd__rig *rig, rd_error *err)
{
    const uint32_t lanes = rig->lanes * rig->groups;
    uint64_t *out = NULL;
    (void)test;
    RD_TRY(rd__rig_buffer(rig, 0, 4ull * lanes, RD_NONE, err));
    RD_TRY(rd__rig_buffer(rig, 1, 8ull * lanes, RD_NONE, err));
    const load_store_args args = {.narrow = &rig->buffer[0], .wide = &rig->buffer[1]};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = load_store_args_pack(&args, list);
    RD_TRY(rd__rig_launch(rig, "load_store", list, used, err));
    RD_TRY(rd__array_new(&out, "selftest", lanes, sizeof *out, err));
    rd_status status = read_words(&rig->buffer[0], lanes, 32, out, err);
    for (uint32_t i = 0; status == RD_OK && i < lanes; i++)
        status = expect64(rig, "a word stored and loaded", out[i], (i + 1u) * 3u, err);
    if (status == RD_OK)
        status = read_words(&rig->buffer[1], lanes, 64, out, err);
    for (uint32_t i = 0; status == RD_OK && i < lanes; i++)
        status = expect64(rig, "a 64-bit word stored and loaded", out[i],
                          (((uint64_t)i << 20) + 1) * 3 + (uint64_t)__builtin_popcount(i) +
                              (uint64_t)__builtin_ctz(i | 1u << 20),
                          err);
    rd__array_free(out);
    return status;
}

static rd_status load_store(rd__test *test, rd_error *err)
{
    return at_each_width(test, load_store_one, err);
}

/* ---- Collectives ---- */

struct group_model {
    uint32_t total, least, most, any, all;
};

static struct group_model model_of(const uint32_t *x, uint32_t lanes)
{
    struct group_model m = {0, UINT32_MAX, 0, 0, 1};
    for (uint32_t i = 0; i < lanes; i++) {
        m.total += x[i];
        m.least = x[i] < m.least ? x[i] : m.least;
        m.most = x[i] > m.most ? x[i] : m.most;
        m.any |= x[i] % 97 == 0;
        m.all &= x[i] % 97 != 0;
    }
    return m;
}

static rd_status check_group(const rd__rig *rig, const uint32_t *x, const uint32_t *out, uint32_t from, rd_error *err)
{
    static const char *const name[] = {"scan", "scan's total", "sum", "min", "max", "any", "all", "broadcast"};
    const struct group_model m = model_of(x, rig->lanes);
    uint32_t before = 0;
    for (uint32_t i = 0; i < rig->lanes; i++) {
        const uint32_t right[8] = {before, m.total, m.total, m.least, m.most, m.any, m.all, x[from]};
        for (int k = 0; k < 8; k++)
            if (out[10 * i + (uint32_t)k] != right[k])
                return rd__fail(err, RD_EWRONG, "%s of lane %u of %u is %u and must be %u", name[k], i, rig->lanes,
                                out[10 * i + (uint32_t)k], right[k]);
        before += x[i];
    }
    const uint32_t warp = rig->device->info.warp;
    if (warp < 2 || rig->lanes % warp != 0)
        return RD_OK;
    for (uint32_t i = 0; i < rig->lanes; i++) {
        uint32_t ballot = 0;
        for (uint32_t k = 0; k < warp; k++)
            ballot |= (uint32_t)(x[i / warp * warp + k] % 3 == 0) << k;
        if (out[10 * i + 8] != ballot || out[10 * i + 9] != x[i ^ 5])
            return rd__fail(err, RD_EWRONG, "warp ballot or shuffle of lane %u of %u is %08x, %u and must be %08x, %u",
                            i, rig->lanes, out[10 * i + 8], out[10 * i + 9], ballot, x[i ^ 5]);
    }
    return RD_OK;
}

static rd_status collectives_run(rd__rig *rig, uint32_t *in, uint32_t *out, uint64_t seed, rd_error *err)
{
    const uint32_t lanes = rig->lanes * rig->groups, from = (uint32_t)(rd__mix64(seed) % rig->lanes);
    for (uint32_t i = 0; i < lanes; i++) {
        uint64_t draw = rd__mix64(seed + (i + 1) * RD_GOLDEN);
        in[i] = (uint32_t)(draw % 5 ? draw >> 40 : draw >> 54); /* small and large values, sums that wrap */
    }
    RD_TRY(rd__buffer_write(&rig->buffer[0], 0, 4ull * lanes, in, err));
    const collectives_args args = {.in = &rig->buffer[0], .out = &rig->buffer[1], .turns = 5, .from = from};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = collectives_args_pack(&args, list);
    RD_TRY(rd__rig_launch(rig, "collectives", list, used, err));
    RD_TRY(rd__buffer_read(&rig->buffer[1], 0, 40ull * lanes, out, err));
    for (uint32_t g = 0; g < rig->groups; g++)
        RD_TRY(check_group(rig, in + g * rig->lanes, out + 10 * g * rig->lanes, from, err));
    return RD_OK;
}

static rd_status collectives_one(rd__test *test, rd__rig *rig, rd_error *err)
{
    const uint32_t lanes = rig->lanes * rig->groups, rounds = 4 + test->repeats / 100;
    uint32_t *in = NULL, *out = NULL;
    RD_TRY(rd__rig_buffer(rig, 0, 4ull * lanes, 0, err));
    RD_TRY(rd__rig_buffer(rig, 1, 40ull * lanes, RD_NONE, err));
    rd_status status = rd__array_new(&in, "selftest", lanes, sizeof *in, err);
    if (status == RD_OK)
        status = rd__array_new(&out, "selftest", 10ull * lanes, sizeof *out, err);
    for (uint32_t r = 0; status == RD_OK && r < rounds; r++)
        status = collectives_run(rig, in, out, test->seed + r, err);
    rd__array_free(in);
    rd__array_free(out);
    return status;
}

static rd_status collectives(rd__test *test, rd_error *err)
{
    return at_each_width(test, collectives_one, err);
}

/* ---- The example of docs/dialect.md ---- */

static rd_status example_run(rd__test *test, rd__rig *rig, uint32_t *word, uint32_t n, rd_error *err)
{
    const uint32_t limit = 1u << 30;
    uint32_t right = 0, count = 0;
    for (uint32_t i = 0; i < n; i++) {
        word[i] = (uint32_t)rd__mix64(test->seed + i * RD_GOLDEN);
        right += word[i] < limit;
    }
    RD_TRY(rd__rig_buffer(rig, 0, 4ull * n, 0, err));
    RD_TRY(rd__buffer_write(&rig->buffer[0], 0, 4ull * n, word, err));
    RD_TRY(rd__rig_buffer(rig, 1, 4ull * n, RD_NONE, err));
    RD_TRY(rd__rig_buffer(rig, 2, 4, 0, err));
    const rd__arg args[] = {RD__BUFFER(&rig->buffer[0]), RD__U32(n), RD__U32(limit), RD__BUFFER(&rig->buffer[1]),
                            RD__BUFFER(&rig->buffer[2])};
    RD_TRY(rd__rig_launch(rig, "below", args, 5, err));
    RD_TRY(rd__buffer_read(&rig->buffer[2], 0, 4, &count, err));
    RD_TRY(expect64(rig, "the example's count", count, right, err));
    uint32_t *index = word + n;
    RD_TRY(rd__buffer_read(&rig->buffer[1], 0, 4ull * count, index, err));
    for (uint32_t i = 0; i < count; i++) {
        if (index[i] >= n || word[index[i]] >= limit)
            return rd__fail(err, RD_EWRONG,
                            "the example reports index %u, which is not below the limit or was reported before",
                            index[i]);
        word[index[i]] = limit; /* a second report of it would be found */
    }
    return RD_OK;
}

static rd_status example(rd__test *test, rd_error *err)
{
    enum { N = 10007 };
    rd__rig rig;
    uint32_t *word = NULL;
    RD_TRY(rd__array_new(&word, "selftest", 2 * N, sizeof *word, err));
    rd_status status = rd__rig_load(&rig, test->device, "selftest_example", "selftest/example.k.c",
                                    rd__device_default_lanes(test->device), MOST_GROUPS, err);
    if (status == RD_OK)
        status = example_run(test, &rig, word, N, err);
    rd__rig_free(&rig);
    rd__array_free(word);
    return status;
}

const rd__test_case rd__dialect_cases[] = {
    {"dialect/geometry", geometry, RD__ONCE},
    {"dialect/load-store", load_store, RD__ONCE},
    {"dialect/atomics-32", atomics32, RD__ONCE},
    {"dialect/atomics-64", atomics64, RD__ONCE},
    {"dialect/together", together, RD__ONCE},
    {"dialect/cas-and-float", cas, RD__ONCE},
    {"dialect/collectives", collectives, RD__ONCE},
    {"dialect/example", example, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
