/* SPDX-License-Identifier: Apache-2.0 */
/*
 * child.c - runs programs in a child process, for a program that hangs may hang the device: then only the end of the
 * process that uses it helps. The parent never opens the device (a driver does not survive a fork). It has the list of
 * programs, forks, and hears of each program by a message on a pipe; between them the child says that it is alive. A
 * child that is silent for too long, or that says that its kernel did not leave, is killed; its program counts as hung,
 * and another child goes on with the next one. A child that ends by itself says nothing about the device: an error.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/progress/progress.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef enum message_kind { ALIVE, OPENED, RESULT, FAILED, FINISHED } message_kind;

typedef struct message {
    message_kind kind;
    size_t index; /* of the program */
    rd_progress_result result;
    rd_device_info info;
    rd_error err;
} message;

static const double alive_seconds = 0.2, silence_seconds = 120, leave_seconds = 3;

/* ---- The child ---- */

typedef struct teller {
    int fd;
    double told;
} teller;

/* The parent may have gone: then there is nobody to work for. */
static void tell(teller *t, const message *m)
{
    const char *at = (const char *)m;
    size_t left = sizeof *m;
    while (left) {
        const ssize_t n = write(t->fd, at, left);
        if (n < 0 && errno != EINTR)
            _exit(CLI_BAD_DEVICE);
        at += n > 0 ? n : 0;
        left -= n > 0 ? (size_t)n : 0;
    }
    t->told = rd_now();
}

static int on_progress(void *user, const char *what, uint64_t done, uint64_t total, const char *unit)
{
    teller *t = user;
    (void)what, (void)done, (void)total, (void)unit;
    if (rd_now() - t->told > alive_seconds) {
        static const message alive = {.kind = ALIVE};
        tell(t, &alive);
    }
    return cli_stop;
}

static void run_from(const progress_job *job, size_t from, teller *t, message *m)
{
    rd_device *device = NULL;
    rd_progress *progress = NULL;
    rd_progress_options options = job->options;
    rd_progress_verdicts verdicts = job->verdicts;
    options.progress = on_progress;
    options.user = t;
    rd_status status = rd_device_open(job->choice.name, &job->choice.options, &device, &m->err);
    if (status == RD_OK) {
        m->kind = OPENED;
        m->info = *rd_device_get_info(device);
        tell(t, m);
        status = rd_progress_open(device, &options, &progress, &m->err);
    }
    for (size_t i = from; status == RD_OK && i < job->programs; i++) {
        if (!job->all && !rd_progress_is_worth(&verdicts, &job->program[i]))
            continue;
        m->kind = RESULT;
        m->index = i;
        status = rd_progress_run(progress, &job->program[i], &m->result, &m->err);
        if (status == RD_OK) {
            rd_progress_add(&verdicts, &job->program[i], &m->result);
            tell(t, m);
        }
        if (status == RD_OK && m->result.unstopped)
            _exit(0); /* what the device holds goes with the process */
    }
    m->kind = status == RD_OK ? FINISHED : FAILED;
    tell(t, m);
    rd_progress_close(progress);
    rd_device_close(device);
}

/* ---- The parent ---- */

typedef struct child {
    pid_t id;
    int fd;
} child;

static int start(const progress_job *job, size_t from, child *c)
{
    int fd[2];
    fflush(NULL);
    if (pipe(fd) != 0)
        return cli_message("progress", CLI_BAD_DEVICE, "no pipe to a child process: %s", strerror(errno));
    c->id = fork();
    if (c->id < 0) {
        close(fd[0]);
        close(fd[1]);
        return cli_message("progress", CLI_BAD_DEVICE, "no child process: %s", strerror(errno));
    }
    if (c->id == 0) {
        teller t = {.fd = fd[1], .told = rd_now()};
        message *m = calloc(1, sizeof *m);
        close(fd[0]);
        if (m)
            run_from(job, from, &t, m);
        _exit(m ? 0 : CLI_BAD_DEVICE);
    }
    close(fd[1]);
    c->fd = fd[0];
    return 0;
}

