/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cache.c - compiled kernels on disk.
 *
 * Where: $RADDLE_CACHE_DIR, else $XDG_CACHE_HOME/raddle, else $HOME/.cache/raddle; nowhere when none is set.
 * Entry: a header (magic, version, byte order, the full key, length, checksum of the content), then the content. A
 * reader believes an entry only when all of it fits; anything else (cut short, bit rot, another version's file, a
 * directory in the way) is a miss, and the entry is rebuilt over it. Writers write a temporary file of their own that
 * is renamed (core/sink.h): concurrent runs see a whole entry or none.
 */
#define _POSIX_C_SOURCE 200809L
#include "device/cache.h"

#include "core/log.h"
#include "core/memory.h"
#include "core/sink.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct header {
    char magic[8];
    uint32_t version;
    uint32_t byte_order;
    rd__hash key;
    uint64_t bytes;
    rd__hash content;
};
static const char magic[8] = "RDCACHE";
enum { VERSION = 1, BYTE_ORDER_MARK = 0x01020304, PATH_ROOM = 1024 };

static int cache_directory(char *path, size_t room)
{
    static const struct {
        const char *variable, *below;
    } place[] = {{"RADDLE_CACHE_DIR", ""}, {"XDG_CACHE_HOME", "/raddle"}, {"HOME", "/.cache/raddle"}};
    for (size_t i = 0; i < sizeof place / sizeof place[0]; i++) {
        const char *base = getenv(place[i].variable);
        if (base && *base == '/') { /* XDG: a relative path is to be ignored */
            int n = snprintf(path, room, "%s%s", base, place[i].below);
            return n > 0 && (size_t)n < room;
        }
    }
    return 0;
}

static int entry_path(const rd__hash *key, char *path, size_t room)
{
    char directory[PATH_ROOM], name[33];
    if (!cache_directory(directory, sizeof directory))
        return 0;
    rd__hash_hex(key, name);
    int n = snprintf(path, room, "%s/%s", directory, name);
    return n > 0 && (size_t)n < room;
}

static void make_directories(const char *path)
{
    char part[PATH_ROOM];
    for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
        (void)mkdir(part, 0700); /* it may be there already; opening the entry tells whether all went well */
    }
}

static int header_fits(const struct header *header, const rd__hash *key, uint64_t file_bytes)
{
    return memcmp(header->magic, magic, sizeof magic) == 0 && header->version == VERSION &&
           header->byte_order == BYTE_ORDER_MARK && memcmp(&header->key, key, sizeof *key) == 0 &&
           header->bytes == file_bytes - sizeof *header;
}

int rd__cache_get(const rd__hash *key, void **data, size_t *bytes)
{
    char path[PATH_ROOM];
    struct header header;
    struct stat info;
    void *content = NULL;
    if (!entry_path(key, path, sizeof path))
        return 0;
    FILE *file = fopen(path, "rb");
    if (!file)
        return 0;
    rd__hash check = {{0, 0}};
    int good = fstat(fileno(file), &info) == 0 && S_ISREG(info.st_mode) && (uint64_t)info.st_size > sizeof header &&
               fread(&header, sizeof header, 1, file) == 1 && header_fits(&header, key, (uint64_t)info.st_size) &&
               (content = rd__malloc((size_t)header.bytes)) != NULL &&
               fread(content, (size_t)header.bytes, 1, file) == 1;
    fclose(file);
    if (good) {
        rd__hash_add(&check, content, (size_t)header.bytes);
        good = memcmp(&check, &header.content, sizeof check) == 0;
    }
    if (!good) {
        rd__log(RD_LOG_WARN, "kernel cache: %s is damaged or foreign; it is ignored and rebuilt", path);
        rd__free(content);
        return 0;
    }
    *data = content;
    *bytes = (size_t)header.bytes;
    return 1;
}

void rd__cache_put(const rd__hash *key, const void *data, size_t bytes)
{
    char path[PATH_ROOM];
    if (!entry_path(key, path, sizeof path))
        return;
    struct header header = {.version = VERSION, .byte_order = BYTE_ORDER_MARK, .key = *key, .bytes = bytes};
    memcpy(header.magic, magic, sizeof magic);
    rd__hash_add(&header.content, data, bytes);

    make_directories(path);
    rd__sink sink;
    rd_error why;
    rd_status status = rd__sink_open(&sink, path, RD__SINK_CACHE, &why);
    if (status == RD_OK) {
        status = rd__sink_write(&sink, &header, sizeof header, &why);
        if (status == RD_OK)
            status = rd__sink_write(&sink, data, bytes, &why);
        status = rd__sink_close(&sink, status, &why);
    }
    if (status != RD_OK)
        rd__log(RD_LOG_WARN, "kernel cache: %s; kernels will be compiled again next time", why.text);
}
