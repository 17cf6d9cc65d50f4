/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bsp.c - scheduler `bsp`, host side: memory, kernels and shares. bsp/run.c runs it; bsp/bsp.k.h says what the kernels
 * do.
 */
#include "sched/bsp/bsp.h"

#include "core/log.h"
#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/parts/barrier_layout.k.h"
#include "sched/parts/rest.h"
#include "sched/bsp/layout.k.h"

#include <stdio.h>
#include <string.h>

enum {
    SPAN = 4096,
    GPU_SPAN = 1024,
    DENSE = 8,
    FLAT_DEGREE = 32,
    AHEAD_DEGREE = 16,
    MOST_BIN_GROUPS = 1024
};

struct sizes {
    uint64_t queue, parts, bits;
    uint32_t span; /* 0: no vertex is big */
};

/* Pulling follows edges backwards, so it takes a symmetric graph; and it pays when vertices have many edges to choose
 * from, or one that most have. On cores also when they have few, unless rounds are many and narrow: then the set of
 * settled vertices is kept for nothing. */
static uint32_t direction_of(const rd__sched_job *job)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    if (!job->frontier.pulls || rd__sched_option_is(job, "direction", "push") ||
        !rd_graph_is_symmetric(job->input.graph))
        return BSP_ALWAYS_PUSH;
    if (rd__sched_option_is(job, "direction", "pull"))
        return BSP_ALWAYS_PULL;
    const int shallow = job->device && job->device->caps.cores && !job->frontier.deep;
    const int star = rd_graph_max_degree(job->input.graph) >= csr.edges / DENSE;
    return (shallow || star || csr.edges / DENSE >= csr.vertices) && csr.edges ? BSP_SWITCHING : BSP_ALWAYS_PUSH;
}

/* Is `word` one of the words of --spread, which commas part? */
static int spreads_by(const rd__sched_job *job, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = rd__sched_option(job, "spread"); *at; at += strcspn(at, ","), at += *at == ',')
        if (strncmp(at, word, length) == 0 && strcspn(at, ",") == length)
            return 1;
    return 0;
}

/* Edges that a lane has in flight, where --spread says so with its last word; 0: as many as is best. */
static uint32_t batch_of(const rd__sched_job *job)
{
    uint64_t batch;
    const char *spread = rd__sched_option(job, "spread"), *last = strrchr(spread, ',');
    last = last ? last + 1 : spread;
    return strncmp(last, "edge", 4) == 0 && rd_parse_u64(last + 4, &batch) ? (uint32_t)batch : 0;
}

/* Whose edges are whose, as --spread says. Where a group is a core there is nothing to spread. */
static uint32_t spread_of(const rd__sched_job *job)
{
    const uint32_t group = (uint32_t)spreads_by(job, "group"), warp = (uint32_t)spreads_by(job, "warp");
    if (job->device && job->device->caps.cores)
        return 0;
    if (rd__sched_option_is(job, "spread", "degree"))
        return BSP_BY_DEGREE;
    if (!group && !warp && !spreads_by(job, "lane"))
        return 0; /* all of them are shared by all lanes */
    return BSP_BY_DEGREE | (group ? 0 : BSP_NO_GROUP) | (warp ? 0 : BSP_NO_WARP) | (batch_of(job) ? BSP_FINE : 0);
}

static uint32_t options_of(const rd__sched_job *job)
{
    const uint32_t push = rd__sched_option_is(job, "push", "lane")   ? BSP_PUSH_BY_LANE
                          : rd__sched_option_is(job, "push", "warp") ? BSP_PUSH_BY_WARP
                                                                     : BSP_PUSH_BY_GROUP;
    return push | spread_of(job) | (rd__sched_option_is(job, "frontier", "bitmap") ? BSP_BITMAP : 0);
}

/* big: of more edges than these, a vertex is cut into parts. */
static uint64_t count_parts(const rd_csr *csr, uint64_t span, uint64_t big)
{
    uint64_t parts = 0;
    for (uint32_t v = 0; v < csr->vertices; v++) {
        uint64_t degree = csr->row[v + 1] - csr->row[v];
        parts += degree > big ? (degree + span - 1) / span : 0;
    }
    return parts;
}

/* Where each task runs once, each vertex is queued at most once; where tasks repeat, at most once a round, and as often
 * in the far set; where it is claimed late, once for each edge to it: these sizes cannot be exceeded. On dense graphs
 * the span grows until parts take at most 8 bytes a vertex. */
