/* SPDX-License-Identifier: Apache-2.0 */
/*
 * barrier_rounds.k.h - a kernel of rounds with a global barrier in each: ROUNDS_KERNEL makes one for a form of it.
 *
 * Each round every lane writes its place on a board, plainly, passes the barrier, and reads places of others: of its
 * own group, of group 0, of the group before it and of one that wanders. Two boards take turns, so one barrier a round
 * is enough if it is right: what is written in round r+2 must wait until all have passed the barrier of round r+1, and
 * so have read what was written in round r. A group that is a phase ahead or behind shows as a wrong value; beside that
 * each group announces its round in an atomic word, which others must see at r or r + 1 after barrier r.
 */
#ifndef RD_MICRO_BARRIER_ROUNDS_K_H
#define RD_MICRO_BARRIER_ROUNDS_K_H

#include "raddle/kernel.h"
#include "sched/parts/barrier.k.h"
#include "sched/parts/discovery.k.h"
#include "micro/barrier_layout.k.h"

rd_context(rounds_ctx, ROUNDS_ARGS);

typedef struct {
    rd_u32 bad[BARRIER_CASES]; /* by who reads from whom */
} rounds_faults;

rd_fn rd_u32 place(const rd_grid *g, rd_u32 group, rd_u32 lane, rd_u32 r)
{
    return (r % 2 * g->count + group) * rd_lanes() + lane;
}

rd_fn rd_u32 mark(rd_u32 group, rd_u32 lane, rd_u32 r)
{
    return r * 0x9e3779b1u + group * 1031 + lane;
}

rd_fn void tell(const rounds_ctx *c, const rd_grid *g, rd_u32 r)
{
    c->board[place(g, g->id, rd_lane(), r)] = mark(g->id, rd_lane(), r);
    if (rd_lane() == 0)
        rd_st_rlx(&c->phase[g->id], r); /* read in look; the barrier orders it */
}

/* What a lane of this group sees of a lane of another: 1 when it is not what was written this round. */
rd_fn rd_u32 stale(const rounds_ctx *c, const rd_grid *g, rd_u32 group, rd_u32 lane, rd_u32 r)
{
    return c->board[place(g, group, lane, r)] != mark(group, lane, r);
}

rd_fn void look(const rounds_ctx *c, const rd_grid *g, rd_u32 r, rounds_faults *f)
{
    const rd_u32 lane = (rd_lane() + r) % rd_lanes(), before = (g->id + g->count - 1) % g->count;
    const rd_u32 other[2] = {before, (g->id + r) % g->count};
    f->bad[BARRIER_SAME] += stale(c, g, g->id, lane, r);
    f->bad[g->id ? BARRIER_DOWN : BARRIER_SAME] += stale(c, g, 0, lane, r);
    for (rd_u32 i = 0; i < 2; i++) {
        const rd_u32 from = other[i];
        const rd_u32 which = from == g->id ? BARRIER_SAME
                             : g->id == 0  ? BARRIER_UP
                             : from == 0   ? BARRIER_DOWN
                                           : BARRIER_ACROSS;
        const rd_u32 at = rd_ld_rlx(&c->phase[from]); /* pairs with the store in tell */
        f->bad[which] += stale(c, g, from, lane, r);
        f->bad[BARRIER_PHASE] += at != r && at != r + 1;
    }
}

/* check: a constant, so that the kernel that is timed holds nothing else. */
#define ROUNDS_KERNEL(name, OPEN, BARRIER, check)                                                                      \
    rd_kernel(name, ROUNDS_ARGS)                                                                                       \
    {                                                                                                                  \
        rd_local_array(rd_u32, scratch, RD_SCRATCH);                                                                   \
        const rounds_ctx c = rd_bind(ROUNDS_ARGS);                                                                     \
        rounds_faults f = {{0, 0, 0, 0, 0}};                                                                           \
        rd_u32 count = 0;                                                                                              \
        const rd_u32 id = rd_discover(scratch, poll, kind, delay, 0, &count), end = id == RD_OUTSIDE ? 0 : rounds;     \
        rd_grid g = OPEN(words, id == RD_OUTSIDE ? 0 : id, count);                                                     \
        for (rd_u32 r = 0; r < end; r++) {                                                                             \
            if (check)                                                                                                 \
                tell(&c, &g, r);                                                                                       \
            BARRIER(&g);                                                                                               \
            if (check)                                                                                                 \
                look(&c, &g, r, &f);                                                                                   \
        }                                                                                                              \
        for (rd_u32 i = 0; i < BARRIER_CASES; i++)                                                                     \
            if (f.bad[i])                                                                                              \
                rd_add_rlx(&out[i], f.bad[i]); /* all of out is read by the host after the launch */                   \
        if (rd_lane() == 0 && end)                                                                                     \
            rd_add_rlx(&out[BARRIER_DONE], 1);                                                                         \
        if (rd_lane() == 0 && id == 0)                                                                                 \
            rd_st_rlx(&out[BARRIER_COUNT], count);                                                                     \
    }

#endif
