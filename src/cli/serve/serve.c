/* SPDX-License-Identifier: Apache-2.0 */
/*
 * serve.c - `raddle serve`: a resident process that runs jobs for its user on one device.
 *
 * It listens on a Unix socket with mode 0600 and takes requests of processes of the same user only. A thread serves a
 * connection; one that says nothing for a while, or does not read, is closed. A client that waits for a job and
 * vanishes takes its job with it. When the process is killed its socket stays behind: the next server finds that
 * nobody listens there, and takes its place. Of servers that start at a time one looks, takes away and listens after
 * the other, by a lock of the folder, which ends with the process that has it: else one could take away what another
 * one has just made. A server that ends takes its name away while it still listens, so whoever comes then finds it, or
 * no name.
 */
#define _GNU_SOURCE /* accept4 */
#include "cli/serve/jobs.h"

#include "cli/open_device.h"
#include "cli/options.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

void cli_serve_help(FILE *out);
int cli_serve_run(int argc, char **argv);

enum { ID_SOCKET = 1, ID_JOBS, ID_MEMORY };
enum { CONNECTIONS = 64, PATIENCE = 5 }; /* seconds */

static const cli_option options[] = {
    {"socket", 0, "PATH", "where to listen [$RADDLE_SOCKET, $XDG_RUNTIME_DIR/raddle.sock]", ID_SOCKET},
    {"jobs", 0, "N", "most jobs at a time [64]", ID_JOBS},
    {"memory", 0, "MIB", "most memory of graphs that stay loaded, and of prepared jobs, in MiB [4096]", ID_MEMORY},
    {NULL, 0, NULL, NULL, 0},
};

void cli_serve_help(FILE *out)
{
    fputs("usage: raddle serve [options]\n"
          "Runs jobs for this user on one device, until it is ended by a signal.\n\n"
          "'raddle submit' gives it jobs, 'raddle ps' and 'raddle top' show them, 'raddle cancel'\n"
          "and 'raddle wait' are for those that were left to themselves. Graphs stay loaded,\n"
          "and jobs that were run prepared for the same request.\n"
          "A job makes way for one of higher priority while it runs, or goes on with fewer workers\n"
          "beside it, and has all of them again later.\n\n",
          out);
    cli_print_options(out, options);
    cli_print_options(out, cli_device_options);
}

typedef struct server {
    serve_jobs *jobs;
    uint32_t connections; /* atomic */
} server;

typedef struct connection {
    server *server;
    int fd;
} connection;

/* ---- A connection ---- */

