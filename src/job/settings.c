/* SPDX-License-Identifier: Apache-2.0 */
/*
 * settings.c - the options of a job. The app's own go to the app. Common ones are fields of the job. Those of
 * schedulers are kept as text and checked against the scheduler's table, because which scheduler runs may be decided
 * later.
 */
#include "job/job.h"

#include "apps/common/options.h"
#include "apps/common/values.h"

#include "core/memory.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

static const rd_option_info common[] = {
    {"sched", "NAME", "auto", "scheduler; auto: by input and device, and by what runs show (--explain)", 0},
    {"launch", "NAME", "auto", "how the run is kept going: discrete, persistent, graph; auto: by scheduler", 0},
    {"worker", "LANES", "0", "lanes that act as one worker (default: by device)", 0},
    {"groups", "N", "0", "groups to launch (default: as many as fit the device at once)", 0},
    {"trace", "FILE", NULL, "write seconds, tasks, tasks waiting and overwork as the run goes on", 0},
    {"learn", "off|on|eager", "on", "use what earlier runs of the job took; eager: try all there is, sooner", 0},
    {"switch", "off|auto|on", "auto", "let another scheduler go on with a run whose rounds have become narrow", 0},
    {"timeout", "SECONDS", "0", "stop a run that takes longer (default: never)", 0},
    {NULL, NULL, NULL, NULL, 0},
};

const rd_option_info *rd_common_options(void)
{
    return common;
}

static int has_launch(const rd_app_info *app, const char *name)
{
    for (const char *const *sched = app->schedulers; *sched; sched++)
        for (const char *const *launch = rd_scheduler_launches(*sched); launch && *launch; launch++)
            if (strcmp(*launch, name) == 0)
                return 1;
    return 0;
}

int rd_app_has_choice(const rd_app_info *info, const char *key)
{
    const rd__app *app = info && info->name && key ? rd__app_find(info->name) : NULL;
    if (!app)
        return 0;
    if (strcmp(key, "sched") == 0)
        return info->schedulers[1] != NULL;
    if (strcmp(key, "launch") == 0)
        return has_launch(info, "discrete") && has_launch(info, "persistent");
    if (strcmp(key, "learn") == 0)
        return app->alike != NULL;
    if (strcmp(key, "switch") == 0)
        return app->alike && app->moves != RD__MOVES_NEVER;
    return 1;
}

/* ---- Options ---- */

/* Writes the names into text, separated by commas. */
static void join(const char *const *names, char *text, size_t room)
{
    text[0] = '\0';
    for (size_t used = 0; *names && used < room; names++)
        used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", *names);
}

/* What was made for another scheduler, launch or width is of no use any more; the input and the app's buffers stay. */
void rd__job_drop_sched(rd_job *job)
{
    rd__job_drop_spare(job);
    rd__job_drop_other(job);
    if (!job->sched_state)
        return;
    rd__turn turn;
    rd__job_claim(job, &turn);
    const uint64_t before = rd__buffer_balance();
    job->engine->destroy(job->sched_state);
    job->allocated -= before - rd__buffer_balance();
    rd__job_unclaim(&turn);
    job->sched_state = NULL;
    job->ready = 0;
}

void rd__job_use(rd_job *job, const rd__engine *engine, const char *launch)
{
    if (engine == job->engine && launch == job->launch)
        return;
    rd__job_drop_sched(job);
    job->engine = engine;
    job->launch = launch;
}

const char *rd__policy_launch(const rd__policy *policy, const char *launch)
{
    for (const char *const *name = policy->launches; *name; name++)
        if (strcmp(*name, launch) == 0)
            return *name;
    return NULL;
}

static rd_status no_such_launch(const rd__policy *policy, const char *launch, rd_error *err)
{
    char names[128];
    join(policy->launches, names, sizeof names);
    return rd__fail(err, RD_EARG, "scheduler %s has no launch '%s'; it has: %s", policy->name, launch, names);
}

