/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_frozen.c - files of runs that are to go on. FUZZ_KIND APP: the part of a rank in a checkpoint; APP-SCHED: a job
 * that was paused. The right file is made here, since it depends on the build; an input says what is changed in it: a
 * place (two bytes: from the front, or from the end when odd), how many bytes follow (one byte), these, and so on; a
 * count of 255 cuts the file there. All of a file
 * is taken before its hash is looked at, so each change is seen by whoever reads that part. Now and then the job runs
 * afterwards as if nothing had been: what a file left behind is not to be seen.
 */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "job/job.h"
#include "raddle/ranks.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { MOST = 1 << 18, CUT = 255, TURN = 512 };

static const struct kind {
    const char *name, *app, *sched, *input;
    const char *set[7]; /* options, each with its value; NULL ends them */
} kinds[] = {
    {"bfs", "bfs", NULL, "path:300", {NULL}},
    {"uts", "uts", NULL, "geo:fixed:4:6:19", {NULL}},
    {"knapsack", "knapsack", NULL, "almost:60:500", {"states", "0", "pool", "2048", "table", "0", NULL}},
    {"sssp-heap", "sssp", "heap", "mesh:5x5", {NULL}},
    {"sssp-multi", "sssp", "multi", "mesh:5x5", {NULL}},
    {"bfs-fifo", "bfs", "fifo", "mesh:5x5", {NULL}},
    {"bfs-bsp", "bfs", "bsp", "mesh:5x5", {NULL}},
    {"fib-steal", "fib", "steal", "9", {"stack", "64", "frames", "64", NULL}},
};

static const struct kind *kind = &kinds[0];
static char folder[] = "/dev/shm/raddle-fuzz-XXXXXX", on_disk[] = "/tmp/raddle-fuzz-XXXXXX", path[128];
static unsigned char right[MOST];
static size_t right_bytes;
static rd_device *device;
static rd_ranks *ranks;
static rd_graph *graph;
static rd_job *job;
static long before; /* allocations that are not the job's */
static unsigned turn;

static int is_of_ranks(void)
{
    return !kind->sched;
}

static void must(rd_status status, const rd_error *err)
{
    if (status != RD_OK) {
        fprintf(stderr, "fuzz: %s\n", err->text);
        abort();
    }
}

static void set_checkpoint(int resume)
{
    const rd_checkpoint_options options = {.size = sizeof options, .folder = folder, .resume = resume};
    rd_error err = {RD_OK, ""};
    must(rd_job_set_checkpoint(job, &options, &err), &err);
}

static void make_job(void)
{
    rd_error err = {RD_OK, ""};
    must(rd_job_create(device, kind->app, &job, &err), &err);
    if (kind->sched)
        must(rd_job_set(job, "sched", kind->sched, &err), &err);
    if (is_of_ranks())
        must(rd_job_set_ranks(job, ranks, 1, &err), &err);
    for (int i = 0; kind->set[i]; i += 2)
        must(rd_job_set(job, kind->set[i], kind->set[i + 1], &err), &err);
    must(graph ? rd_job_set_graph(job, graph, &err) : rd_job_set_input(job, kind->input, &err), &err);
}

static void drop_job(void)
{
    rd_job_destroy(job);
    job = NULL;
    if (atomic_load_explicit(&fuzz_live, memory_order_relaxed) != before)
        abort();
}

static int stop_when_written(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    (void)user, (void)what, (void)done, (void)total, (void)unit;
    rd_checkpoint now;
    if (rd_checkpoint_read(folder, &now, NULL) != RD_OK)
        return 0;
    rd_free(now.note);
    return 1;
}

static void find_part(void)
{
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list)) != NULL;)
        if (strncmp(entry->d_name, "part-", 5) == 0)
            snprintf(path, sizeof path, "%s/%.60s", folder, entry->d_name);
    if (!list || !path[0])
        abort();
    closedir(list);
}

