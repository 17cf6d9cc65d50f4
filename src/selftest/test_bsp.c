/* SPDX-License-Identifier: Apache-2.0 */
/* test_bsp.c - scheduler bsp: each value of each of its options, alone and together, in both launches, on graphs with
 * and without big vertices, against the apps' checkers. */
#include "selftest/selftest.h"

#include <stdio.h>
#include <string.h>

static const char *const apps[] = {"bfs", "sssp", NULL};
static const char *const launches[] = {"discrete", "persistent", "graph", NULL};
static const char *const graphs[] = {"kron:10", "road:40x40:0.65", "star:9000", NULL};
static const char *const small_graphs[] = {"kron:7", "star:3000", NULL}; /* where each lane is a thread */
/* "key=value key=value" */
static const char *const settings[] = {"push=lane spread=degree frontier=bitmap",
                                       "push=warp",
                                       "push=lane",
                                       "spread=degree",
                                       "spread=edge1",
                                       "spread=edge8",
                                       "frontier=bitmap",
                                       "push=warp spread=degree",
                                       "spread=lane",
                                       "spread=group push=warp",
                                       "spread=warp",
                                       "spread=group,edge1",
                                       "spread=warp,edge8 push=lane",
                                       "spread=group,warp,edge8",
                                       "spread=group,warp,edge1 frontier=bitmap",
                                       "leaves=1",
                                       "leaves=1 direction=pull",
                                       NULL};

/* Options of one app: the first of the list has them. */
static int is_others(const char *setting, int app)
{
    return app > 0 && strncmp(setting, "leaves=", 7) == 0;
}

/* Would the setting be the same as another one here? Cores have nothing to spread, and without warps that part of
 * nested parallelism is empty. */
static int repeats(const rd__test *test, const char *setting)
{
    if (test->device->caps.cores)
        return strncmp(setting, "spread=", 7) == 0;
    return test->device->info.warp < 2 && (strcmp(setting, "spread=warp") == 0 || strstr(setting, "group,warp"));
}

static rd_status apply(rd_job *job, const char *text, rd_error *err)
{
    char copy[128], *rest = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *item = rest; item && *item; item = rest) {
        rest = strchr(item, ' ');
        if (rest)
            *rest++ = '\0';
        char *value = strchr(item, '=');
        *value++ = '\0';
        RD_TRY(rd_job_set(job, item, value, err));
    }
    return RD_OK;
}

static rd_status run_one(rd__test *test, const char *app, const char *launch, const char *setting,
                         const rd_graph *graph, rd_error *err)
{
    rd_job *job = NULL;
    rd_error why = {.status = RD_OK};
    RD_TRY(rd_job_create(test->device, app, &job, err));
    rd_status status = rd_job_set(job, "sched", "bsp", &why);
    if (status == RD_OK)
        status = rd_job_set(job, "launch", launch, &why);
    if (status == RD_OK)
        status = apply(job, setting, &why);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, &why);
    for (int turn = 0; status == RD_OK && turn < 2; turn++) /* the second finds what the first left */
        status = rd__test_run(job, turn ? "again" : "at first", NULL, &why);
    rd_job_destroy(job);
    return status == RD_OK ? RD_OK
                           : rd__fail(err, status, "%s --launch %s, %s: %.800s", app, launch, setting, why.text);
}

static rd_status every_option(rd__test *test, rd_error *err)
{
    const rd_graph_options options = {
        .size = sizeof options, .seed = test->seed, .weight_min = 1, .weight_max = 255, .keep_weights = 1};
    /* A CPU behind OpenCL compiles for seconds each time: there the first setting must do, for a persistent bfs. */
    const int slow = test->device->caps.slow_wide_compile;
    const char *const *spec = rd__test_is_small(test) ? small_graphs : graphs;
    uint64_t runs = 0;
    rd_status status = RD_OK;
    for (; status == RD_OK && *spec; spec++) {
        rd_graph *graph = NULL;
        status = rd_graph_open(*spec, &options, &graph, err);
        for (int a = 0; status == RD_OK && apps[a] && !(slow && a > 0); a++)
            for (int l = slow; status == RD_OK && launches[l]; l++)
                for (int s = 0; status == RD_OK && settings[s] && !(slow && s > 0); s++)
                    if (!repeats(test, settings[s]) && !is_others(settings[s], a) &&
                        rd__test_has_launch(test, launches[l])) {
                        status = run_one(test, apps[a], launches[l], settings[s], graph, err);
                        runs += 2;
                    }
        rd_graph_destroy(graph);
    }
    snprintf(test->note, sizeof test->note, "%llu checked runs", (unsigned long long)runs);
    return status;
}

