/* SPDX-License-Identifier: Apache-2.0 */
/*
 * register.c - rd_app_register: a text becomes an app like any other. Which engines it runs under follows from
 * sched/engines.def and from what its text says of itself, as tools/programs.sh finds it for the library's own apps.
 *
 * Apps that were registered stay for the life of the process, for jobs point to them. The list only grows at its head,
 * under a lock; readers need none.
 */
#define _POSIX_C_SOURCE 200809L
#include "apps/own/own.h"

#include "apps/common/options.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static rd__own_app *apps;

static const rd__own_app *find(const char *name)
{
    /* pairs with the release in add */
    const rd__own_app *app = __atomic_load_n(&apps, __ATOMIC_ACQUIRE);
    while (app && strcmp(app->file.name, name) != 0)
        app = app->next;
    return app;
}

const rd__app *rd__own_find(const char *name)
{
    const rd__own_app *own = find(name);
    return own ? &own->app : NULL;
}

/* ---- Engines ---- */

static const struct {
    const char *tag, *model, *root, *constants, *needs;
} lines[] = {
#define ENGINE(tag, policy, model, root, constants, needs)  {#tag, #model, root, constants, needs},
#define VARIANT(tag, policy, model, root, constants, needs) {#tag, #model, root, constants, needs},
#include "sched/engines.def"
#undef ENGINE
#undef VARIANT
};
enum { LINES = sizeof lines / sizeof lines[0] };
_Static_assert(LINES + 2 <= RD__OWN_PROGRAMS, "an app may have a program for each line, and one to check");

static const char *model_name(rd__model model)
{
    static const char *const name[] = {[RD__MODEL_NONE] = "",         [RD__MODEL_FRONTIER] = "frontier",
                                       [RD__MODEL_SWEEP] = "sweep",   [RD__MODEL_FORKJOIN] = "forkjoin",
                                       [RD__MODEL_RANKED] = "ranked", [RD__MODEL_PLANE] = "plane",
                                       [RD__MODEL_DAG] = "dag"};
    return name[model];
}

/* Does the text meet what an engine needs? The words are those of engines.def. */
static int meets(uint32_t traits, const char *needs)
{
    static const struct {
        const char *word;
        uint32_t has, has_not;
    } need[] = {{"edges", 0, RD__TRAIT_VERTEX}, {"rounds", 0, RD__TRAIT_NO_ROUNDS}, {"once", 0, RD__TRAIT_REPEATS},
                {"early", 0, RD__TRAIT_LATE},   {"loose", 0, RD__TRAIT_DUE},        {"ranks", RD__TRAIT_RANKS, 0}};
    for (size_t i = 0; i < sizeof need / sizeof need[0]; i++)
        if (strstr(needs, need[i].word) && ((need[i].has & ~traits) || (need[i].has_not & traits)))
            return 0;
    return 1;
}

static void add_program(rd__own_root *root, rd__own_program *program, const char *tag, const char *engine,
                        const char *constants)
{
    snprintf(program->name, sizeof program->name, "%s_%s", root->root.name, tag);
    program->engine = engine;
    program->constants = constants;
    program->root = root;
    rd__program_add(program);
}

/* A root, and a program of it for each engine that it runs under. @return how many. */
static size_t add_root(rd__own_app *app, rd__own_root *root, const char *name, const rd__own_source *source,
                       rd__own_program *programs)
{
    size_t used = 0;
    *root =
        (rd__own_root){.root = {.name = name, .path = app->label, .model = app->file.model, .traits = app->file.traits},
                       .source = source};
    rd__root_add(root);
    for (size_t i = 0; i < LINES; i++)
        if (strcmp(lines[i].model, model_name(app->file.model)) == 0 && meets(app->file.traits, lines[i].needs))
            add_program(root, &programs[used++], lines[i].tag, lines[i].root, lines[i].constants);
    return used;
}

