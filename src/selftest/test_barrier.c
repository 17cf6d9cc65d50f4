/* SPDX-License-Identifier: Apache-2.0 */
/* test_barrier.c - the global barrier in each of its forms, and discovery with each kind of turns; the kernels are
 * barrier.k.c. */
#include "selftest/selftest.h"

#include "micro/grid.h"

#include <stdio.h>

/* At most three of the device's widths: the narrowest, one in the middle, the widest. */
static size_t choose_widths(const rd_device *device, uint32_t chosen[3])
{
    size_t count;
    const uint32_t *width = rd__test_widths(device, &count);
    chosen[0] = width[0];
    chosen[1] = width[count / 2];
    chosen[2] = width[count - 1];
    return count < 3 ? 1 : device->caps.slow_wide_compile ? 2 : 3; /* the slow also compile slowly */
}

/* ---- The barrier ---- */

static rd_status rounds_at(rd__test *test, const char *form, uint32_t lanes, uint32_t rounds, uint32_t *most,
                           rd_error *err)
{
    rd__grid grid;
    rd__grid_times times;
    uint32_t out[BARRIER_OUT];
    rd_status status = rd__grid_load(&grid, test->device, lanes, err);
    grid.patience = test->device->caps.slow_wide_compile ? 20 : 1; /* a barrier in one group says little */
    /* all groups, a few, all: the words are not zeroed between launches, each finds what the one before it left */
    static const uint32_t groups[] = {0, 3, 0};
    for (size_t i = 0; status == RD_OK && i < sizeof groups / sizeof *groups; i++) {
        status = rd__grid_rounds(&grid, form, groups[i], rounds / 2 + 1 + (uint32_t)i, 1, out, &times, err);
        if (status == RD_OK)
            status = rd__grid_verdict(&grid, form, out, err);
        *most = status == RD_OK && out[BARRIER_COUNT] > *most ? out[BARRIER_COUNT] : *most;
    }
    rd__grid_close(&grid);
    return status;
}

/* Tenths of `repeats`. */
static uint32_t scale_of(const rd_device *device, uint32_t lanes)
{
    if (device->caps.slow_wide_compile)
        return 2;
    if (device->info.is_gpu)
        return lanes < 32 ? 5 : 100; /* thousands of one-lane groups, for whom one lane of group 0 looks */
    return lanes > 1 ? 10 : 100;     /* lanes that are threads pay for each group barrier with a system call */
}

static rd_status form(rd__test *test, const char *name, rd_error *err)
{
    uint32_t width[3], most = 0;
    const size_t widths = choose_widths(test->device, width);
    uint64_t rounds = 0;
    for (size_t i = 0; i < widths; i++) {
        const uint32_t scale = scale_of(test->device, width[i]), now = (test->repeats * scale + 9) / 10;
        RD_TRY(rounds_at(test, name, width[i], now, &most, err));
        rounds += 3 * (now / 2 + 2ull);
    }
    snprintf(test->note, sizeof test->note, "%llu rounds at %zu widths, up to %u groups", (unsigned long long)rounds,
             widths, most);
    return RD_OK;
}

static rd_status flags(rd__test *test, rd_error *err)
{
    return form(test, "flags", err);
}

static rd_status counter(rd__test *test, rd_error *err)
{
    return form(test, "counter", err);
}

static rd_status word(rd__test *test, rd_error *err)
{
    return form(test, "word", err);
}

static rd_status tree(rd__test *test, rd_error *err)
{
    return form(test, "tree", err);
}

/* ---- Discovery ---- */

/* Launches of one group, of as many as fit, and of many more, with and without delay. */
static rd_status polls_at(rd__test *test, uint32_t lanes, uint32_t kind, uint32_t native, uint32_t *least,
                          uint32_t *most, rd_error *err)
{
    rd__grid grid;
    rd__grid_times times;
    uint32_t bound = 0, count = 0;
    rd_status status = rd__grid_load(&grid, test->device, lanes, err);
    if (status == RD_OK)
        status = rd__grid_bound(&grid, "discover", &bound, err);
    const int ranges = test->device->caps.slow_wide_compile;
    const uint32_t patience = ranges && kind == RD_DISCOVERY_COUNTER ? 20 : 1;
    const uint32_t fit = bound ? bound : 4 * test->device->info.compute_units;
    /* native numbers need groups that start in order, which is so up to one a thread on such a device */
    const uint32_t launch[] = {1, fit, native && ranges ? fit : 8 * fit + 3};
    for (uint32_t i = 0; status == RD_OK && i < 2 * 3 + test->repeats / 100; i++) {
        const rd__grid_poll poll = {.kernel = i % 5 ? "discover" : "discover_large",
                                    .groups = launch[i % 3],
                                    .kind = kind,
                                    .delay = i % 2 ? patience * rd__grid_delay(test->device, kind) + i % 3 : 0,
                                    .native = native,
                                    .meetings = 20};
        status = rd__grid_discover(&grid, &poll, &count, &times, err);
        if (status == RD_OK && bound && !test->units && count > bound)
            status =
                rd__fail(err, RD_EWRONG, "discovery found %u groups of %u lanes, of which %u fit", count, lanes, bound);
        *least = status == RD_OK && poll.groups > 1 && count < *least ? count : *least;
        *most = status == RD_OK && count > *most ? count : *most;
    }
    rd__grid_close(&grid);
    return status;
}

static rd_status polls(rd__test *test, uint32_t kind, rd_error *err)
{
    uint32_t width[3], least = UINT32_MAX, most = 0;
    const size_t widths = choose_widths(test->device, width);
    for (size_t i = 0; i < widths; i++)
        for (uint32_t native = 0; native < 2; native++)
            RD_TRY(polls_at(test, width[i], kind, native, &least, &most, err));
    snprintf(test->note, sizeof test->note, "%u to %u groups found", least, most);
    return RD_OK;
}

static rd_status tickets(rd__test *test, rd_error *err)
{
    return polls(test, RD_DISCOVERY_TICKETS, err);
}

static rd_status spin(rd__test *test, rd_error *err)
{
    return polls(test, RD_DISCOVERY_SPIN, err);
}

static rd_status destruct(rd__test *test, rd_error *err)
{
    return polls(test, RD_DISCOVERY_DESTRUCT, err);
}

static rd_status by_counter(rd__test *test, rd_error *err)
{
    return polls(test, RD_DISCOVERY_COUNTER, err);
}

const rd__test_case rd__barrier_cases[] = {
    {"barrier/flags", flags, RD__ONCE},
    {"barrier/counter", counter, RD__ONCE},
    {"barrier/word", word, RD__ONCE},
    {"barrier/tree", tree, RD__ONCE},
    {"barrier/discovery-tickets", tickets, RD__ONCE},
    {"barrier/discovery-spin", spin, RD__ONCE},
    {"barrier/discovery-destruct", destruct, RD__ONCE},
    {"barrier/discovery-counter", by_counter, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
