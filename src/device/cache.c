/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.c - compiled kernels on disk.
 *
 * Where: $RADDLE_CACHE_DIR, else $XDG_CACHE_HOME/raddle, else $HOME/.cache/raddle; nowhere when none is set.
 * Entry: a header (magic, version, byte order, the full key, length, checksum of the content), then the content. A
 * reader believes an entry only when all of it fits; anything else (cut short, bit rot, another version's file, a
 * directory in the way) is a miss, and the entry is rebuilt over it. Writers write a temporary file of their own and
 * rename it: concurrent runs see a whole entry or none.
 *
 * An entry is code that will run as this user, and its checksum proves nothing of who wrote it. So the folder and each
 * entry must belong to this user and be writable by nobody else; neither may be a symbolic link. What is not so is a
 * miss. All names are relative to the folder that was looked at (openat), so it cannot be exchanged in between. That is
 * why entries are not written by core/sink.h, which follows links and keeps owners, as is right for a user's own files.
 */
#define _POSIX_C_SOURCE 200809L
#include "device/cache.h"

#include "core/log.h"
#include "core/memory.h"
#include "core/sink.h"
#include "core/temporary.h"

#include "raddle/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    rd__hash key;
    uint64_t bytes;
    rd__hash content;
};
static const char magic[8] = "RDCACHE";
enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304, PATH_ROOM = 1024, NAME_ROOM = 64, CONTENT_MAX = 1 << 30 };

static int cache_directory(char *path, size_t room)
{
    static const struct {
        const char *variable, *below;
    } place[] = {{"RADDLE_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/raddle"}, {"HOME", "/.cache/raddle"}};
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
        const char *base = getenv(place[i].variable);
        if (base && *base == '/') { /* XDG: a relative path is to be ignored */
            int n = snprintf(path, room, "%s%s", base, place[i].below);
            while (n > 1 && (size_t)n < room && path[n - 1] == '/') /* "x/" would be followed if x were a link */
                path[--n] = '\0';
            return n > 0 && (size_t)n < room;
        }
    }
    return 0;
}

static void make_directories(const char *path)
{
    char part[PATH_ROOM];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        (void)mkdir(part, 0700); /* it may be there already; opening the last one tells whether all went well */
    }
    (void)mkdir(path, 0700);
}

/* Whose is it, and who else may write there? @return NULL when it can be trusted, else what is wrong. */
static const char *distrust(const struct stat *info)
{
    if (info->st_uid != geteuid())
        return "it belongs to another user";
    return info->st_mode & (S_IWGRP | S_IWOTH) ? "others may write to it" : NULL;
}

/* Says once what is wrong with the folder: every program would say it again. */
static void complain(const char *path, const char *what)
{
    static int said;
    if (!__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED)) /* partner: the same in other threads; one of them is first */
        rd__log(RD_LOG_WARN,
                "kernel cache: %s is not used: %s; kernels are compiled each time until it is a folder of your own "
                "(chmod 700) or RADDLE_CACHE_DIR names one",
                path, what);
}

/* Opens the folder. @return its descriptor, or -1: there is none, or it is not to be trusted. */
static int open_directory(int make)
{
    char path[PATH_ROOM];
    struct stat info;
    if (!cache_directory(path, sizeof path))
        return -1;
    if (make)
        make_directories(path);
    const int directory = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (directory < 0) {
        if (make || errno != ENOENT)
            complain(path, errno == ELOOP || errno == ENOTDIR ? "it is a link, or no folder" : strerror(errno));
        return -1;
    }
    const char *what = fstat(directory, &info) == 0 ? distrust(&info) : strerror(errno);
    if (!what)
        return directory;
    complain(path, what);
    close(directory);
    return -1;
}

/* Reads all of it. @return 1 on success. */
static int read_all(int fd, void *data, size_t bytes)
{
    for (char *at = data; bytes;) {
        const ssize_t n = read(fd, at, bytes);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return 0;
        at += n;
        bytes -= (size_t)n;
    }
    return 1;
}

static int header_fits(const struct header *header, const rd__hash *key, uint64_t file_bytes)
{
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->version == VERSION &&
           header->byte_order == BYTE_ORDER_MARK && memcmp(&header->key, key, sizeof *key) == 0 &&
           header->bytes == file_bytes - sizeof *header;
}

