/* SPDX-License-Identifier: Apache-2.0 */
/* sink.c - files that appear complete or not at all. */
#define _DEFAULT_SOURCE /* mkstemp, fchmod */
#include "graph/write/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Something like /dev/null or a pipe is written to as it is: renaming a file over it would replace it. */
static int is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

rd_status rd__sink_open(rd__sink *sink, const char *path, rd_error *err)
{
    static const char ending[] = ".XXXXXX";
    *sink = (rd__sink){.path = path, .fd = -1};
    if (strcmp(path, "-") == 0) {
        sink->path = "standard output";
        sink->fd = STDOUT_FILENO;
        return RD_OK;
    }
    size_t length = strlen(path);
    sink->temporary = rd__malloc(length + sizeof ending);
    if (!sink->temporary)
        return rd__fail_memory(err, "writing a graph", length + sizeof ending);
    memcpy(sink->temporary, path, length);
    memcpy(sink->temporary + length, ending, sizeof ending);
    if (is_special(path)) {
        FILE *special = fopen(path, "wb");
        sink->fd = special ? dup(fileno(special)) : -1;
        if (special)
            fclose(special);
        sink->temporary[0] = 0;
    } else {
        sink->fd = mkstemp(sink->temporary);
    }
    if (sink->fd < 0) {
        rd__free(sink->temporary);
        sink->temporary = NULL;
        return rd__fail(err, RD_EIO, "%s: cannot be written: %s", path, strerror(errno));
    }
    return RD_OK;
}

rd_status rd__sink_write(rd__sink *sink, const void *data, uint64_t bytes, rd_error *err)
{
    const char *at = data;
    while (bytes) {
        size_t some = bytes < 1u << 30 ? (size_t)bytes : 1u << 30;
        ssize_t n = write(sink->fd, at, some);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return rd__fail(err, RD_EIO, "%s: cannot be written: %s", sink->path, strerror(errno));
        at += n;
        bytes -= (uint64_t)n;
    }
    return RD_OK;
}

/* mkstemp makes files for the owner alone; give them the rights any new file gets. */
static void usual_rights(int fd)
{
    mode_t mask = umask(0);
    umask(mask);
    (void)fchmod(fd, 0666 & ~mask);
}

rd_status rd__sink_close(rd__sink *sink, rd_status status, rd_error *err)
{
    if (!sink->temporary)
        return status;
    int special = sink->temporary[0] == 0;
    if (!special)
        usual_rights(sink->fd);
    if (close(sink->fd) != 0 && status == RD_OK)
        status = rd__fail(err, RD_EIO, "%s: cannot be written: %s", sink->path, strerror(errno));
    if (!special && status == RD_OK && rename(sink->temporary, sink->path) != 0)
        status = rd__fail(err, RD_EIO, "%s: cannot be written: %s", sink->path, strerror(errno));
    if (!special && status != RD_OK)
        (void)unlink(sink->temporary);
    rd__free(sink->temporary);
    sink->temporary = NULL;
    return status;
}
