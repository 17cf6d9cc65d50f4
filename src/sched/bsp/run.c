/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.c - scheduler `bsp`, host side: seeds and launches.
 *
 * Launch `discrete`: one launch a round. A round finds its bounds in device memory, so the host does not have to look
 * between rounds, which on a road graph with thousands of rounds would be most of the run: it launches a batch of them
 * back to back (parts/launch.h), then reads the control words once and stops when the last round had no task.
 *
 * Launch `persistent`: one launch runs all rounds. When someone wants to know how it goes on (progress, cancellation, a
 * time limit), the host asks the launch to stop after a while; it does so between two rounds, and the next launch goes
 * on from there.
 *
 * Launch `graph`, on devices that can repeat launches: a launch a round, as with discrete ones, and the host waits for
 * the end, as with persistent ones.
 */
#include "sched/bsp/bsp.h"

#include "raddle/tool.h"
#include "sched/bsp/layout.k.h"
#include "sched/freeze.h"
#include "sched/parts/barrier_layout.k.h"
#include "sched/parts/launch.h"
#include "sched/parts/rest.h"

#include <string.h>

static const double slice_seconds = 0.5; /* of a persistent run, between two looks */

/* ---- Seeds ---- */

static rd_status empty_bins(rd__sched_state *state, rd_error *err)
{
    uint32_t header[BSP_BIN_HEADER] = {0};
    header[BSP_BIN_SOON] = header[BSP_BIN_SHOWN] = header[BSP_BIN_SHOWN + 2] = BSP_NEVER;
    for (uint32_t group = 0; group < state->groups && state->bin_words; group++)
        RD_TRY(rd__buffer_write(&state->bins, 4ull * group * state->bin_words, sizeof header, header, err));
    return RD_OK;
}

RD__ARGS(bsp_args, BSP_ARGS)

/* The kernel argument `delay`. A later stage is likely to be as large as the one before. */
static uint32_t delay_of(const rd__sched_state *state, const rd__sched_job *job)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    const uint64_t edges = job->stage ? state->visited : csr.vertices + csr.edges;
    return state->discovery ? state->discovery << BSP_LOOKS_BITS | rd__bsp_delay(job, state->discovery, edges) : 0;
}

/* The kernels' arguments but for the app's. @return how many. */
static uint32_t own_args(const rd__sched_state *state, const rd__sched_job *job, rd__arg *list)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    /* An argument must be some buffer, also where the kernel has no use for it. */
    const rd__buffer *some = &state->control;
    const bsp_args args = {.row = job->input.row,
                           .col = job->input.col,
                           .queue = &state->queue,
                           .parts = state->parts.device ? &state->parts : some,
                           .bits = state->bits.device ? &state->bits : some,
                           .control = &state->control,
                           .grid = state->grid.device ? &state->grid : some,
                           .vertices = csr.vertices,
                           .edges = csr.edges,
                           .direction = state->direction,
                           .span = state->span,
                           .claim_min = state->claim_min,
                           .claim_max = state->claim_max,
                           .options = state->options,
                           .delay = delay_of(state, job),
                           .bins = state->bins.device ? &state->bins : some,
                           .bin_words = state->bin_words,
                           .flat = state->flat,
                           .ahead = state->ahead};
    return bsp_args_pack(&args, list);
}

int rd__bsp_may_leave(const rd__sched_state *state, const rd__sched_job *job)
{
    return job->leave_rounds && !state->repeats && !state->late && !(state->options & BSP_BITMAP);
}

/* All vertices wait for their phases, marked as such; round 0 has no task, and its phase is over. */
static rd_status let_wait(rd__sched_state *state, uint32_t vertices, uint32_t *word, rd_error *err)
{
    const uint64_t set = (vertices + 31ull) / 32 * 4;
    word[BSP_COUNT] = 0;
    word[BSP_FAR_COUNT] = vertices;
    word[BSP_FAR_SOON] = 1;
    return rd__buffer_fill_part(&state->bits, 2 * set, set, UINT32_MAX, err);
}

