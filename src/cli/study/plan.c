/* SPDX-License-Identifier: Apache-2.0 */
/*
 * plan.c - what a study runs: switches, apps, and which configurations there are.
 *
 * The switches are those of chapter 4 of Sorensen's thesis, by its names; docs/study.md says what they are here.
 * Whether one means something is asked of the tables of options and of the device: an app without pushes has no --push,
 * lanes without warps have no sub-groups, and cores have one lane. Switches of one option are on together when the
 * option has their values joined by commas; fg1 and fg8 are not.
 */
#include "cli/study/study.h"

#include "cli/nearest.h"
#include "cli/open_device.h"

#include <stdlib.h>
#include <string.h>

static const study_switch known_switches[] = {
    {"coop-cv", "push", "group", "lane"}, {"oitergb", "launch", "persistent", "discrete"},
    {"wg", "spread", "group", "lane"},    {"sg", "spread", "warp", "lane"},
    {"fg1", "spread", "edge1", "lane"},   {"fg8", "spread", "edge8", "lane"},
    {"sz256", "worker", "256", "128"},
};
enum { KNOWN = sizeof known_switches / sizeof *known_switches };

/* Variants by the names of the literature (docs/variants.md). */
static const struct {
    const char *name, *app, *sets;
} known_apps[] = {
    {"bfs-wl", "bfs", "direction=push"},
    {"bfs-topo", "bfs", "direction=push frontier=bitmap"},
    {"bfs-cx", "bfs", "claim=take"},
    {"bfs-tp", "bfs", "claim=apart"},
    {"bfs-hybrid", "bfs", ""},
    {"sssp-nf", "sssp", ""},
    {"sssp-wl", "sssp", "delta=4294967294"},
    {"sssp-topo", "sssp", "delta=4294967294 frontier=bitmap"},
    {"bc", "bc", ""},
    {"kcore", "kcore", ""},
    {"cc", "cc", ""},
    {"color", "color", ""},
    {"mis", "mis", ""},
    {"mis-wl", "mis", "sched=fifo"},
    {"mst", "mst", "worklists=many"},
    {"mst-wl", "mst", "worklists=single"},
    {"mst-topo", "mst", "worklists=none"},
    {"pr-tp", "pr", ""},
    {"pr-wl", "pr", "sched=fifo"},
    {"tc", "tc", ""},
};
enum { KNOWN_APPS = sizeof known_apps / sizeof *known_apps };

/* Copies `length` characters. @return 0: they do not fit, or there are none. */
static int copy(char *out, size_t room, const char *text, size_t length)
{
    snprintf(out, room, "%.*s", (int)(length < room ? length : room - 1), text);
    return length > 0 && length < room;
}

/* ---- Switches ---- */

/* "NAME=KEY:ON/OFF" */
static int define_switch(study_switch *out, const char *text)
{
    const char *equals = strchr(text, '='), *colon = equals ? strchr(equals, ':') : NULL;
    const char *slash = colon ? strchr(colon, '/') : NULL;
    return slash && !memchr(text, ',', (size_t)(equals - text)) &&
           copy(out->name, sizeof out->name, text, (size_t)(equals - text)) &&
           copy(out->key, sizeof out->key, equals + 1, (size_t)(colon - equals) - 1) &&
           copy(out->on, sizeof out->on, colon + 1, (size_t)(slash - colon) - 1) &&
           copy(out->off, sizeof out->off, slash + 1, strlen(slash + 1));
}

int study_add_switch(study_job *job, const char *text)
{
    study_switch fresh;
    size_t i = 0;
    while (i < KNOWN && strcmp(known_switches[i].name, text) != 0)
        i++;
    if (i < KNOWN) {
        fresh = known_switches[i];
    } else if (!define_switch(&fresh, text)) {
        cli_nearest nearest;
        cli_nearest_init(&nearest, text);
        for (i = 0; i < KNOWN; i++)
            cli_nearest_try(&nearest, known_switches[i].name, strlen(known_switches[i].name));
        return cli_usage("study", "--switch takes a name that --list prints, or NAME=OPTION:ON/OFF, not '%s'%s", text,
                         cli_nearest_text(&nearest, "", ""));
    }
    for (i = 0; i < job->switches; i++)
        if (strcmp(job->of_switch[i].name, fresh.name) == 0)
            return cli_usage("study", "switch '%s' is there twice", fresh.name);
    if (job->switches == STUDY_SWITCHES)
        return cli_usage("study", "at most %d switches at a time", STUDY_SWITCHES);
    job->of_switch[job->switches++] = fresh;
    return 0;
}

/* ---- Apps ---- */

