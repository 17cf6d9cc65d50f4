/* SPDX-License-Identifier: Apache-2.0 */
/*
 * machines.c - the suite `bench machines`: several ranks that are threads of one process. On the CPU each rank has one
 * thread; beside another device, rank 0 has that device and the others share the cores. What is measured:
 *   strong    the same work on 1, 2, 4 and 8 ranks
 *   weak      a graph that grows with the ranks
 *   window    a deep search, from level by level to all at once
 *   message   the same run with messages of at most so many bytes, from many small ones to one for each other rank
 *   owners    blocks of consecutive vertices, or vertices dealt out at random
 * The note of a case tells what ranks sent each other in a run. Between machines, run the apps themselves:
 * docs/machines.md.
 */
#define _GNU_SOURCE
#include "cli/bench/bench.h"
#include "cli/open_device.h"

#include "raddle/ranks.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { RANKS_MOST = 8 };

typedef struct member {
    bench_case *item;
    rd_ranks *ranks;
    const char *device_name;
    uint32_t threads; /* of a rank that is no other device */
    rd_device *device;
    rd_graph *graph;
    rd_job *job;
    rd_status (*step)(struct member *self);
    rd_report report;
    uint64_t work;
    rd_error err;
    rd_status status;
    pthread_t thread;
} member;

typedef struct crew {
    member rank[RANKS_MOST];
    uint32_t count;
} crew;

static void *as_thread(void *arg)
{
    member *self = arg;
    self->status = self->step(self);
    if (self->status != RD_OK)
        rd_ranks_stop(self->ranks, self->status, self->err.text);
    return NULL;
}

/* All ranks take the step; the failure that is told is the first rank's that has one. */
static rd_status together(crew *all, rd_status (*step)(member *self), rd_error *err)
{
    uint32_t started = 1;
    for (uint32_t r = 0; r < all->count; r++) {
        all->rank[r].step = step;
        all->rank[r].err.status = RD_OK;
    }
    while (started < all->count &&
           pthread_create(&all->rank[started].thread, NULL, as_thread, &all->rank[started]) == 0)
        started++;
    if (started < all->count)
        rd_ranks_stop(all->rank[0].ranks, RD_EDEVICE, "a thread is missing");
    (void)as_thread(&all->rank[0]);
    for (uint32_t r = 1; r < started; r++)
        pthread_join(all->rank[r].thread, NULL);
    for (uint32_t r = 0; r < all->count; r++)
        if (r >= started || all->rank[r].status != RD_OK) {
            *err = all->rank[r].err;
            err->status = r < started ? all->rank[r].status : RD_EDEVICE;
            return err->status;
        }
    return RD_OK;
}

static rd_status prepare(member *self)
{
    const bench_case *item = self->item;
    const rd_device_options device = {.size = sizeof device, .threads = self->threads, .no_pin = 1};
    const int weighted = strcmp(item->text[0], "sssp") == 0;
    const rd_graph_options input = {.size = sizeof input,
                                    .threads = 1,
                                    .permute = item->number[2] != 0,
                                    .weight_min = weighted,
                                    .weight_max = weighted ? 255 : 0};
    BENCH_TRY(rd_ranks_set_message(self->ranks, (uint32_t)item->number[3], &self->err));
    BENCH_TRY(rd_device_open(self->device_name, &device, &self->device, &self->err));
    BENCH_TRY(rd_job_create(self->device, item->text[0], &self->job, &self->err));
    BENCH_TRY(rd_job_set_ranks(self->job, self->ranks, (uint32_t)item->number[1], &self->err));
    if (strcmp(item->unit, "edges") != 0)
        return rd_job_set_input(self->job, item->text[1], &self->err);
    BENCH_TRY(rd_graph_open_part(item->text[1], &input, self->ranks, &self->graph, &self->err));
    self->work = rd_graph_get_part(self->graph).edges;
    return rd_job_set_graph(self->job, self->graph, &self->err);
}

static rd_status run_once(member *self)
{
    return rd_job_run(self->job, &self->report, &self->err);
}

static rd_status check_once(member *self)
{
    return rd_job_check(self->job, &self->err);
}

/* ---- A case ---- */

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    crew *all = calloc(1, sizeof *all);
    rd_ranks *ranks[RANKS_MOST];
    const rd_device_info *info = rd_device_get_info(device);
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    const uint32_t count = (uint32_t)self->number[0];
    const int other = !cli_is_host(info);
    self->data = all;
    if (!all)
        return bench_no_memory(err, "ranks");
    BENCH_TRY(rd_ranks_open_threads(count, ranks, err));
    all->count = count;
    for (uint32_t r = 0; r < count; r++) {
        const uint32_t share = count > 1 && cores > 0 ? (uint32_t)cores / (count - 1) : 1;
        all->rank[r] = (member){.item = self,
                                .ranks = ranks[r],
                                .device_name = other && r == 0 ? info->name : "cpu",
                                .threads = !other       ? 1
                                           : r && share ? share
                                                        : 1};
    }
    return together(all, prepare, err);
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    crew *all = self->data;
    char bytes[32];
    BENCH_TRY(together(all, run_once, err));
    const rd_report *report = &all->rank[0].report;
    uint64_t sent = 0, messages = 0;
    for (uint32_t r = 0; r < all->count; r++) {
        sent += rd_job_rank_stats(all->rank[r].job).bytes;
        messages += rd_job_rank_stats(all->rank[r].job).messages;
    }
    sample->kernel_s = 0; /* what counts is when all have ended */
    sample->total_s = report->run_s;
    sample->work = all->rank[0].work ? all->rank[0].work : report->tasks;
    snprintf(self->note, sizeof self->note, "%llu messages, %s, overwork %.2f", (unsigned long long)messages,
             rd_format_bytes(sent, bytes, sizeof bytes),
             report->tasks_needed ? (double)report->tasks / (double)report->tasks_needed : 1.0);
    return RD_OK;
}

