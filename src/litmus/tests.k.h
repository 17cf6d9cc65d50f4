/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
/*
 * tests.k.h - the shapes, once for kernels and for the model: who includes this defines what each operation is.
 *
 *   ST(order, word, value)           a store: rlx, rel, fen
 *   LD(order, word, register)        a load: rlx, acq
 *   XCHG, ADD(order, word, value, register)   the register gets the old value
 *   PST(word, value)  PLD(word, register)     plain accesses
 *   PLDIF(guard, word, register)     a plain load if register `guard` is not 0; else the register is 0
 *   FENCE_SC()  FENCE_REL()
 *   BAR()                            the barrier of the test's scope: each thread meets all others once
 *
 * A line: t(name, scope, threads, words, registers, thread 0, 1, 2, 3). Words are 0, 1, 2 (x, y, z) and are 0 at first.
 * Names are those of the field: MP message passing, SB store buffering, LB load buffering, S and R, 2+2W, IRIW
 * independent reads of independent writes, WRC write to read causality, ISA2, Co.. coherence of one word. What follows
 * says how strong it is made: each order where a thread writes and reads, or fences.
 */
#ifndef RD_LITMUS_TESTS_H
#define RD_LITMUS_TESTS_H

#define LITMUS_FREE  0
#define LITMUS_GROUP 1
#define LITMUS_GRID  2

#define LITMUS_MESSAGES(t)                                                                                             \
    t(mp, LITMUS_FREE, 2, 2, 2, ST(rlx, 0, 1) ST(rlx, 1, 1), LD(rlx, 1, 0) LD(rlx, 0, 1), , )                          \
    t(mp_rel, LITMUS_FREE, 2, 2, 2, ST(rlx, 0, 1) ST(rel, 1, 1), LD(rlx, 1, 0) LD(rlx, 0, 1), , )                      \
    t(mp_acq, LITMUS_FREE, 2, 2, 2, ST(rlx, 0, 1) ST(rlx, 1, 1), LD(acq, 1, 0) LD(rlx, 0, 1), , )                      \
    t(mp_rel_acq, LITMUS_FREE, 2, 2, 2, ST(rlx, 0, 1) ST(rel, 1, 1), LD(acq, 1, 0) LD(rlx, 0, 1), , )                  \
    t(mp_fen_acq, LITMUS_FREE, 2, 2, 2, ST(rlx, 0, 1) FENCE_REL() ST(fen, 1, 1), LD(acq, 1, 0) LD(rlx, 0, 1), , )      \
    t(mp_fences, LITMUS_FREE, 2, 2, 2,                                                                                 \
      ST(rlx, 0, 1) FENCE_SC() ST(rlx, 1, 1), LD(rlx, 1, 0) FENCE_SC() LD(rlx, 0, 1), , )                              \
    t(mp_add, LITMUS_FREE, 2, 2, 3, ST(rlx, 0, 1) ADD(rel, 1, 1, 2), ADD(acq, 1, 0, 0) LD(rlx, 0, 1), , )              \
    t(mp_xchg, LITMUS_FREE, 2, 2, 3, ST(rlx, 0, 1) XCHG(acqrel, 1, 1, 2), XCHG(acq, 1, 2, 0) LD(rlx, 0, 1), , )        \
    t(mp_plain, LITMUS_FREE, 2, 2, 2, PST(0, 1) ST(rel, 1, 1), LD(acq, 1, 0) PLDIF(0, 0, 1), , )                       \
    t(mp_chain, LITMUS_FREE, 3, 2, 3, ST(rlx, 0, 1) ST(rel, 1, 1), ADD(rlx, 1, 1, 2), LD(acq, 1, 0) LD(rlx, 0, 1), )   \
    t(wrc, LITMUS_FREE, 3, 2, 3, ST(rlx, 0, 1), LD(rlx, 0, 0) ST(rlx, 1, 1), LD(rlx, 1, 1) LD(rlx, 0, 2), )            \
    t(wrc_rel_acq, LITMUS_FREE, 3, 2, 3, ST(rlx, 0, 1), LD(rlx, 0, 0) ST(rel, 1, 1), LD(acq, 1, 1) LD(rlx, 0, 2), )    \
    t(isa2_rel_acq, LITMUS_FREE, 3, 3, 3,                                                                              \
      ST(rlx, 0, 1) ST(rel, 1, 1), LD(acq, 1, 0) ST(rel, 2, 1), LD(acq, 2, 1) LD(rlx, 0, 2), )

