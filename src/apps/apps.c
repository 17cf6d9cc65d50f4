/* SPDX-License-Identifier: Apache-2.0 */
/* apps.c - the table of apps, and which engines each runs under. */
#define _POSIX_C_SOURCE 200809L /* pthread_once */
#include "apps/app.h"
#include "apps/own/own.h"
#include "ranks/ranks.h"

#include <pthread.h>
#include <string.h>

#define ALSO(root, file, constants) /* gen/roots.def has them */
#define APP(name)                   extern const rd__app rd__app_##name;
#include "apps/apps.def"
#undef APP

const rd__app *const rd__apps[] = {
#define APP(name) &rd__app_##name,
#include "apps/apps.def"
#undef APP
#undef ALSO
    NULL,
};
enum { APPS = sizeof rd__apps / sizeof rd__apps[0], MOST_ENGINES = 32 };

int rd_app_takes_graph(const rd_app_info *app)
{
    return app && (app->input == RD_INPUT_GRAPH || app->input == RD_INPUT_WEIGHTED);
}

/* ---- Engines ---- */

/* Filled once, by whoever asks first. */
static const rd__engine *engines_of[APPS][MOST_ENGINES];
static const char *names_of[APPS][MOST_ENGINES];
static rd_app_info infos[APPS];

static int has_policy(size_t app, size_t count, const char *policy)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names_of[app][i], policy) == 0)
            return 1;
    return 0;
}

/* In the order of the table of engines. */
static void find_engines(size_t app)
{
    const char *const own[] = {rd__apps[app]->info.name, NULL};
    size_t count = 0;
    for (const rd__engine *const *engine = rd__engines; *engine; engine++)
        for (const char *const *root = rd__apps[app]->roots ? rd__apps[app]->roots : own; *root; root++)
            if (rd__engine_runs(*engine, *root) && !has_policy(app, count, (*engine)->policy->name) &&
                count + 1 < MOST_ENGINES) {
                engines_of[app][count] = *engine;
                names_of[app][count++] = (*engine)->policy->name;
            }
}

static void fill_tables(void)
{
    static const rd_option_info no_options[] = {{NULL, NULL, NULL, NULL, 0}};
    for (size_t i = 0; rd__apps[i]; i++) {
        find_engines(i);
        infos[i] = rd__apps[i]->info;
        if (!infos[i].options)
            infos[i].options = no_options;
        infos[i].schedulers = names_of[i];
    }
}

static void need_tables(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    (void)pthread_once(&once, fill_tables);
}

static size_t number_of(const rd__app *app)
{
    size_t i = 0;
    need_tables();
    while (rd__apps[i] != app)
        i++;
    return i;
}

const rd__engine *const *rd__app_engines(const rd__app *app)
{
    return app->engines ? app->engines : engines_of[number_of(app)];
}

const rd__engine *rd__app_engine(const rd__app *app, const char *policy)
{
    for (const rd__engine *const *engine = rd__app_engines(app); *engine; engine++)
        if (strcmp((*engine)->policy->name, policy) == 0)
            return *engine;
    return NULL;
}

int rd__job_in_parts(const rd_job *job)
{
    return job->ranks && (rd__ranks_many(job->ranks) || job->checkpoint);
}

int rd__job_in_rounds(const rd_job *job)
{
    const rd__sched_job view = {.engine = job->engine, .settings = &job->settings};
    return rd__engine_in_rounds(&view);
}

/* ---- The table ---- */

/* A name that the program registered means what it registered, also where the library has an app of that name, perhaps
 * since its last version: that one is raddle:NAME. */
const rd__app *rd__app_find(const char *name)
{
    static const char library[] = "raddle:";
    const int ours = strncmp(name, library, sizeof library - 1) == 0;
    const rd__app *own = ours ? NULL : rd__own_find(name);
    if (own)
        return own;
    name += ours ? sizeof library - 1 : 0;
    for (const rd__app *const *app = rd__apps; *app; app++)
        if (strcmp((*app)->info.name, name) == 0)
            return *app;
    return NULL;
}

const rd_app_info *rd_apps(void)
{
    need_tables();
    return infos;
}

/* Those that any of the app's roots can use. */
static const rd_option_info *options_of(const rd__app *app, const rd__engine *engine)
{
    enum { MOST_ROOTS = 16 };
    const char *const own[] = {app->info.name, NULL};
    uint32_t traits[MOST_ROOTS];
    size_t roots = 0;
    for (const char *const *root = app->roots ? app->roots : own; *root && roots < MOST_ROOTS; root++)
        if (rd__engine_runs(engine, *root))
            traits[roots++] = rd__root_find(*root)->traits;
    return roots && engine->options_for ? engine->options_for(traits, roots) : engine->options;
}

const rd_option_info *rd_scheduler_options(const char *app, const char *scheduler)
{
    const rd__app *found = app && scheduler ? rd__app_find(app) : NULL;
    const rd__engine *engine = found ? rd__app_engine(found, scheduler) : NULL;
    return engine ? options_of(found, engine) : NULL;
}
