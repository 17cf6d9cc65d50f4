/* SPDX-License-Identifier: Apache-2.0 */
/* result.c - the best solution of a run: found among those written down, its path followed up the trail. */
#include "apps/knapsack/state.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <string.h>

/* The decisions of a path, 64 a word: the last ones are in `bits`, the others in the trail. */
static rd_status follow(const knapsack_state *own, uint64_t place, uint64_t bits, uint64_t *path, rd_error *err)
{
    uint32_t level = (uint32_t)place, at = (uint32_t)(place >> 32);
    uint64_t entry[KNAPSACK_TRAIL_WORDS];
    path[level / 64] = bits;
    for (uint32_t word = level / 64; word-- > 0; at = (uint32_t)entry[KNAPSACK_TRAIL_PARENT]) {
        if (at >= own->sizes.trail)
            return rd__fail(err, RD_EWRONG, "knapsack: the path of the best solution is broken at level %u", word * 64);
        RD_TRY(rd__buffer_read(&own->trail, (uint64_t)at * sizeof entry, sizeof entry, entry, err));
        path[word] = entry[KNAPSACK_TRAIL_BITS];
    }
    return RD_OK;
}

/* The solution written down with this value; solutions are few, and the ring of them large. */
static const uint64_t *find_solution(const uint64_t *control, uint64_t value)
{
    for (uint32_t i = 0; i < KNAPSACK_LIST_SIZE && i < control[KNAPSACK_SOLUTIONS]; i++) {
        const uint64_t *solution = control + KNAPSACK_LIST + KNAPSACK_SOLUTION_WORDS * i;
        if (solution[KNAPSACK_SOLUTION_VALUE] == value)
            return solution;
    }
    return NULL;
}

static rd_status unpack_best(knapsack_state *own, const uint64_t *control, uint64_t *path, rd_error *err)
{
    const uint64_t best = control[KNAPSACK_BEST];
    uint32_t level = own->core.start_level;
    memcpy(path, own->core.start_bits, (own->core.count / 64 + 1ull) * sizeof *path);
    if (best > own->core.start_value) {
        const uint64_t *solution = find_solution(control, best);
        if (!solution)
            return rd__fail(err, RD_EWRONG, "knapsack: the solution worth %" PRIu64 " was not written down", best);
        level = (uint32_t)solution[KNAPSACK_SOLUTION_PLACE];
        if (level > own->core.count)
            return rd__fail(err, RD_EWRONG, "knapsack: the best solution was written down with level %u", level);
        RD_TRY(follow(own, solution[KNAPSACK_SOLUTION_PLACE], solution[KNAPSACK_SOLUTION_BITS], path, err));
    }
    own->chosen_count = rd__knapsack_unpack(&own->core, level, path, own->chosen, &own->value, &own->weight);
    if (own->value != best * own->core.value_unit)
        return rd__fail(err, RD_EWRONG, "knapsack: the best solution's path is worth %" PRIu64 ", not %" PRIu64,
                        own->value, best * own->core.value_unit);
    return RD_OK;
}

static void add_counts(knapsack_state *own, const uint64_t *control)
{
    own->nodes = own->hopeless = own->dominated = 0;
    for (uint32_t i = 0; i < KNAPSACK_SHARDS; i++) {
        const uint64_t *count = control + KNAPSACK_COUNTS + 8 * i;
        own->nodes += count[KNAPSACK_NODES];
        own->hopeless += count[KNAPSACK_HOPELESS];
        own->dominated += count[KNAPSACK_DOMINATED];
    }
    own->solutions = control[KNAPSACK_SOLUTIONS];
    own->trail_used = control[KNAPSACK_TRAIL] < own->sizes.trail ? control[KNAPSACK_TRAIL] : own->sizes.trail;
}

static rd_status read_control(const knapsack_state *own, uint64_t **control, rd_error *err)
{
    RD_TRY(rd__array_new(control, "counters of knapsack", KNAPSACK_CONTROL_WORDS, sizeof **control, err));
    const rd_status status =
        rd__buffer_read(&own->control, 0, KNAPSACK_CONTROL_WORDS * sizeof **control, *control, err);
    if (status != RD_OK) {
        rd__array_free(*control);
        *control = NULL;
    }
    return status;
}

rd_status rd__knapsack_has_solution(const knapsack_state *own, uint64_t value, int *has, rd_error *err)
{
    uint64_t *control;
    RD_TRY(read_control(own, &control, err));
    *has = find_solution(control, value) != NULL;
    rd__array_free(control);
    return RD_OK;
}

rd_status rd__knapsack_count_nodes(knapsack_state *own, uint64_t *nodes, rd_error *err)
{
    uint64_t *control;
    RD_TRY(read_control(own, &control, err));
    add_counts(own, control);
    *nodes = own->nodes;
    rd__array_free(control);
    return RD_OK;
}

rd_status rd__knapsack_fetch(rd_job *job, rd_error *err)
{
    knapsack_state *own = job->state;
    uint64_t *control, *path = NULL;
    const double began = rd_now();
    RD_TRY(read_control(own, &control, err));
    rd_status status = rd__array_new(&path, "a path of knapsack", own->core.count / 64 + 1, sizeof *path, err);
    if (status == RD_OK) {
        add_counts(own, control);
        if (control[KNAPSACK_LOST])
            status = rd__fail(err, RD_ENOMEM,
                              "knapsack: the buffer 'trail' (%u entries) was full after %" PRIu64
                              " nodes; --trail N makes it larger",
                              own->sizes.trail, own->nodes);
    }
    if (status == RD_OK)
        status = unpack_best(own, control, path, err);
    rd__array_free(control);
    rd__array_free(path);
    own->download_s = rd_now() - began;
    return status;
}
