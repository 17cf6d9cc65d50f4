/* SPDX-License-Identifier: Apache-2.0 */
/*
 * least.k.h - behind the text of an own search on one of several ranks (apps/own/parts.c): its function of an edge is
 * rd_own_edge here, and what it gives is given only if it is to run now and here. Ghosts, vertices from rd_least_owned
 * on, never do: the host tells their owners. A vertex whose word is rd_least_beyond or more waits until the host says
 * so (job/ranks_least.c).
 *
 * Nothing is lost. The word is read after the text has lowered it. It may have fallen further: then whoever lowered it
 * gives the vertex too, and twice is as good as once. If it is below the limit the vertex is given by the last who
 * lowered it, who reads that word or a lower one; if not, the host finds it there.
 */
rd_fn void rd_app_edge(const rd_app *a, rd_worker *w, rd_u32 u, rd_u32 value, rd_u32 v, rd_u64 e)
{
    rd_own_edge(a, w, u, value, v, e);
    const rd_u32 task = w->task & ~RD_TASK_URGENT;
    if (w->given && (task >= a->rd_least_owned ||
                     rd_ld_rlx(&RD_LEAST_WORD(a)[task]) >= a->rd_least_beyond)) { /* partner: the text's minima */
        w->given = 0;
        w->again = 0;
    }
}
