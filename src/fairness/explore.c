/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explore.c - breadth-first search, so that the first fault is one of the nearest. The states found so far are expanded
 * in the order of their numbers, a block at a time; within a block all cores take pieces of it. A block has states of
 * one distance from the first, so that it does not matter who is quicker. Small blocks are left to one core, which
 * makes them the same each time.
 */
#include "fairness/explore.h"

#include "core/parallel.h"

#include <string.h>

enum { BLOCK = 1 << 16, PIECE = 128, ALONE = 1024, QUIET = 1 << 14 }; /* QUIET: states between two reports */

typedef struct worker {
    uint64_t transitions;
    uint32_t spare;
    uint32_t fault_state, fault_thread;
    fair_fault fault;
    char line[64]; /* keeps workers on lines of their own */
} worker;

typedef struct block {
    fair_search *search;
    worker *worker;
    uint32_t to;
    _Atomic uint32_t at;
} block;

void rd__fair_sort(const rd_fairness *m, uint8_t *state, uint8_t from[FAIR_THREADS])
{
    const uint32_t bytes = 1 + m->regs;
    uint8_t *blocks = state + m->words, kept[1 + FAIR_REGS];
    for (uint32_t t = 0; t < m->threads; t++)
        from[t] = (uint8_t)t;
    for (uint32_t t = 1; t < m->threads; t++) /* by insertion, among threads of the same group */
        for (uint32_t at = t, before = t; before-- > 0;) {
            if (m->group[before] != m->group[t])
                continue;
            if (memcmp(blocks + before * bytes, blocks + at * bytes, bytes) <= 0)
                break;
            memcpy(kept, blocks + at * bytes, bytes);
            memcpy(blocks + at * bytes, blocks + before * bytes, bytes);
            memcpy(blocks + before * bytes, kept, bytes);
            const uint8_t moved = from[at];
            from[at] = from[before];
            from[before] = moved;
            at = before;
        }
}

int rd__fair_first(const rd_fairness *m, uint8_t state[FAIR_STATE], fair_fault *fault)
{
    memset(state, 0, FAIR_STATE);
    memcpy(state, m->first_word, m->words);
    for (uint32_t t = 0; t < m->threads; t++) {
        memcpy(state + fair_block(m, t) + 1, m->first_reg, m->regs);
        if (!rd__fair_begin(m, state, t, fault))
            return 0;
    }
    return 1;
}

/* Of several faults the one that comes first is kept. */
static void keep_fault(worker *w, uint32_t state, uint32_t thread, const fair_fault *fault)
{
    if (w->fault.kind == FAIR_FINE || state < w->fault_state) {
        w->fault = *fault;
        w->fault_state = state;
        w->fault_thread = thread;
    }
}

/* The states after the steps of some threads. */
typedef struct ahead {
    uint8_t state[FAIR_THREADS][FAIR_STATE];
    uint32_t hash[FAIR_THREADS];
    uint32_t good; /* threads whose step is no fault */
} ahead;

/* The threads of the mask step, each from the same state. */
static void look_ahead(fair_search *search, worker *w, uint32_t index, uint32_t mask, ahead *a)
{
    const uint8_t *before = fair_state(&search->store, index);
    uint8_t from[FAIR_THREADS];
    a->good = 0;
    for (uint32_t t = 0; t < search->m->threads; t++) {
        fair_fault fault = {FAIR_FINE, 0, 0};
        if (!(mask >> t & 1))
            continue;
        w->transitions++;
        memcpy(a->state[t], before, search->store.bytes);
        if (!rd__fair_step(search->m, a->state[t], t, &fault)) {
            keep_fault(w, index, t, &fault);
            continue;
        }
        if (search->symmetry)
            rd__fair_sort(search->m, a->state[t], from);
        a->hash[t] = rd__fair_store_hint(&search->store, a->state[t]);
        a->good |= 1u << t;
    }
}

/* The state after t's step becomes one of those seen. @return its index, FAIR_NONE when the step was a fault. */
static uint32_t keep(fair_search *search, worker *w, uint32_t index, uint32_t t, const ahead *a, int *is_new)
{
    fair_fault fault = {FAIR_FINE, 0, 0};
    const uint8_t *state = a->state[t];
    *is_new = 0;
    if (!(a->good >> t & 1))
        return FAIR_NONE;
    const uint32_t next = rd__fair_store_add(&search->store, state, a->hash[t], index, &w->spare, is_new);
    if (*is_new && search->m->rules && !rd__fair_look(search->m, state, fair_enabled(search->m, state), &fault))
        keep_fault(w, next, FAIR_NONE, &fault);
    return next;
}

/* A thread whose step alone will do, if its state is new; threads: none. */
static uint32_t ample(const rd_fairness *m, const uint8_t *state, uint32_t enabled)
{
    const fair_step *step[FAIR_THREADS];
    for (uint32_t t = 0; t < m->threads; t++)
        step[t] = &m->step[t][state[fair_block(m, t)] & (FAIR_STARTED - 1)];
    for (uint32_t t = 0; t < m->threads; t++) {
        if (!(enabled >> t & 1) || !step[t]->is_plain || !(state[fair_block(m, t)] & FAIR_STARTED))
            continue;
        uint64_t conflicts = 0;
        for (uint32_t other = 0; other < m->threads; other++)
            if (other != t)
                conflicts |= (step[t]->writes & (step[other]->later_reads | step[other]->later_writes)) |
                             (step[t]->reads & step[other]->later_writes);
        if (!conflicts)
            return t;
    }
    return m->threads;
}

