/* SPDX-License-Identifier: Apache-2.0 */
/* test_pause_own.c - apps of one's own, planes and task graphs, paused to a file and gone on with in other processes:
 * each turn has a process of its own, which opens the device and registers the app anew. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "raddle.h"

/* Every item adds 1 to its own word, in two tasks, and takes its time for it. */
static const char plane[] =
    "#define RD_APP_PACK 1\n"
    "#define RD_APP_GIVES 1\n"
    "#include \"model/plane.k.h\"\n"
    "RD_APP(twice, \"adds 1 to each number of a rectangle, twice\")\n"
    "RD_OPTION(rd_u32, side, 300, 1, 1000, \"columns and rows\")\n"
    "RD_OPTION(rd_u32, work, 400, 1, 100000, \"steps of a task\")\n"
    "RD_ARRAY(rd_u32, number, side * side, 0)\n"
    "RD_RESULT(number)\n"
    "RD_PLANE(side, side, 2)\n"
    "rd_fn rd_task rd_app_item(const rd_app *a, rd_u32 x, rd_u32 y)\n"
    "{ rd_task t; t.a.x = rd_as_f32(y * a->side + x); t.a.y = rd_as_f32(1); t.a.z = t.a.w = 0.0f; t.b = t.a; return t; "
    "}\n"
    "rd_fn void rd_app_tasks(const rd_app *a, rd_given *out, const rd_task *task, const rd_u32 *has, rd_u32 shared)\n"
    "{\n"
    "    out->given[0] = 0;\n"
    "    if (!has[0]) return;\n"
    "    rd_u32 hash = rd_as_u32(task[0].a.x);\n"
    "    for (rd_u32 i = 0; i < a->work; i++) hash = hash * 1664525u + 1013904223u;\n"
    "    a->number[rd_as_u32(task[0].a.x)] += hash == 77u ? 3u - 2u : 1u;\n"
    "    out->given[0] = rd_as_u32(task[0].a.y);\n"
    "    out->task[0] = task[0];\n"
    "    out->task[0].a.y = rd_as_f32(0);\n"
    "}\n";

/* A wavefront: a task adds up what the ones above and to the left have, modulo 2^32. */
static const char graph[] = "#define RD_TASK_RELEASES 2\n"
                            "#include \"model/dag.k.h\"\n"
                            "RD_APP(front, \"ways through a square, from corner to corner\")\n"
                            "RD_OPTION(rd_u32, side, 300, 1, 1000, \"columns and rows\")\n"
                            "RD_OPTION(rd_u32, work, 400, 1, 100000, \"steps of a task\")\n"
                            "RD_ARRAY(rd_u32, number, side * side, 0)\n"
                            "RD_RESULT(number)\n"
                            "RD_TASKS(side * side)\n"
                            "rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t)\n"
                            "{ return (rd_u32)(t >= a->side) + (rd_u32)(t % a->side > 0); }\n"
                            "rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)\n"
                            "{\n"
                            "    if (rd_lane()) return;\n"
                            "    rd_u32 hash = t;\n"
                            "    for (rd_u32 i = 0; i < a->work; i++) hash = hash * 1664525u + 1013904223u;\n"
                            "    const rd_u32 none = hash == 77u ? 3u - 3u : 0u;\n"
                            "    const rd_u32 above = t >= a->side ? a->number[t - a->side] : none;\n"
                            "    const rd_u32 left = t % a->side ? a->number[t - 1] : none;\n"
                            "    a->number[t] = t ? above + left : 1u;\n"
                            "    if (t + a->side < a->side * a->side) rd_release(w, t + a->side);\n"
                            "    if (t % a->side + 1 < a->side) rd_release(w, t + 1);\n"
                            "}\n";

enum { SIDE = 300, TURNS = 40, WANTED = 2 };
enum { PAUSED = 10, DONE = 11 }; /* how a process ends */

static const char *device_name = "cpu:2";
static char file[64]; /* of this process: the same test may run in several builds at once */

