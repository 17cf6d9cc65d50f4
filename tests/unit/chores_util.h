/* SPDX-License-Identifier: Apache-2.0 */
/* chores_util.h - writes and fills of any length, in any order, between launches, reads and new buffers: what is there
 * is what a model of the memory says. After cmocka.h. */
#ifndef RD_TESTS_CHORES_UTIL_H
#define RD_TESTS_CHORES_UTIL_H

#include "core/hash.h"
#include "device/device.h"

#include <string.h>

enum { MODEL_BUFFERS = 12, MODEL_WORDS = 300 };

typedef struct model {
    rd_device *device;
    rd__kernel *look; /* of no arguments: it is launched before memory is looked at */
    rd__buffer buffer[MODEL_BUFFERS];
    uint32_t word[MODEL_BUFFERS][MODEL_WORDS];
    uint64_t seed;
} model;

static uint32_t draw(model *m, uint32_t below)
{
    return (uint32_t)(rd__mix64(m->seed++) % below);
}

static void look_at_all(model *m)
{
    rd_error err = {.status = RD_OK};
    uint32_t got[MODEL_WORDS];
    assert_int_equal(rd__kernel_launch(m->device, m->look, 1, 0, NULL, 0, &err), RD_OK);
    for (uint32_t k = 0; k < MODEL_BUFFERS; k++) {
        assert_int_equal(rd__buffer_read(&m->buffer[k], 0, sizeof got, got, &err), RD_OK);
        assert_memory_equal(got, m->word[k], sizeof got);
    }
}

static void fresh(model *m, uint32_t k)
{
    rd_error err = {.status = RD_OK};
    rd__buffer_free(&m->buffer[k]);
    assert_int_equal(rd__buffer_alloc(m->device, &m->buffer[k], "any", sizeof m->word[k], &err), RD_OK);
    assert_int_equal(rd__buffer_fill(&m->buffer[k], 9, &err), RD_OK);
    for (uint32_t i = 0; i < MODEL_WORDS; i++)
        m->word[k][i] = 9;
}

/* Words of few values, so that runs are long, or bytes anywhere. */
static void write_some(model *m, uint32_t k, int whole)
{
    rd_error err = {.status = RD_OK};
    uint32_t data[MODEL_WORDS];
    const uint32_t first = draw(m, MODEL_WORDS), room = MODEL_WORDS - first;
    const uint32_t count = 1 + draw(m, draw(m, 2) ? 4 : room) % room, values = 1 + draw(m, 3), stays = 1 + draw(m, 40);
    for (uint32_t i = 0; i < MODEL_WORDS; i++)
        data[i] = i && draw(m, stays) ? data[i - 1] : draw(m, values);
    const uint32_t odd = whole ? 0 : draw(m, 4), bytes = 4 * count - odd;
    memcpy((char *)m->word[k] + 4 * first + odd, data, bytes);
    assert_int_equal(rd__buffer_write(&m->buffer[k], 4 * first + odd, bytes, data, &err), RD_OK);
    memset(data, 0xee, sizeof data); /* it is the caller's again */
}

static void fill_some(model *m, uint32_t k)
{
    rd_error err = {.status = RD_OK};
    const uint32_t first = draw(m, MODEL_WORDS), count = draw(m, MODEL_WORDS - first + 1), word = draw(m, 5);
    for (uint32_t i = 0; i < count; i++)
        m->word[k][first + i] = word;
    assert_int_equal(rd__buffer_fill_part(&m->buffer[k], 4 * first, 4 * count, word, &err), RD_OK);
}

static void step(model *m, uint32_t spread)
{
    const uint32_t k = draw(m, spread), what = draw(m, 40);
    if (what < 16)
        fill_some(m, k);
    else if (what < 36)
        write_some(m, k, what < 34);
    else if (what < 38)
        fresh(m, k);
    else
        look_at_all(m);
}

static void try_any_order(rd_device *device, rd__kernel *look, uint64_t rounds)
{
    static model m;
    m = (model){.device = device, .look = look};
    for (uint64_t round = 0; round < rounds; round++) {
        m.seed = round << 32;
        const uint32_t spread = 1 + draw(&m, MODEL_BUFFERS), steps = 1 + draw(&m, 120);
        for (uint32_t k = 0; k < MODEL_BUFFERS; k++)
            fresh(&m, k);
        for (uint32_t i = 0; i < steps; i++)
            step(&m, spread);
        look_at_all(&m);
    }
    for (uint32_t k = 0; k < MODEL_BUFFERS; k++)
        rd__buffer_free(&m.buffer[k]);
}

#endif
