/* SPDX-License-Identifier: Apache-2.0 */
/* test_own.c - own apps through the C API: registering, binding memory, reading arrays, writing ahead of time.
 * test_own_text.c has how their text is read. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include "apps/own/own.h"
#include "core/fork.h"
#include "device/cuda/ahead.h"
#include "raddle.h"
#include "raddle/tool.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Squares of what is bound, by tasks that halve a range. */
static const char squares[] = "#define RD_TASK_WORDS 2\n"
                              "#define RD_TASK_CHILDREN 2\n"
                              "#define RD_TASK_JOIN RD_JOIN_SUM\n"
                              "#include \"model/forkjoin.k.h\"\n"
                              "RD_APP(squares, \"squares of numbers\")\n"
                              "RD_OPTION(rd_u32, n, 10, \"how many\")\n"
                              "RD_SCALAR(rd_u64, twice, 2 * n);\n"
                              "RD_ARRAY(rd_u32, in, n, index)\n"
                              "RD_ARRAY(rd_u64, out, n, 0x0000000100000002)\n"
                              "RD_ARRAY(rd_f64, real, 3, 0.25)\n"
                              "RD_RESULT(out)\n"
                              "rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)\n"
                              "{ t->word[0] = 0; t->word[1] = a->n; }\n"
                              "rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)\n"
                              "{\n"
                              "    const rd_u32 from = t->word[0], to = t->word[1];\n"
                              "    rd_task half;\n"
                              "    if (to - from == 1) {\n"
                              "        if (from < 7) a->out[from] = (rd_u64)a->in[from] * a->in[from];\n"
                              "        rd_return(w, a->twice);\n"
                              "    } else if (to > from) {\n"
                              "        half.word[0] = from; half.word[1] = from + (to - from) / 2;\n"
                              "        rd_spawn(w, &half);\n"
                              "        half.word[0] = half.word[1]; half.word[1] = to;\n"
                              "        rd_spawn(w, &half);\n"
                              "    }\n"
                              "}\n"
                              "rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t)\n"
                              "{ rd_return(w, rd_sum(w)); }\n"
                              "#ifdef RD_CHECK\n"
                              "rd_fn rd_u64 rd_app_check(const rd_app *a, const rd_checked *c)\n"
                              "{\n"
                              "    for (rd_u32 i = 0; i < a->n && i < 7; i++)\n"
                              "        if (a->out[i] != (rd_u64)a->in[i] * a->in[i]) return i;\n"
                              "    return c->sum == a->n * a->twice ? RD_RIGHT : 0;\n"
                              "}\n"
                              "#endif\n";

static rd_device *device;
static rd_error err;

static void opens_a_device(void **state)
{
    const rd_device_options options = {.size = sizeof options, .threads = 2, .no_cache = 1};
    (void)state;
    assert_int_equal(rd_device_open("cpu", &options, &device, &err), RD_OK);
}

static int close_device(void **state)
{
    (void)state;
    rd_device_close(device);
    return 0;
}

static rd_job *new_job(void)
{
    rd_job *job = NULL;
    const rd_app_info *info = NULL;
    assert_int_equal(rd_app_register(squares, "squares.k.c", &info, &err), RD_OK);
    assert_string_equal(info->name, "squares");
    assert_int_equal(rd_job_create(device, "squares", &job, &err), RD_OK);
    return job;
}

static void runs_and_is_checked(void **state)
{
    rd_job *job = new_job();
    rd_result result;
    rd_report report;
    (void)state;
    assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
    assert_int_equal(report.sum, 10 * 20);
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
    assert_string_equal(result.name, "out");
    assert_int_equal(result.kind, RD_RESULT_U64);
    assert_int_equal(result.count, 10);
    assert_int_equal(result.wide[6], 36);
    assert_int_equal(result.wide[7], 0x0000000100000002); /* no task wrote it */
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    assert_int_equal(rd_job_read(job, "real", &result, &err), RD_OK);
    assert_int_equal(result.kind, RD_RESULT_F64);
    assert_true(result.count == 3 && result.wide_real[2] == 0.25);
    assert_int_equal(rd_job_read(job, "no", &result, &err), RD_EARG);
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK); /* again, after another array was looked at */
    assert_int_equal(result.wide[3], 9);
    rd_job_destroy(job);
}

