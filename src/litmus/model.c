/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model.c - what may come of a small program in the dialect's memory model, by looking at every execution.
 *
 * An execution says for each load which store it reads (rf) and for each word in which order its stores come (mo). All
 * of them are tried, and judged by two sets of axioms:
 *
 *   interleavings   program order, rf, mo and "reads before" (rb: from a load to the stores after the one it read) have
 *                   no cycle together: some order of all steps explains it.
 *   the dialect     C11's model with the repairs of Lahav et al. (RC11, PLDI 2017), at device scope, except that a load
 *                   may read what comes later in a cycle of relaxed accesses (load buffering), as GPUs do:
 *     sw   from a release to the acquire that reads it, or reads a read-modify-write behind it. A release is a store
 *          with rel or acqrel, one with fen behind FENCE_REL, or any behind FENCE_SC; acquires likewise.
 *     hb   program order and sw, and from who comes to a barrier to who leaves it; no cycle.
 *     eco  rf, mo and rb, one after another. No event is before another by hb and behind it by eco (coherence).
 *     A read-modify-write comes right behind the store that it read.
 *     FENCE_SC: by hb, or by hb, eco and hb again, fences have no cycle.
 *   Two plain accesses to a word, one of them a store, that hb does not order are a race: then nothing is promised.
 *
 * Programs have at most a score of events, so relations are rows of bits.
 */
#include "litmus/litmus.h"

#include <string.h>

enum { EVENTS = 32 };

typedef struct event {
    uint8_t reads, writes, fence, enters, leaves; /* fence: 1 of release, 2 sequentially consistent */
    uint8_t kind, order, word, value, reg, guard;
    int8_t thread; /* -1: the first value of a word */
} event;

typedef uint32_t relation[EVENTS]; /* row a has bit b: a is before b */

typedef struct search {
    event e[EVENTS];
    uint32_t events;
    uint8_t rf[EVENTS];                                              /* of what reads: the event it reads */
    uint8_t order[RD_LITMUS_WORDS][EVENTS], stores[RD_LITMUS_WORDS]; /* mo; the first value comes first */
    uint8_t value[EVENTS], loaded[EVENTS], present[EVENTS];
    const rd__lit_program *program;
    relation po;
    rd_litmus_table *table;
} search;

/* ---- Relations ---- */

static void close_over(const search *s, relation r)
{
    for (uint32_t k = 0; k < s->events; k++)
        for (uint32_t a = 0; a < s->events; a++)
            if (r[a] >> k & 1)
                r[a] |= r[k];
}

static int has_circle(const search *s, const relation closed)
{
    for (uint32_t a = 0; a < s->events; a++)
        if (closed[a] >> a & 1)
            return 1;
    return 0;
}

static void both(const search *s, const relation a, const relation b, relation out)
{
    for (uint32_t i = 0; i < s->events; i++)
        out[i] = a[i] | b[i];
}

/* a, then b. */
static void after(const search *s, const relation a, const relation b, relation out)
{
    for (uint32_t i = 0; i < s->events; i++) {
        out[i] = 0;
        for (uint32_t k = 0; k < s->events; k++)
            if (a[i] >> k & 1)
                out[i] |= b[k];
    }
}

/* rf, mo and rb together. */
static void communication(const search *s, relation out)
{
    memset(out, 0, sizeof(relation));
    for (uint32_t w = 0; w < s->program->words; w++)
        for (uint32_t i = 0; i < s->stores[w]; i++)
            for (uint32_t j = i + 1; j < s->stores[w]; j++)
                out[s->order[w][i]] |= 1u << s->order[w][j];
    relation mo;
    memcpy(mo, out, sizeof mo);
    for (uint32_t r = 0; r < s->events; r++)
        if (s->e[r].reads && s->present[r]) {
            out[s->rf[r]] |= 1u << r;
            out[r] |= mo[s->rf[r]] & ~(1u << r);
        }
}

/* Who comes to the barrier is before who leaves it. */
static void barriers(const search *s, relation out)
{
    memset(out, 0, sizeof(relation));
    for (uint32_t a = 0; a < s->events; a++)
        for (uint32_t b = 0; b < s->events; b++)
            if (s->e[a].enters && s->e[b].leaves)
                out[a] |= 1u << b;
}

/* ---- The dialect ---- */

/* @return the events by which the store w releases. */
static uint32_t releases(const search *s, uint32_t w)
{
    const event *store = &s->e[w];
    uint32_t by = store->order == RD__LIT_rel || store->order == RD__LIT_acqrel ? 1u << w : 0;
    for (uint32_t f = 0; f < s->events; f++)
        if (s->e[f].thread == store->thread && (s->po[f] >> w & 1) && store->order != RD__LIT_plain &&
            (s->e[f].fence == 2 || (s->e[f].fence == 1 && store->order == RD__LIT_fen)))
            by |= 1u << f;
    return by;
}

