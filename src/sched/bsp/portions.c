/* SPDX-License-Identifier: Apache-2.0 */
/* portions.c - scheduler `bsp`, host side: how much of a round or a phase a group takes at once. */
#include "sched/bsp/bsp.h"

#include "sched/bsp/layout.k.h"

enum {
    GPU_WIDEN = 2048,
    MANY_CORES = 8,
    HERE_EDGES = 8192,
    HERE_EDGES_OF_MANY = 4096
};

/* How many tasks a group takes at once. GPUs: at most one a lane, and at least so many that there is an edge for about
 * each lane. Cores: enough to make the claim cheap beside the work; where they are many also no more than that, as all
 * wait for the last. Few have large ones: neighbours in the queue are neighbours in memory. */
static void choose_claims(rd__sched_state *state, const rd_graph *graph)
{
    const int many = state->groups >= MANY_CORES;
    state->claims = many ? 16 : 4;
    if (state->lanes == 1) {
        state->claim_min = many ? 8 : 16;
        state->claim_max = many ? 64 : 256;
        return;
    }
    uint64_t degree = rd_graph_max_degree(graph), least = degree ? state->lanes / degree : state->lanes;
    state->claim_min = least < 1 ? 1 : least > state->lanes ? state->lanes : (uint32_t)least;
    state->claim_max = state->lanes;
}

uint32_t rd__bsp_widen_set(const rd__sched_job *job)
{
    const uint32_t asked = rd__sched_number(job, "widen");
    const int by_itself = job->device && job->device->info.is_gpu && !rd__sched_option_is(job, "widen", "off");
    return asked || !by_itself ? asked : GPU_WIDEN;
}

/* Phases of fewer tasks are run together (bsp/widen.k.h). On cores a barrier takes as long as some ten tasks of each,
 * and where they are many the tasks of a phase are never spread evenly: four times as many were best from 8 cores on,
 * and up to 1.4 times slower on fewer. On a GPU anything from 512 to 8192 was the same. */
static uint32_t widen_of(const rd__sched_state *state, const rd__sched_job *job)
{
    if (!state->repeats || rd__sched_option_is(job, "widen", "off"))
        return 0;
    if (rd__bsp_widen_set(job) || !state->bin_words)
        return rd__bsp_widen_set(job);
    return 32 + (state->groups < MANY_CORES ? 32 : 128) * state->groups;
}

/* Cores: how many tasks one runs where it found them, and from how many in bins all share them. Others wait for a core
 * that runs what it found, so it is limited by edges; and what many cores have in their bins is never even, so that a
 * further round for an even part of it is less than to wait for the fullest. On few cores the round is more. */
static void choose_shares(rd__sched_state *state, const rd_graph *graph)
{
    const rd_csr csr = rd_graph_csr(graph);
    const uint64_t degree = csr.vertices ? csr.edges / csr.vertices + 1 : 1;
    const uint64_t tasks = (state->groups < MANY_CORES ? HERE_EDGES : HERE_EDGES_OF_MANY) / degree;
    const uint32_t most = BSP_FUSE_MOST, least = 32;
    state->here = state->groups < 2 || tasks > most ? most : tasks < least ? least : (uint32_t)tasks;
    state->shared = state->groups < MANY_CORES ? UINT32_MAX : 8;
}

void rd__bsp_choose_portions(rd__sched_state *state, const rd__sched_job *job)
{
    choose_claims(state, job->input.graph);
    choose_shares(state, job->input.graph);
    state->widen = widen_of(state, job);
}
