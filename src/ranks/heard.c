/* SPDX-License-Identifier: Apache-2.0 */
/*
 * heard.c - a launcher that is asked to end all ranks may do so before it has read what one of them has just said:
 * MPICH's looks at its pipes and at such requests in no order, and what is left in a pipe then is lost. So the request
 * waits until the pipes are empty. What is no pipe (a file, a terminal) needs no reader.
 */
#define _POSIX_C_SOURCE 200809L
#include "raddle/ranks.h"

#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int is_unread(int fd)
{
    struct stat kind;
    int bytes = 0;
    return fstat(fd, &kind) == 0 && S_ISFIFO(kind.st_mode) && ioctl(fd, FIONREAD, &bytes) == 0 && bytes > 0;
}

void rd_ranks_wait_until_heard(void)
{
    const struct timespec moment = {.tv_nsec = 1000000};
    fflush(NULL);
    for (int left = 1000; left && (is_unread(STDOUT_FILENO) || is_unread(STDERR_FILENO)); left--)
        nanosleep(&moment, NULL);
}
