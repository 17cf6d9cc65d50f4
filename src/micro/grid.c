/* SPDX-License-Identifier: Apache-2.0 */
/*
 * grid.c - see grid.h.
 *
 * Residency. Where the device has cooperative launches, all groups are resident or the launch is refused. Elsewhere
 * (OpenCL) kernels discover first, and the barrier is among those found.
 */
#include "micro/grid.h"

#include "core/memory.h"
#include "device/promise.h"
#include "model/args.h"
#include "raddle/tool.h"
#include "sched/parts/crew_layout.k.h"

#include <stdio.h>
#include <string.h>

static rd_status load(rd__grid *grid, rd_device *device, rd__program_spec spec, rd_error *err)
{
    if (!spec.lanes || device->caps.fixed_width) /* whose kernels are compiled for one width */
        spec.lanes = rd__device_default_lanes(device);
    *grid = (rd__grid){.device = device, .lanes = spec.lanes};
    return rd__program_load(device, &spec, &grid->program, err);
}

rd_status rd__grid_load(rd__grid *grid, rd_device *device, uint32_t lanes, rd_error *err)
{
    const rd__program_spec spec = {.name = "micro_barrier", .root = "micro/barrier.k.c", .lanes = lanes};
    return load(grid, device, spec, err);
}

rd_status rd__grid_load_cuda(rd__grid *grid, rd_device *device, uint32_t lanes, rd_error *err)
{
    const rd__program_spec spec = {
        .name = "gridsync", .root = "micro/gridsync.cu", .lanes = lanes, .toolkit_header = "cooperative_groups.h"};
    *grid = (rd__grid){0};
    if (!device->caps.toolkit)
        return rd__fail(err, RD_EDEVICE, "%s is no CUDA device, and grid sync is CUDA's", device->info.name);
    if (!device->caps.grid_sync)
        return rd__fail(err, RD_EDEVICE, "%s cannot launch cooperatively, as grid sync wants", device->info.name);
    return load(grid, device, spec, err);
}

void rd__grid_close(rd__grid *grid)
{
    rd__buffer_free(&grid->poll);
    rd__buffer_free(&grid->words);
    rd__buffer_free(&grid->board);
    rd__buffer_free(&grid->phase);
    rd__buffer_free(&grid->out);
    if (grid->device)
        rd__program_unload(grid->device, grid->program);
    *grid = (rd__grid){0};
}

/* Which groups are resident together only the kernel can find out. */
static int must_discover(const rd__grid *grid)
{
    return !grid->device->caps.coresident;
}

static rd_status bound_of(rd__grid *grid, rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    const rd_device_info *info = &grid->device->info;
    if (!must_discover(grid))
        return rd__kernel_resident(grid->device, kernel, groups, err);
    *groups = info->is_gpu ? 0 : info->compute_units;
    return RD_OK;
}

rd_status rd__grid_bound(rd__grid *grid, const char *name, uint32_t *groups, rd_error *err)
{
    rd__kernel *kernel;
    RD_TRY(rd__kernel_find(grid->device, grid->program, name, &kernel, err));
    return bound_of(grid, kernel, groups, err);
}

uint32_t rd__grid_delay(const rd_device *device, uint32_t kind)
{
    const int mutex = kind != RD_DISCOVERY_COUNTER;
    if (device->info.is_gpu)
        return mutex ? 0 : 32; /* who queues for the mutex lets the others in */
    if (device->caps.shares_host)
        return mutex ? 1000 : 20000;
    /* A thread that sleeps takes 50 microseconds to come, on a busy machine milliseconds. Looks at a word are quick;
     * passing a mutex on is not, when the thread that is next has lost its core. */
    return mutex ? 200 : 400000;
}

static rd_status fresh(rd__grid *grid, rd__buffer *buffer, uint64_t words, rd_error *err)
{
    if (buffer->device && buffer->bytes < 4 * words)
        rd__buffer_free(buffer);
    if (!buffer->device)
        RD_TRY(rd__buffer_alloc(grid->device, buffer, "microbenchmark", 4 * words, err));
    return rd__buffer_fill(buffer, 0, err);
}

/* The words of a barrier are zeroed once for a form, and not between launches. */
static rd_status words_for(rd__grid *grid, const char *form, uint32_t groups, rd_error *err)
{
    const uint64_t words = RD_GRID_WORDS(groups) + RD_GRID_LINE + RD_CREW_MAIL(groups, 1u); /* for any form */
    RD_TRY(fresh(grid, &grid->poll, RD_DISCOVERY_WORDS, err));
    if (grid->words.device && grid->words.bytes >= 4 * words && strcmp(grid->form, form) == 0)
        return RD_OK;
    snprintf(grid->form, sizeof grid->form, "%s", form);
    return fresh(grid, &grid->words, words, err);
}

