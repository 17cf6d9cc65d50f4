/* SPDX-License-Identifier: Apache-2.0 */
/* process.c - see process.h. */
#define _GNU_SOURCE /* ppoll */
#include "cli/bench/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double start_seconds = 60; /* a driver may take some to find its device */
static const double leave_seconds = 10;

static rd_status fail(rd_error *err, const char *what, const char *why)
{
    err->status = RD_EDEVICE;
    snprintf(err->text, sizeof err->text, "a server in a process of its own: %s%s%.600s", what, *why ? ": " : "", why);
    return RD_EDEVICE;
}

/* In the child, between fork and exec: only what a signal handler may do. */
static void become_server(char **argv)
{
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDIN_FILENO);
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
    }
    (void)prctl(PR_SET_PDEATHSIG, SIGTERM); /* it ends with the one that measures, however that one ends */
    execv("/proc/self/exe", argv);
    _exit(127);
}

static int is_alive(bench_process *self)
{
    if (self->id > 0 && waitpid(self->id, NULL, WNOHANG) != 0)
        self->id = 0;
    return self->id > 0;
}

static void nap(void)
{
    const struct timespec time = {.tv_nsec = 5000000};
    nanosleep(&time, NULL);
}

static rd_status wait_until_it_listens(bench_process *self, rd_error *err)
{
    const double until = rd_now() + start_seconds;
    int fd = -1;
    while ((fd = serve_connect(self->socket)) < 0) {
        if (!is_alive(self))
            return fail(err, "it did not start; does 'raddle serve' on this device?", "");
        if (rd_now() > until || cli_stop)
            return fail(err, "it did not listen in time", "");
        nap();
    }
    close(fd);
    return RD_OK;
}

rd_status bench_process_open(bench_process *self, const char *device, uint32_t threads, rd_error *err)
{
    const char *folder = getenv("TMPDIR");
    char name[64], count[16];
    char raddle[] = "raddle", serve[] = "serve", socket_at[] = "--socket", device_at[] = "-d",
         threads_at[] = "--threads";
    char *argv[] = {raddle, serve, socket_at, self->socket, device_at, name, threads ? threads_at : NULL, count, NULL};
    *self = (bench_process){.fd = -1};
    snprintf(name, sizeof name, "%s", device);
    snprintf(count, sizeof count, "%u", threads);
    if (snprintf(self->folder, sizeof self->folder, "%s/raddle-bench-XXXXXX", folder && *folder ? folder : "/tmp") >=
        (int)sizeof self->folder)
        snprintf(self->folder, sizeof self->folder, "/tmp/raddle-bench-XXXXXX"); /* names of sockets are short */
    if (!mkdtemp(self->folder)) {
        const rd_status status = fail(err, self->folder, strerror(errno));
        self->folder[0] = '\0';
        return status;
    }
    snprintf(self->socket, sizeof self->socket, "%s/socket", self->folder);
    fflush(NULL);
    self->id = fork();
    if (self->id == 0)
        become_server(argv);
    if (self->id < 0)
        return fail(err, "fork", strerror(errno));
    return wait_until_it_listens(self, err);
}

rd_status bench_process_start(bench_process *self, const char *lines, rd_error *err)
{
    char request[SERVE_REQUEST];
    snprintf(request, sizeof request, "verb submit\n%swait 1\n\n", lines);
    self->used = 0;
    self->began = rd_now();
    self->fd = serve_connect(self->socket);
    if (self->fd < 0 || !serve_send(self->fd, request))
        return fail(err, "it does not listen any more", strerror(errno));
    return RD_OK;
}

static void hang_up(bench_process *self)
{
    if (self->fd >= 0)
        close(self->fd);
    self->fd = -1;
}

/* The last line, when it is complete. */
static rd_status take_end(bench_process *self, int *done, rd_error *err)
{
    const char *end = strstr(self->text, "done ");
    int status = 0, used = 0;
    double seconds, waited;
    if (strncmp(self->text, "error ", 6) == 0)
        return fail(err, "it refuses the job", self->text);
    if (!end || !strchr(end, '\n'))
        return RD_OK;
    self->took = rd_now() - self->began;
    *done = 1;
    hang_up(self);
    if (sscanf(end, "done %d %lf %lf %lf %n", &status, &seconds, &waited, &self->ran, &used) != 4 || status != 0)
        return fail(err, "the job failed", end);
    snprintf(self->answer, sizeof self->answer, "%.*s", (int)strcspn(end + used, "\n"), end + used);
    return RD_OK;
}

rd_status bench_process_wait(bench_process *self, double seconds, int *done, rd_error *err)
{
    const double until = rd_now() + seconds;
    *done = 0;
    do {
        const double rest = until > rd_now() ? until - rd_now() : 0, some = rest < 0.2 ? rest : 0.2;
        const struct timespec time = {.tv_nsec = (long)(1e9 * some)};
        struct pollfd ready = {.fd = self->fd, .events = POLLIN};
        if (cli_stop) {
            err->status = RD_ECANCELLED;
            snprintf(err->text, sizeof err->text, "stopped on request");
            return RD_ECANCELLED;
        }
        if (ppoll(&ready, 1, &time, NULL) <= 0)
            continue;
        const ssize_t got = read(self->fd, self->text + self->used, sizeof self->text - 1 - self->used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail(err, "it went away", "");
        self->used += (size_t)got;
        self->text[self->used] = '\0';
        const rd_status status = take_end(self, done, err);
        if (status != RD_OK)
            return status;
    } while (!*done && rd_now() < until);
    return RD_OK;
}

void bench_process_close(bench_process *self)
{
    const double until = rd_now() + leave_seconds;
    if (self->id > 0) {
        hang_up(self);
        (void)kill(self->id, SIGTERM);
        while (is_alive(self)) {
            if (rd_now() > until)
                (void)kill(self->id, SIGKILL);
            nap();
        }
        (void)unlink(self->socket); /* of one that had no time to do so */
    }
    if (self->folder[0])
        (void)rmdir(self->folder);
    *self = (bench_process){.fd = -1};
}
