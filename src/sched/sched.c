/* SPDX-License-Identifier: Apache-2.0 */
/* sched.c - the table of engines, and what they share: programs, widths, options, plans, measures, waiting. */
#define _POSIX_C_SOURCE 200809L /* pthread_once */
#include "sched/sched.h"

#include "core/log.h"
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
    char name[64], all[1024];
    const int places = job->shares && job->device->caps.lends;
    snprintf(name, sizeof name, "%s_%s", job->program, tag);
    /* The library's programs for CPUs are there, or take long to compile. */
    if (!job->constants || !(job->device->info.is_gpu || rd__program_is_own(name)))
        return rd__program_load_named(job->device, name, lanes, defines, places, program, err);
    const int n = snprintf(all, sizeof all, "%s%s%s", defines ? defines : "", defines ? " " : "", job->constants);
    if (n < 0 || (size_t)n >= sizeof all)
        return rd__fail(err, RD_EARG, "too many constants for program %s", name);
    return rd__program_load_named(job->device, name, lanes, all, places, program, err);
}

int rd_device_can_launch(const rd_device *device, const char *launch)
{
    return device && launch && (device->caps.loops || strcmp(launch, "graph") != 0);
}

rd_status rd__sched_check_launch(const rd__sched_job *job, rd_error *err)
{
    if (rd_device_can_launch(job->device, job->launch))
        return RD_OK;
    return rd__fail(err, RD_EARG,
                    "--launch %s: %s cannot repeat launches by itself, as CUDA can from 12.4 on; use --launch discrete "
                    "or persistent",
                    job->launch, job->device->info.name);
}

/* ---- Widths ---- */

/* Devices where the groups that are resident are known before the kernel is: CPUs. 0 elsewhere. */
static uint32_t resident_groups(const rd__sched_job *job)
{
    return job->device && !job->device->info.is_gpu ? job->device->info.compute_units : 0;
}

static void set_groups(const rd__sched_job *job, rd__width *width)
{
    width->groups = job->groups ? job->groups : resident_groups(job);
    width->groups_why = job->groups                           ? "as asked for"
                        : !width->groups                      ? ""
                        : job->device->caps.cores             ? "one for each thread"
                        : job->device->caps.slow_wide_compile ? "one for each compute unit"
                                                              : "as the device's name says";
}

rd__width rd__sched_device_width(const rd__sched_job *job)
{
    rd__width width = {.lanes = 1, .lanes_why = "no device is named"};
    if (job->device) {
        width.lanes = rd__device_default_lanes(job->device);
        width.lanes_why = job->device->caps.cores               ? "on the CPU a group is one lane"
                          : job->device->caps.fixed_width       ? "as the device's name says"
                          : job->device->caps.slow_wide_compile ? "on a CPU one lane a group is fastest"
                                                                : "a few such groups fill a GPU";
    }
    set_groups(job, &width);
    return width;
}

rd__width rd__sched_width(const rd__sched_job *job)
{
    rd__width width = rd__sched_device_width(job);
    if (job->worker) {
        width.lanes = job->worker;
        width.lanes_why = "as asked for";
    }
    return width;
}

void rd__sched_limit_groups(const rd__sched_job *job, rd__width *width, uint32_t most, const char *why)
{
    if (job->groups || (width->groups && width->groups <= most))
        return;
    width->at_most = width->groups == 0;
    width->groups = most;
    width->groups_why = why;
}

void rd__sched_resident_groups(const rd__sched_job *job, rd__width *width)
{
    const uint32_t resident = resident_groups(job);
    if (!resident || width->groups <= resident)
        return;
    width->groups = resident;
    width->groups_why = "no more are resident at once";
}

const char *rd__sched_places(const rd__sched_job *job)
{
    const uint32_t resident = resident_groups(job);
    return resident && job->engine->width(job).groups > resident ? "it has more groups than run at a time" : "";
}

rd_status rd__sched_resident(const rd__sched_job *job, rd__kernel *kernel, uint32_t *groups, rd_error *err)
{
    RD_TRY(rd__kernel_resident(job->device, kernel, groups, err));
    if (!job->workers)
        return RD_OK;
    const uint64_t share = (uint64_t)*groups * job->workers / job->device->info.compute_units;
    *groups = share ? (uint32_t)share : 1;
    return RD_OK;
}

/* ---- Options ---- */