/* "key=value,key=value" */
static int take_sets(study_app *app, const char *text)
{
    size_t used = 0;
    while (*text) {
        const size_t length = strcspn(text, ",");
        if (!memchr(text, '=', length) || used + length + 2 > sizeof app->sets)
            return 0;
        used +=
            (size_t)snprintf(app->sets + used, sizeof app->sets - used, "%s%.*s", used ? " " : "", (int)length, text);
        text += length + (text[length] == ',');
    }
    return 1;
}

/* The scheduler of its runs: what the options say, else rounds where it has them. */
static const char *sched_of(const study_app *app)
{
    const char *said = strncmp(app->sets, "sched=", 6) == 0 ? app->sets : strstr(app->sets, " sched=");
    said = said ? strchr(said, '=') + 1 : "bsp";
    const size_t length = strcspn(said, " ");
    for (const char *const *sched = app->app->schedulers; *sched; sched++)
        if (strncmp(*sched, said, length) == 0 && (*sched)[length] == '\0')
            return *sched;
    return NULL;
}

static int no_app(const char *text)
{
    cli_nearest nearest;
    cli_nearest_init(&nearest, text);
    for (size_t i = 0; i < KNOWN_APPS; i++)
        cli_nearest_try(&nearest, known_apps[i].name, strlen(known_apps[i].name));
    return cli_usage("study",
                     "--app takes an app on graphs, a name that --list prints, or NAME=APP:KEY=VALUE,..., not '%s'%s",
                     text, cli_nearest_text(&nearest, "", ""));
}

int study_add_app(study_job *job, const char *text)
{
    study_app fresh = {.name = ""};
    const char *equals = strchr(text, '='), *colon = equals ? strchr(equals, ':') : NULL, *name = text;
    char word[40];
    size_t i = 0;
    while (i < KNOWN_APPS && strcmp(known_apps[i].name, text) != 0)
        i++;
    if (i < KNOWN_APPS) {
        name = known_apps[i].app;
        snprintf(fresh.sets, sizeof fresh.sets, "%s", known_apps[i].sets);
    } else if (equals) {
        const size_t length = colon ? (size_t)(colon - equals) - 1 : strlen(equals + 1);
        if (!copy(word, sizeof word, equals + 1, length) || !take_sets(&fresh, colon ? colon + 1 : ""))
            return no_app(text);
        name = word;
    }
    fresh.app = cli_find_app(name);
    if (!fresh.app || !rd_app_takes_graph(fresh.app) ||
        !copy(fresh.name, sizeof fresh.name, text, equals ? (size_t)(equals - text) : strlen(text)))
        return no_app(text);
    fresh.sched = sched_of(&fresh);
    if (!fresh.sched)
        return cli_usage("study", "%s has no such scheduler: '%s'", fresh.app->name, text);
    for (i = 0; i < job->apps; i++)
        if (strcmp(job->app[i].name, fresh.name) == 0)
            return cli_usage("study", "app '%s' is there twice", fresh.name);
    if (job->apps == STUDY_APPS / 2)
        return cli_usage("study", "at most %d apps at a time", STUDY_APPS / 2);
    job->app[job->apps++] = fresh;
    return 0;
}

/* Just before the variants of each app: the app as it is, since the two are compared, and what is measured long before
 * may have met another machine. There is room: variants take half of it. */
static void add_naturals(study_job *job)
{
    study_app variant[STUDY_APPS / 2];
    const size_t variants = job->apps;
    memcpy(variant, job->app, variants * sizeof *variant);
    job->apps = 0;
    for (size_t i = 0; i < variants; i++) {
        size_t k = 0;
        while (variant[k].app != variant[i].app)
            k++;
        if (k == i) { /* the first of its app */
            study_app *const natural = &job->app[job->apps++];
            *natural = (study_app){.app = variant[i].app};
            snprintf(natural->name, sizeof natural->name, "%s", variant[i].app->name);
        }
        job->app[job->apps++] = variant[i];
    }
}

/* A graph of each of the three kinds that the thesis has: roads, power law, uniform. */
int study_add_defaults(study_job *job)
{
    static const char *const usual[] = {"road:1024x1024:0.65", "kron:18", "urand:18"};
    static const char *const small[] = {"road:64x64:0.65", "kron:11", "urand:11"};
    int code = 0;
    if (!job->inputs)
        for (; job->inputs < sizeof usual / sizeof *usual; job->inputs++)
            job->input[job->inputs] = (job->quick ? small : usual)[job->inputs];
    if (!job->switches)
        for (size_t i = 0; i < KNOWN && !code; i++)
            code = study_add_switch(job, known_switches[i].name);
    if (!job->apps)
        for (size_t i = 0; i < KNOWN_APPS && !code; i++)
            code = study_add_app(job, known_apps[i].name);
    if (!code && job->defaults)
        add_naturals(job);
    return code;
}

/* ---- Configurations ---- */

static const rd_option_info *find(const rd_option_info *table, const char *key)
{
    for (; table && table->key; table++)
        if (strcmp(table->key, key) == 0)
            return table;
    return NULL;
}