#define LITMUS_BUFFERS(t)                                                                                              \
    t(sb, LITMUS_FREE, 2, 2, 2, ST(rlx, 0, 1) LD(rlx, 1, 0), ST(rlx, 1, 1) LD(rlx, 0, 1), , )                          \
    t(sb_rel_acq, LITMUS_FREE, 2, 2, 2, ST(rel, 0, 1) LD(acq, 1, 0), ST(rel, 1, 1) LD(acq, 0, 1), , )                  \
    t(sb_fences, LITMUS_FREE, 2, 2, 2,                                                                                 \
      ST(rlx, 0, 1) FENCE_SC() LD(rlx, 1, 0), ST(rlx, 1, 1) FENCE_SC() LD(rlx, 0, 1), , )                              \
    t(lb, LITMUS_FREE, 2, 2, 2, LD(rlx, 0, 0) ST(rlx, 1, 1), LD(rlx, 1, 1) ST(rlx, 0, 1), , )                          \
    t(lb_rel, LITMUS_FREE, 2, 2, 2, LD(rlx, 0, 0) ST(rel, 1, 1), LD(rlx, 1, 1) ST(rel, 0, 1), , )                      \
    t(lb_acq_rel, LITMUS_FREE, 2, 2, 2, LD(acq, 0, 0) ST(rel, 1, 1), LD(acq, 1, 1) ST(rel, 0, 1), , )                  \
    t(lb_fences, LITMUS_FREE, 2, 2, 2,                                                                                 \
      LD(rlx, 0, 0) FENCE_SC() ST(rlx, 1, 1), LD(rlx, 1, 1) FENCE_SC() ST(rlx, 0, 1), , )                              \
    t(s, LITMUS_FREE, 2, 2, 1, ST(rlx, 0, 2) ST(rlx, 1, 1), LD(rlx, 1, 0) ST(rlx, 0, 1), , )                           \
    t(s_rel_acq, LITMUS_FREE, 2, 2, 1, ST(rlx, 0, 2) ST(rel, 1, 1), LD(acq, 1, 0) ST(rlx, 0, 1), , )                   \
    t(r, LITMUS_FREE, 2, 2, 1, ST(rlx, 0, 1) ST(rlx, 1, 1), ST(rlx, 1, 2) LD(rlx, 0, 0), , )                           \
    t(r_rel_acq, LITMUS_FREE, 2, 2, 1, ST(rlx, 0, 1) ST(rel, 1, 1), ST(rel, 1, 2) LD(acq, 0, 0), , )                   \
    t(r_fences, LITMUS_FREE, 2, 2, 1,                                                                                  \
      ST(rlx, 0, 1) FENCE_SC() ST(rlx, 1, 1), ST(rlx, 1, 2) FENCE_SC() LD(rlx, 0, 0), , )                              \
    t(2_2w, LITMUS_FREE, 2, 2, 0, ST(rlx, 0, 1) ST(rlx, 1, 2), ST(rlx, 1, 1) ST(rlx, 0, 2), , )                        \
    t(2_2w_rel, LITMUS_FREE, 2, 2, 0, ST(rel, 0, 1) ST(rel, 1, 2), ST(rel, 1, 1) ST(rel, 0, 2), , )                    \
    t(2_2w_fences, LITMUS_FREE, 2, 2, 0,                                                                               \
      ST(rlx, 0, 1) FENCE_SC() ST(rlx, 1, 2), ST(rlx, 1, 1) FENCE_SC() ST(rlx, 0, 2), , )                              \
    t(iriw, LITMUS_FREE, 4, 2, 4,                                                                                      \
      ST(rlx, 0, 1), LD(rlx, 0, 0) LD(rlx, 1, 1), ST(rlx, 1, 1), LD(rlx, 1, 2) LD(rlx, 0, 3))                          \
    t(iriw_rel_acq, LITMUS_FREE, 4, 2, 4,                                                                              \
      ST(rel, 0, 1), LD(acq, 0, 0) LD(acq, 1, 1), ST(rel, 1, 1), LD(acq, 1, 2) LD(acq, 0, 3))                          \
    t(iriw_fences, LITMUS_FREE, 4, 2, 4,                                                                               \
      ST(rlx, 0, 1), LD(rlx, 0, 0) FENCE_SC() LD(rlx, 1, 1), ST(rlx, 1, 1), LD(rlx, 1, 2) FENCE_SC() LD(rlx, 0, 3))

