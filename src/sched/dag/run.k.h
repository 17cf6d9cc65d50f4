/* SPDX-License-Identifier: Apache-2.0 */
/* run.k.h - the kernels of engines for task graphs: dag/group.k.h, behind what is the policy's own. */
#ifndef RD_SCHED_DAG_RUN_K_H
#define RD_SCHED_DAG_RUN_K_H

#include "sched/dag/group.k.h"

/* That the release which a lane took for the last one was it. Late: on a GPU the answer is a trip to memory, and who
 * became ready need not wait for it. */
rd_fn void dag_check_last(dag_group *g)
{
    if (g->missing != 1)
        rd_st_rlx(&g->w.trouble[DAG_OFTEN], g->last + 1); /* partner: the host, after the launch; so below */
    g->missing = 1;
}

/* A release of u by this task. @return 1: it was the last one. */
rd_fn rd_u32 dag_count_down(const dag_ctx *c, dag_group *g, rd_u32 *u)
{
    if (*u & DAG_READY && *u != RD_NONE) {
        *u &= ~DAG_READY;
        return 1;
    }
    if (*u == RD_NONE) {
        rd_st_rlx(&g->w.trouble[DAG_STRANGER], g->w.task + 1);
        return 0;
    }
#if DAG_LOOKS_FIRST
    if (rd_ld_acq(&c->dg_waits[*u]) == 1) { /* pairs with the release in the addition below, of others */
        dag_check_last(g);
        g->last = *u;
        g->missing = rd_add_rlx(&c->dg_waits[*u], 0u - 1u); /* partner: a release too many */
        return 1;
    }
#endif
    const rd_u32 missing = rd_add_acqrel(&c->dg_waits[*u], 0u - 1u); /* pairs with itself, of u's other releases */
    if (missing == 0)
        rd_st_rlx(&g->w.trouble[DAG_OFTEN], *u + 1);
    return missing == 1;
}

#if DAG_ONE_WARP

/* Lists those of u[base .. base + lanes) that their last release made ready. @return how many are listed. */
rd_fn rd_u32 dag_list_ready(const dag_ctx *c, dag_group *g, rd_u32 base, rd_u32 count, rd_u32 ready)
{
    rd_u32 u = base + rd_lane() < count ? g->w.list[base + rd_lane()] : 0;
    const rd_u32 mine = base + rd_lane() < count && dag_count_down(c, g, &u), all = rd_warp_ballot(mine);
    if (mine)
        g->ready[ready + rd_popcount(all & ((1u << rd_warp_lane()) - 1))] = u;
    return ready + rd_popcount(all);
}

#else

/* A place on the list of ready tasks, for this lane. */
rd_fn rd_u32 dag_place(rd_local rd_u32 *count)
{
#if RD_LANES == 1
    return (*count)++;
#else
    return rd_add_local(count, 1); /* partner: itself; read behind a barrier */
#endif
}

#endif

/* All lanes, after the task: counts down what it released. @return how many of those are ready; they are in g->ready.
 */
rd_fn rd_u32 dag_settle(const dag_ctx *c, dag_group *g)
{
    rd_barrier(); /* the task is done, in all lanes, and its list is complete */
    const rd_u32 listed = *g->w.listed, count = listed < RD_TASK_RELEASES ? listed : RD_TASK_RELEASES;
    if (listed > count)
        rd_st_rlx(&g->w.trouble[DAG_MANY], g->w.task + 1); /* partner: the host */
#if DAG_ONE_WARP
    rd_u32 ready = dag_list_ready(c, g, 0, count, 0);
#if RD_TASK_RELEASES > RD_LANES
    for (rd_u32 base = RD_LANES; base < count; base += RD_LANES)
        ready = dag_list_ready(c, g, base, count, ready);
#endif
    rd_barrier(); /* all that became ready */
    return ready;
#else
    for (rd_u32 i = rd_lane(); i < count; i += rd_lanes()) {
        rd_u32 u = g->w.list[i];
        if (dag_count_down(c, g, &u))
            g->ready[dag_place(&g->board[BOARD_READY + g->odd])] = u;
    }
    rd_barrier(); /* all that became ready */
    return g->board[BOARD_READY + g->odd];
#endif
}

/* Runs a task, and gives away what it made ready. */
rd_fn void dag_run_task(const dag_ctx *c, const rd_app *app, dag_group *g, DAG_POLICY *p, rd_u32 task)
{
    g->w.task = task;
    g->w.listed = &g->board[BOARD_LISTED + g->odd];
    rd_app_task(app, &g->w, task);
    const rd_u32 ready = dag_settle(c, g), keeps = ready && !(c->dg_choices & DAG_QUEUED);
    g->kept = keeps ? g->ready[0] : DAG_NONE;
    g->own += rd_lane() == 0 ? keeps : 0;
    g->tasks += rd_lane() == 0;
    dag_give(c, g, p, keeps, ready - keeps);
}

/* Lane 0: what is to be done in this turn, as far as it is known. */
rd_fn void dag_plan(const dag_ctx *c, dag_group *g, rd_u32 stops)
{
    const rd_u32 odd = g->odd;
    g->board[BOARD_TASK + odd] = g->kept;
    g->board[BOARD_LEAVE + odd] = stops || (c->dg_limit && (g->turn >= c->dg_limit || g->idle_turns >= DAG_IDLE_TURNS));
    g->board[BOARD_LISTED + odd] = g->board[BOARD_READY + odd] = 0;
}