/* The right file, of a run that was stopped when it had written it, or of a job that has not begun. */
static void freeze(void)
{
    rd_error err = {RD_OK, ""};
    rd_report report;
    if (is_of_ranks()) {
        set_checkpoint(0);
        rd_job_set_progress(job, stop_when_written, NULL);
        if (rd_job_run(job, &report, &err) != RD_ECANCELLED) {
            fprintf(stderr, "fuzz: %s ended before it had written a checkpoint: %s\n", kind->name, err.text);
            abort();
        }
        rd_job_set_progress(job, NULL, NULL);
        find_part();
    } else {
        snprintf(path, sizeof path, "%s/paused", folder);
        must(rd__job_make_ready(job, &err), &err);
        must(rd__job_freeze(job, path, &err), &err);
    }
    FILE *file = fopen(path, "rb");
    right_bytes = file ? fread(right, 1, sizeof right, file) : 0;
    if (!file || right_bytes == sizeof right || !right_bytes)
        abort();
    fclose(file);
}

static void remove_all(void)
{
    char manifest[128];
    snprintf(manifest, sizeof manifest, "%s/manifest", folder);
    unlink(manifest);
    unlink(path);
    rmdir(folder);
}

static void start(void)
{
    const rd_device_options one = {.size = sizeof one, .threads = 1, .no_pin = 1};
    const rd_graph_options options = {.size = sizeof options, .threads = 1, .weight_min = 1, .weight_max = 9};
    rd_error err = {RD_OK, ""};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, fuzz_kind()) == 0)
            kind = &kinds[i];
    if (!mkdtemp(folder)) {
        memcpy(folder, on_disk, sizeof on_disk);
        if (!mkdtemp(folder))
            abort();
    }
    atexit(remove_all);
    must(rd_device_open("cpu", &one, &device, &err), &err);
    must(rd_ranks_open_threads(1, &ranks, &err), &err);
    if (strchr(kind->input, ':') && (strcmp(kind->app, "bfs") == 0 || strcmp(kind->app, "sssp") == 0))
        must(is_of_ranks() ? rd_graph_open_part(kind->input, &options, ranks, &graph, &err)
                           : rd_graph_open(kind->input, &options, &graph, &err),
             &err);
    before = atomic_load_explicit(&fuzz_live, memory_order_relaxed);
    make_job();
    freeze();
}

/* @return how many bytes are left of the file. */
static size_t change(unsigned char *data, const uint8_t *input, size_t bytes)
{
    size_t size = right_bytes, at = 0;
    memcpy(data, right, right_bytes);
    while (bytes - at >= 3) {
        const size_t far = ((size_t)input[at] << 8 | input[at + 1]) / 2 % right_bytes;
        const size_t place = input[at + 1] & 1 ? right_bytes - 1 - far : far;
        const uint8_t count = input[at + 2];
        at += 3;
        if (count == CUT)
            size = place < size ? place : size;
        for (size_t i = 0; count != CUT && i < count && at < bytes; i++, at++)
            data[(place + i) % right_bytes] = input[at];
    }
    return size;
}

static void write_file(const unsigned char *data, size_t bytes)
{
    const int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes || close(fd) != 0)
        abort();
}

/* As if nothing had been. */
static void run_anew(void)
{
    rd_error err = {RD_OK, ""};
    rd_report report;
    if (is_of_ranks())
        must(rd_job_set_checkpoint(job, NULL, &err), &err);
    must(rd_job_run(job, &report, &err), &err);
    must(rd_job_check(job, &err), &err);
    drop_job();
    make_job();
    if (is_of_ranks())
        set_checkpoint(1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static unsigned char changed[MOST];
    rd_error err = {RD_OK, ""};
    rd_report report;
    fuzz_begin();
    if (!job) {
        start();
        if (is_of_ranks())
            set_checkpoint(1);
    }
    const size_t size = change(changed, data, bytes);
    if (size == right_bytes && memcmp(changed, right, size) == 0)
        return 0; /* it would go on, and end */
    write_file(changed, size);
    rd_status status;
    if (is_of_ranks()) {
        status = rd_job_run(job, &report, &err);
    } else {
        must(rd__job_make_ready(job, &err), &err);
        status = rd__job_thaw(job, path, &err);
    }
    fuzz_check(status, &err);
    if (status == RD_OK)
        abort(); /* the hash is of all of it */
    if (turn++ % TURN == 0)
        run_anew();
    return 0;
}
