/* SPDX-License-Identifier: Apache-2.0 */
/* protocol.c - see protocol.h: sockets. */
#define _GNU_SOURCE /* struct ucred */
#include "cli/serve/protocol.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

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
