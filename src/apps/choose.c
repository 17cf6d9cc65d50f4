/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choose.c - defaults. Where the user names no scheduler, the app's rule picks one from a few facts about device and
 * graph; what the user did set (a launch, an option that only some schedulers have) narrows the choice. The facts cost
 * a look at some thousand vertices, whatever the size of the graph.
 */
#include "apps/choose.h"

#include "core/memory.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE = 4096, DEEP_LEVELS = 24 };

/* A search from the hub that gives up after SAMPLE vertices. A hash table of twice that size tells what was seen. */
static void sample_levels(const rd_graph *graph, rd__facts *facts)
{
    enum { TABLE = 2 * SAMPLE };
    const rd_csr csr = rd_graph_csr(graph);
    uint32_t *queue = rd__malloc(SAMPLE * sizeof *queue), *table = rd__malloc(TABLE * sizeof *table);
    uint32_t count = 0, level_end = 0, levels = 0;
    if (queue && table && csr.vertices) {
        memset(table, 0xff, TABLE * sizeof *table);
        const uint32_t hub = rd_graph_hub(graph);
        table[hub * 2654435761u % TABLE] = hub;
        queue[count++] = hub;
        for (uint32_t i = 0; i < count && count < SAMPLE; i++) {
            if (i == level_end) {
                level_end = count;
                levels++;
            }
            for (uint64_t e = csr.row[queue[i]]; e < csr.row[queue[i] + 1] && count < SAMPLE; e++) {
                const uint32_t v = csr.col[e];
                uint32_t at = v * 2654435761u % TABLE;
                while (table[at] != RD_NONE && table[at] != v)
                    at = (at + 1) % TABLE;
                if (table[at] != v) {
                    table[at] = v;
                    queue[count++] = v;
                }
            }
        }
    }
    facts->levels = levels;
    facts->sampled = count;
    rd__free(queue);
    rd__free(table);
}

static rd__facts look(const rd_job *job)
{
    rd__facts facts = {.is_gpu = job->device && job->device->info.is_gpu,
                       .is_cpu = job->device && job->device->backend == &rd__cpu_backend};
    if (!job->graph)
        return facts;
    const rd_csr csr = rd_graph_csr(job->graph);
    facts.mean_degree = csr.vertices ? (double)csr.edges / (double)csr.vertices : 0;
    facts.skew = facts.mean_degree > 0 ? (double)rd_graph_max_degree(job->graph) / facts.mean_degree : 0;
    sample_levels(job->graph, &facts);
    facts.is_deep = facts.levels >= DEEP_LEVELS;
    return facts;
}

/* Could the job run under this scheduler with what the user set? */
static int is_open(const rd_job *job, const rd__sched *sched)
{
    return rd__settings_fit(job, sched) && (!job->asked_launch || rd__sched_launch(sched, job->asked_launch));
}

static void explain(rd_job *job, const rd__facts *facts, const char *reason)
{
    int used =
        snprintf(job->why, sizeof job->why, "scheduler %s, launch %s: %s", job->sched->name, job->launch, reason);
    if (job->graph && used > 0 && used < (int)sizeof job->why)
        snprintf(job->why + used, sizeof job->why - (size_t)used,
                 " (mean degree %.1f, highest %.0f times that, %u levels for the first %u vertices)",
                 facts->mean_degree, facts->skew, facts->levels, facts->sampled);
}

/* Rounds in one launch save a launch a round, which is most of a short one. Where a launch is cheap (CPUs) and rounds
 * are few it does not pay, and a host that looks between rounds sees a wish to stop sooner. */
static const char *launch_of(const rd__sched *sched, const rd__facts *facts)
{
    const char *persistent = rd__sched_launch(sched, "persistent");
    return sched->rounds && persistent && (facts->is_gpu || (facts->is_cpu && facts->is_deep)) ? persistent
                                                                                               : sched->launches[0];
}

void rd__choose_ranked(const rd_job *job, const rd__facts *facts, rd__choice *choice)
{
    const uint32_t workers = job->groups ? job->groups : job->device ? job->device->info.compute_units : 0;
    if (facts->is_gpu) {
        choice->sched = "bag";
        choice->reason = "rounds keep all lanes busy, and a shared queue would not";
    } else if (workers == 1) {
        choice->sched = "heap";
        choice->reason = "a single worker gains from taking the best tasks first";
    } else {
        choice->sched = "multi";
        choice->reason = "few workers gain from taking good tasks first";
    }
}

void rd__choose(rd_job *job)
{
    const char *const *names = job->app->info.schedulers;
    const rd__facts facts = look(job);
    rd__choice choice = {names[0], NULL, "the first one of this app"};
    if (job->asked_sched) {
        rd__job_use(job, job->asked_sched, job->asked_launch ? job->asked_launch : launch_of(job->asked_sched, &facts));
        explain(job, &facts, "as asked for");
        return;
    }
    if (job->app->choose)
        job->app->choose(job, &facts, &choice);
    const rd__sched *sched = rd__sched_find(choice.sched);
    if (!is_open(job, sched)) {
        choice.launch = NULL;
        choice.reason = "the first one that has what was asked for";
        while (*names && !is_open(job, rd__sched_find(*names)))
            names++;
        sched = *names ? rd__sched_find(*names) : sched; /* none: rd__settings_check says so */
    }
    const char *launch = job->asked_launch ? job->asked_launch : choice.launch;
    launch = launch ? rd__sched_launch(sched, launch) : NULL;
    rd__job_use(job, sched, launch ? launch : launch_of(sched, &facts));
    explain(job, &facts, choice.reason);
}
