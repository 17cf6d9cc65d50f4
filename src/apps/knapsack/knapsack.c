/* SPDX-License-Identifier: Apache-2.0 */
/*
 * knapsack.c - 0/1 knapsack, host side: options, input, buffers, the root of the tree. knapsack/knapsack.k.c is the
 * search, knapsack/input.c reads, knapsack/core.c prepares, knapsack/sizes.c says how large buffers are,
 * knapsack/states.c and knapsack/beam.c solve what is not hard, knapsack/result.c fetches, knapsack/check.c proves.
 */
#include "apps/common/answer.h"
#include "apps/common/choose.h"
#include "apps/common/options.h"
#include "apps/knapsack/beam.h"
#include "apps/knapsack/check.h"
#include "apps/knapsack/ranks.h"
#include "apps/knapsack/state.h"
#include "apps/knapsack/states.h"

#include "core/memory.h"
#include "core/text.h"
#include "gen/args/knapsack.h"
#include "model/args.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <string.h>

enum { AT_ONCE = 16, IN_BUNDLES = 4 }; /* parts of --states, and how many times it */

static const rd_option_info info[] = {
    {"seed", "N", NULL, "of generators (default: always the same)", 0},
    {"states", "N", "256M", "made by dynamic programming before the search begins (0: none)", 0},
    {"dive", "NODES", NULL, "nodes that a worker searches depth first for each task (1: plain best-first)", 0},
    {"table", "SLOTS", NULL, "nodes that are remembered to find dominated ones (0: none; default: by device)", 0},
    {"pool", "TASKS", NULL, "most tasks at a time (default: by device)", 0},
    {"trail", "ENTRIES", NULL, "64 decisions each, for the paths of solutions (default: by device)", 0},
    {"trace", "FILE", NULL, "write seconds, nodes, tasks waiting, best and bound as the run goes on", 0},
    {NULL, NULL, NULL, NULL, 0},
};
/* Buffers follow these. */
#define SIZE(name, field, from)                                                                                        \
    {                                                                                                                  \
        .key = name, .kind = RD__OPTION_U64, .at = offsetof(knapsack_state, field), .least = from, .most = 1u << 31,   \
        .changes = RD__CHANGES_BUFFERS                                                                                 \
    }
static const rd__app_option options[] = {
    {.key = "seed",
     .kind = RD__OPTION_U64,
     .at = offsetof(knapsack_state, seed),
     .most = UINT64_MAX,
     .changes = RD__CHANGES_INPUT},
    {.key = "states", .kind = RD__OPTION_U64, .at = offsetof(knapsack_state, states), .most = 1ull << 40},
    SIZE("dive", dive, 1),
    SIZE("table", table_size, 0),
    SIZE("pool", pool, 1),
    SIZE("trail", trail_size, 1),
    {.key = "trace"},
    {0},
};
static const char *const samples[] = {
    "strongly:40:300 states=0 table=4096",
    "uncorrelated:0 states=0",
    "uncorrelated:1 states=0",
    "uncorrelated:2:1 states=0",
    "uncorrelated:200:100 states=0 table=16K",
    "weakly:150:100:0.3 states=0 table=16K",
    "strongly:150:60 states=0 dive=1 pool=64 table=64K",
    "strongly:300:100 states=0 dive=7 pool=32 table=64K",
    "strongly:120:100:0.9 states=0 dive=1000 table=64K",
    "almost:100:500 states=0 seed=3 table=64K",
    "subset:300:1000 states=0 table=16K",
    "uncorrelated:90:1000:0 states=0 table=0",
    "weakly:90:1000:1 states=0 table=0",
    "strongly:60:100 states=50 table=4096", /* not enough to prove it */
    "groups:60:100000 table=4096",
    "weakly:200:1000 table=4096",
    NULL,
};

/* ---- Options and input ---- */

static void knapsack_init(rd_job *job)
{
    knapsack_state *own = job->state;
    own->dive = own->pool = own->trail_size = own->table_size = KNAPSACK_ASK;
}

/* The trace. */
static rd_status knapsack_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    knapsack_state *own = job->state;
    char *path = rd__strdup(value);
    (void)key;
    if (!path)
        return rd__fail_memory(err, "the name of a file", strlen(value) + 1);
    rd__free(own->trace_path);
    own->trace_path = path;
    return RD_OK;
}

