/* SPDX-License-Identifier: Apache-2.0 */
/*
 * memory_expect.c - refuses work that cannot fit in memory before it starts. The system would rather promise memory it
 * does not have and kill the process later.
 */
#define _POSIX_C_SOURCE 200809L
#include "graph/graph.h"
#include "raddle/tool.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static int read_small(const char *path, char *text, size_t room)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return 0;
    ssize_t got = read(fd, text, room - 1);
    close(fd);
    if (got <= 0)
        return 0;
    text[got] = 0;
    return 1;
}

/* A number in a file, "max" or nothing giving UINT64_MAX. */
static uint64_t number_in(const char *path)
{
    char text[64];
    if (!read_small(path, text, sizeof text) || text[0] < '0' || text[0] > '9')
        return UINT64_MAX;
    return strtoull(text, NULL, 10);
}

static uint64_t memory_left(void)
{
    char text[2048];
    uint64_t left = UINT64_MAX;
    if (read_small("/proc/meminfo", text, sizeof text)) {
        const char *line = strstr(text, "MemAvailable:");
        if (line)
            left = strtoull(line + strlen("MemAvailable:"), NULL, 10) * 1024;
    }
    uint64_t most = number_in("/sys/fs/cgroup/memory.max"), used = number_in("/sys/fs/cgroup/memory.current");
    if (most != UINT64_MAX && used != UINT64_MAX && most < left) {
        /* What the group uses includes cached files, which give way; so count what is anonymous as used, when that is
         * known. */
        if (read_small("/sys/fs/cgroup/memory.stat", text, sizeof text) && strncmp(text, "anon ", 5) == 0)
            used = strtoull(text + 5, NULL, 10);
        uint64_t rest = most > used ? most - used : 0;
        left = rest < left ? rest : left;
    }
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < left)
        left = limit.rlim_cur;
    return left;
}

rd_status rd__memory_expect(uint64_t bytes, const char *what, rd_error *err)
{
    if (bytes < 64u << 20) /* not worth asking the system */
        return RD_OK;
    uint64_t left = memory_left();
    if (bytes <= left)
        return RD_OK;
    char need[32], have[32];
    return rd__fail(err, RD_ENOMEM, "not enough host memory: %s would take %s and %s is free", what,
                    rd_format_bytes(bytes, need, sizeof need), rd_format_bytes(left, have, sizeof have));
}
