/* SPDX-License-Identifier: Apache-2.0 */
/* sched.c - the table of schedulers, and plans. */
#include "sched/sched.h"

#include "raddle/tool.h"

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
