/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scc.c - is there an infinite execution that a scheduler allows?
 *
 * Which threads have started, and which are at their end, are parts of a state that only ever grow. So they are the
 * same in all states of a strongly connected component, and with them what a scheduler promises there. An infinite
 * execution stays in one component C in the end; it is allowed when each thread that is promised in C steps
 * infinitely often. One exists if and only if each of these threads has a step inside C: then the way through all
 * steps of C, again and again, is one; and conversely the steps it repeats are inside C. So all components are found
 * (R. Tarjan, SIAM J. Comput., 1972, without recursion), and each is asked once for each scheduler. This is complete:
 * no circle has to be tried.
 *
 * With symmetry a state stands for all its renamings, and the i-th thread of a state need not be the i-th of the next.
 * So threads are followed: the i-th thread of s and the thread it is in each successor inside C are put into one class
 * (union-find). In the graph without symmetry what lies above C falls into components, each of which covers C: every
 * step of C can be made from every state above its start, and a way that ends in a renaming of its start returns to the
 * start itself when it is repeated. Hence a thread has a step inside its component if and only if somebody in its class
 * has a step in C (E. Emerson, A. Sistla, "Utilizing symmetry when model-checking under fairness assumptions", 1997).
 * This is for criteria that do not tell threads apart by number.
 */
#include "fairness/scc.h"

#include <string.h>

enum { DONE = UINT8_MAX };

static rd_status take_array(fair_scc *scc, void *pointer, const char *what, uint64_t count, size_t size, rd_error *err)
{
    RD_TRY(rd__fair_store_take(&scc->search->store, count * size, err));
    RD_TRY(rd__array_new(pointer, what, count, size, err));
    return RD_OK;
}

static rd_status prepare(fair_scc *scc, rd_error *err)
{
    const uint32_t n = fair_count(&scc->search->store), threads = scc->search->m->threads;
    RD_TRY(take_array(scc, &scc->order, "the order of states", n, 4, err));
    RD_TRY(take_array(scc, &scc->low, "components", n, 4, err));
    RD_TRY(take_array(scc, &scc->stack, "the stack of states", n, 4, err));
    RD_TRY(take_array(scc, &scc->calls, "the way to a state", n, 4, err));
    RD_TRY(take_array(scc, &scc->progress, "the way to a state", n, 1, err));
    memset(scc->order, 0, n * 4ull);
    memset(scc->progress, 0, n);
    for (uint32_t k = 0; k < scc->criteria; k++) {
        scc->entry[k] = FAIR_NONE;
        scc->promised[k] = rd__malloc(sizeof *scc->promised[k] << 2 * threads);
        if (!scc->promised[k])
            return rd__fail_memory(err, "promises of a scheduler", sizeof *scc->promised[k] << 2 * threads);
        memset(scc->promised[k], 0xff, sizeof *scc->promised[k] << 2 * threads);
    }
    return RD_OK;
}

void rd__fair_scc_close(fair_scc *scc)
{
    rd__array_free(scc->order);
    rd__array_free(scc->low);
    rd__array_free(scc->stack);
    rd__array_free(scc->calls);
    rd__array_free(scc->progress);
    for (uint32_t k = 0; k < scc->criteria; k++)
        rd__free(scc->promised[k]);
}

static uint32_t promised(const fair_scc *scc, uint32_t k, uint32_t state)
{
    const rd_fairness *m = scc->search->m;
    const uint8_t *bytes = fair_state(&scc->search->store, state);
    const uint32_t enabled = fair_enabled(m, bytes), started = fair_started(m, bytes);
    uint16_t *known = &scc->promised[k][enabled | started << m->threads];
    if (*known == UINT16_MAX)
        *known = (uint16_t)rd__fair_promised(&scc->criterion[k], m->threads, enabled, started);
    return *known;
}

static void starves(fair_scc *scc, uint32_t k, const uint32_t *member, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (member[i] < scc->entry[k])
            scc->entry[k] = member[i];
}

static void judge(fair_scc *scc, const uint32_t *member, uint32_t n)
{
    const uint32_t threads = scc->search->m->threads, name = scc->low[member[0]];
    uint32_t steps = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *next = fair_next(&scc->search->store, member[i]);
        for (uint32_t t = 0; t < threads; t++)
            steps |= (uint32_t)(next[t] != FAIR_NONE && scc->low[next[t]] == name) << t;
    }
    for (uint32_t k = 0; k < scc->criteria; k++)
        if (!(promised(scc, k, member[0]) & ~steps))
            starves(scc, k, member, n);
}

/* ---- With symmetry: node i * threads + t is thread t of member i ---- */

static uint32_t root(uint32_t *up, uint32_t node)
{
    while (up[node] != node) {
        up[node] = up[up[node]];
        node = up[node];
    }
    return node;
}

