/* SPDX-License-Identifier: Apache-2.0 */
/*
 * load.c - the suite `bench load`: how fast each format is read, and the most memory that takes.
 *
 * A case writes a graph in its format; each run starts `raddle info --brief --json` on the file as a process of its
 * own, whose record tells the seconds (reading and sorting), its peak memory, and the sizes that prove it read the
 * right graph. So a run starts cold but for the file in the system's cache, and the memory of one run says nothing
 * about another's. Which device is used does not matter.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/bench/bench.h"

#include <errno.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { ID_GRAPH = 1, ID_QUICK, RECORD = 8192 };

static const char *graph_spec = "kron:20";

typedef struct load {
    char folder[224], path[256];
    int listed[2];                    /* tickets of both in the list of temporary files */
    uint64_t bytes;                   /* of the file */
    uint64_t vertices, edges, degree; /* of the graph written; vertices 0: the format does not keep them */
    uint64_t csr_bytes, peak_bytes;
} load;

static rd_status fail(rd_error *err, rd_status status, const char *what)
{
    err->status = status;
    snprintf(err->text, sizeof err->text, "bench load: %s", what);
    return status;
}

/* Runs this program with these arguments and keeps the start of what it prints. */
static rd_status run_self(char *const *argv, char *record, rd_error *err)
{
    int pipe_fd[2], code;
    size_t used = 0;
    pid_t child;
    posix_spawn_file_actions_t actions;
    if (pipe(pipe_fd) != 0)
        return fail(err, RD_EIO, strerror(errno));
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, pipe_fd[1], STDOUT_FILENO);
    posix_spawn_file_actions_addclose(&actions, pipe_fd[0]);
    posix_spawn_file_actions_addclose(&actions, pipe_fd[1]);
    code = posix_spawn(&child, "/proc/self/exe", &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(pipe_fd[1]);
    for (ssize_t got;
         code == 0 && used < RECORD - 1 && (got = read(pipe_fd[0], record + used, RECORD - 1 - used)) != 0;) {
        if (got < 0 && errno != EINTR)
            break;
        used += got > 0 ? (size_t)got : 0;
    }
    record[used] = 0;
    close(pipe_fd[0]);
    if (code != 0)
        return fail(err, RD_EIO, strerror(code));
    while (waitpid(child, &code, 0) < 0 && errno == EINTR)
        ;
    if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
        return fail(err, RD_EIO, "reading failed; its message is above");
    return RD_OK;
}

/* The number after "key": in a record; 0 when it is not there. */
static double field(const char *record, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(record, quoted);
    return at ? strtod(at + strlen(quoted), NULL) : 0;
}

static rd_status open_case(bench_case *self, rd_device *device, rd_error *err)
{
    const char *format = self->text[1], *folder = getenv("TMPDIR");
    load *data = calloc(1, sizeof *data);
    char record[RECORD], spec[160];
    struct stat info;
    (void)device;
    self->data = data;
    if (!data)
        return fail(err, RD_ENOMEM, "out of host memory");
    /* A folder of its own: others may make files in /tmp, and links. */
    snprintf(data->folder, sizeof data->folder, "%.200s/raddle-bench-XXXXXX", folder && *folder ? folder : "/tmp");
    data->listed[0] = data->listed[1] = -1;
    if (!mkdtemp(data->folder)) {
        data->folder[0] = 0;
        return fail(err, RD_EIO, strerror(errno));
    }
    snprintf(data->path, sizeof data->path, "%s/graph.%.20s", data->folder, format);
    data->listed[0] = rd_temporary_add(data->folder, 1);
    data->listed[1] = rd_temporary_add(data->path, 0);
    snprintf(spec, sizeof spec, "%s", self->text[0]);
    /* made by a process of its own too, so that this one stays small */
    char *weighted[] = {"raddle", "gen", spec, "-o", data->path, "--json", "--weights", "1-255", NULL};
    char *plain[] = {"raddle", "gen", spec, "-o", data->path, "--json", NULL};
    rd_status status = run_self(self->number[0] ? weighted : plain, record, err);
    if (status != RD_OK)
        return status;
    data->edges = (uint64_t)field(record, "edges");
    data->vertices = (uint64_t)field(record, "vertices");
    data->csr_bytes = 8 * (data->vertices + 1) + (self->number[0] ? 8 : 4) * data->edges;
    if (strcmp(format, "el") == 0 || strcmp(format, "wel") == 0)
        data->vertices = 0;
    if (stat(data->path, &info) != 0)
        return fail(err, RD_EIO, strerror(errno));
    data->bytes = (uint64_t)info.st_size;
    return RD_OK;
}