static uint32_t acquires(const search *s, uint32_t r)
{
    const event *load = &s->e[r];
    uint32_t by = load->order == RD__LIT_acq || load->order == RD__LIT_acqrel ? 1u << r : 0;
    for (uint32_t f = 0; f < s->events; f++)
        if (s->e[f].thread == load->thread && (s->po[r] >> f & 1) && s->e[f].fence == 2 && load->order != RD__LIT_plain)
            by |= 1u << f;
    return by;
}

static void synchronises(const search *s, relation out)
{
    memset(out, 0, sizeof(relation));
    for (uint32_t r = 0; r < s->events; r++) {
        if (!s->e[r].reads || !s->present[r])
            continue;
        const uint32_t to = acquires(s, r);
        /* from what it reads back over read-modify-writes */
        for (uint32_t w = s->rf[r], more = 1; more; w = s->rf[w]) {
            const uint32_t from = s->e[w].thread >= 0 && s->e[w].thread != s->e[r].thread ? releases(s, w) : 0;
            for (uint32_t a = 0; a < s->events; a++)
                if (from >> a & 1)
                    out[a] |= to;
            more = s->e[w].reads;
        }
    }
}

static int fences_agree(const search *s, const relation hb, const relation eco)
{
    relation way, there, psc;
    after(s, hb, eco, way);
    after(s, way, hb, there);
    both(s, hb, there, psc);
    uint32_t sc = 0;
    for (uint32_t f = 0; f < s->events; f++)
        sc |= (uint32_t)(s->e[f].fence == 2) << f;
    for (uint32_t f = 0; f < s->events; f++)
        psc[f] = sc >> f & 1 ? psc[f] & sc : 0;
    close_over(s, psc);
    return !has_circle(s, psc);
}

static int has_race(const search *s, const relation hb)
{
    for (uint32_t a = 0; a < s->events; a++)
        for (uint32_t b = 0; b < a; b++) {
            const event *x = &s->e[a], *y = &s->e[b];
            const int touch = (x->reads || x->writes) && (y->reads || y->writes) && s->present[a] && s->present[b];
            if (touch && x->word == y->word && (x->writes || y->writes) && x->thread != y->thread && x->thread >= 0 &&
                y->thread >= 0 && (x->order == RD__LIT_plain || y->order == RD__LIT_plain) && !(hb[a] >> b & 1) &&
                !(hb[b] >> a & 1))
                return 1;
        }
    return 0;
}

/* @return 1 when the dialect allows the execution. */
static int dialect_allows(search *s, const relation com, const relation bars)
{
    relation hb, sw, eco, back;
    synchronises(s, sw);
    both(s, s->po, sw, hb);
    both(s, hb, bars, hb);
    close_over(s, hb);
    memcpy(eco, com, sizeof eco);
    close_over(s, eco);
    after(s, hb, eco, back);
    if (has_circle(s, hb) || has_circle(s, eco) || has_circle(s, back) || !fences_agree(s, hb, eco))
        return 0;
    s->table->races |= (uint8_t)has_race(s, hb);
    return 1;
}

static int interleaving_gives(const search *s, const relation com, const relation bars)
{
    relation all;
    both(s, s->po, com, all);
    both(s, all, bars, all);
    close_over(s, all);
    return !has_circle(s, all);
}

/* ---- Executions ---- */

/* A read-modify-write comes right behind what it read. */
static int is_atomic(const search *s)
{
    for (uint32_t w = 0; w < s->program->words; w++)
        for (uint32_t i = 1; i < s->stores[w]; i++) {
            const uint32_t store = s->order[w][i];
            if (s->e[store].reads && s->rf[store] != s->order[w][i - 1])
                return 0;
        }
    return 1;
}

static void judge(search *s)
{
    relation com, bars;
    uint32_t outcome = 0, is = 0;
    s->table->executions++;
    if (!is_atomic(s))
        return;
    communication(s, com);
    barriers(s, bars);
    is |= interleaving_gives(s, com, bars) ? RD_LITMUS_SC : 0;
    is |= dialect_allows(s, com, bars) ? RD_LITMUS_WEAK : 0;
    for (uint32_t r = 0; r < s->events; r++)
        if (s->e[r].reads && s->present[r])
            outcome |= (uint32_t)(s->loaded[r] & 3) << 2 * s->e[r].reg;
    for (uint32_t w = 0; w < s->program->words; w++)
        outcome |= (uint32_t)(s->value[s->order[w][s->stores[w] - 1]] & 3) << 2 * (RD_LITMUS_REGISTERS + w);
    s->table->allowed[outcome] |= (uint8_t)is;
}

