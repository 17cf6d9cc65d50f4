/* SPDX-License-Identifier: Apache-2.0 */
/*
 * late.c - a client of `raddle serve` whose request is being read when the server is told to end.
 *     late SOCKET PID REQUEST    prints the answer; lines of the request are parted by commas
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static void rest(void)
{
    const struct timespec some = {.tv_nsec = 500000000}; /* the server looks every 0.2 s whether it is to end */
    nanosleep(&some, NULL);
}

int main(int argc, char **argv)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    char answer[256];
    ssize_t got;
    if (argc != 4)
        return 2;
    snprintf(name.sun_path, sizeof name.sun_path, "%s", argv[1]);
    for (char *at = argv[3]; *at; at++)
        *at = *at == ',' ? '\n' : *at;
    if (fd < 0 || connect(fd, (const struct sockaddr *)&name, sizeof name) != 0 ||
        write(fd, argv[3], strlen(argv[3])) < 0)
        return 3;
    rest();
    kill((pid_t)atol(argv[2]), SIGTERM);
    rest();
    if (write(fd, "\n\n", 2) != 2)
        return 4;
    while ((got = read(fd, answer, sizeof answer)) > 0)
        fwrite(answer, 1, (size_t)got, stdout);
    close(fd);
    return 0;
}
