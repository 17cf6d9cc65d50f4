/* SPDX-License-Identifier: Apache-2.0 */
/* test_checkpoint.c - runs on ranks that are killed and go on from their last checkpoint; checkpoints that are not to
 * be gone on from. The run that is killed is a child, which kills itself at a time that it chooses: once a checkpoint
 * of some number is complete. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "job/manifest.h"
#include "raddle/ranks.h"
#include "sanitized.h"

enum { MOST = 4 };

typedef struct question {
    const char *app, *spec;
    uint32_t ranks, window;
    uint64_t number; /* of the checkpoint after which the first run dies */
    const char *option, *value;
} question;

typedef struct member {
    const question *asked;
    rd_ranks *ranks;
    const char *folder;
    int resume, dies;
    rd_status status; /* of the run; RD_EWRONG: of the checker */
    uint64_t digest;
    rd_report report;
    char text[RD_ERROR_TEXT];
} member;

static char folder[64];

static int is_of_tasks(const question *asked)
{
    return strcmp(asked->app, "uts") == 0 || strcmp(asked->app, "knapsack") == 0;
}

/* Between launches and while ranks wait. The process goes as it would by kill -9 from outside. */
static int die_in_time(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    const member *self = user;
    rd_checkpoint now;
    (void)what, (void)done, (void)total, (void)unit;
    if (self->dies && rd_checkpoint_read(self->folder, &now, NULL) == RD_OK) {
        rd_free(now.note);
        if (now.number >= self->asked->number)
            (void)kill(getpid(), SIGKILL);
    }
    return 0;
}

static rd_status prepare(member *self, rd_device *device, rd_job **job, rd_graph **graph, rd_error *err)
{
    const question *asked = self->asked;
    const rd_graph_options options = {.size = sizeof options, .threads = 1, .weight_min = 1, .weight_max = 99};
    const rd_checkpoint_options checkpoint = {.size = sizeof checkpoint,
                                              .folder = self->folder,
                                              .every = self->dies ? 0 : 1e6, /* disks take their time */
                                              .resume = self->resume,
                                              .note = "a\nb\n"};
    rd_status status = rd_job_create(device, asked->app, job, err);
    if (status == RD_OK && asked->option)
        status = rd_job_set(*job, asked->option, asked->value, err);
    /* Frozen whole: by device it is of tens of megabytes, for tasks of which these searches have some hundreds. */
    if (status == RD_OK && strcmp(asked->app, "knapsack") == 0)
        status = rd_job_set(*job, "pool", "4K", err);
    if (status == RD_OK)
        status = rd_job_set_ranks(*job, self->ranks, asked->window, err);
    if (status == RD_OK)
        status = rd_job_set_checkpoint(*job, &checkpoint, err);
    if (status == RD_OK && is_of_tasks(asked))
        return rd_job_set_input(*job, asked->spec, err);
    if (status == RD_OK)
        status = rd_graph_open_part(asked->spec, &options, self->ranks, graph, err);
    return status == RD_OK ? rd_job_set_graph(*job, *graph, err) : status;
}

static void *run_rank(void *arg)
{
    member *self = arg;
    const rd_device_options one = {.size = sizeof one, .threads = 1, .no_pin = 1};
    rd_device *device = NULL;
    rd_job *job = NULL;
    rd_graph *graph = NULL;
    rd_result result;
    rd_error err = {.status = RD_OK};
    rd_status status = rd_device_open("cpu", &one, &device, &err);
    if (status == RD_OK)
        status = prepare(self, device, &job, &graph, &err);
    if (status == RD_OK) {
        rd_job_set_progress(job, die_in_time, self);
        status = rd_job_run(job, &self->report, &err);
    }
    if (status == RD_OK)
        status = rd_job_result(job, &result, &err);
    if (status == RD_OK) {
        const uint64_t first = graph ? rd_graph_get_part(graph).first : 0;
        if (result.kind == RD_RESULT_U64)
            self->digest = *result.wide;
        for (uint32_t i = 0; i < self->report.measures; i++) /* knapsack: there may be several that are best */
            if (strcmp(self->report.measure[i].name, "value") == 0)
                self->digest = (uint64_t)self->report.measure[i].value;
        for (uint64_t i = 0; graph && i < result.count; i++)
            self->digest += (first + i + 1) * (uint64_t)result.word[i];
        status = rd_job_check(job, &err);
    }
    self->status = status;
    snprintf(self->text, sizeof self->text, "%s", err.text);
    if (status != RD_OK)
        rd_ranks_stop(self->ranks, status, "has failed");
    rd_job_destroy(job);
    rd_graph_destroy(graph);
    rd_device_close(device);
    return NULL;
}

