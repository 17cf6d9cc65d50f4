/* SPDX-License-Identifier: Apache-2.0 */
/* verdicts.c - what runs say about schedulers; defaults; and the quick look of the self-test. */
#include "progress/progress.h"

#include "core/memory.h"
#include "device/promise.h"

#include <stdio.h>
#include <string.h>

rd_status rd__progress_defaults(const rd_progress_options *options, rd_progress_options *set, rd_error *err)
{
    static const rd_progress_options none = {.size = sizeof none};
    options = options ? options : &none;
    if (options->size != sizeof *options)
        return rd__fail(err, RD_EARG, "rd_progress_options.size is %zu, this library's is %zu", options->size,
                        sizeof *options);
    if (options->threads == 1 || options->threads > RD_PROGRESS_THREADS)
        return rd__fail(err, RD_EARG, "programs have 2 to %d threads, not %u", RD_PROGRESS_THREADS, options->threads);
    *set = *options;
    set->threads = options->threads ? options->threads : RD_PROGRESS_THREADS;
    set->programs = options->programs ? options->programs : 3;
    set->shapes = options->shapes ? options->shapes : 12;
    set->repeats = options->repeats ? options->repeats : 4;
    set->seed = options->seed ? options->seed : RD_SEED;
    set->patience = options->patience > 0 ? options->patience : 1;
    return RD_OK;
}

uint32_t rd__progress_scheduler(const char *name)
{
    const rd_name_text *row = rd_fairness_schedulers();
    uint32_t k = 0;
    while (row[k].name && strcmp(row[k].name, name) != 0)
        k++;
    return k;
}

void rd_progress_add(rd_progress_verdicts *v, const rd_progress_program *program, const rd_progress_result *result)
{
    if (!v || !program || !result)
        return;
    v->launches += result->launches;
    for (uint32_t k = 0; k < RD_PROGRESS_MODELS; k++) {
        if (!(program->ends >> k & 1))
            continue;
        v->programs[k]++;
        if (!result->hung || v->violated >> k & 1) /* programs come from the smallest: the first is it */
            continue;
        v->violated |= 1u << k;
        snprintf(v->program[k], sizeof v->program[k], "%s", program->text);
        snprintf(v->shape[k], sizeof v->shape[k], "%s", result->shape);
        snprintf(v->state[k], sizeof v->state[k], "%s", result->state);
    }
}

int rd_progress_is_worth(const rd_progress_verdicts *v, const rd_progress_program *program)
{
    return v && program && (program->ends & ~v->violated) != 0;
}

/* ---- The record ---- */

void rd_progress_record(const rd_device_info *info, const rd_progress_verdicts *v)
{
    if (info && v)
        rd__promise_put(info, v);
}

int rd_progress_recorded(const rd_device_info *info, rd_progress_verdicts *v)
{
    return info && v && rd__promise_get(info, v);
}

/* ---- The probe ---- */

static rd_status probe_with(rd_progress *p, const rd_progress_program *list, size_t count, rd_progress_verdicts *v,
                            rd_error *err)
{
    const uint32_t obe = rd__progress_scheduler("obe");
    for (size_t i = 0; i < count && !(v->violated >> obe & 1); i++) {
        rd_progress_result result;
        if (!(list[i].ends >> obe & 1))
            continue;
        RD_TRY(rd_progress_run(p, &list[i], &result, err));
        rd_progress_add(v, &list[i], &result);
    }
    return RD_OK;
}

rd_status rd__progress_probe(rd_device *device, uint64_t seed, uint32_t *launches, rd_error *err)
{
    const rd_progress_options options = {
        .size = sizeof options, .threads = 3, .programs = 1, .shapes = 6, .repeats = 1, .seed = seed, .patience = 2};
    const uint32_t obe = rd__progress_scheduler("obe");
    rd_progress_verdicts v = {0};
    rd_progress_program *list = NULL;
    rd_progress *progress = NULL;
    size_t count = 0;
    rd_status status = rd_progress_programs(&options, &list, &count, err);
    if (status == RD_OK)
        status = rd_progress_open(device, &options, &progress, err);
    if (status == RD_OK)
        status = probe_with(progress, list, count, &v, err);
    rd_progress_close(progress);
    rd__free(list);
    if (launches)
        *launches = (uint32_t)v.launches;
    if (status != RD_OK || !(v.violated >> obe & 1))
        return status;
    rd__promise_broken(device, v.program[obe]);
    return rd__device_may_persist(device, err);
}
