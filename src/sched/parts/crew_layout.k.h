/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crew_layout.k.h - the word of a crew (crew.k.h), and its mail. Plain numbers: host and kernels include it.
 *
 * The word has 64 bits: groups that live, how many the scheduler wants, how many have come to the barrier, and the
 * phase of the barrier, 16 bits each; the two highest bits of the phase say that a fork is under way, and that it is
 * over.
 */
#ifndef RD_SCHED_CREW_LAYOUT_H
#define RD_SCHED_CREW_LAYOUT_H

#define RD_CREW_LIVE    0u /* where the fields begin */
#define RD_CREW_WANTED  16u
#define RD_CREW_ARRIVED 32u
#define RD_CREW_PHASE   48u
#define RD_CREW_PHASES  0x3fffu
#define RD_CREW_FORKING (1ull << 62)
#define RD_CREW_OVER    (1ull << 63)
/* At the start: so many live, as many are wanted. */
#define RD_CREW_FIRST(live, wanted) ((live) | (wanted) << RD_CREW_WANTED)

/* Mail: for each group a mark and `room` words, then `room` words of group 0's. Zero at the start. */
#define RD_CREW_MAIL(groups, room) (((room) + 1u) * (groups) + (room))

#endif
