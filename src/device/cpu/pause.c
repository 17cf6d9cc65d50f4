/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pause.c - waiting inside kernels (rd_pause, rd_idle, rd_wait): for a word in memory, which nobody can be woken by.
 *
 * Where each worker has a processor of its own, whoever is waited for runs on another one, and to yield ours helps
 * nobody but strangers: beside a busy process each yield costs a turn of its own, milliseconds, and whom we made wait
 * then yields in the same way. So a worker spins for as long as a wait usually lasts, and then naps: one who slept gets
 * its processor back from a busy neighbour when it wakes. Where workers share processors (`crowded`), the one we wait
 * for may need ours, and yielding is right.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "device/cpu/pause.h"
#include "device/cpu/team.h"

#include <sched.h>
#include <time.h>

enum { CROWDED_YIELD = 64, ALONE_YIELD = 4096, IDLE_TURNS = 256, WAIT_TURNS = 2000 }; /* turns */
enum { NAP_MAX = 200 }; /* microseconds */

/* Lanes of the same group that share this thread. */
static int others_run(void)
{
    return rd__cpu_self->team && rd__cpu_team_turn(rd__cpu_self->team);
}

void rd__cpu_pause(void)
{
    static _Thread_local unsigned turns;
    if (others_run())
        return;
    if (++turns % (rd__cpu_self->crowded ? CROWDED_YIELD : ALONE_YIELD) == 0)
        sched_yield();
    else
        rd__cpu_relax();
}

/* Ever longer, up to a limit that a waking worker does not feel. */
static void nap(uint32_t turns)
{
    const struct timespec time = {.tv_nsec = 1000l * (turns < NAP_MAX ? (long)turns + 1 : NAP_MAX)};
    nanosleep(&time, NULL);
}

/* Spins, then yields or spins on, then sleeps. */
static void rest(uint32_t turns, uint32_t patience)
{
    if (others_run())
        return;
    if (rd__cpu_self->crowded ? turns < RD__CPU_YIELDS : turns < patience)
        rd__cpu_relax();
    else if (turns < patience)
        sched_yield();
    else
        nap(turns - patience);
}

void rd__cpu_idle(uint32_t turns)
{
    rest(turns, IDLE_TURNS);
}

void rd__cpu_wait(uint32_t turns)
{
    rest(turns, rd__cpu_self->crowded ? IDLE_TURNS : WAIT_TURNS);
}
