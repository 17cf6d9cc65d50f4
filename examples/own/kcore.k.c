/* SPDX-License-Identifier: Apache-2.0 */
/* The k-core of each vertex of a simple graph: stage k takes away who has at most k neighbours left, and whoever that
 * leaves with k. */
#include "model/frontier.k.h"

RD_APP(cores, "k-cores: the coreness of every vertex, by peeling")
RD_ARRAY(rd_u32, left, vertices, degree) /* neighbours that are left; when it is taken away, its coreness */
RD_ARRAY(rd_u32, more, 1, 0)
RD_RESULT(left)
RD_SEEDS(where)
RD_STAGES(k, more)
RD_SYMMETRIC()
RD_SAMPLE("graph=kron:8")

rd_fn rd_u32 rd_app_is_seed(const rd_app *a, rd_u32 v)
{
    const rd_u32 left = rd_ld_rlx(&a->left[v]);
    if (left <= a->k)
        return left == a->k ? RD_SEED_NOW : RD_SEED_NO;
    rd_st_rlx(&a->more[0], 1); /* somebody is left for another stage */
    return RD_SEED_LATER;
}

rd_fn rd_u32 rd_app_open(const rd_app *a, rd_u32 u)
{
    return 0;
}

rd_fn rd_u32 rd_app_want(const rd_app *a, rd_u32 value, rd_u32 v)
{
    return rd_ld_rlx(&a->left[v]) > a->k; /* partner: the subtraction below */
}

rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    const rd_u32 old = rd_add_rlx(&a->left[v], 0xffffffffu); /* partner: the same in other lanes */
    if (old == a->k + 1)
        rd_give(w, v);
    else if (old <= a->k) /* it was taken away since: what was subtracted goes back */
        rd_add_rlx(&a->left[v], 1);
}

#ifdef RD_CHECK
#include <stdlib.h>
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c) /* for each k, who has at most k, until nobody has */
{
    rd_u32 *left = malloc(4ull * c->vertices + 4), rest = left ? c->vertices : 0, gone;
    rd_u64 wrong = left ? RD_RIGHT : 0;
    for (rd_u32 v = 0; v < rest; v++)
        left[v] = (rd_u32)(c->row[v + 1] - c->row[v]);
    for (rd_u32 k = 0; rest; k++)
        do {
            gone = 0;
            for (rd_u32 v = 0; v < c->vertices; v++) {
                if (left[v] == RD_NONE || left[v] > k)
                    continue;
                wrong = wrong == RD_RIGHT && a->left[v] != k ? v : wrong;
                left[v] = RD_NONE; /* it is gone */
                gone++;
                for (rd_u64 e = c->row[v]; e < c->row[v + 1]; e++)
                    left[c->col[e]] -= left[c->col[e]] != RD_NONE;
            }
            rest -= gone;
        } while (gone);
    free(left);
    return wrong;
}
#endif
