/* SPDX-License-Identifier: Apache-2.0 */
/* test_apps.c - every app of graphs under every scheduler and launch, on small graphs of every shape, against its
 * checker. */
#include "selftest/selftest.h"

#include "core/hash.h"
#include "job/job.h"

#include <stdio.h>
#include <string.h>

/* ---- Shapes ---- */

struct shape {
    const char *name;
    const char *spec; /* a generator, or NULL: edges below */
    uint32_t vertices, edges;
    const uint32_t *edge; /* pairs */
};

static const uint32_t loops[] = {0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 3, 3};
static const uint32_t duplicates[] = {0, 1, 0, 1, 0, 1, 1, 2, 1, 2, 2, 0, 2, 0, 2, 3, 2, 3, 2, 3};
static const uint32_t both_ways[] = {0, 0, 0, 1, 1, 0, 1, 1, 1, 2, 2, 1, 1, 2, 2, 1, 2, 0, 0, 2, 3, 3};
static const uint32_t disconnected[] = {0, 1, 1, 0, 1, 2, 2, 1, 4, 5, 5, 4, 7, 8};
static const uint32_t one_way[] = {0, 1, 1, 2, 2, 3, 3, 1, 4, 0};

static const struct shape shapes[] = {
    {"empty", NULL, 0, 0, NULL},
    {"one vertex", NULL, 1, 0, NULL},
    {"vertices without edges", NULL, 1000, 0, NULL},
    {"self-loops", NULL, 5, 6, loops},
    {"duplicates", NULL, 5, 10, duplicates},
    {"loops and duplicates, symmetric", NULL, 5, 11, both_ways},
    {"disconnected", NULL, 10, 7, disconnected},
    {"directed", NULL, 6, 5, one_way},
    {"path", "path:700", 0, 0, NULL},
    {"star", "star:5000", 0, 0, NULL},
    {"star with parts", "star:30000", 0, 0, NULL}, /* its hub has more edges than one group takes at once */
    {"tree", "tree:4:6", 0, 0, NULL},
    {"kron", "kron:11", 0, 0, NULL},
    {"dense kron", "kron:14:64", 0, 0, NULL},
    {"urand", "urand:12", 0, 0, NULL},
    {"road", "road:70x50:0.65", 0, 0, NULL},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static rd_status make_graph(const struct shape *shape, uint64_t seed, rd_graph **graph, rd_error *err)
{
    const rd_graph_options options = {
        .size = sizeof options, .seed = seed, .weight_min = 1, .weight_max = 255, .keep_weights = 1};
    uint32_t source[16], target[16];
    if (shape->spec)
        return rd_graph_open(shape->spec, &options, graph, err);
    for (uint32_t i = 0; i < shape->edges; i++) {
        source[i] = shape->edge[2 * i];
        target[i] = shape->edge[2 * i + 1];
    }
    return rd_graph_from_edges(shape->vertices, shape->edges, source, target, NULL, &options, graph, err);
}

/* ---- Configurations ---- */

static rd_status run_sources(rd__test *test, rd_job *job, const rd_graph *graph, const char *where, int has_source,
                             unsigned sources, rd_error *err)
{
    const uint32_t vertices = rd_graph_csr(graph).vertices;
    RD_TRY(rd__test_run(job, where, NULL, err)); /* the default source */
    for (unsigned i = 0; i < sources && vertices; i++) {
        char source[16];
        snprintf(source, sizeof source, "%u", (uint32_t)(rd__mix64(test->seed + i) % vertices));
        if (has_source)
            RD_TRY(rd_job_set(job, "source", source, err));
        RD_TRY(rd__test_run(job, where, NULL, err));
    }
    return RD_OK;
}

/* What is varied besides the graph. */
struct setting {
    const rd_app_info *app;
    const char *sched, *launch, *direction;
    const char *worker, *groups; /* NULL: the default */
    int on;                      /* on/off options of the app */
    unsigned choice;             /* which of the values of its options that have a few */
    unsigned sources;
    int every_direction; /* else auto alone */
    unsigned *turn;      /* of a test under a tool, or NULL: each setting comes every `turns` times it is tried */
    unsigned turns;
};
enum { SHAPE_TURNS = 6, WIDTH_TURNS = 24 };

/* How many values an option has, "a|b|c"; 1 for others. */
static unsigned count_choices(const rd_option_info *option)
{
    unsigned count = 1;
    for (const char *at = option->value ? strchr(option->value, '|') : NULL; at; at = strchr(at + 1, '|'))
        count++;
    return count;
}

/* The value that is number `choice` of them, or further than that, counted round. */
static void choice_of(const rd_option_info *option, unsigned choice, char *value, size_t room)
{
    const char *at = option->value;
    for (unsigned i = choice % count_choices(option); i > 0; i--)
        at = strchr(at, '|') + 1;
    snprintf(value, room, "%.*s", (int)strcspn(at, "|"), at);
}

static rd_status set_choice(rd_job *job, const rd_option_info *option, unsigned choice, rd_error *err)
{
    char value[40];
    choice_of(option, choice, value, sizeof value);
    return rd_job_set(job, option->key, value, err);
}

static rd_status set_up(rd_job *job, const struct setting *setting, const rd_graph *graph, rd_error *err)
{
    RD_TRY(rd_job_set(job, "sched", setting->sched, err));
    RD_TRY(rd_job_set(job, "launch", setting->launch, err));
    if (setting->direction)
        RD_TRY(rd_job_set(job, "direction", setting->direction, err));
    if (setting->worker)
        RD_TRY(rd_job_set(job, "worker", setting->worker, err));
    if (setting->groups)
        RD_TRY(rd_job_set(job, "groups", setting->groups, err));
    for (const rd_option_info *o = setting->app->options; o->key; o++) {
        if (!o->value)
            RD_TRY(rd_job_set(job, o->key, setting->on ? "1" : "0", err));
        if (count_choices(o) > 1)
            RD_TRY(set_choice(job, o, setting->choice, err));
    }
    return rd_job_set_graph(job, graph, err);
}

/* Of the root that runs under the engine. */
static uint32_t traits_of(const rd__app *app, const rd__engine *engine)
{
    const char *const own[] = {app->info.name, NULL};
    const char *const *root = app->roots ? app->roots : own;
    while (root[1] && !rd__engine_runs(engine, *root))
        root++;
    const rd__root *found = rd__root_find(*root);
    return found ? found->traits : 0;
}

/* Where wide groups take long to compile an engine may have one lane alone: then that is what it takes by itself. */
static int takes_one_lane(const rd__test *test, const struct setting *setting, const rd_graph *graph)
{
    rd_job *job = NULL;
    if (!test->device->caps.slow_wide_compile || rd_job_create(test->device, setting->app->name, &job, NULL) != RD_OK)
        return 0;
    const int one = rd_job_set(job, "sched", setting->sched, NULL) == RD_OK &&
                    rd_job_set_graph(job, graph, NULL) == RD_OK && rd__job_width(job).lanes == 1;
    rd_job_destroy(job);
    return one;
}

/* A choice may be a root that not every engine runs, and need not go with what options ask for (bfs --claim). */
static int may_refuse_choice(const rd__app *app, const rd__engine *engine, const struct setting *setting)
{
    int misses = 0;
    for (const char *const *root = app->roots; root && *root; root++)
        misses |= !rd__engine_runs(engine, *root);
    return setting->choice != 0 && app->roots && (misses || setting->on);
}

/* Settings that may be refused, before anything runs. */
static int may_refuse(const rd__test *test, const struct setting *setting, const rd_graph *graph)
{
    const rd__app *app = rd__app_find(setting->app->name);
    const rd__engine *engine = rd__app_engine(app, setting->sched);
    if (setting->worker && strcmp(setting->worker, "1") != 0 && takes_one_lane(test, setting, graph))
        return 1;
    if ((engine->is & RD__ENGINE_ROUNDS) && strcmp(setting->launch, "persistent") == 0 && setting->groups)
        return 1; /* more groups than can be resident */
    if (may_refuse_choice(app, engine, setting))
        return 1;
    if (app->needs_symmetric && !rd_graph_is_symmetric(graph))
        return 1;
    const int pull = setting->direction && strcmp(setting->direction, "pull") == 0;
    const int other = setting->choice != 0 && app->roots; /* which of them is run may be the choice's */
    return pull && (other || !rd_graph_is_symmetric(graph) || !(traits_of(app, engine) & RD__TRAIT_PULLS));
}

static rd_status run_setting(rd__test *test, const struct setting *setting, const rd_graph *graph, const char *what,
                             uint64_t *runs, rd_error *err)
{
    char where[200];
    rd_job *job = NULL;
    if (setting->turn && (*setting->turn)++ % setting->turns != 0)
        return RD_OK;
    snprintf(where, sizeof where, "%s --sched %s --launch %s%s%s --worker %s --groups %s%s (choice %u) on %s",
             setting->app->name, setting->sched, setting->launch, setting->direction ? " --direction " : "",
             setting->direction ? setting->direction : "", setting->worker ? setting->worker : "0",
             setting->groups ? setting->groups : "0", setting->on ? " (options on)" : "", setting->choice, what);
    RD_TRY(rd_job_create(test->device, setting->app->name, &job, err));
    rd_status status = set_up(job, setting, graph, err);
    const int refused = status == RD_OK && may_refuse(test, setting, graph) && rd_job_run(job, NULL, NULL) == RD_EARG;
    if (status == RD_OK && !refused) {
        status = run_sources(test, job, graph, where, setting->app->has_source, setting->sources, err);
        *runs += 1 + setting->sources;
    }
    rd_job_destroy(job);
    return status;
}

/* The values of an option that a scheduler has for an app, "a|b|c"; NULL: it has none. */
static const rd_option_info *sched_option(const struct setting *setting, const char *key)
{
    const rd_option_info *option = rd_scheduler_options(setting->app->name, setting->sched);
    while (option && option->key && strcmp(option->key, key) != 0)
        option++;
    return option && option->key ? option : NULL;
}

/* All directions and choices of a scheduler and launch. */
static rd_status run_choices(rd__test *test, struct setting setting, const rd_graph *graph, const char *what,
                             uint64_t *runs, rd_error *err)
{
    const rd_option_info *directions = sched_option(&setting, "direction");
    unsigned choices = 1, skip = 0;
    for (const rd_option_info *o = setting.app->options; o->key; o++)
        if (count_choices(o) > choices) {
            choices = count_choices(o);
            skip = strncmp(o->value, "auto|", 5) == 0; /* one of the others anyway */
        }
    for (unsigned i = 0; i < (directions && setting.every_direction ? count_choices(directions) : 1); i++) {
        char direction[24] = "";
        if (directions)
            choice_of(directions, i, direction, sizeof direction);
        setting.direction = directions ? direction : NULL;
        for (setting.choice = skip; setting.choice < choices; setting.choice++)
            RD_TRY(run_setting(test, &setting, graph, what, runs, err));
    }
    return RD_OK;
}

/* All schedulers and launches that an app has. */
static rd_status run_schedulers(rd__test *test, struct setting setting, const rd_graph *graph, const char *what,
                                uint64_t *runs, rd_error *err)
{
    for (const char *const *sched = setting.app->schedulers; *sched; sched++)
        for (const char *const *launch = rd_scheduler_launches(*sched); *launch; launch++) {
            setting.sched = *sched;
            setting.launch = *launch;
            if (!rd__test_has_launch(test, *launch))
                continue;
            RD_TRY(run_choices(test, setting, graph, what, runs, err));
        }
    return RD_OK;
}

/* Large graphs take minutes on slow devices, and show nothing that small ones do not. Where lanes are threads the
 * first app runs on all shapes, the others on the smallest and on one with vertices wide enough for a group. And who
 * asks for few repeats is in a hurry, or under a tool. */
enum { SMALL = 20000, LARGE = 200000 }; /* edges */
static int is_too_large(const rd__test *test, const struct shape *shape, const rd_graph *graph)
{
    const rd_csr csr = rd_graph_csr(graph);
    if (rd__test_is_watched(test) && csr.edges > SMALL && strcmp(shape->name, "kron") != 0)
        return !rd__test_is_first(test) || csr.edges > LARGE;
    if (rd__test_has_threads(test) && !rd__test_is_first(test))
        return csr.vertices > 256 && strcmp(shape->name, "kron") != 0;
    return (rd__test_is_slow(test) || test->repeats < 100) && csr.edges > LARGE;
}

/* One graph, all on/off options of the app both ways; on slow devices only those of some graphs. Under a tool kron has
 * all settings, and they have the other graphs in turn, the first setting of each being another one. */
static rd_status run_graph(rd__test *test, const struct shape *shape, unsigned number, uint64_t *runs, rd_error *err)
{
    const rd_app_info *app = test->app;
    rd_graph *graph = NULL;
    RD_TRY(make_graph(shape, test->seed, &graph, err));
    rd_status status = RD_OK;
    const uint64_t edges = rd_graph_csr(graph).edges;
    const int skip = is_too_large(test, shape, graph);
    const int every = !(rd__test_is_slow(test) || rd__test_is_watched(test)) || strcmp(shape->name, "kron") == 0 ||
                      strcmp(shape->name, "self-loops") == 0;
    /* Without a source it is the same run again: only on small graphs, for a job that is used twice. */
    const unsigned again = !app->has_source ? edges <= SMALL : every && edges <= LARGE ? 3 : 1;
    const unsigned sources = rd__test_is_watched(test) ? 0 : again;
    unsigned turn = number;
    const int in_turn = rd__test_is_watched(test) && strcmp(shape->name, "kron") != 0;
    int ways = 1;
    for (const rd_option_info *o = app->options; o->key; o++)
        ways = o->value || !every ? ways : 2;
    for (int on = 0; status == RD_OK && !skip && on < ways; on++) {
        const struct setting setting = {.app = app,
                                        .on = on,
                                        .sources = sources,
                                        .every_direction = every,
                                        .turn = in_turn ? &turn : NULL,
                                        .turns = SHAPE_TURNS};
        status = run_schedulers(test, setting, graph, shape->name, runs, err);
    }
    rd_graph_destroy(graph);
    return status;
}

static rd_status every_shape(rd__test *test, rd_error *err)
{
    uint64_t runs = 0;
    for (int i = 0; i < SHAPES; i++) {
        struct shape shape = shapes[i];
        if (rd__test_is_watched(test) && strcmp(shape.name, "kron") == 0)
            shape.spec = "kron:8"; /* which has all settings: kcore's phases took minutes on kron:11 */
        RD_TRY(run_graph(test, &shape, (unsigned)i, &runs, err));
    }
    snprintf(test->note, sizeof test->note, "%llu checked runs on %d shapes", (unsigned long long)runs, (int)SHAPES);
    return RD_OK;
}

/* Odd numbers of groups and lanes. */
static rd_status every_width(rd__test *test, rd_error *err)
{
    static const char *const groups[] = {"1", "3", "0"};
    size_t count;
    const uint32_t *width = rd__test_widths(test->device, &count);
    rd_graph *graph = NULL;
    uint64_t runs = 0;
    const int watched = rd__test_is_watched(test);
    const char *spec = watched                      ? "kron:7:6" /* few phases: each kernel takes long there */
                       : rd__test_has_threads(test) ? "kron:8"
                       : rd__test_is_slow(test)     ? "kron:9"
                                                    : "kron:11";
    const struct shape kron = {"kron", spec, 0, 0, NULL};
    RD_TRY(make_graph(&kron, test->seed, &graph, err));
    rd_status status = RD_OK;
    for (size_t w = 0; status == RD_OK && w < count; w++)
        for (int g = 0; status == RD_OK && g < 3; g++) {
            char lanes[16];
            unsigned turn = (unsigned)(3 * w) + (unsigned)g;
            snprintf(lanes, sizeof lanes, "%u", width[w]);
            if (rd__test_is_slow(test) && w > 0 && (width[w] != 7 || g != 1 || !rd__test_is_first(test)))
                continue;
            const struct setting setting = {.app = test->app,
                                            .worker = test->device->caps.fixed_width ? NULL : lanes,
                                            .groups = groups[g],
                                            .sources = watched ? 0 : 1,
                                            .turn = watched ? &turn : NULL,
                                            .turns = WIDTH_TURNS};
            status = run_schedulers(test, setting, graph, spec, &runs, err);
        }
    rd_graph_destroy(graph);
    snprintf(test->note, sizeof test->note, "%llu checked runs at %zu widths", (unsigned long long)runs, count);
    return status;
}

/* The same small graph again and again from many sources: what a race would spoil once in a thousand times. */
static rd_status stress(rd__test *test, rd_error *err)
{
    static const char *const specs[] = {"kron:7", "road:12x12:0.7", "star:100"};
    uint64_t runs = 0;
    rd_status status = RD_OK;
    for (int i = 0; status == RD_OK && i < 3; i++) {
        rd_graph *graph = NULL;
        /* An app in stages has as many chances in one run as others in several. */
        const int fewer = rd__test_is_slow(test) || rd__app_find(test->app->name)->next;
        const unsigned repeats = fewer ? test->repeats / 4 + 1 : test->repeats;
        const struct setting setting = {.app = test->app, .sources = repeats};
        const struct shape shape = {specs[i], specs[i], 0, 0, NULL};
        status = make_graph(&shape, test->seed, &graph, err);
        if (status == RD_OK)
            status = run_schedulers(test, setting, graph, specs[i], &runs, err);
        rd_graph_destroy(graph);
    }
    snprintf(test->note, sizeof test->note, "%llu checked runs", (unsigned long long)runs);
    return status;
}

const rd__test_case rd__app_cases[] = {
    {"apps/every-shape", every_shape, RD__EACH_GRAPH_APP},
    {"apps/every-width", every_width, RD__EACH_GRAPH_APP},
    {"apps/stress", stress, RD__EACH_GRAPH_APP},
    {NULL, NULL, RD__ONCE},
};