static rd_status no_such_scheduler(const rd_job *job, const char *value, rd_error *err)
{
    char names[128] = "";
    size_t used = 0;
    for (const rd__engine *const *engine = rd__app_engines(job->app); *engine && used < sizeof names; engine++)
        used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", (*engine)->policy->name);
    return rd__fail(err, RD_EARG, "%s does not run under a scheduler '%s'; it runs under: %s; auto chooses",
                    job->app->info.name, value, names);
}

/* What some scheduler of the app has, each once. */
static void list_launches(const rd_job *job, char *text, size_t room)
{
    size_t used = 0;
    text[0] = '\0';
    for (const rd__engine *const *engine = rd__app_engines(job->app); *engine; engine++)
        for (const char *const *launch = (*engine)->policy->launches; *launch; launch++)
            if (!strstr(text, *launch) && used < room)
                used += (size_t)snprintf(text + used, room - used, "%s%s", used ? ", " : "", *launch);
}

static rd_status set_launch(rd_job *job, const char *value, rd_error *err);

/* Nothing is asked for any more; the next run chooses. */
static rd_status leave_sched(rd_job *job, rd_error *err)
{
    job->asked_engine = NULL;
    rd__job_drop_sched(job);
    return job->asked_launch ? set_launch(job, job->asked_launch, err) : RD_OK;
}

static rd_status set_sched(rd_job *job, const char *value, rd_error *err)
{
    if (strcmp(value, "auto") == 0)
        return leave_sched(job, err);
    const rd__engine *engine = rd__app_engine(job->app, value);
    if (!engine)
        return no_such_scheduler(job, value, err);
    const rd__policy *policy = engine->policy;
    const char *launch = job->asked_launch ? rd__policy_launch(policy, job->asked_launch) : policy->launches[0];
    if (!launch) /* whichever of the two came first, both are wanted */
        return no_such_launch(policy, job->asked_launch, err);
    job->asked_engine = engine;
    rd__job_use(job, engine, launch);
    return RD_OK;
}

static rd_status set_launch(rd_job *job, const char *value, rd_error *err)
{
    if (strcmp(value, "auto") == 0) {
        job->asked_launch = NULL;
        rd__job_drop_sched(job);
        return RD_OK;
    }
    for (const rd__engine *const *engine = rd__app_engines(job->app); *engine; engine++) {
        const int open = !job->asked_engine || *engine == job->asked_engine;
        const char *launch = open ? rd__policy_launch((*engine)->policy, value) : NULL;
        if (launch) {
            job->asked_launch = launch;
            rd__job_use(job, *engine, launch);
            return RD_OK;
        }
    }
    if (!job->asked_engine) {
        char names[64];
        list_launches(job, names, sizeof names);
        return rd__fail(err, RD_EARG, "no scheduler of %s has a launch '%s'; they have: %s", job->app->info.name, value,
                        names);
    }
    return no_such_launch(job->asked_engine->policy, value, err);
}

static rd_status set_count(rd_job *job, const char *key, const char *value, uint32_t most, uint32_t *out, rd_error *err)
{
    uint32_t number;
    RD_TRY(rd__value_u32(key, value, 0, most, &number, err));
    if (*out != number)
        rd__job_drop_sched(job);
    *out = number;
    return RD_OK;
}

static const double forever = 1e9; /* seconds: 30 years. Much more would not fit a clock's numbers. */

static rd_status set_trace(rd_job *job, const char *value, rd_error *err)
{
    char *path = value[0] ? rd__strdup(value) : NULL;
    if (value[0] && !path)
        return rd__fail_memory(err, "the name of a trace", strlen(value) + 1);
    rd__trace_free(job);
    if (!path != !job->trace_path)
        rd__job_drop_sched(job); /* its launches must be able to leave */
    rd__free(job->trace_path);
    job->trace_path = path;
    return path ? rd_output_check(path, RD_OUTPUT_LIVE, err) : RD_OK;
}

/* One of three words. */
static rd_status set_word(const char *key, const char *value, const char *const word[3], uint32_t *out, rd_error *err)
{
    for (uint32_t i = 0; i < 3; i++)
        if (strcmp(value, word[i]) == 0) {
            *out = i;
            return RD_OK;
        }
    return rd__fail(err, RD_EARG, "option %s takes %s, %s or %s, not '%s'", key, word[0], word[1], word[2], value);
}

