/* SPDX-License-Identifier: Apache-2.0 */
/* manifest.c - see manifest.h. */
#include "job/manifest.h"

#include "core/memory.h"
#include "core/sealed.h"
#include "core/text.h"
#include "raddle/tool.h"

#include <stdio.h>
#include <string.h>

enum { HEAD = 512 };
static const char first[] = "raddle checkpoint ", format[] = "1";

static rd_status damaged(const char *path, rd_error *err)
{
    return rd__fail(err, RD_EINPUT, "%s: the checkpoint was changed or damaged", path);
}

static int parse_lines(char *at, rd_checkpoint *checkpoint)
{
    const char *app = rd__sealed_line(&at, "app "), *ranks = rd__sealed_line(&at, "ranks ");
    const char *number = rd__sealed_line(&at, "number "), *seconds = rd__sealed_line(&at, "seconds ");
    uint64_t count;
    if (!app || !ranks || !number || !seconds || !rd__sealed_line(&at, "note"))
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
    if (!rd__sealed_open(text, bytes))
        return damaged(path, err);
    const char *written = rd__sealed_line(&at, first), *version = rd__sealed_line(&at, "version ");
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
    char *text = rd__malloc(room);
    if (!text)
        return rd__fail_memory(err, "a checkpoint's manifest", room);
    const int used = rd__snprintf(text, room, "%s%s\nversion %s\napp %s\nranks %u\nnumber %llu\nseconds %.3f\nnote\n%s",
                                  first, format, rd_version(), checkpoint->app, checkpoint->ranks,
                                  (unsigned long long)checkpoint->number, checkpoint->seconds, checkpoint->note);
    const rd_status status = rd__sealed_write(path, text, (size_t)used, err);
    rd__free(text);
    return status;
}
