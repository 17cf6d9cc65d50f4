/* SPDX-License-Identifier: Apache-2.0 */
/* test_litmus.c - memory order between groups, lanes and launches; buffers; and that a launch can be stopped. */
#include "selftest/selftest.h"

#include "core/memory.h"
#include "core/text.h"
#include "model/args.h"
#include "raddle/tool.h"
#include "selftest/litmus_layout.k.h"

#include <stdio.h>
#include <string.h>

RD__ARGS(message_args, MESSAGE_ARGS)
RD__ARGS(coherence_args, COHERENCE_ARGS)
RD__ARGS(barrier_args, BARRIER_ARGS)
RD__ARGS(step_args, STEP_ARGS)
RD__ARGS(endless_args, ENDLESS_ARGS)
RD__ARGS(falling_args, FALLING_ARGS)

static const char program[] = "selftest_litmus", root[] = "selftest/litmus.k.c";

static rd_status load(rd__rig *rig, rd__test *test, uint32_t most_groups, rd_error *err)
{
    uint32_t lanes = rd__device_default_lanes(test->device);
    lanes = lanes > 128 ? 128 : lanes;
    return rd__rig_load(rig, test->device, program, root, lanes, most_groups, err);
}

/* Reads count[0] (must be 0) and count[1] (what was observed). */
static rd_status verdict(rd__rig *rig, int buffer, const char *what, uint64_t *seen, rd_error *err)
{
    uint32_t count[2];
    RD_TRY(rd__buffer_read(&rig->buffer[buffer], 0, sizeof count, count, err));
    *seen += count[1];
    return count[0] ? rd__fail(err, RD_EWRONG, "%s: %u forbidden outcomes (%u groups of %u lanes)", what, count[0],
                               rig->groups, rig->lanes)
                    : RD_OK;
}

enum { MESSAGE_WAYS = 10 };

static rd_status message_how(rd__rig *rig, uint32_t rounds, uint32_t how, uint64_t *seen, rd_error *err)
{
    static const char *const name[MESSAGE_WAYS] = {
        "message by st_rel / ld_acq",          "message by add_rel / add_acq",
        "message by xchg_acqrel / ld_acq",     "message by cas_acqrel",
        "message by st64_rel / ld64_acq",      "message by add64_acqrel / add64_acq",
        "message by fence, st_fen / ld_acq",   "message by fence, xchg_fen / and_acq",
        "message by fence, or_fen / xchg_acq", "message by fence, st64_fen / ld64_acq"};
    const uint64_t places = (uint64_t)rounds * (rig->groups / 2) * rig->lanes;
    RD_TRY(rd__rig_buffer(rig, 0, 4 * places, 0, err));
    RD_TRY(rd__rig_buffer(rig, 1, 4 * places, 0, err));
    RD_TRY(rd__rig_buffer(rig, 2, 8 * places, 0, err));
    RD_TRY(rd__rig_buffer(rig, 3, 8, 0, err));
    const message_args args = {.data = &rig->buffer[0],
                               .flag = &rig->buffer[1],
                               .flag64 = &rig->buffer[2],
                               .count = &rig->buffer[3],
                               .rounds = rounds,
                               .how = how};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = message_args_pack(&args, list);
    RD_TRY(rd__rig_launch(rig, "message", list, used, err));
    return verdict(rig, 3, name[how], seen, err);
}

static rd_status message(rd__test *test, rd_error *err)
{
    rd__rig rig;
    uint64_t seen = 0, rounds_run = 0;
    rd_status status = load(&rig, test, 64, err);
    if (status == RD_OK && rig.groups % 2)
        rig.groups++; /* no one waits for anyone, so one more than resident is fine */
    uint32_t rounds = 4 * test->repeats;
    while (rounds > 64 && (uint64_t)rounds * rig.groups * rig.lanes > 4u << 20)
        rounds /= 2; /* memory */
    for (uint32_t repeat = 0; status == RD_OK && repeat < 4; repeat++)
        for (uint32_t how = 0; status == RD_OK && how < MESSAGE_WAYS; how++, rounds_run += rounds)
            status = message_how(&rig, rounds, how, &seen, err);
    snprintf(test->note, sizeof test->note, "%llu rounds, %llu messages met in flight", (unsigned long long)rounds_run,
             (unsigned long long)seen);
    rd__rig_free(&rig);
    return status;
}

static rd_status coherence(rd__test *test, rd_error *err)
{
    rd__rig rig;
    uint64_t seen = 0;
    rd_status status = load(&rig, test, 64, err);
    if (status == RD_OK && rig.groups % 2)
        rig.groups++;
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 0, 4, 0, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 1, 8, 0, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 2, 8, 0, err);
    if (status == RD_OK) {
        const coherence_args args = {
            .word = &rig.buffer[0], .word64 = &rig.buffer[1], .count = &rig.buffer[2], .rounds = 10 * test->repeats};
        rd__arg list[RD__MAX_ARGS];
        const uint32_t used = coherence_args_pack(&args, list);
        status = rd__rig_launch(&rig, "coherence", list, used, err);
    }
    if (status == RD_OK)
        status = verdict(&rig, 2, "coherence of one word", &seen, err);
    snprintf(test->note, sizeof test->note, "%llu changes seen", (unsigned long long)seen);
    rd__rig_free(&rig);
    return status;
}

