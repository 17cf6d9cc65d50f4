/* SPDX-License-Identifier: Apache-2.0 */
/* test_start.c - jobs that are started: polling, waiting, cancelling, the order of turns, and what is refused. The
 * self-test (turns/) has every engine make way. Run under ThreadSanitizer by tests/sanitized.sh. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "job/job.h"
#include "raddle.h"
#include "sanitized.h"

static rd_job *new_fib(rd_device *device, const char *n)
{
    rd_error err;
    rd_job *job = NULL;
    assert_int_equal(rd_job_create(device, "fib", &job, &err), RD_OK);
    assert_int_equal(rd_job_set_input(job, n, &err), RD_OK);
    return job;
}

static rd_device *new_device(const char *name)
{
    rd_error err;
    rd_device *device = NULL;
    assert_int_equal(rd_device_open(name, NULL, &device, &err), RD_OK);
    return device;
}

static uint64_t sum_of(rd_job *job)
{
    rd_error err;
    rd_result result;
    assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
    return result.wide[0];
}

static void starts_polls_and_waits(void **state)
{
    rd_error err;
    rd_report report;
    rd_job_now now;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "20");
    assert_int_equal(rd_job_poll(job, 0, &now, &err), RD_OK);
    assert_int_equal(now.state, RD_JOB_IDLE);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
        assert_int_equal(rd_job_poll(job, 1e10, &now, &err), RD_OK);
        assert_int_equal(now.state, RD_JOB_DONE);
        assert_int_equal(rd_job_wait(job, &report, &err), RD_OK);
        assert_string_equal(report.launch, "persistent");
        assert_int_equal(sum_of(job), 6765);
    }
    /* afterwards it may be run as any other, and nobody has to wait for a run that is done */
    assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_poll(job, 1e10, &now, &err), RD_OK);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    rd_job_destroy(job);
    rd_device_close(device);
}

static void wait_until_it_runs(rd_job *job)
{
    rd_error err;
    rd_job_now now;
    do
        assert_int_equal(rd_job_poll(job, 0.001, &now, &err), RD_OK);
    while (now.state == RD_JOB_WAITING);
    assert_int_equal(now.state, RD_JOB_RUNNING);
    assert_true(now.workers > 0);
}

static void the_highest_priority_goes_first(void **state)
{
    rd_error err;
    rd_job_now now;
    rd_report report;
    (void)state;
    rd_device *device = new_device("cpu:1");
    rd_job *endless = new_fib(device, "48"), *low = new_fib(device, "10"), *high = new_fib(device, "20");
    assert_int_equal(rd_job_start(endless, NULL, &err), RD_OK);
    wait_until_it_runs(endless);
    assert_int_equal(rd_job_start(low, &(rd_start){.size = sizeof(rd_start), .priority = -1}, &err), RD_OK);
    for (int i = 0; i < 20; i++) {
        assert_int_equal(rd_job_start(high, &(rd_start){.size = sizeof(rd_start), .priority = 7}, &err), RD_OK);
        assert_int_equal(rd_job_wait(high, &report, &err), RD_OK);
        assert_int_equal(sum_of(high), 6765);
        assert_int_equal(rd_job_poll(low, 0, &now, &err), RD_OK);
        assert_int_equal(now.state, RD_JOB_WAITING);
    }
    /* an equal gets its share */
    assert_int_equal(rd_job_start(high, NULL, &err), RD_OK);
    assert_int_equal(rd_job_wait(high, &report, &err), RD_OK);
    assert_int_equal(rd_job_poll(endless, 0, &now, &err), RD_OK);
    assert_true(now.state == RD_JOB_RUNNING || now.state == RD_JOB_WAITING);
    assert_int_equal(rd_job_cancel(endless, &err), RD_OK);
    assert_int_equal(rd_job_wait(low, NULL, &err), RD_OK);
    assert_int_equal(sum_of(low), 55);
    assert_int_equal(rd_job_wait(endless, NULL, &err), RD_ECANCELLED);
    rd_job_destroy(endless);
    rd_job_destroy(low);
    rd_job_destroy(high);
    rd_device_close(device);
}

