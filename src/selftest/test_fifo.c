/* SPDX-License-Identifier: Apache-2.0 */
/* test_fifo.c - scheduler fifo beyond its defaults: forms of the queue, reservations, chunks, the gate; rings that are
 * too small and grow without losing a task; runs that are stopped in the middle of a launch. The app is bfs, whose
 * checker knows every depth. */
#include "selftest/selftest.h"

#include "core/memory.h"
#include "core/text.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

enum { OPTIONS = 3 };
struct variant {
    const char *key[OPTIONS], *value[OPTIONS]; /* ended by NULL */
    int wide;                                  /* says something only where groups have many lanes */
};
static const struct variant variants[] = {
    {{"queue"}, {"an"}, 0},
    {{"queue"}, {"cas"}, 0},
    {{"gate"}, {"1"}, 0},
    {{"gate", "parents"}, {"1", "1"}, 0},
    {{"parents"}, {"1"}, 0},
    {{"fetch"}, {"1"}, 0},
    {{"gate", "queue"}, {"1", "an"}, 1},
    {{"reserve"}, {"direct"}, 1},
    {{"reserve"}, {"proxy,direct"}, 1},
    {{"reserve", "gate"}, {"direct,proxy", "1"}, 1},
    {{"chunk"}, {"1"}, 1},
    {{"chunk", "worker"}, {"8", "64"}, 1},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const char *const launches[] = {"persistent", "discrete"};
static const char *const specs[] = {"kron:9", "road:20x30:0.7", "star:300"};
enum { SPECS = sizeof specs / sizeof specs[0] };

static rd_status make_job(rd__test *test, const char *app, const struct variant *variant, const char *launch,
                          rd_job **job, rd_error *err)
{
    RD_TRY(rd_job_create(test->device, app, job, err));
    RD_TRY(rd_job_set(*job, "sched", "fifo", err));
    RD_TRY(rd_job_set(*job, "launch", launch, err));
    for (int i = 0; i < OPTIONS && variant->key[i]; i++)
        RD_TRY(rd_job_set(*job, variant->key[i], variant->value[i], err));
    return RD_OK;
}

/* Runs from a few sources, each checked. *grown counts how often rings grew. */
static rd_status run_sources(rd__test *test, rd_job *job, const rd_graph *graph, uint32_t sources, double *grown,
                             rd_error *err)
{
    const uint32_t vertices = rd_graph_csr(graph).vertices;
    for (uint32_t i = 0; i < sources; i++) {
        char source[16];
        rd_report report;
        snprintf(source, sizeof source, "%u", (uint32_t)(test->seed * (i + 1) % vertices));
        RD_TRY(rd_job_set(job, "source", source, err));
        RD_TRY(rd_job_run(job, &report, err));
        RD_TRY(rd_job_check(job, err));
        for (uint32_t m = 0; m < report.measures; m++)
            *grown += strcmp(report.measure[m].name, "times_grown") == 0 ? report.measure[m].value : 0;
    }
    return RD_OK;
}

static rd_status run_variant(rd__test *test, const struct variant *variant, const char *launch, const char *spec,
                             uint32_t sources, double *grown, rd_error *err)
{
    rd_graph *graph = NULL;
    rd_job *job = NULL;
    rd_error why = {.status = RD_OK};
    rd_status status = rd_graph_open(spec, NULL, &graph, &why);
    if (status == RD_OK)
        status = make_job(test, "bfs", variant, launch, &job, &why);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, &why);
    if (status == RD_OK)
        status = run_sources(test, job, graph, sources, grown, &why);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    if (status != RD_OK)
        return rd__fail(err, status, "bfs --sched fifo --launch %s --%s %s%s%s on %s: %.800s", launch, variant->key[0],
                        variant->value[0], variant->key[1] ? " --" : "", variant->key[1] ? variant->key[1] : "", spec,
                        why.text);
    return RD_OK;
}

static rd_status every_option(rd__test *test, rd_error *err)
{
    uint32_t runs = 0;
    double grown = 0;
    for (int v = 0; v < VARIANTS; v++) {
        if (variants[v].wide && !test->device->info.is_gpu)
            continue;
        for (int l = 0; l < 2; l++)
            for (int s = 0; s < SPECS; s++, runs += 2)
                RD_TRY(run_variant(test, &variants[v], launches[l], specs[s], 2, &grown, err));
    }
    snprintf(test->note, sizeof test->note, "%u checked runs", runs);
    return RD_OK;
}

/* Rings of a few slots. Each job starts with one and has to make it larger. */
static rd_status growth(rd__test *test, rd_error *err)
{
    static const char *const capacity[] = {"2", "16"};
    static const char *const queue[] = {"retry-free", "cas"};
    const uint32_t times = 1 + (test->repeats < 1000 ? test->repeats : 1000) / 50;
    uint32_t runs = 0;
    double grown = 0;
    for (uint32_t t = 0; t < times; t++)
        for (int i = 0; i < 8; i++, runs++) {
            const struct variant variant = {{"capacity", "queue"}, {capacity[i & 1], queue[i >> 1 & 1]}, 0};
            RD_TRY(run_variant(test, &variant, launches[i >> 2], specs[(t + (uint32_t)i) % SPECS], 1, &grown, err));
        }
    if (grown == 0)
        return rd__fail(err, RD_EWRONG, "rings of two slots never had to grow in %u runs: the test tests nothing",
                        runs);
    rd__snprintf(test->note, sizeof test->note, "%u checked runs, rings grew %.0f times", runs, grown);
    return RD_OK;
}

