/* SPDX-License-Identifier: Apache-2.0 */
/*
 * test_threads.c - the API from several threads at once, as include/raddle.h promises: one graph may be looked at by
 * all of them, each has devices and jobs of its own, and opening and closing need no lock of the program's. What two
 * threads must not do at once is refused. Run under ThreadSanitizer by tests/sanitized.sh.
 */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "raddle.h"

enum { THREADS = 6, TURNS = 3 };

/* cmocka's assertions belong to the main thread; the others leave their first failure here. */
typedef struct member {
    pthread_t thread;
    void (*body)(struct member *self);
    uint32_t index;
    rd_graph *graph;
    rd_device *device;
    rd_job *job; /* left for the main thread to destroy */
    const char *name;
    rd_csr seen;
    uint32_t good, refused;
    rd_error err;
    const char *failed;
} member;

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        if ((call) != RD_OK) {                                                                                         \
            self->failed = #call;                                                                                      \
            return;                                                                                                    \
        }                                                                                                              \
    } while (0)

static void *start(void *pointer)
{
    member *self = pointer;
    self->body(self);
    return NULL;
}

static void together(member *team, void (*body)(member *self))
{
    for (uint32_t i = 0; i < THREADS; i++) {
        team[i].index = i;
        team[i].body = body;
        assert_int_equal(pthread_create(&team[i].thread, NULL, start, &team[i]), 0);
    }
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(team[i].thread, NULL);
    for (uint32_t i = 0; i < THREADS; i++)
        if (team[i].failed)
            fail_msg("thread %u: %s: %s", i, team[i].failed, team[i].err.text);
}

static rd_graph *directed(void)
{
    enum { EDGES = 4000, VERTICES = 1000 };
    static uint32_t source[EDGES], target[EDGES];
    rd_graph *graph;
    rd_error err;
    for (uint32_t i = 0; i < EDGES; i++) {
        source[i] = i % VERTICES;
        target[i] = (uint32_t)((i * 2654435761ull >> 7) % VERTICES);
    }
    const rd_graph_options options = {.size = sizeof options, .threads = 2};
    if (rd_graph_from_edges(VERTICES, EDGES, source, target, NULL, &options, &graph, &err) != RD_OK)
        fail_msg("%s", err.text);
    return graph;
}

static void transpose(member *self)
{
    TRY(rd_graph_transpose(self->graph, &self->seen, &self->err));
}

/* All get the same arrays, whoever came first. */
static void one_transpose_for_all(void **state)
{
    (void)state;
    for (int turn = 0; turn < 20; turn++) {
        member team[THREADS] = {0};
        rd_graph *graph = directed();
        for (int i = 0; i < THREADS; i++)
            team[i].graph = graph;
        together(team, transpose);
        for (int i = 1; i < THREADS; i++)
            assert_true(team[i].seen.row == team[0].seen.row && team[i].seen.col == team[0].seen.col);
        rd_graph_destroy(graph);
    }
}

/* A device and jobs of its own, on the graph of all. */
static void run_jobs(member *self)
{
    static const char *const apps[] = {"bfs", "pr", "cc"};
    rd_device *device;
    rd_job *job;
    TRY(rd_device_open(self->name, NULL, &device, &self->err));
    for (int i = 0; i < TURNS; i++) {
        TRY(rd_job_create(device, apps[(self->index + (uint32_t)i) % 3], &job, &self->err));
        TRY(rd_job_set_graph(job, self->graph, &self->err));
        TRY(rd_job_run(job, NULL, &self->err));
        TRY(rd_job_check(job, &self->err));
        rd_job_destroy(job);
    }
    rd_device_close(device);
}

static void one_graph_many_devices(void **state)
{
    member team[THREADS] = {0};
    rd_graph *graph = directed();
    (void)state;
    for (int i = 0; i < THREADS; i++) {
        team[i].graph = graph;
        team[i].name = i % 2 ? "cpu:2" : "cpu:1";
    }
    together(team, run_jobs);
    rd_graph_destroy(graph);
}