static rd_status knapsack_open(rd_job *job, const char *text, rd_error *err)
{
    knapsack_state *own = job->state;
    rd__knapsack_core_free(&own->core);
    rd__knapsack_free(&own->items);
    const rd__watch watch = rd__job_watch(job);
    RD_TRY(rd__knapsack_open(text, own->seed, &watch, &own->items, err));
    return rd__knapsack_core_make(&own->items, &own->core, err);
}

static void knapsack_close(rd_job *job)
{
    knapsack_state *own = job->state;
    rd__knapsack_core_free(&own->core);
    rd__knapsack_free(&own->items);
    rd__free(own->trace_path);
}

/* ---- Sizes ---- */

/* Long dives need fewer trips through a queue, short ones keep more lanes busy. */
static uint32_t dive_of(const rd_job *job)
{
    const knapsack_state *own = job->state;
    const int gpu = job->device && job->device->info.is_gpu, rounds = rd__job_in_rounds(job);
    return own->dive != KNAPSACK_ASK ? (uint32_t)own->dive : gpu && rounds ? 32 : 256;
}

/* A word for the rank of each task that waits between whiles, where several ranks share them. */
static uint64_t pool_bytes(const rd_job *job, const knapsack_sizes *sizes)
{
    return 8 * (KNAPSACK_TASK_WORDS + (uint64_t)(rd__job_in_parts(job) != 0)) * sizes->slots;
}

static void knapsack_plan(const rd_job *job, rd_plan *plan)
{
    const knapsack_state *own = job->state;
    const knapsack_sizes sizes = rd__knapsack_sizes(job);
    const int shared = job->device && job->device->caps.shares_host;
    rd__plan_add(plan, "problem", 8 * KNAPSACK_PROBLEM_WORDS, 0, 0);
    rd__plan_add(plan, "sums of items", 16 * (own->core.count + 1ull), 0, shared);
    rd__plan_add(plan, "decisions", 16ull * own->core.count, 0, shared);
    rd__plan_add(plan, "pool of tasks", pool_bytes(job, &sizes), 0, 0);
    rd__plan_add(plan, "slots in use", sizes.slots / 8, 0, 0);
    rd__plan_add(plan, "trail", 8ull * KNAPSACK_TRAIL_WORDS * sizes.trail, 0, 0);
    rd__plan_add(plan, "table of nodes", 8ull << sizes.table_bits, 0, 0);
    rd__plan_add(plan, "counters", 8 * KNAPSACK_CONTROL_WORDS, 0, 0);
}

static rd_status knapsack_alloc(rd_job *job, rd_error *err)
{
    knapsack_state *own = job->state;
    rd_device *device = job->device;
    const rd__knapsack_core *core = &own->core;
    own->sizes = rd__knapsack_sizes(job);
    own->epoch = 0;
    RD_TRY(rd__array_new(&own->chosen, "chosen items", core->count, sizeof *own->chosen, err));
    RD_TRY(rd__buffer_alloc(device, &own->problem, "problem", 8 * KNAPSACK_PROBLEM_WORDS, err));
    RD_TRY(rd__buffer_from(device, &own->prefix, "sums of items", 16 * (core->count + 1ull), core->prefix, err));
    RD_TRY(rd__buffer_from(device, &own->step, "decisions", 16ull * core->count, core->step, err));
    RD_TRY(rd__buffer_alloc(device, &own->pool_buffer, "pool of tasks", pool_bytes(job, &own->sizes), err));
    RD_TRY(rd__buffer_alloc(device, &own->used, "slots in use", own->sizes.slots / 8, err));
    RD_TRY(rd__buffer_alloc(device, &own->trail, "trail", 8ull * KNAPSACK_TRAIL_WORDS * own->sizes.trail, err));
    RD_TRY(rd__buffer_alloc(device, &own->table, "table of nodes", 8ull << own->sizes.table_bits, err));
    return rd__buffer_alloc(device, &own->control, "counters", 8 * KNAPSACK_CONTROL_WORDS, err);
}

/* Does nothing when no trace is open. */
static rd_status close_trace(knapsack_state *own, rd_error *err)
{
    rd_output *trace = own->trace;
    own->trace = NULL;
    return rd_output_close(trace, RD_OK, err);
}

static void knapsack_free(rd_job *job)
{
    knapsack_state *own = job->state;
    rd__buffer *const all[] = {&own->problem, &own->prefix, &own->step,  &own->pool_buffer,
                               &own->used,    &own->trail,  &own->table, &own->control};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        rd__buffer_free(all[i]);
    rd__array_free(own->chosen);
    own->chosen = NULL;
    rd__knapsack_share_free(own);
    (void)close_trace(own, NULL); /* left over by a run that failed */
}

