/* SPDX-License-Identifier: Apache-2.0 */
/*
 * footprint.c - what can be known of a model before it is run: which words each step reads and writes, which ones its
 * thread may touch from there on, which registers still matter, and which threads have the same code.
 *
 * Partial orders. explore.c lets a thread t alone make its next step, and forgets the other threads' steps in that
 * state, when the step (a) touches no word in a way that conflicts with any step that another thread may still make,
 * (b) is plain: ends no thread, asserts nothing, touches no ghost and no word of an invariant, (c) is not t's first,
 * and (d) leads to a state that was not seen before. Why no starvation is missed. Let r be an infinite execution that a
 * scheduler allows. Where the search has only t's step, take it: it commutes with all that follows in r, so r goes on
 * behind it, without t's next step if r makes it later, and with one more step of t if r never does. By (d) no circle
 * of the reduced graph consists of such states alone (the one that was seen first has no predecessor in it), so every
 * step of r gets its turn. The new execution has the steps of r and perhaps more of t's. By (b) and (c) the sets of
 * threads that have started and that have ended are, in the long run, those of r: so each criterion asks for the same
 * threads, and these step infinitely often as in r. Why none is made up: the reduced graph is a part of the full one.
 *   Why no fault is missed: what asserts is not plain, and the steps before a fault commute as above. Terminal states
 * stay, hence final conditions do. A way to a fault may be longer than need be; check.c looks for the shortest one
 * without reduction.
 *
 * Symmetry. Threads with the same code, which therefore do not use `me`, may be renamed in any state: what follows is
 * the same but for the names. So states are kept with the blocks of such threads sorted. A criterion that compares
 * thread numbers (HSA, LOBE) tells renamed states apart: for these check.c searches without symmetry. For the others
 * scc.c follows each thread through the renaming of every step; see there.
 */
#include "fairness/machine.h"

#include <string.h>

/* One walk over the code from a point to all points that come next. */
typedef struct walk {
    const rd_fairness *m;
    const fair_code *code;
    fair_step *step;
    uint64_t next[2]; /* a bit for each point; 0 is the end */
    uint8_t *seen;    /* of each place in the code */
    uint64_t watched; /* words that steps may not touch to be plain */
} walk;

static uint64_t words_of(const int16_t *operand)
{
    const uint32_t n = operand[1] ? (uint32_t)operand[1] : 1;
    return (n == 64 ? UINT64_MAX : (1ull << n) - 1) << operand[0];
}

static void note(walk *w, uint64_t reads, uint64_t writes)
{
    w->step->reads |= reads;
    w->step->writes |= writes;
    if ((writes & w->watched) || ((reads | writes) & w->m->ghosts))
        w->step->is_plain = 0;
}

/* Recursion is as deep as branches without a step between them; each place is walked once. */
static void walk_from(walk *w, uint32_t at)
{
    const int16_t *op = w->code->op;
    while (!w->seen[at]) {
        w->seen[at] = 1;
        switch ((fair_op)op[at]) {
        case FAIR_END:
            w->next[0] |= 1;
            w->step->is_plain = 0;
            return;
        case FAIR_POINT: w->next[op[at + 1] / 64] |= 1ull << op[at + 1] % 64; return;
        case FAIR_WORD: note(w, words_of(op + at + 1), 0); break;
        case FAIR_SET: note(w, 0, words_of(op + at + 1)); break;
        case FAIR_ADD:
        case FAIR_SWAP:
        case FAIR_MAX:
        case FAIR_OR:
        case FAIR_CAS: note(w, words_of(op + at + 1), words_of(op + at + 1)); break;
        case FAIR_ASSERT: w->step->is_plain = 0; break;
        case FAIR_UNLESS: walk_from(w, (uint32_t)op[at + 1]); break;
        default: break;
        }
        at = (fair_op)op[at] == FAIR_JUMP ? (uint32_t)op[at + 1] : at + rd__fair_length((fair_op)op[at]);
    }
}

