/* SPDX-License-Identifier: Apache-2.0 */
/* Smith-Waterman: the best local alignment of two sequences of letters, in a wavefront of blocks. A block waits for the
 * one above it and the one to its left; the lanes of a group share its diagonals. */
#define RD_TASK_RELEASES 2
#include "model/dag.k.h"

RD_APP(align, "the score of the best local alignment of two sequences")
RD_OPTION(rd_u32, blocks, 32, 1, 512, "blocks of 32 letters in each sequence")
RD_ARRAY(rd_u32, letter, 64 * blocks, 0) /* both, one behind the other: drawn by a formula, or added to it when bound */
RD_ARRAY(rd_i32, score, (32 * blocks + 1) * (32 * blocks + 1), 0)
RD_ARRAY(rd_u32, best, 1, 0)
RD_RESULT(best)
RD_TASKS(blocks *blocks)
RD_SAMPLE("blocks=5")

rd_fn rd_u32 letter_at(const rd_app *a, rd_u32 i)
{
    return (a->letter[i] + ((i % (32 * a->blocks) / 7 * 2654435761u ^ i * 40503u) >> 13)) % 4;
}

rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)
{
    return (rd_u32)(t >= a->blocks) + (rd_u32)(t % a->blocks > 0);
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
{
    const rd_u32 n = 32 * a->blocks, top = t / a->blocks * 32, left = t % a->blocks * 32;
    rd_i32 most = 0;
    for (rd_u32 d = 0; d < 63; d++) {
        for (rd_u32 y = rd_lane(); y <= d && y < 32; y += rd_lanes()) {
            rd_global rd_i32 *at = a->score + (top + y + 1) * (n + 1) + left + d - y + 1;
            const rd_i32 same = d - y < 32 && letter_at(a, top + y) == letter_at(a, n + left + d - y) ? 3 : -3;
            rd_i32 x = d - y < 32 ? *(at - n - 2) + same : 0;
            x = d - y < 32 && *(at - 1) - 2 > x ? *(at - 1) - 2 : x;
            x = d - y < 32 && *(at - n - 1) - 2 > x ? *(at - n - 1) - 2 : x;
            if (d - y < 32)
                *at = x = x > 0 ? x : 0;
            most = x > most ? x : most;
        }
        rd_barrier(); /* the next diagonal reads this one and the one before it */
    }
    rd_max_rlx(&a->best[0], (rd_u32)most); /* partner: itself */
    if (rd_lane() == 0 && top + 32 < n)
        rd_release(w, t + a->blocks);
    if (rd_lane() == 0 && left + 32 < n)
        rd_release(w, t + 1);
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    const rd_u32 n = 32 * a->blocks;
    rd_u32 best = 0;
    for (rd_u32 y = 1; y <= n; y++)
        for (rd_u32 x = 1; x <= n; x++) {
            const rd_i32 *at = a->score + y * (n + 1) + x;
            rd_i32 right = at[-(rd_i32)n - 2] + (letter_at(a, y - 1) == letter_at(a, n + x - 1) ? 3 : -3);
            right = at[-1] - 2 > right ? at[-1] - 2 : right;
            right = at[-(rd_i32)n - 1] - 2 > right ? at[-(rd_i32)n - 1] - 2 : right;
            if (*at != (right > 0 ? right : 0))
                return (rd_u64)y * (n + 1) + x;
            best = (rd_u32)*at > best ? (rd_u32)*at : best;
        }
    return a->best[0] == best ? RD_RIGHT : 0;
}
#endif
