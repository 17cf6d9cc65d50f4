/* SPDX-License-Identifier: Apache-2.0 */
/* Tiled Cholesky: step k of tile (i, j) is a task. Below column j it subtracts the product of two tiles of column k; at
 * k = j the tile is finished, which those to the right of it wait for. */
#define RD_TASK_RELEASES 64 /* a finished tile: all below or right of it */
#include "model/dag.k.h"

RD_APP(cholesky, "the Cholesky factor of a matrix, tile by tile")
RD_OPTION(rd_u32, tiles, 16, 1, 64, "rows of tiles, each of 16 x 16 numbers")
RD_ARRAY(rd_f32, l, 256 * tiles * tiles, 0)
RD_RESULT(l)
RD_TASKS(tiles *tiles *tiles) /* number (k * tiles + i) * tiles + j */
RD_SAMPLE("tiles=4")

rd_fn rd_f32 given(rd_u32 x, rd_u32 y) /* the matrix: positive definite */
{
    return (x == y ? 1.0f : 0.0f) + 1.0f / (1.0f + (rd_f32)(x < y ? y - x : x - y));
}

rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)
{
    const rd_u32 n = a->tiles, k = t / n / n, i = t / n % n, j = t % n;
    return j > i || k > j ? RD_NONE : (rd_u32)(k > 0) + (k < j ? 2 - (rd_u32)(i == j) : (rd_u32)(i > j));
}

rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)
{
    const rd_u32 n = a->tiles, k = t / n / n, i = t / n % n, j = t % n, last = k == j, width = 16 * n;
    const rd_u32 alone = last && i == j, step = alone ? 1 : rd_lanes(); /* rows of a diagonal tile come in order */
    for (rd_u32 r = alone && rd_lane() ? 16 : rd_lane(); r < 16; r += step) {
        rd_global rd_f32 *row = a->l + (16 * i + r) * width;
        for (rd_u32 c = 0; c < 16; c++) {
            rd_global rd_f32 *other = a->l + (16 * j + c) * width;
            rd_f32 x = k ? row[16 * j + c] : given(16 * i + r, 16 * j + c);
            for (rd_u32 d = 0; d < (last ? c : 16); d++)
                x -= row[16 * k + d] * other[16 * k + d];
            row[16 * j + c] = !last ? x : !alone || c < r ? x / other[16 * j + c] : c == r ? rd_sqrt(x) : 0.0f;
        }
    }
    if (!last && rd_lane() == 0)
        rd_release(w, t + n * n);
    for (rd_u32 m = j + 1 + rd_lane(); last && m < n; m += rd_lanes())
        rd_release(w, (j * n + (i == j || m > i ? m : i)) * n + (i == j ? j : m > i ? i : m));
}

#ifdef RD_CHECK
rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)
{
    const rd_u32 side = 16 * a->tiles; /* is the factor times itself the matrix? */
    for (rd_u32 x = 0; x < side; x++)
        for (rd_u32 y = 0; y <= x; y++) {
            rd_f64 sum = -given(x, y);
            for (rd_u32 d = 0; d <= y; d++)
                sum += (rd_f64)a->l[x * side + d] * a->l[y * side + d];
            if (!(sum * sum < 1e-8))
                return x * side + y;
        }
    return RD_RIGHT;
}
#endif
