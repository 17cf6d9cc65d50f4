/* SPDX-License-Identifier: Apache-2.0 */
/* The critical path to each vertex, as a task graph whose dependencies are the edges of a graph: a vertex is a task
 * that waits for all edges that lead to it. One with many edges makes tasks for what is more than 32. */
#define RD_TASK_RELEASES 64
#include "model/dag.k.h"

RD_APP(critical, "critical path: the longest way to every vertex, over edges that lead to higher numbers")
RD_OPTION(rd_u32, whole, 0, 0, 1, "1: over all edges, of a graph that has no cycles")
RD_ROWS(row)
RD_TARGETS(col)
RD_WEIGHTS(weight)
RD_ARRAY(rd_u32, length, vertices, 0)
RD_ARRAY(rd_u32, enter, vertices, indegree)
RD_ARRAY(rd_u32, of, vertices + edges / 16, index) /* whose edges a task has, and where it was made, which: */
RD_ARRAY(rd_u64, from, vertices + edges / 16, 0)
RD_ARRAY(rd_u64, to, vertices + edges / 16, 0)
RD_TASKS(vertices, vertices + edges / 16)
RD_RESULT(length)

rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 v)
{
    rd_u32 lower = 0;
    for (rd_u64 e = rd_ld_const(&a->row[v]); e < rd_ld_const(&a->row[v + 1]); e++)
        lower += rd_ld_const(&a->col[e]) < v; /* the graph is symmetric: they lead here too */
    return a->whole ? a->enter[v] : lower;
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
{
    const rd_u32 v = a->of[t], made = a->to[t] > 0;
    rd_u64 from = made ? a->from[t] : a->row[v], to = made ? a->to[t] : a->row[v + 1];
    for (; to - from > 32; to -= (to - from) / 2)
        if (rd_lane() == 0) {
            const rd_u32 u = rd_new_task(w, 0); /* there is room: each has 16 edges or more in the end */
            a->of[u] = v;
            a->from[u] = to - (to - from) / 2;
            a->to[u] = to;
        }
    for (rd_u64 e = from + rd_lane(); e < to; e += rd_lanes()) {
        const rd_u32 u = a->col[e];
        if (u > v || a->whole) {
            rd_max_rlx(&a->length[u], rd_ld_rlx(&a->length[v]) + a->weight[e]); /* partner: the same of other tasks */
            rd_release(w, u);
        }
    }
}

#ifdef RD_CHECK
/* No edge offers more than what its target has, and one offers that. */
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    for (rd_u32 v = 0; v < c->vertices; v++)
        for (rd_u64 e = c->row[v]; e < c->row[v + 1]; e++) {
            const rd_u32 u = c->col[e], way = a->length[v] + c->weight[e];
            if ((u > v || a->whole) && way > a->length[u])
                return u;
            if ((u > v || a->whole) && way == a->length[u])
                a->enter[u] = 0x80000000u;
        }
    for (rd_u32 v = 0; v < c->vertices; v++)
        if (a->length[v] && a->enter[v] != 0x80000000u)
            return v;
    return RD_RIGHT;
}
#endif
