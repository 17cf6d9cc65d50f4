/* SPDX-License-Identifier: Apache-2.0 */
/* test_queue.c - the queue delivers every token exactly once: bursts, nearly empty, nearly full, few and many workers,
 * tickets that wrap around; in each of its three forms, with tokens of 32 and of 64 bits. */
#include "selftest/selftest.h"

#include "core/memory.h"
#include "model/args.h"
#include "sched/parts/ring_layout.k.h"
#include "selftest/queue_layout.k.h"

#include <stdio.h>

RD__ARGS(queue_args, QUEUE_ARGS)

struct shape {
    const char *name;
    uint32_t shift, tokens, burst;
    uint32_t first_lap; /* counted from the wrap-around of tickets, downwards; 0: start at ticket 0 */
    int split;          /* half of the groups only give, the others only take */
    uint32_t groups;    /* most; 0: all that are resident */
};
static const struct shape shapes[] = {
    {"bursts", 10, 3000, 64, 0, 0, 0},
    {"nearly empty", 10, 500, 1, 0, 1, 0},
    {"nearly full", 1, 300, 3, 0, 0, 0},
    {"nearly full, apart", 2, 300, 5, 0, 1, 0},
    {"one worker", 3, 400, 7, 0, 0, 1},
    {"more workers than tokens", 4, 3, 1, 0, 0, 0},
    {"one token", 1, 1, 1, 0, 0, 0},
    {"wrap-around", 4, 500, 4, 3, 0, 0},
    {"wrap-around, two slots", 1, 300, 2, 50, 0, 0},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static const struct form {
    const char *name, *program, *root;
    uint32_t kind, bits;
} forms[] = {
    {"retry-free", "selftest_queue", "selftest/queue.k.c", QUEUE_RETRY_FREE, 32},
    {"cas", "selftest_queue_cas", "selftest/queue_cas.k.c", QUEUE_CAS, 32},
    {"an", "selftest_queue_an", "selftest/queue_an.k.c", QUEUE_AN, 32},
    {"retry-free, 64 bits", "selftest_queue64", "selftest/queue64.k.c", QUEUE_RETRY_FREE, 64},
    {"cas, 64 bits", "selftest_queue64", "selftest/queue64.k.c", QUEUE_CAS, 64},
    {"an, 64 bits", "selftest_queue64", "selftest/queue64.k.c", QUEUE_AN, 64},
};
enum { FORMS = sizeof forms / sizeof forms[0] };
/* The default one, for tokens of each size. */
static const struct form *const sizes[] = {&forms[0], &forms[3]};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

static rd_status verdict(rd__rig *rig, const struct form *form, const struct shape *shape, uint32_t start,
                         rd_error *err)
{
    uint32_t word[QUEUE_CONTROL], *seen = NULL;
    RD_TRY(rd__buffer_read(&rig->buffer[1], 0, sizeof word, word, err));
    const uint32_t *stats = word + QUEUE_STATS;
    const char *what = NULL;
    if (stats[3] || word[QUEUE_LEFT])
        what = "a token was lost, or a worker gave up waiting";
    else if (stats[4])
        what = "a token came out that nobody gave";
    else if (stats[5])
        what = "a token came without the data that was written before it was given";
    else if (word[QUEUE_REAR] - start != shape->tokens)
        what = "rear does not count the tokens given";
    else if (form->kind == QUEUE_RETRY_FREE && stats[1])
        what = "a retry-free reservation was tried again";
    if (what)
        return rd__fail(err, RD_EWRONG, "%s, %s (%u groups of %u): %s; %u tokens left", form->name, shape->name,
                        rig->groups, rig->lanes, what, word[QUEUE_LEFT]);
    RD_TRY(rd__array_new(&seen, "tokens seen", shape->tokens, sizeof *seen, err));
    rd_status status = rd__buffer_read(&rig->buffer[2], 0, 4ull * shape->tokens, seen, err);
    for (uint32_t i = 0; status == RD_OK && i < shape->tokens; i++)
        if (seen[i] != 1)
            status =
                rd__fail(err, RD_EWRONG, "%s, %s: token %u came out %u times", form->name, shape->name, i, seen[i]);
    rd__array_free(seen);
    return status;
}

static rd_status run_shape(rd__rig *rig, const struct form *form, const struct shape *shape, uint32_t resident,
                           rd_error *err)
{
    const uint32_t start = 0u - (shape->first_lap << shape->shift);
    uint32_t word[QUEUE_CONTROL] = {0};
    rd__kernel *kernel;
    rig->groups = shape->groups && shape->groups < resident ? shape->groups : resident;
    const int split = shape->split && rig->groups > 1;
    /* Many seconds. Threads of a CPU may be kept from their core for long, and turns are short there: on a machine with
     * eight times as many threads as cores, 300 tokens through 4 slots took PoCL, which cannot yield, up to 9 s. */
    const uint32_t turns = rig->device->info.is_gpu ? 20u * 1000 * 1000 : 1000u * 1000 * 1000;
    const uint32_t givers = split ? rig->groups / 2 : rig->groups;
    word[QUEUE_FRONT] = word[QUEUE_REAR] = start;
    word[QUEUE_LEFT] = shape->tokens;
    RD_TRY(rd__rig_buffer(rig, 0, (uint64_t)form->bits / 4 << shape->shift, QUEUE_FREE(start, shape->shift), err));
    RD_TRY(rd__rig_buffer(rig, 1, sizeof word, 0, err));
    RD_TRY(rd__rig_buffer(rig, 2, 4ull * shape->tokens, 0, err));
    RD_TRY(rd__rig_buffer(rig, 3, 4ull * shape->tokens, 0, err));
    RD_TRY(rd__buffer_write(&rig->buffer[1], 0, sizeof word, word, err));
    const queue_args args = {.slot = &rig->buffer[0],
                             .control = &rig->buffer[1],
                             .seen = &rig->buffer[2],
                             .data = &rig->buffer[3],
                             .shift = shape->shift,
                             .kind = form->kind,
                             .tokens = shape->tokens,
                             .burst = shape->burst,
                             .givers = givers,
                             .taker = split ? givers : 0,
                             .turns = turns};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = queue_args_pack(&args, list);
    RD_TRY(rd__kernel_find(rig->device, rig->program, "queue_run", &kernel, err));
    RD_TRY(rd__kernel_launch(rig->device, kernel, rig->groups, rig->device->caps.coresident, list, used, err));
    return verdict(rig, form, shape, start, err);
}

/* Groups wait for each other here: no more than the device surely runs at once. */
static rd_status load(rd__rig *rig, rd__test *test, const struct form *form, uint32_t lanes, uint32_t *resident,
                      rd_error *err)
{
    const rd_device_info *info = &test->device->info;
    RD_TRY(rd__rig_load(rig, test->device, form->program, form->root, lanes, info->compute_units, err));
    *resident = rig->groups;
    return RD_OK;
}

static rd_status each_shape(rd__test *test, rd_error *err)
{
    uint32_t runs = 0, lanes = rd__device_default_lanes(test->device);
    rd_status status = RD_OK;
    for (size_t f = 0; status == RD_OK && f < FORMS; f++) {
        rd__rig rig;
        uint32_t resident;
        status = load(&rig, test, &forms[f], lanes > 64 ? 64 : lanes, &resident, err);
        for (uint32_t r = 0; status == RD_OK && r < 1 + test->repeats / 100; r++)
            for (int i = 0; status == RD_OK && i < SHAPES; i++, runs++)
                status = run_shape(&rig, &forms[f], &shapes[i], resident, err);
        rd__rig_free(&rig);
    }
    snprintf(test->note, sizeof test->note, "%u runs, %d shapes, 3 forms of the queue, tokens of 32 and 64 bits", runs,
             (int)SHAPES);
    return status;
}

/* Tokens of 64 bits at half of the widths where those take long to compile. */
static rd_status each_width(rd__test *test, rd_error *err)
{
    const int is_slow = rd__test_is_slow(test);
    size_t count;
    const uint32_t *width = rd__test_widths(test->device, &count);
    rd_status status = RD_OK;
    for (size_t w = 0; status == RD_OK && w < count * SIZES; w++) {
        rd__rig rig;
        uint32_t resident;
        const struct form *form = sizes[w % SIZES];
        if (is_slow && form->bits == 64 && w / SIZES % 2)
            continue;
        status = load(&rig, test, form, width[w / SIZES], &resident, err);
        for (int i = 0; status == RD_OK && i < SHAPES; i++)
            status = run_shape(&rig, form, &shapes[i], resident, err);
        rd__rig_free(&rig);
    }
    snprintf(test->note, sizeof test->note, "%d shapes at each of %zu widths, tokens of 32 and 64 bits", (int)SHAPES,
             count);
    return status;
}

/* Small rings again and again. */
static rd_status stress(rd__test *test, rd_error *err)
{
    const uint32_t lanes = rd__device_default_lanes(test->device);
    rd_status status = RD_OK;
    for (size_t f = 0; status == RD_OK && f < SIZES; f++) {
        rd__rig rig;
        uint32_t resident;
        status = load(&rig, test, sizes[f], lanes > 32 ? 32 : lanes, &resident, err);
        for (uint32_t r = 0; status == RD_OK && r < 4 * test->repeats; r++) {
            const struct shape shape = {"stress",  1 + r % 3,  1 + r % 61,   1 + r % 4,
                                        1 + r % 7, r % 5 == 0, r % 3 ? 0 : 2};
            status = run_shape(&rig, sizes[f], &shape, resident, err);
        }
        rd__rig_free(&rig);
    }
    snprintf(test->note, sizeof test->note, "%u runs for each size of tokens", 4 * test->repeats);
    return status;
}

const rd__test_case rd__queue_cases[] = {
    {"queue/every-shape", each_shape, RD__ONCE},
    {"queue/every-width", each_width, RD__ONCE},
    {"queue/stress", stress, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
