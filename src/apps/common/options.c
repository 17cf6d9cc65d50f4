/* SPDX-License-Identifier: Apache-2.0 */
/* options.c - see options.h. */
#include "apps/common/options.h"
#include "apps/common/values.h"

#include "core/log.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

static const rd_option_info *info_of(const rd_job *job, const char *key)
{
    const rd_option_info *info = job->app->info.options;
    while (strcmp(info->key, key) != 0)
        info++;
    return info;
}

static void *field_of(const rd_job *job, size_t at)
{
    return (char *)job->state + at;
}

static rd_status set_real(const rd__app_option *option, const char *value, double *out, rd_error *err)
{
    double number;
    if (!rd_parse_double(value, &number) || !(number >= option->low && number <= option->high))
        return rd__fail(err, RD_EARG, "%s '%s' is not a number from %g to %g", option->key, value, option->low,
                        option->high);
    *out = number;
    return RD_OK;
}

static rd_status set_number(const rd__app_option *option, const char *value, uint64_t *out, rd_error *err)
{
    rd_error why = {.status = RD_OK};
    if (rd__value_u64(option->key, value, option->least, option->most, out, &why) == RD_OK)
        return RD_OK;
    if (!option->of)
        return rd__fail(err, RD_EARG, "%s", why.text);
    return rd__fail(err, RD_EARG, "option %s takes a number of %s from %llu to %llu, not '%s'", option->key, option->of,
                    (unsigned long long)option->least, (unsigned long long)option->most, value);
}

static rd_status set_field(rd_job *job, const rd__app_option *option, const char *value, rd_error *err)
{
    void *field = field_of(job, option->at);
    uint64_t number = 0;
    switch (option->kind) {
    case RD__OPTION_OWN: return job->app->set(job, option->key, value, err);
    case RD__OPTION_FLAG: return rd__value_u32(option->key, value, 0, 1, field, err);
    case RD__OPTION_CHOICE: return rd__value_choice(option->key, value, info_of(job, option->key)->value, field, err);
    case RD__OPTION_U64: return set_number(option, value, field, err);
    case RD__OPTION_REAL: return set_real(option, value, field, err);
    case RD__OPTION_SOURCE: return rd__value_vertex(option->key, value, field, err);
    case RD__OPTION_U32: break;
    }
    RD_TRY(set_number(option, value, &number, err));
    *(uint32_t *)field = (uint32_t)number;
    return RD_OK;
}

static size_t width_of(rd__option_kind kind)
{
    return kind == RD__OPTION_OWN ? 0 : kind == RD__OPTION_U64 || kind == RD__OPTION_REAL ? 8 : 4;
}

void rd__options_init(rd_job *job)
{
    for (const rd__app_option *option = job->app->options; option && option->key; option++) {
        const char *initial = info_of(job, option->key)->initial;
        if (option->kind == RD__OPTION_SOURCE)
            *(uint32_t *)field_of(job, option->at) = RD_NONE;
        else if (option->kind != RD__OPTION_OWN && initial)
            (void)set_field(job, option, initial, NULL); /* a unit test sets every default */
    }
}

rd_status rd__options_set(rd_job *job, const char *key, const char *value, rd__changes *changes, rd_error *err)
{
    const rd__app_option *option = job->app->options;
    char before[8];
    uint32_t *was_set = NULL;
    while (strcmp(option->key, key) != 0)
        option++;
    const size_t width = width_of(option->kind);
    memcpy(before, field_of(job, option->at), width);
    RD_TRY(set_field(job, option, value, err));
    int is_new = !width || memcmp(before, field_of(job, option->at), width) != 0;
    if (option->was_set) {
        was_set = field_of(job, option->was_set);
        is_new |= !*was_set;
        *was_set = 1;
    }
    *changes = is_new ? option->changes : RD__CHANGES_NOTHING;
    return RD_OK;
}

rd_status rd__options_check(const rd_job *job, rd_error *err)
{
    for (const rd__app_option *option = job->app->options; job->graph && option && option->key; option++)
        if (option->kind == RD__OPTION_SOURCE)
            RD_TRY(rd__vertex_check(job->graph, option->key, *(const uint32_t *)field_of(job, option->at), err));
    return RD_OK;
}

void rd__options_say_unused(const rd_job *job)
{
    char where[64];
    for (const rd__app_option *option = job->app->options; option && option->key; option++)
        if (option->of_rounds && *(const uint32_t *)field_of(job, option->at) && !rd__job_in_rounds(job) &&
            !rd__job_in_parts(job)) {
            snprintf(where, sizeof where, "under scheduler %s", job->engine->policy->name);
            rd__say_unused(option->key, where, "it is for rounds");
        }
}
