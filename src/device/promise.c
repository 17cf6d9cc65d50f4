/* SPDX-License-Identifier: Apache-2.0 */
/* promise.c - see promise.h. */
#include "device/promise.h"

#include "core/memory.h"
#include "device/cache.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

static rd__hash key_of(const rd_device_info *info)
{
    rd__hash key = {{0, 0}};
    rd__hash_text(&key, "progress");
    rd__hash_text(&key, rd_version());
    rd__hash_text(&key, info->name);
    rd__hash_text(&key, info->model);
    rd__hash_text(&key, info->driver);
    return key;
}

int rd__promise_get(const rd_device_info *info, rd_progress_verdicts *record)
{
    const rd__hash key = key_of(info);
    void *data = NULL;
    size_t got = 0;
    if (!rd__cache_get(&key, &data, &got))
        return 0;
    const int fits = got == sizeof *record;
    if (fits)
        memcpy(record, data, sizeof *record);
    rd__free(data);
    for (uint32_t k = 0; fits && k < RD_PROGRESS_MODELS; k++) /* texts end, whatever the file says */
        record->program[k][sizeof record->program[k] - 1] = record->shape[k][sizeof record->shape[k] - 1] =
            record->state[k][sizeof record->state[k] - 1] = '\0';
    return fits;
}

void rd__promise_put(const rd_device_info *info, const rd_progress_verdicts *record)
{
    const rd__hash key = key_of(info);
    rd__cache_put(&key, record, sizeof *record);
}

void rd__promise_broken(rd_device *device, const char *program)
{
    device->promise_known = 1;
    snprintf(device->broken_by, sizeof device->broken_by, "%s", program);
}

static void look_up(rd_device *device)
{
    rd_progress_verdicts verdicts;
    device->promise_known = 1;
    if (!device->use_cache || !rd__promise_get(&device->info, &verdicts))
        return;
    const rd_name_text *row = rd_fairness_schedulers();
    for (uint32_t k = 0; row[k].name && k < RD_PROGRESS_MODELS; k++)
        if (strcmp(row[k].name, "obe") == 0 && verdicts.violated >> k & 1)
            rd__promise_broken(device, verdicts.program[k]);
}

rd_status rd__device_may_persist(rd_device *device, rd_error *err)
{
    static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER; /* two jobs may be prepared at a time */
    pthread_mutex_lock(&one);
    if (!device->promise_known)
        look_up(device);
    pthread_mutex_unlock(&one);
    if (!device->broken_by[0])
        return RD_OK;
    return rd__fail(err, RD_EDEVICE,
                    "%s was seen to leave groups that had begun, with the program '%s', and a persistent launch needs "
                    "that they go on (obe); use --launch discrete, or run `raddle progress -d %s` again",
                    device->info.name, device->broken_by, device->info.name);
}
