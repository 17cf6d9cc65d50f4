/* SPDX-License-Identifier: Apache-2.0 */
/* manifest.c - see manifest.h. */
#include "job/manifest.h"

#include "core/hash.h"
#include "core/memory.h"
#include "core/sink.h"
#include "core/text.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 512, SUM = 32 };
static const char first[] = "raddle checkpoint ", format[] = "1", last[] = "sum ";

static rd_status damaged(const char *path, rd_error *err)
{
    return rd__fail(err, RD_EINPUT, "%s: the checkpoint was changed or damaged", path);
}

/* The value of the next line, which begins with this word; NULL: it does not. *at goes on behind it. */
static char *take_line(char **at, const char *word)
{
    const size_t length = strlen(word);
    char *line = *at, *end = strchr(line, '\n');
    if (!end || strncmp(line, word, length) != 0)
        return NULL;
    *end = 0;
    *at = end + 1;
    return line + length;
}

static void sum_of(const char *text, size_t bytes, char hex[SUM + 1])
{
    rd__hash hash = {{0, 0}};
    rd__hash_add(&hash, text, bytes);
    rd__hash_hex(&hash, hex);
}

/* The last line is the hash of those before. @return where it begins; NULL: it is another. */
static char *find_sum(char *text, size_t bytes)
{
    const size_t length = sizeof last - 1 + SUM + 1;
    char hex[SUM + 1];
    if (bytes < length || strlen(text) != bytes || text[bytes - 1] != '\n')
        return NULL;
    char *line = text + bytes - length;
    sum_of(text, bytes - length, hex);
    return strncmp(line, last, sizeof last - 1) == 0 && strncmp(line + sizeof last - 1, hex, SUM) == 0 ? line : NULL;
}

static int parse_lines(char *at, rd_checkpoint *checkpoint)
{
    const char *app = take_line(&at, "app "), *ranks = take_line(&at, "ranks ");
    const char *number = take_line(&at, "number "), *seconds = take_line(&at, "seconds ");
    uint64_t count;
    if (!app || !ranks || !number || !seconds || !take_line(&at, "note"))
        return 0;
    if (strlen(app) >= sizeof checkpoint->app || !rd_parse_u64(ranks, &count) || !count || count > UINT32_MAX ||
        !rd_parse_u64(number, &checkpoint->number) || !rd_parse_double(seconds, &checkpoint->seconds))
        return 0;
    snprintf(checkpoint->app, sizeof checkpoint->app, "%s", app);
    checkpoint->ranks = (uint32_t)count;
    checkpoint->note = rd__strdup(at);
    return 1;
}

rd_status rd__manifest_parse(char *text, size_t bytes, const char *path, rd_checkpoint *checkpoint, rd_error *err)
{
    char *at = text;
    *checkpoint = (rd_checkpoint){.number = 0};
    if (strncmp(text, first, sizeof first - 1) != 0)
        return rd__fail(err, RD_EINPUT, "%s is no checkpoint", path);
    char *const sum = find_sum(text, bytes);
    if (!sum)
        return damaged(path, err);
    *sum = 0;
    const char *written = take_line(&at, first), *version = take_line(&at, "version ");
    if (!written || strcmp(written, format) != 0)
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint has format %s, and this raddle reads format %s", path,
                        written ? written : "?", format);
    if (!version || strcmp(version, rd_version()) != 0)
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint is of raddle %s, and this is %s", path,
                        version ? version : "?", rd_version());
    if (!parse_lines(at, checkpoint))
        return damaged(path, err);
    return checkpoint->note ? RD_OK : rd__fail_memory(err, "a checkpoint's note", bytes);
}

rd_status rd__manifest_write(const char *path, const rd_checkpoint *checkpoint, rd_error *err)
{
    const size_t room = HEAD + strlen(checkpoint->note);
    char hex[SUM + 1], *text = rd__malloc(room);
    rd__sink sink;
    if (!text)
        return rd__fail_memory(err, "a checkpoint's manifest", room);
    size_t used =
        (size_t)rd__snprintf(text, room, "%s%s\nversion %s\napp %s\nranks %u\nnumber %llu\nseconds %.3f\nnote\n%s",
                             first, format, rd_version(), checkpoint->app, checkpoint->ranks,
                             (unsigned long long)checkpoint->number, checkpoint->seconds, checkpoint->note);
    sum_of(text, used, hex);
    used += (size_t)snprintf(text + used, room - used, "%s%s\n", last, hex);
    rd_status status = rd__sink_open(&sink, path, RD__SINK_REPLACE, err);
    if (status == RD_OK)
        status = rd__sink_close(&sink, rd__sink_write(&sink, text, used, err), err);
    rd__free(text);
    return status;
}