/* Where the control words have the entries of what is left of a round: bytes. */
static uint64_t rest_at(const rd__sched_state *state)
{
    return 4 * (BSP_OWN + 2ull * BSP_LINE * state->owners);
}

/* Sets are empty. Stamps are kept: their numbers go on where the run before ended. Of one that did not end, nobody
 * knows where. */
static rd_status clear_sets(rd__sched_state *state, uint64_t vertices, rd_error *err)
{
    const uint64_t sets = state->stamps ? 3 * ((vertices + 31) / 32 * 4) : state->bits.bytes;
    const int keeps = state->stamps && state->next_stamp;
    if (!state->bits.device)
        return RD_OK;
    state->stamp = keeps ? state->next_stamp : state->stamps;
    state->next_stamp = 0;
    return rd__buffer_fill_part(&state->bits, 0, keeps ? sets : state->bits.bytes, 0, err);
}

/* After a run that ended. */
static void end_stamps(rd__sched_state *state)
{
    const uint64_t next = (uint64_t)state->stamp + state->round + 2;
    state->next_stamp = next < UINT32_MAX / 2 ? (uint32_t)next : 0;
}

/* The seeds are round 0: the kernel bsp_seed puts them there. */
static rd_status write_seeds(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, uint32_t *first,
                             rd_error *err)
{
    rd__arg args[RD__MAX_ARGS];
    rd__seed_view view;
    uint32_t word[BSP_WORDS] = {0};
    RD_TRY(rd__seeder_take(&state->seeder, job, seeds, state->groups, &view, err));
    *first = view.count;
    state->waits = view.wait;
    if (view.count == 0)
        return RD_OK;
    RD_TRY(clear_sets(state, rd_graph_csr(job->input.graph).vertices, err));
    if (state->lone.device) /* in the set of the settled, which is the first */
        RD_TRY(rd__buffer_write(&state->bits, 0, state->lone.bytes, rd__buffer_in_place(&state->lone), err));
    word[BSP_COUNT] = view.count;
    word[BSP_PARTS] = (uint32_t)(state->parts.bytes / (state->repeats ? 16 : 8));
    word[BSP_LEAVE_ROUNDS] = state->leave_rounds;
    word[BSP_LEAVE_TASKS] = state->leave_tasks;
    word[BSP_LEAVE_LATE] = state->leave_late;
    word[BSP_WIDEN] = state->widen;
    word[BSP_CLAIMS_EACH] = state->claims;
    word[BSP_HERE] = state->here;
    word[BSP_SHARED] = state->shared;
    word[BSP_STAMP] = state->stamp;
    word[BSP_OWNERS] = state->owners;
    word[BSP_REGIONS] = state->bin_words ? state->groups : 0;
    for (uint32_t i = 0; i < BSP_FAR_SETS; i++)
        word[BSP_FAR_SOON + i * BSP_LINE] = BSP_NEVER;
    if (state->waits)
        RD_TRY(let_wait(state, view.count, word, err));
    RD_TRY(empty_bins(state, err));
    RD_TRY(rd__buffer_write(&state->control, 0, 4 * BSP_WORDS, word, err));
    if (state->control.bytes > 4 * BSP_WORDS) /* entries of an earlier run are of no round of this one */
        RD_TRY(rd__buffer_fill_part(&state->control, 4 * BSP_WORDS,
                                    rest_at(state) - 4 * BSP_WORDS + rd__rest_cleared(job, state->groups), 0, err));
    uint32_t count = own_args(state, job, args);
    count += rd__seed_args(&view, args + count);
    return rd__kernel_launch(state->device, state->seed, rd__seed_groups(&view, state->groups, state->lanes), 0, args,
                             count, err);
}

/* ---- Launches ---- */