/* Registers that matter at each place of the code: those read before they are set on some way from there. */
static void find_live(const fair_code *code, uint8_t *live)
{
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t at = 0; at < code->count; at += rd__fair_length((fair_op)code->op[at])) {
            const fair_op op = (fair_op)code->op[at];
            const uint32_t after = at + rd__fair_length(op);
            uint8_t now = op == FAIR_END || op == FAIR_JUMP || after >= code->count ? 0 : live[after];
            if (op == FAIR_JUMP || op == FAIR_UNLESS)
                now |= live[code->op[at + 1]];
            if (op == FAIR_SET_REG)
                now = (uint8_t)(now & ~(1u << code->op[at + 1]));
            if (op == FAIR_REG)
                now |= (uint8_t)(1u << code->op[at + 1]);
            changed |= now != live[at];
            live[at] = now;
        }
    }
}

static void close_later(fair_step *step, const uint64_t (*next)[2], uint32_t points)
{
    for (uint32_t p = 1; p <= points; p++) {
        step[p].later_reads = step[p].reads;
        step[p].later_writes = step[p].writes;
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (uint32_t p = 1; p <= points; p++)
            for (uint32_t q = 1; q <= points; q++) {
                if (!(next[p][q / 64] >> q % 64 & 1))
                    continue;
                const uint64_t reads = step[p].later_reads | step[q].later_reads;
                const uint64_t writes = step[p].later_writes | step[q].later_writes;
                changed |= reads != step[p].later_reads || writes != step[p].later_writes;
                step[p].later_reads = reads;
                step[p].later_writes = writes;
            }
    }
}

static rd_status footprint_of(rd_fairness *m, uint32_t t, uint64_t watched, rd_error *err)
{
    const fair_code *code = &m->code[t];
    uint64_t next[FAIR_POINTS + 1][2] = {{0}};
    uint8_t *place = rd__calloc(2, code->count); /* seen by a walk; live registers */
    m->step[t] = rd__calloc(code->points + 1, sizeof *m->step[t]);
    if (!place || !m->step[t]) {
        rd__free(place);
        return rd__fail_memory(err, "the steps of a model", code->points * sizeof *m->step[t]);
    }
    uint8_t *live = place + code->count;
    find_live(code, live);
    for (uint32_t p = 1; p <= code->points; p++) {
        walk w = {.m = m, .code = code, .step = &m->step[t][p], .seen = place, .watched = watched};
        memset(place, 0, code->count);
        w.step->is_plain = 1;
        w.step->live = live[code->point[p]];
        walk_from(&w, code->point[p] + 2u);
        memcpy(next[p], w.next, sizeof w.next);
    }
    close_later(m->step[t], (const uint64_t(*)[2])next, code->points);
    rd__free(place);
    return RD_OK;
}

static int same_code(const fair_code *a, const fair_code *b)
{
    return a->count == b->count && memcmp(a->op, b->op, a->count * sizeof *a->op) == 0;
}

static void find_groups(rd_fairness *m)
{
    for (uint32_t t = 0; t < m->threads; t++) {
        m->group[t] = (uint8_t)t;
        for (uint32_t other = t; other-- > 0;)
            if (same_code(&m->code[t], &m->code[other]))
                m->group[t] = m->group[other];
        m->is_symmetric |= m->group[t] != t;
    }
}

rd_status rd__fair_footprint(rd_fairness *m, rd_error *err)
{
    uint64_t watched = 0;
    for (uint32_t i = 0; i < m->rules; i++) {
        const fair_code *code = &m->rule[i].code;
        for (uint32_t at = 0; at < code->count; at += rd__fair_length((fair_op)code->op[at]))
            watched |= code->op[at] == FAIR_WORD && !m->rule[i].is_final ? words_of(code->op + at + 1) : 0;
    }
    for (uint32_t t = 0; t < m->threads; t++)
        RD_TRY(footprint_of(m, t, watched, err));
    find_groups(m);
    m->bytes = (fair_block(m, m->threads) + 7) / 8 * 8;
    return RD_OK;
}