static void cancels(void **state)
{
    rd_error err;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "48"), *waiting = new_fib(device, "48");
    rd_job *last = new_fib(device, "15");
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    wait_until_it_runs(job); /* on a busy machine its thread may begin after the other's */
    assert_int_equal(rd_job_start(waiting, &(rd_start){.size = sizeof(rd_start), .priority = -1}, &err), RD_OK);
    assert_int_equal(rd_job_cancel(waiting, &err), RD_OK);
    assert_int_equal(rd_job_wait(waiting, NULL, &err), RD_ECANCELLED);
    assert_non_null(strstr(err.text, "waited for the device"));
    assert_int_equal(rd_job_cancel(job, &err), RD_OK);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_ECANCELLED);
    assert_non_null(strstr(err.text, "stopped on request"));
    /* neither harms the next */
    assert_int_equal(rd_job_start(last, NULL, &err), RD_OK);
    assert_int_equal(rd_job_wait(last, NULL, &err), RD_OK);
    assert_int_equal(sum_of(last), 610);
    /* destroying one that runs ends it */
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    rd_job_destroy(job);
    rd_job_destroy(waiting);
    rd_device_close(device);
    rd_job_destroy(last);
}

/* A job beside others is made, changed and destroyed while they run. */
static void others_may_come_and_go(void **state)
{
    rd_error err;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "46");
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    for (int i = 0; i < 5; i++) {
        rd_job *other = new_fib(device, "12");
        assert_int_equal(rd_job_start(other, &(rd_start){.size = sizeof(rd_start), .priority = 1}, &err), RD_OK);
        assert_int_equal(rd_job_wait(other, NULL, &err), RD_OK);
        assert_int_equal(sum_of(other), 144);
        assert_int_equal(rd_job_set(other, "sched", "fifo", &err), RD_OK);
        rd_job_destroy(other);
    }
    assert_int_equal(rd_job_cancel(job, &err), RD_OK);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_ECANCELLED);
    rd_job_destroy(job);
    rd_device_close(device);
}

static double measure_of(const rd_report *report, const char *name)
{
    for (uint32_t i = 0; i < report->measures; i++)
        if (strcmp(report->measure[i].name, name) == 0)
            return report->measure[i].value;
    return -1;
}

static void who_is_beside_says_where_the_time_went(void **state)
{
    static const char *const part[] = {"gather_noticed_s", "gather_told_s", "gather_left_s", "gather_seen_s",
                                       "gather_taken_s"};
    rd_error err;
    rd_report report = {0};
    double sum = 0;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "46"), *other = new_fib(device, "12");
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    do { /* the long job may not have begun, and then cannot lend; it takes minutes */
        const rd_start some = {.size = sizeof some, .priority = 1, .workers = 1};
        assert_int_equal(rd_job_start(other, &some, &err), RD_OK);
        assert_int_equal(rd_job_wait(other, &report, &err), RD_OK);
        assert_int_equal(sum_of(other), 144);
    } while (measure_of(&report, "beside") == 0);
    for (size_t i = 0; i < sizeof part / sizeof part[0]; i++) {
        assert_true(measure_of(&report, part[i]) > -1e-6);
        sum += measure_of(&report, part[i]);
    }
    assert_true(sum > measure_of(&report, "waited_s") - 1e-6 && sum < measure_of(&report, "waited_s") + 1e-6);
    assert_true(measure_of(&report, "gather_began_s") >= 0);
    assert_int_equal(rd_job_cancel(job, &err), RD_OK);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_ECANCELLED);
    rd_job_destroy(other);
    rd_job_destroy(job);
    rd_device_close(device);
}

static int destroy_other(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    rd_job **other = user;
    (void)what;
    (void)done;
    (void)total;
    (void)unit;
    rd_job_destroy(*other);
    *other = NULL;
    return 0;
}

static void a_callback_may_use_other_jobs(void **state)
{
    rd_error err;
    (void)state;
    rd_device *device = new_device("cpu:2");
    for (int started = 0; started < 2; started++) {
        rd_job *job = new_fib(device, "20"), *other = new_fib(device, "10");
        assert_int_equal(rd_job_start(other, NULL, &err), RD_OK);
        assert_int_equal(rd_job_wait(other, NULL, &err), RD_OK);
        rd_job_set_progress(job, destroy_other, &other);
        assert_int_equal(started ? rd_job_start(job, NULL, &err) : rd_job_run(job, NULL, &err), RD_OK);
        if (started)
            assert_int_equal(rd_job_wait(job, NULL, &err), RD_OK);
        assert_null(other);
        assert_int_equal(sum_of(job), 6765);
        rd_job_destroy(job);
    }
    rd_device_close(device);
}