RD__ARGS(knapsack_args, KNAPSACK_ARGS)

static uint32_t knapsack_pack(rd_job *job, rd__arg *args)
{
    const knapsack_state *own = job->state;
    const knapsack_args list = {.problem = &own->problem,
                                .prefix = &own->prefix,
                                .step = &own->step,
                                .pool = &own->pool_buffer,
                                .used = &own->used,
                                .trail = &own->trail,
                                .table = &own->table,
                                .notes = &own->control,
                                .items = own->core.count,
                                .break_item = own->core.break_item,
                                .pool_size = own->sizes.slots,
                                .trail_size = own->sizes.trail,
                                .table_bits = own->sizes.table_bits,
                                .dive = dive_of(job),
                                .wide = own->core.wide};
    return knapsack_args_pack(&list, args);
}

/* ---- Running ---- */

/* No choice is worth more. */
static uint64_t upper_of(const rd__knapsack_core *core)
{
    return core->proved ? core->start_value : core->upper;
}

static rd_status open_trace(knapsack_state *own, rd_error *err)
{
    if (!own->trace_path)
        return RD_OK;
    (void)close_trace(own, NULL);
    RD_TRY(rd_output_open(own->trace_path, RD_OUTPUT_LIVE, &own->trace, err));
    fprintf(rd_output_stream(own->trace), "seconds nodes waiting best bound\n");
    return RD_OK;
}

/* Slots of earlier runs count as empty: each run has a number of its own, *word, in the bits of a slot that are left.
 * The table is cleared only when these run out. */
static rd_status forget_nodes(knapsack_state *own, uint64_t *word, rd_error *err)
{
    const knapsack_sizes *sizes = &own->sizes;
    const uint32_t taken = sizes->key_bits - sizes->table_bits + sizes->value_bits;
    const uint32_t spare = taken < 64 ? (64 - taken < 30 ? 64 - taken : 30) : 0;
    if (sizes->table_bits == 0)
        return RD_OK;
    if (own->epoch == 0 || (own->epoch + 1) >> spare) {
        RD_TRY(rd__buffer_fill(&own->table, 0, err));
        own->epoch = 0;
    }
    own->epoch++;
    *word = spare ? own->epoch << taken : 0;
    return RD_OK;
}

/* The constants of a run. */
static rd_status write_problem(knapsack_state *own, rd_error *err)
{
    const rd__knapsack_core *core = &own->core;
    const uint32_t upper_bits = rd__knapsack_bits(core->upper), most = 64 - KNAPSACK_RANK_SHIFT;
    uint64_t problem[KNAPSACK_PROBLEM_WORDS] = {
        [KNAPSACK_CAPACITY] = core->capacity,
        [KNAPSACK_START] = core->start_value,
        [KNAPSACK_UPPER] = upper_of(core),
        [KNAPSACK_MOST] = core->most,
        [KNAPSACK_SPAN] = core->prefix[2ull * core->count] + 1,
        [KNAPSACK_KEY_BITS] = own->sizes.key_bits,
        [KNAPSACK_VALUE_BITS] = own->sizes.value_bits,
        [KNAPSACK_RANK_DROP] = upper_bits > most ? upper_bits - most : 0,
    };
    if (!core->proved)
        RD_TRY(forget_nodes(own, &problem[KNAPSACK_EPOCH], err));
    return rd__buffer_write(&own->problem, 0, sizeof problem, problem, err);
}

/* A good solution to begin with, which may be proved already. What is easy is so at once; then items in bundles, then
 * the rest. */
static rd_status begin_well(knapsack_state *own, const rd__watch *watch, rd_error *err)
{
    rd__knapsack_core *core = &own->core;
    rd__knapsack_core_start(core, NULL, core->prefix[2ull * core->break_item + 1]);
    core->states = 0;
    core->proved = 0;
    RD_TRY(rd__knapsack_states(core, own->states / AT_ONCE, watch, err));
    if (!core->proved && own->states)
        RD_TRY(rd__knapsack_beam(core, IN_BUNDLES * own->states, watch, err));
    return core->proved ? RD_OK : rd__knapsack_states(core, own->states, watch, err);
}