#define NEED(call)                                                                                                     \
    do {                                                                                                               \
        if ((call) != RD_OK) {                                                                                         \
            fprintf(stderr, "%s: %s\n", #call, err.text);                                                              \
            _exit(1);                                                                                                  \
        }                                                                                                              \
    } while (0)

/* What the last of them finds. @return 1 when all is right. */
static int is_right(rd_job *job, int is_plane)
{
    rd_error err = {.status = RD_OK};
    rd_result result;
    uint32_t *row = calloc(SIDE, sizeof *row);
    int right = 1;
    NEED(rd_job_result(job, &result, &err));
    for (uint32_t y = 0; row && y < SIDE; y++)
        for (uint32_t x = 0; x < SIDE; x++) {
            row[x] = is_plane ? 2 : x + y == 0 ? 1 : row[x] + (x ? row[x - 1] : 0);
            right &= result.word[y * SIDE + x] == row[x];
        }
    right &= row != NULL;
    free(row);
    return right;
}

/* A process: goes on from the file, if there is one, and pauses before the end, if it may and is asked in time. */
static void take_turn(int is_plane, const char *sched, const char *work, int resumes, int pauses)
{
    rd_error err = {.status = RD_OK};
    rd_device *device = NULL;
    rd_job *job = NULL;
    rd_job_now now = {.state = RD_JOB_WAITING};
    NEED(rd_app_register(is_plane ? plane : graph, "own.k.c", NULL, &err));
    NEED(rd_device_open(device_name, NULL, &device, &err));
    NEED(rd_job_create(device, is_plane ? "twice" : "front", &job, &err));
    NEED(rd_job_set(job, "sched", sched, &err));
    NEED(rd_job_set(job, "work", work, &err));
    NEED(resumes ? rd_job_resume(job, file, NULL, &err) : rd_job_start(job, NULL, &err));
    while (now.state == RD_JOB_WAITING) /* for the device */
        NEED(rd_job_poll(job, 0.001, &now, &err));
    const int paused = pauses && rd_job_pause(job, file, &err) == RD_OK;
    const rd_status ended = rd_job_wait(job, NULL, &err);
    if (ended != (paused ? RD_ECANCELLED : RD_OK) || (!paused && !is_right(job, is_plane))) {
        fprintf(stderr, "ended with %s: %s\n", rd_status_name(ended), err.text);
        _exit(1);
    }
    rd_job_destroy(job);
    rd_device_close(device);
    _exit(paused ? PAUSED : DONE);
}

/* @return how the process of a turn ended. */
static int in_a_process(int is_plane, const char *sched, const char *work, int resumes, int pauses)
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        take_turn(is_plane, sched, work, resumes, pauses);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_true(WEXITSTATUS(status) == PAUSED || WEXITSTATUS(status) == DONE);
    return WEXITSTATUS(status);
}

/* Runs until it has been paused some times and come to its end. One that was done before it was asked begins anew,
 * with more to do. */
static void goes_on_elsewhere(int is_plane, const char *sched)
{
    uint32_t paused = 0, work = 100;
    int end = DONE, resumes = 0;
    for (int turn = 0; turn < TURNS && (paused < WANTED || end != DONE); turn++) {
        char text[24];
        snprintf(text, sizeof text, "%u", work);
        end = in_a_process(is_plane, sched, text, resumes, paused < WANTED);
        resumes = end == PAUSED;
        paused = end == PAUSED ? paused + 1 : paused < WANTED ? 0 : paused;
        work = end == DONE && work < 50000 ? 2 * work : work;
    }
    remove(file);
    assert_int_equal(end, DONE);
    assert_int_equal(paused, WANTED);
}

static void planes(void **state)
{
    (void)state;
    goes_on_elsewhere(1, "tiles");
}

static void task_graphs(void **state)
{
    (void)state;
    goes_on_elsewhere(0, "steal");
    goes_on_elsewhere(0, "fifo");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(planes), cmocka_unit_test(task_graphs)};
    device_name = argc > 1 ? argv[1] : device_name; /* by hand: another one */
    snprintf(file, sizeof file, "/tmp/raddle-pause-own-%ld.frozen", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
