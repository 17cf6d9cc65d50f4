/* SPDX-License-Identifier: Apache-2.0 */
/*
 * beside.c - files that are named by other files; see beside.h. The name is resolved, links and all, and must still lie
 * below the folder; what is then opened is the resolved name, and not through a link.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "graph/read/beside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Does a name go up, or start at the root? */
static int leads_out(const char *name)
{
    if (*name == '/')
        return 1;
    for (const char *part = name;;) {
        const size_t length = strcspn(part, "/");
        if (length == 2 && part[0] == '.' && part[1] == '.')
            return 1;
        if (!part[length])
            return 0;
        part += length + 1;
    }
}

static int lies_below(const char *root, const char *place)
{
    const size_t length = strcmp(root, "/") == 0 ? 0 : strlen(root);
    return strncmp(place, root, length) == 0 && place[length] == '/';
}

rd_status rd__open_beside(const char *beside, const char *name, int *fd, rd_error *err)
{
    char folder[PATH_MAX], path[PATH_MAX], root[PATH_MAX], place[PATH_MAX];
    struct stat info;
    const char *slash = strrchr(beside, '/');
    *fd = -1;
    if (!*name || leads_out(name))
        return rd__fail(err, RD_EINPUT,
                        "'%.200s' is no file beside this one: a name has no '..' and does not start with '/'", name);
    const int bytes = slash ? snprintf(folder, sizeof folder, "%.*s", (int)(slash - beside) + 1, beside)
                            : snprintf(folder, sizeof folder, "./");
    if (bytes >= (int)sizeof folder || snprintf(path, sizeof path, "%s%s", folder, name) >= (int)sizeof path)
        return rd__fail(err, RD_EIO, "'%.200s': the name is too long", name);
    if (!realpath(folder, root) || !realpath(path, place))
        return rd__fail(err, RD_EIO, "'%.200s' cannot be opened: %s", name, strerror(errno));
    if (!lies_below(root, place))
        return rd__fail(err, RD_EINPUT, "'%.200s' is a link that leads out of the folder", name);
    /* O_NONBLOCK: a FIFO would wait for its writer here; O_NOFOLLOW: the name is resolved, so a link is news */
    *fd = open(place, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW);
    if (*fd < 0)
        return rd__fail(err, RD_EIO, "'%.200s' cannot be opened: %s", name, strerror(errno));
    if (fstat(*fd, &info) == 0 && S_ISREG(info.st_mode))
        return RD_OK;
    close(*fd);
    *fd = -1;
    return rd__fail(err, RD_EINPUT, "'%.200s' is not a plain file", name);
}
