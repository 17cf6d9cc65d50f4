/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew.k.c - puts parts/crew.k.h to the test: tasks and rounds while groups die and join at random, each with what the
 * rules promise looked at: who lives has a number below the count; values that were handed over are their forker's; no
 * barrier opens early; between resizing barriers the count stays, so that each item is run once a round.
 */
#include "raddle/kernel.h"
#include "sched/parts/crew.k.h"
#include "selftest/crew_layout.k.h"

rd_context(crew_ctx, CREW_ARGS);

rd_fn rd_u32 crew_random(rd_u32 *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/* value[0] is the round; the others follow from it and from who forked. */
rd_fn void crew_write(rd_u32 *value, rd_u32 round, rd_u32 who)
{
    value[0] = round;
    value[1] = who;
    value[2] = round * 2654435761u ^ who * 40503u;
    value[3] = ~value[2];
}

rd_fn void crew_fault(const crew_ctx *c, rd_u32 kind, rd_u32 wrong)
{
    if (wrong)
        rd_add_rlx(&c->out[CREW_FAULTS + kind], 1); /* read by the host */
}

/* Lane 0 of a group that lives: is it one of those that do? Now and then it plays the scheduler. */
rd_fn void crew_look(const crew_ctx *c, const rd_crew *crew, rd_u32 *seed)
{
    const rd_u32 live = rd_crew_live(crew), draw = crew_random(seed);
    crew_fault(c, CREW_LIVES, rd_group() >= live);
    crew_fault(c, CREW_RANGE, live < 1 || live > rd_groups());
    if (draw % 4 == 0)
        rd_crew_wish(c->word, crew_random(seed) % (rd_groups() + 2)); /* also numbers that cannot be */
}

/* One task each turn, of the whole group. @return 0: there is none left. */
rd_fn rd_u32 crew_task(const crew_ctx *c, rd_local rd_u32 *scratch)
{
    const rd_u32 mine = rd_lane() == 0 ? rd_add_rlx(&c->out[CREW_NEXT], 1) : 0; /* partner: itself in others */
    const rd_u32 task = rd_group_broadcast(scratch, mine, 0);
    if (rd_lane() == 0 && task < c->items)
        rd_add_rlx(&c->item[task], 1); /* read by the host */
    return task < c->items;
}

/* Before a barrier: this group comes to it. */
rd_fn void crew_come(const crew_ctx *c, rd_u32 round)
{
    if (rd_lane() != 0)
        return;
    rd_add_rlx(&c->out[CREW_CAME + round % 4], 1); /* partner: the look in crew_passed, behind the barrier */
    if (rd_group() == 0) {
        rd_st_rlx(&c->out[CREW_CAME + (round + 2) % 4], 0); /* next used behind the barrier that comes */
        rd_st_rlx(&c->out[CREW_SAW + (round + 2) % 4], 0);
        c->out[CREW_DATA + round % 2] = round * 7;
    }
}

/* Behind it, lane 0 of a group that lives: nobody can add to that round any more; all see the same sum. Group 0 looks
 * at the round before, which all have passed, if none died on the way. */
rd_fn void crew_passed(const crew_ctx *c, rd_u32 round)
{
    const rd_u32 came = rd_ld_rlx(&c->out[CREW_CAME + round % 4]); /* partner: crew_come */
    rd_add_rlx(&c->out[CREW_SAW + round % 4], came);               /* partner: the look below, a barrier later */
    crew_fault(c, CREW_EARLY, c->out[CREW_DATA + round % 2] != round * 7);
    if (rd_group() == 0 && round > 0 && c->way == CREW_ROUNDS) {
        const rd_u32 before = rd_ld_rlx(&c->out[CREW_CAME + (round - 1) % 4]);
        crew_fault(c, CREW_EARLY, rd_ld_rlx(&c->out[CREW_SAW + (round - 1) % 4]) != before * before);
    }
}

/* A group that has joined or starts: counts, and checks what it was given. */
rd_fn void crew_greet(const crew_ctx *c, const rd_u32 *value, rd_u32 joined)
{
    rd_u32 want[CREW_ROOM];
    crew_write(want, value[0], value[1]);
    if (joined && rd_lane() == 0)
        rd_add_rlx(&c->out[CREW_FORKS], 1); /* read by the host */
    for (rd_u32 i = 0; i < CREW_ROOM; i++)
        crew_fault(c, CREW_VALUE, joined && value[i] != want[i]);
    crew_fault(c, CREW_VALUE, joined && (value[1] >= rd_groups() || (c->way >= CREW_RESIZE && value[1] != 0)));
}

/* All items of a round, once each, by those who live. */
rd_fn void crew_sweep(const crew_ctx *c, rd_u32 live)
{
    for (rd_u32 i = rd_group() * rd_lanes() + rd_lane(); i < c->items; i += live * rd_lanes())
        rd_add_rlx(&c->item[i], 1); /* read by the host */
}

rd_kernel(crew_run, CREW_ARGS)
{
    rd_local_array(rd_u32, scratch, RD_SCRATCH);
    const crew_ctx c = rd_bind(CREW_ARGS);
    rd_crew crew = rd_crew_open(word, mail, scratch, CREW_ROOM, first);
    rd_u32 value[CREW_ROOM], joined = rd_group() >= first, draw = seed ^ (rd_group() * 2654435761u), deaths = 0;
    crew_write(value, 0, 0);
    rd_u32 lives = rd_crew_join(&crew, value, CREW_ROOM);
    while (lives) {
        rd_u32 more = way == CREW_TASKS || value[0] < rounds, dead = 0; /* it may have joined at the end */
        crew_greet(&c, value, joined);
        rd_once(way == CREW_STEPS && joined)
            dead = rd_resizing_barrier_v1_joined(&crew);
        while (more && !dead) {
            if (rd_lane() == 0)
                crew_look(&c, &crew, &draw);
            const rd_u32 round = value[0], live = rd_group_broadcast(scratch, rd_crew_live(&crew), 0);
            crew_write(value, round, way >= CREW_RESIZE ? 0 : rd_group());
            rd_once(way < CREW_RESIZE) {
                (void)rd_request_fork(&crew, value, CREW_ROOM);
                dead = rd_offer_kill(&crew);
            }
            rd_once(way == CREW_TASKS && !dead)
                more = crew_task(&c, scratch);
            if (way >= CREW_RESIZE)
                crew_sweep(&c, live);
            rd_once(way == CREW_ROUNDS && !dead) {
                crew_come(&c, round);
                rd_crew_barrier(&crew);
            }
            const rd_u32 stays = rd_group_broadcast(scratch, rd_crew_live(&crew), 0);
            crew_write(value, round + (way != CREW_TASKS), way >= CREW_RESIZE ? 0 : rd_group());
            if (way >= CREW_RESIZE && rd_lane() == 0)
                crew_fault(&c, CREW_MOVED, stays != live);
            rd_once(way == CREW_RESIZE) {
                crew_come(&c, round);
                dead = rd_resizing_barrier(&crew, value, CREW_ROOM);
            }
            rd_once(way == CREW_STEPS)
                dead = rd_resizing_barrier_v1(&crew, value, CREW_ROOM);
            if (rd_lane() == 0 && !dead && (way == CREW_RESIZE || way == CREW_ROUNDS))
                crew_passed(&c, round);
            more = way == CREW_TASKS ? more : value[0] < rounds;
        }
        rd_once(!dead)
            rd_crew_end(&crew);
        deaths += dead;
        joined = 1;
        lives = dead;
        rd_once(dead)
            lives = rd_crew_join(&crew, value, CREW_ROOM);
    }
    if (rd_lane() == 0)
        rd_add_rlx(&out[CREW_KILLS], deaths); /* read by the host */
}

#define CREW_KERNELS(k) k(crew_run, CREW_ARGS)
rd_kernels(CREW_KERNELS);
