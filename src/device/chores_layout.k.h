/* SPDX-License-Identifier: Apache-2.0 */
/* chores_layout.k.h - what the host gives kernel chores_do: runs of equal words, among the arguments of the launch.
 * Plain numbers: both sides include it. */
#ifndef RD_DEVICE_CHORES_LAYOUT_H
#define RD_DEVICE_CHORES_LAYOUT_H

#define CHORES_BUFFERS 8
#define CHORES_RUNS    64 /* OpenCL promises 1,024 bytes of arguments: these are 800, and nine pointers 72 */

/* Runs of the buffers up to this one; of each run the first word, how many there are, and what they are to be. */
#define CHORES_LIST(u32)                                                                                               \
    typedef struct {                                                                                                   \
        u32 end[CHORES_BUFFERS], at[CHORES_RUNS], count[CHORES_RUNS], word[CHORES_RUNS];                               \
    } chores_list

/* clang-format off */
#define CHORES_EACH(x) x(0) x(1) x(2) x(3) x(4) x(5) x(6) x(7)
#define CHORES_ARGS(buf, arg)                                               \
    buf(rd_u32, to_0) buf(rd_u32, to_1) buf(rd_u32, to_2) buf(rd_u32, to_3) \
    buf(rd_u32, to_4) buf(rd_u32, to_5) buf(rd_u32, to_6) buf(rd_u32, to_7) \
    arg(chores_list, list)
/* clang-format on */

#endif
