/* SPDX-License-Identifier: Apache-2.0 */
/*
 * discovery.c - options --discovery and --delay of scheduler `bsp`. By itself it discovers only where a device cannot
 * promise that groups are resident together (OpenCL); asked for, it does so anywhere, so that what it finds and costs
 * can be seen in whole runs. parts/discovery.k.h has the protocol.
 */
#include "core/log.h"
#include "sched/bsp/policy.h"
#include "sched/parts/barrier_layout.k.h"

/* Who queues for a mutex lets others in; who looks at a word has to wait for them. Threads of a CPU wake up one by one,
 * on a busy machine after milliseconds. */
static uint32_t usual_delay(const rd_device *device, uint32_t kind)
{
    const int mutex = kind != RD_DISCOVERY_COUNTER;
    return device->info.is_gpu ? (mutex ? 0 : 32) : mutex ? 200 : 400000;
}

void rd__bsp_discovery(const rd__sched_job *job, uint32_t *kind, uint32_t *delay)
{
    const int asked = !rd__sched_option_is(job, "discovery", "needed");
    const int delayed = !rd__sched_option_is(job, "delay", "auto");
    *kind = rd__sched_option_is(job, "discovery", "tickets")    ? RD_DISCOVERY_TICKETS
            : rd__sched_option_is(job, "discovery", "spin")     ? RD_DISCOVERY_SPIN
            : rd__sched_option_is(job, "discovery", "destruct") ? RD_DISCOVERY_DESTRUCT
            : asked || !job->device->caps.coresident            ? RD_DISCOVERY_COUNTER
                                                                : RD_DISCOVERY_NONE;
    if (!job->persistent) {
        *kind = RD_DISCOVERY_NONE;
        if (asked || delayed)
            rd__log(RD_LOG_WARN,
                    "options discovery and delay do nothing in discrete launches: no group waits for another");
    }
    *delay = delayed ? rd__sched_number(job, "delay") : usual_delay(job->device, *kind);
}