/* Its programs, then the engines that have one of them; in the order of the table. */
static rd_status add_programs(rd__own_app *app, rd_error *err)
{
    size_t count = 0;
    app->programs = rd__calloc(LINES + 2, sizeof *app->programs);
    app->parts_programs = rd__calloc(LINES + 1, sizeof *app->parts_programs);
    if (!app->programs || !app->parts_programs)
        return rd__fail_memory(err, "the programs of an app", (LINES + 2) * sizeof *app->programs);
    /* One that has the name of an app of the library runs programs of its own all the same. */
    snprintf(app->root_name, sizeof app->root_name, "%s", app->file.name);
    for (unsigned n = 1; rd__root_find(app->root_name); n++)
        snprintf(app->root_name, sizeof app->root_name, "own%u_%s", n, app->file.name);
    app->roots[0] = app->root_name;
    const size_t used = add_root(app, &app->root, app->root_name, &app->source, app->programs);
    snprintf(app->parts_name, sizeof app->parts_name, "%s_parts", app->root_name);
    if (app->parts_text)
        add_root(app, &app->parts, app->parts_name, &app->parts_source, app->parts_programs);
    add_program(&app->root, &app->programs[used], "check", RD__OWN_CHECK_ROOT,
                "-DRD_CHECK=1 -DRD_ROUNDS=0 -DRD_URGENT=0");
    for (const rd__engine *const *engine = rd__engines; *engine && count + 1 < OWN_ENGINES; engine++)
        if (rd__engine_runs(*engine, app->root_name)) {
            app->engine[count] = *engine;
            app->policy[count++] = (*engine)->policy->name;
        }
    return RD_OK;
}

/* ---- Options ---- */

static int is_in_length(const rd__own_file *file, const char *name)
{
    for (uint32_t i = 0; i < file->items; i++)
        if (file->item[i].kind == OWN_ARRAY && strstr(file->item[i].length, name))
            return 1;
    if (file->tasks && (strstr(file->tasks, name) || strstr(file->tasks_most, name)))
        return 1;
    return file->columns && (strstr(file->columns, name) || strstr(file->rows, name) || strstr(file->depth, name));
}

/* Words of the command; an option of that name could not be reached. */
static rd_status check_key(const rd__own_app *app, const rd__own_item *item, const char *key, rd_error *err)
{
    static const char *const taken[] = {
        "sched",   "launch",  "worker", "groups",  "timeout",   "trials",     "verify",          "output",
        "dry-run", "explain", "stats",  "json",    "json-file", "quiet",      "device",          "threads",
        "help",    "version", "source", "sources", "no-pin",    "debug",      "no-cache",        "symmetrize",
        "seed",    "weights", "format", "numbers", "permute",   "drop-loops", "drop-duplicates", "round-weights",
        "shares"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(key, taken[i]) == 0)
            return rd__fail(err, RD_EINPUT, "%s:%u: every app has an option '%s' already", app->label, item->line, key);
    return RD_OK;
}

static rd_status add_option(rd__own_app *app, uint32_t i, size_t at, rd_error *err)
{
    const rd__own_item *item = &app->file.item[i];
    rd_option_info *info = &app->infos[at];
    rd__app_option *option = &app->options[at];
    char *key = app->pool + app->pool_used;
    const size_t bytes = strlen(item->name) + 1;
    memcpy(key, item->name, bytes);
    app->pool_used += bytes;
    for (char *c = key; *c; c++)
        *c = *c == '_' ? '-' : *c;
    if (item->kind == OWN_SOURCE) {
        *info =
            (rd_option_info){"source", "VERTEX", NULL, "where to start (default: the vertex of highest degree)", 'r'};
        *option = (rd__app_option){.key = "source", .kind = RD__OPTION_SOURCE, .at = offsetof(rd__own_state, source)};
        return RD_OK;
    }
    RD_TRY(check_key(app, item, key, err));
    const int real = item->type == OWN_F32 || item->type == OWN_F64;
    *info = (rd_option_info){key, real ? "X" : "N", item->value, item->help, 0};
    *option =
        (rd__app_option){.key = key,
                         .at = offsetof(rd__own_state, value) + i * sizeof(uint64_t),
                         .changes = is_in_length(&app->file, item->name) ? RD__CHANGES_BUFFERS : RD__CHANGES_NOTHING};
    if (real) {
        option->kind = RD__OPTION_REAL;
        option->low = item->least;
        option->high = item->most;
    } else {
        option->kind = item->type == OWN_U32 ? RD__OPTION_U32 : RD__OPTION_U64;
        option->least = item->least > 0 ? (uint64_t)item->least : 0;
        option->most = item->most >= 18446744073709549568.0 ? UINT64_MAX : (uint64_t)item->most;
    }
    return RD_OK;
}