/* order[] of a complete component is the place in `member`, + 1. */
static void follow(fair_scc *scc, const uint32_t *member, uint32_t i, uint32_t *up, uint8_t *steps)
{
    const rd_fairness *m = scc->search->m;
    const uint32_t *next = fair_next(&scc->search->store, member[i]), name = scc->low[member[0]];
    for (uint32_t t = 0; t < m->threads; t++) {
        uint8_t state[FAIR_STATE], from[FAIR_THREADS];
        fair_fault fault;
        if (next[t] == FAIR_NONE || scc->low[next[t]] != name)
            continue;
        memcpy(state, fair_state(&scc->search->store, member[i]), m->bytes);
        rd__fair_step(m, state, t, &fault); /* it worked before */
        rd__fair_sort(m, state, from);
        steps[i * m->threads + t] = 1;
        for (uint32_t u = 0; u < m->threads; u++)
            up[root(up, i * m->threads + from[u])] = root(up, (scc->order[next[t]] - 1) * m->threads + u);
    }
}

static rd_status judge_symmetric(fair_scc *scc, const uint32_t *member, uint32_t n, rd_error *err)
{
    const uint32_t threads = scc->search->m->threads;
    const uint64_t nodes = (uint64_t)n * threads;
    RD_TRY(rd__fair_store_take(&scc->search->store, nodes * (sizeof(uint32_t) + 1), err));
    uint32_t *up = rd__malloc(nodes * sizeof *up);
    uint8_t *steps = rd__calloc(nodes, 1);
    if (!up || !steps) {
        rd__free(up);
        rd__free(steps);
        return rd__fail_memory(err, "threads of a component", nodes * 5);
    }
    for (uint32_t i = 0; i < nodes; i++)
        up[i] = i;
    for (uint32_t i = 0; i < n; i++)
        scc->order[member[i]] = i + 1;
    for (uint32_t i = 0; i < n; i++)
        follow(scc, member, i, up, steps);
    for (uint32_t i = 0; i < nodes; i++)
        steps[root(up, i)] |= steps[i];
    for (uint32_t k = 0; k < scc->criteria; k++) {
        int all = 1;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t t = 0, mask = promised(scc, k, member[i]); t < threads; t++)
                all &= !(mask >> t & 1) || steps[root(up, i * threads + t)];
        if (all)
            starves(scc, k, member, n);
    }
    rd__free(up);
    rd__free(steps);
    scc->search->store.taken -= nodes * (sizeof *up + 1);
    return RD_OK;
}

/* ---- Tarjan ---- */

static int has_loop(const fair_scc *scc, uint32_t state)
{
    const uint32_t *next = fair_next(&scc->search->store, state);
    for (uint32_t t = 0; t < scc->search->m->threads; t++)
        if (next[t] == state)
            return 1;
    return 0;
}

typedef struct walk {
    uint32_t depth, stacked, clock; /* calls, states on the stack, states visited */
} walk;

static void enter(fair_scc *scc, walk *w, uint32_t state)
{
    scc->order[state] = scc->low[state] = ++w->clock;
    scc->stack[w->stacked++] = state;
    scc->calls[w->depth++] = state;
}

/* All successors of state were looked at. */
static rd_status leave(fair_scc *scc, walk *w, uint32_t state, rd_error *err)
{
    w->depth--;
    if (scc->low[state] == scc->order[state]) {
        uint32_t from = w->stacked;
        do {
            from--;
            scc->progress[scc->stack[from]] = DONE;
            scc->low[scc->stack[from]] = state;
        } while (scc->stack[from] != state);
        const uint32_t n = w->stacked - from;
        w->stacked = from;
        if (n > 1 || has_loop(scc, state)) {
            if (scc->search->symmetry)
                return judge_symmetric(scc, scc->stack + from, n, err);
            judge(scc, scc->stack + from, n);
        }
    }
    if (w->depth && scc->progress[state] != DONE) {
        const uint32_t caller = scc->calls[w->depth - 1];
        scc->low[caller] = scc->low[state] < scc->low[caller] ? scc->low[state] : scc->low[caller];
    }
    return RD_OK;
}

static rd_status visit(fair_scc *scc, walk *w, uint32_t start, rd_error *err)
{
    const uint32_t threads = scc->search->m->threads;
    enter(scc, w, start);
    while (w->depth) {
        const uint32_t state = scc->calls[w->depth - 1];
        if (scc->progress[state] == threads) {
            RD_TRY(leave(scc, w, state, err));
            continue;
        }
        const uint32_t next = fair_next(&scc->search->store, state)[scc->progress[state]++];
        if (next == FAIR_NONE)
            continue;
        if (scc->order[next] == 0) {
            enter(scc, w, next);
            if (w->clock % RD__WATCH_ITEMS == 0 &&
                rd__watch_stops(&scc->search->watch, "looking for circles", w->clock, scc->search->states, "states"))
                return rd__fail(err, RD_ECANCELLED, "all %llu states were seen, and are free of faults",
                                (unsigned long long)scc->search->states);
        } else if (scc->progress[next] != DONE && scc->order[next] < scc->low[state]) {
            scc->low[state] = scc->order[next];
        }
    }
    return RD_OK;
}

rd_status rd__fair_scc(fair_scc *scc, rd_error *err)
{
    walk w = {0, 0, 0};
    RD_TRY(prepare(scc, err));
    return visit(scc, &w, 0, err); /* every state is reached from the first */
}
