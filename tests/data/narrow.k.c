/* SPDX-License-Identifier: Apache-2.0 */
/* narrow.k.c - an own search that is no breadth-first one: on a path the largest weight counts. */
#define RD_APP_LEAST 1
#define RD_APP_RANKS 1
#define RD_APP_NO_ROUNDS 1
#include "model/frontier.k.h"
RD_APP(narrow, "the least possible largest weight on a path from a source")
RD_SOURCE(from)
RD_OPTION(rd_u32, floor, 0, 0, 1000000, "weights below it count as it")
RD_WEIGHTS(weight)
RD_ARRAY(rd_u32, worst, vertices, RD_NONE)
RD_SET(worst, from, 0)
RD_RESULT(worst)
rd_fn rd_u32 rd_app_rank(const rd_app *a, rd_u32 v)
{
    return rd_ld_rlx(&a->worst[v]);
}
rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return rd_ld_rlx(&a->worst[u]);
}
rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return rd_ld_rlx(&a->worst[v]) > value;
}
rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    rd_u32 x = a->weight[e] < a->floor ? a->floor : a->weight[e];
    x = x < value ? value : x;
    if (rd_min_rlx(&a->worst[v], x) > x)
        rd_give(w, v);
}
#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    for (rd_u32 v = 0; v < c->vertices; v++)
        for (rd_u64 e = c->row[v]; e < c->row[v + 1]; e++) {
            rd_u32 x = c->weight[e] < a->floor ? a->floor : c->weight[e];
            x = x < a->worst[v] ? a->worst[v] : x;
            if (a->worst[v] != RD_NONE && a->worst[c->col[e]] > x)
                return c->col[e];
        }
    return a->worst[a->from] ? a->from : RD_RIGHT;
}
#endif