static rd_status add_options(rd__own_app *app, rd_error *err)
{
    size_t used = 0;
    app->infos = rd__calloc(app->file.items + 1u, sizeof *app->infos);
    app->options = rd__calloc(app->file.items + 1u, sizeof *app->options);
    if (!app->infos || !app->options)
        return rd__fail_memory(err, "options of an app", (app->file.items + 1u) * sizeof *app->infos);
    for (uint32_t i = 0; i < app->file.items; i++)
        if (app->file.item[i].kind == OWN_OPTION || app->file.item[i].kind == OWN_SOURCE)
            RD_TRY(add_option(app, i, used++, err));
    return RD_OK;
}

/* ---- Registering ---- */

void rd__own_forget(rd__own_app *app)
{
    if (!app)
        return;
    rd__free(app->given);
    rd__free(app->text);
    rd__free(app->label);
    rd__free(app->pool);
    rd__free(app->before);
    rd__free(app->infos);
    rd__free(app->options);
    rd__free(app->programs);
    rd__free(app->parts_before);
    rd__free(app->parts_text);
    rd__free(app->parts_programs);
    rd__free(app);
}

/* As compilers on all devices know it: without the mark with which some editors begin UTF-8, and with one character at
 * the end of a line. */
static void make_plain(char *text)
{
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        memset(text, ' ', 3);
    char *to = text;
    for (const char *from = text; *from; from++)
        if (from[0] != '\r' || from[1] != '\n')
            *to++ = *from;
    *to = '\0';
}

static rd_status read_app(rd__own_app *app, const char *text, const char *label, rd_error *err)
{
    const size_t bytes = strlen(text) + 1;
    app->given = rd__strdup(text);
    app->text = rd__strdup(text);
    app->label = rd__strdup(label);
    app->pool = rd__malloc(2 * bytes + RD__APP_MAX_ARGS * RD__OWN_NAME_ROOM);
    if (!app->given || !app->text || !app->label || !app->pool)
        return rd__fail_memory(err, "the text of an app", 4 * bytes);
    make_plain(app->text);
    RD_TRY(rd__own_declare(app, err));
    RD_TRY(rd__own_kernel(app, err));
    RD_TRY(rd__own_parts(app, err));
    return add_options(app, err);
}

rd_status rd__own_open(const char *text, const char *label, rd__own_app **out, rd_error *err)
{
    rd__own_app *app = rd__calloc(1, sizeof *app);
    *out = NULL;
    if (!app)
        return rd__fail_memory(err, "an app", sizeof *app);
    const rd_status status = read_app(app, text, label, err);
    if (status == RD_OK)
        *out = app;
    else
        rd__own_forget(app);
    return status;
}

static void describe(rd__own_app *app)
{
    const rd__own_file *file = &app->file;
    const int graph = rd__own_takes_graph(file);
    size_t arrays = 0;
    app->samples[0] = file->sample;
    for (uint32_t i = 0; i < file->items; i++)
        if (file->item[i].kind == OWN_ARRAY)
            app->arrays[arrays++] = file->item[i].name;
    app->info = (rd_app_info){.name = file->name,
                              .text = file->text,
                              .options = app->infos,
                              .schedulers = app->policy,
                              .input = file->weighted ? RD_INPUT_WEIGHTED
                                       : graph        ? RD_INPUT_GRAPH
                                                      : RD_INPUT_NONE,
                              .samples = app->samples,
                              .arrays = app->arrays,
                              .has_source = file->seeds == OWN_SEEDS_SOURCE};
    app->app.info = app->info;
}

