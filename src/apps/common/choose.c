/* SPDX-License-Identifier: Apache-2.0 */
/* choose.c - rules for defaults that several apps share. */
#include "apps/common/choose.h"

uint32_t rd__workers_of(const rd_job *job)
{
    return job->groups ? job->groups : job->device ? job->device->info.compute_units : 0;
}

void rd__choose_ranked(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    if (facts->is_gpu) {
        choice->want = RD__ENGINE_ROUNDS;
        choice->reason = "rounds keep all lanes busy, and a shared queue would not";
    } else if (rd__workers_of(job) == 1) {
        choice->want = RD__ENGINE_ORDERED;
        choice->reason = "a single worker gains from taking the best tasks first";
    } else {
        choice->want = RD__ENGINE_RELAXED;
        choice->reason = "few workers gain from taking good tasks first";
    }
}

void rd__choose_a_launch_a_round(const rd__facts *facts, int else_discrete, rd__choice *choice)
{
    if (facts->is_gpu && facts->loops)
        choice->launch = RD__GRAPH;
    else if (facts->is_gpu && else_discrete)
        choice->launch = RD__DISCRETE;
}

void rd__choose_dag(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    (void)job;
    if (facts->is_gpu) {
        choice->want = RD__ENGINE_SHARED;
        choice->reason = "very many workers find a ready task soonest in one queue";
    } else {
        choice->avoid = RD__ENGINE_SHARED;
        choice->reason = "few workers keep tasks near what made them ready";
    }
}