/* Is `value` one of "a|b|c"? What is no such list takes a single value of any kind. */
static int takes(const char *list, const char *value, int single)
{
    const size_t length = strlen(value);
    if (!list || !strchr(list, '|'))
        return single;
    for (const char *at = list; *at; at += strcspn(at, "|"), at += *at == '|')
        if (strcspn(at, "|") == length && strncmp(at, value, length) == 0)
            return 1;
    return 0;
}

static int option_takes(const study_app *app, const char *key, const char *value, int single)
{
    const rd_option_info *option = find(rd_scheduler_options(app->app->name, app->sched), key);
    if (strcmp(key, "launch") == 0) {
        for (const char *const *launch = rd_scheduler_launches(app->sched); *launch; launch++)
            if (strcmp(*launch, value) == 0)
                return 1;
        return 0;
    }
    option = option ? option : find(rd_common_options(), key);
    option = option ? option : find(app->app->options, key);
    return option && takes(option->value, value, single);
}

/* What a device has no use for: lanes where it has one, or a width that is not to be chosen; warps where it has none.
 */
static int device_takes(const study_switch *of, const rd_device_info *info)
{
    uint64_t lanes;
    if (strcmp(of->key, "worker") == 0)
        return !cli_is_host(info) && rd_parse_u64(of->on, &lanes) && lanes <= info->max_group;
    if (strcmp(of->key, "spread") == 0)
        return info->max_group > 1 && (info->warp > 1 || strcmp(of->on, "warp") != 0);
    if (strcmp(of->key, "push") == 0)
        return info->warp > 1 || strcmp(of->on, "warp") != 0;
    return 1;
}

uint32_t study_can(const study_job *job, const study_app *app, const rd_device_info *info)
{
    uint32_t can = 0;
    for (size_t i = 0; i < job->switches && app->sched; i++) {
        const study_switch *const of = &job->of_switch[i];
        if (device_takes(of, info) && option_takes(app, of->key, of->on, 1) && option_takes(app, of->key, of->off, 1))
            can |= 1u << i;
    }
    return can;
}

/* Adds text behind what is there. */
static void append(char *out, size_t room, const char *before, const char *text)
{
    const size_t used = strlen(out);
    snprintf(out + used, room - used, "%s%s", used ? before : "", text);
}

/* The value of switch i's option: those that are on joined, or off. @return how many are on. */
static int join(const study_job *job, const study_point *point, size_t i, char *value, size_t room)
{
    int count = 0;
    value[0] = '\0';
    for (size_t k = i; k < job->switches; k++)
        if (point->on >> k & 1 && strcmp(job->of_switch[k].key, job->of_switch[i].key) == 0) {
            append(value, room, ",", job->of_switch[k].on);
            count++;
        }
    if (!count)
        snprintf(value, room, "%s", job->of_switch[i].off);
    return count;
}

int study_configure(const study_job *job, study_point *point)
{
    char value[STUDY_TEXT], set[STUDY_TEXT + 32];
    point->config[0] = point->options[0] = '\0';
    if (!point->app->sched)
        append(point->config, sizeof point->config, "", RD_STUDY_DEFAULTS);
    for (size_t i = 0; i < job->switches; i++) {
        const study_switch *const of = &job->of_switch[i];
        int first = point->can >> i & 1; /* of its option */
        for (size_t k = 0; k < i; k++)
            first &= !(point->can >> k & 1) || strcmp(job->of_switch[k].key, of->key) != 0;
        if (point->on >> i & 1)
            append(point->config, sizeof point->config, ",", of->name);
        if (!first)
            continue;
        const int count = join(job, point, i, value, sizeof value);
        if (!option_takes(point->app, of->key, value, count <= 1))
            return 0;
        snprintf(set, sizeof set, "%s=%s", of->key, value);
        append(point->options, sizeof point->options, " ", set);
    }
    return 1;
}

void study_print_list(const study_job *job, FILE *out)
{
    fprintf(out, "switches (--switch NAME, or NAME=OPTION:ON/OFF):\n");
    for (size_t i = 0; i < job->switches; i++)
        fprintf(out, "  %-12s --%s %s instead of %s\n", job->of_switch[i].name, job->of_switch[i].key,
                job->of_switch[i].on, job->of_switch[i].off);
    fprintf(out, "apps (--app NAME, or NAME=APP:KEY=VALUE,...):\n");
    for (size_t i = 0; i < job->apps; i++)
        if (job->app[i].sched)
            fprintf(out, "  %-12s %s under %s%s%s\n", job->app[i].name, job->app[i].app->name, job->app[i].sched,
                    job->app[i].sets[0] ? ", " : "", job->app[i].sets);
    fprintf(out, "inputs (--graph INPUT):\n");
    for (size_t i = 0; i < job->inputs; i++)
        fprintf(out, "  %s\n", job->input[i]);
}
