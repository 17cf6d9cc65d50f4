/* SPDX-License-Identifier: Apache-2.0 */
/*
 * witness.c - the way to a state goes back along origins, and is a shortest one. The circle goes from the component's
 * first state to the nearest step of a thread that has to have one, from there to the next, and home: each part is a
 * shortest way inside the component.
 */
#include "fairness/witness.h"

#include <stdio.h>
#include <string.h>

/* Threads of the steps of a run, growing. */
typedef struct steps {
    uint8_t *thread;
    uint32_t count, room;
} steps;

static rd_status append(steps *s, uint32_t thread, rd_error *err)
{
    if (s->count == s->room) {
        const uint32_t room = s->room ? 2 * s->room : 64;
        uint8_t *more = rd__realloc(s->thread, room);
        if (!more)
            return rd__fail_memory(err, "the steps of an execution", room);
        s->thread = more;
        s->room = room;
    }
    s->thread[s->count++] = (uint8_t)thread;
    return RD_OK;
}

static uint32_t step_between(const fair_store *store, uint32_t from, uint32_t to)
{
    const uint32_t *next = fair_next(store, from);
    uint32_t t = 0;
    while (t + 1 < store->threads && next[t] != to)
        t++;
    return t;
}

/* The steps from the first state to this one. */
static rd_status way_to(const fair_store *store, uint32_t state, steps *s, rd_error *err)
{
    for (uint32_t at = state; *fair_origin(store, at) != FAIR_NONE; at = *fair_origin(store, at))
        RD_TRY(append(s, step_between(store, *fair_origin(store, at), at), err));
    for (uint32_t i = 0; i < s->count / 2; i++) {
        const uint8_t kept = s->thread[i];
        s->thread[i] = s->thread[s->count - 1 - i];
        s->thread[s->count - 1 - i] = kept;
    }
    return RD_OK;
}

/* ---- Text ---- */

/* "name=value", or one more value of an array. */
static void add_text(char *text, size_t bytes, const char *name, int value)
{
    const size_t used = strlen(text);
    if (name)
        snprintf(text + used, bytes - used, "%s%s=%d", used ? " " : "", name, value);
    else
        snprintf(text + used, bytes - used, ",%d", value);
}

void rd__fair_state_text(const rd_fairness *m, const uint8_t *state, char *text, size_t bytes)
{
    const uint32_t enabled = fair_enabled(m, state);
    text[0] = '\0';
    for (uint32_t i = 0; i < m->names; i++) {
        const fair_name *name = &m->name[i];
        if (name->kind != FAIR_SHARED && name->kind != FAIR_GHOST)
            continue;
        for (int w = 0; w < (name->size ? name->size : 1); w++)
            add_text(text, bytes, w ? NULL : name->text, (int8_t)state[name->value + w]);
    }
    for (uint32_t t = 0; t < m->threads; t++)
        if (!(enabled >> t & 1)) {
            const size_t used = strlen(text);
            snprintf(text + used, bytes - used, "%s%u ended", used ? "; " : "", t);
        }
}

/* Line n of the model without spaces around it and comments. */
static void line_text(const rd_fairness *m, uint32_t line, char *text, size_t bytes)
{
    const char *at = m->text;
    for (uint32_t i = 1; i < line && *at; i++) {
        at += strcspn(at, "\n");
        at += *at == '\n';
    }
    while (*at == ' ' || *at == '\t')
        at++;
    size_t length = strcspn(at, "\n#\r");
    while (length && (at[length - 1] == ' ' || at[length - 1] == '\t'))
        length--;
    snprintf(text, bytes, "%.*s", (int)(length < bytes ? length : bytes - 1), at);
}

/* Makes the steps once more, and writes down what they did. */
static rd_status tell(const rd_fairness *m, const steps *s, rd_fairness_run *run, rd_error *err)
{
    uint8_t state[FAIR_STATE];
    fair_fault fault;
    run->step = rd__calloc(s->count ? s->count : 1, sizeof *run->step);
    if (!run->step)
        return rd__fail_memory(err, "the steps of an execution", s->count * sizeof *run->step);
    run->steps = s->count;
    rd__fair_first(m, state, &fault);
    rd__fair_state_text(m, state, run->first, sizeof run->first);
    for (uint32_t i = 0; i < s->count; i++) {
        rd_fairness_step *step = &run->step[i];
        const uint32_t t = s->thread[i], point = state[fair_block(m, t)] & (FAIR_STARTED - 1);
        step->thread = t;
        step->line = m->code[t].line[m->code[t].point[point]];
        line_text(m, step->line, step->text, sizeof step->text);
        rd__fair_step(m, state, t, &fault); /* the last one may be the fault: its words show how far it came */
        rd__fair_state_text(m, state, step->state, sizeof step->state);
    }
    return RD_OK;
}

