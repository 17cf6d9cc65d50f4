/* SPDX-License-Identifier: Apache-2.0 */
/* told.c - what turns tell of themselves: how many workers one has, and where the time went until one had them. */
#include "device/turns.h"

#include "raddle/tool.h"

#include <math.h>

void rd__turn_tell_workers(rd__turn *turn, int mine)
{
    const uint32_t all = turn->device->info.compute_units - turn->lent, wish = turn->workers ? turn->workers : all;
    __atomic_store_n(&turn->has, mine ? wish : 0, __ATOMIC_RELAXED); /* partner: rd_job_poll */
}

/* Under the mutex, by the holder that lends: how the time went since the other one asked. What was earlier than the
 * step before it took no time: the holder was between two launches anyway. */
void rd__turn_account(const rd__turn *turn, rd__turn *to)
{
    const int itself = to->told > 0;
    const double noticed = fmax(itself ? to->asks : turn->noticed, to->since);
    const double told = fmax(itself ? to->told : turn->device->asked_at, noticed);
    const double left = fmax(turn->device->idle_at, told);
    to->gather = (rd__gather){
        .noticed = noticed - to->since, .told = told - noticed, .left = left - told, .seen = rd_now() - left};
}
