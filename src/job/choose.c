/* SPDX-License-Identifier: Apache-2.0 */
/*
 * choose.c - defaults. Where the user names no scheduler, the app's rule picks one from a few facts about device and
 * graph; what the user did set (a launch, an option that only some schedulers have) narrows the choice. The facts cost
 * a look at some thousand vertices, whatever the size of the graph.
 */
#include "apps/common/choose.h"
#include "job/job.h"

#include "core/memory.h"

#include "core/text.h"

#include <stdio.h>
#include <string.h>

enum { SAMPLE = 4096, SKEWED = 64, NARROW = 16 };
/* On a GPU somewhat fewer levels make a graph deep; but those of a sparse one in three dimensions soon become wide. */
enum { DEEP_LEVELS = 24, GPU_DEEP_LEVELS = 20, SEVERAL = 8, GPU_FEW = 1 << 18 };

/* Rounds of few tasks are run by one core alone: three quarters of what sched/bsp takes for few, as the sample may not
 * have seen the widest one. A strip's levels are as wide in the second half of what it has as in the first; those of a
 * plane grow, and half of its vertices lie in the last 0.3 of its levels. */
enum { ALONE_TASKS = 96, ALONE_EDGES = 768, EVEN_PERCENT = 60 };

/* A search from the hub that gives up after SAMPLE vertices. A hash table of twice that size tells what was seen. */
static void sample_levels(const rd_graph *graph, rd__facts *facts)
{
    enum { TABLE = 2 * SAMPLE };
    const rd_csr csr = rd_graph_csr(graph);
    uint32_t *queue = rd__malloc(SAMPLE * sizeof *queue), *table = rd__malloc(TABLE * sizeof *table);
    uint32_t *ends = rd__malloc(SAMPLE * sizeof *ends); /* of levels, in the queue */
    uint32_t count = 0, level_end = 0, levels = 0, half = 0, widest = 0;
    if (queue && table && ends && csr.vertices) {
        memset(table, 0xff, TABLE * sizeof *table);
        const uint32_t hub = rd_graph_hub(graph);
        table[hub * 2654435761u % TABLE] = hub;
        queue[count++] = hub;
        for (uint32_t i = 0; i < count && count < SAMPLE; i++) {
            if (i == level_end) {
                widest = count - level_end > widest ? count - level_end : widest;
                level_end = count;
                ends[levels++] = count;
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
    while (half < levels && ends[half] < count / 2)
        half++;
    facts->levels = levels;
    facts->sampled = count;
    facts->half = half;
    facts->widest = widest;
    rd__free(ends);
    rd__free(queue);
    rd__free(table);
}

static rd__facts look(const rd_job *job)
{
    rd__facts facts = {.is_gpu = job->device && job->device->info.is_gpu,
                       .is_cpu = job->device && job->device->caps.shares_host,
                       .loops = job->device && job->device->caps.loops};
    if (!job->graph)
        return facts;
    const rd_csr csr = rd_graph_csr(job->graph);
    facts.mean_degree = csr.vertices ? (double)csr.edges / (double)csr.vertices : 0;
    facts.skew = facts.mean_degree > 0 ? (double)rd_graph_max_degree(job->graph) / facts.mean_degree : 0;
    sample_levels(job->graph, &facts);
    facts.is_deep = facts.levels >= DEEP_LEVELS || (facts.is_gpu && facts.levels >= GPU_DEEP_LEVELS &&
                                                    (facts.mean_degree >= SEVERAL || csr.vertices <= GPU_FEW));
    facts.width = facts.levels ? facts.sampled / facts.levels : 0;
    facts.is_thin = facts.levels && facts.width < 2;
    facts.is_narrow = facts.levels && facts.width < NARROW;
    facts.is_strip = facts.is_deep && facts.widest <= ALONE_TASKS && facts.widest * facts.mean_degree <= ALONE_EDGES &&
                     100 * facts.half <= EVEN_PERCENT * facts.levels;
    facts.is_small = facts.sampled < SAMPLE;
    facts.is_skewed = facts.skew > SKEWED;
    facts.is_star = facts.mean_degree <= 2.25 && 4.0 * (double)rd_graph_max_degree(job->graph) >= (double)csr.edges;
    facts.vertices = csr.vertices;
    facts.edges = csr.edges;
    return facts;
}

/* Could the job run under this engine with what the user set? */
static int is_open(const rd_job *job, const rd__engine *engine)
{
    return rd__settings_fit(job, engine) &&
           (!job->asked_launch || rd__policy_launch(engine->policy, job->asked_launch));
}

static void explain(rd_job *job, const rd__facts *facts, const char *reason)
{
    int used = snprintf(job->why, sizeof job->why, "scheduler %s, launch %s: %s", job->engine->policy->name,
                        job->launch, reason);
    if (job->graph && used > 0 && used < (int)sizeof job->why)
        rd__snprintf(job->why + used, sizeof job->why - (size_t)used,
                     " (mean degree %.1f, highest %.0f times that, %u levels for the first %u vertices)",
                     facts->mean_degree, facts->skew, facts->levels, facts->sampled);
}

static int may_persist(const rd_job *job)
{
    const rd_device *device = job->device;
    return device && (device->info.is_gpu || (device->caps.shares_host && job->groups <= device->info.compute_units));
}

/* Rounds in one launch save a launch a round, which is most of a short one, and which rounds are short shows only as
 * they come: chains behind a hub look like any other graph at first. Not on a CPU behind OpenCL, where groups are not
 * sure to run at the same time, and not with more groups than a CPU has threads. */
const char *rd__choice_launch(const rd_job *job, const rd__engine *engine)
{
    const char *persistent = rd__policy_launch(engine->policy, "persistent");
    return (engine->is & RD__ENGINE_ROUNDS) && persistent && may_persist(job) ? persistent
                                                                              : engine->policy->launches[0];
}

int rd__choice_is_open(const rd_job *job, const rd__engine *engine, const char *launch)
{
    const int persists = strcmp(launch, "persistent") == 0;
    return is_open(job, engine) && (!job->asked_launch || strcmp(launch, job->asked_launch) == 0) &&
           (!job->device || rd_device_can_launch(job->device, launch)) &&
           (!persists || !(engine->is & RD__ENGINE_ROUNDS) || may_persist(job));
}

/* The first engine of the app that is as the rule wants it. */
static const rd__engine *engine_of(const rd_job *job, const rd__choice *choice)
{
    const rd__engine *const *engine = rd__app_engines(job->app), *first = *engine;
    while (*engine && (((*engine)->is & choice->want) != choice->want || ((*engine)->is & choice->avoid)))
        engine++;
    return *engine ? *engine : first;
}

static const char *chosen_launch(const rd_job *job, const rd__engine *engine, const rd__choice *choice)
{
    static const char *const names[] = {
        [RD__DISCRETE] = "discrete", [RD__PERSISTENT] = "persistent", [RD__GRAPH] = "graph"};
    if (job->asked_launch)
        return rd__policy_launch(engine->policy, job->asked_launch);
    if (choice->launch == RD__ANY_LAUNCH || !rd_device_can_launch(job->device, names[choice->launch]))
        return NULL;
    return rd__policy_launch(engine->policy, names[choice->launch]);
}

/* The engine of that policy that the app prefers here, of those that one of its roots is for. */
static const rd__engine *preferred(const rd_job *job, const rd__engine *engine)
{
    for (const rd__engine *const *other = rd__engines; job->app->prefers && *other; other++)
        for (const char *const *root = job->app->roots; *root; root++)
            if (*other != engine && (*other)->policy == engine->policy && rd__engine_runs(*other, *root) &&
                rd__settings_fit_too(job, *other) && job->app->prefers(job, *other))
                return *other;
    return engine;
}

static void use(rd_job *job, const rd__engine *engine, const char *launch)
{
    rd__job_use(job, preferred(job, engine), launch);
}

void rd__choose(rd_job *job)
{
    if (rd__choose_learned(job))
        return;
    const rd__facts facts = look(job);
    job->is_deep = facts.is_deep != 0;
    rd__choice choice = {.reason = "the first one of this app"};
    if (job->asked_engine) {
        use(job, job->asked_engine, job->asked_launch ? job->asked_launch : rd__choice_launch(job, job->asked_engine));
        explain(job, &facts, "as asked for");
        return;
    }
    if (job->app->choose)
        job->app->choose(job, &facts, &choice);
    if (rd__job_in_parts(job) &&
        job->app->ranks->kind !=
            RD__RANKS_BOUND) { /* rounds of one rank are none of all, where one round has to see another */
        const rd__ranks_kind kind = job->app->ranks->kind;
        choice = (rd__choice){.avoid = kind == RD__RANKS_LEAST ? RD__ENGINE_ROUNDS : 0,
                              .want = kind == RD__RANKS_OWN ? RD__ENGINE_ROUNDS : 0,
                              .reason = "it is one of several ranks"};
    }
    const rd__engine *engine = engine_of(job, &choice);
    if (!is_open(job, engine)) {
        const rd__engine *const *other = rd__app_engines(job->app);
        choice.launch = RD__ANY_LAUNCH;
        choice.reason = "the first one that has what was asked for";
        while (*other && !is_open(job, *other))
            other++;
        engine = *other ? *other : engine; /* none: rd__settings_check says so */
    }
    const char *launch = chosen_launch(job, engine, &choice);
    use(job, engine, launch ? launch : rd__choice_launch(job, engine));
    explain(job, &facts, choice.reason);
}