static rd_status barrier_at(rd__test *test, uint32_t lanes, rd_error *err)
{
    rd__rig rig;
    uint64_t seen = 0;
    rd_status status = rd__rig_load(&rig, test->device, program, root, lanes, 16, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 0, 4ull * rig.lanes * rig.groups, 0, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 1, 8, 0, err);
    if (status == RD_OK) {
        const barrier_args args = {.board = &rig.buffer[0], .count = &rig.buffer[1], .rounds = 5 * test->repeats};
        rd__arg list[RD__MAX_ARGS];
        const uint32_t used = barrier_args_pack(&args, list);
        status = rd__rig_launch(&rig, "barrier_web", list, used, err);
    }
    if (status == RD_OK)
        status = verdict(&rig, 1, "group barrier", &seen, err);
    rd__rig_free(&rig);
    return status;
}

static rd_status barrier(rd__test *test, rd_error *err)
{
    size_t count;
    const uint32_t *width = rd__test_widths(test->device, &count);
    for (size_t i = 0; i < count; i++)
        RD_TRY(barrier_at(test, width[i], err));
    snprintf(test->note, sizeof test->note, "%u rounds at each of %zu widths", 5 * test->repeats, count);
    return RD_OK;
}

static rd_status launches(rd__test *test, rd_error *err)
{
    enum { WORDS = 5003 };
    rd__rig rig;
    uint64_t seen = 0;
    rd_status status = load(&rig, test, 64, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 0, 4ull * WORDS, 0, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 1, 8, 0, err);
    for (uint32_t step = 1; status == RD_OK && step <= test->repeats; step++) {
        const step_args args = {.board = &rig.buffer[0], .count = &rig.buffer[1], .words = WORDS, .step = step};
        rd__arg list[RD__MAX_ARGS];
        const uint32_t used = step_args_pack(&args, list);
        status = rd__rig_launch(&rig, "launch_step", list, used, err);
    }
    if (status == RD_OK)
        status = verdict(&rig, 1, "order of launches", &seen, err);
    snprintf(test->note, sizeof test->note, "%u launches", test->repeats);
    rd__rig_free(&rig);
    return status;
}

static rd_status check_bytes(rd__buffer *buffer, unsigned char *want, unsigned char *got, rd_error *err)
{
    RD_TRY(rd__buffer_read(buffer, 0, buffer->bytes, got, err));
    for (uint64_t i = 0; i < buffer->bytes; i++)
        if (got[i] != want[i])
            return rd__fail(err, RD_EWRONG, "byte %llu of %llu reads %u and was written as %u", (unsigned long long)i,
                            (unsigned long long)buffer->bytes, got[i], want[i]);
    return RD_OK;
}

static rd_status buffers_run(rd_device *device, rd__buffer *buffer, unsigned char *want, unsigned char *got,
                             uint64_t bytes, rd_error *err)
{
    RD_TRY(rd__buffer_alloc(device, buffer, "selftest", bytes, err));
    RD_TRY(rd__buffer_fill(buffer, 0x01020304, err));
    for (uint64_t i = 0; i < bytes; i++)
        want[i] = (unsigned char)(4 - i % 4);
    RD_TRY(check_bytes(buffer, want, got, err));
    for (uint64_t at = 3, step = 1; at + step < bytes; at += 2 * step + 1, step = step * 2 % 1021 + 1) {
        memset(want + at, (int)(step & 0xff), step);
        RD_TRY(rd__buffer_write(buffer, at, step, want + at, err));
    }
    RD_TRY(check_bytes(buffer, want, got, err));
    rd_error out_of_range = {.status = RD_OK};
    if (rd__buffer_read(buffer, bytes - 1, 2, got, &out_of_range) != RD_EARG)
        return rd__fail(err, RD_EWRONG, "a read beyond the end of a buffer was not refused");
    return RD_OK;
}

static rd_status buffers(rd__test *test, rd_error *err)
{
    const uint64_t bytes = 1000000;
    rd__buffer buffer = {0};
    unsigned char *want = NULL, *got = NULL;
    rd_status status = rd__array_new(&want, "selftest", bytes, 1, err);
    if (status == RD_OK)
        status = rd__array_new(&got, "selftest", bytes, 1, err);
    if (status == RD_OK)
        status = buffers_run(test->device, &buffer, want, got, bytes, err);
    rd__buffer_free(&buffer);
    rd__array_free(want);
    rd__array_free(got);
    return status;
}

