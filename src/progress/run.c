/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - runs programs on a device: shapes.c says how, run.k.c does it.
 *
 * How long to wait is asked for in seconds and counted in polls, because the kernel has no clock and because a poll is
 * made only where a group is run: each variant of the kernel is calibrated once, by a group that waits alone. Where
 * many wait at once polls take longer, so it is waited longer. Beyond that the host asks the launch to leave: when for
 * so long nobody made a step, where the device lets it see that, so that a busy machine may take its time; else after
 * so long. Who does not leave then can only be ended with the process.
 */
#include "progress/progress.h"

#include "core/hash.h"
#include "core/memory.h"
#include "fairness/family.h"
#include "model/args.h"
#include "progress/run_layout.k.h"
#include "progress/shapes.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

enum { WIDTHS = 3, VARIANTS = 2 * WIDTHS, CALIBRATION_POLLS = 1 << 10 };
static const double calibration_seconds = 0.02;

RD__ARGS(progress_args, PROGRESS_ARGS)
_Static_assert((uint32_t)PROGRESS_STEPS == (uint32_t)RD_PROGRESS_STEPS &&
                   (uint32_t)PROGRESS_THREADS == (uint32_t)RD_PROGRESS_THREADS,
               "the kernel's programs are those of the header");

/* A kernel for one width of groups, with or without much group memory. */
typedef struct variant {
    rd__kernel *kernel;
    uint32_t lanes, resident, heavy;
    double rate; /* polls a second */
} variant;

struct rd_progress {
    rd_device *device;
    rd_progress_options options;
    rd__program *program[WIDTHS];
    variant variant[VARIANTS];
    uint32_t variants;
    rd__buffer code, role, word, at, out;
    uint32_t *roles, *next; /* of the launch; room for as many groups as `role` has */
};

/* ---- Launches ---- */

/* Makes a buffer at least so large, and all of it zero. */
static rd_status fresh(rd_progress *p, rd__buffer *buffer, uint64_t words, rd_error *err)
{
    if (buffer->device && buffer->bytes < 4 * words)
        rd__buffer_free(buffer);
    if (!buffer->device)
        RD_TRY(rd__buffer_alloc(p->device, buffer, "progress", 4 * words, err));
    return rd__buffer_fill(buffer, 0, err);
}

static uint32_t code_of(uint32_t kind)
{
    static const uint32_t code[RD__FAMILY_KINDS] = {
        [RD__FAMILY_NONE] = PROGRESS_END,
        [RD__FAMILY_SET_X] = PROGRESS_SET,
        [RD__FAMILY_SET_Y] = PROGRESS_SET + PROGRESS_KINDS,
        [RD__FAMILY_AWAIT_X] = PROGRESS_AWAIT,
        [RD__FAMILY_AWAIT_Y] = PROGRESS_AWAIT + PROGRESS_KINDS,
        [RD__FAMILY_UNLESS_X] = PROGRESS_UNLESS,
        [RD__FAMILY_LOCK] = PROGRESS_LOCK + 2 * PROGRESS_KINDS,
        [RD__FAMILY_UNLOCK] = PROGRESS_UNLOCK + 2 * PROGRESS_KINDS,
    };
    return code[kind < RD__FAMILY_KINDS ? kind : 0];
}

static rd_status write_code(rd_progress *p, const rd_progress_program *program, rd_error *err)
{
    uint32_t code[PROGRESS_THREADS * PROGRESS_STEPS];
    for (uint32_t t = 0; t < PROGRESS_THREADS; t++)
        for (uint32_t i = 0; i < PROGRESS_STEPS; i++)
            code[t * PROGRESS_STEPS + i] = t < program->threads ? code_of(program->step[t][i]) : PROGRESS_END;
    RD_TRY(fresh(p, &p->code, PROGRESS_THREADS * PROGRESS_STEPS, err));
    return rd__buffer_write(&p->code, 0, sizeof code, code, err);
}

static rd_status write_roles(rd_progress *p, const rd__shape *shape, uint32_t threads, uint32_t copies, uint64_t seed,
                             rd_error *err)
{
    const uint32_t groups = rd__shape_groups(shape, threads, copies);
    if (!p->role.device || p->role.bytes < 4ull * groups) {
        rd__array_free(p->roles);
        rd__array_free(p->next);
        p->roles = p->next = NULL;
        RD_TRY(rd__array_new(&p->roles, "roles of groups", groups, sizeof *p->roles, err));
        RD_TRY(rd__array_new(&p->next, "threads of copies", groups, sizeof *p->next, err));
    }
    RD_TRY(fresh(p, &p->role, groups, err));
    rd__shape_roles(shape, threads, copies, seed, p->roles, p->next);
    return rd__buffer_write(&p->role, 0, 4ull * groups, p->roles, err);
}