RD__ARGS(rounds_args, ROUNDS_ARGS)
RD__ARGS(discover_args, DISCOVER_ARGS)
RD__ARGS(nothing_args, NOTHING_ARGS)
RD__ARGS(meet_args, MEET_ARGS)

/* What to launch, and how often. */
typedef struct order {
    rd__kernel *kernel;
    uint32_t groups, cooperative, launches;
    const rd__arg *args;
    uint32_t arg_count;
} order;

static rd_status timed(rd__grid *grid, const order *o, rd__grid_times *times, rd_error *err)
{
    RD_TRY(rd__device_wait(grid->device, NULL, err)); /* what comes before is not timed */
    const double began = rd_now();
    RD_TRY(rd__time_begin(grid->device, err));
    for (uint32_t i = 0; i < o->launches; i++)
        RD_TRY(rd__kernel_launch(grid->device, o->kernel, o->groups, (int)o->cooperative, o->args, o->arg_count, err));
    RD_TRY(rd__time_mark(grid->device, err));
    RD_TRY(rd__time_end(grid->device, &times->kernel_s, err));
    times->total_s = rd_now() - began;
    return RD_OK;
}

/* ---- The barrier ---- */

/* How many groups to launch. */
static rd_status choose_groups(rd__grid *grid, rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    uint32_t most = 0;
    RD_TRY(bound_of(grid, kernel, &most, err));
    if (most == 0) /* an OpenCL GPU: discovery finds out */
        RD_TRY(rd__kernel_resident(grid->device, kernel, &most, err));
    if (*groups == 0 || *groups > most)
        *groups = most;
    return RD_OK;
}

rd_status rd__grid_rounds(rd__grid *grid, const char *form, uint32_t groups, uint32_t rounds, uint32_t check,
                          uint32_t *out, rd__grid_times *times, rd_error *err)
{
    rd__kernel *kernel;
    char name[64];
    snprintf(name, sizeof name, "%s_%.32s", check ? "rounds" : "timed", form);
    RD_TRY(rd__kernel_find(grid->device, grid->program, name, &kernel, err));
    RD_TRY(rd__device_may_persist(grid->device, err)); /* groups wait for one another */
    RD_TRY(choose_groups(grid, kernel, &groups, err));
    RD_TRY(words_for(grid, form, groups, err));
    RD_TRY(fresh(grid, &grid->board, 2ull * groups * grid->lanes, err));
    RD_TRY(fresh(grid, &grid->phase, groups, err));
    RD_TRY(fresh(grid, &grid->out, BARRIER_OUT, err));
    const rounds_args args = {.poll = &grid->poll,
                              .words = &grid->words,
                              .board = &grid->board,
                              .phase = &grid->phase,
                              .out = &grid->out,
                              .rounds = rounds,
                              .kind = must_discover(grid) ? RD_DISCOVERY_COUNTER : RD_DISCOVERY_NONE,
                              .delay = rd__grid_delay(grid->device, RD_DISCOVERY_COUNTER) *
                                       (grid->patience ? grid->patience : 1)};
    rd__arg list[RD__MAX_ARGS];
    const order all = {kernel, groups, !must_discover(grid), 1, list, rounds_args_pack(&args, list)};
    RD_TRY(timed(grid, &all, times, err));
    return rd__buffer_read(&grid->out, 0, 4 * BARRIER_OUT, out, err);
}

rd_status rd__grid_verdict(const rd__grid *grid, const char *form, const uint32_t *out, rd_error *err)
{
    static const char *const what[BARRIER_CASES] = {
        "did not see the writes of their own group", "of group 0 did not see the writes of another group",
        "did not see the writes of group 0", "did not see the writes of another group",
        "met a group that was a phase away"};
    for (uint32_t i = 0; i < BARRIER_CASES; i++)
        if (out[i])
            return rd__fail(err, RD_EWRONG, "barrier %s, %u groups of %u lanes: %u times lanes %s", form,
                            out[BARRIER_COUNT], grid->lanes, out[i], what[i]);
    if (out[BARRIER_COUNT] == 0 || out[BARRIER_DONE] != out[BARRIER_COUNT])
        return rd__fail(err, RD_EWRONG, "barrier %s: %u groups took part and %u came through", form, out[BARRIER_COUNT],
                        out[BARRIER_DONE]);
    return RD_OK;
}

/* ---- Discovery ---- */