static rd_status check_case(bench_case *self, rd_error *err)
{
    return together(self->data, check_once, err);
}

static void describe(const bench_case *self, rd_json *json)
{
    const crew *all = self->data;
    const rd_report *report = &all->rank[0].report;
    rd_json_text(json, "app", self->text[0]);
    rd_json_text(json, "input", self->text[1]);
    rd_json_u64(json, "ranks", all->count);
    rd_json_u64(json, "window", self->number[1]);
    rd_json_bool(json, "permuted", self->number[2] != 0);
    rd_json_u64(json, "message", self->number[3]);
    rd_json_u64(json, "tasks", report->tasks);
    rd_json_u64(json, "tasks_needed", report->tasks_needed);
    rd_json_u64(json, "windows", report->rounds);
    rd_json_u64(json, "pulled", report->pulled);
    for (uint32_t i = 0; i < report->measures; i++)
        rd_json_double(json, report->measure[i].name, report->measure[i].value);
}

static void close_case(bench_case *self)
{
    crew *all = self->data;
    for (uint32_t r = 0; all && r < all->count; r++) {
        rd_job_destroy(all->rank[r].job);
        rd_graph_destroy(all->rank[r].graph);
        rd_device_close(all->rank[r].device);
    }
    for (uint32_t r = 0; all && r < all->count; r++)
        rd_ranks_close(all->rank[r].ranks);
    free(all);
    self->data = NULL;
}

/* ---- The cases ---- */

static rd_status add(bench_list *list, const char *name, const char *app, const char *spec, uint64_t ranks,
                     uint64_t window, uint64_t permuted, uint64_t message, rd_error *err)
{
    bench_case item = {.unit = strchr(spec, ':') && strcmp(app, "uts") != 0 ? "edges" : "tasks",
                       .open = open_case,
                       .run = run_case,
                       .check = check_case,
                       .describe = describe,
                       .close = close_case,
                       .text = {app, spec},
                       .number = {ranks, window, permuted, message}};
    snprintf(item.name, sizeof item.name, "%s/%s/%s/%u", name, app, spec, (unsigned)ranks);
    if (strcmp(name, "window") == 0)
        snprintf(item.name, sizeof item.name, "%s/%s/%s/%llu", name, app, spec, (unsigned long long)window);
    if (strcmp(name, "message") == 0)
        snprintf(item.name, sizeof item.name, "%s/%s/%s/%llu", name, app, spec, (unsigned long long)message);
    if (strcmp(name, "owners") == 0)
        snprintf(item.name, sizeof item.name, "%s/%s/%s/%s", name, app, spec, permuted ? "random" : "blocks");
    return bench_add(list, &item, err);
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const char *const apps[] = {"bfs", "sssp", "cc", "pr", "uts"};
    static const char *const large[] = {"kron:17", "road:512x512", "kron:17", "kron:16", "T1"};
    static const char *const small[] = {"kron:12", "road:64x64", "kron:12", "kron:11", "geo:fixed:4:7:19"};
    static const char *const weak[] = {"kron:15", "kron:16", "kron:17", "kron:18"};
    static const char *const weak_small[] = {"kron:9", "kron:10", "kron:11", "kron:12"};
    static const uint64_t windows[] = {1, 16, 256, 1 << 20, 0};
    static const char *const messaging[] = {"sssp", "pr"};
    static const uint64_t messages[] = {256, 4 << 10, 64 << 10, 1 << 20, 0};
    const char *const road = bench_quick ? "road:64x64" : "road:512x512";
    for (int a = 0; a < 5; a++)
        for (uint64_t ranks = 1; ranks <= RANKS_MOST; ranks *= 2)
            BENCH_TRY(add(list, "strong", apps[a], (bench_quick ? small : large)[a], ranks, 0, 0, 0, err));
    for (int i = 0; i < 4; i++)
        BENCH_TRY(add(list, "weak", "bfs", (bench_quick ? weak_small : weak)[i], 1ull << i, 0, 0, 0, err));
    for (int i = 0; i < 5; i++)
        BENCH_TRY(add(list, "window", "bfs", road, 4, windows[i], 0, 0, err));
    for (int a = 0; a < 2; a++)
        for (int i = 0; i < 5; i++)
            BENCH_TRY(
                add(list, "message", messaging[a], bench_quick ? "kron:11" : "kron:16", 4, 0, 0, messages[i], err));
    for (uint64_t permuted = 0; permuted < 2; permuted++) {
        BENCH_TRY(add(list, "owners", "bfs", road, 4, 0, permuted, 0, err));
        BENCH_TRY(add(list, "owners", "bfs", bench_quick ? "kron:12" : "kron:17", 4, 0, permuted, 0, err));
    }
    return RD_OK;
}

const bench_suite bench_suite_machines = {
    .name = "machines",
    .summary = "several ranks in one process: strong and weak scaling, message size, window, who owns what",
    .trials = 5,
    .time_limit = 20,
    .options = bench_quick_options,
    .take = bench_take_quick,
    .cases = cases,
};
