/* SPDX-License-Identifier: Apache-2.0 */
/* protocol.c - see protocol.h. */
#define _GNU_SOURCE /* struct ucred */
#include "cli/serve/protocol.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- Requests ---- */

static int take_number(const char *text, int *number)
{
    char *end;
    errno = 0;
    const long value = strtol(text, &end, 10);
    *number = (int)value;
    return *text && !*end && errno == 0 && value >= -1000 && value <= 1000;
}

/* One line. @return NULL, or what is wrong with it. */
static const char *take_line(serve_request *out, const char *key, char *value)
{
    if (strcmp(key, "verb") == 0)
        out->verb = value;
    else if (strcmp(key, "app") == 0)
        out->app = value;
    else if (strcmp(key, "input") == 0)
        out->input = value;
    else if (strcmp(key, "id") == 0)
        return rd_parse_u64(value, &out->id) ? NULL : "a job is named by its number";
    else if (strcmp(key, "priority") == 0)
        return take_number(value, &out->priority) ? NULL : "a priority is a number from -1000 to 1000";
    else if (strcmp(key, "deadline") == 0)
        return rd_parse_double(value, &out->deadline) && out->deadline >= 0 && out->deadline < 1e9
                   ? NULL
                   : "a deadline is a number of seconds";
    else if (strcmp(key, "symmetrize") == 0)
        out->symmetrize = 1;
    else if (strcmp(key, "verify") == 0)
        out->verify = 1;
    else if (strcmp(key, "wait") == 0)
        out->wait = 1;
    else if (strcmp(key, "set") == 0) {
        char *equals = strchr(value, '=');
        if (!equals || equals == value)
            return "an option is KEY=VALUE";
        if (out->settings == SERVE_SETTINGS)
            return "there are too many options";
        *equals = '\0';
        out->key[out->settings] = value;
        out->value[out->settings++] = equals + 1;
    } else
        return "the request has a line that this version does not know";
    return NULL;
}

int serve_parse(char *text, serve_request *out, char *why, size_t room)
{
    *out = (serve_request){0};
    for (char *line = text, *next; *line && *line != '\n'; line = next) {
        next = strchr(line, '\n');
        if (!next) {
            snprintf(why, room, "the request is cut off");
            return 0;
        }
        *next++ = '\0';
        char *value = strchr(line, ' ');
        if (value)
            *value++ = '\0';
        const char *wrong = take_line(out, line, value ? value : line + strlen(line));
        if (wrong) {
            snprintf(why, room, "%s", wrong);
            return 0;
        }
    }
    if (!out->verb)
        snprintf(why, room, "the request does not say what it wants");
    return out->verb != NULL;
}

/* ---- Sockets ---- */

int serve_path(const char *asked, char *path, size_t room)
{
    const char *own = asked ? asked : getenv("RADDLE_SOCKET"), *run = getenv("XDG_RUNTIME_DIR");
    const int length = own && *own   ? snprintf(path, room, "%s", own)
                       : run && *run ? snprintf(path, room, "%s/raddle.sock", run)
                                     : snprintf(path, room, "/tmp/raddle-%lu.sock", (unsigned long)getuid());
    return length > 0 && (size_t)length < room && (size_t)length < sizeof((struct sockaddr_un *)0)->sun_path;
}

int serve_connect(const char *path)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    snprintf(name.sun_path, sizeof name.sun_path, "%s", path);
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, (const struct sockaddr *)&name, sizeof name) == 0)
        return fd;
    const int error = errno;
    close(fd);
    errno = error;
    return -1;
}

int serve_peer_is_mine(int fd)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.uid == geteuid();
}

int serve_send(int fd, const char *text)
{
    for (size_t left = strlen(text); left;) {
        const ssize_t sent = send(fd, text, left, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent <= 0)
            return 0;
        text += sent;
        left -= (size_t)sent;
    }
    return 1;
}

int serve_sendf(int fd, const char *format, ...)
{
    char text[2 * SERVE_LINE];
    va_list args;
    va_start(args, format);
    const int length = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (length < 0)
        return 0;
    if ((size_t)length >= sizeof text)
        text[sizeof text - 2] = '\n';
    return serve_send(fd, text);
}