rd_fn void dag_stats(const dag_ctx *c, const dag_group *g)
{
    rd_global rd_u64 *stats = (rd_global rd_u64 *)(c->dg_control + DAG_STATS);
    for (rd_u32 i = 0; i < DAG_COUNTS; i++) {
        const rd_u32 mine = i == DAG_TASKS    ? g->tasks
                            : i == DAG_OWN    ? g->own
                            : i == DAG_STEALS ? g->steals
                            : i == DAG_FAILED ? g->failed
                            : i == DAG_EMPTY  ? g->empty
                                              : 0;
        const rd_u32 sum = rd_group_sum(g->scratch, mine);
        if (rd_lane() == 0 && sum)
            rd_add64_rlx(&stats[i], sum); /* partner: the same add in other groups; read by the host */
    }
}

#define DAG_ASKS_AHEAD (RD_LANES > 1)

rd_fn void dag_body(const dag_ctx *c, const rd_app *app, rd_global const rd_u32 *stop, dag_group *g, DAG_POLICY *p)
{
    rd_u32 leave = 0, asked = 0;
    while (!leave) {
        if (rd_lane() == 0)
            dag_plan(c, g, DAG_ASKS_AHEAD ? asked : rd_asked(stop)); /* partner: the host */
        rd_once(g->kept == DAG_NONE)
            dag_find(c, g, p);
        rd_barrier(); /* the board is complete */
        const rd_u32 task = g->board[BOARD_TASK + g->odd];
        leave = g->board[BOARD_LEAVE + g->odd];
        g->kept = task;
        if (DAG_ASKS_AHEAD && rd_lane() == 0)
            asked = rd_asked(stop); /* for the next turn: its way to memory and back overlaps the task */
        rd_once(task != DAG_NONE && !leave)
            dag_run_task(c, app, g, p, task);
        const rd_u32 idle = task == DAG_NONE;
        g->turn++;
        g->odd ^= 1;
        g->idle_turns = idle ? g->idle_turns + 1 : 0;
        if (idle && !leave)
            rd_idle(g->idle_turns, DAG_IDLE_MOST);
    }
}

/* Before the run: how often each task has to be released, and which are ready. One launch, of any number of groups. */
#define DAG_SEED_ARGS(buf, arg) DAG_ARGS(buf, arg) RD_APP_ARGS(buf, arg)
rd_kernel(dag_seed, DAG_SEED_ARGS)
{
    rd_local_array(rd_u32, dg_scratch, RD_SCRATCH);
    const dag_ctx dg_context = rd_bind(DAG_ARGS);
    const rd_app dg_app = rd_bind(RD_APP_ARGS);
    rd_u32 dg_there = 0;
    for (rd_u64 base = (rd_u64)rd_group() * rd_lanes(); base < dg_known; base += (rd_u64)rd_groups() * rd_lanes()) {
        const rd_u32 t = (rd_u32)base + rd_lane();
        const rd_u32 missing = t < dg_known ? rd_app_waits(&dg_app, t) : RD_NONE;
        rd_u32 all = 0, at = 0;
        if (t < dg_known)
            dg_waits[t] = missing == RD_NONE ? 0 : missing;
        dg_there += missing != RD_NONE;
        const rd_u32 before = rd_group_scan(dg_scratch, missing == 0, &all);
        if (rd_lane() == 0 && all) {
            at = rd_add_rlx(&dg_control[DAG_REAR], all); /* hands out places; partner: itself */
            pending_raise(&dg_control[DAG_PENDING], all);
        }
        at = rd_group_broadcast(dg_scratch, at, 0);
        if (missing == 0)
            dag_put_seed(&dg_context, at + before, t);
    }
    const rd_u32 dg_all = rd_group_sum(dg_scratch, dg_there);
    if (rd_lane() == 0) /* partner: the same in other groups; read by the host */
        rd_add64_rlx((rd_global rd_u64 *)(dg_control + DAG_STATS) + DAG_BEFORE, dg_all);
}

/* Only names with a prefix here: the app's arguments may be called anything else. */
#define DAG_RUN_ARGS(buf, arg) DAG_ARGS(buf, arg) RD_APP_ARGS(buf, arg)
rd_kernel(dag_run, DAG_RUN_ARGS)
{
    rd_local_array(rd_u32, dg_scratch, RD_SCRATCH);
    rd_local_array(rd_u32, dg_board, BOARD_WORDS);
    rd_local_array(rd_u32, dg_list, RD_TASK_RELEASES);
    rd_local_array(rd_u32, dg_ready, RD_TASK_RELEASES);
    DAG_LOCALS(dg_locals)
    const dag_ctx dg_context = rd_bind(DAG_ARGS);
    const rd_app dg_app = rd_bind(RD_APP_ARGS);
    rd_global rd_u32 *const dg_own = dg_line + (rd_u64)rd_group() * DEQUE_LINE;
    dag_group dg_group = {{dg_list, dg_board, dg_waits, dg_control + DAG_NEXT, dg_control + DAG_TROUBLE, dg_most, 0},
                          dg_scratch,
                          dg_board,
                          dg_ready,
                          dg_own[DAG_KEPT] - 1, /* written by the launch before */
                          0,
                          0,
                          0,
                          dg_own[DAG_ACTIVE],
                          0,
                          0,
                          0,
                          0,
                          0,
                          0,
                          1};
    DAG_POLICY dg_policy = dag_wake(&dg_context, dg_locals);
    dag_body(&dg_context, &dg_app, rd_stop_word(), &dg_group, &dg_policy);
    dag_check_last(&dg_group);
    dag_stats(&dg_context, &dg_group);
    if (rd_lane() == 0) {
        dg_own[DAG_KEPT] = dg_group.kept + 1;
        dg_own[DAG_ACTIVE] = dg_group.active;
        dag_sleep(&dg_policy, dg_own);
    }
}

#define DAG_KERNELS(k) k(dag_seed, DAG_SEED_ARGS) k(dag_run, DAG_RUN_ARGS)
rd_kernels(DAG_KERNELS);

#endif