/* Of one launch. */
typedef struct watch {
    const rd_progress *progress;
    double until, patience; /* seconds without a step */
    uint32_t seen;          /* steps */
    int stalled;
} watch;

/* Has nobody made a step for too long? */
static int is_stalled(watch *w)
{
    uint32_t steps = w->seen;
    rd_error unsaid;
    if (rd_now() < w->until)
        return 0;
    if (w->progress->device->caps.peeks)
        rd__buffer_peek(&w->progress->out, 4ull * PROGRESS_OUT_STEPS, sizeof steps, &steps, &unsaid);
    w->stalled = steps == w->seen; /* so it is where nothing could be seen */
    w->seen = steps;
    w->until = rd_now() + w->patience;
    return w->stalled;
}

static int is_cancelled(const rd_progress *p)
{
    return p->options.progress && p->options.progress(p->options.user, "running programs", 0, 0, "launches");
}

static int is_to_leave(void *user)
{
    watch *w = user;
    return is_stalled(w) || is_cancelled(w->progress);
}

/* One launch, and the wait for it. *left: the kernel is gone. After RD_OK or RD_ETIMEOUT out has what it said. */
static rd_status launch(rd_progress *p, const variant *v, const rd__shape *shape, uint32_t groups, uint32_t limit,
                        uint32_t seed, int *left, rd_error *err)
{
    const progress_args args = {.code = &p->code,
                                .role = &p->role,
                                .word = &p->word,
                                .at = &p->at,
                                .out = &p->out,
                                .apart = shape->apart,
                                .limit = limit,
                                .jitter = shape->jitter,
                                .seed = seed};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = progress_args_pack(&args, list);
    const double patience = 5 + 5 * p->options.patience;
    watch w = {.progress = p, .until = rd_now() + patience, .patience = patience};
    const rd__limit within = {.cancelled = is_to_leave, .user = &w};
    RD_TRY(rd__kernel_launch(p->device, v->kernel, groups, 0, list, used, err));
    const rd_status status = rd__device_wait_left(p->device, &within, left, err);
    return status == RD_ECANCELLED && w.stalled ? RD_ETIMEOUT : status;
}

/* ---- Opening ---- */

/* How many polls a second? A thread waits for a word that nobody sets. Long enough, several times: on a busy machine
 * the system may hold a thread up for longer than its polls take, and a rate that is far too low makes everything look
 * as if it hung. The highest counts. */
static rd_status calibrate(rd_progress *p, variant *v, rd_error *err)
{
    static const rd_progress_program alone = {.threads = 1, .steps = 1, .step = {{RD__FAMILY_AWAIT_X}}};
    static const rd__shape one = {.apart = 1};
    enum { LONG_ONES = 4 };
    uint32_t polls = CALIBRATION_POLLS;
    int left = 1;
    RD_TRY(write_code(p, &alone, err));
    RD_TRY(write_roles(p, &one, 1, 1, 0, err));
    for (int long_ones = 0; long_ones < LONG_ONES && polls < 1u << 28;) {
        RD_TRY(fresh(p, &p->word, PROGRESS_WORDS, err));
        RD_TRY(fresh(p, &p->at, 8, err));
        RD_TRY(fresh(p, &p->out, PROGRESS_OUT_COUNT, err));
        RD_TRY(rd__device_wait(p->device, NULL, err));
        const double began = rd_now();
        RD_TRY(launch(p, v, &one, 1, polls, 0, &left, err));
        const double took = rd_now() - began;
        v->rate = polls > v->rate * took ? polls / took : v->rate;
        if (took < calibration_seconds)
            polls *= 2;
        else
            long_ones++;
    }
    return RD_OK;
}