static rd_status set_switch(rd_job *job, const char *value, rd_error *err)
{
    static const char *const word[] = {[RD__HANDS_OFF] = "off", [RD__HANDS_AUTO] = "auto", [RD__HANDS_ON] = "on"};
    const uint32_t before = job->hands;
    RD_TRY(set_word("switch", value, word, &job->hands, err));
    if (job->hands != before)
        rd__job_drop_sched(job); /* some kernels are compiled for it */
    return RD_OK;
}

static rd_status set_learn(rd_job *job, const char *value, rd_error *err)
{
    static const char *const word[] = {[RD__LEARN_OFF] = "off", [RD__LEARN_ON] = "on", [RD__LEARN_EAGER] = "eager"};
    return set_word("learn", value, word, &job->learn, err);
}

static rd_status set_common(rd_job *job, const char *key, const char *value, rd_error *err)
{
    if (strcmp(key, "sched") == 0)
        return set_sched(job, value, err);
    if (strcmp(key, "launch") == 0)
        return set_launch(job, value, err);
    if (strcmp(key, "worker") == 0)
        return set_count(job, key, value, 1024, &job->worker, err);
    if (strcmp(key, "groups") == 0)
        return set_count(job, key, value, 1u << 20, &job->groups, err);
    if (strcmp(key, "trace") == 0)
        return set_trace(job, value, err);
    if (strcmp(key, "learn") == 0)
        return set_learn(job, value, err);
    if (strcmp(key, "switch") == 0)
        return set_switch(job, value, err);
    double seconds;
    if (!rd_parse_double(value, &seconds) || seconds < 0)
        return rd__fail(err, RD_EARG, "option timeout takes seconds, not '%s'", value);
    job->timeout = seconds < forever ? seconds : 0;
    return RD_OK;
}

/* ---- Options of schedulers ---- */

static const rd_option_info *find_option(const rd_option_info *option, const char *key)
{
    for (; option && option->key; option++)
        if (strcmp(option->key, key) == 0)
            return option;
    return NULL;
}

/* Is value in "1..8"? shape is `length` bytes; what is not a range fits nothing. */
static int in_range(const char *shape, size_t length, const char *value)
{
    char text[48];
    uint64_t low, high, number;
    snprintf(text, sizeof text, "%.*s", (int)length, shape);
    char *dots = length < sizeof text ? strstr(text, "..") : NULL;
    if (!dots)
        return 0;
    *dots = '\0';
    return rd_parse_u64(text, &low) && rd_parse_u64(dots + 2, &high) && rd_parse_u64(value, &number) && number >= low &&
           number <= high;
}

/* Is value one of "a|b|c", where each is a word or a range "1..8"; or 0 or 1 for an on/off option? Item by item: a
 * value with a '|' of its own, or the text of a range, is none of them. */
static int fits(const char *shape, const char *value)
{
    if (!shape)
        return strcmp(value, "0") == 0 || strcmp(value, "1") == 0;
    const size_t length = strlen(value);
    for (const char *at = shape, *end;; at = end + 1) {
        end = at + strcspn(at, "|");
        const size_t item = (size_t)(end - at);
        const int is_range = memchr(at, '.', item) != NULL; /* no word has a dot */
        if (is_range ? in_range(at, item, value) : item == length && item && memcmp(at, value, item) == 0)
            return 1;
        if (!*end)
            return 0;
    }
}

static rd_status bad_value(const rd_option_info *option, const char *value, rd_error *err)
{
    return rd__fail(err, RD_EARG, "option %s takes %s, not '%s'", option->key, option->value ? option->value : "0 or 1",
                    value);
}

/* The option of that name of whichever scheduler the app runs under; of several, one that takes the value. */
static const rd_option_info *find_sched_option(const rd_job *job, const char *key, const char *value)
{
    const rd_option_info *found = NULL;
    for (const rd__engine *const *engine = rd__app_engines(job->app); *engine; engine++) {
        const rd_option_info *option = find_option((*engine)->options, key);
        if (option && (!found || !fits(found->value, value)))
            found = option;
    }
    return found;
}