/* Every order of the stores of word w, from place `at` on; then of the next word. */
static void orders_of(search *s, uint32_t w, uint32_t at)
{
    if (w == s->program->words) {
        judge(s);
        return;
    }
    if (at >= s->stores[w]) {
        orders_of(s, w + 1, 1);
        return;
    }
    for (uint32_t i = at; i < s->stores[w]; i++) {
        uint8_t *order = s->order[w], kept = order[at];
        order[at] = order[i];
        order[i] = kept;
        orders_of(s, w, at + 1);
        order[i] = order[at];
        order[at] = kept;
    }
}

/* Values follow from who reads whom. @return 0: two additions would read each other. */
static int find_values(search *s)
{
    uint32_t known = 0;
    for (uint32_t i = 0; i < s->events; i++) {
        s->present[i] = 1;
        s->value[i] = s->e[i].value;
        known |= (uint32_t)(s->e[i].writes && s->e[i].kind != RD__LIT_ADD) << i;
    }
    for (uint32_t turn = 0; turn < s->events; turn++)
        for (uint32_t i = 0; i < s->events; i++)
            if (s->e[i].kind == RD__LIT_ADD && (known >> s->rf[i] & 1)) {
                s->value[i] = (uint8_t)(s->value[s->rf[i]] + s->e[i].value);
                known |= 1u << i;
            }
    for (uint32_t i = 0; i < s->events; i++) {
        if (!s->e[i].reads)
            continue;
        if (!(known >> s->rf[i] & 1))
            return 0;
        s->loaded[i] = s->value[s->rf[i]];
    }
    /* a load behind a condition is not there when that is 0, and its register stays 0 */
    for (uint32_t i = 0; i < s->events; i++)
        for (uint32_t g = 0; s->e[i].guard && g < s->events; g++)
            if (s->e[g].reads && s->e[g].thread == s->e[i].thread && s->e[g].reg + 1 == s->e[i].guard)
                s->present[i] = s->loaded[g] != 0;
    return 1;
}

static void reads_of(search *s, uint32_t i)
{
    while (i < s->events && !s->e[i].reads)
        i++;
    if (i == s->events) {
        if (find_values(s))
            orders_of(s, 0, 1);
        return;
    }
    for (uint32_t w = 0; w < s->events; w++)
        if (w != i && s->e[w].writes && s->e[w].word == s->e[i].word) {
            s->rf[i] = (uint8_t)w;
            reads_of(s, i + 1);
        }
}

static void add_event(search *s, event e)
{
    for (uint32_t i = 0; i < s->events; i++)
        if (s->e[i].thread < 0 ? e.thread >= 0 : s->e[i].thread == e.thread)
            s->po[i] |= 1u << s->events;
    if (e.writes)
        s->order[e.word][s->stores[e.word]++] = (uint8_t)s->events;
    s->e[s->events++] = e;
}

static void add_op(search *s, int8_t thread, const rd__lit_op *op)
{
    event e = {.kind = op->kind,
               .order = op->order,
               .word = op->word,
               .value = op->value,
               .reg = op->reg,
               .guard = op->guard,
               .thread = thread};
    e.reads = op->kind == RD__LIT_LOAD || op->kind == RD__LIT_XCHG || op->kind == RD__LIT_ADD;
    e.writes = op->kind == RD__LIT_STORE || op->kind == RD__LIT_XCHG || op->kind == RD__LIT_ADD;
    if (op->kind == RD__LIT_FENCE)
        e.fence = op->order == RD__LIT_sc ? 2 : 1;
    if (op->kind != RD__LIT_BARRIER) {
        add_event(s, e);
        return;
    }
    e.enters = 1;
    add_event(s, e);
    e.enters = 0;
    e.leaves = 1;
    add_event(s, e);
}

rd_status rd__lit_allowed(const rd__lit_program *program, rd_litmus_table *table, rd_error *err)
{
    search s = {.program = program, .table = table};
    uint32_t events = program->words;
    memset(table, 0, sizeof *table);
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < RD__LIT_OPS && program->op[t][i].kind; i++)
            events += program->op[t][i].kind == RD__LIT_BARRIER ? 2 : 1;
    if (events > EVENTS || program->words > RD_LITMUS_WORDS || program->threads > RD__LIT_THREADS)
        return rd__fail(err, RD_EARG, "a litmus test of %u events is too large: at most %d", events, EVENTS);
    for (uint8_t w = 0; w < program->words; w++)
        add_event(&s, (event){.writes = 1, .word = w, .order = RD__LIT_rlx, .kind = RD__LIT_STORE, .thread = -1});
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < RD__LIT_OPS && program->op[t][i].kind; i++)
            add_op(&s, (int8_t)t, &program->op[t][i]);
    reads_of(&s, 0);
    for (uint32_t i = 0; i < RD_LITMUS_OUTCOMES; i++) {
        table->interleaved += (table->allowed[i] & RD_LITMUS_SC) != 0;
        table->weak += table->allowed[i] == RD_LITMUS_WEAK;
    }
    return RD_OK;
}