/* Widths that make a difference to how many groups are resident; a CPU behind OpenCL compiles each for seconds. */
static uint32_t widths_of(const rd_device *device, uint32_t width[WIDTHS])
{
    static const uint32_t gpu[WIDTHS] = {32, 256, 1024}, other[WIDTHS] = {1, 8, 0};
    const uint32_t *wanted = device->info.is_gpu ? gpu : other;
    uint32_t count = 0;
    width[0] = device->info.max_group;
    if (device->caps.fixed_width)
        return 1;
    for (int i = 0; i < WIDTHS; i++)
        if (wanted[i] && wanted[i] <= device->info.max_group)
            width[count++] = wanted[i];
    return count ? count : 1;
}

static rd_status load(rd_progress *p, rd_error *err)
{
    uint32_t width[WIDTHS];
    const uint32_t widths = widths_of(p->device, width);
    for (uint32_t i = 0; i < widths; i++) {
        const rd__program_spec spec = {.name = "progress_run", .root = "progress/run.k.c", .lanes = width[i]};
        RD_TRY(rd__program_load(p->device, &spec, &p->program[i], err));
        for (uint32_t heavy = 0; heavy < 2; heavy++) {
            variant *v = &p->variant[p->variants];
            *v = (variant){.lanes = width[i], .heavy = heavy};
            if (heavy && p->device->info.local_bytes && p->device->info.local_bytes < 4 * PROGRESS_FAT)
                continue;
            RD_TRY(rd__kernel_find(p->device, p->program[i], heavy ? "heavy" : "light", &v->kernel, err));
            RD_TRY(rd__kernel_resident(p->device, v->kernel, &v->resident, err));
            RD_TRY(calibrate(p, v, err));
            p->variants++;
        }
    }
    return RD_OK;
}

rd_status rd_progress_open(rd_device *device, const rd_progress_options *options, rd_progress **out, rd_error *err)
{
    if (!device || !out)
        return rd__fail(err, RD_EARG, "rd_progress_open needs a device and a place for what it opens");
    rd_progress_options set;
    *out = NULL;
    RD_TRY(rd__progress_defaults(options, &set, err));
    RD_TRY(rd__device_enter(device, err));
    rd_progress *p = rd__calloc(1, sizeof *p);
    if (!p)
        return rd__device_leave(device, rd__fail_memory(err, "a test of progress", sizeof *p));
    rd__device_hold(device);
    p->device = device;
    p->options = set;
    const rd_status status = load(p, err);
    if (status != RD_OK)
        rd_progress_close(p);
    else
        *out = p;
    return rd__device_leave(device, status);
}

void rd_progress_close(rd_progress *p)
{
    if (!p)
        return;
    rd__buffer *const all[] = {&p->code, &p->role, &p->word, &p->at, &p->out};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rd__buffer_free(all[i]);
    for (uint32_t i = 0; i < WIDTHS; i++)
        rd__program_unload(p->device, p->program[i]);
    rd__array_free(p->roles);
    rd__array_free(p->next);
    rd__device_drop(p->device);
    rd__free(p);
}

/* ---- Running ---- */

/* Says where the threads of a copy are. */
static void state_text(const rd_progress_program *program, const uint32_t *at, char *text, size_t bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (uint32_t t = 0; t < program->threads && used < bytes; t++) {
        const uint32_t place = at[t];
        const char *step = place >= 1 && place <= RD_PROGRESS_STEPS ? rd__family_step(program->step[t][place - 1]) : "";
        const char *between = t ? "; " : "";
        int n;
        if (!program->step[t][0])
            n = snprintf(text + used, bytes - used, "%s%u has nothing to do", between, t);
        else if (place == PROGRESS_DONE)
            n = snprintf(text + used, bytes - used, "%s%u is at its end", between, t);
        else if (place == 0)
            n = snprintf(text + used, bytes - used, "%s%u never began", between, t);
        else
            n = snprintf(text + used, bytes - used, "%s%u stays at '%s'", between, t, step);
        used += n > 0 ? (size_t)n : 0;
    }
}

/* The first copy of which a thread is not at its end. */
static rd_status describe(rd_progress *p, const rd_progress_program *program, uint32_t copies,
                          rd_progress_result *result, rd_error *err)
{
    for (uint32_t copy = 0; copy < copies; copy++) {
        uint32_t at[8], ended = 0;
        RD_TRY(rd__buffer_read(&p->at, 32ull * copy, sizeof at, at, err));
        for (uint32_t t = 0; t < program->threads; t++)
            ended += at[t] == PROGRESS_DONE;
        if (ended == program->threads)
            continue;
        state_text(program, at, result->state, sizeof result->state);
        return RD_OK;
    }
    snprintf(result->state, sizeof result->state, "every thread was at its end, and the launch was not");
    return RD_OK;
}