static struct sizes size_up(const rd__sched_job *job)
{
    const rd_graph *graph = job->input.graph;
    const rd_csr csr = rd_graph_csr(graph);
    const uint64_t set = ((uint64_t)csr.vertices + 31) / 32 * 4;
    struct sizes sizes = {.queue = (job->frontier.repeats ? 16ull : 4ull) * csr.vertices};
    const int bitmap = (options_of(job) & BSP_BITMAP) != 0;
    if (job->frontier.repeats || bitmap || direction_of(job) != BSP_ALWAYS_PUSH)
        sizes.bits = (job->frontier.repeats ? 3 : bitmap ? 4 : 2) * set;
    if (job->frontier.late) {
        sizes.queue = 4 * (csr.edges + csr.vertices + 1ull);
        return sizes;
    }
    uint64_t span = job->device && !job->device->info.is_gpu ? SPAN : GPU_SPAN;
    const uint64_t cut = job->device && job->device->caps.cores ? BSP_CORE_BIG : 1;
    if (rd_graph_max_degree(graph) <= span / cut)
        return sizes;
    uint64_t parts = count_parts(&csr, span, span / cut);
    while ((parts > csr.vertices || parts + csr.vertices > UINT32_MAX) && span < 1u << 30) { /* both are numbered */
        span *= 2;
        parts = count_parts(&csr, span, span / cut);
    }
    sizes.parts = 8 * parts * (job->frontier.repeats ? 2 : 1);
    sizes.span = (uint32_t)span;
    return sizes;
}

/* Words of a group's bins, 0 where there are none: GPUs have too many groups, and atomics are cheap there. Bins have
 * room for each vertex twice; what does not fit goes to the far set. */
static uint32_t bin_words_of(const rd__sched_job *job, uint32_t groups)
{
    if (!job->frontier.repeats || !job->device || !job->device->caps.cores || options_of(job) != BSP_PUSH_BY_GROUP ||
        groups > MOST_BIN_GROUPS)
        return 0;
    const uint64_t tasks = 2ull * rd_graph_csr(job->input.graph).vertices / groups;
    const uint64_t words = BSP_BIN_HEADER + (tasks / (BSP_CHUNK - 1) + BSP_BIN_COUNT / 2) * BSP_CHUNK;
    return words < UINT32_MAX / 2 ? (uint32_t)words : UINT32_MAX / 2;
}

/* One group a thread, unless another number is asked for. */
static uint32_t groups_of(const rd__sched_job *job)
{
    return job->groups ? job->groups : job->device ? job->device->info.compute_units : 1;
}

static uint64_t bin_bytes_of(const rd__sched_job *job)
{
    return 4ull * groups_of(job) * bin_words_of(job, groups_of(job));
}

/* Several cores with bins stamp what they queue (bsp/give.k.h). */
static uint64_t stamp_bytes_of(const rd__sched_job *job, uint32_t groups)
{
    return groups > 1 && bin_words_of(job, groups) ? 4ull * rd_graph_csr(job->input.graph).vertices : 0;
}

/* Cores run what they found themselves (bsp/own.k.h), and have entries for that. Not where groups are more than
 * threads: they have no cache of their own, and each would look at the entries of all. */
static uint32_t owners_among(const rd_device *device, uint32_t groups)
{
    return device && device->caps.cores && groups <= device->info.compute_units ? groups : 0;
}

static uint64_t own_bytes(uint32_t owners)
{
    return 4ull * owners * 2 * BSP_LINE;
}

static uint64_t lone_bytes_of(const rd__sched_job *job)
{
    const int asks = job->device && job->device->caps.cores && direction_of(job) != BSP_ALWAYS_PUSH;
    return asks ? (rd_graph_csr(job->input.graph).vertices + 31ull) / 32 * 4 : 0;
}

static void bsp_plan(const rd__sched_job *job, rd_plan *plan)
{
    const struct sizes sizes = size_up(job);
    rd__plan_add(plan, job->frontier.repeats ? "queues and far sets" : "queue", sizes.queue, 0, 0);
    if (sizes.parts)
        rd__plan_add(plan, "parts of big vertices", sizes.parts, 0, 0);
    if (sizes.bits)
        rd__plan_add(plan, "sets of vertices", sizes.bits + stamp_bytes_of(job, groups_of(job)), 0, 0);
    if (lone_bytes_of(job))
        rd__plan_add(plan, "vertices without edges", lone_bytes_of(job), 0, 0);
    if (bin_bytes_of(job))
        rd__plan_add(plan, "bins", bin_bytes_of(job), 0, 0);
    rd__seeder_plan(job, plan);
    rd__plan_add(plan, "control words",
                 4 * BSP_WORDS + own_bytes(owners_among(job->device, groups_of(job))) + rd__rest_bytes(job), 0, 0);
    if (job->persistent)
        rd__plan_add(plan, "barrier", 4 * (RD_DISCOVERY_WORDS + RD_GRID_LINES), 0, 0);
}