static rd_status check_found(const rd__grid_poll *poll, const uint32_t *found, uint8_t *seen, uint32_t *count,
                             rd_error *err)
{
    uint32_t members = 0;
    *count = 0;
    memset(seen, 0, poll->groups);
    for (uint32_t g = 0; g < poll->groups; g++) {
        const uint32_t id = found[2 * g], told = found[2 * g + 1];
        if (id == RD_OUTSIDE)
            continue;
        *count = members++ ? *count : told;
        if (told != *count)
            return rd__fail(err, RD_EWRONG, "discovery told group %u that %u take part, and another one that %u do", g,
                            told, *count);
        if (id >= told || seen[id]++ || (poll->native && id != g))
            return rd__fail(err, RD_EWRONG, "discovery gave group %u the number %u of %u, which is not its own", g, id,
                            told);
    }
    if (members == 0 || members != *count)
        return rd__fail(err, RD_EWRONG, "discovery let %u of %u groups take part and told them there are %u", members,
                        poll->groups, *count);
    return RD_OK;
}

rd_status rd__grid_discover(rd__grid *grid, const rd__grid_poll *poll, uint32_t *count, rd__grid_times *times,
                            rd_error *err)
{
    rd__kernel *kernel;
    uint32_t *found = NULL;
    uint8_t *seen = NULL;
    RD_TRY(rd__kernel_find(grid->device, grid->program, poll->kernel, &kernel, err));
    RD_TRY(words_for(grid, "discover", poll->groups, err));
    RD_TRY(fresh(grid, &grid->board, 2ull * poll->groups, err));
    const discover_args args = {.poll = &grid->poll,
                                .words = &grid->words,
                                .found = &grid->board,
                                .meetings = poll->meetings,
                                .kind = poll->kind,
                                .delay = poll->delay,
                                .native = poll->native};
    rd__arg list[RD__MAX_ARGS];
    const order any = {kernel, poll->groups, 0, 1, list, discover_args_pack(&args, list)};
    RD_TRY(timed(grid, &any, times, err));
    rd_status status = rd__array_new(&found, "what groups discovered", 2ull * poll->groups, sizeof *found, err);
    if (status == RD_OK)
        status = rd__array_new(&seen, "numbers of groups", poll->groups, 1, err);
    if (status == RD_OK)
        status = rd__buffer_read(&grid->board, 0, 8ull * poll->groups, found, err);
    if (status == RD_OK)
        status = check_found(poll, found, seen, count, err);
    rd__array_free(found);
    rd__array_free(seen);
    return status;
}

/* ---- Without discovery ---- */

rd_status rd__grid_meet(rd__grid *grid, uint32_t groups, double seconds, int *met, rd__grid_times *times, rd_error *err)
{
    rd__kernel *kernel;
    rd_error own = {.status = RD_OK};
    uint32_t passed = 0;
    RD_TRY(rd__kernel_find(grid->device, grid->program, "meet", &kernel, err));
    RD_TRY(fresh(grid, &grid->out, BARRIER_OUT, err));
    const uint32_t most = grid->device->caps.coresident ? UINT32_MAX : 1u << 23;
    const meet_args args = {.out = &grid->out, .looks = most};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = meet_args_pack(&args, list);
    RD_TRY(rd__device_wait(grid->device, NULL, err));
    const double began = rd_now();
    const rd__limit limit = {.deadline = began + seconds};
    RD_TRY(rd__kernel_launch(grid->device, kernel, groups, 0, list, used, err));
    const rd_status status = rd__device_wait(grid->device, &limit, &own);
    times->total_s += rd_now() - began;
    if (status != RD_OK && status != RD_ETIMEOUT)
        return rd__fail(err, status, "%s", own.text);
    RD_TRY(rd__device_wait(grid->device, NULL, err));
    RD_TRY(rd__buffer_read(&grid->out, 4 * BARRIER_DONE, sizeof passed, &passed, err));
    *met = passed == groups;
    return RD_OK;
}

/* ---- Launches ---- */

rd_status rd__grid_launches(rd__grid *grid, uint32_t groups, uint32_t count, uint32_t *launched, rd__grid_times *times,
                            rd_error *err)
{
    rd__kernel *kernel;
    const nothing_args args = {.number = 0};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = nothing_args_pack(&args, list);
    RD_TRY(rd__kernel_find(grid->device, grid->program, "nothing", &kernel, err));
    RD_TRY(choose_groups(grid, kernel, &groups, err));
    *launched = groups;
    const order again = {kernel, groups, 0, count, list, used};
    return timed(grid, &again, times, err);
}