/* One launch of a program in a shape. */
static rd_status run_once(rd_progress *p, const rd_progress_program *program, const rd__shape *shape, uint64_t seed,
                          double patience, rd_progress_result *result, rd_error *err)
{
    const variant *v = &p->variant[shape->variant];
    const uint32_t copies = rd__shape_copies(shape, program->threads, v->resident);
    const uint32_t groups = rd__shape_groups(shape, program->threads, copies);
    const double polls = patience * v->rate;
    const uint32_t limit = polls < 1 ? 1 : polls > 4e9 ? 4000000000u : (uint32_t)polls;
    uint32_t out[PROGRESS_OUT_COUNT] = {0};
    int left = 1;
    RD_TRY(write_roles(p, shape, program->threads, copies, seed, err));
    RD_TRY(fresh(p, &p->word, (uint64_t)PROGRESS_WORDS * copies * shape->apart, err));
    RD_TRY(fresh(p, &p->at, 8ull * copies, err));
    RD_TRY(fresh(p, &p->out, PROGRESS_OUT_COUNT, err));
    const rd_status status = launch(p, v, shape, groups, limit, (uint32_t)seed, &left, err);
    if (status != RD_OK && status != RD_ETIMEOUT)
        return status;
    result->launches++;
    result->most_groups = groups > result->most_groups ? groups : result->most_groups;
    result->unstopped = !left;
    if (left)
        RD_TRY(rd__buffer_read(&p->out, 0, sizeof out, out, err));
    result->slow += out[PROGRESS_OUT_SLOW] != 0;
    result->hung = status == RD_ETIMEOUT || out[PROGRESS_OUT_ENDED] != copies * program->threads;
    if (!result->hung)
        return RD_OK;
    rd__shape_text(shape, groups, v->lanes, (int)v->heavy, copies, result->shape, sizeof result->shape);
    if (left)
        return describe(p, program, copies, result, err);
    snprintf(result->state, sizeof result->state, "the kernel did not leave when it was asked to");
    return RD_OK;
}

/* Polls are counted, at a rate that was measured before: where the system let a thread wait for long, or the rate was
 * measured in a bad moment, what is only slow looks as if it hung. So what hung has to hang again, given more time. */
static rd_status run_twice(rd_progress *p, const rd_progress_program *program, const rd__shape *shape, uint64_t seed,
                           rd_progress_result *result, rd_error *err)
{
    enum { LONGER = 4, TRIES = 3 };
    RD_TRY(run_once(p, program, shape, seed, p->options.patience, result, err));
    if (!result->hung || result->unstopped)
        return RD_OK;
    for (uint32_t i = 0; i < TRIES; i++) {
        RD_TRY(run_once(p, program, shape, seed, LONGER * p->options.patience, result, err));
        if (result->hung)
            return RD_OK;
    }
    result->slow++;
    return RD_OK;
}

static rd_status run_all(rd_progress *p, const rd_progress_program *program, rd_progress_result *result, rd_error *err)
{
    RD_TRY(write_code(p, program, err));
    for (uint32_t i = 0; i < p->options.shapes; i++) {
        const rd__shape shape = rd__shape_number(i, p->options.seed, p->variants);
        for (uint32_t r = 0; r < p->options.repeats; r++) {
            if (is_cancelled(p))
                return rd__fail(err, RD_ECANCELLED, "programs were still being run");
            const uint64_t seed = rd__mix64(p->options.seed + (i * 4096ull + r + 1) * RD_GOLDEN);
            RD_TRY(run_twice(p, program, &shape, seed, result, err));
            if (result->hung)
                return RD_OK;
        }
    }
    return RD_OK;
}

rd_status rd_progress_run(rd_progress *p, const rd_progress_program *program, rd_progress_result *result, rd_error *err)
{
    if (!p || !program || !result || program->threads < 1 || program->threads > RD_PROGRESS_THREADS)
        return rd__fail(err, RD_EARG,
                        "rd_progress_run needs a program of at most %d threads and a place for the result",
                        RD_PROGRESS_THREADS);
    *result = (rd_progress_result){0};
    RD_TRY(rd__device_enter(p->device, err));
    return rd__device_leave(p->device, run_all(p, program, result, err));
}
