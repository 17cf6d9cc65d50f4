/* SPDX-License-Identifier: Apache-2.0 */
/* crew_layout.k.h - arguments of the kernels of crew.k.c, for them and for the host. */
#ifndef RD_SELFTEST_CREW_LAYOUT_H
#define RD_SELFTEST_CREW_LAYOUT_H

#define CREW_ROOM 4 /* words that are handed over */

/* Words of `out`, which kernels add to: */
#define CREW_FAULTS 0 /* CREW_KINDS of them, by kind: */
#define CREW_LIVES  0 /* a group that lives has a number above those that do */
#define CREW_RANGE  1 /* fewer than one live, or more than there are */
#define CREW_VALUE  2 /* what was handed over is not what the forker had */
#define CREW_EARLY  3 /* a barrier opened before all had come, or what they wrote is not there */
#define CREW_MOVED  4 /* the number changed between two resizing barriers */
#define CREW_KINDS  5
#define CREW_KILLS  8  /* what happened: deaths */
#define CREW_FORKS  9  /* groups that joined */
#define CREW_NEXT   10 /* the next task */
#define CREW_CAME   32 /* four words: groups that came to the barrier of a round, in turn */
#define CREW_SAW    40 /* four words: the sum of what they saw there */
#define CREW_DATA   48 /* two words, written plainly by group 0 */
#define CREW_OUT    64

/* How: */
#define CREW_TASKS  0 /* tasks from a counter, kills and forks between them */
#define CREW_ROUNDS 1 /* a barrier between rounds, kills and forks before it */
#define CREW_RESIZE 2 /* the query barrier between rounds */
#define CREW_STEPS  3 /* the same of single steps */
#define CREW_WAYS   4

/* clang-format off */
#define CREW_ARGS(buf, arg)                                      \
    buf(rd_u64, word)                                            \
    buf(rd_u32, mail)                                            \
    buf(rd_u32, item) /* how often each was run */               \
    buf(rd_u32, out)                                             \
    arg(rd_u32, items)                                           \
    arg(rd_u32, rounds)                                          \
    arg(rd_u32, first) /* groups that live at the start */       \
    arg(rd_u32, seed)                                            \
    arg(rd_u32, way)
/* clang-format on */

#endif