/* The buffers of a run, with the root as the only task. */
static rd_status write_first(rd_job *job, rd_error *err)
{
    knapsack_state *own = job->state;
    const rd__knapsack_core *core = &own->core;
    const uint64_t *at = core->prefix + 2ull * core->break_item;
    const uint32_t one = 1;
    /* The root: the break solution, nothing decided. */
    const uint64_t root[KNAPSACK_TASK_WORDS] = {
        [KNAPSACK_TASK_WEIGHT] = at[0],
        [KNAPSACK_TASK_VALUE] = at[1],
        [KNAPSACK_TASK_PLACE] = (uint64_t)KNAPSACK_ROOT << 32,
        [KNAPSACK_TASK_TOP] = (uint64_t)KNAPSACK_ENTER << 32,
    };
    const rd__watch watch = rd__job_watch(job);
    own->look_error.status = RD_OK;
    own->collections = 0;
    RD_TRY(begin_well(own, &watch, err));
    RD_TRY(rd__buffer_fill(&own->used, 0, err));
    RD_TRY(write_problem(own, err));
    RD_TRY(rd__buffer_fill(&own->control, 0, err));
    RD_TRY(rd__buffer_write(&own->pool_buffer, 0, sizeof root, root, err));
    RD_TRY(rd__buffer_write(&own->used, 0, sizeof one, &one, err));
    return rd__buffer_write(&own->control, 8 * KNAPSACK_BEST, 8, &core->start_value, err);
}

static rd_status knapsack_start(rd_job *job, rd__seeds *seeds, rd_error *err)
{
    knapsack_state *own = job->state;
    RD_TRY(open_trace(own, err));
    rd__seeds_one(seeds, 0);
    RD_TRY(write_first(job, err));
    own->began = rd_now();
    return RD_OK;
}

static rd_status knapsack_begin(rd_job *job, int first, rd_error *err)
{
    if (((const knapsack_state *)job->state)->trace_path)
        return rd__fail(err, RD_EARG, "knapsack writes no trace on several ranks, or with checkpoints");
    RD_TRY(write_first(job, err));
    return rd__knapsack_share_begin(job, first, err);
}

static uint64_t bound_of(const knapsack_state *own, uint64_t rank, uint64_t best)
{
    const uint32_t bits = rd__knapsack_bits(own->core.upper), most = 64 - KNAPSACK_RANK_SHIFT;
    const uint64_t upper = upper_of(&own->core), below = rank >> KNAPSACK_RANK_SHIFT << (bits > most ? bits - most : 0);
    return rank != UINT64_MAX && upper > best + below ? upper - below : best;
}

/* Does nothing when no trace is open. */
static void write_line(const knapsack_state *own, double since, uint64_t nodes, uint64_t left, uint64_t best,
                       uint64_t bound)
{
    char seconds[32];
    if (!own->trace)
        return;
    rd__snprintf(seconds, sizeof seconds, "%.6f", since);
    fprintf(rd_output_stream(own->trace), "%s %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 "\n", seconds, nodes, left,
            best, bound);
    (void)fflush(rd_output_stream(own->trace)); /* to be watched; closing tells what went wrong */
}

/* Between launches: a line of the trace, and room in the trail before it gets full. */
static void knapsack_look(rd_job *job, const rd__look *look)
{
    knapsack_state *own = job->state;
    uint64_t word[KNAPSACK_LIST], nodes = 0; /* counters come before the list of solutions */
    if (own->look_error.status != RD_OK ||
        rd__buffer_read(&own->control, 0, sizeof word, word, &own->look_error) != RD_OK)
        return;
    for (uint32_t i = 0; i < KNAPSACK_SHARDS; i++)
        nodes += word[KNAPSACK_COUNTS + 8 * i + KNAPSACK_NODES];
    write_line(own, look->seconds, nodes, look->left, word[KNAPSACK_BEST] * own->core.value_unit,
               bound_of(own, look->least_rank, word[KNAPSACK_BEST]) * own->core.value_unit);
    if (word[KNAPSACK_TRAIL] > own->sizes.trail - own->sizes.trail / 4)
        rd__knapsack_collect_trail(own, &own->look_error);
}

static rd_status knapsack_finish(rd_job *job, rd_error *err)
{
    knapsack_state *own = job->state;
    if (own->look_error.status != RD_OK)
        return rd__fail(err, own->look_error.status, "%s", own->look_error.text);
    if (rd__job_in_parts(job))
        return RD_OK; /* all ranks have it */
    RD_TRY(rd__knapsack_fetch(job, err));
    own->bound = own->value;
    uint64_t left = 0;
    if (job->stopped) {
        uint64_t least = UINT64_MAX;
        RD_TRY(job->engine->remaining(job->sched_state, &left, &least, err));
        own->bound = bound_of(own, least, own->value / own->core.value_unit) * own->core.value_unit;
    }
    write_line(own, rd_now() - own->began, own->nodes, left, own->value, own->bound); /* the whole run */
    return close_trace(own, err);
}

