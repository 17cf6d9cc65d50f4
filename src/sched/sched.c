/* SPDX-License-Identifier: Apache-2.0 */
/* sched.c - the table of engines, and what they share: programs, widths, options, plans, measures, waiting. */
#define _POSIX_C_SOURCE 200809L /* pthread_once */
#include "sched/sched.h"

#include "raddle/tool.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#define VARIANT(tag, policy, model, root, constants, needs)
#define ENGINE(tag, policy, model, root, constants, needs) extern const rd__engine rd__engine_##tag##_##model;
#include "sched/engines.def"
#undef ENGINE

const rd__engine *const rd__engines[] = {
#define ENGINE(tag, policy, model, root, constants, needs) &rd__engine_##tag##_##model,
#include "sched/engines.def"
#undef ENGINE
    NULL,
};
enum { ENGINES = sizeof rd__engines / sizeof rd__engines[0] };

/* A root runs under an engine when there is a program of both: tools/programs.sh looked at what the engine needs. */
int rd__engine_runs(const rd__engine *engine, const char *root)
{
    const rd__root *text = rd__root_find(root);
    char name[64];
    return text && text->model == engine->model &&
           snprintf(name, sizeof name, "%s_%s", root, engine->tag) < (int)sizeof name && rd__program_exists(name);
}

int rd__engine_in_rounds(const rd__sched_job *job)
{
    return job->engine->in_rounds ? job->engine->in_rounds(job) : (job->engine->is & RD__ENGINE_ROUNDS) != 0;
}

const rd_option_info *rd__engine_options(const rd__engine *engine, const char *root)
{
    const rd__root *text = rd__root_find(root);
    return engine->options + (text && engine->options_unfit ? engine->options_unfit(text->traits) : 0);
}

/* ---- Policies ---- */

static const rd__policy *find_policy(const char *name)
{
    for (const rd__engine *const *engine = rd__engines; name && *engine; engine++)
        if (strcmp((*engine)->policy->name, name) == 0)
            return (*engine)->policy;
    return NULL;
}

static rd_name_text policies[ENGINES]; /* filled once, by whoever asks first */

static void fill_policies(void)
{
    size_t count = 0;
    for (const rd__engine *const *engine = rd__engines; *engine; engine++) {
        size_t i = 0;
        while (i < count && strcmp(policies[i].name, (*engine)->policy->name) != 0)
            i++;
        if (i == count)
            policies[count++] = (rd_name_text){(*engine)->policy->name, (*engine)->policy->text};
    }
}

const rd_name_text *rd_schedulers(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill_policies);
    return policies;
}

const char *const *rd_scheduler_launches(const char *name)
{
    const rd__policy *policy = find_policy(name);
    return policy ? policy->launches : NULL;
}

rd_status rd__sched_load(const rd__sched_job *job, const char *tag, uint32_t lanes, const char *defines,
                         rd__program **program, rd_error *err)
{
