/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.c - the suite `bench figures`: experiments of the sources that vary options of one scheduler.
 *   reserve   who reserves places in the shared queue (one lane for all, or each for itself; taking, giving) x edges of
 *             a lane between two looks, in bfs level by level: D. Troendle's thesis, figures 7.2 to 7.7
 *   rivals    the queue in one launch, beside a launch a level over a queue and over a bitmap of all vertices (as
 *             Rodinia's bfs), and beside Bellman-Ford's passes (as Pannotia's sssp): its tables of chapters 7 and 8
 *   lattice   levels by work stealing on a periodic lattice of 26 neighbours, for sides and shares of edges, from one
 *             worker to all, beside a serial search by one thread of the host: the work-stealing thesis, figures 4.12
 * to 4.14 and table 4.2 docs/reproduce.md says what came of them.
 */
#include "cli/bench/graph.h"

#include <stdlib.h>
#include <string.h>

static const char *const standard[] = {"tree:4:10", "kron:20", "road:2048x2048:0.65", NULL};
static const char *const quick[] = {"tree:4:5", "kron:10", "road:40x40:0.65", NULL};
static const char *const lattices[] = {
    "lattice:40", "lattice:80", "lattice:40:0.5", "lattice:80:0.5", "lattice:40:0.25", "lattice:80:0.25", NULL};
static const char *const small_lattices[] = {"lattice:8", "lattice:8:0.5", NULL};

/* ---- reserve ---- */

#define CHUNKS(how)                                                                                                    \
    "gate=1 reserve=" how " chunk=1", "gate=1 reserve=" how " chunk=2", "gate=1 reserve=" how " chunk=4",              \
        "gate=1 reserve=" how " chunk=8"
static const char *const reserve[] = {CHUNKS("proxy"), CHUNKS("direct"), CHUNKS("direct,proxy"),
                                      CHUNKS("proxy,direct")};

static rd_status open_reserve(bench_case *self, rd_device *device, rd_error *err)
{
    const rd_device_info *info = rd_device_get_info(device);
    if (!info->is_gpu) {
        snprintf(err->text, sizeof err->text, "workers of %s are single lanes: nobody reserves for others", info->name);
        return err->status = RD_EDEVICE;
    }
    return bench_graph_case(NULL, NULL, NULL, NULL, NULL).open(self, device, err);
}

static rd_status add_reserve(bench_list *list, const char *spec, rd_error *err)
{
    rd_status status = RD_OK;
    for (size_t i = 0; i < sizeof reserve / sizeof *reserve && status == RD_OK; i++) {
        bench_case item = bench_graph_case("bfs", spec, "fifo", "persistent", reserve[i]);
        item.open = open_reserve;
        item.optional = 1;
        snprintf(item.name, sizeof item.name, "reserve/%.60s/%s", spec, reserve[i] + strlen("gate=1 reserve="));
        status = bench_add(list, &item, err);
    }
    return status;
}

/* ---- rivals ---- */

static const struct {
    const char *name, *app, *sched, *launch, *settings;
} rivals[] = {{"bfs/queue, levels", "bfs", "fifo", "persistent", "gate=1"},
              {"bfs/queue", "bfs", "fifo", "persistent", ""},
              {"bfs/a launch a level", "bfs", "bsp", "discrete", "direction=push"},
              {"bfs/a launch a level, bitmap", "bfs", "bsp", "discrete", "direction=push frontier=bitmap"},
              {"sssp/queue", "sssp", "fifo", "persistent", ""},
              {"sssp/passes", "sssp", "bsp", "discrete", "delta=4294967294"},
              {"sssp/passes, bitmap", "sssp", "bsp", "discrete", "delta=4294967294 frontier=bitmap"}};

static rd_status add_rivals(bench_list *list, const char *spec, rd_error *err)
{
    rd_status status = RD_OK;
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals && status == RD_OK; i++) {
        bench_case item = bench_graph_case(rivals[i].app, spec, rivals[i].sched, rivals[i].launch, rivals[i].settings);
        item.optional = 1; /* passes over a long road take for ever */
        snprintf(item.name, sizeof item.name, "rivals/%.60s/%s", spec, rivals[i].name);
        status = bench_add(list, &item, err);
    }
    return status;
}

/* ---- lattice ---- */

typedef struct serial_case {
    rd_graph *graph;
    uint32_t *depth, *queue;
} serial_case;

static void close_serial(bench_case *self)
{
    serial_case *own = self->data;
    if (own) {
        rd_graph_destroy(own->graph);
        free(own->depth);
        free(own->queue);
    }
    free(own);
    self->data = NULL;
}

static rd_status open_serial(bench_case *self, rd_device *device, rd_error *err)
{
    const rd_graph_options options = {.size = sizeof options, .threads = self->threads};
    serial_case *own = self->data = calloc(1, sizeof *own);
    (void)device;
    rd_status status = own ? rd_graph_open(self->text[1], &options, &own->graph, err) : RD_ENOMEM;
    if (status == RD_OK) {
        const size_t bytes = sizeof(uint32_t) * ((size_t)rd_graph_csr(own->graph).vertices + 1);
        own->depth = malloc(bytes);
        own->queue = malloc(bytes);
        status = own->depth && own->queue ? RD_OK : RD_ENOMEM;
    }
    if (status == RD_ENOMEM)
        snprintf(err->text, sizeof err->text, "out of host memory for a serial search");
    return err->status = status;
}

/* As one writes it without other threads in mind: no atomics. */
static rd_status run_serial(bench_case *self, bench_sample *sample, rd_error *err)
{
    const serial_case *own = self->data;
    const rd_csr csr = rd_graph_csr(own->graph);
    uint32_t first = 0, end = 0;
    (void)err;
    const double began = rd_now();
    memset(own->depth, 0xff, sizeof *own->depth * csr.vertices);
    if (csr.vertices) {
        own->queue[end++] = rd_graph_hub(own->graph);
        own->depth[own->queue[0]] = 0;
    }
    while (first < end) {
        const uint32_t v = own->queue[first++];
        for (uint64_t e = csr.row[v]; e < csr.row[v + 1]; e++)
            if (own->depth[csr.col[e]] == RD_NONE) {
                own->depth[csr.col[e]] = own->depth[v] + 1;
                own->queue[end++] = csr.col[e];
            }
    }
    sample->total_s = rd_now() - began;
    for (uint32_t i = 0; i < end; i++)
        sample->work += csr.row[own->queue[i] + 1] - csr.row[own->queue[i]];
    snprintf(self->note, sizeof self->note, "%u reached, depth %u", end, end ? own->depth[own->queue[end - 1]] : 0);
    return RD_OK;
}

static void describe_serial(const bench_case *self, rd_json *json)
{
    rd_json_text(json, "primitive", "bfs");
    rd_json_text(json, "graph_file", self->text[1]);
    rd_json_text(json, "settings", "serial");
}

/* Fewer workers than were asked for repeat another case, and are left out. */
static rd_status run_workers(bench_case *self, bench_sample *sample, rd_error *err)
{
    const rd_status status = bench_graph_case(NULL, NULL, NULL, NULL, NULL).run(self, sample, err);
    self->workers = bench_graph_report(self)->groups;
    return status;
}

static rd_status add_lattice(bench_list *list, const char *spec, rd_error *err)
{
    static const char *const groups[] = {"groups=1", "groups=2", "groups=4", "groups=8", "groups=16"};
    static const char *const all[] = {"", "deque=lock", "victim=none"};
    bench_case serial = {.unit = "edges",
                         .open = open_serial,
                         .run = run_serial,
                         .describe = describe_serial,
                         .close = close_serial,
                         .text = {"bfs", spec}};
    snprintf(serial.name, sizeof serial.name, "lattice/%.60s/serial", spec);
    rd_status status = bench_add(list, &serial, err);
    for (size_t i = 0; i < sizeof groups / sizeof *groups && status == RD_OK; i++) {
        bench_case item = bench_graph_case("bfs", spec, "steal-levels", "persistent", groups[i]);
        item.run = run_workers;
        snprintf(item.name, sizeof item.name, "lattice/%.60s/workers/%s", spec, groups[i]);
        status = bench_add(list, &item, err);
    }
    for (size_t i = 0; i < sizeof all / sizeof *all && status == RD_OK; i++) {
        bench_case item = bench_graph_case("bfs", spec, "steal-levels", "persistent", all[i]);
        snprintf(item.name, sizeof item.name, "lattice/%.60s/all%s%s", spec, i ? ", " : "", all[i]);
        status = bench_add(list, &item, err);
    }
    return status;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    rd_status status = RD_OK;
    for (const char *const *spec = bench_graph_specs(standard, quick); *spec && status == RD_OK; spec++) {
        status = add_reserve(list, *spec, err);
        if (status == RD_OK)
            status = add_rivals(list, *spec, err);
    }
    for (const char *const *spec = bench_graph_specs(lattices, small_lattices); *spec && status == RD_OK; spec++)
        status = add_lattice(list, *spec, err);
    return status;
}

const bench_suite bench_suite_figures = {
    .name = "figures",
    .summary = "who reserves x chunks, rounds and passes beside the queue, lattices beside a serial search",
    .options = bench_graph_options,
    .take = bench_graph_take,
    .cases = cases,
    .close = bench_graph_close,
};
