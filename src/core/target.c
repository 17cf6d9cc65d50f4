/* SPDX-License-Identifier: Apache-2.0 */
/*
 * target.c - follows the links of an output's name by hand, for three reasons: the file is made under another name in
 * the folder where it really is; a link may lead to a file that does not exist yet, which realpath refuses; and
 * /dev/stdout is a chain of links that may end in an ordinary file (`>file`), which must be written through the
 * descriptor that is open on it, for a file renamed over it would be another file than the one the shell has open.
 */
#define _GNU_SOURCE /* O_PATH */
#include "core/target.h"

#include "raddle/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { LINKS = 40 }; /* as many as the kernel follows */

/* Opens the folder part of text, which starts at target->folder, and keeps the rest as the name. */
static rd_status enter(const char *path, const char *text, rd__target *target, rd_error *err)
{
    char folder[PATH_MAX];
    const char *slash = strrchr(text, '/'), *name = slash ? slash + 1 : text;
    if (*name == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
        return rd__fail(err, RD_EIO, "%s: cannot be written: it is a folder; name a file in it", path);
    if (strlen(name) >= sizeof target->name)
        return rd__fail(err, RD_EIO, "%.300s: cannot be written: %s", path, strerror(ENAMETOOLONG));
    memcpy(target->name, name, strlen(name) + 1);
    const size_t length = slash == text ? 1 : slash ? (size_t)(slash - text) : 0;
    memcpy(folder, text, length);
    memcpy(folder + length, length ? "" : ".", length ? 1 : 2);
    const int fd = openat(target->folder, folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return rd__fail(err, RD_EIO, "%.300s: cannot be written: its folder '%.300s': %s", path, folder,
                        strerror(errno));
    rd__target_close(target);
    target->folder = fd;
    return RD_OK;
}

static int is_in_proc(const rd__target *target)
{
    struct statfs system;
    return fstatfs(target->folder, &system) == 0 && system.f_type == PROC_SUPER_MAGIC;
}

/* A link in /proc/self/fd, by whatever name: which descriptor is it? -1: none of ours. */
static int own_descriptor(const rd__target *target)
{
    struct stat there, here;
    uint64_t number;
    if (!rd_parse_u64(target->name, &number) || number > INT_MAX)
        return -1;
    const int same = fstatat(target->folder, target->name, &there, 0) == 0 && fstat((int)number, &here) == 0 &&
                     there.st_dev == here.st_dev && there.st_ino == here.st_ino;
    return same ? (int)number : -1;
}

static rd_status find(const char *path, rd__target *target, rd_error *err)
{
    char text[PATH_MAX];
    if (strlen(path) >= sizeof text)
        return rd__fail(err, RD_EIO, "%.300s...: cannot be written: %s", path, strerror(ENAMETOOLONG));
    memcpy(text, path, strlen(path) + 1);
    for (int links = 0; links <= LINKS; links++) {
        RD_TRY(enter(path, text, target, err));
        struct stat info;
        if (fstatat(target->folder, target->name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
            target->is_plain = errno == ENOENT;
            return target->is_plain ? RD_OK : rd__fail(err, RD_EIO, "%s: cannot be written: %s", path, strerror(errno));
        }
        if (!S_ISLNK(info.st_mode)) {
            target->exists = 1;
            target->mode = info.st_mode & 0777;
            target->uid = info.st_uid;
            target->gid = info.st_gid;
            target->is_plain = S_ISREG(info.st_mode);
            return S_ISDIR(info.st_mode)
                       ? rd__fail(err, RD_EIO, "%s: cannot be written: it is a folder; name a file in it", path)
                       : RD_OK;
        }
        if (is_in_proc(target)) { /* what such a link says is no path */
            target->descriptor = own_descriptor(target);
            return RD_OK;
        }
        const ssize_t length = readlinkat(target->folder, target->name, text, sizeof text - 1);
        if (length < 0)
            return rd__fail(err, RD_EIO, "%s: cannot be written: its link: %s", path, strerror(errno));
        text[length] = 0;
    }
    return rd__fail(err, RD_EIO, "%s: cannot be written: %s", path, strerror(ELOOP));
}

rd_status rd__target_find(const char *path, rd__target *target, rd_error *err)
{
    memset(target, 0, sizeof *target);
    target->folder = AT_FDCWD;
    target->descriptor = -1;
    const rd_status status = find(path, target, err);
    if (status != RD_OK)
        rd__target_close(target);
    return status;
}

void rd__target_close(rd__target *target)
{
    if (target->folder >= 0)
        close(target->folder);
    target->folder = AT_FDCWD;
}