static rd_status prepare(rd__sched_state *state, const rd__sched_job *job, rd__launch *launch, rd_error *err)
{
    rd__arg own[RD__MAX_ARGS];
    *launch = (rd__launch){.job = job,
                           .kernel = state->kernel,
                           .groups = state->groups,
                           .cooperative = state->persistent && !state->discovery,
                           .lends = state->looped ? RD__LENDS_NONE : RD__LENDS_FEWER,
                           .step = RD__PLACE(bsp_args, round)};
    return rd__launch_pack(launch, own, own_args(state, job, own), err);
}

/* More tasks than there is room for mean that the app gave a vertex twice, which it promised not to, or that the device
 * miscomputed; going on might never end. */
static rd_status check_bounds(const rd__sched_state *state, const rd__sched_job *job, const uint32_t *slot,
                              uint64_t ran, rd_error *err)
{
    const rd_csr csr = rd_graph_csr(job->input.graph);
    const uint64_t vertices = csr.vertices, room = vertices + (state->late ? csr.edges + 1 : 0);
    const uint64_t tasks = slot[BSP_COUNT] + (state->repeats ? 0 : ran);
    if (tasks <= room)
        return RD_OK;
    return rd__fail(err, RD_EDEVICE,
                    "%s: in rounds (scheduler bsp) there are %llu tasks for %llu vertices: %s gave a vertex more than "
                    "once in a run. It has to claim it by an atomic, or say RD_APP_REPEATS (docs/frontier.md); or %s "
                    "miscomputed: `raddle selftest -d %s`",
                    state->device->info.name, (unsigned long long)tasks, (unsigned long long)vertices, job->app,
                    state->device->info.name, state->device->info.name);
}

/* What the control words say of the round that comes next. */
typedef struct outlook {
    uint64_t ran;
    uint32_t first; /* seeds */
    int over;       /* nothing waits, or the run leaves what does */
    int half;       /* the round was begun */
} outlook;

/* A count of 64 bits among the control words. */
static uint64_t wide(const uint32_t *word, uint32_t at)
{
    uint64_t count;
    memcpy(&count, word + at, sizeof count);
    return count;
}

/* Does the run leave before this round? The kernel comes to the same; where a launch ended for another reason this may
 * be so before a round that would pull, and what waits is in the queue all the same. */
static void see_whether_left(rd__sched_state *state, const rd__sched_job *job, const uint32_t *word, uint32_t round,
                             outlook *out)
{
    const uint32_t *slot = word + round % BSP_SLOTS * BSP_SLOT_WORDS;
    const uint32_t *before = word + (round + BSP_SLOTS - 1) % BSP_SLOTS * BSP_SLOT_WORDS;
    const uint64_t front = wide(slot, BSP_FRONT_EDGES), seen = wide(before, BSP_SEEN_EDGES);
    if (out->over || out->half || !state->leave_rounds || slot[BSP_NARROW] < state->leave_rounds ||
        slot[BSP_COUNT] >= state->leave_tasks || slot[BSP_SPILLED] ||
        (state->leave_late && seen + front < rd_graph_csr(job->input.graph).edges / 2))
        return;
    state->left = slot[BSP_COUNT];
    state->left_at = out->ran;
    out->over = 1;
}

/* Tasks that were run, with those of which no round knows. */
static uint64_t run_in_all(const uint32_t *word, uint64_t ran)
{
    return ran + wide(word, BSP_FUSED);
}

/* Tasks that had to run: of those that repeat, each once, and where all wait for their phases, all; of those that are
 * claimed late, those that were. */
static uint64_t needed(const rd__sched_state *state, const uint32_t *word, uint32_t first, uint64_t ran)
{
    const uint64_t fresh = wide(word, BSP_FRESH);
    return state->waits ? run_in_all(word, ran) : state->repeats ? first + fresh : state->late ? fresh : ran;
}

/* For a trace. What waits is in the queue and, of later phases, in the far set and the bins of cores, where a task that
 * has come forward since stays until it is dropped. */