/* @return NULL with the content, or what is wrong with the entry. */
static const char *read_entry(int fd, const rd__hash *key, void **content, size_t *bytes)
{
    static const char damaged[] = "it is damaged or of another version";
    struct header header;
    struct stat info;
    rd__hash check = {{0, 0}};
    if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode))
        return "it is no plain file";
    const char *what = distrust(&info);
    if (what)
        return what;
    if ((uint64_t)info.st_size <= sizeof header || (uint64_t)info.st_size > CONTENT_MAX ||
        !read_all(fd, &header, sizeof header) || !header_fits(&header, key, (uint64_t)info.st_size))
        return damaged;
    *bytes = (size_t)header.bytes;
    *content = rd__malloc(*bytes);
    if (!*content)
        return "there is no memory for it";
    if (!read_all(fd, *content, *bytes))
        return damaged;
    rd__hash_add(&check, *content, *bytes);
    return memcmp(&check, &header.content, sizeof check) == 0 ? NULL : damaged;
}

int rd__cache_get(const rd__hash *key, void **data, size_t *bytes)
{
    char name[33];
    void *content = NULL;
    const char *what = NULL;
    const int directory = open_directory(0);
    if (directory < 0)
        return 0;
    rd__hash_hex(key, name);
    /* O_NONBLOCK: a FIFO in its place would keep us waiting */
    const int fd = openat(directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (fd >= 0) {
        what = read_entry(fd, key, &content, bytes);
        close(fd);
    } else if (errno != ENOENT) {
        what = errno == ELOOP ? "it is a link" : strerror(errno);
    }
    close(directory);
    if (fd >= 0 && !what) {
        *data = content;
        return 1;
    }
    rd__free(content);
    if (what)
        rd__log(RD_LOG_WARN, "kernel cache: entry %s is ignored and rebuilt: %s", name, what);
    return 0;
}

/* A new file under a name that nobody has: what is there already, a link among it, is not touched. *ticket: of the
 * table of files that must not outlive the process. */
static int create_aside(int directory, char *name, size_t room, int *ticket)
{
    enum { ATTEMPTS = 16 };
    static unsigned serial; /* relaxed: threads of one process get different names, no more */
    int fd = -1;
    for (int i = 0; i < ATTEMPTS && fd < 0; i++) {
        const uint64_t salt = rd__mix64((uint64_t)getpid() << 32 ^ (uint64_t)(rd_now() * 1e9));
        snprintf(name, room, ".new-%016llx-%u", (unsigned long long)salt,
                 __atomic_fetch_add(&serial, 1, __ATOMIC_RELAXED));
        *ticket = rd__temporary_add(directory, name, RD__TEMPORARY_SCRATCH);
        fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
        const int why = errno;
        if (fd < 0)
            rd__temporary_forget(*ticket);
        errno = why;
        if (fd < 0 && why != EEXIST)
            break;
    }
    return fd;
}

void rd__cache_put(const rd__hash *key, const void *data, size_t bytes)
{
    char name[33], aside[NAME_ROOM];
    if (bytes > CONTENT_MAX - sizeof(struct header))
        return;
    const int directory = open_directory(1);
    if (directory < 0)
        return;
    struct header header = {.version = VERSION, .byte_order = BYTE_ORDER_MARK, .key = *key, .bytes = bytes};
    memcpy(header.magic, magic, sizeof magic);
    rd__hash_add(&header.content, data, bytes);
    rd__hash_hex(key, name);
    int ticket = -1;
    const int fd = create_aside(directory, aside, sizeof aside, &ticket);
    int good = fd >= 0, why = errno;
    if (fd >= 0) {
        good = rd__write_all(fd, &header, sizeof header) == 0 && rd__write_all(fd, data, bytes) == 0;
        why = errno;
        if (close(fd) != 0 && good) {
            good = 0;
            why = errno;
        }
        if (good && renameat(directory, aside, directory, name) != 0) {
            good = 0;
            why = errno;
        }
        if (!good)
            (void)unlinkat(directory, aside, 0);
        rd__temporary_forget(ticket);
    }
    close(directory);
    if (!good)
        rd__log(RD_LOG_WARN,
                "kernel cache: entry %s cannot be written (%s); its kernels will be compiled again next time", name,
                strerror(why));
}
