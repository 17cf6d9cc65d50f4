/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - draws what to run: device, app, scheduler, launch, width, and options as the library's tables list them.
 */
#include "oracle.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int listed(const char *list, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return 1;
    return list == NULL;
}

int device_is_cheap(const char *name)
{
    return strncmp(name, "cpu", 3) == 0;
}

/* ---- Values ---- */

/* "LOW..HIGH". Mostly small, at times an end of the range. */
static void value_of_range(const char *range, rng *r, char *value)
{
    char *rest;
    const uint64_t low = strtoull(range, &rest, 10), high = strtoull(rest + 2, NULL, 10);
    const uint64_t most =
        high - low > 4096 ? low + 4096 : high; /* of tasks or bytes: no test of how much memory there is */
    uint64_t drawn = rng_chance(r, 10) ? low : rng_chance(r, 10) ? most : rng_sized(r, low, most);
    if (drawn > 1 && rng_chance(r, 50)) /* some want a power of two */
        while (drawn & (drawn - 1))
            drawn &= drawn - 1;
    snprintf(value, TEXT_MOST, "%" PRIu64, drawn < low ? low : drawn);
}

int option_value(const rd_option_info *option, rng *r, char *value)
{
    if (!option->value) {
        snprintf(value, TEXT_MOST, "%d", rng_chance(r, 60));
        return 1;
    }
    size_t choices = 1;
    for (const char *c = option->value; *c; c++)
        choices += *c == '|';
    if (choices == 1 && !strstr(option->value, ".."))
        return 0;
    const char *at = option->value;
    for (uint64_t skip = rng_below(r, choices); skip; skip--)
        at = strchr(at, '|') + 1;
    char word[TEXT_MOST];
    snprintf(word, sizeof word, "%.*s", (int)strcspn(at, "|"), at);
    if (strstr(word, ".."))
        value_of_range(word, r, value);
    else
        snprintf(value, TEXT_MOST, "%s", word);
    return 1;
}

static void set(config *c, const char *key, const char *value)
{
    if (c->count == SETTINGS_MOST)
        return;
    snprintf(c->key[c->count], sizeof c->key[0], "%s", key);
    snprintf(c->value[c->count++], sizeof c->value[0], "%s", value);
}

static void set_number(config *c, const char *key, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    set(c, key, text);
}

const char *config_value(const config *c, const char *key)
{
    for (size_t i = 0; i < c->count; i++)
        if (strcmp(c->key[i], key) == 0)
            return c->value[i];
    return NULL;
}

/* ---- Options ---- */

/* Options of apps that belong to the configuration, as kernels are compiled for some of them. Those of a case are drawn
 * with its input (graphs.c, texts.c); files and cameras are not drawn at all. */
static void draw_app_option(config *c, const rd_option_info *option, rng *r)
{
    static const char *const of_config = "parents,method,rule,update,pack,dangling,accel,heatmap";
    char value[TEXT_MOST];
    if (strcmp(option->key, "dive") == 0)
        set_number(c, option->key, rng_sized(r, 1, 3000));
    else if (strcmp(option->key, "table") == 0)
        set_number(c, option->key, rng_chance(r, 30) ? 0 : rng_sized(r, 1, 1 << 16));
    else if (strcmp(option->key, "pool") == 0)
        set_number(c, option->key, rng_sized(r, 1, 1 << 14));
    else if (strcmp(option->key, "trail") == 0) {
        set_number(c, option->key, rng_sized(r, 1, 1 << 16));
        c->limits_memory = 1;
    } else if (listed(of_config, option->key) && option_value(option, r, value))
        set(c, option->key, value);
}

/* Options that mean nothing to an app under a scheduler are refused, which is worth a few cases and no more. */
static int means_something(const rd_app_info *app, const char *sched, const char *key)
{
    const int vertices = listed("bfs,sssp", app->name), tasks = listed("fib,nqueens,uts,sort,sum", app->name);
    if (strcmp(sched, "bsp") == 0)
        return vertices;
    if (strcmp(sched, "fifo") == 0)
        return !tasks && (strcmp(key, "gate") != 0 || strcmp(app->name, "bfs") == 0);
    if (strcmp(sched, "steal") == 0)
        return tasks || listed("deque,victim", key);
    return strcmp(key, "near") != 0 || vertices;
}

