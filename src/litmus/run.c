/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - runs the shapes on a device and counts what came of them. A test is run in many launches: how wide groups
 * are, whether members of a team lie side by side or far apart, how they change places, how far apart words lie, how
 * long members look for each other and how many lanes only disturb is drawn anew for each.
 */
#include "litmus/litmus.h"

#include "core/hash.h"
#include "core/memory.h"
#include "device/promise.h"
#include "litmus/layout.k.h"
#include "litmus/tests.k.h"
#include "micro/grid.h"
#include "model/args.h"
#include "raddle/tool.h"
#include "sched/parts/barrier_layout.k.h"

#include <string.h>

enum {
    WIDTHS = 2,
    WORDS_MOST = 1 << 23,
    INSTANCES_MOST = 1 << 20,
    STRESS_WORDS = 1 << 14,
    EMPTY_MOST = 8,
    STRIDE_MOST = 2048
};

RD__ARGS(litmus_args, LITMUS_ARGS)
RD__ARGS(judge_args, LITMUS_JUDGE_ARGS)

/* One width of groups. */
typedef struct variant {
    rd__program *program;
    rd__kernel *kernel[3], *judge; /* by scope */
    uint32_t lanes, resident[3];
} variant;

struct rd_litmus {
    rd_device *device;
    rd_litmus_options options;
    variant variant[WIDTHS];
    uint32_t variants;
    rd__buffer word, meet, result, stress, out, poll, grid, seen;
    uint32_t *counts; /* what `seen` has */
};

/* ---- Opening ---- */

static uint32_t widths_of(const rd_device *device, uint32_t width[WIDTHS])
{
    width[0] = device->info.max_group;
    if (device->caps.fixed_width)
        return 1;
    width[0] = device->info.is_gpu ? 32 : 1;
    width[1] = device->info.is_gpu ? 256 : 8;
    return width[1] <= device->info.max_group ? 2 : 1;
}

static rd_status load(rd_litmus *l, rd_error *err)
{
    static const char *const names[3] = {
        [LITMUS_FREE] = "free_threads", [LITMUS_GROUP] = "group_barrier", [LITMUS_GRID] = "grid_barrier"};
    uint32_t width[WIDTHS];
    const uint32_t widths = widths_of(l->device, width);
    for (uint32_t i = 0; i < widths; i++) {
        variant *v = &l->variant[i];
        const rd__program_spec spec = {.name = "litmus", .root = "litmus/litmus.k.c", .lanes = width[i]};
        v->lanes = width[i];
        RD_TRY(rd__program_load(l->device, &spec, &v->program, err));
        for (int k = 0; k < 3; k++) {
            RD_TRY(rd__kernel_find(l->device, v->program, names[k], &v->kernel[k], err));
            RD_TRY(rd__kernel_resident(l->device, v->kernel[k], &v->resident[k], err));
        }
        RD_TRY(rd__kernel_find(l->device, v->program, "judge", &v->judge, err));
        l->variants++;
    }
    return rd__array_new(&l->counts, "counts of outcomes", RD_LITMUS_OUTCOMES, sizeof *l->counts, err);
}

rd_status rd_litmus_open(rd_device *device, const rd_litmus_options *options, rd_litmus **out, rd_error *err)
{
    static const rd_litmus_options none = {.size = sizeof none};
    options = options ? options : &none;
    if (!device || !out || options->size != sizeof *options)
        return rd__fail(err, RD_EARG, "rd_litmus_open needs a device, options of this library and a place to put it");
    *out = NULL;
    RD_TRY(rd__device_enter(device, err));
    rd_litmus *l = rd__calloc(1, sizeof *l);
    if (!l)
        return rd__device_leave(device, rd__fail_memory(err, "litmus tests", sizeof *l));
    rd__device_hold(device);
    l->device = device;
    l->options = *options;
    l->options.runs = options->runs ? options->runs : 1000000;
    l->options.seed = options->seed ? options->seed : RD_SEED;
    const rd_status status = load(l, err);
    if (status != RD_OK)
        rd_litmus_close(l);
    else
        *out = l;
    return rd__device_leave(device, status);
}

