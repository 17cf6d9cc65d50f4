/* SPDX-License-Identifier: Apache-2.0 */
/* client.c - see client.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/serve/client.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define START_OWN "'raddle serve' starts one of your own, --socket or RADDLE_SOCKET says where"

/* Whose the socket is tells more than that it may not be used; in a folder that is closed even that cannot be seen. */
static int say_why(const char *command, const char *path, int reason)
{
    struct stat info;
    if (reason != EACCES && reason != EPERM)
        return cli_message(command, CLI_BAD_DEVICE, "no server listens on %s (%s); 'raddle serve' starts one", path,
                           strerror(reason));
    if (stat(path, &info) != 0)
        return cli_message(command, CLI_BAD_DEVICE,
                           "permission denied: %s is in a folder that is closed to this user; " START_OWN, path);
    if (info.st_uid != geteuid())
        return cli_message(command, CLI_BAD_DEVICE,
                           "permission denied: the server on %s belongs to another user (uid %lu); " START_OWN, path,
                           (unsigned long)info.st_uid);
    return cli_message(command, CLI_BAD_DEVICE,
                       "permission denied: the mode of %s keeps its owner out; 'chmod 600' lets you in", path);
}

static FILE *connect_to(const char *command, const char *path, int *code)
{
    const int fd = serve_connect(path);
    if (fd < 0) {
        *code = say_why(command, path, errno);
        return NULL;
    }
    if (!serve_peer_is_mine(fd)) {
        close(fd);
        *code = cli_message(command, CLI_BAD_DEVICE,
                            "permission denied: the server on %s belongs to another user; " START_OWN, path);
        return NULL;
    }
    FILE *stream = fdopen(fd, "r");
    if (!stream) {
        close(fd);
        *code = cli_message(command, CLI_BAD_DEVICE, "out of host memory: a connection");
    }
    return stream;
}

FILE *serve_ask(const char *command, const char *socket, const char *request, int *code)
{
    char path[108], line[2 * SERVE_LINE];
    int status = CLI_BAD_DEVICE, used = 0;
    *code = 0;
    if (!serve_path(socket, path, sizeof path)) {
        *code = cli_usage(command, "the path of the socket is too long; at most 107 letters");
        return NULL;
    }
    FILE *stream = connect_to(command, path, code);
    if (!stream)
        return NULL;
    cli_die_by_signals();                      /* the server sees to what is left */
    (void)serve_send(fileno(stream), request); /* one that does not listen has said why */
    if (!fgets(line, sizeof line, stream)) {
        *code = cli_message(command, CLI_BAD_DEVICE, "the server on %s went away", path);
    } else if (strcmp(line, "ok\n") != 0) {
        line[strcspn(line, "\n")] = '\0';
        const int understood = sscanf(line, "error %d %n", &status, &used) == 1;
        *code = cli_message(command, understood ? status : CLI_BAD_DEVICE, "%s",
                            understood ? line + used : "the server's answer cannot be understood");
    }
    if (*code == 0)
        return stream;
    fclose(stream);
    return NULL;
}
