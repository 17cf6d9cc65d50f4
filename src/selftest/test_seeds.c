/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_seeds.c - every engine for frontiers takes every kind of seeds: lists on the host (none, one, many, with some
 * named twice), a buffer, all vertices in three orders, and those that a predicate names, in two stages. What is
 * reached is compared with a serial search, and each vertex must have been needed as a task once.
 */
#include "selftest/selftest.h"

#include "core/memory.h"
#include "sched/sched.h"

#include <stdio.h>
#include <string.h>

typedef struct bench {
    rd_graph *graph;
    rd_csr csr;
    rd__buffer row, col, mark, list;
    uint32_t *host, *want, *stack; /* one word a vertex each */
} bench;

static void close_bench(bench *b)
{
    rd__buffer_free(&b->row);
    rd__buffer_free(&b->col);
    rd__buffer_free(&b->mark);
    rd__buffer_free(&b->list);
    rd__array_free(b->host);
    rd__array_free(b->want);
    rd__array_free(b->stack);
    rd_graph_destroy(b->graph);
}

static rd_status open_bench(rd__test *test, const char *spec, bench *b, rd_error *err)
{
    rd_device *device = test->device;
    RD_TRY(rd_graph_open(spec, NULL, &b->graph, err));
    b->csr = rd_graph_csr(b->graph);
    const uint64_t n = b->csr.vertices;
    RD_TRY(rd__buffer_from(device, &b->row, "rows", 8 * (n + 1), b->csr.row, err));
    RD_TRY(rd__buffer_from(device, &b->col, "columns", 4 * b->csr.edges, b->csr.col, err));
    RD_TRY(rd__buffer_alloc(device, &b->mark, "marks", 4 * n, err));
    RD_TRY(rd__buffer_alloc(device, &b->list, "list", 4 * n, err));
    RD_TRY(rd__array_new(&b->host, "marks", n, 4, err));
    RD_TRY(rd__array_new(&b->want, "marks", n, 4, err));
    return rd__array_new(&b->stack, "vertices", n, 4, err);
}

/* Marks what can be reached from `seed` and was not. @return how many. */
static uint64_t reach(bench *b, const uint32_t *seed, uint32_t seeds)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < seeds; i++) {
        uint32_t top = 0;
        if (!b->want[seed[i]])
            b->stack[top++] = seed[i];
        b->want[seed[i]] = 1;
        for (; top; count++) {
            const uint32_t u = b->stack[--top];
            for (uint64_t e = b->csr.row[u]; e < b->csr.row[u + 1]; e++)
                if (!b->want[b->csr.col[e]]) {
                    b->want[b->csr.col[e]] = 1;
                    b->stack[top++] = b->csr.col[e];
                }
        }
    }
    return count;
}

static rd_status compare(bench *b, const rd__engine *engine, const char *what, uint64_t needed, uint64_t expected,
                         rd_error *err)
{
    RD_TRY(rd__buffer_read(&b->mark, 0, 4ull * b->csr.vertices, b->host, err));
    for (uint32_t v = 0; v < b->csr.vertices; v++)
        if (b->host[v] != b->want[v])
            return rd__fail(err, RD_EWRONG, "%s, %s: vertex %u is %sreached", engine->policy->name, what, v,
                            b->want[v] ? "not " : "");
    if (needed != expected)
        return rd__fail(err, RD_EWRONG, "%s, %s: %llu tasks were needed, not %llu", engine->policy->name, what,
                        (unsigned long long)needed, (unsigned long long)expected);
    return RD_OK;
}

/* One run from a fresh state; `seed`: the same seeds for the serial search, and marked before, unless the kernel does
 * so. */
static rd_status run(bench *b, rd__sched_state *state, rd__sched_job *job, const rd__seeds *seeds, const uint32_t *seed,
                     uint32_t count, const char *what, rd_error *err)
{
    rd_report report = {0};
    memset(b->want, 0, 4ull * b->csr.vertices);
    memset(b->host, 0, 4ull * b->csr.vertices);
    const uint64_t expected = reach(b, seed, count);
    for (uint32_t i = 0; i < count && seeds->kind != RD__SEEDS_WHERE; i++)
        b->host[seed[i]] = 1;
    RD_TRY(rd__buffer_write(&b->mark, 0, 4ull * b->csr.vertices, b->host, err));
    RD_TRY(job->engine->run(state, job, seeds, &report, err));
    return compare(b, job->engine, what, report.tasks_needed, expected, err);
}

static uint32_t every_third(const bench *b, uint32_t from, uint32_t *out)
{
    uint32_t count = 0;
    for (uint32_t v = from; v < b->csr.vertices; v += 3)
        out[count++] = v;
    return count;
}

/* The predicate names each third vertex; then, of those it put off, each that was not reached. */
static rd_status run_where(bench *b, rd__sched_state *state, rd__sched_job *job, uint32_t *seed, rd_error *err)
{
    rd__arg args[] = {RD__BUFFER(&b->mark), RD__U32(0)};
    rd_report report = {0};
    rd__seeds seeds = {.kind = RD__SEEDS_WHERE};
    job->args = args;
    RD_TRY(run(b, state, job, &seeds, seed, every_third(b, 0, seed), "a predicate", err));
    const uint64_t expected = reach(b, seed, every_third(b, 1, seed));
    args[1] = RD__U32(1);
    seeds.later = 1;
    RD_TRY(job->engine->run(state, job, &seeds, &report, err));
    return compare(b, job->engine, "a predicate, later", report.tasks_needed, expected, err);
}