void rd_litmus_close(rd_litmus *l)
{
    if (!l)
        return;
    rd__buffer *const all[] = {&l->word, &l->meet, &l->result, &l->stress, &l->out, &l->poll, &l->grid, &l->seen};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rd__buffer_free(all[i]);
    for (uint32_t i = 0; i < WIDTHS; i++)
        rd__program_unload(l->device, l->variant[i].program);
    rd__array_free(l->counts);
    rd__device_drop(l->device);
    rd__free(l);
}

/* ---- One launch ---- */

typedef struct shape {
    const variant *v;
    uint32_t scope, groups, members, teams, rounds, place, stride, turn, apart, patience, stress_turns;
} shape;

/* A number below n from the lot of a launch; `what` says of what. */
static uint32_t draw(uint64_t lot, uint32_t what, uint32_t n)
{
    return (uint32_t)(rd__mix64(lot + what * RD_GOLDEN) % n);
}

static uint32_t common_divisor(uint32_t a, uint32_t b)
{
    while (b) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A CPU behind OpenCL gives each thread groups in a row: of two threads one begins with group 0 when the other begins
 * with group n / 2 + 1. Where n is a multiple of four, lanes that lie side by side in steps of n / 2 + 1 are those two.
 */
static void pair_rows(shape *s)
{
    s->place = LITMUS_NEAR;
    s->teams = s->groups / s->members;
    s->stride = s->groups / 2 + 1;
    s->turn = s->turn / s->members * s->members;
}

/* @return 0: the device cannot run the test in this shape. */
static int choose(const rd_litmus *l, uint32_t scope, uint32_t threads, uint64_t lot, uint64_t wanted, shape *s)
{
    static const uint32_t apart[] = {1, 2, 8, 16}, patience[] = {0, 16, 128, 1024}, disturb[] = {0, 2, 64, 1024};
    const variant *v = &l->variant[draw(lot, 0, l->variants)];
    *s = (shape){.v = v, .scope = scope, .groups = v->resident[scope]};
    const int in_rows = scope == LITMUS_FREE && l->device->caps.slow_wide_compile;
    if (in_rows)
        s->groups *= 2 + 2 * draw(lot, 8, 16);
    const uint32_t lanes = s->groups * v->lanes, share = 2 + draw(lot, 1, 3); /* of four: half of them, or more */
    s->place = draw(lot, 2, 2) ? LITMUS_NEAR : LITMUS_FAR;
    s->turn = draw(lot, 3, 4) ? draw(lot, 4, lanes) : 0;
    s->apart = apart[draw(lot, 5, 4)];
    s->patience = patience[draw(lot, 6, 4)];
    s->stress_turns = disturb[draw(lot, 7, 4)];
    s->members = scope == LITMUS_FREE && lanes < threads ? lanes : threads;
    if (scope == LITMUS_GROUP)
        s->teams = v->lanes / threads * s->groups;
    else
        s->teams = (scope == LITMUS_FREE && lanes >= 8 * threads ? lanes / 4 * share : lanes) / s->members;
    if (!s->teams)
        return 0;
    s->stride = draw(lot, 9, 2) ? 1 : 1 + draw(lot, 10, STRIDE_MOST);
    if (in_rows && v->lanes == 1 && draw(lot, 11, 4))
        pair_rows(s);
    while (common_divisor(s->stride, s->members * s->teams) != 1)
        s->stride--;
    uint64_t instances = WORDS_MOST / LITMUS_WORDS / s->apart;
    instances = instances < INSTANCES_MOST ? instances : INSTANCES_MOST;
    if (in_rows) { /* whose threads sleep between launches and take their time to come; looks are slow there */
        wanted *= 4;
        s->patience = s->patience < 128 ? s->patience : 128;
    }
    /* a barrier for each round: a few thousand at a time will do */
    uint64_t rounds = (wanted < instances ? wanted : instances) / s->teams + 1;
    const uint64_t most = scope == LITMUS_FREE ? 1 << 16 : 1 << 12;
    s->rounds = (uint32_t)(rounds < most ? rounds : most);
    return 1;
}

static rd_status fresh(rd_litmus *l, rd__buffer *buffer, uint64_t words, rd_error *err)
{
    if (buffer->device && buffer->bytes < 4 * words)
        rd__buffer_free(buffer);
    if (!buffer->device)
        RD_TRY(rd__buffer_alloc(l->device, buffer, "litmus", 4 * words, err));
    return rd__buffer_fill(buffer, 0, err);
}

static rd_status prepare(rd_litmus *l, const shape *s, rd_error *err)
{
    const uint64_t instances = (uint64_t)s->teams * s->rounds;
    RD_TRY(fresh(l, &l->word, LITMUS_WORDS * instances * s->apart, err));
    RD_TRY(fresh(l, &l->meet, instances, err));
    RD_TRY(fresh(l, &l->result, LITMUS_REGISTERS * instances, err));
    RD_TRY(fresh(l, &l->out, LITMUS_OUT_COUNT, err));
    RD_TRY(fresh(l, &l->poll, RD_DISCOVERY_WORDS, err));
    RD_TRY(fresh(l, &l->seen, RD_LITMUS_OUTCOMES, err));
    if (!l->stress.device)
        RD_TRY(fresh(l, &l->stress, STRESS_WORDS, err));
    return fresh(l, &l->grid, RD_GRID_WORDS(s->groups), err);
}

static rd_status launch(rd_litmus *l, const shape *s, uint32_t test, uint32_t threads, rd_error *err)
{
    const int discovers = s->scope == LITMUS_GRID && !l->device->caps.coresident;
    const litmus_args args = {.word = &l->word,
                              .meet = &l->meet,
                              .result = &l->result,
                              .stress = &l->stress,
                              .out = &l->out,
                              .poll = &l->poll,
                              .grid = &l->grid,
                              .test = test,
                              .threads = threads,
                              .members = s->members,
                              .teams = s->teams,
                              .rounds = s->rounds,
                              .place = s->place,
                              .stride = s->stride,
                              .turn = s->turn,
                              .apart = s->apart,
                              .patience = s->patience,
                              .stress_words = STRESS_WORDS,
                              .stress_turns = s->stress_turns,
                              .kind = discovers ? RD_DISCOVERY_COUNTER : RD_DISCOVERY_NONE,
                              .delay = rd__grid_delay(l->device, RD_DISCOVERY_COUNTER)};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = litmus_args_pack(&args, list);
    return rd__kernel_launch(l->device, s->v->kernel[s->scope], s->groups, s->scope == LITMUS_GRID && !discovers, list,
                             used, err);
}

static rd_status judge(rd_litmus *l, const shape *s, const rd_litmus_test *test, rd_error *err)
{
    const judge_args args = {.word = &l->word,
                             .result = &l->result,
                             .out = &l->out,
                             .seen = &l->seen,
                             .instances = s->teams * s->rounds,
                             .teams = s->scope == LITMUS_GRID ? 0 : s->teams,
                             .rounds = s->rounds,
                             .words = test->words,
                             .registers_used = test->registers,
                             .apart = s->apart};
    rd__arg list[RD__MAX_ARGS];
    const uint32_t used = judge_args_pack(&args, list);
    return rd__kernel_launch(l->device, s->v->judge, s->groups, 0, list, used, err);
}

static int is_cancelled(void *user)
{
    const rd_litmus *l = user;
    return l->options.progress && l->options.progress(l->options.user, "running tests", 0, 0, "launches");
}

static rd_status run_once(rd_litmus *l, const rd_litmus_test *test, const shape *s, rd_litmus_result *result,
                          rd_error *err)
{
    const rd__limit limit = {.cancelled = is_cancelled, .user = l};
    uint32_t out[LITMUS_OUT_COUNT];
    RD_TRY(prepare(l, s, err));
    RD_TRY(launch(l, s, (uint32_t)rd__lit_number(test), test->threads, err));
    RD_TRY(judge(l, s, test, err));
    RD_TRY(rd__device_wait(l->device, &limit, err));
    RD_TRY(rd__buffer_read(&l->out, 0, sizeof out, out, err));
    RD_TRY(rd__buffer_read(&l->seen, 0, 4ull * RD_LITMUS_OUTCOMES, l->counts, err));
    result->launches++;
    result->met += out[LITMUS_OUT_MET];
    for (uint32_t i = 0; i < RD_LITMUS_OUTCOMES; i++) {
        result->seen[i] += l->counts[i];
        result->runs += l->counts[i];
    }
    return RD_OK;
}

/* ---- A test ---- */

static rd_status run_all(rd_litmus *l, const rd_litmus_test *test, rd_litmus_result *result, rd_error *err)
{
    const uint32_t scope = rd__lit_scope(rd__lit_number(test));
    uint32_t empty = 0;
    if (scope == LITMUS_GRID)
        RD_TRY(rd__device_may_persist(l->device, err));
    for (uint32_t i = 0; result->runs < l->options.runs && empty < EMPTY_MOST; i++) {
        const uint64_t before = result->runs;
        shape s;
        if (is_cancelled(l))
            return rd__fail(err, RD_ECANCELLED, "litmus test %s was still being run", test->name);
        if (choose(l, scope, test->threads, rd__mix64(l->options.seed + i * RD_GOLDEN), l->options.runs - result->runs,
                   &s))
            RD_TRY(run_once(l, test, &s, result, err));
        empty = result->runs == before ? empty + 1 : 0; /* too few lanes in this shape, or too few groups found */
    }
    result->skipped = result->runs == 0;
    return RD_OK;
}

static rd_status verdict(const rd_litmus *l, const rd_litmus_test *test, rd_litmus_result *result, rd_error *err)
{
    rd_litmus_table *table = rd__calloc(1, sizeof *table);
    const rd_litmus_test *as = l->options.as ? l->options.as : test;
    char text[80] = "";
    if (!table)
        return rd__fail_memory(err, "a table of outcomes", sizeof *table);
    const rd_status status = rd_litmus_allowed(as, table, err);
    for (uint32_t i = 0; status == RD_OK && i < RD_LITMUS_OUTCOMES; i++) {
        if (!result->seen[i])
            continue;
        if (!table->allowed[i] && !result->forbidden)
            (void)rd_litmus_outcome(test, i, text, sizeof text);
        result->forbidden += table->allowed[i] ? 0 : result->seen[i];
        result->weak += table->allowed[i] == RD_LITMUS_WEAK ? result->seen[i] : 0;
    }
    rd__free(table);
    RD_TRY(status);
    return result->forbidden ? rd__fail(err, RD_EWRONG,
                                        "%s: litmus test %s (%s): %llu of %llu runs ended as no memory "
                                        "order allows, as %s",
                                        l->device->info.name, test->name, test->text,
                                        (unsigned long long)result->forbidden, (unsigned long long)result->runs, text)
                             : RD_OK;
}

rd_status rd_litmus_run(rd_litmus *l, const rd_litmus_test *test, rd_litmus_result *result, rd_error *err)
{
    if (!l || !test || !result || rd_litmus_get(rd__lit_number(test)) != test)
        return rd__fail(err, RD_EARG, "rd_litmus_run needs one of the tests and a place for the result");
    const rd_litmus_test *as = l->options.as;
    if (as && (as->words != test->words || as->registers != test->registers))
        return rd__fail(err, RD_EARG, "litmus test %s has other words or registers than %s, and cannot be judged as it",
                        test->name, as->name);
    memset(result, 0, sizeof *result);
    RD_TRY(rd__device_enter(l->device, err));
    RD_TRY(rd__device_leave(l->device, run_all(l, test, result, err)));
    return verdict(l, test, result, err);
}
