/* SPDX-License-Identifier: Apache-2.0 */
/* source.c - plain and compressed bytes; see source.h. */
#define _POSIX_C_SOURCE 200809L
#include "graph/read/source.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD_BYTES = 64 << 10, INPUT_BYTES = 256 << 10 };
enum {
    READ_BYTES = 4 << 20, /* at once, so that the watch is asked now and then */
    MOMENT_MS = 50,       /* between two questions whether to go on */
};
enum { PLAIN, GZIP, ZSTD, BZIP2, XZ };

static const rd__decoder_ops *ops_of(const rd__source *source)
{
    static const rd__decoder_ops *const table[] = {
        [GZIP] = &rd__gzip_ops, [ZSTD] = &rd__zstd_ops, [BZIP2] = &rd__bzip2_ops, [XZ] = &rd__xz_ops};
    return table[source->compressed];
}

/* Asks whether to go on, and waits for a moment when nothing is there yet. *ready: a read will not block. */
static rd_status wait_for_bytes(rd__source *source, int *ready, rd_error *err)
{
    /* relaxed: only says that somebody wants an end; partner: rd__source_stop */
    int stopped = atomic_load_explicit(&source->stopped, memory_order_relaxed);
    if (!stopped && pthread_equal(pthread_self(), source->opener))
        stopped = rd__watch_stops(&source->watch, "reading", source->taken, source->size, "bytes");
    if (stopped)
        return rd__fail(err, RD_ECANCELLED, "%s: stopped while reading, after %llu bytes", source->name,
                        (unsigned long long)source->taken);
    *ready = 1;
    if (source->may_block) {
        struct pollfd look = {.fd = source->fd, .events = POLLIN};
        const int found = poll(&look, 1, MOMENT_MS);
        *ready = found > 0 || (found < 0 && errno != EINTR); /* what else is wrong the read will tell */
    }
    return RD_OK;
}

/* Bytes as they are in the file. */
static rd_status read_raw(rd__source *source, void *data, size_t want, size_t *got, rd_error *err)
{
    *got = 0;
    if (source->fd < 0) {
        uint64_t left = source->memory_bytes - source->taken;
        *got = want < left ? want : (size_t)left;
        if (*got)
            memcpy(data, source->memory + source->taken, *got);
        source->taken += *got;
        return RD_OK;
    }
    while (*got < want) {
        int ready = 0;
        RD_TRY(wait_for_bytes(source, &ready, err));
        if (!ready)
            continue;
        const size_t some = want - *got < READ_BYTES ? want - *got : READ_BYTES;
        ssize_t n = read(source->fd, (char *)data + *got, some);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return rd__fail(err, RD_EIO, "%s: cannot be read: %s", source->name, strerror(errno));
        if (n == 0)
            break;
        *got += (size_t)n;
        source->taken += (uint64_t)n;
    }
    return RD_OK;
}

static rd_status read_compressed(rd__source *source, void *data, size_t want, size_t *got, rd_error *err)
{
    int ended = 0;
    *got = 0;
    while (*got < want) {
        size_t some = 0;
        RD_TRY(ops_of(source)->decode(source, (char *)data + *got, want - *got, &some, &ended, err));
        *got += some;
        if (some || source->input_at < source->input_end)
            continue;
        if (source->input_done) {
            if (!ended)
                return rd__fail(err, RD_EINPUT, "%s: the %s data ends early: the file is truncated", source->name,
                                ops_of(source)->name);
            break;
        }
        source->input_at = 0;
        RD_TRY(read_raw(source, source->input, INPUT_BYTES, &source->input_end, err));
        source->input_done = source->input_end < INPUT_BYTES;
    }
    return RD_OK;
}

rd_status rd__source_read(rd__source *source, void *data, size_t want, size_t *got, rd_error *err)
{
    size_t ahead = source->head_end - source->head_at;
    if (ahead) {
        ahead = ahead < want ? ahead : want;
        memcpy(data, source->head + source->head_at, ahead);
        source->head_at += ahead;
    }
    *got = ahead;
    if (ahead == want)
        return RD_OK;
    size_t rest;
    rd_status status = source->compressed ? read_compressed(source, (char *)data + ahead, want - ahead, &rest, err)
                                          : read_raw(source, (char *)data + ahead, want - ahead, &rest, err);
    *got += rest;
    return status;
}