/* `repeats` runs of small graphs, with and without rings that are too small, level by level and not: what a race would
 * spoil once in thousands of times. */
static rd_status stress(rd__test *test, rd_error *err)
{
    static const struct variant kinds[] = {
        {{"fetch"}, {"1023"}, 0}, {{"capacity"}, {"2"}, 0}, {{"capacity"}, {"8"}, 0}, {{"gate"}, {"1"}, 0}};
    const uint32_t times = 1 + test->repeats / (4 * 2 * SPECS);
    uint32_t runs = 0;
    double grown = 0;
    for (int i = 0; i < 4; i++)
        for (int l = 0; l < 2; l++)
            for (int s = 0; s < SPECS; s++, runs += times)
                RD_TRY(run_variant(test, &kinds[i], launches[l], specs[s], times, &grown, err));
    rd__snprintf(test->note, sizeof test->note, "%u checked runs, rings grew %.0f times", runs, grown);
    return RD_OK;
}

/* A root, some children, and leaves that only one child has: all edges give a task, as many at a time as a worker has
 * room for, which is when its stash is fullest. Children have about as many as a core visits between two looks at the
 * stash. */
static rd_status fans(rd__test *test, rd_error *err)
{
    enum { CHILDREN = 12, LEAVES = 1026, VERTICES = 1 + CHILDREN * (1 + LEAVES), EDGES = VERTICES - 1 };
    static const char *const apps[] = {"bfs", "sssp"};
    static const struct variant from_root = {{"source"}, {"0"}, 0};
    const rd_graph_options options = {.size = sizeof options, .seed = test->seed, .weight_min = 1, .weight_max = 255};
    uint32_t *source = NULL, *target = NULL, edges = 0;
    rd_graph *graph = NULL;
    rd_status status = rd__array_new(&source, "sources of edges", EDGES, sizeof *source, err);
    if (status == RD_OK)
        status = rd__array_new(&target, "targets of edges", EDGES, sizeof *target, err);
    for (uint32_t c = 0; c < CHILDREN && status == RD_OK; c++) {
        const uint32_t child = 1 + c, leaves = LEAVES - CHILDREN / 4 + c / 4; /* 1023 to 1025 */
        source[edges] = 0;
        target[edges++] = child;
        for (uint32_t i = 0; i < leaves; i++) {
            source[edges] = child;
            target[edges++] = 1 + CHILDREN + c * LEAVES + i;
        }
    }
    if (status == RD_OK)
        status = rd_graph_from_edges(VERTICES, edges, source, target, NULL, &options, &graph, err);
    for (int i = 0; i < 4 && status == RD_OK; i++) {
        rd_job *job = NULL;
        status = make_job(test, apps[i & 1], &from_root, launches[i >> 1], &job, err);
        if (status == RD_OK)
            status = rd_job_set_graph(job, graph, err);
        if (status == RD_OK)
            status = rd__test_run(job, apps[i & 1], NULL, err);
        rd_job_destroy(job);
    }
    rd_graph_destroy(graph);
    rd__array_free(source);
    rd__array_free(target);
    return status;
}

/* A long chain, one task after another, with no time for it; then the same job with time. */
static rd_status stop_and_go(rd__test *test, rd_error *err)
{
    rd_graph *graph = NULL;
    rd_job *job = NULL;
    const struct variant plain = {{"fetch"}, {"1"}, 0};
    rd_error why = {.status = RD_OK};
    RD_TRY(rd_graph_open(rd__test_has_threads(test)  ? "path:10000"
                         : rd__test_is_watched(test) ? "path:20000"
                                                     : "path:400000",
                         NULL, &graph, err));
    rd_status status = make_job(test, "bfs", &plain, "persistent", &job, err);
    if (status == RD_OK)
        status = rd_job_set_graph(job, graph, err);
    if (status == RD_OK)
        status = rd_job_set(job, "timeout", "0.001", err);
    const double began = rd_now();
    rd_status stopped = RD_OK; /* on a busy machine a run may be over before anyone looks at the clock */
    for (int i = 0; status == RD_OK && stopped == RD_OK && i < 20; i++)
        stopped = rd_job_run(job, NULL, &why);
    if (status == RD_OK && stopped != RD_ETIMEOUT)
        status = rd__fail(err, RD_EWRONG, "so many steps in a millisecond? %.200s", why.text);
    const double took = rd_now() - began;
    if (status == RD_OK && !strstr(why.text, "scheduler fifo had run"))
        status = rd__fail(err, RD_EWRONG, "a run that was stopped does not say how far it was: %.200s", why.text);
    if (status == RD_OK)
        status = rd_job_set(job, "timeout", "0", err);
    if (status == RD_OK)
        status = rd__test_run(job, "with time", NULL, err);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd__snprintf(test->note, sizeof test->note, "stopped after %.1f ms, and right when it was let run", 1e3 * took);
    return status;
}

const rd__test_case rd__fifo_cases[] = {
    {"fifo/every-option", every_option, RD__ONCE},
    {"fifo/growth", growth, RD__ONCE},
    {"fifo/stress", stress, RD__ONCE},
    {"fifo/fans", fans, RD__ONCE},
    {"fifo/stop-and-go", stop_and_go, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
