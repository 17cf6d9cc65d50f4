/* SPDX-License-Identifier: Apache-2.0 */
/* The longest path to each vertex of a graph without cycles; edges to lower numbers are left out, so there are none. */
#define RD_APP_NO_ROUNDS 1 /* a vertex runs when all that lead to it have: who is last gives it */
#include "model/frontier.k.h"

RD_APP(longest, "the longest path to every vertex, over edges that lead to higher numbers")
RD_ARRAY(rd_u32, length, vertices, 0)
RD_ARRAY(rd_u32, waits, vertices, 0) /* for so many edges */
RD_ROWS(row)
RD_TARGETS(col)
RD_RESULT(length)
RD_SEEDS(where)
RD_SYMMETRIC() /* so that a vertex can count the edges that lead to it */
RD_SAMPLE("graph=kron:8")

rd_fn rd_u32 rd_app_is_seed(const rd_app *a, rd_u32 v)
{
    rd_u32 count = 0;
    for (rd_u64 e = rd_ld_const(&a->row[v]); e < rd_ld_const(&a->row[v + 1]); e++)
        count += rd_ld_const(&a->col[e]) < v;
    rd_st_rlx(&a->waits[v], count); /* read by a later launch */
    return count ? RD_SEED_NO : RD_SEED_NOW;
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return rd_ld_rlx(&a->length[u]) + 1; /* final: all edges to u have been visited */
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return 1;
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    if (v <= u)
        return;
    rd_max_rlx(&a->length[v], value);
    if (rd_add_acqrel(&a->waits[v], 0xffffffffu) == 1) /* pairs with itself: the last one has seen all maxima */
        rd_give(w, v);
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    for (rd_u32 v = 0; v < c->vertices; v++) { /* numbers ascend along paths */
        rd_u32 longest = 0;
        for (rd_u64 e = c->row[v]; e < c->row[v + 1]; e++)
            if (c->col[e] < v && a->length[c->col[e]] + 1 > longest)
                longest = a->length[c->col[e]] + 1;
        if (longest != a->length[v])
            return v;
    }
    return RD_RIGHT;
}
#endif