static void draw_shape(config *c, rng *r, const char *device)
{
    static const uint64_t gpu[] = {1, 2, 7, 32, 32, 64, 64, 100, 128, 256, 512};
    const int wide = strchr(device, 'x') != NULL, cheap = device_is_cheap(device);
    if (rng_chance(r, 30))
        set_number(c, "worker", !cheap ? gpu[rng_below(r, 11)] : wide && rng_chance(r, 40) ? rng_between(r, 1, 4) : 0);
    if (rng_chance(r, 30))
        set_number(c, "groups", rng_chance(r, 80) ? rng_between(r, 1, 4) : rng_sized(r, 1, cheap ? 64 : 4096));
}

/* One of those that the list allows; NULL: none is. */
static const char *draw_sched(const rd_app_info *app, const char *list, rng *r)
{
    size_t count = 0;
    for (size_t i = 0; app->schedulers[i]; i++)
        count += (size_t)listed(list, app->schedulers[i]);
    uint64_t skip = count ? rng_below(r, count) : 0;
    for (size_t i = 0; app->schedulers[i]; i++)
        if (listed(list, app->schedulers[i]) && skip-- == 0)
            return app->schedulers[i];
    return NULL;
}

static const rd_app_info *draw_app(const settings *s, rng *r)
{
    const rd_app_info *apps = rd_apps();
    size_t count = 0;
    for (size_t i = 0; apps[i].name; i++)
        count += (size_t)(listed(s->apps, apps[i].name) && draw_sched(&apps[i], s->scheds, &(rng){0}));
    uint64_t skip = count ? rng_below(r, count) : 0;
    for (size_t i = 0; apps[i].name; i++)
        if (listed(s->apps, apps[i].name) && draw_sched(&apps[i], s->scheds, &(rng){0}) && skip-- == 0)
            return &apps[i];
    return NULL;
}

void config_draw(config *c, const settings *s, uint64_t number)
{
    rng random = rng_at(s->seed, 1, number), *r = &random;
    char value[TEXT_MOST];
    *c = (config){.number = number, .device = rng_below(r, s->devices), .app = draw_app(s, r)};
    if (!c->app)
        return;
    const char *drawn = draw_sched(c->app, s->scheds, r);
    c->sched = !s->scheds && rng_chance(r, 7) ? NULL : drawn;
    if (c->sched && rng_chance(r, 75)) {
        const char *const *launch = rd_scheduler_launches(c->sched);
        size_t count = 0;
        while (launch[count])
            count++;
        c->launch = launch[rng_below(r, count)];
        if (strcmp(c->launch, "graph") == 0 && strncmp(s->device[c->device], "cuda", 4) != 0)
            c->launch = launch[0]; /* which only that one has */
    }
    draw_shape(c, r, s->device[c->device]);
    const rd_option_info *option = c->sched ? rd_scheduler_options(c->app->name, c->sched) : NULL;
    for (; option && option->key; option++)
        if (rng_chance(r, means_something(c->app, c->sched, option->key) ? 25 : 1) && option_value(option, r, value))
            set(c, option->key, value);
    for (option = c->app->options; option->key; option++)
        if (rng_chance(r, 30))
            draw_app_option(c, option, r);
}

uint64_t config_cases(const config *c, const settings *s)
{
    rng r = rng_at(s->seed, 3, c->number);
    return device_is_cheap(s->device[c->device]) ? rng_between(&r, 4, 20) : CASES_EACH;
}

void config_text(const config *c, const settings *s, char *text, size_t bytes)
{
    size_t used = (size_t)snprintf(text, bytes, "%s %s %s %s", s->device[c->device], c->app->name,
                                   c->sched ? c->sched : "(any)", c->launch ? c->launch : "(any)");
    for (size_t i = 0; i < c->count && used < bytes; i++)
        used += (size_t)snprintf(text + used, bytes - used, " %s=%s", c->key[i], c->value[i]);
}
