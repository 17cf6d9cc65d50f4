/* SPDX-License-Identifier: Apache-2.0 */
/*
 * state.k.h - shortest paths, the part that all schedulers share: what is known of a vertex, and how an edge
 * improves it.
 *
 * Without parents a vertex has one word, its distance. With parents it has one 64-bit word, distance << 32 | parent, so
 * that one atomic minimum changes both; on a tie the smaller parent stays, whoever comes first. After D. Troendle,
 * "Scheduling Irregular Workloads on GPUs", 2018, chapter 8.
 *
 * Weights and distances are whole numbers, or, with SSSP_REAL (root sssp_real), 32-bit floats that are not negative:
 * their bits have the order of the numbers, so the same words and the same atomic minimum do. A float sum is rounded;
 * rounding keeps order, so a shorter way to u never makes the way on to v longer, and whatever the order of tasks the
 * least sum is found, where sums are added up from the source on.
 *
 * Edges of weight 0 must not change a parent on a tie: two vertices at the same distance could end up as each other's
 * parent. They improve by compare-and-swap, only when the distance gets smaller. Then parents make a tree: along an
 * edge of positive weight the distance falls; along one of weight 0 the parent had its final distance earlier. A float
 * may be so small beside the distance that the sum is the distance: then it counts as 0.
 *
 * A distance that does not fit 32 bits is not stored; SSSP_OVERFLOW of the notes is set. Shorter paths do not pass
 * through longer ones, so all distances that fit are right nevertheless. The host looks whether one is missing.
 */
#ifndef RD_APPS_SSSP_STATE_K_H
#define RD_APPS_SSSP_STATE_K_H

#include "model/frontier.k.h"
#include "apps/sssp/layout.k.h"

#define SSSP_NONE 0xffffffffu

/* distance and best are the same memory: distance is used without parents, best with them. */
rd_context(rd_app, RD_APP_ARGS);

/* The distance of v now; it may fall at any moment. */
rd_fn rd_u32 sssp_distance(const rd_app *a, rd_u32 v)
{
    return a->parents ? (rd_u32)(rd_ld64_rlx(&a->best[v]) >> 32) : rd_ld_rlx(&a->distance[v]); /* partner: sssp_offer */
}

#ifdef SSSP_REAL
#define SSSP_INFINITE 0x7f800000u

rd_fn rd_u32 sssp_sum(rd_u32 from, rd_u32 weight)
{
    return rd_as_u32(rd_as_f32(from) + rd_as_f32(weight));
}

rd_fn rd_u32 sssp_too_long(rd_u32 from, rd_u32 way)
{
    return way >= SSSP_INFINITE;
}

/* The bucket of a distance; delta is one over the width of a bucket, as bits. */
rd_fn rd_u32 sssp_bucket(const rd_app *a, rd_u32 distance)
{
    const rd_f32 bucket = rd_as_f32(distance) * rd_as_f32(a->delta);
    return bucket < 2147483648.0f ? (rd_u32)bucket : 0x80000000u; /* not-a-number, of no distance, is the last too */
}
#else
rd_fn rd_u32 sssp_sum(rd_u32 from, rd_u32 weight)
{
    return from + weight;
}

rd_fn rd_u32 sssp_too_long(rd_u32 from, rd_u32 way)
{
    return way < from || way == SSSP_NONE;
}

/* The bucket of a distance; delta is 2^32 over the width of a bucket: a division would take longer than the rest. */
rd_fn rd_u32 sssp_bucket(const rd_app *a, rd_u32 distance)
{
    return (rd_u32)((rd_u64)distance * a->delta >> 32);
}
#endif

/* The way by edge e from a vertex at `from`. @return its length, SSSP_NONE when it does not fit. */
rd_fn rd_u32 sssp_way(const rd_app *a, rd_u32 from, rd_u64 e)
{
    const rd_u32 way = sssp_sum(from, rd_ld_const(&a->weight[e]));
    if (sssp_too_long(from, way)) {
        rd_st_rlx(&a->notes[SSSP_OVERFLOW], 1); /* read by the host */
        return SSSP_NONE;
    }
    return way;
}

/* Strictly better only, by compare-and-swap. @return the distance it had before. */
rd_fn rd_u32 sssp_offer_strictly(const rd_app *a, rd_u32 u, rd_u32 v, rd_u32 way)
{
    rd_u64 old = rd_ld64_rlx(&a->best[v]), seen = 0; /* partner: all changes of best[v], as below */
    while ((rd_u32)(old >> 32) > way && old != seen) {
        seen = old;
        old = rd_cas64_rlx(&a->best[v], seen, (rd_u64)way << 32 | u); /* partner: likewise */
    }
    return (rd_u32)(old >> 32);
}

/* Offers v the way of length `way` by u, which is at `from`. @return the distance v had before: larger when this one
 * won. */
rd_fn rd_u32 sssp_offer(const rd_app *a, rd_u32 u, rd_u32 from, rd_u32 v, rd_u32 way)
{
    if (!a->parents)
        return rd_min_rlx(&a->distance[v], way); /* partner: the same in other lanes; relaxed: no other data */
    if (way == from)
        return sssp_offer_strictly(a, u, v, way);
    return (rd_u32)(rd_min64_rlx(&a->best[v], (rd_u64)way << 32 | u) >> 32); /* partner: as above */
}

#endif