static rd_status run_case(bench_case *self, bench_sample *sample, rd_error *err)
{
    load *data = self->data;
    char record[RECORD], threads[16];
    char *argv[] = {"raddle", "info", "--brief", "--json", data->path, "--threads", threads, NULL};
    snprintf(threads, sizeof threads, "%u", self->threads);
    if (!self->threads)
        argv[5] = NULL;
    rd_status status = run_self(argv, record, err);
    if (status != RD_OK)
        return status;
    uint64_t peak = (uint64_t)field(record, "peak_bytes"), degree = (uint64_t)field(record, "max_degree");
    data->peak_bytes = peak > data->peak_bytes ? peak : data->peak_bytes;
    if ((uint64_t)field(record, "edges") != data->edges ||
        (data->vertices && (uint64_t)field(record, "vertices") != data->vertices) ||
        (data->degree && degree != data->degree))
        return fail(err, RD_EWRONG, "the graph that was read is not the one that was written");
    data->degree = degree;
    char text[32];
    snprintf(self->note, sizeof self->note, "peak %s, %.2f x CSR", rd_format_bytes(data->peak_bytes, text, sizeof text),
             (double)data->peak_bytes / (double)data->csr_bytes);
    sample->total_s = field(record, "read_s") + field(record, "build_s");
    sample->work = data->bytes;
    return RD_OK;
}

static void describe(const bench_case *self, rd_json *json)
{
    const load *data = self->data;
    rd_json_text(json, "format", self->text[1]);
    rd_json_u64(json, "file_bytes", data->bytes);
    rd_json_u64(json, "csr_bytes", data->csr_bytes);
    rd_json_u64(json, "peak_bytes", data->peak_bytes);
}

static void close_case(bench_case *self)
{
    load *data = self->data;
    if (data && data->folder[0]) {
        unlink(data->path);
        rmdir(data->folder);
        rd_temporary_forget(data->listed[1]);
        rd_temporary_forget(data->listed[0]);
    }
    free(data);
    self->data = NULL;
}

static const cli_option options[] = {
    {"graph", 0, "GENERATOR", "the graph to write and read [kron:20]", ID_GRAPH},
    {"quick", 0, NULL, "a small graph: kron:14", ID_QUICK},
    {NULL, 0, NULL, NULL, 0},
};

static int take(int id, const char *value)
{
    graph_spec = id == ID_GRAPH ? value : "kron:14";
    return 0;
}

static rd_status cases(bench_list *list, rd_error *err)
{
    static const struct {
        const char *format;
        int weighted;
    } kind[] = {{"rdg", 0}, {"mtx", 0}, {"el", 0}, {"sg", 0}, {"egr", 0},
                {"mtx", 1}, {"wel", 1}, {"gr", 1}, {"wsg", 1}};
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        bench_case item = {
            .unit = "bytes", .open = open_case, .run = run_case, .describe = describe, .close = close_case};
        snprintf(item.name, sizeof item.name, "%.100s/%s%s", graph_spec, kind[i].format,
                 kind[i].weighted ? "/weights" : "");
        item.text[0] = graph_spec;
        item.text[1] = kind[i].format;
        item.number[0] = (uint64_t)kind[i].weighted;
        rd_status status = bench_add(list, &item, err);
        if (status != RD_OK)
            return status;
    }
    return RD_OK;
}

const bench_suite bench_suite_load = {
    .name = "load",
    .summary = "reading graphs: bytes of file a second and peak memory, for each format",
    .options = options,
    .take = take,
    .cases = cases,
};