const char *rd__sched_option(const rd__sched_job *job, const char *key)
{
    for (uint32_t i = 0; i < job->settings->count; i++)
        if (strcmp(job->settings->item[i].key, key) == 0)
            return job->settings->item[i].value;
    for (const rd_option_info *option = job->engine->options; option->key; option++)
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

void rd__sched_say_unused(const rd__sched_job *job, const char *key, const char *why)
{
    char where[64];
    for (uint32_t i = 0; i < job->settings->count; i++)
        if (strcmp(job->settings->item[i].key, key) == 0) {
            snprintf(where, sizeof where, "on %s", job->device->info.name);
            rd__say_unused(key, where, why);
        }
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

void rd__sched_look(const rd__sched_job *job, uint64_t tasks, uint64_t left, uint64_t given, uint64_t needed)
{
    const rd__look look = {.tasks = tasks, .left = left, .least_rank = UINT64_MAX, .given = given, .needed = needed};
    if (job->traced && job->look)
        job->look(job->look_user, &look);
}

rd_status rd__sched_tell(const rd__sched_job *job, uint64_t done, uint64_t total, const char *unit, rd_error *err)
{
    if (job->progress && job->progress(job->progress_user, job->app, done, total, unit))
        return rd__fail(err, RD_ECANCELLED, "%s was stopped on request", job->app);
    return RD_OK;
}

/* Launches of a job that was started leave as often, so that whoever asks is told how far it is. */
#define NEWS_SECONDS 1.0

struct news {
    const rd__sched_job *job;
    uint64_t done, total;
    const char *unit;
    double by; /* when launches are to leave in any case; 0: never */
};

static int wants_to_stop(void *user)
{
    const struct news *news = user;
    return rd__sched_tell(news->job, news->done, news->total, news->unit, NULL) != RD_OK;
}

/* Where rd__sched_left finds that launches were asked. */
static uint32_t *asked_of(const rd__sched_job *job)
{
    return job->turn ? &job->turn->asked : job->trace_asked;
}

/* Others go before this job, or its trace is to have another line. */
static int is_wanted(void *user)
{
    const struct news *news = user;
    const rd__sched_job *job = news->job;
    const int by_others =
        job->turn && (rd__turn_wanted(job->turn) || (job->pause && job->pause->wanted(job->pause->user)));
    const int wanted = by_others || (news->by != 0 && rd_now() >= news->by);
    *asked_of(job) |= (uint32_t)wanted;
    return wanted;
}

/* They have asked its launches themselves. */
static void was_asked(void *user)
{
    const struct news *news = user;
    *asked_of(news->job) = 1;
}

static rd_status wait_for(rd_device *device, const rd__sched_job *job, struct news *news, int keeps, rd_error *err)
{
    const rd__limit limit = {.deadline = job->deadline,
                             .cancelled = job->progress ? wants_to_stop : NULL,
                             .user = news,
                             .wanted = keeps && asked_of(job) ? is_wanted : NULL,
                             .asked = was_asked,
                             .look_by = news->by};
    const uint32_t forced = device->forced;
    const rd_status status = rd__device_wait(device, &limit, err);
    const int stuck = (int)__atomic_load_n(&device->stuck, __ATOMIC_RELAXED); /* partner: device/wait.c; a word alone */
    return status == RD_ECANCELLED && device->forced == forced && !stuck
               ? rd__fail(err, status, "%s was stopped on request", job->app)
               : status;
}

rd_status rd__sched_wait(rd_device *device, const rd__sched_job *job, uint64_t done, uint64_t total, const char *unit,
                         rd_error *err)
{
    struct news news = {job, done, total, unit, 0};
    return wait_for(device, job, &news, 0, err);
}

rd_status rd__sched_wait_slice(rd_device *device, const rd__sched_job *job, double by, uint64_t done, uint64_t total,
                               const char *unit, rd_error *err)
{
    const double look = job->turn && by == 0 ? rd_now() + NEWS_SECONDS : by;
    struct news news = {job, done, total, unit, look};
    return wait_for(device, job, &news, 1, err);
}

int rd__sched_left(const rd__sched_job *job)
{
    uint32_t *const asked = asked_of(job);
    const int left = asked && *asked;
    if (left)
        *asked = 0;
    return left;
}

int rd__sched_lends(const rd__sched_job *job)
{
    return job->turn && job->turn->lent;
}

rd_status rd__sched_pass(const rd__sched_job *job, rd_error *err)
{
    if (job->pause && job->pause->wanted(job->pause->user))
        RD_TRY(job->pause->write(job->pause->user, err));
    return job->turn ? rd__turn_pass(job->turn, 1, err) : RD_OK;
}

rd_status rd__sched_fill(const rd__sched_job *job, rd__buffer *buffer, uint32_t word, rd_error *err)
{
    rd_device *device = buffer->device;
    /* A tenth of a second, about: memory that a CPU touches for the first time comes page by page. */
    const uint64_t slice = device->info.is_gpu ? 1ull << 30 : 64ull << 20, bytes = buffer->bytes / 4 * 4;
    for (uint64_t at = 0; at < bytes; at += slice) {
        const uint64_t some = bytes - at < slice ? bytes - at : slice;
        RD_TRY(rd__buffer_fill_part(buffer, at, some, word, err));
        if (bytes <= slice)
            break;
        RD_TRY(rd__sched_wait(device, job, 0, 0, "tasks", err));
        /* it may have been idle again before anybody looked at the time */
        if (job->deadline != 0 && rd_now() >= job->deadline)
            return rd__fail(err, RD_ETIMEOUT, "%s on %s: the time allowed was used up while buffer '%s' was prepared",
                            job->app, device->info.name, buffer->name);
        RD_TRY(rd__sched_tell(job, 0, 0, "tasks", err));
    }
    return RD_OK;
}

rd_status rd__sched_over_gives(const rd__sched_job *job, rd_error *err)
{
    return rd__fail(
        err, RD_EINPUT,
        "%s: a task gave more than RD_TASK_GIVES says: say more (up to 8), or give a task that gives the rest",
        job->app);
}