void rd__fair_run_free(rd_fairness_run *run)
{
    rd__free(run->step);
    run->step = NULL;
    run->steps = 0;
}

/* ---- The way to a fault ---- */

rd_status rd__fair_way(fair_search *search, rd_fairness_run *run, rd_error *err)
{
    steps s = {NULL, 0, 0};
    rd_status status = way_to(&search->store, search->fault_state, &s, err);
    if (status == RD_OK && search->fault_thread != FAIR_NONE)
        status = append(&s, search->fault_thread, err);
    if (status == RD_OK)
        status = tell(search->m, &s, run, err);
    run->prefix = run->steps;
    rd__free(s.thread);
    return status;
}

/* ---- The circle ---- */

typedef struct circle {
    fair_scc *scc;
    steps *steps;
    uint32_t *origin, *queue;   /* breadth-first search in the component */
    uint32_t at, home, missing; /* where it is, where it ends, threads that have no step yet */
    uint32_t executing;
} circle;

static int inside(const circle *c, uint32_t state)
{
    return state != FAIR_NONE && c->scc->low[state] == c->scc->low[c->home];
}

/* Appends the steps of the search from c->at to `to`. */
static rd_status append_way(circle *c, uint32_t to, rd_error *err)
{
    const uint32_t from = c->steps->count;
    for (uint32_t state = to; state != c->at; state = c->origin[state])
        RD_TRY(append(c->steps, step_between(&c->scc->search->store, c->origin[state], state), err));
    for (uint32_t i = from, j = c->steps->count; i + 1 < j; i++) {
        const uint8_t kept = c->steps->thread[i];
        c->steps->thread[i] = c->steps->thread[--j];
        c->steps->thread[j] = kept;
    }
    return RD_OK;
}

/* Is this step what is looked for: of a thread that is missing, or when none is, home? */
static int is_wanted(const circle *c, uint32_t t, uint32_t next)
{
    return c->missing ? (c->missing >> t & 1) != 0 : next == c->home;
}

/* Goes to the nearest step that is wanted, and makes it. */
static rd_status go_on(circle *c, rd_error *err)
{
    const fair_store *store = &c->scc->search->store;
    uint32_t first = 0, last = 0;
    memset(c->origin, 0xff, (uint64_t)fair_count(&c->scc->search->store) * sizeof *c->origin);
    c->queue[last++] = c->at;
    c->origin[c->at] = c->at;
    while (first < last) {
        const uint32_t state = c->queue[first++], *next = fair_next(store, state);
        for (uint32_t t = 0; t < store->threads; t++) {
            if (!inside(c, next[t]))
                continue;
            if (is_wanted(c, t, next[t])) {
                RD_TRY(append_way(c, state, err));
                RD_TRY(append(c->steps, t, err));
                c->at = next[t];
                return RD_OK;
            }
            if (c->origin[next[t]] == FAIR_NONE) {
                c->origin[next[t]] = state;
                c->queue[last++] = next[t];
            }
        }
    }
    return rd__fail(err, RD_EWRONG, "internal error: a component is not connected");
}

static rd_status walk(circle *c, uint32_t promised, rd_error *err)
{
    const uint32_t from = c->steps->count;
    c->missing = promised;
    do {
        RD_TRY(go_on(c, err));
        for (uint32_t i = from; i < c->steps->count; i++)
            c->executing |= 1u << c->steps->thread[i];
        c->missing = promised & ~c->executing;
    } while (c->missing || c->at != c->home);
    return RD_OK;
}

rd_status rd__fair_circle(fair_scc *scc, uint32_t k, rd_fairness_run *run, rd_error *err)
{
    fair_search *search = scc->search;
    const rd_fairness *m = search->m;
    steps s = {NULL, 0, 0};
    const uint8_t *state = fair_state(&search->store, scc->entry[k]);
    circle c = {.scc = scc, .steps = &s, .at = scc->entry[k], .home = scc->entry[k]};
    const uint64_t bytes = 8ull * fair_count(&search->store);
    RD_TRY(rd__fair_store_take(&search->store, bytes, err));
    rd_status status = rd__array_new(&c.origin, "a way", fair_count(&search->store), 4, err);
    if (status == RD_OK)
        status = rd__array_new(&c.queue, "a way", fair_count(&search->store), 4, err);
    if (status == RD_OK)
        status = way_to(&search->store, scc->entry[k], &s, err);
    run->prefix = s.count;
    run->enabled = fair_enabled(m, state);
    run->started = fair_started(m, state);
    if (status == RD_OK)
        status = walk(&c, rd__fair_promised(&scc->criterion[k], m->threads, run->enabled, run->started), err);
    run->executing = c.executing;
    if (status == RD_OK)
        status = tell(m, &s, run, err);
    rd__array_free(c.origin);
    rd__array_free(c.queue);
    rd__free(s.thread);
    search->store.taken -= bytes;
    return status;
}
