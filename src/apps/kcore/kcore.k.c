/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kcore.k.c - coreness by peeling. The k-core is what is left when vertices of less than k neighbours are taken away
 * until there are none; the coreness of a vertex is the largest k whose core has it. After V. Batagelj and M.
 * Zaversnik, 2003, and in parallel, level by level, as H. Kabir and K. Madduri, "Parallel k-core decomposition on
 * multicore platforms", 2017.
 *
 * One word a vertex, `core`: its neighbours that are left; when it is taken away, its coreness. Stage k starts
 * from the vertices that have k. A task takes its vertex away: each neighbour with more than k has one less, and
 * whoever brings it to k gives it. So each vertex is a task once, in any order. The subtraction may come too late, when
 * others brought the neighbour to k since it was looked at. Then it is added again. Only words of k and less are added
 * to, so none passes from k + 1 to k twice; and when the stage is over, what was taken away in it has k, and what is
 * left has more. So the vertices with k are those of the stage, and the next one starts from those that have k + 1.
 * Where none has, `note` says what the least is that one has, n: as ~n, so that 0 is nobody.
 *
 * Root kcore_phases (RD_APP_DUE) is the same in one run of rounds, for devices that the host had better not wait for
 * between two k: k is the phase, every vertex waits from the start for the phase of its word, and the scheduler goes
 * from one phase to the next that somebody waits for. A subtraction that comes too late is taken back before the round
 * ends, and from the next one on no edge of phase k finds a word of more than k there, so a word of k stays k: a task
 * finds its k in its own word. Of a word that is still more than k, the scheduler is told the phase that it may be due
 * in now (rd_due): this may be one too low for all, when the word has fallen to k since; then the next phase begins
 * without a task, and is followed by the right one.
 *
 * The graph counts as simple: loops do not count, of parallel edges one does. They are neighbours in a row that
 * ascends.
 *
 * Orders. All atomics are relaxed: a word is all there is to know of a vertex.
 *
 * raddle kcore kron:16 goes from k to the next one that there is. As an own file (raddle run kcore.k.c kron:16) a stage
 * follows for each k.
 */
#include "model/frontier.k.h"

RD_APP(kcore, "k-cores: the coreness of every vertex, by peeling")
RD_ARRAY(rd_u32, core, vertices, 0)
RD_ARRAY(rd_u32, note, 1, 0)
RD_ROWS(row)
RD_TARGETS(col)
RD_OPTION(rd_u32, simple, 0, 0, 1, "1: the graph has no loops and no parallel edges")
RD_SEEDS(where)
RD_STAGES(level, note)
RD_SYMMETRIC()
RD_RESULT(core)
RD_SAMPLE("graph=kron:8")

#define RD_APP_SEED_EDGES (a->level == 0 && !a->simple) /* neighbours are counted once */

#ifdef RD_APP_DUE
#define KCORE_PHASES       1
#define KCORE_K(a, k)      (k) /* of the task's own word */
#define KCORE_DUE(w, when) rd_due(w, when)
#else
#define KCORE_PHASES       0
#define KCORE_K(a, k)      ((a)->level)
#define KCORE_DUE(w, when) (void)0
#endif

/* Is edge e of u's the first one of some to the same vertex? */
rd_fn rd_u32 kcore_is_first(const rd_app *a, rd_u32 u, rd_u64 e, rd_u32 v)
{
    return e == rd_ld_const(&a->row[u]) || rd_ld_const(&a->col[e - 1]) != v;
}

rd_fn rd_u32 rd_app_seed_edge(const rd_app *a, rd_u32 u, rd_u32 v, rd_u64 e)
{
    return v != u && kcore_is_first(a, u, e, v);
}

rd_fn rd_u32 rd_app_is_seed_by(const rd_app *a, rd_u32 v, rd_u32 neighbours)
{
    rd_u32 degree = neighbours;
    if (a->level == 0) { /* the first stage: they are not there yet */
        if (a->simple)
            degree = (rd_u32)(rd_ld_const(&a->row[v + 1]) - rd_ld_const(&a->row[v]));
        rd_st_rlx(&a->core[v], degree); /* read by later launches */
    } else
        degree = rd_ld_rlx(&a->core[v]);
    if (KCORE_PHASES || degree <= a->level)
        return degree == a->level ? RD_SEED_NOW : RD_SEED_NO;
    if (~degree > rd_ld_rlx(a->note)) /* partner: the maximum in other lanes; what is old costs one in vain */
        rd_max_rlx(a->note, ~degree);
    return RD_SEED_LATER;
}

#ifdef RD_APP_DUE
rd_fn rd_u32 rd_app_when(const rd_app *a, rd_u32 v)
{
    return rd_ld_rlx(&a->core[v]); /* partner: the changes below, in other rounds */
}
#endif

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return KCORE_PHASES ? rd_ld_rlx(&a->core[u]) : 0; /* likewise */
}

/* A loop leads to a vertex that has k: it is not wanted. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return rd_ld_rlx(&a->core[v]) > KCORE_K(a, value); /* partner: the changes below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    const rd_u32 k = KCORE_K(a, value);
    if (!a->simple && !kcore_is_first(a, u, e, v))
        return;
    if (KCORE_PHASES && rd_ld_rlx(&a->core[v]) <= k) /* not all that visit edges ask whether they are wanted */
        return;
    const rd_u32 old = rd_add_rlx(&a->core[v], 0xffffffffu); /* partner: the same in other lanes */
    if (old == k + 1)
        rd_give(w, v);
    else if (old <= k) /* likewise */
        rd_add_rlx(&a->core[v], 1);
    else
        KCORE_DUE(w, old - 1);
}

#ifdef RD_CHECK
#include <stdlib.h>
/* One vertex after another: for each k whoever has at most k neighbours left, and whoever that leaves with as few. */
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    const rd_u32 n = c->vertices;
    rd_u32 *left = malloc(4ull * n + 4), *stack = malloc(4ull * n + 4), *core = malloc(4ull * n + 4), done = 0;
    rd_u64 wrong = left && stack && core ? RD_RIGHT : 0;
    for (rd_u32 v = 0; v < n && wrong; v++) {
        left[v] = 0;
        for (rd_u64 e = c->row[v]; e < c->row[v + 1]; e++)
            left[v] += c->col[e] != v && kcore_is_first(a, v, e, c->col[e]);
        core[v] = RD_NONE;
    }
    for (rd_u32 k = 0; done < n && wrong; k++)
        for (rd_u32 s = 0; s < n; s++) {
            rd_u32 used = 0;
            if (core[s] == RD_NONE && left[s] <= k)
                core[stack[used++] = s] = k;
            while (used) {
                const rd_u32 u = stack[--used];
                done++;
                for (rd_u64 e = c->row[u]; e < c->row[u + 1]; e++) {
                    const rd_u32 v = c->col[e];
                    if (v != u && kcore_is_first(a, u, e, v) && core[v] == RD_NONE && --left[v] <= k)
                        core[stack[used++] = v] = k;
                }
            }
        }
    for (rd_u32 v = 0; v < n && wrong == RD_RIGHT; v++)
        wrong = core[v] == a->core[v] ? RD_RIGHT : v;
    free(left);
    free(stack);
    free(core);
    return wrong;
}
#endif
