/* SPDX-License-Identifier: Apache-2.0 */
/* sched.c - the table of schedulers, and what they share: programs, options, plans, measures, waiting. */
#include "sched/sched.h"

#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
const rd__sched *const rd__scheds[] = {
    &rd__sched_bsp,
    &rd__sched_fifo,
    &rd__sched_steal,
    &rd__sched_steal_levels,
    &rd__sched_tiles,
    &rd__sched_heap,
    &rd__sched_multi,
    &rd__sched_bag,
    NULL,
};
/* clang-format on */

const rd__sched *rd__sched_find(const char *name)
{
    for (const rd__sched *const *sched = rd__scheds; *sched; sched++)
        if (strcmp((*sched)->name, name) == 0)
            return *sched;
    return NULL;
}

const rd_name_text *rd_schedulers(void)
{
    static rd_name_text table[sizeof rd__scheds / sizeof rd__scheds[0]];
    for (size_t i = 0; rd__scheds[i]; i++) /* the same values whoever writes them */
        table[i] = (rd_name_text){rd__scheds[i]->name, rd__scheds[i]->text};
    return table;
}

const char *const *rd_scheduler_launches(const char *name)
{
    const rd__sched *sched = name ? rd__sched_find(name) : NULL;
    return sched ? sched->launches : NULL;
}

const rd_option_info *rd_scheduler_options(const char *name)
{
    const rd__sched *sched = name ? rd__sched_find(name) : NULL;
    return sched ? sched->options : NULL;
}

rd_status rd__sched_load(const rd__sched_job *job, const char *sched, uint32_t lanes, const char *defines,
                         rd__program **program, rd_error *err)
{
    char name[64], root[64];
    snprintf(name, sizeof name, "%s_%s", job->program, sched);
    snprintf(root, sizeof root, "apps/%s.k.c", job->program);
    const rd__program_spec spec = {.name = name, .root = root, .sched = sched, .lanes = lanes, .defines = defines};
    return rd__program_load(job->device, &spec, program, err);
}

const char *rd__sched_option(const rd__sched_job *job, const char *key)
{
    for (uint32_t i = 0; i < job->settings->count; i++)
        if (strcmp(job->settings->item[i].key, key) == 0)
            return job->settings->item[i].value;
    for (const rd_option_info *option = job->sched->options; option->key; option++)
        if (strcmp(option->key, key) == 0)
            return option->initial ? option->initial : "";
    return "";
}

uint32_t rd__sched_number(const rd__sched_job *job, const char *key)
{
    uint64_t number = 0;
    return rd_parse_u64(rd__sched_option(job, key), &number) && number <= UINT32_MAX ? (uint32_t)number : 0;
}

int rd__sched_option_is(const rd__sched_job *job, const char *key, const char *value)
{
    return strcmp(rd__sched_option(job, key), value) == 0;
}

rd_status rd__sched_refuse(const rd__sched_job *job, const char *const *keys, rd_error *err)
{
    for (; *keys; keys++)
        for (const rd_option_info *option = job->sched->options; option->key; option++)
            if (strcmp(option->key, *keys) == 0 &&
                !rd__sched_option_is(job, *keys, option->initial ? option->initial : ""))
                return rd__fail(err, RD_EARG, "option %s means nothing to %s under scheduler %s; leave it out", *keys,
                                job->app, job->sched->name);
    return RD_OK;
}

void rd__plan_add(rd_plan *plan, const char *name, uint64_t bytes, int is_graph, int is_shared)
{
    if (plan->count == RD_PLAN_MAX)
        return;
    plan->item[plan->count].name = name;
    plan->item[plan->count].bytes = bytes;
    plan->item[plan->count].is_graph = (uint8_t)is_graph;
    plan->item[plan->count].is_shared = (uint8_t)is_shared;
    plan->count++;
    *(is_graph ? &plan->graph_bytes : &plan->own_bytes) += bytes;
    plan->alloc_bytes += is_shared ? 0 : bytes;
}

void rd__measure(rd_report *report, const char *name, double value)
{
    if (report->measures < RD_MEASURES_MAX)
        report->measure[report->measures++] = (rd_measure){name, value};
}

rd_status rd__sched_tell(const rd__sched_job *job, uint64_t done, uint64_t total, const char *unit, rd_error *err)
{
    if (job->progress && job->progress(job->progress_user, job->app, done, total, unit))
        return rd__fail(err, RD_ECANCELLED, "%s was stopped on request", job->app);
    return RD_OK;
}

struct news {
    const rd__sched_job *job;
    uint64_t done, total;
    const char *unit;
};

static int wants_to_stop(void *user)
{
    const struct news *news = user;
    return rd__sched_tell(news->job, news->done, news->total, news->unit, NULL) != RD_OK;
}

rd_status rd__sched_wait(rd_device *device, const rd__sched_job *job, uint64_t done, uint64_t total, const char *unit,
                         rd_error *err)
{
    struct news news = {job, done, total, unit};
    const rd__limit limit = {job->deadline, job->progress ? wants_to_stop : NULL, &news};
    const rd_status status = rd__device_wait(device, &limit, err);
    return status == RD_ECANCELLED ? rd__fail(err, status, "%s was stopped on request", job->app) : status;
}
