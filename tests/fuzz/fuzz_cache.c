/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_cache.c - entries of the program cache. The input is the file of an entry, as it is; or, when its first byte is
 * odd, the content of a good one with one byte changed, at a place that the input tells: a hit would be wrong.
 */
#define _POSIX_C_SOURCE 200809L
#include "fuzz.h"

#include "device/cache.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/dev/shm/raddle-fuzz-XXXXXX", on_disk[] = "/tmp/raddle-fuzz-XXXXXX";
static const rd__hash key = {{3, 4}};
static char path[128];

static void remove_all(void)
{
    unlink(path);
    rmdir(folder);
}

static void start(void)
{
    char hex[33];
    /* the cache is files, and must be; in memory where the system has that */
    if (!mkdtemp(folder))
        memcpy(folder, on_disk, sizeof on_disk);
    if ((strcmp(folder, on_disk) == 0 && !mkdtemp(folder)) || setenv("RADDLE_CACHE_DIR", folder, 1) != 0)
        abort();
    rd__hash_hex(&key, hex);
    snprintf(path, sizeof path, "%s/%s", folder, hex);
    atexit(remove_all);
}

static void damage(size_t place)
{
    struct stat info;
    unsigned char byte;
    const int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &info) != 0)
        abort();
    const off_t at = (off_t)(place % (size_t)info.st_size);
    if (pread(fd, &byte, 1, at) != 1)
        abort();
    byte ^= 0x40;
    if (pwrite(fd, &byte, 1, at) != 1 || close(fd) != 0)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    void *found = NULL;
    size_t size = 0;
    fuzz_begin();
    if (!path[0])
        start();
    if (bytes > 3 && data[0] & 1) {
        rd__cache_put(&key, data, bytes);
        if (!rd__cache_get(&key, &found, &size) || size != bytes || memcmp(found, data, bytes) != 0)
            abort();
        rd__free(found);
        damage((size_t)data[1] << 8 | data[2]);
        if (rd__cache_get(&key, &found, &size))
            abort();
    } else {
        unlink(path);
        const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes || close(fd) != 0)
            abort();
        if (rd__cache_get(&key, &found, &size)) {
            if (size >= bytes)
                abort();
            rd__free(found);
        }
    }
    fuzz_end();
    return 0;
}