rd_status rd__source_skip(rd__source *source, uint64_t bytes, uint64_t *skipped, rd_error *err)
{
    const uint64_t ahead = source->head_end - source->head_at;
    const uint64_t left = source->size > source->taken ? source->size - source->taken : 0;
    *skipped = ahead < bytes ? ahead : bytes;
    source->head_at += (size_t)*skipped;
    if (!source->compressed && source->size) { /* a plain file or memory: what is left is known */
        const uint64_t far = bytes - *skipped < left ? bytes - *skipped : left;
        if (far && source->fd >= 0 && lseek(source->fd, (off_t)far, SEEK_CUR) < 0)
            return rd__fail(err, RD_EIO, "%s: cannot be read: %s", source->name, strerror(errno));
        source->taken += far;
        *skipped += far;
        return RD_OK;
    }
    char buffer[4096];
    while (*skipped < bytes) {
        const size_t some = bytes - *skipped < sizeof buffer ? (size_t)(bytes - *skipped) : sizeof buffer;
        size_t got;
        RD_TRY(rd__source_read(source, buffer, some, &got, err));
        *skipped += got;
        if (got < some)
            break;
    }
    return RD_OK;
}

/* A frame of zstd, or one that its readers skip: 0x184d2a50 to 0x184d2a5f, which parallel packers put first. */
static int is_zstd(const unsigned char *head, size_t bytes)
{
    static const unsigned char frame[] = {0x28, 0xb5, 0x2f, 0xfd}, skipped[] = {0x2a, 0x4d, 0x18};
    return bytes >= 4 &&
           (memcmp(head, frame, 4) == 0 || ((head[0] & 0xf0) == 0x50 && memcmp(head + 1, skipped, 3) == 0));
}

/* @return how the bytes are compressed, by their beginning. */
static int compression_of(const unsigned char *head, size_t bytes)
{
    static const unsigned char gzip[] = {0x1f, 0x8b}, xz[] = {0xfd, '7', 'z', 'X', 'Z', 0};
    static const unsigned char bzip2_block[] = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59}; /* or, of an empty file: */
    static const unsigned char bzip2_end[] = {0x17, 0x72, 0x45, 0x38, 0x50, 0x90};
    if (bytes >= sizeof gzip && memcmp(head, gzip, sizeof gzip) == 0)
        return GZIP;
    if (is_zstd(head, bytes))
        return ZSTD;
    if (bytes >= sizeof xz && memcmp(head, xz, sizeof xz) == 0)
        return XZ;
    if (bytes >= 10 && memcmp(head, "BZh", 3) == 0 && head[3] >= '1' && head[3] <= '9' &&
        (memcmp(head + 4, bzip2_block, 6) == 0 || memcmp(head + 4, bzip2_end, 6) == 0))
        return BZIP2;
    return PLAIN;
}

uint64_t rd__source_room(const rd__source *source, uint64_t have, uint64_t count, size_t size)
{
    enum { AT_FIRST = 1 << 20 }; /* bytes */
    if (source->size && !source->compressed && count <= source->size / size)
        return count;
    const uint64_t room = have ? 2 * have : AT_FIRST / size;
    return room < count ? room : count;
}

rd_status rd__source_array(rd__source *source, void *out_pointer, const char *what, uint64_t count, size_t size,
                           uint64_t *got, rd_error *err)
{
    char *array = NULL;
    uint64_t have = 0;
    rd_status status = RD_OK;
    *got = 0;
    do {
        const uint64_t room = rd__source_room(source, have, count, size);
        size_t some = 0;
        status = rd__array_grow(&array, what, have, room, size, err);
        if (status == RD_OK)
            status = rd__source_read(source, array + have * size, (size_t)((room - have) * size), &some, err);
        *got += some;
        have = room;
    } while (status == RD_OK && have < count && *got == have * size);
    memcpy(out_pointer, &array, sizeof array);
    return status;
}