/* The graph's maker gives it up while others still work on it: their jobs hold it. */
static void run_and_drop(member *self)
{
    rd_device *device;
    rd_job *job;
    TRY(rd_device_open("cpu:1", NULL, &device, &self->err));
    TRY(rd_job_create(device, "bfs", &job, &self->err));
    TRY(rd_graph_open("urand:8:4", NULL, &self->graph, &self->err));
    TRY(rd_job_set_graph(job, self->graph, &self->err));
    rd_graph_destroy(self->graph);
    TRY(rd_job_run(job, NULL, &self->err));
    rd_device_close(device);
    TRY(rd_job_check(job, &self->err));
    rd_job_destroy(job);
}

static void everyone_closes_early(void **state)
{
    member team[THREADS] = {0};
    (void)state;
    together(team, run_and_drop);
}

static void open_and_close(member *self)
{
    rd_device_info *list;
    size_t count;
    for (int i = 0; i < TURNS; i++) {
        rd_device *device;
        TRY(rd_device_list(&list, &count, &self->err));
        const rd_status status = rd_device_open(self->name, NULL, &device, &self->err);
        if (status == RD_OK) {
            self->good++;
            rd_device_close(device);
        } else if (status != RD_EDEVICE) {
            self->failed = "rd_device_open";
        }
        rd_free(list);
    }
}

static void opening_from_six_threads(void **state)
{
    static const char *const names[] = {"cpu:2", "opencl", "cuda", "cpu:1x2", "auto", "opencl"};
    member team[THREADS] = {0};
    (void)state;
    for (int i = 0; i < THREADS; i++)
        team[i].name = names[i];
    together(team, open_and_close);
    assert_int_equal(team[0].good, TURNS);
    assert_int_equal(team[4].good, TURNS);
    assert_true(team[1].good == team[5].good); /* it is there for all, or for none */
}

/* OpenCL from six threads: devices, contexts, compiling, running. Where there is no OpenCL the test is skipped. */
static void opencl_from_six_threads(void **state)
{
    member team[THREADS] = {0};
    rd_device *device;
    rd_error err;
    (void)state;
    if (rd_device_open("opencl", NULL, &device, &err) != RD_OK)
        skip();
    rd_device_close(device);
    rd_graph *graph = directed();
    for (int i = 0; i < THREADS; i++) {
        team[i].graph = graph;
        team[i].name = "opencl";
    }
    together(team, open_and_close);
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(team[i].good, TURNS);
    together(team, run_jobs);
    rd_graph_destroy(graph);
}

/* One device for all, which is not allowed: each run is right, or refused. */
static void share_a_device(member *self)
{
    TRY(rd_job_create(self->device, "bfs", &self->job, &self->err));
    TRY(rd_job_set_graph(self->job, self->graph, &self->err));
    for (int i = 0; i < 50; i++) {
        const rd_status status = rd_job_run(self->job, NULL, &self->err);
        if (status != RD_OK && (status != RD_EDEVICE || !strstr(self->err.text, "at work"))) {
            self->failed = "rd_job_run";
            break;
        }
        self->good += status == RD_OK;
        self->refused += status != RD_OK;
    }
}

static void one_device_at_a_time(void **state)
{
    member team[THREADS] = {0};
    rd_device *device;
    rd_error err;
    rd_graph *graph = directed();
    uint32_t good = 0, all = 0;
    (void)state;
    assert_int_equal(rd_device_open("cpu:2", NULL, &device, &err), RD_OK);
    for (int i = 0; i < THREADS; i++) {
        team[i].graph = graph;
        team[i].device = device;
    }
    together(team, share_a_device);
    for (int i = 0; i < THREADS; i++) {
        good += team[i].good;
        all += team[i].good + team[i].refused;
        rd_job_destroy(team[i].job);
    }
    assert_true(good >= 1);
    assert_int_equal(all, THREADS * 50);
    rd_graph_destroy(graph);
    rd_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_transpose_for_all),   cmocka_unit_test(one_graph_many_devices),
        cmocka_unit_test(everyone_closes_early),   cmocka_unit_test(opening_from_six_threads),
        cmocka_unit_test(opencl_from_six_threads), cmocka_unit_test(one_device_at_a_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