/* A launch that outlives its deadline is reported as such, and the device works afterwards. */
static rd_status stop(rd__test *test, rd_error *err)
{
    rd__rig rig;
    uint64_t seen = 0;
    rd_error late = {.status = RD_OK};
    rd_status status = load(&rig, test, 4, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 0, 8, 0, err);
    if (status == RD_OK)
        status = rd__device_wait(test->device, NULL, err);
    double began = rd_now();
    /* Bounded, for devices on which the request waits behind the kernel. On a busy machine the host may come back from
     * its sleep when such a launch is over: then once more, twice as long. */
    rd_status waited = RD_OK;
    for (uint32_t bound = test->device->info.is_gpu ? 1u << 23 : 1u << 26, i = 0;
         status == RD_OK && waited == RD_OK && i < 5; i++, bound *= 2) {
        const endless_args args = {.count = &rig.buffer[0], .most = bound, .linger = 0};
        rd__arg list[RD__MAX_ARGS];
        const uint32_t used = endless_args_pack(&args, list);
        began = rd_now();
        status = rd__rig_launch(&rig, "endless", list, used, err);
        const rd__limit limit = {.deadline = rd_now() + 0.05};
        if (status == RD_OK)
            waited = rd__device_wait(test->device, &limit, &late);
    }
    if (status == RD_OK && waited != RD_ETIMEOUT)
        status =
            rd__fail(err, RD_EWRONG, "a launch that outlived its deadline was reported as %s", rd_status_name(waited));
    if (status == RD_OK)
        status = rd__device_wait(test->device, NULL, err);
    rd__snprintf(test->note, sizeof test->note, "stopped after %.0f ms", 1e3 * (rd_now() - began));
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 0, 8, 0, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 1, 4ull * 97, 0, err);
    if (status == RD_OK) {
        const step_args args = {.board = &rig.buffer[1], .count = &rig.buffer[0], .words = 97, .step = 1};
        rd__arg list[RD__MAX_ARGS];
        const uint32_t used = step_args_pack(&args, list);
        status = rd__rig_launch(&rig, "launch_step", list, used, err);
    }
    if (status == RD_OK)
        status = verdict(&rig, 0, "a launch after one that was stopped", &seen, err);
    rd__rig_free(&rig);
    return status;
}

/* ---- Looking at words while a kernel lowers them ---- */

enum { FEW_WORDS = 61, MANY_WORDS = 8191 };

/* One look: what the kernel never wrote, or had left behind, is a fault. @return how many fell since the one before. */
static uint32_t look(const uint32_t *now, uint32_t *before, uint32_t words, uint32_t *wrong)
{
    uint32_t fell = 0;
    for (uint32_t i = 0; i < words; i++) {
        *wrong += now[i] >> 16 != (now[i] & 0xffff) || now[i] > before[i];
        fell += now[i] < before[i];
        before[i] = now[i];
    }
    return fell;
}

static rd_status peek_until_idle(rd__rig *rig, uint32_t words, uint64_t *looks, uint32_t *moved, rd_error *err)
{
    uint32_t now[MANY_WORDS], before[MANY_WORDS], wrong = 0;
    int idle = 0;
    memset(before, 0xff, sizeof before);
    while (!idle && !wrong) {
        RD_TRY(rig->device->backend->idle_by(rig->device, rd_now(), &idle, err));
        RD_TRY(rd__buffer_peek(&rig->buffer[0], 0, 4ull * words, now, err));
        *moved += look(now, before, words, &wrong) && !idle;
        ++*looks;
    }
    if (wrong)
        return rd__fail(err, RD_EWRONG, "a look at words while a kernel lowers them shows %u that were never there",
                        wrong);
    for (uint32_t i = 0; i < words; i++)
        if (now[i])
            return rd__fail(err, RD_EWRONG, "word %u was left at %u by a kernel that lowers it to 0", i, now[i]);
    return RD_OK;
}

static rd_status peek(rd__test *test, rd_error *err)
{
    rd__rig rig;
    uint64_t looks = 0;
    uint32_t moved = 0;
    const uint32_t words = test->device->info.is_gpu ? MANY_WORDS : FEW_WORDS;
    if (!test->device->caps.peeks) {
        rd__snprintf(test->note, sizeof test->note, "not on this device: it is read between launches");
        return RD_OK;
    }
    rd_status status = load(&rig, test, 8, err);
    if (status == RD_OK)
        status = rd__rig_buffer(&rig, 0, 4ull * words, RD_NONE, err);
    if (status == RD_OK)
        status = rd__device_wait(test->device, NULL, err);
    if (status == RD_OK) {
        const falling_args args = {.word = &rig.buffer[0], .words = words};
        rd__arg list[RD__MAX_ARGS];
        const uint32_t used = falling_args_pack(&args, list);
        status = rd__rig_launch(&rig, "falling", list, used, err);
    }
    if (status == RD_OK)
        status = peek_until_idle(&rig, words, &looks, &moved, err);
    rd__rig_free(&rig);
    rd__snprintf(test->note, sizeof test->note, "%llu looks, %u of them saw words fall while the kernel ran",
                 (unsigned long long)looks, moved);
    return status;
}

const rd__test_case rd__litmus_cases[] = {
    {"device/buffers", buffers, RD__ONCE},
    {"device/launch-order", launches, RD__ONCE},
    {"device/stop", stop, RD__ONCE},
    {"device/peek", peek, RD__ONCE},
    {"litmus/message-passing", message, RD__ONCE},
    {"litmus/coherence", coherence, RD__ONCE},
    {"litmus/group-barrier", barrier, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