/* Looks at the first bytes, finds out whether they are compressed, and decodes the head. */
static rd_status start(rd__source *source, rd_error *err)
{
    source->head = rd__malloc(HEAD_BYTES);
    if (!source->head)
        return rd__fail_memory(err, "reading a graph", HEAD_BYTES);
    RD_TRY(read_raw(source, source->head, HEAD_BYTES, &source->head_end, err));
    source->compressed = compression_of((const unsigned char *)source->head, source->head_end);
    if (!source->compressed)
        return RD_OK;
    source->input = rd__malloc(INPUT_BYTES);
    if (!source->input)
        return rd__fail_memory(err, "reading a compressed graph", INPUT_BYTES);
    memcpy(source->input, source->head, source->head_end);
    source->input_end = source->head_end;
    source->input_done = source->head_end < HEAD_BYTES;
    source->head_end = 0;
    RD_TRY(ops_of(source)->open(source, err));
    size_t got;
    RD_TRY(read_compressed(source, source->head, HEAD_BYTES, &got, err));
    source->head_end = got;
    return RD_OK;
}

/* source->fd is open: what is it? */
static rd_status begin(rd__source *source, const rd__watch *watch, rd_error *err)
{
    struct stat info;
    source->may_block = 1;
    source->opener = pthread_self();
    if (watch)
        source->watch = *watch;
    rd_status status = RD_OK;
    if (fstat(source->fd, &info) == 0) {
        if (S_ISDIR(info.st_mode))
            status = rd__fail(err, RD_EIO, "%s: is a directory, not a file", source->name);
        if (S_ISREG(info.st_mode) && info.st_size > 0) {
            source->size = (uint64_t)info.st_size;
            source->may_block = 0; /* files of /proc have no size, and some of them wait for news */
        }
    }
    if (status == RD_OK)
        status = start(source, err);
    if (status != RD_OK)
        rd__source_close(source);
    return status;
}

rd_status rd__source_open(rd__source *source, const char *path, const rd__watch *watch, rd_error *err)
{
    memset(source, 0, sizeof *source);
    source->name = path;
    if (strcmp(path, "-") == 0) {
        source->name = "standard input";
        source->fd = STDIN_FILENO;
    } else {
        /* O_NONBLOCK: a FIFO is opened before it has a writer, and poll waits for one */
        source->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
        if (source->fd < 0)
            return rd__fail(err, RD_EIO, "%s: cannot be opened: %s", path, strerror(errno));
        source->own_fd = 1;
    }
    return begin(source, watch, err);
}

rd_status rd__source_fd(rd__source *source, const char *name, int fd, const rd__watch *watch, rd_error *err)
{
    memset(source, 0, sizeof *source);
    source->name = name;
    source->fd = fd;
    source->own_fd = 1;
    return begin(source, watch, err);
}

void rd__source_stop(rd__source *source)
{
    /* relaxed: see wait_for_bytes, its partner */
    atomic_store_explicit(&source->stopped, 1, memory_order_relaxed);
}

rd_status rd__source_memory(rd__source *source, const char *name, const void *data, size_t bytes, rd_error *err)
{
    memset(source, 0, sizeof *source);
    source->name = name;
    source->fd = -1;
    source->memory = data;
    source->size = source->memory_bytes = bytes;
    rd_status status = start(source, err);
    if (status != RD_OK)
        rd__source_close(source);
    return status;
}

void rd__source_close(rd__source *source)
{
    if (source->decoder)
        ops_of(source)->close(source);
    if (source->own_fd)
        close(source->fd);
    rd__free(source->input);
    rd__free(source->head);
    memset(source, 0, sizeof *source);
}

const char *rd__source_peek(const rd__source *source, size_t *bytes)
{
    *bytes = source->head_end - source->head_at;
    return source->head + source->head_at;
}

void rd__source_skip_mark(rd__source *source)
{
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
    if (source->head_at == 0 && source->head_end >= sizeof mark && memcmp(source->head, mark, sizeof mark) == 0)
        source->head_at = sizeof mark;
}
