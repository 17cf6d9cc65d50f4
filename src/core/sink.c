/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink.c - see sink.h.
 *
 * The temporary file is called .NAME.RANDOM.tmp, in the folder of the file itself: rename works only inside a file
 * system. Its name is in the registry (temporary.h) before it exists and until it has its final name.
 *
 * Lines that several processes append: each holds an flock for the length of one write, so a write that the system
 * cuts short can be completed or taken back before another one adds its own. Every writer first looks whether the file
 * ends in a newline: a half line that a killed process left behind spoils itself only, not the line after it.
 */
#define _GNU_SOURCE /* getrandom, flock */
#include "core/sink.h"

#include "core/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TRIES = 100 };

static rd_status fail(const rd__sink *sink, int why, rd_error *err)
{
    if (why == EINTR)
        return rd__fail(err, RD_ECANCELLED, "%s: stopped while waiting to write to it", sink->path);
    return rd__fail(err, RD_EIO, "%s: cannot be written: %s", sink->path, strerror(why));
}

/* ---- Opening ---- */

/* Something that is there and no regular file: a device, a pipe, a descriptor of our own. */
static rd_status open_as_it_is(rd__sink *sink, rd_error *err)
{
    const rd__target *target = &sink->target;
    if (target->descriptor >= 0)
        sink->fd = fcntl(target->descriptor, F_DUPFD_CLOEXEC, 0);
    else
        sink->fd = openat(target->folder, target->name, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    return sink->fd < 0 ? fail(sink, errno, err) : RD_OK;
}

static rd_status open_in_place(rd__sink *sink, rd_error *err)
{
    const rd__target *target = &sink->target;
    const int appends = sink->mode == RD__SINK_APPEND;
    const int more = O_CREAT | O_NOCTTY | O_CLOEXEC | (appends ? O_APPEND : O_TRUNC);
    /* Reading is for a look at the last byte; a file that may only be written to goes without. */
    sink->fd = openat(target->folder, target->name, (appends ? O_RDWR : O_WRONLY) | more, 0666);
    if (sink->fd < 0 && appends && errno == EACCES)
        sink->fd = openat(target->folder, target->name, O_WRONLY | more, 0666);
    sink->is_file = 1;
    return sink->fd < 0 ? fail(sink, errno, err) : RD_OK;
}

static rd_status name_temporary(rd__sink *sink, rd_error *err)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuv"; /* 32: five bits of a byte */
    unsigned char random[12];
    char text[sizeof random + 1] = "";
    if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
        return fail(sink, errno, err);
    for (size_t i = 0; i < sizeof random; i++)
        text[i] = digits[random[i] & 31];
    /* Cut short: some file systems have shorter names than others. */
    snprintf(sink->temporary, sizeof sink->temporary, ".%.100s.%s.tmp", sink->target.name, text);
    return RD_OK;
}

static rd_status fail_folder(const rd__sink *sink, int why, rd_error *err)
{
    return rd__fail(err, RD_EIO,
                    "%s: cannot be written: no new file can be made in its folder, where the file is written under "
                    "another name until it is complete: %s",
                    sink->path, strerror(why));
}

/* A new file gets the rights that any new file gets. One that takes the place of another stays closed to others until
 * it has that one's (keep_rights). */
static rd_status open_temporary(rd__sink *sink, rd_error *err)
{
    const rd__target *target = &sink->target;
    if (target->exists && faccessat(target->folder, target->name, W_OK, AT_EACCESS) != 0)
        return fail(sink, errno, err); /* renaming would replace even a file that is not to be written */
    for (int i = 0; i < TRIES; i++) {
        RD_TRY(name_temporary(sink, err));
        sink->ticket = rd__temporary_add(target->folder, sink->temporary, RD__TEMPORARY_OUTPUT);
        sink->fd = openat(target->folder, sink->temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOCTTY | O_CLOEXEC,
                          target->exists ? 0600 : 0666);
        const int why = errno;
        if (sink->fd >= 0)
            return RD_OK;
        rd__temporary_forget(sink->ticket);
        sink->ticket = -1;
        sink->temporary[0] = 0;
        if (why != EEXIST)
            return fail_folder(sink, why, err);
    }
    return fail(sink, EEXIST, err);
}

rd_status rd__sink_check(const char *path, rd__sink_mode mode, rd_error *err)
{
    rd__sink sink = {.path = path, .mode = mode, .fd = -1, .ticket = -1, .is_own = 1};
    rd__target *target = &sink.target;
    if (strcmp(path, "-") == 0)
        return RD_OK;
    RD_TRY(rd__target_find(path, target, err));
    const int makes = !target->exists || mode == RD__SINK_REPLACE || mode == RD__SINK_CACHE;
    rd_status status = RD_OK;
    if (target->exists && faccessat(target->folder, target->name, W_OK, AT_EACCESS) != 0)
        status = fail(&sink, errno, err);
    if (status == RD_OK && target->is_plain && makes) {
        /* Rights alone do not tell: file systems that nothing can be made in (/proc), quotas, names that are too long.
         */
        status = open_temporary(&sink, err);
        if (status == RD_OK) {
            (void)rd__sink_close(&sink, RD_ECANCELLED, NULL); /* which removes it */
            return RD_OK;
        }
    }
    rd__target_close(target);
    return status;
}