static rd_status run_kinds(bench *b, rd__sched_state *state, rd__sched_job *job, uint32_t *seed, rd_error *err)
{
    const uint32_t n = b->csr.vertices, *all = seed + n;
    const rd__arg args[] = {RD__BUFFER(&b->mark), RD__U32(0)};
    rd__seeds seeds = {.kind = RD__SEEDS_LIST, .vertex = seed};
    job->args = args;
    job->arg_count = 2;
    RD_TRY(run(b, state, job, &seeds, seed, 0, "no seeds", err));
    rd__seeds_one(&seeds, 0);
    RD_TRY(run(b, state, job, &seeds, &seeds.one, 1, "one seed", err));
    seeds = (rd__seeds){.kind = RD__SEEDS_LIST, .vertex = seed, .count = every_third(b, 1, seed)};
    seed[seeds.count / 2] = seed[0]; /* named twice */
    RD_TRY(run(b, state, job, &seeds, seed, seeds.count, "many seeds", err));
    seeds.count = 5;
    seed[3] = seed[1];
    RD_TRY(run(b, state, job, &seeds, seed, seeds.count, "few seeds", err));
    seeds = (rd__seeds){.kind = RD__SEEDS_BUFFER, .buffer = &b->list, .count = every_third(b, 2, seed)};
    RD_TRY(rd__buffer_write(&b->list, 0, 4ull * seeds.count, seed, err));
    RD_TRY(run(b, state, job, &seeds, seed, seeds.count, "a buffer", err));
    seeds = (rd__seeds){.kind = RD__SEEDS_ALL};
    RD_TRY(run(b, state, job, &seeds, all, n, "all vertices", err));
    seeds.scatter = 1;
    RD_TRY(run(b, state, job, &seeds, all, n, "all vertices, scattered", err));
    RD_TRY(rd__buffer_write(&b->list, 0, 4ull * n, all, err));
    job->frontier.order = &b->list;
    const rd_status status = run(b, state, job, &seeds, all, n, "all vertices, in an order", err);
    job->frontier.order = NULL;
    return status == RD_OK ? run_where(b, state, job, seed, err) : status;
}

/* One engine, with one launch of its policy, twice: the second time with what the first one left. */
static rd_status run_engine(rd__test *test, bench *b, const rd__engine *engine, const char *launch,
                            const rd__settings *settings, uint32_t *seed, rd_error *err)
{
    const rd__arg args[] = {RD__BUFFER(&b->mark), RD__U32(0)};
    rd__sched_job job = {.device = test->device,
                         .app = "seeds",
                         .program = "selftest_seeds",
                         .engine = engine,
                         .settings = settings,
                         .launch = launch,
                         .persistent = strcmp(launch, "persistent") == 0,
                         .looped = strcmp(launch, "graph") == 0,
                         .args = args,
                         .arg_count = 2,
                         .input = {.graph = b->graph, .row = &b->row, .col = &b->col}};
    rd__sched_state *state = NULL;
    RD_TRY(engine->create(&job, &state, err));
    rd_status status = run_kinds(b, state, &job, seed, err);
    if (status == RD_OK)
        status = run_kinds(b, state, &job, seed, err);
    engine->destroy(state);
    return status;
}

static rd_status run_engines(rd__test *test, bench *b, uint32_t *seed, uint32_t *runs, rd_error *err)
{
    const rd__settings none = {0}, gate = {.count = 1, .item = {{"gate", "1"}}};
    for (const rd__engine *const *engine = rd__engines; *engine; engine++)
        for (const char *const *launch = (*engine)->policy->launches; (*engine)->model == RD__MODEL_FRONTIER && *launch;
             launch++) {
            if (!rd__test_has_launch(test, *launch))
                continue;
            RD_TRY(run_engine(test, b, *engine, *launch, &none, seed, err));
            ++*runs;
            if ((*engine)->in_rounds) /* it has a gate */
                RD_TRY(run_engine(test, b, *engine, *launch, &gate, seed, err));
        }
    return RD_OK;
}

/* Vertices in many parts, and one that is big. */
static rd_status every_kind(rd__test *test, rd_error *err)
{
    static const char *const specs[] = {"road:40x40:0.5", "star:9000"};
    uint32_t runs = 0;
    rd_status status = RD_OK;
    for (int i = 0; status == RD_OK && i < 2; i++) {
        bench b = {0};
        uint32_t *seed = NULL;
        if (i == 1 && rd__test_is_slow(test))
            break;
        status = open_bench(test, specs[i], &b, err);
        if (status == RD_OK) /* seeds of a run, then all vertices */
            status = rd__array_new(&seed, "seeds", 2ull * b.csr.vertices, 4, err);
        for (uint32_t v = 0; status == RD_OK && v < b.csr.vertices; v++)
            seed[b.csr.vertices + v] = b.csr.vertices - 1 - v;
        if (status == RD_OK)
            status = run_engines(test, &b, seed, &runs, err);
        rd__array_free(seed);
        close_bench(&b);
    }
    snprintf(test->note, sizeof test->note, "%u engines and launches", runs);
    return status;
}

const rd__test_case rd__seed_cases[] = {
    {"seeds/every-kind", every_kind, RD__ONCE},
    {NULL, NULL, RD__ONCE},
};
