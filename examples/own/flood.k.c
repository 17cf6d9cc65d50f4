/* SPDX-License-Identifier: Apache-2.0 */
/* Flood fill: from the middle of an image over all pixels that are dark and connected. The image is drawn by a formula,
 * or bound by rd_job_bind. */
#define RD_TASK_WORDS    1 /* the pixel */
#define RD_TASK_CHILDREN 4
#define RD_TASK_JOIN     RD_JOIN_NONE
#include "model/forkjoin.k.h"

RD_APP(flood, "flood fill of the dark pixels around the middle of an image")
RD_OPTION(rd_u32, side, 512, 2, 16384, "rows and columns of the image")
RD_OPTION(rd_u32, dark, 190, 0, 256, "pixels below this are dark, of 256")
RD_ARRAY(rd_u32, image, side *side, 0)
RD_ARRAY(rd_u32, filled, side *side, 0)
RD_RESULT(filled)
RD_SAMPLE("side=40")

rd_fn rd_u32 is_dark(const rd_app *a, rd_u32 p)
{
    const rd_u32 x = p % a->side / 3, y = p / a->side / 3, noise = (x * 73856093u + y * 19349669u) * 2654435761u;
    return a->image[p] + (noise >> 24) < a->dark;
}

rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)
{
    t->word[0] = a->side / 2 * a->side + a->side / 2;
    rd_st_rlx(&a->filled[t->word[0]], 1);
}

rd_fn void go(const rd_app *a, rd_worker *w, rd_u32 p)
{
    rd_task t;
    t.word[0] = p;
    if (is_dark(a, p) && !rd_xchg_rlx(&a->filled[p], 1)) /* partner: the same in other lanes; one of them is first */
        rd_spawn(w, &t);
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)
{
    const rd_u32 p = t->word[0], x = p % a->side, y = p / a->side;
    if (x > 0)
        go(a, w, p - 1);
    if (x + 1 < a->side)
        go(a, w, p + 1);
    if (y > 0)
        go(a, w, p - a->side);
    if (y + 1 < a->side)
        go(a, w, p + a->side);
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    const rd_u32 n = a->side, middle = n / 2 * n + n / 2; /* filled is dark, and so filled are its dark neighbours */
    for (rd_u32 p = 0; p < n * n; p++) {
        if (a->filled[p] && p != middle && !is_dark(a, p))
            return p;
        if (p % n && a->filled[p] != a->filled[p - 1] && is_dark(a, p) && is_dark(a, p - 1))
            return p;
        if (p >= n && a->filled[p] != a->filled[p - n] && is_dark(a, p) && is_dark(a, p - n))
            return p;
    }
    return a->filled[middle] ? RD_RIGHT : middle;
}
#endif