static rd_status look(const rd__sched_state *state, const rd__sched_job *job, const uint32_t *word,
                      const uint32_t *slot, const outlook *out, rd_error *err)
{
    const uint64_t all = run_in_all(word, out->ran);
    uint64_t left = slot[BSP_COUNT];
    if (!job->traced)
        return RD_OK;
    if (state->repeats)
        left += word[BSP_FAR_COUNT + slot[BSP_FAR] % BSP_FAR_SETS * BSP_LINE];
    for (uint32_t group = 0; group < state->groups && state->bin_words; group++) {
        const uint64_t at = (uint64_t)group * state->bin_words + BSP_BIN_TASKS;
        uint32_t tasks[BSP_BIN_COUNT];
        RD_TRY(rd__buffer_read(&state->bins, 4 * at, sizeof tasks, tasks, err));
        for (uint32_t bin = 0; bin < BSP_BIN_COUNT; bin++)
            left += tasks[bin];
        RD_TRY(rd__buffer_read(&state->bins, 4 * (at + BSP_BIN_KEPT + 1 - BSP_BIN_TASKS), 4, tasks, err));
        left += *tasks;
    }
    rd__sched_look(job, all, left, state->repeats && !state->waits ? all + left : all,
                   needed(state, word, out->first, out->ran));
    return RD_OK;
}

/* Ends the read that was begun behind the launches. */
static rd_status read_control(rd__sched_state *state, const rd__sched_job *job, uint32_t *word, uint32_t round,
                              outlook *out, rd_error *err)
{
    const uint64_t vertices = rd_graph_csr(job->input.graph).vertices;
    RD_TRY(rd__launch_read_end(job, &state->control, word, 4 * BSP_WORDS, err));
    if (state->persistent || state->looped)
        round = word[BSP_AT];
    out->half = rd__rest_is_left(word + BSP_REST, &round);
    const uint32_t *slot = word + round % BSP_SLOTS * BSP_SLOT_WORDS;
    out->ran = slot[BSP_RAN] | (uint64_t)slot[BSP_RAN + 1] << 32;
    out->over = !out->half && slot[BSP_COUNT] == 0 &&
                (!state->repeats || word[BSP_FAR_COUNT + slot[BSP_FAR] % BSP_FAR_SETS * BSP_LINE] == 0);
    for (uint32_t group = 0; out->over && group < state->groups && state->bin_words; group++) {
        uint32_t soon;
        RD_TRY(rd__buffer_read(&state->bins, 4 * ((uint64_t)group * state->bin_words + BSP_BIN_SOON), 4, &soon, err));
        out->over = soon == BSP_NEVER;
    }
    RD_TRY(check_bounds(state, job, slot, out->ran, err));
    see_whether_left(state, job, word, round, out);
    const uint64_t all = run_in_all(word, out->ran);
    RD_TRY(look(state, job, word, slot, out, err));
    return state->repeats || state->late ? rd__sched_tell(job, all, 0, "tasks", err)
                                         : rd__sched_tell(job, out->ran + slot[BSP_COUNT], vertices, "vertices", err);
}

/* Before launches that go on with a round that was left half-way. */
static rd_status go_on(rd__sched_state *state, const uint32_t *word, rd_error *err)
{
    const rd__rest rest = {&state->control, BSP_REST, rest_at(state) / 4};
    uint32_t round = 0, pieces = 0, piece[2 * REST_MOST];
    if (!rd__rest_is_left(word + BSP_REST, &round))
        return RD_OK;
    for (uint32_t i = 0; word[BSP_REST + REST_OWNED] && i < state->owners; i++) {
        const uint64_t at = BSP_OWN + (2ull * i + round % 2) * BSP_LINE;
        uint32_t entry[4];
        RD_TRY(rd__buffer_read(&state->control, 4 * at, sizeof entry, entry, err));
        if (entry[BSP_OWN_ROUND] == round && entry[BSP_OWN_CURSOR] < entry[BSP_OWN_COUNT]) {
            piece[2 * pieces] = entry[BSP_OWN_FROM] + entry[BSP_OWN_CURSOR];
            piece[2 * pieces++ + 1] = entry[BSP_OWN_FROM] + entry[BSP_OWN_COUNT];
        }
    }
    const uint32_t none = 0, cursor = round % BSP_SLOTS * BSP_SLOT_WORDS + BSP_CURSOR;
    RD_TRY(rd__rest_go_on(&rest, word + BSP_REST, word[cursor], piece, pieces, err));
    return rd__buffer_write(&state->control, 4ull * cursor, sizeof none, &none, err);
}

