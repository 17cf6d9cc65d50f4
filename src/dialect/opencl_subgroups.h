/* SPDX-License-Identifier: Apache-2.0 */
/*
 * opencl_subgroups.h - warps by OpenCL's sub-groups (cl_khr_subgroups), RD_CL_SUBGROUPS lanes each: 8, 16 or 32. The
 * host defines it for groups that are whole sub-groups only, of devices that say how wide these are. Extensions that
 * shuffle and vote are used where they are; where not, sub-groups alone do it: a shuffle is a choice from what each
 * lane tells all others, a vote a sum of bits. As in ptx.h all lanes of a warp have to come along.
 */
#ifndef RD_DIALECT_OPENCL_SUBGROUPS_H
#define RD_DIALECT_OPENCL_SUBGROUPS_H

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#endif
#ifdef cl_khr_subgroup_shuffle
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#endif
#ifdef cl_khr_subgroup_ballot
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#endif

#define RD_WARP RD_CL_SUBGROUPS

rd_fn rd_u32 rd_warp_lane(void)
{
    return get_sub_group_local_id();
}

#ifdef cl_khr_subgroup_shuffle
rd_fn rd_u32 rd_warp_shuffle(rd_u32 x, rd_u32 lane)
{
    return sub_group_shuffle(x, lane);
}
#else
rd_fn rd_u32 rd_warp_shuffle(rd_u32 x, rd_u32 lane)
{
    rd_u32 y = x;
    for (rd_u32 i = 0; i < RD_WARP; i++) {
        const rd_u32 z = sub_group_broadcast(x, i);
        y = lane == i ? z : y;
    }
    return y;
}
#endif

#ifdef cl_khr_subgroup_ballot
rd_fn rd_u32 rd_warp_ballot(rd_u32 p)
{
    return sub_group_ballot(p != 0).x;
}
#else
rd_fn rd_u32 rd_warp_ballot(rd_u32 p)
{
    return sub_group_reduce_add(p ? 1u << rd_warp_lane() : 0u);
}
#endif

#endif