static void expand(fair_search *search, worker *w, uint32_t index)
{
    const rd_fairness *m = search->m;
    const uint8_t *state = fair_state(&search->store, index);
    uint32_t *next = fair_next(&search->store, index), enabled = fair_enabled(m, state);
    ahead a;
    int is_new;
    for (uint32_t t = 0; t < m->threads; t++)
        next[t] = FAIR_NONE;
    const uint32_t first = search->partial_order ? ample(m, state, enabled) : m->threads;
    if (first < m->threads) {
        look_ahead(search, w, index, 1u << first, &a);
        next[first] = keep(search, w, index, first, &a, &is_new);
        if (is_new)
            return;
        enabled &= ~(1u << first);
    }
    look_ahead(search, w, index, enabled, &a);
    for (uint32_t t = 0; t < m->threads; t++)
        if (enabled >> t & 1)
            next[t] = keep(search, w, index, t, &a, &is_new);
}

static void work(void *arg, unsigned number, unsigned threads)
{
    block *b = arg;
    worker *w = &b->worker[number];
    (void)threads;
    for (;;) {
        /* partner: the same addition in other workers */
        const uint32_t from = atomic_fetch_add_explicit(&b->at, PIECE, memory_order_relaxed);
        if (from >= b->to)
            return;
        for (uint32_t i = from; i < b->to && i < from + PIECE; i++)
            if (*fair_origin(&b->search->store, i) != FAIR_HOLE)
                expand(b->search, w, i);
    }
}

/* What workers have to say after a block. */
static void gather(fair_search *search, worker *w, unsigned threads)
{
    for (unsigned i = 0; i < threads; i++) {
        search->transitions += w[i].transitions;
        w[i].transitions = 0;
        if (w[i].spare != FAIR_NONE) {
            *fair_origin(&search->store, w[i].spare) = FAIR_HOLE;
            search->store.holes++;
            w[i].spare = FAIR_NONE;
        }
        if (w[i].fault.kind != FAIR_FINE &&
            (search->fault.kind == FAIR_FINE || w[i].fault_state < search->fault_state)) {
            search->fault = w[i].fault;
            search->fault_state = w[i].fault_state;
            search->fault_thread = w[i].fault_thread;
        }
    }
}

static rd_status blocks(fair_search *search, worker *w, rd_error *err)
{
    fair_store *store = &search->store;
    uint32_t since = 0, level = 1; /* where the states that are so many steps away end */
    for (uint32_t from = 0; from < fair_count(store) && search->fault.kind == FAIR_FINE;) {
        level = from == level ? fair_count(store) : level;
        const uint32_t size = level - from < BLOCK ? level - from : BLOCK;
        const unsigned threads = size < ALONE ? 1 : search->threads;
        block b = {.search = search, .worker = w, .to = from + size};
        RD_TRY(rd__fair_store_reserve(store, (uint64_t)size * search->m->threads + threads, err));
        atomic_init(&b.at, from);
        rd__parallel(threads, work, &b);
        gather(search, w, threads);
        from += size;
        search->states = fair_count(store) - store->holes;
        since += size;
        if (since < QUIET)
            continue;
        since = 0;
        if (rd__watch_stops(&search->watch, "searching", search->states, 0, "states"))
            return rd__fail(err, RD_ECANCELLED, "%llu states were seen, nothing wrong among them; there are more",
                            (unsigned long long)search->states);
    }
    return RD_OK;
}

rd_status rd__fair_explore(fair_search *search, uint64_t memory, rd_error *err)
{
    const rd_fairness *m = search->m;
    uint8_t state[FAIR_STATE], from[FAIR_THREADS];
    int is_new;
    uint32_t spare = FAIR_NONE;
    search->fault = (fair_fault){FAIR_FINE, 0, 0};
    search->states = search->transitions = 0;
    if (!rd__fair_first(m, state, &search->fault)) /* rd_fairness_open has seen that it works */
        return rd__fail(err, RD_EINPUT, "%s: no first state", m->source);
    RD_TRY(rd__fair_store_open(&search->store, m->bytes, m->threads, memory, err));
    if (search->symmetry)
        rd__fair_sort(m, state, from);
    search->fault_state = rd__fair_store_add(&search->store, state, rd__fair_store_hint(&search->store, state),
                                             FAIR_NONE, &spare, &is_new);
    search->fault_thread = FAIR_NONE;
    search->states = 1;
    if (!rd__fair_look(m, state, fair_enabled(m, state), &search->fault))
        return RD_OK;
    worker *w = rd__calloc(search->threads, sizeof *w);
    if (!w)
        return rd__fail_memory(err, "workers of a search", search->threads * sizeof *w);
    for (unsigned i = 0; i < search->threads; i++)
        w[i].spare = FAIR_NONE;
    const rd_status status = blocks(search, w, err);
    search->store.is_complete = status == RD_OK;
    rd__free(w);
    return status;
}