/* Waits for the child to end by itself for a while, then ends it. @return 1 when it had to be killed. */
static int finish(child *c)
{
    const double until = rd_now() + leave_seconds;
    const struct timespec nap = {.tv_nsec = 10000000};
    int killed = 0;
    close(c->fd);
    while (waitpid(c->id, NULL, WNOHANG) == 0) {
        if (!killed && rd_now() > until) {
            kill(c->id, SIGKILL);
            killed = 1;
        }
        nanosleep(&nap, NULL);
    }
    return killed;
}

typedef enum heard { HEARD, GONE, SILENT, TO_STOP } heard;

static heard hear(const child *c, message *m)
{
    size_t used = 0;
    double silent = 0; /* by looks, not by the clock: this process may be stopped for a while, and its child with it */
    while (used < sizeof *m) {
        struct pollfd wait = {.fd = c->fd, .events = POLLIN};
        if (cli_stop)
            return TO_STOP;
        if (silent > silence_seconds)
            return SILENT;
        const int ready = poll(&wait, 1, 100);
        silent += ready == 0 ? 0.1 : 0;
        if (ready <= 0)
            continue;
        const ssize_t n = read(c->fd, (char *)m + used, sizeof *m - used);
        if (n == 0 || (n < 0 && errno != EINTR))
            return GONE;
        used += n > 0 ? (size_t)n : 0;
    }
    return HEARD;
}

static void note(progress_job *job, const message *m)
{
    job->run++;
    job->slow += m->result.slow;
    job->most_groups = m->result.most_groups > job->most_groups ? m->result.most_groups : job->most_groups;
    rd_progress_add(&job->verdicts, &job->program[m->index], &m->result);
}

/* The program that the child was at: the next that is worth it. */
static size_t current(const progress_job *job, size_t next)
{
    while (next < job->programs && !job->all && !rd_progress_is_worth(&job->verdicts, &job->program[next]))
        next++;
    return next;
}

/* Hears one child until it is done or gone. *next: the program to go on with. @return 0, or an exit code. */
static int attend(progress_job *job, child *c, message *m, size_t *next)
{
    const rd_error stopped = {RD_ECANCELLED, "programs were still being run"};
    heard what;
    while ((what = hear(c, m)) == HEARD) {
        rd_progress_line_fn(&job->line, "running programs", *next, job->programs, "programs");
        if (m->kind == FAILED)
            return cli_fail("progress", &m->err);
        if (m->kind == OPENED) {
            job->info = m->info;
        } else if (m->kind == RESULT) {
            note(job, m);
            *next = m->index + 1;
            if (m->result.unstopped)
                return 0;
        } else if (m->kind == FINISHED) {
            *next = job->programs;
            return 0;
        }
    }
    if (what == TO_STOP)
        return cli_fail("progress", &stopped);
    if (what == GONE)
        return cli_message("progress", CLI_BAD_DEVICE,
                           "the child process that uses the device ended by itself, after %zu programs", job->run);
    if (!job->info.name[0])
        return cli_message("progress", CLI_BAD_DEVICE, "the device could not be opened within %g s", silence_seconds);
    m->index = current(job, *next);
    m->result = (rd_progress_result){.launches = 1, .hung = 1, .unstopped = 1};
    snprintf(m->result.state, sizeof m->result.state, "the process that ran it was silent for %g s", silence_seconds);
    if (m->index < job->programs)
        note(job, m);
    *next = m->index + 1;
    return 0;
}

int progress_run(progress_job *job)
{
    const double began = rd_now();
    message *m = calloc(1, sizeof *m);
    int code = m ? 0 : cli_message("progress", CLI_BAD_DEVICE, "out of memory");
    for (size_t next = 0; !code && next < job->programs;) {
        child c = {.fd = -1};
        code = start(job, next, &c);
        if (code)
            break;
        code = attend(job, &c, m, &next);
        if (code || m->result.unstopped)
            kill(c.id, SIGTERM);
        job->killed += (uint32_t)finish(&c);
    }
    free(m);
    job->seconds = rd_now() - began;
    if (!code && !job->choice.options.no_cache)
        rd_progress_record(&job->info, &job->verdicts);
    return code;
}
