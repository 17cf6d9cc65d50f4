/* SPDX-License-Identifier: Apache-2.0 */
/* spec.c - parameters of generators and lines of texts, for apps that open inputs of their own. */
#include "apps/common/spec.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int rd__spec_names(const char *text, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(text, name, length) == 0 && text[length] == ':';
}

rd_status rd__spec_split(const char *text, const char *syntax, rd__gen_args *args, rd_error *err)
{
    unsigned most = 0;
    *args = (rd__gen_args){.syntax = syntax};
    for (const char *c = syntax; *c; c++)
        most += *c == ':';
    for (const char *at = strchr(text, ':'); at && *at == ':';) {
        const size_t length = strcspn(++at, ":");
        if (args->count == most || args->count == RD_GEN_PARTS || length >= sizeof args->part[0])
            return rd__fail(err, RD_EARG, "'%.80s' has too many or too long parameters; the syntax is %s", text,
                            syntax);
        memcpy(args->part[args->count], at, length);
        args->part[args->count++][length] = 0;
        at += length;
    }
    return RD_OK;
}

static void start(rd__lines *lines)
{
    lines->options = (rd_graph_options){.size = sizeof lines->options, .threads = 1};
    rd__text_init(&lines->text, &lines->source, &lines->options);
}

rd_status rd__lines_open(rd__lines *lines, const char *name, const rd__watch *watch, rd_error *err)
{
    *lines = (rd__lines){.source = {.fd = -1}};
    const rd_status status = rd__source_open(&lines->source, name, watch, err);
    start(lines);
    return status;
}

rd_status rd__lines_memory(rd__lines *lines, const char *name, const char *data, size_t bytes, rd_error *err)
{
    *lines = (rd__lines){.source = {.fd = -1}};
    const rd_status status = rd__source_memory(&lines->source, name, data, bytes, err);
    start(lines);
    return status;
}

void rd__lines_close(rd__lines *lines)
{
    rd__text_free(&lines->text);
    rd__source_close(&lines->source);
}

rd_status rd__lines_next(rd__lines *lines, char **line, rd_error *err)
{
    int again;
    do {
        RD_TRY(rd__text_line(&lines->text, line, err));
        const char *at = *line ? rd__skip_blanks(*line) : NULL;
        again = at && (*at == '\0' || *at == '#');
    } while (again);
    return RD_OK;
}

rd_status rd__lines_fail(const rd__lines *lines, rd_error *err, const char *format, ...)
{
    char what[400];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    return rd__fail(err, RD_EINPUT, "%s:%llu: %s", lines->source.name, (unsigned long long)lines->text.line, what);
}
