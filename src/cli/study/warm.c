/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warm.c - kernels of a study are compiled before anything is timed, by several processes at once: compilers of GPUs
 * compile one program at a time in a process. Each process takes a part of the points, and leaves their kernels in the
 * cache on disk. They are forked before any device is open, because a device does not live through a fork. CPUs have
 * nothing to compile. What fails here is said when the point is measured; with --compile, which measures none, here.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/study/study.h"
#include "cli/open_device.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 64 };

typedef struct share {
    uint64_t seen, first, step; /* of the points that are seen: first, first + step ... */
    int pipe;                   /* gets a byte for each: whether it failed */
    uint64_t failed;
} share;

static int can_compile(const cli_device_choice *choice)
{
    return !choice->name || !cli_names_host(choice->name);
}

static rd_status prepare(study_job *job, study_point *point, void *user, rd_error *err)
{
    share *const own = user;
    rd_error why = {.status = RD_OK};
    (void)err;
    if (own->seen++ % own->step != own->first || cli_is_host(rd_device_get_info(point->device)))
        return RD_OK;
    const char failed = study_prepare(job, point, &why) != RD_OK;
    if (failed && job->compile && own->failed++ == 0) /* others tend to fail for the same reason */
        cli_message("study", 0, "%s, '%s': %s", point->app->name, point->config, why.text);
    return write(own->pipe, &failed, 1) == 1 ? RD_OK : RD_EIO;
}

/* In a process of its own. */
static void compile_share(study_job *job, share own)
{
    rd_error err = {.status = RD_OK};
    rd_set_log(NULL, NULL, RD_LOG_ERROR);
    job->line.enabled = 0;
    for (size_t d = 0; d < job->devices; d++)
        if (can_compile(&job->choice[d]))
            if (rd_device_open(job->choice[d].name, &job->choice[d].options, &job->device[d], &err) != RD_OK &&
                job->compile && own.first == 0)
                (void)cli_fail("study", &err);
    (void)study_each(job, 1, prepare, &own, &err);
    _exit(0);
}

/* Ends a process: politely, so that it leaves no temporary files; a compiler may not listen. */
static void end_child(pid_t child)
{
    const struct timespec moment = {.tv_nsec = 50 * 1000 * 1000};
    (void)kill(child, SIGTERM);
    for (int tries = 0; tries < 100; tries++) {
        if (waitpid(child, NULL, WNOHANG) != 0)
            return;
        (void)nanosleep(&moment, NULL);
    }
    (void)kill(child, SIGKILL);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
        continue;
}

typedef struct tally {
    uint64_t done, failed;
} tally;

/* Until all processes are done (the pipe is closed by the last of them), or it is time. @return 1: they are. */
static int watch(study_job *job, const pid_t *child, size_t count, int end, tally *of)
{
    struct pollfd news = {.fd = end, .events = POLLIN};
    char failed[256];
    ssize_t got = 1;
    while (got > 0 && !study_over(job)) {
        const int ready = poll(&news, 1, 100);
        got = ready > 0 ? read(end, failed, sizeof failed) : 1;
        for (ssize_t i = 0; ready > 0 && i < got; i++)
            of->failed += failed[i] != 0;
        of->done += ready > 0 && got > 0 ? (uint64_t)got : 0;
        rd_progress_line_fn(&job->line, "compiling", of->done, 0, "configurations");
    }
    for (size_t i = 0; i < count; i++)
        if (got > 0)
            end_child(child[i]);
        else
            while (waitpid(child[i], NULL, 0) < 0 && errno == EINTR)
                continue;
    rd_progress_line_clear(&job->line);
    return got <= 0;
}

static int say_compiled(const tally *of, int over)
{
    const unsigned long long done = of->done, failed = of->failed;
    if (!over)
        return cli_message("study", CLI_TIMED_OUT,
                           "%llu configurations were compiled, then it was time; go on with "
                           "the same command",
                           done - failed);
    if (failed || !done)
        return cli_message("study", CLI_BAD_DEVICE, "%llu of %llu configurations were not compiled", failed, done);
    printf("%llu configurations are compiled, or were before\n", done);
    return 0;
}

int study_warm(study_job *job)
{
    pid_t child[MOST];
    size_t count = 0;
    int ends[2], wanted = 0;
    tally of = {0, 0};
    for (size_t d = 0; d < job->devices; d++)
        wanted |= can_compile(&job->choice[d]);
    if (job->compile && (!wanted || job->choice[0].options.no_cache))
        return cli_usage("study", "--compile is for devices with kernels to compile, into the cache on disk");
    if (!wanted || (job->jobs < 2 && !job->compile) || job->choice[0].options.no_cache)
        return 0;
    if (pipe(ends) != 0)
        return cli_message("study", CLI_BAD_DEVICE, "no pipe for processes that compile: %s", strerror(errno));
    for (; count < job->jobs && count < MOST; count++) {
        child[count] = fork();
        if (child[count] < 0)
            break; /* then fewer do it */
        if (child[count] == 0) {
            (void)close(ends[0]);
            compile_share(job, (share){.first = count, .step = job->jobs, .pipe = ends[1]});
        }
    }
    (void)close(ends[1]);
    const int over = watch(job, child, count, ends[0], &of);
    (void)close(ends[0]);
    return job->compile ? say_compiled(&of, over) : 0;
}
