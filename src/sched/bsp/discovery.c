/* SPDX-License-Identifier: Apache-2.0 */
/*
 * discovery.c - options --discovery and --delay of scheduler `bsp`. By itself it discovers only where a device cannot
 * promise that groups are resident together (OpenCL); asked for, it does so anywhere, so that what it finds and costs
 * can be seen in whole runs. parts/discovery.k.h has the protocol.
 */
#include "core/log.h"
#include "sched/bsp/policy.h"
#include "sched/parts/barrier_layout.k.h"

/* Looks. A GPU's groups come at once. Threads of a CPU wake up one by one, after fifty microseconds or, where others
 * have the processors, after milliseconds: who waits for that longer than one alone takes for the work has lost. A
 * look takes as long as a few edges. */
enum { GPU_LOOKS = 32, EDGES_A_LOOK = 4, LEAST_LOOKS = 32, MOST_LOOKS = 400000 };
enum { CPU_TURNS = 200 }; /* who queues for a mutex lets others in */

uint32_t rd__bsp_delay(const rd__sched_job *job, uint32_t kind, uint64_t edges)
{
    const uint64_t looks = edges / EDGES_A_LOOK;
    const int gpu = job->device->info.is_gpu, mutex = kind != RD_DISCOVERY_COUNTER;
    if (!rd__sched_option_is(job, "delay", "auto"))
        return rd__sched_number(job, "delay");
    if (gpu || mutex)
        return !mutex ? GPU_LOOKS : gpu ? 0 : CPU_TURNS;
    return looks < LEAST_LOOKS ? LEAST_LOOKS : looks > MOST_LOOKS ? MOST_LOOKS : (uint32_t)looks;
}

uint32_t rd__bsp_discovery(const rd__sched_job *job)
{
    const int asked = !rd__sched_option_is(job, "discovery", "needed");
    if (!job->persistent) {
        if (asked || !rd__sched_option_is(job, "delay", "auto"))
            rd__log(RD_LOG_WARN,
                    "options discovery and delay do nothing in discrete launches: no group waits for another");
        return RD_DISCOVERY_NONE;
    }
    if (!asked && job->device->caps.coresident)
        rd__sched_say_unused(job, "delay", "which groups are resident is known there, unless --discovery is asked for");
    return rd__sched_option_is(job, "discovery", "tickets")    ? RD_DISCOVERY_TICKETS
           : rd__sched_option_is(job, "discovery", "spin")     ? RD_DISCOVERY_SPIN
           : rd__sched_option_is(job, "discovery", "destruct") ? RD_DISCOVERY_DESTRUCT
           : asked || !job->device->caps.coresident            ? RD_DISCOVERY_COUNTER
                                                               : RD_DISCOVERY_NONE;
}
