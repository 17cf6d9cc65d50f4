/* SPDX-License-Identifier: Apache-2.0 */
/*
 * quiet.c - when is a run over? When every rank is idle and no message is under way: then nobody can ever make another
 * one do something. No rank sees that by itself. After F. Mattern, "Algorithms for distributed termination detection",
 * 1987, the four counters.
 *
 * Ranks take part in waves. In a wave each rank says, once, at a time of its own: how many messages of work it has sent
 * so far, how many it has received, and whether it is idle (nothing to run, nothing in hand). The transport adds these
 * up. A rank takes part in wave k + 1 only after it has seen the result of wave k. The run is over when two waves in a
 * row found all idle, with four equal sums: S1 = R1 = S2 = R2.
 *
 * Proof. Let t be any time after each rank took part in wave 1 and before any takes part in wave 2; there is one,
 * because a rank takes part in wave 2 only when the result of wave 1 is there, for which all had to take part. Counters
 * never fall. So the number of messages received until t, R(t), is at least R1, and the number of those sent until t,
 * S(t), is at most S2. With S2 = R1: S(t) <= S2 = R1 <= R(t). No more are received than were sent: R(t) <= S(t). So
 * S(t) = R(t): at t no message is under way. Besides, S1 = S2 and R1 = R2 say that between its two turns no rank has
 * sent or received anything (each rank's own counters do not fall, and their sums are equal). A rank that was idle at
 * its first turn and has received nothing until its second was idle all the time between, t included, since only a
 * message ends idleness. So at t all were idle and nothing was under way; nothing can have happened since.
 *
 * Messages that are not work (asking for tasks) need no counting: who gets one while idle answers that it has nothing,
 * which makes nobody less idle. A rank may leave while such a message is on its way to it; the next run, or closing,
 * drops it: see the file that sends them.
 */
#include "ranks/ranks.h"

rd_status rd__quiet_step(rd_ranks *ranks, rd__quiet *quiet, int idle, const rd__tally *mine, rd__tally *all, int *done,
                         rd_error *err)
{
    int there = 0;
    *done = 0;
    if (!quiet->waiting) {
        rd__tally own = *mine;
        own.sum[0] = quiet->sent;
        own.sum[1] = quiet->received;
        own.sum[2] = !idle;
        RD_TRY(rd__ranks_counts(ranks, &own, all, &there, err));
    } else {
        RD_TRY(rd__ranks_counts(ranks, NULL, all, &there, err));
    }
    quiet->waiting = !there;
    if (!there)
        return RD_OK;
    const int calm = all->sum[2] == 0 && all->sum[0] == all->sum[1];
    *done = calm && quiet->seen && quiet->seen_sent == all->sum[0] && quiet->seen_received == all->sum[1];
    quiet->seen = calm && !*done; /* another phase of the same run begins anew */
    quiet->seen_sent = all->sum[0];
    quiet->seen_received = all->sum[1];
    return RD_OK;
}