/* @return the digest of all ranks' results. *failed: what the first rank says that is not told by another. */
static uint64_t run_all(const question *asked, int resume, int dies, rd_status *status, char *text)
{
    rd_ranks *ranks[MOST];
    member crew[MOST];
    pthread_t thread[MOST];
    uint64_t digest = 0;
    assert_int_equal(rd_ranks_open_threads(asked->ranks, ranks, NULL), RD_OK);
    for (uint32_t r = 0; r < asked->ranks; r++) {
        crew[r] = (member){.asked = asked, .ranks = ranks[r], .folder = folder, .resume = resume, .dies = dies};
        assert_int_equal(pthread_create(&thread[r], NULL, run_rank, &crew[r]), 0);
    }
    for (uint32_t r = 0; r < asked->ranks; r++)
        assert_int_equal(pthread_join(thread[r], NULL), 0);
    *status = RD_OK;
    for (uint32_t r = 0; r < asked->ranks; r++) {
        digest += is_of_tasks(asked) ? crew[r].digest / asked->ranks : crew[r].digest;
        if (crew[r].status != RD_OK && (*status == RD_OK || crew[r].status != RD_EDEVICE)) {
            *status = crew[r].status;
            if (text)
                snprintf(text, RD_ERROR_TEXT, "%s", crew[r].text);
        }
        rd_ranks_close(ranks[r]);
    }
    return digest;
}

static void kill_one(const question *asked)
{
    int how;
    const pid_t child = fork();
    if (child == 0) {
        rd_status status;
        (void)run_all(asked, 0, 1, &status, NULL);
        _exit(status == RD_OK ? 0 : 1); /* too late: the test says so */
    }
    assert_int_equal(waitpid(child, &how, 0), child);
    if (!WIFSIGNALED(how) || WTERMSIG(how) != SIGKILL)
        fail_msg("%s %s on %u ranks ended (%d) before checkpoint %llu", asked->app, asked->spec, asked->ranks, how,
                 (unsigned long long)asked->number);
}

static void want_right(const question *asked, uint64_t answer)
{
    char text[RD_ERROR_TEXT] = "";
    rd_status status;
    rd_checkpoint there;
    const uint64_t digest = run_all(asked, 1, 0, &status, text);
    if (status != RD_OK)
        fail_msg("%s %s: %s", asked->app, asked->spec, text);
    assert_int_equal(digest, answer);
    assert_int_equal(rd_checkpoint_read(folder, &there, NULL), RD_EIO); /* nothing is left to go on with */
}

static void killed_runs_go_on(void **state)
{
    static const question list[] = {
        {"uts", SANITIZED ? "geo:fixed:4:7:19" : "geo:fixed:4:8:19", 1, 0, 2, NULL, NULL},
        {"uts", SANITIZED ? "geo:fixed:4:7:19" : "geo:fixed:4:8:19", 3, 0, 2, NULL, NULL},
        {"bfs", "road:40x40", 1, 1, 3, "source", "5"},
        {"bfs", "road:40x40", 3, 4, 7, "source", "5"},
        {"bfs", "road:60x60", 3, 0, 12, "source", "5"}, /* in steps, after levels */
        {"bfs", "cycle:4000", 2, 0, 12, "source", "5"},
        {"sssp", "road:30x30", 2, 9, 5, "source", "5"},
        {"sssp", "road:60x60", 3, 0, 6, "source", "5"},
        {"sssp", "kron:8", 4, 20, 2, NULL, NULL},
        {"knapsack", "inverse:100:1000", 2, 0, 2, "states", "0"},
        {"knapsack", "almost:100:500", 1, 0, 1, "states", "0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        rd_status status;
        const uint64_t answer = run_all(&list[i], 0, 0, &status, NULL);
        assert_int_equal(status, RD_OK);
        kill_one(&list[i]);
        want_right(&list[i], answer);
    }
}

/* ---- What is refused ---- */

static void want_refused(const question *asked, rd_status wanted, const char *words)
{
    char text[RD_ERROR_TEXT] = "";
    rd_status status;
    (void)run_all(asked, 1, 0, &status, text);
    if (status != wanted || !strstr(text, words))
        fail_msg("status %d, not %d; '%s' without '%s'", (int)status, (int)wanted, text, words);
}

static size_t read_all(const char *path, char *text, size_t room)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    const size_t bytes = fread(text, 1, room, file);
    fclose(file);
    return bytes;
}

static void write_all(const char *path, const char *text, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, bytes, file), bytes);
    fclose(file);
}