static void takes_memory_of_the_caller(void **state)
{
    rd_job *job = new_job();
    rd_result result;
    uint32_t in[4] = {5, 6, 7, 8};
    uint64_t out[4] = {0};
    (void)state;
    assert_int_equal(rd_job_set(job, "n", "4", &err), RD_OK);
    assert_int_equal(rd_job_bind(job, "in", in, 4, RD_BIND_COPY, &err), RD_OK);
    assert_int_equal(rd_job_bind(job, "out", out, 4, RD_BIND_SHARE, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(out[3], 64);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    in[3] = 9; /* it is copied for each run */
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(out[3], 81);
    assert_int_equal(rd_job_bind(job, "in", in, 4, RD_BIND_DEVICE, &err), RD_OK);
    assert_int_equal(rd_job_bind(job, "out", NULL, 0, RD_BIND_COPY, &err), RD_OK);
    out[3] = 0;
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(out[3], 0);
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
    assert_int_equal(result.wide[3], 81);
    assert_int_equal(rd_job_set(job, "n", "5", &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_EARG);
    assert_non_null(strstr(err.text, "array in has 5 values"));
    assert_int_equal(rd_job_bind(job, "n", in, 4, RD_BIND_COPY, &err), RD_EARG);
    assert_int_equal(rd_job_bind(job, "out", (char *)out + 1, 5, RD_BIND_SHARE, &err), RD_EARG);
    rd_job_destroy(job);
}

static void registers_once(void **state)
{
    const rd_app_info *first = NULL, *again = NULL;
    char other[sizeof squares];
    (void)state;
    assert_int_equal(rd_app_register(squares, "squares.k.c", &first, &err), RD_OK);
    assert_int_equal(rd_app_register(squares, "elsewhere.k.c", &again, &err), RD_OK);
    assert_ptr_equal(first, again);
    memcpy(other, squares, sizeof other);
    *strstr(other, "10") = '2';
    assert_int_equal(rd_app_register(other, "other.k.c", &again, &err), RD_EARG);
    assert_non_null(strstr(err.text, "another text"));
    assert_null(again);
    assert_int_equal(rd_app_register(NULL, "x", NULL, &err), RD_EARG);
    assert_int_equal(rd_app_register_file("/no/such.k.c", NULL, &err), RD_EIO);
}

/* Task 0 of n does what the option says: returns, never returns, leaves the bounds of an array, uses up its stack, or
 * does what the processor refuses. */
static const char faulty[] = "#define RD_TASK_WORDS 1\n"
                             "#define RD_TASK_CHILDREN 1\n"
                             "#define RD_TASK_JOIN RD_JOIN_SUM\n"
                             "#include \"model/forkjoin.k.h\"\n"
                             "RD_APP(faulty, \"goes wrong on purpose\")\n"
                             "RD_OPTION(rd_u32, how, 0, \"how\")\n"
                             "RD_ARRAY(rd_u32, cell, 10, 0)\n"
                             "RD_SEEDS(8)\n"
                             "rd_fn void rd_app_seed(const rd_app *a, rd_u32 i, rd_task *t)\n"
                             "{ t->word[0] = i; }\n"
                             "rd_fn rd_u32 deep(const rd_app *a, rd_u32 x)\n"
                             "{ volatile rd_u32 y = a->how == 3 ? deep(a, x + 1) : x; return y + 1; }\n"
                             "rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_task *t)\n"
                             "{\n"
                             "    while (a->how == 1 && t->word[0] == 0 && !rd_ld_rlx(&a->cell[0])) { }\n"
                             "    if (a->how == 2 && t->word[0] == 0) a->cell[rd_ld_rlx(&a->cell[0]) + 10] = 1;\n"
                             "    if (a->how == 3 && t->word[0] == 0) a->cell[1] = deep(a, 0);\n"
                             "    if (a->how == 4 && t->word[0] == 0) __builtin_trap();\n"
                             "    rd_return(w, 1);\n"
                             "}\n"
                             "rd_fn void rd_app_join(const rd_app *a, rd_worker *w, rd_task *t) { }\n";

/* ThreadSanitizer keeps signals back from a loop that calls nothing. */
#ifdef __SANITIZE_THREAD__
enum { ENDS_LOOPS = 0 };
#else
enum { ENDS_LOOPS = 1 };
#endif

static void is_written_ahead_of_time(void **state)
{
    char folder[] = "/tmp/raddle-own-XXXXXX", path[64], line[200] = "";
    size_t files = 7;
    (void)state;
    assert_int_equal(rd_app_write("no_such_app", "/tmp", &files, &err), RD_EARG);
    assert_int_equal(files, 0);
    assert_int_equal(rd_app_write("squares", NULL, &files, &err), RD_EARG);
    assert_int_equal(rd_app_write("squares", "/no/such/folder", &files, &err), RD_EIO);
    assert_non_null(mkdtemp(folder));
    assert_int_equal(rd_app_write("squares", folder, &files, &err), RD_OK);
    assert_int_equal(files, 4); /* two engines, the check, and what registers them */
    static const char *const names[] = {"squares_steal", "squares_fifo", "squares_check", "squares"};
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s.c", folder, names[i]);
        FILE *file = fopen(path, "r");
        assert_non_null(file);
        assert_non_null(fgets(line, sizeof line, file));
        assert_non_null(strstr(line, "raddle compile"));
        fclose(file);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(remove(folder), 0);
}

static const void *never_called(const void *hooks)
{
    (void)hooks;
    fail_msg("kernels with another key were asked for");
    return NULL;
}

/* Machine code that the caller brings is found by what it was made of, for its architecture; PTX for newer ones too. No
 * GPU is needed, but NVRTC. */
static void finds_machine_code_of_the_caller(void **state)
{
    rd_device *gpu = NULL, *again = NULL;
    rd_job *job = NULL;
    uint32_t count = 0;
    (void)state;
    if (rd_device_open("cuda:compute_80", NULL, &gpu, &err) == RD_EDEVICE)
        skip(); /* no NVRTC */
    const rd__own_app *own = (const rd__own_app *)(const void *)rd__own_find("squares");
    assert_non_null(own);
    assert_int_equal(rd_job_create(gpu, "squares", &job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "sched", "steal", &err), RD_OK);
    assert_int_equal(rd_job_compile(job, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_EDEVICE);
    rd_job_destroy(job);
    const rd__image *image = rd__device_images(gpu, &count);
    assert_int_equal(count, 1);
    assert_string_equal(image->program, "squares_steal");
    assert_string_equal(image->target, "compute_80");

    const rd_app_program table[] = {
        {.name = "squares_steal", .image = image->data, .bytes = image->bytes, .key = {image->key[0], image->key[1]}}};
    rd__own_source source = own->source;
    source.programs = table;
    source.program_count = 1;
    rd__program_spec spec = {.name = "squares_steal",
                             .root = source.name,
                             .own = &source,
                             .constants = "",
                             .engine = "sched/steal/forkjoin.k.h",
                             .lanes = 0};
    size_t bytes = 0;
    const void *found = NULL;
    for (spec.lanes = 1; spec.lanes <= 1024 && !found; spec.lanes *= 2)
        found = rd__cuda_ahead_find(&spec, 90, &bytes);
    assert_ptr_equal(found, image->data); /* PTX of an older one */
    assert_int_equal(bytes, image->bytes);
    spec.lanes /= 2;
    assert_null(rd__cuda_ahead_find(&spec, 75, &bytes)); /* too old for it */
    spec.defines = "-DOTHER=1";
    assert_null(rd__cuda_ahead_find(&spec, 90, &bytes)); /* made of something else */
    spec.defines = NULL;
    assert_int_equal(rd_device_open("cuda:compute_80", NULL, &again, &err), RD_OK);
    rd__program *program = NULL;
    assert_int_equal(rd__program_load(again, &spec, &program, &err), RD_OK);
    const rd__image *same = rd__device_images(again, &count);
    assert_int_equal(count, 1);
    assert_ptr_equal(same->data, image->data); /* not compiled again */
    rd__program_unload(again, program);
    rd_device_close(again);
    rd_device_close(gpu);
}

static void uses_no_kernels_of_another_version(void **state)
{
    static const rd_app_program other[] = {{"doubled_steal", {1, 2}, never_called, NULL, 0}};
    char text[sizeof squares + 8];
    const char *name = strstr(squares, "squares,");
    rd_job *job = NULL;
    (void)state;
    snprintf(text, sizeof text, "%.*sdoubled%s", (int)(name - squares), squares, name + 7);
    assert_int_equal(rd_app_register_compiled(text, "doubled.k.c", other, 1, NULL, &err), RD_OK);
    assert_int_equal(rd_job_create(device, "doubled", &job, &err), RD_OK);
    assert_int_equal(rd_job_run(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_check(job, &err), RD_OK);
    rd_job_destroy(job);
}

/* The device and the job can be used afterwards. */
static void ends_what_does_not_end(void **state)
{
    const rd_device_options options = {.size = sizeof options, .threads = 2, .no_cache = 1, .debug = 1};
    rd_device *own = NULL;
    rd_job *job = NULL;
    rd_report report;
    (void)state;
    assert_int_equal(rd_app_register(faulty, "faulty.k.c", NULL, &err), RD_OK);
    assert_int_equal(rd_device_open("cpu", &options, &own, &err), RD_OK);
    assert_int_equal(rd_job_create(own, "faulty", &job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "timeout", "0.5", &err), RD_OK);
    for (int i = 0; i < 2; i++) {
        if (ENDS_LOOPS) {
            assert_int_equal(rd_job_set(job, "how", "1", &err), RD_OK);
            assert_int_equal(rd_job_run(job, NULL, &err), RD_ETIMEOUT);
            assert_non_null(strstr(err.text, "a task did not return"));
        }
        assert_int_equal(rd_job_set(job, "how", "2", &err), RD_OK);
        assert_int_equal(rd_job_run(job, NULL, &err), RD_EDEVICE);
        assert_non_null(strstr(err.text, "byte 40 of array 'cell', which has 40 bytes"));
        assert_int_equal(rd_job_set(job, "how", "3", &err), RD_OK);
        assert_int_equal(rd_job_run(job, NULL, &err), RD_EDEVICE);
        assert_non_null(strstr(err.text, "used up its stack"));
        assert_int_equal(rd_job_set(job, "how", "4", &err), RD_OK);
        assert_int_equal(rd_job_run(job, NULL, &err), RD_EDEVICE);
        assert_non_null(strstr(err.text, "what the processor refuses"));
        assert_int_equal(rd_job_set(job, "how", "0", &err), RD_OK);
        assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
        assert_int_equal(report.sum, 8);
    }
    rd_job_destroy(job);
    rd_device_close(own);
}

/* A task graph that grows: fib(n) makes tasks for n - 1 and n - 2, and a third one that waits for both. */
static const char growing[] =
    "#define RD_TASK_RELEASES 2\n"
    "#include \"model/dag.k.h\"\n"
    "RD_APP(growing, \"a task graph\")\n"
    "RD_OPTION(rd_u32, n, 18, 0, 20, \"which one\")\n"
    "RD_ARRAY(rd_u32, number, 40000, n)\n"
    "RD_ARRAY(rd_u32, to, 40000, 0)\n"
    "RD_ARRAY(rd_u32, value, 40000, 0)\n"
    "RD_ARRAY(rd_u32, answer, 1, 0)\n"
    "RD_RESULT(answer)\n"
    "RD_TASKS(1, 40000)\n"
    "rd_fn rd_u32 rd_app_waits(const rd_app *a, rd_u32 t) { return 0; }\n"
    "rd_fn void rd_app_task(const rd_app *a, rd_worker *w, rd_u32 t)\n"
    "{\n"
    "    const rd_u32 n = a->number[t];\n"
    "    if (rd_lane()) return;\n"
    "    if (n == RD_NONE || n < 2) {\n"
    "        const rd_u32 x = n == RD_NONE ? rd_ld_rlx(&a->value[t]) : n;\n"
    "        if (a->to[t] == 0) { a->answer[0] = x; return; }\n"
    "        rd_add_rlx(&a->value[a->to[t]], x);\n"
    "        rd_release(w, a->to[t]);\n"
    "        return;\n"
    "    }\n"
    "    const rd_u32 sum = rd_new_task(w, 2), one = rd_new_task(w, 0), two = rd_new_task(w, 0);\n"
    "    if (two == RD_NONE || one == RD_NONE || sum == RD_NONE) return;\n"
    "    a->number[sum] = RD_NONE, a->number[one] = n - 1, a->number[two] = n - 2;\n"
    "    a->to[sum] = a->to[t], a->to[one] = a->to[two] = sum;\n"
    "}\n";

static double measured(const rd_report *report, const char *name)
{
    double value = 0;
    for (uint32_t i = 0; i < report->measures; i++)
        value = strcmp(report->measure[i].name, name) == 0 ? report->measure[i].value : value;
    return value;
}

/* A run beside urgent ones, on two workers; then its answer. @return how often it made way, and lent a worker. */
static double run_beside(rd_job *job, rd_job *urgent)
{
    rd_report report;
    rd_result result;
    rd_job_now now = {.state = RD_JOB_WAITING};
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    for (uint32_t i = 0; i < 20 && now.state != RD_JOB_DONE; i++) {
        const rd_start first = {.size = sizeof first, .priority = 1, .workers = i % 2};
        assert_int_equal(rd_job_start(urgent, &first, &err), RD_OK);
        assert_int_equal(rd_job_wait(urgent, NULL, &err), RD_OK);
        assert_int_equal(rd_job_poll(job, 0, &now, &err), RD_OK);
    }
    assert_int_equal(rd_job_wait(job, &report, &err), RD_OK);
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
    assert_int_equal(result.word[0], 2584);
    return measured(&report, "passed") * measured(&report, "lent");
}

/* On a busy machine a run may be over before anybody asks: then once more. */
/* A driver whose kernel never leaves, as far as it says. */
static int fake_idle, fake_closed;

static rd_status fake_idle_by(rd_device *fake, double until, int *idle, rd_error *error)
{
    (void)fake, (void)until, (void)error;
    *idle = fake_idle;
    return RD_OK;
}

static rd_status fake_ask_stop(rd_device *fake, rd_error *error)
{
    (void)fake, (void)error;
    return RD_OK;
}

static void fake_close(rd_device *fake)
{
    (void)fake;
    fake_closed++;
}

static void a_kernel_that_stays_is_left_behind(void **state)
{
    const rd__backend backend = {
        .name = "fake", .idle_by = fake_idle_by, .ask_stop = fake_ask_stop, .close = fake_close};
    rd_device fake = {.backend = &backend,
                      .info = {.name = "fake:0"},
                      .grace_seconds = 0.001,
                      .generation = rd__fork_generation(),
                      .holders = 1};
    const rd__limit now = {.deadline = rd_now()};
    rd_error error = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__device_wait(&fake, &now, &error), RD_ETIMEOUT);
    assert_non_null(strstr(error.text, "did not leave"));
    assert_int_equal(rd__device_owns(&fake), 0); /* to give something back would be to wait for it */
    assert_int_equal(rd__device_enter(&fake, &error), RD_EDEVICE);
    assert_non_null(strstr(error.text, "still busy"));
    fake_idle = 1; /* it did leave, later */
    assert_int_equal(rd__device_enter(&fake, &error), RD_OK);
    assert_int_equal(rd__device_owns(&fake), 1);
    rd__device_leave(&fake, RD_OK);
    fake_idle = 0;
    assert_int_equal(rd__device_wait(&fake, &now, &error), RD_ETIMEOUT);
    fake_idle = 1; /* so does a wait find out */
    assert_int_equal(rd__device_wait(&fake, &now, &error), RD_OK);
    assert_int_equal(rd__device_owns(&fake), 1);
    fake_idle = 0;
    assert_int_equal(rd__device_wait(&fake, &now, &error), RD_ETIMEOUT);
    rd_device_close(&fake);
    assert_int_equal(fake_closed, 0);
}

static void a_task_graph_makes_way(void **state)
{
    static const char *const sched[] = {"steal", "fifo"}, *const launch[] = {"persistent", "discrete"};
    rd_job *job = NULL, *urgent = NULL;
    (void)state;
    assert_int_equal(rd_app_register(growing, "growing.k.c", NULL, &err), RD_OK);
    assert_int_equal(rd_job_create(device, "growing", &job, &err), RD_OK);
    assert_int_equal(rd_job_create(device, "fib", &urgent, &err), RD_OK);
    assert_int_equal(rd_job_set_input(urgent, "8", &err), RD_OK);
    for (int i = 0; i < 4; i++) {
        double both = 0;
        assert_int_equal(rd_job_set(job, "sched", sched[i / 2], &err), RD_OK);
        assert_int_equal(rd_job_set(job, "launch", launch[i % 2], &err), RD_OK);
        for (int tries = 0; tries < 1000 && both == 0; tries++)
            both = run_beside(job, urgent);
        assert_true(both > 0);
    }
    rd_job_destroy(urgent);
    rd_job_destroy(job);
}

/* For kinds of devices that are not here, where their compiler is. */
static void compiles_for_devices_that_are_not_here(void **state)
{
    size_t programs = 0;
    (void)state;
    assert_int_equal(rd_app_register(squares, "squares.k.c", NULL, &err), RD_OK);
    const rd_status status = rd_app_compile("squares", "cuda", &programs, &err);
    assert_true(status == RD_EDEVICE || (status == RD_OK && programs == 2));
    assert_int_equal(rd_app_compile("squares", "cpu", &programs, &err), RD_EDEVICE);
    assert_int_equal(rd_app_compile("no", "cuda", &programs, &err), RD_EARG);
    assert_int_equal(rd_app_compile("squares", NULL, &programs, &err), RD_EARG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_for_devices_that_are_not_here),
        cmocka_unit_test(a_kernel_that_stays_is_left_behind),
        cmocka_unit_test(opens_a_device),
        cmocka_unit_test(runs_and_is_checked),
        cmocka_unit_test(a_task_graph_makes_way),
        cmocka_unit_test(registers_once),
        cmocka_unit_test(takes_memory_of_the_caller),
        cmocka_unit_test(is_written_ahead_of_time),
        cmocka_unit_test(finds_machine_code_of_the_caller),
        cmocka_unit_test(uses_no_kernels_of_another_version),
        cmocka_unit_test(ends_what_does_not_end),
    };
    return cmocka_run_group_tests(tests, NULL, close_device);
}
