/* SPDX-License-Identifier: Apache-2.0 */
/*
 * litmus.k.c - runs the shapes of tests.k.h. A launch has teams of lanes, each of which runs instance after instance of
 * one test, every instance on words of its own. Before an instance the members of a team look for each other, so that
 * they run it at the same time; but only so often: nobody waits for a lane that may not run, so this is safe on any
 * device. Only the tests of barriers wait, at the barrier that they are about. From round to round lanes change team
 * and thread, so whose memory is close to whose changes too. Lanes that are in no team disturb the memory meanwhile.
 *
 * Orders. Those of an instance are what is tested; tests.k.h has them. Everything else is relaxed: `meet` brings
 * members together and carries nothing, `stress` is never used, and `result` and `out` are read in a later launch.
 */
#include "raddle/kernel.h"

#include "litmus/layout.k.h"
#include "litmus/tests.k.h"
#include "sched/parts/barrier.k.h"
#include "sched/parts/discovery.k.h"

#define NOT_LOADED 0xffffffffu

typedef struct {
    rd_u32 r0, r1, r2, r3;
} registers;

#define LITMUS_NUMBER(name, scope, threads, words, regs, a, b, c, d) LITMUS_##name,
enum { LITMUS_TESTS(LITMUS_NUMBER) LITMUS_COUNT };