static rd_status set_of_scheduler(rd_job *job, const rd_option_info *option, const char *value, rd_error *err)
{
    rd__settings *settings = &job->settings;
    uint32_t i = 0;
    if (!fits(option->value, value) || strlen(value) >= RD__SETTING_TEXT)
        return bad_value(option, value, err);
    while (i < settings->count && strcmp(settings->item[i].key, option->key) != 0)
        i++;
    if (i == RD__SETTINGS_MAX)
        return rd__fail(err, RD_EARG, "a job takes at most %d options of schedulers", RD__SETTINGS_MAX);
    if (i < settings->count && strcmp(settings->item[i].value, value) == 0)
        return RD_OK;
    rd__job_drop_sched(job);
    settings->count += i == settings->count;
    settings->item[i].key = option->key;
    snprintf(settings->item[i].value, RD__SETTING_TEXT, "%s", value);
    return RD_OK;
}

int rd__settings_fit(const rd_job *job, const rd__engine *engine)
{
    for (uint32_t i = 0; i < job->settings.count; i++) {
        const rd_option_info *option = find_option(engine->options, job->settings.item[i].key);
        if (!option || !fits(option->value, job->settings.item[i].value))
            return 0;
    }
    return 1;
}

/* The app's first engine of that policy, whose options are the ones that users know. */
static const rd_option_info *first_option(const rd_job *job, const rd__engine *engine, const char *key)
{
    return find_option(rd__app_engine(job->app, engine->policy->name)->options, key);
}

int rd__settings_fit_too(const rd_job *job, const rd__engine *engine)
{
    for (uint32_t i = 0; i < job->settings.count; i++) {
        const char *key = job->settings.item[i].key, *value = job->settings.item[i].value;
        const rd_option_info *own = find_option(engine->options, key), *first = first_option(job, engine, key);
        const int usual = first && first->initial && strcmp(first->initial, value) == 0;
        if (!usual && (!own || !fits(own->value, value)))
            return 0;
    }
    return 1;
}

rd_status rd__settings_check(const rd_job *job, rd_error *err)
{
    for (uint32_t i = 0; i < job->settings.count; i++) {
        const char *key = job->settings.item[i].key, *value = job->settings.item[i].value;
        const rd_option_info *own = find_option(job->engine->options, key);
        const rd_option_info *option = own ? own : first_option(job, job->engine, key);
        if (!option)
            return rd__fail(err, RD_EARG, "scheduler %s has no option '%s' for %s", job->engine->policy->name, key,
                            job->app->info.name);
        if (!fits(option->value, value))
            return bad_value(option, value, err);
    }
    return RD_OK;
}

static rd_status set_of_app(rd_job *job, const char *key, const char *value, rd_error *err)
{
    rd__changes changes = RD__CHANGES_NOTHING;
    RD_TRY(rd__options_set(job, key, value, &changes, err));
    switch (changes) {
    case RD__CHANGES_NOTHING: break;
    case RD__CHANGES_PROGRAM: rd__job_drop_sched(job); break;
    case RD__CHANGES_BUFFERS: rd__job_release(job); break;
    case RD__CHANGES_INPUT: return rd__job_open_again(job, err);
    }
    return RD_OK;
}

rd_status rd_job_set(rd_job *job, const char *key, const char *value, rd_error *err)
{
    RD_TRY(rd__job_ask(job, "rd_job_set", err));
    if (!key || !value)
        return rd__fail(err, RD_EARG, "rd_job_set needs a key and a value");
    if (strcmp(key, "source") != 0 && strcmp(key, "timeout") != 0)
        rd__job_forget(job); /* runs from another source are compared by what they did */
    if (find_option(job->app->info.options, key))
        return set_of_app(job, key, value, err);
    if (find_option(common, key))
        return set_common(job, key, value, err);
    const rd_option_info *option = find_sched_option(job, key, value);
    if (!option)
        return rd__fail(err, RD_EARG, "%s has no option '%s'", job->app->info.name, key);
    return set_of_scheduler(job, option, value, err);
}