/* Waits for a persistent launch, at most a slice of time: then it is asked to leave, between two rounds, and another
 * one goes on from there. One that is late in leaving is waited for as any other: it holds the rounds. */
static rd_status wait_slice(rd__sched_state *state, const rd__launch *launch, rd_error *err)
{
    const rd__sched_job *job = launch->job;
    rd_error own = {.status = RD_OK};
    int left = 1;
    const double slice = rd_now() + (job->traced ? rd__trace_slice(job) : slice_seconds);
    if (job->turn && !job->traced) /* it leaves when it has to */
        return rd__sched_wait_slice(state->device, job, launch->by, 0, 0, "rounds", err);
    if (job->deadline == 0 && !job->progress && !job->traced)
        return RD_OK; /* reading the control words waits */
    const int last = job->deadline != 0 && job->deadline <= slice;
    const rd__limit limit = {.deadline = last ? job->deadline : slice};
    const rd_status status = rd__device_wait_left(state->device, &limit, &left, &own);
    if (status == RD_ETIMEOUT && !last)
        return left ? RD_OK : rd__sched_wait(state->device, job, 0, 0, "rounds", err);
    if (status == RD_OK)
        return RD_OK;
    return rd__fail(err, status, "%s", own.text);
}

/* Launches that the device repeats find the number of the round in device memory, where the last one left it. */
static rd_status launch_from(rd__sched_state *state, rd__launch *launch, uint32_t round, rd_error *err)
{
    if (state->looped)
        return rd__launch_loop(launch, state->again, BSP_LOOP, err);
    if (state->discovery)
        RD_TRY(rd__buffer_fill_part(&state->grid, 0, 4 * RD_DISCOVERY_WORDS, 0, err));
    return rd__launch_batch(launch, round, 1, err);
}

/* Launches that end by themselves: persistent ones, and those that the device repeats. */
static rd_status run_to_end(rd__sched_state *state, const rd__sched_job *job, rd__launch *launch, uint32_t *word,
                            outlook *out, uint64_t *launches, rd_error *err)
{
    uint32_t round = state->round;
    do {
        RD_TRY(launch_from(state, launch, round, err));
        ++*launches;
        RD_TRY(rd__launch_read_begin(job, &state->control, 4 * BSP_WORDS, err));
        RD_TRY(wait_slice(state, launch, err));
        RD_TRY(read_control(state, job, word, 0, out, err));
        state->round = round = word[BSP_AT];
        if (!out->over)
            RD_TRY(rd__sched_pass(job, err));
        RD_TRY(go_on(state, word, err));
    } while (!out->over);
    return RD_OK;
}

static rd_status run_discrete(rd__sched_state *state, const rd__sched_job *job, rd__launch *launch, uint32_t *word,
                              outlook *out, uint64_t *launches, rd_error *err)
{
    const uint64_t total = state->repeats ? 0 : rd_graph_csr(job->input.graph).vertices;
    const char *unit = state->repeats ? "tasks" : "vertices";
    uint32_t round = state->round, batch = RD__BATCH_FIRST;
    do {
        RD_TRY(rd__launch_batch(launch, round, batch, err));
        round += batch;
        *launches += batch;
        RD_TRY(rd__launch_read_begin(job, &state->control, 4 * BSP_WORDS, err));
        if (state->halves)
            RD_TRY(rd__sched_wait_slice(state->device, job, launch->by, out->ran, total, unit, err));
        else
            RD_TRY(rd__sched_wait(state->device, job, out->ran, total, unit, err));
        RD_TRY(read_control(state, job, word, round, out, err));
        if (out->half)
            (void)rd__rest_is_left(word + BSP_REST, &round);
        batch = rd__launch_pace(launch, batch, RD__BATCH_MOST, RD__BATCH_SECONDS);
        state->round = round;
        if (!out->over)
            RD_TRY(rd__sched_pass(job, err));
        RD_TRY(go_on(state, word, err));
    } while (!out->over);
    return RD_OK;
}

