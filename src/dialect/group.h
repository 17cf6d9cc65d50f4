/* SPDX-License-Identifier: Apache-2.0 */
/*
 * group.h - collectives of a group, of any width. Three bodies: one lane (nothing to do), lanes in warps (shuffles
 * inside a warp, local memory between warps), and lanes that only share local memory. Each ends with a barrier, so that
 * scratch is free again.
 */
#ifndef RD_DIALECT_GROUP_H
#define RD_DIALECT_GROUP_H

#define RD_SCRATCH (RD_LANES + 1)
#define RD_CORE    (RD_LANES == 1 && RD_WARP == 1)

#if RD_WARP > 1
/* The sum of x over this lane of the warp and all lower ones. */
rd_fn rd_u32 rd_warp_scan(rd_u32 x)
{
    const rd_u32 me = rd_warp_lane();
    rd_u32 sum = x;
    RD_UNROLL
    for (rd_u32 step = 1; step < RD_WARP; step *= 2) {
        const rd_u32 y = rd_warp_shuffle(sum, me >= step ? me - step : me);
        sum += me >= step ? y : 0;
    }
    return sum;
}
#endif

#if RD_LANES == 1

rd_fn rd_u32 rd_group_scan(rd_local rd_u32 *s, rd_u32 x, rd_u32 *total)
{
    *total = x;
    return 0;
}
rd_fn rd_u32 rd_group_sum(rd_local rd_u32 *s, rd_u32 x)
{
    return x;
}
rd_fn rd_u32 rd_group_min(rd_local rd_u32 *s, rd_u32 x)
{
    return x;
}
rd_fn rd_u32 rd_group_max(rd_local rd_u32 *s, rd_u32 x)
{
    return x;
}
rd_fn rd_u32 rd_group_broadcast(rd_local rd_u32 *s, rd_u32 x, rd_u32 lane)
{
    return x;
}

#else

rd_fn rd_u32 rd_group_broadcast(rd_local rd_u32 *s, rd_u32 x, rd_u32 lane)
{
    if (rd_lane() == lane)
        s[0] = x;
    rd_barrier();
    rd_u32 value = s[0];
    rd_barrier();
    return value;
}

#if RD_WARP > 1

/* The three steps of every collective: within each warp, over the warps' results (each lane for itself, at most 32 of
 * them, read from local memory that all lanes read alike, so without conflicts), and the combination. */
rd_fn rd_u32 rd_group_scan(rd_local rd_u32 *s, rd_u32 x, rd_u32 *total)
{
    const rd_u32 me = rd_warp_lane(), warp = rd_lane() / RD_WARP, warps = (rd_lanes() + RD_WARP - 1) / RD_WARP;
    const rd_u32 sum = rd_warp_scan(x);
    if (me == RD_WARP - 1 || rd_lane() == rd_lanes() - 1)
        s[warp] = sum;
    rd_barrier();
    rd_u32 before = 0, all = 0;
    for (rd_u32 i = 0; i < warps; i++) {
        rd_u32 y = s[i];
        before += i < warp ? y : 0;
        all += y;
    }
    rd_barrier();
    *total = all;
    return before + sum - x;
}

#define RD_GROUP_REDUCE(name, JOIN, EMPTY)                                                                             \
    rd_fn rd_u32 name(rd_local rd_u32 *s, rd_u32 x)                                                                    \
    {                                                                                                                  \
        const rd_u32 me = rd_warp_lane(), warps = (rd_lanes() + RD_WARP - 1) / RD_WARP;                                \
        RD_UNROLL                                                                                                      \
        for (rd_u32 step = RD_WARP / 2; step > 0; step /= 2) {                                                         \
            rd_u32 y = rd_warp_shuffle(x, me ^ step);                                                                  \
            y = (rd_lane() ^ step) < rd_lanes() ? y : EMPTY;                                                           \
            x = JOIN(x, y);                                                                                            \
        }                                                                                                              \
        if (me == 0)                                                                                                   \
            s[rd_lane() / RD_WARP] = x;                                                                                \
        rd_barrier();                                                                                                  \
        rd_u32 all = EMPTY;                                                                                            \
        for (rd_u32 i = 0; i < warps; i++)                                                                             \
            all = JOIN(all, s[i]);                                                                                     \
        rd_barrier();                                                                                                  \
        return all;                                                                                                    \
    }

#else

/* Hillis and Steele in place: log2(lanes) rounds, each a read, a barrier, a write, a barrier. */
rd_fn rd_u32 rd_group_scan(rd_local rd_u32 *s, rd_u32 x, rd_u32 *total)
{
    const rd_u32 lane = rd_lane(), lanes = rd_lanes();
    s[lane] = x;
    rd_barrier();
    for (rd_u32 step = 1; step < lanes; step *= 2) {
        rd_u32 y = lane >= step ? s[lane - step] : 0;
        rd_barrier();
        s[lane] += y;
        rd_barrier();
    }
    rd_u32 before = s[lane] - x, all = s[lanes - 1];
    rd_barrier();
    *total = all;
    return before;
}

/* A tree over any number of lanes: in each round lane i takes in lane i + rest, where the upper part may be one short.
 */
#define RD_GROUP_REDUCE(name, JOIN, EMPTY)                                                                             \
    rd_fn rd_u32 name(rd_local rd_u32 *s, rd_u32 x)                                                                    \
    {                                                                                                                  \
        const rd_u32 lane = rd_lane();                                                                                 \
        s[lane] = x;                                                                                                   \
        rd_barrier();                                                                                                  \
        for (rd_u32 n = rd_lanes(); n > 1; n = (n + 1) / 2) {                                                          \
            rd_u32 rest = (n + 1) / 2;                                                                                 \
            if (lane + rest < n)                                                                                       \
                s[lane] = JOIN(s[lane], s[lane + rest]);                                                               \
            rd_barrier();                                                                                              \
        }                                                                                                              \
        rd_u32 all = s[0];                                                                                             \
        rd_barrier();                                                                                                  \
        return all;                                                                                                    \
    }

#endif

#define RD_REDUCE_SUM(a, b) ((a) + (b))
#define RD_REDUCE_MIN(a, b) ((a) < (b) ? (a) : (b))
#define RD_REDUCE_MAX(a, b) ((a) > (b) ? (a) : (b))
RD_GROUP_REDUCE(rd_group_sum, RD_REDUCE_SUM, 0u)
RD_GROUP_REDUCE(rd_group_min, RD_REDUCE_MIN, 0xffffffffu)
RD_GROUP_REDUCE(rd_group_max, RD_REDUCE_MAX, 0u)

#endif

rd_fn rd_u32 rd_group_any(rd_local rd_u32 *s, rd_u32 p)
{
    return rd_group_max(s, p != 0);
}

rd_fn rd_u32 rd_group_all(rd_local rd_u32 *s, rd_u32 p)
{
    return rd_group_min(s, p != 0);
}

#endif