static void others_are_refused(void **state)
{
    static char text[1 << 20];
    const question asked = {"bfs", "road:40x40", 2, 1, 3, "source", "5"};
    question other = asked;
    rd_checkpoint now;
    char part[128], manifest[128];
    (void)state;
    const rd_status nothing = rd_checkpoint_read(folder, &now, NULL);
    assert_int_equal(nothing, RD_EIO);
    want_refused(&asked, RD_EIO, "there is no checkpoint");
    kill_one(&asked);
    assert_int_equal(rd_checkpoint_read(folder, &now, NULL), RD_OK);
    assert_string_equal(now.app, "bfs");
    assert_string_equal(now.note, "a\nb\n");
    assert_int_equal(now.ranks, 2);
    assert_true(now.number >= 3);
    rd_free(now.note);
    other.ranks = 3;
    want_refused(&other, RD_EINPUT, "is of 2 ranks, and here are 3");
    other = asked;
    other.spec = "road:40x41";
    want_refused(&other, RD_EINPUT, "the input is");
    other = asked;
    other.value = "6";
    want_refused(&other, RD_EINPUT, "the source is");
    other = (question){"uts", "T1", 2, 0, 0, NULL, NULL};
    want_refused(&other, RD_EINPUT, "is of bfs, not of uts");

    snprintf(part, sizeof part, "%s/part-%llu-1", folder, (unsigned long long)now.number);
    size_t bytes = read_all(part, text, sizeof text);
    text[bytes / 2] ^= 1;
    write_all(part, text, bytes);
    want_refused(&asked, RD_EINPUT, "changed or damaged");
    text[bytes / 2] ^= 1;
    write_all(part, text, bytes - 1);
    want_refused(&asked, RD_EINPUT, "cut off");
    assert_int_equal(remove(part), 0);
    want_refused(&asked, RD_EIO, "cannot be opened");
    write_all(part, text, bytes);

    snprintf(manifest, sizeof manifest, "%s/manifest", folder);
    bytes = read_all(manifest, text, sizeof text);
    char *version = strstr(text, "version ");
    assert_non_null(version);
    version[8] ^= 1;
    write_all(manifest, text, bytes);
    want_refused(&asked, RD_EINPUT, "changed or damaged");
    version[8] ^= 1;
    write_all(manifest, "something else\n", 15);
    want_refused(&asked, RD_EINPUT, "is no checkpoint");
    write_all(manifest, text, bytes);

    rd_status status;
    (void)run_all(&asked, 0, 0, &status, NULL); /* does not write over it */
    assert_int_equal(status, RD_EARG);
    (void)run_all(&asked, 1, 0, &status, NULL); /* and after all that it is as good as ever */
    assert_int_equal(status, RD_OK);
}

/* ---- The manifest ---- */

static void manifests_come_back(void **state)
{
    static char text[4096];
    char path[128], note[] = "uts\nT1XXL\n-o\na b\n";
    const rd_checkpoint out = {.app = "uts", .ranks = 7, .number = 12, .seconds = 1.5, .note = note};
    rd_checkpoint in;
    (void)state;
    snprintf(path, sizeof path, "%s/manifest", folder);
    assert_int_equal(rd__manifest_write(path, &out, NULL), RD_OK);
    const size_t bytes = read_all(path, text, sizeof text - 1);
    text[bytes] = 0;
    for (size_t i = 0; i < bytes; i++) { /* any change of a byte is seen */
        static char copy[sizeof text];
        memcpy(copy, text, bytes + 1);
        copy[i] ^= 2;
        if (rd__manifest_parse(copy, bytes, path, &in, NULL) == RD_OK)
            fail_msg("a change at %zu is not seen", i);
        memcpy(copy, text, bytes + 1);
        copy[i] = 0; /* nor is it taken when it is cut short */
        assert_int_not_equal(rd__manifest_parse(copy, i, path, &in, NULL), RD_OK);
    }
    assert_int_equal(rd__manifest_parse(text, bytes, path, &in, NULL), RD_OK);
    assert_string_equal(in.note, note);
    assert_int_equal(in.ranks, 7);
    assert_int_equal(in.number, 12);
    rd_free(in.note);
    assert_int_equal(remove(path), 0);
}

/* A job that has no ranks, an app without checkpoints. */
static void misuse(void **state)
{
    const rd_checkpoint_options options = {.size = sizeof options, .folder = folder};
    rd_job *job;
    (void)state;
    assert_int_equal(rd_app_takes_checkpoints("uts"), 1);
    assert_int_equal(rd_app_takes_checkpoints("color"), 0);
    assert_int_equal(rd_job_create(NULL, "uts", &job, NULL), RD_OK);
    assert_int_equal(rd_job_set_checkpoint(job, &options, NULL), RD_EARG);
    assert_int_equal(rd_job_set_checkpoint(job, NULL, NULL), RD_OK);
    rd_job_destroy(job);
}

static int make_folder(void **state)
{
    const char *where = getenv("TMPDIR");
    (void)state;
    snprintf(folder, sizeof folder, "%.40s/raddle-XXXXXX", where ? where : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* empty: nobody leaves anything behind */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(killed_runs_go_on),
        cmocka_unit_test(others_are_refused),
        cmocka_unit_test(manifests_come_back),
        cmocka_unit_test(misuse),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