/* Phases: very many of them, so that tasks wait in the far set and, on CPUs, bins run out of room; the same, some run
 * together; few; and one. */
static rd_status every_phase(rd__test *test, rd_error *err)
{
    static const char *const widths[] = {"delta=1 widen=off", "delta=3", "delta=1 widen=7", "delta=100000", NULL};
    const int slow = test->device->caps.slow_wide_compile;
    const int small = rd__test_is_small(test);
    const rd_graph_options options = {.size = sizeof options,
                                      .seed = test->seed,
                                      .weight_min = 1,
                                      .weight_max = !small                      ? 2000
                                                    : rd__test_is_watched(test) ? 6
                                                                                : 20, /* each phase wakes all lanes */
                                      .keep_weights = 1};
    uint64_t runs = 0;
    rd_status status = RD_OK;
    for (const char *const *spec = small_graphs; status == RD_OK && *spec; spec++) {
        rd_graph *graph = NULL;
        status = rd_graph_open(*spec, &options, &graph, err);
        for (int l = slow; status == RD_OK && launches[l]; l++)
            for (int w = 0; status == RD_OK && widths[w] && rd__test_has_launch(test, launches[l]); w++, runs += 2)
                status = run_one(test, "sssp", launches[l], widths[w], graph, err);
        rd_graph_destroy(graph);
    }
    snprintf(test->note, sizeof test->note, "%llu checked runs", (unsigned long long)runs);
    return status;
}

/* Sweeps: hubs in a row, which warps share, scattered and cut into small parts or not. */
static rd_status every_sweep(rd__test *test, rd_error *err)
{
    static const char *const sweeps[] = {"cc", "mis", "pr", "color", "mst", NULL};
    static const char *const ways[] = {"scatter=on span=64", "scatter=on span=100000", "scatter=off span=64", NULL};
    const rd_graph_options options = {.size = sizeof options,
                                      .seed = test->seed,
                                      .weight_min = 1,
                                      .weight_max = 255,
                                      .keep_weights = 1,
                                      .order = RD_ORDER_DEGREE};
    const int slow = test->device->caps.slow_wide_compile;
    rd_graph *graph = NULL;
    uint64_t runs = 0;
    rd_status status = rd_graph_open(rd__test_is_small(test) ? "attach:7:4" : "attach:11", &options, &graph, err);
    for (int a = 0; status == RD_OK && sweeps[a]; a++)
        for (int l = slow; status == RD_OK && launches[l] && l <= 1; l++)
            for (int w = 0; status == RD_OK && ways[w] && !(slow && w > 0); w++, runs += 2)
                status = run_one(test, sweeps[a], launches[l], ways[w], graph, err);
    rd_graph_destroy(graph);
    snprintf(test->note, sizeof test->note, "%llu checked runs", (unsigned long long)runs);
    return status;
}

/* A grid that cannot be resident is refused, not run; and a run that was stopped leaves nothing behind. */
static rd_status refusal_and_stop(rd__test *test, rd_error *err)
{
    rd_graph *graph = NULL;
    rd_job *job = NULL;
    rd_error why = {.status = RD_OK};
    RD_TRY(rd_graph_open("road:60x60:0.65", NULL, &graph, err));
    rd_status status = rd_job_create(test->device, "bfs", &job, err);
    if (status == RD_OK)
        status = apply(job, "sched=bsp launch=persistent groups=1048576", err);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, err);
    if (status == RD_OK && test->device->caps.coresident && rd_job_run(job, NULL, &why) != RD_EARG)
        status = rd__fail(err, RD_EWRONG, "a million groups were not refused");
    if (status == RD_OK)
        status = apply(job, "groups=0 timeout=0.000001", err);
    if (status == RD_OK) {
        const rd_status stopped = rd_job_run(job, NULL, &why); /* may be over before anyone looks */
        if (stopped != RD_ETIMEOUT && stopped != RD_OK)
            status = rd__fail(err, stopped, "a run with hardly any time: %.800s", why.text);
    }
    if (status == RD_OK)
        status = apply(job, "timeout=0", err);
    if (status == RD_OK)
        status = rd__test_run(job, "with time", NULL, err);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    return status;
}

const rd__test_case rd__bsp_cases[] = {
    {"bsp/options", every_option, RD__ONCE},
    {"bsp/phases", every_phase, RD__ONCE},
    {"bsp/sweeps", every_sweep, RD__ONCE},
    {"bsp/refusal-and-stop", refusal_and_stop, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
