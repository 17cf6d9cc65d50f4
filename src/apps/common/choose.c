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

void rd__choose_search(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    const int cores = facts->is_cpu && job->device->caps.cores;
    const int thin = (cores && (facts->is_narrow || facts->is_strip)) || (facts->is_gpu && facts->is_thin);
    const int deep = (facts->is_gpu || facts->is_cpu) && facts->is_deep && !thin;
    choice->want = deep ? 0 : RD__ENGINE_ROUNDS;
    choice->avoid = deep ? RD__ENGINE_ROUNDS : 0;
    choice->reason = deep             ? "the graph is deep, so rounds would be short and many"
                     : thin           ? "levels are so short that one worker runs them alone"
                     : facts->is_deep ? "rounds cost little here, and no task is run twice"
                                      : "rounds are few and long enough";
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