static void bsp_destroy(rd__sched_state *state)
{
    if (!state)
        return;
    rd__buffer_free(&state->queue);
    rd__buffer_free(&state->parts);
    rd__buffer_free(&state->bits);
    rd__buffer_free(&state->control);
    rd__buffer_free(&state->grid);
    rd__buffer_free(&state->bins);
    rd__buffer_free(&state->lone);
    rd__seeder_close(&state->seeder);
    if (state->device)
        rd__program_unload(state->device, state->program);
    rd__free(state);
}

/* Groups of a persistent launch must be resident together. OpenCL cannot tell how many can: there the kernel finds out
 * and uses those. */
static rd_status choose_groups(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    const rd_device_info *info = &state->device->info;
    uint32_t fit = 0;
    RD_TRY(rd__sched_resident(job, state->kernel, &fit, err));
    state->groups = job->groups ? job->groups : fit;
    if (!state->persistent)
        return RD_OK;
    if (!state->discovery && state->groups > fit)
        return rd__fail(err, RD_EARG,
                        "scheduler bsp, launch persistent: %u groups of %u lanes cannot be resident on %s together, at "
                        "most %u; ask for fewer --groups, or use --launch discrete",
                        state->groups, state->lanes, info->name, fit);
    return RD_OK;
}

/* Some options take more of the group's own memory than wide groups have. */
static rd_status check_memory(const rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    const int much = batch_of(job) > 4 || (state->options & BSP_BY_DEGREE);
    if (much && state->lanes > 512)
        return rd__fail(err, RD_EARG, "--spread %s takes groups of at most 512 lanes; use a smaller --worker",
                        rd__sched_option(job, "spread"));
    return RD_OK;
}

/* An option that was set and does nothing on this device is said, as it would seem to have been measured. */
static void say_unused(const rd__sched_state *state, const rd__sched_job *job)
{
    const rd_device *device = state->device;
    const char *name = device->info.name;
    const int narrow = device->info.warp < 2 || state->lanes % device->info.warp != 0;
    if (state->lanes == 1 && !rd__sched_option_is(job, "spread", "search"))
        rd__sched_say_unused(job, "spread", "a group is one lane there");
    if (state->lanes > 1 && narrow && spreads_by(job, "warp"))
        rd__log_once(RD_LOG_WARN, "option spread: a group of %u lanes has no warps on %s; it goes on without them",
                     state->lanes, name);
    if (narrow && rd__sched_option_is(job, "push", "warp"))
        rd__log_once(RD_LOG_WARN, "option push: a group of %u lane%s has no warps on %s; each lane reserves for itself",
                     state->lanes, state->lanes == 1 ? "" : "s", name);
    if (state->lanes > 1 && device->caps.fixed_width && batch_of(job))
        rd__log_once(RD_LOG_WARN, "option spread: kernels for %s always have four edges in flight", name);
}

/* Do groups run tasks that they found themselves (bsp/edges.k.h)? Where vertices have few edges, so that a group's own
 * tasks do not become many at once. */
static int goes_ahead(const rd__sched_state *state, const rd_graph *graph)
{
    return state->repeats && state->lanes > 1 && !(state->options & (BSP_PUSH_MASK | BSP_BITMAP)) &&
           rd_graph_max_degree(graph) <= AHEAD_DEGREE;
}

static rd_status load(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    char defines[256], batch[32] = "", discovery[32] = "";
    state->discovery = rd__bsp_discovery(job);
    if (state->discovery)
        snprintf(discovery, sizeof discovery, " -DBSP_DISCOVERY=%u", state->discovery);
    if (batch_of(job))
        snprintf(batch, sizeof batch, " -DBSP_BATCH=%u", batch_of(job));
    snprintf(defines, sizeof defines, "-DBSP_LAUNCH=%d -DBSP_OPTIONS=%u -DBSP_FLAT=%d%s%s%s%s%s%s%s",
             state->persistent ? BSP_PERSISTENT
             : state->looped   ? BSP_LOOPED
                               : BSP_DISCRETE,
             state->options, state->persistent && rd_graph_max_degree(job->input.graph) <= BSP_ONE_GROUP_EDGES,
             job->frontier.pulls && state->direction == BSP_ALWAYS_PUSH ? " -DBSP_CAN_PULL=0" : "",
             rd__bsp_may_leave(state, job) ? " -DBSP_LEAVES=1" : "", state->ahead ? " -DBSP_GOES_AHEAD" : "",
             state->repeats && rd__bsp_widen_set(job) ? " -DBSP_WIDE_PHASES" : "",
             state->looped ? " -DRD_LOOPS=1" : "", batch, discovery);
    RD_TRY(rd__sched_load(job, "bsp", state->lanes, defines, &state->program, err));
    if (state->looped)
        RD_TRY(rd__kernel_find(state->device, state->program, "bsp_again", &state->again, err));
    return rd__kernel_find(state->device, state->program, state->persistent ? "bsp_loop" : "bsp_expand", &state->kernel,
                           err);
}