/* Reads up to the empty line. @return 1 when it came. */
static int read_request(int fd, char *text, size_t room)
{
    size_t used = 0;
    while (used + 1 < room) {
        const ssize_t got = recv(fd, text + used, room - 1 - used, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return 0;
        used += (size_t)got;
        text[used] = '\0';
        if (memchr(text, '\0', used))
            return 0;
        if (text[0] == '\n' || strstr(text, "\n\n"))
            return 1;
    }
    return 0;
}

static int is_gone(int fd)
{
    char byte;
    return recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static void send_end(int fd, const serve_view *view)
{
    (void)serve_sendf(fd, "done %d %.9f %.9f %.9f %s\n", view->status, view->seconds, view->waited, view->ran,
                      view->text);
}

/* owner: the job is this client's, and goes with it. */
static void follow(const connection *self, uint64_t id, int owner)
{
    serve_view view;
    int known = serve_jobs_see(self->server->jobs, id, 0.1, &view);
    while (known && view.state != SERVE_DONE) {
        if (is_gone(self->fd)) {
            if (owner)
                (void)serve_jobs_cancel(self->server->jobs, id);
            return;
        }
        known = serve_jobs_see(self->server->jobs, id, 0.1, &view);
    }
    if (known)
        send_end(self->fd, &view);
}

static void submit(const connection *self, const serve_request *request)
{
    char why[200];
    const uint64_t id = serve_jobs_add(self->server->jobs, request, why, sizeof why);
    if (!id) {
        (void)serve_sendf(self->fd, "error %d %s\n", CLI_BAD_USAGE, why);
        return;
    }
    if (serve_sendf(self->fd, "ok\njob %llu\n", (unsigned long long)id) && request->wait)
        follow(self, id, 1);
}

static void list(const connection *self)
{
    static const char *const name[] = {"reading", "waiting", "running", "done"};
    serve_view view = {0};
    int sends = serve_send(self->fd, "ok\n");
    while (sends && serve_jobs_next(self->server->jobs, view.id, &view))
        sends = serve_sendf(self->fd, "%llu %s %d %d %.6f %llu %llu %u %s\n", (unsigned long long)view.id,
                            name[view.state], view.status, view.priority, view.seconds, (unsigned long long)view.done,
                            (unsigned long long)view.total, view.workers, view.what);
}

static void answer(const connection *self, const serve_request *request)
{
    serve_view view;
    const int known = request->id && serve_jobs_see(self->server->jobs, request->id, 0, &view);
    if (strcmp(request->verb, "submit") == 0)
        submit(self, request);
    else if (strcmp(request->verb, "ps") == 0)
        list(self);
    else if (strcmp(request->verb, "cancel") != 0 && strcmp(request->verb, "wait") != 0)
        (void)serve_sendf(self->fd, "error %d the server does not know what '%.40s' is\n", CLI_BAD_USAGE,
                          request->verb);
    else if (!known)
        (void)serve_sendf(self->fd, "error %d there is no job %llu; 'raddle ps' lists them\n", CLI_BAD_USAGE,
                          (unsigned long long)request->id);
    else if (strcmp(request->verb, "cancel") == 0) {
        (void)serve_jobs_cancel(self->server->jobs, request->id);
        (void)serve_send(self->fd, "ok\n");
    } else if (serve_send(self->fd, "ok\n"))
        follow(self, request->id, 0);
}

static void *serve_one(void *pointer)
{
    connection *self = pointer;
    const struct timeval patience = {.tv_sec = PATIENCE};
    char text[SERVE_REQUEST], why[120];
    serve_request request;
    setsockopt(self->fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(self->fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    if (!serve_peer_is_mine(self->fd))
        (void)serve_sendf(self->fd, "error %d the server is another user's\n", CLI_BAD_DEVICE);
    else if (!read_request(self->fd, text, sizeof text))
        (void)serve_sendf(self->fd, "error %d the request is too long, or cut off\n", CLI_BAD_USAGE);
    else if (!serve_parse(text, &request, why, sizeof why))
        (void)serve_sendf(self->fd, "error %d %s\n", CLI_BAD_USAGE, why);
    else
        answer(self, &request);
    close(self->fd);
    __atomic_sub_fetch(&self->server->connections, 1, __ATOMIC_RELEASE); /* pairs with the acquire in end_all */
    free(self);
    return NULL;
}

/* ---- The server ---- */

/* Keeps other servers from what follows. @return what to close behind it, or -1: some folders cannot be opened, and
 * anybody could keep a lock of one that is open to all, so who does not get it soon goes on without. */
static int lock_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char folder[108];
    snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    const int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int looks = 0; fd >= 0 && looks < 200 && flock(fd, LOCK_EX | LOCK_NB) != 0; looks++)
        poll(NULL, 0, 10);
    return fd;
}

/* Binds; a socket that nobody listens on any more is taken away first. @return the socket, or -1 after the message. */
static int listen_alone(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    struct stat old;
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    const int other = serve_connect(path);
    if (other >= 0) {
        close(other);
        cli_message("serve", 0, "%s: there is a server already", path);
        return -1;
    }
    if (lstat(path, &old) == 0) {
        if (!S_ISSOCK(old.st_mode) || old.st_uid != geteuid()) {
            cli_message("serve", 0, "%s is there already, and is no socket of this user's", path);
            return -1;
        }
        unlink(path);
    }
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const mode_t mask = umask(0177); /* 0600 from the first moment on */
    const int bound = fd >= 0 && bind(fd, (const struct sockaddr *)&name, sizeof name) == 0;
    umask(mask);
    if (bound && listen(fd, CONNECTIONS) == 0)
        return fd;
    cli_message("serve", 0, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

static int listen_at(const char *path)
{
    const int lock = lock_folder(path), fd = listen_alone(path);
    if (lock >= 0)
        close(lock);
    return fd;
}

/* What was not read would take the answer with it when the socket is closed; after the shutdown no more comes. */
static void turn_away(int fd)
{
    char unread[256];
    (void)serve_sendf(fd, "error %d the server has %d clients already, and takes no more: try again later\n",
                      CLI_BAD_DEVICE, CONNECTIONS);
    (void)shutdown(fd, SHUT_RD);
    while (recv(fd, unread, sizeof unread, MSG_DONTWAIT) > 0)
        ;
    close(fd);
}

static void take_connection(server *self, int fd)
{
    pthread_t thread;
    connection *one = malloc(sizeof *one);
    /* acquire: only the count matters */
    const int good = one && __atomic_add_fetch(&self->connections, 1, __ATOMIC_ACQUIRE) <= CONNECTIONS;
    if (good) {
        *one = (connection){self, fd};
        if (pthread_create(&thread, NULL, serve_one, one) == 0) {
            pthread_detach(thread);
            return;
        }
    }
    if (one)
        __atomic_sub_fetch(&self->connections, 1, __ATOMIC_RELEASE); /* as in serve_one */
    turn_away(fd);
    free(one);
}

static int is_stopped(void)
{
    return __atomic_load_n(&cli_stop, __ATOMIC_RELAXED) != 0; /* partner: the handlers in signals.c */
}

static void accept_all(server *self, int listener)
{
    while (!is_stopped()) {
        struct pollfd ready = {.fd = listener, .events = POLLIN};
        if (poll(&ready, 1, 200) <= 0)
            continue;
        const int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
        if (fd >= 0)
            take_connection(self, fd);
    }
}

/* Jobs first: clients that wait for them are told then. */
static void end_all(server *self)
{
    serve_jobs_close(self->jobs);
    while (__atomic_load_n(&self->connections, __ATOMIC_ACQUIRE)) /* pairs with the release in serve_one */
        poll(NULL, 0, 20);
    serve_jobs_free(self->jobs);
}

static int run_server(const char *path, const cli_device_choice *choice, uint64_t jobs, uint64_t bytes)
{
    rd_device *device = NULL;
    server self = {0};
    int code = cli_device_choice_open(choice, "serve", &device);
    if (code)
        return code;
    const int listener = listen_at(path);
    self.jobs = listener >= 0 ? serve_jobs_new(device, jobs, bytes) : NULL;
    if (self.jobs) {
        printf("serving on %s, device %s\n", path, rd_device_get_info(device)->name);
        fflush(stdout);
        accept_all(&self, listener);
        end_all(&self);
    } else {
        code = listener < 0 ? CLI_BAD_INPUT : cli_message("serve", CLI_BAD_DEVICE, "out of host memory");
    }
    if (listener >= 0) {
        unlink(path);
        close(listener);
    }
    rd_device_close(device);
    return code;
}

int cli_serve_run(int argc, char **argv)
{
    const char *asked = NULL;
    uint64_t jobs = 64, memory = 4096;
    char path[108];
    cli_parser parser;
    cli_device_choice choice;
    int id, code = cli_device_choice_init(&choice, "serve");
    if (code)
        return code;
    cli_parser_init(&parser, "serve");
    cli_parser_add(&parser, options);
    cli_parser_add(&parser, cli_device_options);
    while ((id = cli_parser_next(&parser, argc, argv)) != -1) {
        const int taken = id ? cli_device_choice_take(&choice, "serve", id, optarg) : -1;
        if (taken < 0 || (id == ID_JOBS && !cli_take_u64("serve", "jobs", optarg, 1, 10000, &jobs)) ||
            (id == ID_MEMORY && !cli_take_u64("serve", "memory", optarg, 1, 1ull << 32, &memory)))
            return CLI_BAD_USAGE;
        asked = id == ID_SOCKET ? optarg : asked;
    }
    if (optind < argc)
        return cli_usage("serve", "'%s' is one word too many", argv[optind]);
    if (!serve_path(asked, path, sizeof path))
        return cli_usage("serve", "the path of the socket is too long; at most 107 letters");
    return run_server(path, &choice, jobs, memory << 20);
}
