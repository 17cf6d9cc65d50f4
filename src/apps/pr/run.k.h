/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run.k.h - PageRank: an iteration of many vertices by a core, in one loop. Part of pr/pr.k.c; computes what pr_pull
 * does.
 *
 * In place a vertex waits for the one before it: most often that is a neighbour, and what it passes on was stored just
 * now. So the way from there to what this vertex passes on is kept short. All of it that does not depend on neighbours
 * is worked out beside: share = rest + each * sum, and that is a multiplication and an addition. Of a row of a few
 * edges the last are added first: rows are in order, so those have higher numbers, and are not waited for; and there
 * are two sums. On a mesh this is a quarter of the time.
 *
 * Orders: relaxed atomics, as in pr/pr.k.c; other cores write and read shares meanwhile.
 */
#ifndef RD_APPS_PR_RUN_K_H
#define RD_APPS_PR_RUN_K_H

#define PR_MANY  16 /* edges for which four sums pay */
#define PR_BLOCK 64 /* edges that are added up as they come; sums of more would be rounded too often */

rd_fn rd_f32 pr_kept(rd_f32 x, rd_u32 kept)
{
    return rd_as_f32(rd_as_u32(x) & (0u - kept));
}

/* Two to four edges without a branch: how many there are is hard to foresee. By masks, since x86-64 has no choice
 * between two fractions. */
rd_fn rd_f32 pr_sum_few(rd_global const rd_u32 *col, rd_u64 edges, rd_global const rd_u32 *shares)
{
    const rd_u32 three = edges > 2, four = edges > 3;
    const rd_f32 w = rd_ldf_stale(&shares[rd_ld_const(&col[0])]); /* partner of all these: the store in rd_app_run */
    const rd_f32 x = rd_ldf_stale(&shares[rd_ld_const(&col[1])]);
    const rd_f32 y = rd_ldf_stale(&shares[rd_ld_const(&col[1 + three])]);
    const rd_f32 z = rd_ldf_stale(&shares[rd_ld_const(&col[edges - 1])]);
    return (w + x) + (pr_kept(y, three) + pr_kept(z, four));
}

/* Up to PR_BLOCK edges. */
rd_fn rd_f32 pr_sum(rd_global const rd_u32 *col, rd_u64 edges, rd_global const rd_u32 *shares)
{
    rd_f32 w = 0, x = 0, y = 0, z = 0;
    if (edges == 1) /* where they are many, most are foreseen: leaves of a hub, ends of chains */
        return rd_ldf_stale(&shares[rd_ld_const(&col[0])]);
    if (edges - 2 < 3)
        return pr_sum_few(col, edges, shares);
    if (edges >= PR_MANY) {
        rd_global const rd_u32 *const end = col + (edges - edges % 4);
        for (; col < end; col += 4) {
            w += rd_ldf_stale(&shares[rd_ld_const(&col[0])]);
            x += rd_ldf_stale(&shares[rd_ld_const(&col[1])]);
            y += rd_ldf_stale(&shares[rd_ld_const(&col[2])]);
            z += rd_ldf_stale(&shares[rd_ld_const(&col[3])]);
        }
        edges %= 4;
    }
    for (; edges > 1; edges -= 2) {
        w += rd_ldf_stale(&shares[rd_ld_const(&col[edges - 1])]);
        x += rd_ldf_stale(&shares[rd_ld_const(&col[edges - 2])]);
    }
    w = (w + y) + (x + z);
    return edges ? w + rd_ldf_stale(&shares[rd_ld_const(&col[0])]) : w;
}

/* More: block by block, and what a rounding took is given back by the next addition (W. Kahan, 1965). */
rd_fn rd_f32 pr_sum_many(rd_global const rd_u32 *col, rd_u64 edges, rd_global const rd_u32 *shares)
{
    rd_f32 sum = 0, lost = 0;
    for (rd_u64 e = 0; e < edges; e += PR_BLOCK) {
        const rd_f32 x = pr_sum(&col[e], edges - e < PR_BLOCK ? edges - e : PR_BLOCK, shares) - lost, more = sum + x;
        lost = (more - sum) - x;
        sum = more;
    }
    return sum;
}

rd_fn rd_u32 rd_app_run(const rd_app *a, const rd_sweep *s, rd_u32 at, rd_u32 end, rd_gain *gain)
{
    rd_global const rd_u64 *const row = s->row, *const out = a->out_row;
    rd_global const rd_u32 *const col = s->col;
    rd_global rd_u32 *const from = pr_from(a, s), *const to = pr_to(a, s);
    const rd_f32 leap = s->phase >= PR_LEAP && s->phase < PR_STAY ? a->leap : 0.0f, hub = a->hub;
    /* The rank that leaps lead away from. The other array has none before the second iteration. */
    rd_global const rd_u32 *const back = a->ways & PR_RELAXED || s->phase == PR_PULL ? from : to;
    const rd_f32 alpha = a->alpha, base = a->base, far_alpha = (1 + leap) * alpha, far_base = (1 + leap) * base;
    rd_f32 total = 0, ranks = 0, most = 0;
    rd_u64 e = rd_ld_const(&row[at]), o = rd_ld_const(&out[at]);
    for (; at < end; at++) {
        const rd_u64 edges = rd_ld_const(&row[at + 1]) - e, leave = rd_ld_const(&out[at + 1]) - o;
        const rd_f32 degree = leave ? (rd_f32)(rd_i64)leave : 1.0f, part = 1.0f / degree;
        const rd_f32 old = rd_ldf_stale(&from[at]) * degree, was = rd_ldf_stale(&back[at]) * degree;
        const rd_f32 rest = (far_base - leap * was) * part, each = far_alpha * part;
        const rd_f32 sum = edges <= PR_BLOCK ? pr_sum(&col[e], edges, from) : pr_sum_many(&col[e], edges, from);
        const rd_f32 share = rest + each * sum, rank = base + alpha * sum;
        rd_stf_rlx(&to[at], share); /* partner: the loads above, in other cores */
        if (degree >= hub)
            rd_stf_rlx(&to[s->vertices + rd_ld_const(&a->place[at])], share); /* the same */
        const rd_f32 change = rd_as_f32(rd_as_u32(rank - old) & 0x7fffffffu); /* without its sign */
        total += change;
        most = change > most ? change : most;
        ranks += share * degree;
        e += edges;
        o += leave;
    }
    gain->total += total;
    gain->most = rd_as_u32(most) > gain->most ? rd_as_u32(most) : gain->most;
    gain->second += ranks;
    return at;
}

#endif
