/* SPDX-License-Identifier: Apache-2.0 */
/* sealed.c - see sealed.h. */
#include "core/sealed.h"

#include "core/hash.h"
#include "core/sink.h"

#include <stdio.h>
#include <string.h>

enum { SUM = 32 };
static const char last[] = "sum ";

static void sum_of(const char *text, size_t bytes, char hex[SUM + 1])
{
    rd__hash hash = {{0, 0}};
    rd__hash_add(&hash, text, bytes);
    rd__hash_hex(&hash, hex);
}

rd_status rd__sealed_write(const char *path, const char *text, size_t bytes, rd_error *err)
{
    char hex[SUM + 1], seal[sizeof last + SUM + 1];
    rd__sink sink;
    sum_of(text, bytes, hex);
    snprintf(seal, sizeof seal, "%s%s\n", last, hex);
    RD_TRY(rd__sink_open(&sink, path, RD__SINK_REPLACE, err));
    rd_status status = rd__sink_write(&sink, text, bytes, err);
    if (status == RD_OK)
        status = rd__sink_write(&sink, seal, strlen(seal), err);
    return rd__sink_close(&sink, status, err);
}

int rd__sealed_open(char *text, size_t bytes)
{
    const size_t length = sizeof last - 1 + SUM + 1;
    char hex[SUM + 1];
    if (bytes < length || strlen(text) != bytes || text[bytes - 1] != '\n')
        return 0;
    char *line = text + bytes - length;
    sum_of(text, bytes - length, hex);
    if (strncmp(line, last, sizeof last - 1) != 0 || strncmp(line + sizeof last - 1, hex, SUM) != 0)
        return 0;
    *line = 0;
    return 1;
}

char *rd__sealed_line(char **at, const char *word)
{
    const size_t length = strlen(word);
    char *line = *at, *end = strchr(line, '\n');
    if (!end || strncmp(line, word, length) != 0)
        return NULL;
    *end = 0;
    *at = end + 1;
    return line + length;
}