#define LITMUS_COHERENCE(t)                                                                                            \
    t(corr, LITMUS_FREE, 2, 1, 2, ST(rlx, 0, 1), LD(rlx, 0, 0) LD(rlx, 0, 1), , )                                      \
    t(coww, LITMUS_FREE, 2, 1, 2, ST(rlx, 0, 1) ST(rlx, 0, 2), LD(rlx, 0, 0) LD(rlx, 0, 1), , )                        \
    t(cowr, LITMUS_FREE, 2, 1, 1, ST(rlx, 0, 1) LD(rlx, 0, 0), ST(rlx, 0, 2), , )                                      \
    t(corw, LITMUS_FREE, 2, 1, 1, LD(rlx, 0, 0) ST(rlx, 0, 1), ST(rlx, 0, 2), , )                                      \
    t(co_iriw, LITMUS_FREE, 4, 1, 4,                                                                                   \
      ST(rlx, 0, 1), LD(rlx, 0, 0) LD(rlx, 0, 1), ST(rlx, 0, 2), LD(rlx, 0, 2) LD(rlx, 0, 3))                          \
    t(co_add, LITMUS_FREE, 3, 1, 3, ADD(rlx, 0, 1, 0), ADD(rlx, 0, 1, 1), ADD(rlx, 0, 1, 2), )                         \
    t(co_xchg, LITMUS_FREE, 2, 1, 3, XCHG(rlx, 0, 1, 0) LD(rlx, 0, 2), XCHG(rlx, 0, 2, 1), , )

/* All plain: the barrier alone orders them. */
#define LITMUS_BARRIERS(t, scope, SCOPE)                                                                               \
    t(mp_##scope, SCOPE, 2, 1, 1, PST(0, 1) BAR(), BAR() PLD(0, 0), , )                                                \
    t(sb_##scope, SCOPE, 2, 2, 2, PST(0, 1) BAR() PLD(1, 0), PST(1, 1) BAR() PLD(0, 1), , )                            \
    t(lb_##scope, SCOPE, 2, 2, 2, PLD(0, 0) BAR() PST(1, 1), PLD(1, 1) BAR() PST(0, 1), , )                            \
    t(s_##scope, SCOPE, 2, 2, 1, PST(0, 2) BAR() PST(1, 1), PLD(1, 0) BAR() PST(0, 1), , )                             \
    t(r_##scope, SCOPE, 2, 2, 1, PST(0, 1) BAR() PST(1, 1), PST(1, 2) BAR() PLD(0, 0), , )                             \
    t(2_2w_##scope, SCOPE, 2, 2, 0, PST(0, 1) BAR() PST(1, 2), PST(1, 1) BAR() PST(0, 2), , )                          \
    t(iriw_##scope, SCOPE, 4, 2, 4,                                                                                    \
      PST(0, 1) BAR(), BAR() PLD(0, 0) PLD(1, 1), PST(1, 1) BAR(), BAR() PLD(1, 2) PLD(0, 3))

#define LITMUS_TESTS(t)                                                                                                \
    LITMUS_MESSAGES(t)                                                                                                 \
    LITMUS_BUFFERS(t)                                                                                                  \
    LITMUS_COHERENCE(t)                                                                                                \
    LITMUS_BARRIERS(t, group, LITMUS_GROUP)                                                                            \
    LITMUS_BARRIERS(t, grid, LITMUS_GRID)

#endif
