/* SPDX-License-Identifier: Apache-2.0 */
/* test_explain.c - what rd_job_explain says of schedulers, launches and workers. The rules look only at what a device
 * says of itself, so GPUs that are not here can be asked too. That a run has what was said, apps/ of the self-test
 * proves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "device/device.h"
#include "sanitized.h"

static rd_device gpu = {.backend = &rd__cuda_backend,
                        .caps = {.coresident = 1, .toolkit = 1},
                        .holders = 1, /* the test */
                        .info = {.name = "cuda:0",
                                 .is_gpu = 1,
                                 .usable = 1,
                                 .compute_units = 132,
                                 .resident_lanes = 270336,
                                 .max_group = 1024,
                                 .warp = 32,
                                 .local_bytes = 49152}};

struct question {
    const char *app, *input, *settings[3][2];
    const char *worker, *groups; /* parts of the answer */
};

static void ask(rd_device *device, const struct question *q)
{
    const rd_graph_options options = {.size = sizeof options, .weight_min = 1, .weight_max = 255, .keep_weights = 1};
    rd_error err = {.status = RD_OK};
    rd_job *job = NULL;
    rd_graph *graph = NULL;
    const char *text = "";
    rd_status status = rd_job_create(device, q->app, &job, &err);
    for (int i = 0; status == RD_OK && i < 3 && q->settings[i][0]; i++)
        status = rd_job_set(job, q->settings[i][0], q->settings[i][1], &err);
    const rd_app_info *app = rd_apps();
    while (strcmp(app->name, q->app) != 0)
        app++;
    if (status == RD_OK && rd_app_takes_graph(app)) {
        status = rd_graph_open(q->input, &options, &graph, &err);
        if (status == RD_OK)
            status = rd_job_set_graph(job, graph, &err);
    } else if (status == RD_OK) {
        status = rd_job_set_input(job, q->input, &err);
    }
    for (int twice = 0; status == RD_OK && twice < 2; twice++) /* asking changes nothing */
        status = rd_job_explain(job, &text, &err);
    if (status != RD_OK)
        fail_msg("%s %s: %s", q->app, q->input, err.text);
    const char *line = strchr(text, '\n'), *shared = line ? strstr(line, "\nshared: ") : NULL;
    if (!line || !shared || strchr(shared + 1, '\n') || !strstr(line, q->worker) || !strstr(line, q->groups))
        fail_msg("%s %s: '%s' and '%s' were to be in: %s", q->app, q->input, q->worker, q->groups, text);
    rd_job_destroy(job);
    rd_graph_destroy(graph);
}