/* Whoever pulls asks all that are not settled, and a core asks one after another. Vertices without edges, a third and
 * more of some graphs, are nobody's neighbours: they may as well be settled from the beginning. */
static rd_status list_lone(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    const uint64_t bytes = lone_bytes_of(job);
    if (!bytes)
        return RD_OK;
    RD_TRY(rd__buffer_alloc(state->device, &state->lone, "vertices without edges", bytes, err));
    RD_TRY(rd__buffer_fill(&state->lone, 0, err));
    RD_TRY(rd__buffer_settle(&state->lone, err));
    uint32_t *word = rd__buffer_in_place(&state->lone); /* cores have the host's memory */
    for (uint32_t v = 0; v < csr.vertices; v++)
        word[v / 32] |= (uint32_t)(csr.row[v + 1] == csr.row[v]) << v % 32;
    return RD_OK;
}

static rd_status set_up(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    rd_device *device = job->device;
    const struct sizes sizes = size_up(job);
    if (rd__sched_option_is(job, "direction", "pull") && !rd_graph_is_symmetric(job->input.graph))
        return rd__fail(err, RD_EARG,
                        "--direction pull follows edges backwards and this graph is not symmetric; use auto, or "
                        "symmetrise it with -s");
    if (rd__sched_option_is(job, "direction", "pull") && job->frontier.repeats)
        return rd__fail(err, RD_EARG, "--direction pull: %s runs tasks more than once and cannot pull", job->app);
    if (rd__sched_option_is(job, "direction", "pull") && !job->frontier.pulls)
        return rd__fail(err, RD_EARG, "--direction pull: %s cannot pull; use auto or push", job->app);
    if (job->frontier.late && (options_of(job) & BSP_BITMAP))
        return rd__fail(err, RD_EARG,
                        "--frontier bitmap: %s gives a vertex for each edge to it here, and a set has each once; use "
                        "--frontier queue",
                        job->app);
    if (job->frontier.late && sizes.queue / 4 > UINT32_MAX)
        return rd__fail(err, RD_EARG, "%s: with a task for each edge a round may have more than 2^32 - 1 tasks here",
                        job->app);
    RD_TRY(rd__sched_check_launch(job, err));
    state->device = device;
    state->span = sizes.span;
    state->direction = direction_of(job);
    state->persistent = job->persistent;
    state->looped = job->looped;
    state->repeats = job->frontier.repeats;
    state->late = job->frontier.late;
    state->options = options_of(job);
    state->lanes = rd__sched_width(job).lanes;
    state->ahead = (uint32_t)goes_ahead(state, job->input.graph);
    RD_TRY(check_memory(state, job, err));
    say_unused(state, job);
    RD_TRY(load(state, job, err));
    RD_TRY(rd__kernel_find(device, state->program, "bsp_seed", &state->seed, err));
    RD_TRY(rd__seeder_open(&state->seeder, job, state->program, err));
    RD_TRY(choose_groups(state, job, err));
    RD_TRY(rd__buffer_alloc(device, &state->queue, job->frontier.repeats ? "queues and far sets" : "queue", sizes.queue,
                            err));
    if (sizes.parts)
        RD_TRY(rd__buffer_alloc(device, &state->parts, "parts of big vertices", sizes.parts, err));
    const uint64_t stamps = stamp_bytes_of(job, state->groups);
    state->stamps = stamps != 0;
    if (sizes.bits)
        RD_TRY(rd__buffer_alloc(device, &state->bits, "sets of vertices", sizes.bits + stamps, err));
    RD_TRY(list_lone(state, job, err));
    if (state->persistent) {
        RD_TRY(rd__buffer_alloc(device, &state->grid, "barrier", 4 * (RD_DISCOVERY_WORDS + RD_GRID_LINES), err));
        RD_TRY(rd__buffer_fill(&state->grid, 0, err));
    }
    state->bin_words = bin_words_of(job, state->groups);
    state->flat = rd_graph_max_degree(job->input.graph) <= FLAT_DEGREE;
    rd__bsp_choose_portions(state, job);
    if (state->bin_words)
        RD_TRY(rd__buffer_alloc(device, &state->bins, "bins", 4ull * state->groups * state->bin_words, err));
    state->owners = owners_among(device, state->groups);
    state->halves = (uint32_t)rd__rest_may_be(job) && state->groups <= REST_MOST;
    return rd__buffer_alloc(device, &state->control, "control words",
                            4 * BSP_WORDS + own_bytes(state->owners) + rd__rest_bytes(job), err);
}

