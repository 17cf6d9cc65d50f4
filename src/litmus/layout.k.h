/* SPDX-License-Identifier: Apache-2.0 */
/* layout.k.h - what host and kernels of litmus.k.c agree on. */
#ifndef RD_LITMUS_LAYOUT_H
#define RD_LITMUS_LAYOUT_H

#define LITMUS_REGISTERS 4u
#define LITMUS_WORDS     3u

/* How members of a team are laid over lanes. */
#define LITMUS_FAR  0u /* first members of all teams, then second ones: in other groups */
#define LITMUS_NEAR 1u /* side by side */

/* Words of `out`. */
#define LITMUS_OUT_MET   0u /* instances whose members were all there */
#define LITMUS_OUT_TEAMS 1u /* of a launch that discovered who takes part */
#define LITMUS_OUT_COUNT 2u

/* clang-format off */
#define LITMUS_ARGS(buf, arg)                                                    \
    buf(rd_u32, word)    /* x of all instances, y of all, z of all */            \
    buf(rd_u32, meet)    /* a word an instance */                                \
    buf(rd_u32, result)  /* LITMUS_REGISTERS an instance */                      \
    buf(rd_u32, stress)  /* what those who only disturb write to */              \
    buf(rd_u32, out)                                                             \
    buf(rd_u32, poll)    /* of discovery */                                      \
    buf(rd_u32, grid)    /* of the global barrier */                             \
    arg(rd_u32, test)                                                            \
    arg(rd_u32, threads) /* of the test */                                       \
    arg(rd_u32, members) /* of a team: each runs threads m, m + members ... */   \
    arg(rd_u32, teams)                                                           \
    arg(rd_u32, rounds)  /* instances of a team */                               \
    arg(rd_u32, place)   /* LITMUS_FAR, LITMUS_NEAR */                           \
    arg(rd_u32, stride)  /* lanes are members in steps of it */                  \
    arg(rd_u32, turn)    /* by how much members move on each round */            \
    arg(rd_u32, apart)   /* words from an instance to the next */                \
    arg(rd_u32, patience) /* most looks for the others before a run */           \
    arg(rd_u32, stress_words)                                                    \
    arg(rd_u32, stress_turns)                                                    \
    arg(rd_u32, kind)    /* of discovery */                                      \
    arg(rd_u32, delay)
#define LITMUS_JUDGE_ARGS(buf, arg) \
    buf(rd_u32, word)               \
    buf(rd_u32, result)             \
    buf(rd_u32, out)                \
    buf(rd_u32, seen)               \
    arg(rd_u32, instances) /* room for as many */ \
    arg(rd_u32, teams)     /* 0: see out */       \
    arg(rd_u32, rounds)             \
    arg(rd_u32, words)              \
    arg(rd_u32, registers_used)     \
    arg(rd_u32, apart)
/* clang-format on */

#endif