rd_status rd__sink_open(rd__sink *sink, const char *path, rd__sink_mode mode, rd_error *err)
{
    *sink = (rd__sink){.path = path, .mode = mode, .fd = -1, .ticket = -1, .is_own = 1};
    if (strcmp(path, "-") == 0) {
        sink->path = "standard output";
        sink->fd = STDOUT_FILENO;
        sink->is_own = 0;
        sink->target.folder = -1;
        return RD_OK;
    }
    RD_TRY(rd__target_find(path, &sink->target, err));
    rd_status status;
    if (!sink->target.is_plain)
        status = open_as_it_is(sink, err);
    else if (mode == RD__SINK_APPEND || mode == RD__SINK_LIVE)
        status = open_in_place(sink, err);
    else
        status = open_temporary(sink, err);
    if (status != RD_OK)
        rd__target_close(&sink->target);
    return status;
}

/* ---- Writing ---- */

int rd__write_all(int fd, const void *data, uint64_t bytes)
{
    const char *at = data;
    while (bytes) {
        const size_t some = bytes < 1u << 30 ? (size_t)bytes : 1u << 30;
        const ssize_t n = write(fd, at, some);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return errno;
        at += n;
        bytes -= (uint64_t)n;
    }
    return 0;
}

static int append(const rd__sink *sink, const void *data, uint64_t bytes)
{
    struct stat info;
    char last = '\n';
    while (flock(sink->fd, LOCK_EX) != 0 && errno == EINTR) /* a file system without locks does without */
        ;
    int why = fstat(sink->fd, &info) == 0 ? 0 : errno;
    if (!why && info.st_size > 0)
        (void)!pread(sink->fd, &last, 1, info.st_size - 1);
    if (!why && last != '\n')
        why = rd__write_all(sink->fd, "\n", 1);
    if (!why) {
        why = rd__write_all(sink->fd, data, bytes);
        if (why) /* no half lines; what cannot be taken back is reported all the same */
            (void)!ftruncate(sink->fd, info.st_size);
    }
    (void)flock(sink->fd, LOCK_UN);
    return why;
}

rd_status rd__sink_write(rd__sink *sink, const void *data, uint64_t bytes, rd_error *err)
{
    const int appends = sink->mode == RD__SINK_APPEND && sink->is_file;
    const int why = appends ? append(sink, data, bytes) : rd__write_all(sink->fd, data, bytes);
    sink->at += bytes;
    return why ? fail(sink, why, err) : RD_OK;
}

int rd__sink_rewind(rd__sink *sink)
{
    struct stat named, own;
    if (!sink->is_file) /* a pipe goes on */
        return 1;
    if (fstat(sink->fd, &own) != 0 || fstatat(sink->target.folder, sink->target.name, &named, AT_SYMLINK_NOFOLLOW) != 0)
        return 0;
    if (named.st_dev != own.st_dev || named.st_ino != own.st_ino || lseek(sink->fd, 0, SEEK_SET) != 0)
        return 0;
    sink->size = (uint64_t)own.st_size;
    sink->at = 0;
    return 1;
}

rd_status rd__sink_cut(rd__sink *sink, rd_error *err)
{
    if (!sink->is_file || sink->size <= sink->at)
        return RD_OK;
    sink->size = 0;
    return ftruncate(sink->fd, (off_t)sink->at) == 0 ? RD_OK : fail(sink, errno, err);
}

/* ---- Closing ---- */

/* The new file gets what the old one has. Giving a file away takes privilege, giving it to a group takes membership.
 * Where the group cannot be kept, the group that it has instead gets no more than everybody. */
static int keep_rights(const rd__sink *sink)
{
    const rd__target *old = &sink->target;
    struct stat now;
    mode_t mode = old->mode;
    if (fstat(sink->fd, &now) != 0)
        return errno;
    if (now.st_uid != old->uid && fchown(sink->fd, old->uid, (gid_t)-1) != 0 && errno != EPERM)
        return errno;
    if (now.st_gid != old->gid && fchown(sink->fd, (uid_t)-1, old->gid) != 0) {
        if (errno != EPERM)
            return errno;
        mode = (mode & ~(mode_t)070) | (mode & 07) << 3;
    }
    return fchmod(sink->fd, mode) == 0 ? 0 : errno;
}

/* @return 0, or why the file is not complete on its disk. */
static int finish(const rd__sink *sink)
{
    const int why = sink->target.exists ? keep_rights(sink) : 0;
    int flushed = why || sink->mode != RD__SINK_REPLACE ? 0 : fsync(sink->fd);
    while (flushed != 0 && errno == EINTR)
        flushed = fsync(sink->fd);
    /* EINVAL, EROFS: a file system that has nothing to flush to */
    return flushed != 0 && errno != EINVAL && errno != EROFS ? errno : why;
}

rd_status rd__sink_close(rd__sink *sink, rd_status status, rd_error *err)
{
    const rd__target *target = &sink->target;
    const int is_temporary = sink->temporary[0] != 0;
    if (!sink->is_own)
        return status;
    if (is_temporary && status == RD_OK) {
        const int why = finish(sink);
        status = why ? fail(sink, why, err) : RD_OK;
    }
    if (close(sink->fd) != 0 && errno != EINTR && status == RD_OK) /* after EINTR it is closed too */
        status = fail(sink, errno, err);
    if (is_temporary && status == RD_OK && renameat(target->folder, sink->temporary, target->folder, target->name) != 0)
        status = fail(sink, errno, err);
    if (is_temporary && status != RD_OK)
        (void)unlinkat(target->folder, sink->temporary, 0);
    rd__temporary_forget(sink->ticket);
    rd__target_close(&sink->target);
    sink->fd = -1;
    return status;
}