static rd_status bsp_create(const rd__sched_job *job, rd__sched_state **out, rd_error *err)
{
    rd__sched_state *state = rd__calloc(1, sizeof *state);
    *out = NULL;
    if (!state)
        return rd__fail_memory(err, "scheduler bsp", sizeof *state);
    rd_status status = set_up(state, job, err);
    if (status != RD_OK) {
        bsp_destroy(state);
        return status;
    }
    *out = state;
    return RD_OK;
}

static const char *const launches[] = {"discrete", "persistent", "graph", NULL};
/* Of all apps; before them stands what a kind has of its own. */
#define COMMON_OPTIONS                                                                                                 \
    {"push", "group|warp|lane", "group", "who reserves places for what was found, at once for all its lanes", 0},      \
        {"spread",                                                                                                     \
         "search|degree|edge1|edge2|edge4|edge8|lane|group|warp|group,warp|group,edge1|group,edge8|warp,edge1|"        \
         "warp,edge8|group,warp,edge1|group,warp,edge8",                                                               \
         "search",                                                                                                     \
         "edges over lanes: all evenly (search; edgeN: N in flight), or by degree: a vertex with as many edges by "    \
         "its "                                                                                                        \
         "group or warp, others by their lane, or evenly (degree: group,warp)",                                        \
         0},                                                                                                           \
        {"frontier", "queue|bitmap", "queue", "how the tasks of a round are kept", 0}, RD__BSP_DISCOVERY_OPTIONS,      \
    {                                                                                                                  \
        NULL, NULL, NULL, NULL, 0                                                                                      \
    }
#define DIRECTION_OPTION                                                                                               \
    {                                                                                                                  \
        "direction", "auto|push|pull", "auto", "auto switches; pulling needs a symmetric graph", 0                     \
    }
#define WIDEN_OPTION                                                                                                   \
    {                                                                                                                  \
        "widen", "auto|off|1..1000000", "auto", "phases of fewer tasks are run together; auto: by device", 0           \
    }
static const rd_option_info all_options[] = {DIRECTION_OPTION, WIDEN_OPTION, COMMON_OPTIONS},
                            options_of_once[] = {DIRECTION_OPTION, COMMON_OPTIONS},
                            options_of_phases[] = {WIDEN_OPTION, COMMON_OPTIONS};

/* Where tasks run more than once, or are claimed late, there is no other direction. Where they need not
 * wait for their phases, these can be wider. */
static const rd_option_info *options_for(const uint32_t *traits, size_t roots)
{
    int turns = 0, widens = 0;
    for (size_t i = 0; i < roots; i++) {
        turns |= !(traits[i] & (RD__TRAIT_REPEATS | RD__TRAIT_LATE));
        widens |= (traits[i] & RD__TRAIT_EARLY) != 0;
    }
    return turns && widens ? all_options : turns ? options_of_once : options_of_phases + !widens;
}

const char rd__bsp_loops_need_all[] = "launches that the device repeats are of as many groups each time";

const rd__policy rd__policy_bsp = {
    .name = "bsp",
    .text = "rounds with a barrier between them: what round r gives, round r+1 runs",
    .launches = launches,
};

static const char *needs_all(const rd__sched_job *job)
{
    return job->looped ? rd__bsp_loops_need_all : "";
}

const rd__engine rd__engine_bsp_frontier = {
    .policy = &rd__policy_bsp,
    .tag = "bsp",
    .model = RD__MODEL_FRONTIER,
    .is = RD__ENGINE_ROUNDS,
    .options = all_options,
    .options_for = options_for,
    .width = rd__sched_width,
    .needs_all = needs_all,
    .plan = bsp_plan,
    .create = bsp_create,
    .destroy = bsp_destroy,
    .run = rd__bsp_run,
    .freeze = rd__bsp_freeze,
    .hand_over = rd__bsp_hand_over,
};