/* An instance's words are p, p + span, p + 2 * span. */
#define ST(order, w, x)        rd_st_##order(p + (w)*span, x);
#define LD(order, w, reg)      q->r##reg = rd_ld_##order(p + (w)*span);
#define XCHG(order, w, x, reg) q->r##reg = rd_xchg_##order(p + (w)*span, x);
#define ADD(order, w, x, reg)  q->r##reg = rd_add_##order(p + (w)*span, x);
#define PST(w, x)              p[(w)*span] = x;
#define PLD(w, reg)            q->r##reg = p[(w)*span];
#define PLDIF(guard, w, reg)   q->r##reg = q->r##guard ? p[(w)*span] : 0;
#define FENCE_SC()             rd_fence_sc();
#define FENCE_REL()            rd_fence_rel();
/* What follows the barrier is the second part of a thread. */
#define BAR()                                                                                                          \
    }                                                                                                                  \
    if (part == 1) {

#define LITMUS_THREAD(number, text)                                                                                    \
    if (role == number) {                                                                                              \
        if (part == 0) {                                                                                               \
            text                                                                                                       \
        }                                                                                                              \
    }
#define LITMUS_CASE(name, scope, threads, words, regs, a, b, c, d)                                                     \
    case LITMUS_##name: LITMUS_THREAD(0, a) LITMUS_THREAD(1, b) LITMUS_THREAD(2, c) LITMUS_THREAD(3, d) break;

rd_fn void run_free(rd_u32 test, rd_u32 role, rd_u32 part, rd_global rd_u32 *p, rd_u32 span, registers *q)
{
    switch (test) {
        LITMUS_MESSAGES(LITMUS_CASE)
        LITMUS_BUFFERS(LITMUS_CASE)
        LITMUS_COHERENCE(LITMUS_CASE)
    default: break;
    }
}

rd_fn void run_in_group(rd_u32 test, rd_u32 role, rd_u32 part, rd_global rd_u32 *p, rd_u32 span, registers *q)
{
    switch (test) {
        LITMUS_BARRIERS(LITMUS_CASE, group, LITMUS_GROUP)
    default: break;
    }
}

rd_fn void run_in_grid(rd_u32 test, rd_u32 role, rd_u32 part, rd_global rd_u32 *p, rd_u32 span, registers *q)
{
    switch (test) {
        LITMUS_BARRIERS(LITMUS_CASE, grid, LITMUS_GRID)
    default: break;
    }
}

rd_context(litmus_ctx, LITMUS_ARGS);

rd_fn registers nothing_loaded(void)
{
    const registers q = {NOT_LOADED, NOT_LOADED, NOT_LOADED, NOT_LOADED};
    return q;
}

/* Each register is loaded by one thread, so this is the only lane that writes it. */
rd_fn void keep(const litmus_ctx *c, rd_u32 instance, const registers *q)
{
    rd_global rd_u32 *const at = c->result + LITMUS_REGISTERS * instance;
    if (q->r0 != NOT_LOADED)
        at[0] = q->r0;
    if (q->r1 != NOT_LOADED)
        at[1] = q->r1;
    if (q->r2 != NOT_LOADED)
        at[2] = q->r2;
    if (q->r3 != NOT_LOADED)
        at[3] = q->r3;
}

rd_fn void disturb(const litmus_ctx *c, rd_u32 id, rd_u32 turns)
{
    for (rd_u32 i = 0; i < turns; i++) {
        rd_global rd_u32 *const at = c->stress + (id * 97 + i * 61) % c->stress_words;
        if ((id + i) % 3 == 0)
            rd_st_rlx(at, i);
        else if ((id + i) % 3 == 1)
            rd_st_rlx(at, rd_ld_rlx(at) + 1);
        else
            rd_add_rlx(at, 1);
    }
}

/* @return 1 to the first member who came, when it saw all others come. */
rd_fn rd_u32 look_for_others(const litmus_ctx *c, rd_u32 instance)
{
    const rd_u32 before = rd_add_rlx(&c->meet[instance], 1);
    rd_u32 here = before + 1;
    for (rd_u32 i = 0; i < c->patience && here < c->members; i++)
        here = rd_ld_rlx(&c->meet[instance]);
    return before == 0 && here >= c->members;
}

/* Who came last goes on at once and the others when they see it: a few loads more or less make up for that, or not. */
rd_fn void wobble(const litmus_ctx *c, rd_u32 id, rd_u32 instance)
{
    const rd_u32 lot = (id * 7919u + instance) * 2654435769u;
    for (rd_u32 i = lot >> 16 & 15; i > 0; i--)
        (void)rd_ld_rlx(&c->meet[instance]);
}

rd_fn rd_u32 run_instance(const litmus_ctx *c, rd_u32 id, rd_u32 round)
{
    const rd_u32 p = (id * c->stride + round * c->turn) % (c->members * c->teams), is_far = c->place == LITMUS_FAR;
    const rd_u32 member = is_far ? p / c->teams : p % c->members, team = is_far ? p % c->teams : p / c->members;
    const rd_u32 instance = round * c->teams + team;
    disturb(c, id, c->stress_turns % 4);
    const rd_u32 met = look_for_others(c, instance);
    if (c->patience)
        wobble(c, id, instance);
    for (rd_u32 role = member; role < c->threads; role += c->members) {
        registers q = nothing_loaded();
        run_free(c->test, role, 0, c->word + instance * c->apart, c->rounds * c->teams * c->apart, &q);
        keep(c, instance, &q);
    }
    return met;
}

rd_kernel(free_threads, LITMUS_ARGS)
{
    const litmus_ctx c = rd_bind(LITMUS_ARGS);
    const rd_u32 id = rd_group() * rd_lanes() + rd_lane();
    if (id < members * teams) {
        rd_u32 met = 0;
        for (rd_u32 k = 0; k < rounds; k++)
            met += run_instance(&c, id, k);
        if (met)
            rd_add_rlx(&out[LITMUS_OUT_MET], met);
    } else {
        disturb(&c, id, stress_turns);
    }
}

rd_kernel(group_barrier, LITMUS_ARGS)
{
    const litmus_ctx c = rd_bind(LITMUS_ARGS);
    const rd_u32 mine = rd_lanes() / threads, is_in = rd_lane() < mine * threads; /* teams of a group */
    const rd_u32 span = rounds * teams * apart;
    for (rd_u32 k = 0; k < rounds; k++) {
        const rd_u32 at = (rd_lane() + k * turn) % (mine * threads), role = at / mine;
        const rd_u32 instance = k * teams + rd_group() * mine + at % mine;
        registers q = nothing_loaded();
        if (is_in)
            run_in_group(test, role, 0, word + instance * apart, span, &q);
        rd_barrier();
        if (is_in) {
            run_in_group(test, role, 1, word + instance * apart, span, &q);
            keep(&c, instance, &q);
        }
    }
}

rd_kernel(grid_barrier, LITMUS_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const litmus_ctx c = rd_bind(LITMUS_ARGS);
    rd_u32 count = 0;
    const rd_u32 number = rd_discover(scratch, poll, kind, delay, 0, &count);
    const rd_u32 all = count * rd_lanes() / threads, found = all < teams ? all : teams,
                 id = number * rd_lanes() + rd_lane();
    const rd_u32 end = number == RD_OUTSIDE || found == 0 ? 0 : rounds, span = rounds * teams * apart;
    rd_grid g = rd_grid_open(grid, number == RD_OUTSIDE ? 0 : number, count);
    if (number == 0 && rd_lane() == 0)
        out[LITMUS_OUT_TEAMS] = found;
    for (rd_u32 k = 0; k < end; k++) {
        const rd_u32 at = (id + k * turn) % (found * threads), is_in = id < found * threads;
        const rd_u32 role = place == LITMUS_FAR ? at / found : at % threads;
        const rd_u32 instance = k * found + (place == LITMUS_FAR ? at % found : at / threads);
        registers q = nothing_loaded();
        if (is_in)
            run_in_grid(test, role, 0, word + instance * apart, span, &q);
        rd_global_barrier(&g);
        if (is_in) {
            run_in_grid(test, role, 1, word + instance * apart, span, &q);
            keep(&c, instance, &q);
        }
    }
}

/* Counts outcomes. */
rd_kernel(judge, LITMUS_JUDGE_ARGS)
{
    const rd_u32 found = teams ? teams : out[LITMUS_OUT_TEAMS], end = found * rounds;
    const rd_u32 stride = rd_groups() * rd_lanes(), span = instances * apart;
    for (rd_u32 i = rd_group() * rd_lanes() + rd_lane(); i < end; i += stride) {
        rd_u32 outcome = 0;
        for (rd_u32 r = 0; r < registers_used; r++)
            outcome |= (result[LITMUS_REGISTERS * i + r] & 3) << 2 * r;
        for (rd_u32 w = 0; w < words; w++)
            outcome |= (word[w * span + i * apart] & 3) << 2 * (LITMUS_REGISTERS + w);
        rd_add_rlx(&seen[outcome], 1);
    }
}

/* clang-format off */
#define LITMUS_KERNELS(k)            \
    k(free_threads, LITMUS_ARGS)     \
    k(group_barrier, LITMUS_ARGS)    \
    k(grid_barrier, LITMUS_ARGS)     \
    k(judge, LITMUS_JUDGE_ARGS)
/* clang-format on */
rd_kernels(LITMUS_KERNELS);
