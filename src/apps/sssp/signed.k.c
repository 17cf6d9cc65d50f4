/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signed.k.c - shortest paths where weights, whole numbers, may be negative. As sssp/sssp.k.c without buckets: a vertex
 * that is improved becomes a task, again and again (R. Bellman, 1958; L. Ford, 1956), and when no task is left no edge
 * offers less than what its target has. Not so where a cycle of negative weight can be reached: going round it improves
 * for ever, and there is no shortest path.
 *
 * One 64-bit word a vertex: distance, as a number with its lowest value at 0, above parent. It changes by
 * compare-and-swap, and only to a smaller distance, so that no tie ever changes a parent.
 *
 * Finding the cycle. Parents that lead round in a circle are such a cycle, and they do so soon after it is reached. So
 * who improves a vertex v that had a distance, from u, goes up the parents of u to see whether v is there: a few steps,
 * which finds short cycles; once in a thousand times as many as there are vertices, which finds all. When v is met, and
 * its word is still the one just written, there is a cycle of negative weight: along the way each word was the parent's
 * distance of then, which can only have fallen, and the weight; added up, the cycle comes to no more than u's distance
 * at the end of the way less the one that v was offered by; that is less than 0, as some step of the way is younger
 * than the offer or older than v's word. Then SSSP_CYCLE is noted, nothing is given any more, and the run ends; the
 * host finds out who is on it. A distance below what 32 bits hold is noted too.
 */
#define RD_APP_URGENT  1 /* corrections go first */
#define RD_APP_REPEATS 1 /* a vertex may be given again */
#define RD_APP_RANKS   1 /* nearest first, where the policy has an order */
#include "model/frontier.k.h"

#include "apps/sssp/layout.k.h"

#define SSSP_NONE  0xffffffffu
#define SSSP_STEPS 32u
#define SSSP_RARE  1024u /* of so many improvements one looks all the way */

/* clang-format off */
#define RD_APP_ARGS(buf, arg)      \
    buf(const rd_u32, weight)      \
    buf(rd_u64, best)              \
    buf(rd_u32, notes)             \
    arg(rd_u32, sssp_vertices)
/* clang-format on */
rd_context(rd_app, RD_APP_ARGS);

rd_fn rd_u32 sssp_distance(const rd_app *a, rd_u32 v)
{
    return (rd_u32)(rd_ld64_rlx(&a->best[v]) >> 32); /* partner: the swap in rd_app_edge */
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return sssp_distance(a, u);
}

rd_fn rd_u32 rd_app_rank(const rd_app *a, rd_u32 v)
{
    return sssp_distance(a, v);
}

/* One bucket for all. */
rd_fn rd_u32 rd_app_when(const rd_app *a, rd_u32 v)
{
    return 0;
}

/* A way may get shorter by any edge. */
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 from, rd_u32 v)
{
    return 1;
}

/* Does the way up from u lead to v, whose word is `word`? See above. */
rd_fn rd_u32 sssp_goes_round(const rd_app *a, rd_u32 u, rd_u32 v, rd_u64 word)
{
    const rd_u32 rare = ((rd_u32)(word >> 32) * 2654435769u ^ v * 0x7feb352du) % SSSP_RARE == 0;
    rd_u32 steps = rare ? a->sssp_vertices : SSSP_STEPS, at = u;
    while (steps && at != v) {
        const rd_u32 up = (rd_u32)rd_ld64_rlx(&a->best[at]); /* partner: the swap in rd_app_edge */
        steps = up == at ? 0 : steps - 1;                    /* the source is its own parent */
        at = up;
    }
    return at == v && rd_ld64_rlx(&a->best[v]) == word; /* partner: likewise */
}

/* Improves v, strictly. @return the distance it had before: larger when this one won. */
rd_fn rd_u32 sssp_offer(const rd_app *a, rd_u32 u, rd_u32 v, rd_u32 way)
{
    rd_u64 old = rd_ld64_rlx(&a->best[v]), seen = 0; /* partner: the same in other lanes */
    while ((rd_u32)(old >> 32) > way && old != seen) {
        seen = old;
        old = rd_cas64_rlx(&a->best[v], seen, (rd_u64)way << 32 | u); /* partner: likewise */
    }
    return (rd_u32)(old >> 32);
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 from, rd_u32 v, rd_u64 e)
{
    const rd_i64 sum = (rd_i64)from + (rd_i32)rd_ld_const(&a->weight[e]);
    if (sum < 0 || sum >= (rd_i64)SSSP_NONE) { /* both are read by the host */
        rd_st_rlx(&a->notes[sum < 0 ? SSSP_CYCLE : SSSP_OVERFLOW], 1);
        return;
    }
    if (rd_ld_rlx(&a->notes[SSSP_CYCLE])) /* partner: the stores here; an old 0 costs more of the same */
        return;
    const rd_u32 way = (rd_u32)sum, old = sssp_offer(a, u, v, way);
    if (old <= way)
        return;
    if (old == SSSP_NONE) {
        rd_give(w, v);
    } else if (sssp_goes_round(a, u, v, (rd_u64)way << 32 | u)) {
        rd_st_rlx(&a->notes[SSSP_CYCLE], 1); /* read by the host and above */
    } else {
#if RD_ROUNDS
        rd_give_again(w, v);
#else
        rd_give_urgent(w, v);
#endif
    }
}