static rd_status add(rd__own_app *app, const rd__own_app **known, rd_error *err)
{
    *known = find(app->file.name);
    if (*known)
        return strcmp((*known)->given, app->given) == 0
                   ? RD_OK
                   : rd__fail(err, RD_EARG, "%s: there is an own app '%s' already, with another text (%s)", app->label,
                              app->file.name, (*known)->label);
    RD_TRY(add_programs(app, err));
    describe(app);
    rd__own_make_app(app);
    app->next = apps;
    __atomic_store_n(&apps, app, __ATOMIC_RELEASE); /* pairs with the acquire in find */
    *known = app;
    return RD_OK;
}

rd_status rd_app_register(const char *text, const char *label, const rd_app_info **info, rd_error *err)
{
    return rd_app_register_compiled(text, label, NULL, 0, info, err);
}

rd_status rd_app_register_compiled(const char *text, const char *label, const rd_app_program *programs, size_t count,
                                   const rd_app_info **info, rd_error *err)
{
    const rd__own_app *known = NULL;
    if (info)
        *info = NULL;
    if (!text)
        return rd__fail(err, RD_EARG, "rd_app_register needs the text of an app");
    if (strlen(text) > RD__OWN_TEXT_MOST)
        return rd__fail(err, RD_EINPUT, "%s: an app's text has at most 1 MiB", label ? label : "own");
    rd__own_app *app = NULL;
    rd_status status = rd__own_open(text, label && *label ? label : "own.k.c", &app, err);
    if (status == RD_OK) {
        app->source.programs = programs;
        app->source.program_count = programs ? count : 0;
        pthread_mutex_lock(&lock);
        status = add(app, &known, err);
        pthread_mutex_unlock(&lock);
    }
    if (known != app)
        rd__own_forget(app);
    if (status == RD_OK && info)
        *info = &known->info;
    return status;
}

rd_status rd_app_compile(const char *name, const char *kind, size_t *programs, rd_error *err)
{
    enum { LANES = 256 };
    const rd__own_app *app = name ? find(name) : NULL;
    if (programs)
        *programs = 0;
    if (!app || !kind)
        return rd__fail(err, RD_EARG, app ? "rd_app_compile needs a kind of device" : "there is no own app '%s'",
                        name ? name : "(null)");
    for (const rd__own_program *program = app->programs; program->name[0]; program++) {
        if (strcmp(program->engine, RD__OWN_CHECK_ROOT) == 0)
            continue; /* the CPU's */
        RD_TRY(rd__program_compile_own(program, kind, LANES, err));
        if (programs)
            ++*programs;
    }
    return RD_OK;
}

static rd_status read_text(int fd, const char *path, char **text, rd_error *err)
{
    struct stat stat;
    if (fd < 0 || fstat(fd, &stat) != 0)
        return rd__fail(err, RD_EIO, "%s: %s", path, strerror(errno));
    if (!S_ISREG(stat.st_mode))
        return rd__fail(err, RD_EINPUT, "%s is %s", path, S_ISDIR(stat.st_mode) ? "a folder" : "no plain file");
    if (stat.st_size > RD__OWN_TEXT_MOST)
        return rd__fail(err, RD_EINPUT, "%s is longer than 1 MiB, which is the most that an app's text has", path);
    *text = rd__malloc((size_t)stat.st_size + 1);
    if (!*text)
        return rd__fail_memory(err, "the text of an app", (size_t)stat.st_size + 1);
    size_t used = 0;
    while (used < (size_t)stat.st_size) {
        const ssize_t n = read(fd, *text + used, (size_t)stat.st_size - used);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            break;
        used += (size_t)n;
    }
    (*text)[used] = '\0';
    if (strlen(*text) != used)
        return rd__fail(err, RD_EINPUT, "%s is no text: it has a byte 0", path);
    return RD_OK;
}

rd_status rd_app_register_file(const char *path, const rd_app_info **info, rd_error *err)
{
    char *text = NULL;
    if (info)
        *info = NULL;
    if (!path)
        return rd__fail(err, RD_EARG, "rd_app_register_file needs a path");
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    rd_status status = read_text(fd, path, &text, err);
    if (fd >= 0)
        close(fd);
    if (status == RD_OK)
        status = rd_app_register(text, path, info, err);
    rd__free(text);
    return status;
}