static void on_a_gpu(void **state)
{
    static const char all[] = "; as many groups as are resident at once";
    static const struct question questions[] = {
        {"bfs", "kron:9", {{0}}, "worker of 256 lanes: a few such groups fill a GPU", all},
        {"bfs", "kron:9", {{"worker", "64"}}, "worker of 64 lanes: as asked for", all},
        {"bfs", "kron:9", {{"groups", "5"}}, "worker of 256 lanes", "; 5 groups: as asked for"},
        {"bfs",
         "road:60x60",
         {{0}},
         "worker of 32 lanes: no vertex has many edges",
         "; at most 528 groups: their lanes"},
        {"bfs", "path:500", {{"worker", "128"}, {"sched", "fifo"}}, "worker of 128 lanes: as asked for", all},
        {"bfs", "kron:9", {{"sched", "fifo"}}, "worker of 256 lanes", all},
        {"bfs", "kron:9", {{"sched", "steal"}}, "worker of 256 lanes", "; at most 264 groups: few"},
        {"pr", "kron:9", {{0}}, "worker of 128 lanes: sweeps have few barriers", all},
        {"sssp", "kron:9", {{"sched", "heap"}}, "worker of 256 lanes", "; at most 132 groups: more would take more"},
        {"knapsack", "weakly:50", {{0}}, "worker of 256 lanes", all},
        {"knapsack", "weakly:50", {{"sched", "multi"}}, "worker of 256 lanes", all},
        {"fib", "9", {{0}}, "worker of 32 lanes: narrow", "; at most 1056 groups: more would push"},
        {"fib", "9", {{"sched", "fifo"}}, "worker of 32 lanes: narrow", "; at most 1056 groups: more would push"},
        {"ray",
         "terrain:1",
         {{"size", "64x64"}},
         "worker of 32 lanes: lanes of a group wait",
         "; at most 128 groups: tiles have no more parts"},
        {"ray",
         "terrain:1",
         {{"size", "64x64"}, {"schedule", "static"}},
         "worker of 32 lanes",
         "; at most 128 groups: ten for each that is resident"},
        {"ray",
         "terrain:1",
         {{"size", "64x64"}, {"schedule", "hardware"}},
         "worker of 32 lanes",
         "; at most 64 groups: one for each tile"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        ask(&gpu, &questions[i]);
}

static void chooses(rd_device *device, const char *app, rd_graph *graph, const char *wanted)
{
    rd_error err = {.status = RD_OK};
    rd_job *job = NULL;
    const char *text = "";
    assert_int_equal(rd_job_create(device, app, &job, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(job, graph, &err), RD_OK);
    assert_int_equal(rd_job_explain(job, &text, &err), RD_OK);
    if (strncmp(text, "scheduler ", 10) != 0 || strncmp(text + 10, wanted, strlen(wanted)) != 0)
        fail_msg("%s on %s: '%s' was to be said: %s", app, device->info.name, wanted, text);
    rd_job_destroy(job);
}

/* What takes a second to make under a sanitizer. Choices are sums, and the small ones go through the same. */
static int is_for_other_builds(const char *input)
{
    return SANITIZED && (strstr(input, ":16") != NULL || strstr(input, ":17") != NULL || strstr(input, ":18") != NULL ||
                         strstr(input, ":400x") != NULL);
}

/* What a GPU that repeats launches has by itself, and one that does not. */
static void chosen(void **state)
{
    static const struct {
        const char *app, *input, *loops, *plain;
    } rules[] = {
        {"bfs", "kron:9", "bsp, launch persistent", "bsp, launch persistent"},
        {"bfs", "road:60x60", "fifo, launch persistent", "fifo, launch persistent"},
        {"bfs", "path:5000", "bsp, launch persistent", "bsp, launch persistent"}, /* one worker runs it */
        {"sssp", "kron:13", "bsp, launch graph", "bsp, launch persistent"},
        {"sssp", "web:14", "bsp, launch persistent", "bsp, launch persistent"},
        {"sssp", "star:9000", "bsp, launch persistent", "bsp, launch persistent"},
        {"sssp", "mesh:99x99", "bsp, launch graph", "bsp, launch persistent"},
        {"sssp", "road:99x99", "bsp, launch graph", "bsp, launch discrete"},
        {"sssp", "kron:18", "bsp, launch graph", "bsp, launch discrete"}, /* rounds are long */
        {"cc", "kron:9", "bsp, launch discrete", "bsp, launch discrete"},
        {"pr", "kron:13", "bsp, launch persistent", "bsp, launch persistent"},
        {"pr", "mesh:99x99", "bsp, launch persistent", "bsp, launch persistent"},
        {"mst", "kron:9", "bsp, launch graph", "bsp, launch persistent"},
        {"kcore", "mesh:400x400", "bsp, launch graph", "bsp, launch discrete"},
        {"kcore", "mesh:99x99", "bsp, launch persistent", "bsp, launch persistent"},
        {"kcore", "kron:12", "bsp, launch persistent", "bsp, launch persistent"},
        {"bc", "mesh:400x400", "bsp, launch graph", "bsp, launch discrete"},
        {"bc", "mesh:99x99", "bsp, launch persistent", "bsp, launch persistent"},
        {"bc", "urand:17", "bsp, launch discrete", "bsp, launch discrete"},
        {"mis", "kron:12", "bsp, launch persistent", "bsp, launch persistent"},
        {"mis", "rgg:16", "bsp, launch persistent", "bsp, launch persistent"},
        {"mis", "lattice:20", "bsp, launch persistent", "bsp, launch persistent"},
        {"mis", "urand:12", "bsp, launch persistent", "bsp, launch persistent"},
        {"color", "kron:12", "steal, launch persistent", "steal, launch persistent"},
        {"color", "kron:16", "steal, launch persistent", "steal, launch persistent"}, /* hubs */
        {"color", "urand:16", "fifo, launch persistent", "fifo, launch persistent"},
        {"color", "star:999", "steal, launch persistent", "steal, launch persistent"},
        {"color", "star:99999", "bsp, launch persistent", "bsp, launch persistent"},
        {"tc", "kron:9", "bsp, launch discrete", "bsp, launch discrete"},
    };
    const rd_graph_options options = {.size = sizeof options, .weight_min = 1, .weight_max = 255, .keep_weights = 1};
    (void)state;
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        rd_error err = {.status = RD_OK};
        rd_graph *graph = NULL;
        if (is_for_other_builds(rules[i].input))
            continue;
        assert_int_equal(rd_graph_open(rules[i].input, &options, &graph, &err), RD_OK);
        for (uint8_t loops = 0; loops < 2; loops++) {
            rd_device device = gpu;
            device.caps.loops = loops;
            chooses(&device, rules[i].app, graph, loops ? rules[i].loops : rules[i].plain);
        }
        rd_graph_destroy(graph);
    }
}

/* The same graph goes another way with more cores. */
static void by_cores(void **state)
{
    static const struct {
        const char *app, *input, *two, *eight;
    } rules[] = {
        {"kcore", "urand:16:8", "fifo", "fifo"},    {"kcore", "urand:12:8", "fifo", "bsp"}, /* small */
        {"kcore", "urand:16:24", "bsp", "fifo"},    {"kcore", "tree:4:8", "fifo", "bsp"},   /* a forest */
        {"kcore", "cycle:70000", "bsp", "bsp"},     {"color", "urand:12:8", "steal", "bsp"},
        {"color", "urand:12:32", "steal", "steal"}, {"color", "affiliation:12:1", "steal", "steal"}, /* cliques */
        {"color", "mesh:99x99", "bsp", "bsp"},      {"color", "kron:12", "steal", "steal"},
    };
    rd_error err = {.status = RD_OK};
    rd_device *two = NULL, *eight = NULL;
    (void)state;
    assert_int_equal(rd_device_open("cpu:2", NULL, &two, &err), RD_OK);
    assert_int_equal(rd_device_open("cpu:8", NULL, &eight, &err), RD_OK);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        rd_graph *graph = NULL;
        if (is_for_other_builds(rules[i].input))
            continue;
        assert_int_equal(rd_graph_open(rules[i].input, NULL, &graph, &err), RD_OK);
        chooses(two, rules[i].app, graph, rules[i].two);
        chooses(eight, rules[i].app, graph, rules[i].eight);
        rd_graph_destroy(graph);
    }
    rd_device_close(two);
    rd_device_close(eight);
}

static void on_cpus(void **state)
{
    static const struct question one[] = {
        {"bfs", "kron:9", {{0}}, "worker of 1 lane: on the CPU", "; 3 groups: one for each thread"},
        {"bfs",
         "kron:9",
         {{"worker", "64"}},
         "worker of 1 lane: on the CPU a group is one lane, whatever",
         "; 3 groups"},
        {"bfs", "kron:9", {{"groups", "7"}}, "worker of 1 lane", "; 7 groups: as asked for"},
        {"fib", "9", {{"groups", "7"}}, "worker of 1 lane", "; 3 groups: no more are resident"},
        {"ray",
         "terrain:1",
         {{"size", "4x4"}, {"tile", "4"}},
         "worker of 1 lane",
         "; 1 group: tiles have no more parts"},
    };
    static const struct question four = {
        "bfs", "kron:9", {{0}}, "worker of 4 lanes: as the device's name says", "; 2 groups: as"};
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;
    (void)state;
    assert_int_equal(rd_device_open("cpu:3", NULL, &device, &err), RD_OK);
    for (size_t i = 0; i < sizeof one / sizeof *one; i++)
        ask(device, &one[i]);
    rd_device_close(device);
    assert_int_equal(rd_device_open("cpu:2x4", NULL, &device, &err), RD_OK);
    ask(device, &four);
    rd_device_close(device);
}

/* A CPU behind OpenCL, as it says of itself. */
static void behind_opencl(void **state)
{
    rd_device pocl = {.backend = &rd__opencl_backend,
                      .caps = {.slow_wide_compile = 1},
                      .holders = 1,
                      .info = {.name = "opencl:0.0", .usable = 1, .compute_units = 2, .max_group = 4096, .warp = 1}};
    static const struct question questions[] = {
        {"bfs", "kron:9", {{0}}, "worker of 1 lane: on a CPU one lane", "; 2 groups: one for each compute unit"},
        {"bfs", "kron:9", {{"worker", "64"}}, "worker of 64 lanes: as asked for", "; 2 groups"},
        {"bfs",
         "kron:9",
         {{"worker", "64"}, {"sched", "fifo"}},
         "worker of 1 lane: on a CPU one lane a group is fastest, whatever",
         "; 2"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        ask(&pocl, &questions[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_a_gpu), cmocka_unit_test(chosen),        cmocka_unit_test(by_cores),
        cmocka_unit_test(on_cpus),  cmocka_unit_test(behind_opencl),
    };
    return cmocka_run_group_tests_name("what is said of workers", tests, NULL, NULL);
}