static int misuse(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    rd_error err;
    rd_job *job = *(rd_job **)user;
    (void)what;
    (void)done;
    (void)total;
    (void)unit;
    rd_job_destroy(job);
    return rd_job_wait(job, NULL, &err) == RD_EARG && rd_job_set(job, "sched", "steal", &err) == RD_EARG ? 0 : 1;
}

static void refuses(void **state)
{
    rd_error err;
    rd_job_now now;
    (void)state;
    rd_device *device = new_device("cpu:2");
    rd_job *job = new_fib(device, "48"), *planned = NULL;
    assert_int_equal(rd_job_create(NULL, "fib", &planned, &err), RD_OK);
    assert_int_equal(rd_job_start(planned, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_start(NULL, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_wait(NULL, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_cancel(job, &err), RD_EARG);
    assert_int_equal(rd_job_poll(job, 0, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_poll(NULL, 0, &now, &err), RD_EARG);
    assert_int_equal(rd_job_start(job, &(rd_start){.size = 3}, &err), RD_EARG);
    assert_int_equal(rd_job_start(job, &(rd_start){.size = sizeof(rd_start), .deadline = -1}, &err), RD_EARG);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_set(job, "sched", "steal", &err), RD_EARG);
    assert_int_equal(rd_job_cancel(job, &err), RD_OK);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_ECANCELLED);
    assert_int_equal(rd_job_set_input(job, "20", &err), RD_OK);
    rd_job_set_progress(job, misuse, &job);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_OK);
    assert_int_equal(rd_job_wait(job, NULL, &err), RD_OK);
    rd_device_close(device);
    assert_int_equal(rd_job_start(job, NULL, &err), RD_EDEVICE);
    rd_job_destroy(job);
    rd_job_destroy(planned);
}

/* ---- Pausing to a file ---- */

/* Of this process: the same test may run in several builds at once. */
static char file[64], other_file[64];
static const char *own_device = "cpu:2";

/* A job on a device of its own, as another process would have it. */
typedef struct own {
    rd_device *device;
    rd_graph *graph;
    rd_job *job;
} own;

static own open_own(const char *app, const char *input, const char *sched)
{
    rd_error err;
    own o = {.device = new_device(own_device)};
    assert_int_equal(rd_job_create(o.device, app, &o.job, &err), RD_OK);
    assert_int_equal(rd_job_set(o.job, "sched", sched, &err), RD_OK);
    assert_int_equal(rd_job_set(o.job, "launch", "persistent", &err), RD_OK);
    if (strcmp(app, "fib") == 0) {
        assert_int_equal(rd_job_set_input(o.job, input, &err), RD_OK);
        return o;
    }
    const rd_graph_options options = {.size = sizeof options, .symmetrize = 1, .weight_min = 1, .weight_max = 255};
    assert_int_equal(rd_graph_open(input, &options, &o.graph, &err), RD_OK);
    assert_int_equal(rd_job_set_graph(o.job, o.graph, &err), RD_OK);
    return o;
}

static void close_own(own *o)
{
    rd_job_destroy(o->job);
    rd_graph_destroy(o->graph);
    rd_device_close(o->device);
}

enum { PAUSES = 6 };

/* Pauses a job again and again, each time in new hands, then lets it end. @return how often it was paused. */
static uint32_t pause_until_done(const char *app, const char *input, const char *sched)
{
    rd_error err;
    rd_report report;
    uint32_t paused = 0;
    int done = 0;
    while (!done) {
        own o = open_own(app, input, sched);
        assert_int_equal(paused ? rd_job_resume(o.job, file, NULL, &err) : rd_job_start(o.job, NULL, &err), RD_OK);
        rd_job_now now = {.state = RD_JOB_WAITING};
        assert_int_equal(rd_job_poll(o.job, 0.001, &now, &err), RD_OK);
        const rd_status status = paused < PAUSES ? rd_job_pause(o.job, file, &err) : RD_EARG;
        done = status != RD_OK;
        assert_true(status == RD_OK || status == RD_EARG); /* it was done before */
        assert_int_equal(rd_job_wait(o.job, &report, &err), done ? RD_OK : RD_ECANCELLED);
        if (done)
            assert_int_equal(rd_job_check(o.job, &err), RD_OK);
        else
            assert_non_null(strstr(err.text, "was paused"));
        paused += !done;
        close_own(&o);
    }
    remove(file);
    return paused;
}

/* On a busy machine a job may be done before this thread comes to ask: then once more. */
static void is_paused_at_times(const char *app, const char *input, const char *sched)
{
    uint32_t paused = 0;
    for (int i = 0; i < 200 && !paused; i++)
        paused = pause_until_done(app, input, sched);
    assert_true(paused > 0);
}

static void goes_on_in_other_hands(void **state)
{
    static const char *const sched[] = {"steal", "fifo", "bsp", "heap", "multi"};
    (void)state;
    is_paused_at_times("fib", SANITIZED ? "27" : "32", "steal");
    is_paused_at_times("fib", SANITIZED ? "25" : "30", "fifo");
    for (int i = 0; i < 3; i++) { /* some may be done before they are asked */
        (void)pause_until_done("bfs", SANITIZED ? "path:3000" : "path:30000", sched[i]);
        (void)pause_until_done("bfs", SANITIZED ? "road:100x100" : "road:400x400", sched[i]);
        (void)pause_until_done("bfs", SANITIZED ? "kron:11" : "kron:15", sched[i]);
    }
    is_paused_at_times("sssp", SANITIZED ? "road:80x80" : "road:300x300", "heap");
    is_paused_at_times("sssp", SANITIZED ? "road:80x80" : "road:300x300", "multi");
    (void)pause_until_done("mis", SANITIZED ? "kron:11" : "kron:14", "bsp");
    (void)pause_until_done("cc", SANITIZED ? "road:100x100" : "road:400x400", "bsp");
    (void)pause_until_done("bfs", SANITIZED ? "path:3000" : "path:30000", "steal-levels");
    for (int i = 0; i < 5; i++) /* while vertices of very many edges are shared */
        (void)pause_until_done("sssp", SANITIZED ? "caterpillar:2:20000" : "caterpillar:2:400000", sched[i]);
    own_device = "cpu:2x4";
    for (int i = 0; i < 5; i++)
        (void)pause_until_done("sssp", SANITIZED ? "caterpillar:2:3000" : "caterpillar:2:9000", sched[i]);
    (void)pause_until_done("fib", "24", "steal");
    for (int i = 0; i < 3; i++)
        (void)pause_until_done("bfs", "road:60x60", sched[i]);
    own_device = "cpu:2";
}

static void copy_file(const char *to, long bytes, int spoil)
{
    static char text[1 << 22];
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    const size_t size = fread(text, 1, sizeof text, in);
    fclose(in);
    assert_true(size > 1000);
    if (spoil)
        text[size / 2] ^= 1;
    FILE *out = fopen(to, "wb");
    assert_non_null(out);
    const size_t some = bytes >= 0 ? (size_t)bytes : size;
    assert_int_equal(fwrite(text, 1, some, out), some);
    fclose(out);
}

static rd_status resume_from(const char *input, const char *sched, const char *path, rd_error *err)
{
    own o = open_own("fib", input, sched);
    assert_int_equal(rd_job_resume(o.job, path, NULL, err), RD_OK);
    const rd_status status = rd_job_wait(o.job, NULL, err);
    close_own(&o);
    return status;
}

static void refuses_what_it_cannot_go_on_from(void **state)
{
    rd_error err;
    (void)state;
    own o = open_own("fib", "48", "steal");
    assert_int_equal(rd_job_start(o.job, NULL, &err), RD_OK);
    wait_until_it_runs(o.job);
    assert_int_equal(rd_job_pause(o.job, "no-such-folder/file", &err), RD_EIO); /* and the job goes on */
    assert_int_equal(rd_job_pause(o.job, NULL, &err), RD_EARG);
    assert_int_equal(rd_job_pause(o.job, file, &err), RD_OK);
    assert_int_equal(rd_job_wait(o.job, NULL, &err), RD_ECANCELLED);
    assert_int_equal(rd_job_pause(o.job, file, &err), RD_EARG);
    close_own(&o);
    assert_int_equal(resume_from("47", "steal", file, &err), RD_EINPUT); /* another input */
    assert_int_equal(resume_from("48", "fifo", file, &err), RD_EINPUT);
    assert_int_equal(resume_from("48", "steal", "no-such-file", &err), RD_EIO);
    copy_file(other_file, 777, 0);
    assert_int_equal(resume_from("48", "steal", other_file, &err), RD_EINPUT);
    copy_file(other_file, 0, 0);
    assert_int_equal(resume_from("48", "steal", other_file, &err), RD_EINPUT);
    copy_file(other_file, -1, 1);
    assert_int_equal(resume_from("48", "steal", other_file, &err), RD_EINPUT);
    remove(other_file);
    remove(file);
    /* in rounds it cannot */
    o = open_own("pr", "kron:12", "bsp");
    assert_int_equal(rd_job_set(o.job, "iterations", "1000000", &err), RD_OK);
    assert_int_equal(rd_job_start(o.job, NULL, &err), RD_OK);
    wait_until_it_runs(o.job);
    assert_int_equal(rd_job_pause(o.job, file, &err), RD_EARG);
    assert_non_null(strstr(err.text, "cannot be paused"));
    close_own(&o);
}

/* Sizes and counts are among what a file has, wherever they are in it: the next run must not begin with one of them. */
static void refuse_and_run(own o)
{
    enum { HEAD = 32, FAR = 512 }; /* behind what has to be the same */
    static char text[1 << 20];
    rd_error err;
    assert_int_equal(rd__job_make_ready(o.job, &err), RD_OK);
    assert_int_equal(rd__job_freeze(o.job, file, &err), RD_OK);
    FILE *in = fopen(file, "rb");
    assert_non_null(in);
    const size_t size = fread(text, 1, sizeof text, in);
    fclose(in);
    assert_in_range(size, FAR, sizeof text - 1);
    for (size_t at = HEAD; at < FAR; at += 8) {
        unsigned char was[8];
        memcpy(was, text + at, sizeof was);
        memset(text + at, was[0] == 0xff ? 0 : 0xff, sizeof was);
        FILE *out = fopen(other_file, "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(text, 1, size, out), size);
        fclose(out);
        memcpy(text + at, was, sizeof was);
        assert_int_equal(rd_job_resume(o.job, other_file, NULL, &err), RD_OK);
        assert_int_equal(rd_job_wait(o.job, NULL, &err), RD_EINPUT);
        if (rd_job_run(o.job, NULL, &err) != RD_OK || rd_job_check(o.job, &err) != RD_OK)
            fail_msg("after 8 bytes at %zu: %s", at, err.text);
    }
    remove(other_file);
    remove(file);
    close_own(&o);
}

static void what_was_refused_is_forgotten(void **state)
{
    rd_error err;
    own o = open_own("fib", "14", "steal");
    (void)state;
    assert_int_equal(rd_job_set(o.job, "stack", "64", &err), RD_OK);
    assert_int_equal(rd_job_set(o.job, "frames", "64", &err), RD_OK);
    refuse_and_run(o);
    refuse_and_run(open_own("bfs", "mesh:5x5", "fifo"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_polls_and_waits),
        cmocka_unit_test(the_highest_priority_goes_first),
        cmocka_unit_test(cancels),
        cmocka_unit_test(others_may_come_and_go),
        cmocka_unit_test(who_is_beside_says_where_the_time_went),
        cmocka_unit_test(refuses),
        cmocka_unit_test(goes_on_in_other_hands),
        cmocka_unit_test(a_callback_may_use_other_jobs),
        cmocka_unit_test(refuses_what_it_cannot_go_on_from),
        cmocka_unit_test(what_was_refused_is_forgotten),
    };
    snprintf(file, sizeof file, "/tmp/raddle-start-%ld.frozen", (long)getpid());
    snprintf(other_file, sizeof other_file, "/tmp/raddle-start-%ld.other", (long)getpid());
    return cmocka_run_group_tests(tests, NULL, NULL);
}
