/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_turn.k.h - from one step of a sweep to the next: what a step finds of those before, and leaves for those that
 * come. Part of bsp/sweep.k.h, which says how. */
#ifndef RD_SCHED_SWEEP_TURN_K_H
#define RD_SCHED_SWEEP_TURN_K_H

rd_fn rd_global rd_u32 *sweep_slot(const sweep_ctx *c, rd_u32 step)
{
    return c->control + step % SWEEP_SLOTS * SWEEP_SLOT_WORDS;
}

/* What a step has gained that is over. */
rd_fn void sweep_gained(const sweep_ctx *c, rd_u32 step, rd_gain *gained)
{
    rd_global const rd_u32 *const slot = sweep_slot(c, step + SWEEP_SLOTS); /* step may be -1 or -2: nothing */
    gained->sum = rd_ld_rlx(&slot[SWEEP_SUM]); /* partners of all: the adds of that step */
    gained->most = rd_ld_rlx(&slot[SWEEP_MOST]);
    gained->total = rd_as_f32(rd_ld_rlx(&slot[SWEEP_TOTAL]));
    gained->second = rd_as_f32(rd_ld_rlx(&slot[SWEEP_SECOND]));
    gained->edges = 0;
}

/* Goes on behind the steps of launches before, of which `step` is the number. */
rd_fn void sweep_begin(const sweep_ctx *c, rd_u32 step, rd_sweep *s)
{
    s->row = c->row;
    s->col = c->col;
    s->vertices = c->vertices;
    s->step = step;
    sweep_gained(c, step - 2, &s->gained);
}

/* Finds the phase of s->step by what the step before came to; s is as that step had it. */
rd_fn void sweep_turn(const sweep_ctx *c, const rd_app *app, rd_sweep *s)
{
    rd_global rd_u32 *const before = sweep_slot(c, s->step + SWEEP_SLOTS - 1);
    rd_sweep was = *s;
    s->phase = 0;
    s->gained.sum = s->gained.most = s->gained.edges = 0;
    s->gained.total = s->gained.second = 0;
    if (s->step) {
        was.step = s->step - 1;
        was.phase = rd_ld_rlx(&before[SWEEP_PHASE]); /* partners of these: the stores of the step before */
        sweep_gained(c, was.step, &s->gained);
        const rd_u32 over = was.phase == RD_SWEEP_END || rd_ld_rlx(&before[SWEEP_STOP]);
#if RD_SWEEP_SCALARS
        for (rd_u32 i = 0; i < RD_SWEEP_SCALARS; i++)
            was.scalar[i] = rd_ld_rlx(&before[SWEEP_SCALAR + i]);
#endif
        s->phase = over ? RD_SWEEP_END : rd_app_next(app, &was, &s->gained);
    }
#if RD_SWEEP_SCALARS
    for (rd_u32 i = 0; i < RD_SWEEP_SCALARS; i++)
        s->scalar[i] = s->step ? was.scalar[i] : 0;
#endif
}

/* By one lane of all: what the next steps find. stopped: by the host. again: another launch began the step. */
rd_fn void sweep_turn_slots(const sweep_ctx *c, const rd_app *app, const rd_sweep *s, rd_u32 stopped, rd_u32 again)
{
    rd_global rd_u64 *const tasks = (rd_global rd_u64 *)(c->control + SWEEP_TASKS);
    rd_global rd_u32 *const now = sweep_slot(c, s->step), *const clear = sweep_slot(c, s->step + 1);
    rd_st_rlx(&now[SWEEP_PHASE], s->phase); /* partner of all: the loads of sweep_turn */
    rd_st_rlx(&now[SWEEP_STOP], stopped);
#if RD_SWEEP_SCALARS
    for (rd_u32 i = 0; i < RD_SWEEP_SCALARS; i++)
        rd_st_rlx(&now[SWEEP_SCALAR + i], s->scalar[i]);
#endif
    rd_st_rlx(&clear[SWEEP_SUM], 0);
    rd_st_rlx(&clear[SWEEP_MOST], 0);
    rd_st_rlx(&clear[SWEEP_TOTAL], 0); /* the bits of 0.0 */
    rd_st_rlx(&clear[SWEEP_SECOND], 0);
    rd_st_rlx(&clear[SWEEP_CURSOR], 0);
    if (s->phase != RD_SWEEP_END && !again) {
        c->control[SWEEP_STEPS] = s->step + 1; /* plain, all: one lane writes them, and the host reads */
#if !RD_SWEEP_DONE
        *tasks += RD_SWEEP_LISTED(app, s) ? RD_SWEEP_ITEMS(app, s) : s->vertices;
#endif
    }
#if RD_SWEEP_DONE
    *tasks = rd_app_done(app, s, &c->control[SWEEP_WAITS]);
#endif
}

#endif
