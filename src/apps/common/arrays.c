/* SPDX-License-Identifier: Apache-2.0 */
/* arrays.c - see arrays.h. */
#include "apps/common/arrays.h"

#include "core/memory.h"
#include "raddle/tool.h"
#include "sched/freeze.h"

#include <string.h>

static uint64_t items_of(const rd_job *job)
{
    return job->app->items ? job->app->items(job) : job->graph ? rd_graph_csr(job->graph).vertices : 0;
}

static uint64_t bytes_of(const rd_job *job, const rd__app_array *array)
{
    const uint64_t items = items_of(job), edges = job->graph ? rd_graph_csr(job->graph).edges : 0;
    return array->each * items + (array->bits * items + 31) / 32 * 4 + (array->edge_bits * edges + 31) / 32 * 4 +
           array->more + (array->beside ? array->beside(job) : 0);
}

static rd__buffer *buffer_of(const rd_job *job, const rd__app_array *array)
{
    return (rd__buffer *)(void *)((char *)job->state + array->at);
}

/* The pointer to an array on the host is of the app's own type: its bytes are copied. */
static void set_pointer(const rd_job *job, const rd__app_array *array, void *pointer)
{
    memcpy((char *)job->state + array->at, &pointer, sizeof pointer);
}

static void *pointer_of(const rd_job *job, const rd__app_array *array)
{
    void *pointer;
    memcpy(&pointer, (const char *)job->state + array->at, sizeof pointer);
    return pointer;
}

static int is_wanted(const rd_job *job, const rd__app_array *array)
{
    return !array->wanted || array->wanted(job);
}

static const rd__app_array *result_of(const rd_job *job)
{
    const rd__app_array *array = job->app->arrays;
    while (array && array->name && !array->result)
        array++;
    return array && array->name ? array : NULL;
}

void rd__arrays_plan(const rd_job *job, rd_plan *plan)
{
    for (const rd__app_array *array = job->app->arrays; array && array->name; array++)
        if (!array->on_host && is_wanted(job, array))
            rd__plan_add(plan, array->name, bytes_of(job, array), 0, 0);
}

static rd_status make(rd_job *job, const rd__app_array *array, rd_error *err)
{
    void *pointer = NULL;
    if (!array->on_host)
        return rd__buffer_alloc(job->device, buffer_of(job, array), array->name, bytes_of(job, array), err);
    RD_TRY(rd__array_new(&pointer, array->name, bytes_of(job, array), 1, err));
    set_pointer(job, array, pointer);
    return RD_OK;
}

/* The result where it is, if the host can look at it there; parts of several ranks gather theirs. */
static void *in_place(const rd_job *job, const rd__app_array *result)
{
    return rd__job_in_parts(job) ? NULL : rd__buffer_in_place(buffer_of(job, result));
}

rd_status rd__arrays_keep(rd_job *job, rd_error *err)
{
    if (!job->kept)
        RD_TRY(rd__array_new(&job->kept, "result on the host", bytes_of(job, result_of(job)), 1, err));
    job->copy = job->kept;
    return RD_OK;
}

rd_status rd__arrays_alloc(rd_job *job, rd_error *err)
{
    const rd__app_array *result = result_of(job);
    for (const rd__app_array *array = job->app->arrays; array && array->name; array++)
        if (is_wanted(job, array))
            RD_TRY(make(job, array, err));
    return result && !in_place(job, result) ? rd__arrays_keep(job, err) : RD_OK;
}

static int is_filled(const rd_job *job, const rd__app_array *array)
{
    const int no_core = job->device->info.is_gpu && job->worker != 1;
    return array->filled && !(array->filled == RD__FILLED_FOR_CORES && no_core);
}

rd_status rd__arrays_fill(rd_job *job, rd_error *err)
{
    for (const rd__app_array *array = job->app->arrays; array && array->name; array++) {
        if (array->on_host || !is_wanted(job, array))
            continue;
        if (!buffer_of(job, array)->device)
            RD_TRY(make(job, array, err));
        if (is_filled(job, array))
            RD_TRY(rd__buffer_fill(buffer_of(job, array), array->first, err));
    }
    return RD_OK;
}

void rd__arrays_free(rd_job *job)
{
    for (const rd__app_array *array = job->app->arrays; array && array->name; array++)
        if (array->on_host) {
            rd__array_free(pointer_of(job, array));
            set_pointer(job, array, NULL);
        } else {
            rd__buffer_free(buffer_of(job, array));
        }
    rd__array_free(job->kept);
    job->copy = job->kept = NULL;
}

rd_status rd__arrays_freeze(rd_job *job, rd__freeze *freeze, rd_error *err)
{
    for (const rd__app_array *array = job->app->arrays; array && array->name; array++) {
        if (!is_wanted(job, array))
            continue;
        if (array->on_host)
            RD_TRY(rd__freeze_bytes(freeze, pointer_of(job, array), bytes_of(job, array), err));
        else
            RD_TRY(rd__freeze_buffer(freeze, buffer_of(job, array), err));
    }
    return RD_OK;
}

rd_status rd__arrays_freeze_device(rd_job *job, rd__freeze *freeze, rd_error *err)
{
    for (const rd__app_array *array = job->app->arrays; array && array->name; array++)
        if (!array->on_host && is_wanted(job, array))
            RD_TRY(rd__freeze_fixed(freeze, buffer_of(job, array), err));
    return RD_OK;
}

rd_status rd__arrays_read_copy(rd_job *job, rd_error *err)
{
    const rd__app_array *result = result_of(job);
    if (!result)
        return RD_OK;
    RD_TRY(rd__arrays_keep(job, err));
    return rd__buffer_read(buffer_of(job, result), 0, bytes_of(job, result), job->copy, err);
}

rd_status rd__arrays_read(rd_job *job, rd_error *err)
{
    const rd__app_array *result = result_of(job);
    if (!result || !in_place(job, result))
        return rd__arrays_read_copy(job, err);
    job->copy = in_place(job, result);
    return rd__buffer_settle(buffer_of(job, result), err);
}

rd_status rd__app_fetch(rd_job *job, rd_error *err)
{
    if (job->fetched)
        return RD_OK;
    const double began = rd_now();
    RD_TRY(job->app->fetch ? job->app->fetch(job, err) : rd__arrays_read(job, err));
    job->download_s = rd_now() - began;
    job->fetched = 1;
    return RD_OK;
}

rd_status rd__app_result(rd_job *job, rd_result *result, rd_error *err)
{
    const rd__app_array *array = result_of(job);
    RD_TRY(rd__app_fetch(job, err));
    *result = (rd_result){
        .name = job->app->info.name, .wide = &job->last.sum, .kind = RD_RESULT_U64, .count = 1}; /* fork-join */
    if (array)
        *result = (rd_result){.name = array->result, .word = job->copy, .kind = array->kind};
    if (array)
        result->count = bytes_of(job, array) / (array->kind == RD_RESULT_U64 ? 8 : 4);
    result->download_s = job->download_s;
    if (job->app->result)
        job->app->result(job, result);
    return RD_OK;
}