static void knapsack_report(rd_job *job, rd_report *report)
{
    const knapsack_state *own = job->state;
    rd__measure(report, "value", (double)own->value);
    rd__measure(report, "bound", (double)own->bound);
    rd__measure(report, "gap", (double)(own->bound - own->value));
    rd__measure(report, "items_chosen", own->chosen_count);
    rd__measure(report, "weight", (double)own->weight);
    if (own->items.published)
        rd__measure(report, "published_value", (double)own->items.published);
    rd__measure(report, "states", (double)own->core.states);
    rd__measure(report, "nodes", (double)own->nodes);
    rd__measure(report, "hopeless_nodes", (double)own->hopeless);
    rd__measure(report, "dominated_nodes", (double)own->dominated);
    rd__measure(report, "trail_entries", (double)own->trail_used);
    if (own->collections)
        rd__measure(report, "trail_collections", (double)own->collections);
}

static void knapsack_result(const rd_job *job, rd_result *result)
{
    const knapsack_state *own = job->state;
    *result =
        (rd_result){.name = "item", .word = own->chosen, .count = own->chosen_count, .download_s = own->download_s};
}

static rd_status knapsack_check(rd_job *job, const rd_result *result, rd_error *err)
{
    const knapsack_state *own = job->state;
    rd__knapsack_proof proof;
    uint64_t bound;
    const uint32_t *chosen = result->word, count = (uint32_t)result->count;
    if (job->stopped) /* the best so far, which need not be the best */
        return rd__knapsack_check_choice(&own->items, chosen, count, own->value, err);
    RD_TRY(rd__knapsack_check(&own->items, chosen, count, own->value, 0, &proof, &bound, err));
    if (err)
        snprintf(err->text, sizeof err->text, "%s", rd__knapsack_proof_text(proof));
    return RD_OK;
}

static void knapsack_answer(const rd_job *job, const rd_result *result, char *text, size_t room)
{
    const knapsack_state *own = job->state;
    (void)result;
    rd__snprintf(text, room, "value %llu%s, %llu items of weight %llu", (unsigned long long)own->value,
                 own->bound > own->value ? ", which is not proven to be the highest" : "",
                 (unsigned long long)own->chosen_count, (unsigned long long)own->weight);
}

static const rd__app_bound shared = {.begin = knapsack_begin,
                                     .count = rd__knapsack_share_count,
                                     .run = rd__knapsack_share_run,
                                     .give = rd__knapsack_share_give,
                                     .take = rd__knapsack_share_take,
                                     .best = rd__knapsack_share_best,
                                     .hear = rd__knapsack_share_hear,
                                     .freeze = rd__knapsack_share_freeze,
                                     .end = rd__knapsack_share_end};
static const rd__app_ranks in_parts = {.kind = RD__RANKS_BOUND, .root = "knapsack_parts", .bound = &shared};

const rd__app rd__app_knapsack = {
    .info = {.name = "knapsack",
             .text = "0/1 knapsack: the items of highest value that fit, by best-first branch and bound",
             .options = info,
             .input = RD_INPUT_TEXT,
             .input_name = "ITEMS",
             .input_text = "ITEMS is a file, '-' for standard input, or a generator: uncorrelated:N[:R[:FRACTION]],\n"
                           "weakly:..., strongly:..., almost:..., subset:..., inverse:..., multiple:..., ceiling:...,\n"
                           "circle:..., spanner:..., spanner-weakly:..., spanner-strongly:..., even-odd:...,\n"
                           "groups:N[:CAPACITY[:G[:S[:F[:EPS]]]]] (docs/knapsack.md)\n",
             .samples = samples},
    .ranks = &in_parts,
    .partial = 1,
    .state_bytes = sizeof(knapsack_state),
    .options = options,
    .init = knapsack_init,
    .set = knapsack_set,
    .open = knapsack_open,
    .close = knapsack_close,
    .plan = knapsack_plan,
    .alloc = knapsack_alloc,
    .free = knapsack_free,
    .args = knapsack_pack,
    .choose = rd__choose_ranked,
    .start = knapsack_start,
    .look = knapsack_look,
    .finish = knapsack_finish,
    .report = knapsack_report,
    .result = knapsack_result,
    .answer = knapsack_answer,
    .check = knapsack_check,
};