rd_status rd__bsp_freeze(rd__sched_state *state, rd__freeze *freeze, rd_error *err)
{
    rd__buffer *const buffer[] = {&state->queue, &state->parts, &state->bits, &state->control, &state->bins};
    RD_TRY(rd__freeze_same(freeze, "the number of groups", state->groups, err));
    RD_TRY(rd__freeze_same(freeze, "the number of lanes", state->lanes, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->first, sizeof state->first, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->round, sizeof state->round, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->waits, sizeof state->waits, err));
    RD_TRY(rd__freeze_bytes(freeze, &state->stamp, sizeof state->stamp, err));
    for (size_t i = 0; i < sizeof buffer / sizeof *buffer; i++)
        RD_TRY(rd__freeze_fixed(freeze, buffer[i], err));
    return RD_OK;
}

/* They stay in the queue until the next run. */
void rd__bsp_hand_over(const rd__sched_state *state, rd__seeds *seeds)
{
    *seeds = (rd__seeds){
        .kind = RD__SEEDS_BUFFER, .buffer = &state->queue, .first = (uint32_t)state->left_at, .count = state->left};
}

/* What the run is to know of leaving, also one that goes on after it left. */
static rd_status set_leaving(rd__sched_state *state, const rd__sched_job *job, rd_error *err)
{
    const int may = rd__bsp_may_leave(state, job);
    state->left = 0;
    state->leave_rounds = may ? job->leave_rounds : 0;
    state->leave_tasks = may ? job->leave_tasks : 0;
    state->leave_late = job->leave_late;
    const uint32_t word[] = {state->leave_rounds, state->leave_tasks, state->leave_late};
    return job->resumes ? rd__buffer_write(&state->control, 4 * BSP_LEAVE_ROUNDS, sizeof word, word, err) : RD_OK;
}

rd_status rd__bsp_run(rd__sched_state *state, const rd__sched_job *job, const rd__seeds *seeds, rd_report *report,
                      rd_error *err)
{
    uint32_t word[BSP_WORDS] = {0}, first = 0;
    uint64_t launches = 0;
    const int timed = rd__seeds_are_work(seeds);
    outlook out = {0, 0, 0, 0};
    rd__launch launch;
    RD_TRY(prepare(state, job, &launch, err));
    RD_TRY(set_leaving(state, job, err));
    if (timed)
        RD_TRY(rd__time_begin(state->device, err));
    if (!job->resumes) {
        state->round = 0;
        RD_TRY(write_seeds(state, job, seeds, &state->first, err));
    } else {
        RD_TRY(rd__buffer_read(&state->control, 0, sizeof word, word, err));
        RD_TRY(go_on(state, word, err));
    }
    first = state->first;
    out.first = first;
    if (!timed)
        RD_TRY(rd__time_begin(state->device, err));
    if (first)
        RD_TRY(state->persistent || state->looped ? run_to_end(state, job, &launch, word, &out, &launches, err)
                                                  : run_discrete(state, job, &launch, word, &out, &launches, err));
    else
        RD_TRY(rd__time_mark(state->device, err));
    RD_TRY(rd__time_end(state->device, &report->kernel_s, err));
    if (first)
        end_stamps(state);
    report->edges = state->visited = wide(word, BSP_EDGES);
    report->tasks = run_in_all(word, out.ran);
    report->tasks_needed = needed(state, word, first, out.ran);
    report->rounds = word[BSP_ROUNDS];
    report->pulled = word[BSP_PULLED];
    report->launches = launches;
    report->groups = state->persistent ? word[BSP_MEMBERS] : state->groups;
    report->lanes = state->lanes;
    return RD_OK;
}
