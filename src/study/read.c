/* SPDX-License-Identifier: Apache-2.0 */
/*
 * read.c - points from files of JSON Lines. Of a record only the fields of a point are kept; others may be of any kind
 * and depth. Records that are neither points ("study_point") nor numbers of microbenchmarks ("study_micro") are passed
 * over, so that files may hold other things too.
 */
#include "study/study.h"

#include "core/memory.h"
#include "core/text.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 16, KEY = 32 };

typedef struct scan {
    const char *at; /* ends with a zero byte */
    char *text;     /* strings of the record, one behind the other; as much room as the line has bytes */
    size_t used;
    double *number; /* likewise: room for as many as the line can have */
    size_t numbers;
} scan;

static void skip_space(scan *in)
{
    in->at += strspn(in->at, " \t\r\n");
}

static int take(scan *in, char wanted)
{
    skip_space(in);
    if (*in->at != wanted)
        return 0;
    in->at++;
    return 1;
}

/* Four hexadecimal digits, as UTF-8. Halves of pairs stay as they are: names that have them are only compared. */
static int take_unit(scan *in)
{
    static const char digits[] = "0123456789abcdef0123456789ABCDEF";
    uint32_t unit = 0;
    for (int i = 0; i < 4; i++) {
        const char *digit = *in->at ? strchr(digits, *in->at) : NULL;
        if (!digit)
            return 0;
        unit = 16 * unit + (uint32_t)((digit - digits) % 16);
        in->at++;
    }
    if (unit == 0)
        return 0; /* would end the text */
    if (unit >= 0x800)
        in->text[in->used++] = (char)(0xe0 | unit >> 12);
    if (unit >= 0x80)
        in->text[in->used++] = (char)(unit >= 0x800 ? 0x80 | (unit >> 6 & 63) : 0xc0 | unit >> 6);
    in->text[in->used++] = (char)(unit >= 0x80 ? 0x80 | (unit & 63) : unit);
    return 1;
}

/* @return the text, ended by a zero byte; NULL: it is none. */
static const char *take_text(scan *in)
{
    static const char escapes[] = "\"\\/bfnrt", meant[] = "\"\\/\b\f\n\r\t";
    const size_t start = in->used;
    if (!take(in, '"'))
        return NULL;
    while (*in->at && *in->at != '"') {
        if (*in->at != '\\') {
            in->text[in->used++] = *in->at++;
            continue;
        }
        const char kind = *++in->at;
        const char *escape = kind ? strchr(escapes, kind) : NULL;
        if (!escape && kind != 'u')
            return NULL;
        in->at++;
        if (kind == 'u' && !take_unit(in))
            return NULL;
        if (escape)
            in->text[in->used++] = meant[escape - escapes];
    }
    if (*in->at++ != '"')
        return NULL;
    in->text[in->used++] = '\0';
    return in->text + start;
}

static int take_number(scan *in, double *number)
{
    char *end;
    skip_space(in);
    if (!strchr("-0123456789", *in->at) || !*in->at)
        return 0;
    *number = rd__strtod(in->at, &end);
    const int some = end != in->at;
    in->at = end;
    return some;
}

/* Any value, which is not kept. */
static int skip_value(scan *in, int depth)
{
    static const char *const words[] = {"true", "false", "null"};
    double number;
    skip_space(in);
    if (*in->at == '"')
        return take_text(in) != NULL;
    if (*in->at == '[' || *in->at == '{') {
        const char close = *in->at == '[' ? ']' : '}';
        in->at++;
        if (depth == DEPTH || take(in, close))
            return depth < DEPTH;
        do {
            if ((close == '}' && (!take_text(in) || !take(in, ':'))) || !skip_value(in, depth + 1))
                return 0;
        } while (take(in, ','));
        return take(in, close);
    }
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(in->at, words[i], strlen(words[i])) == 0) {
            in->at += strlen(words[i]);
            return 1;
        }
    return take_number(in, &number);
}

static int take_seconds(scan *in, rd_study_point *point)
{
    if (in->numbers || !take(in, '[')) /* twice in one record: no */
        return 0;
    if (!take(in, ']')) {
        do {
            if (!take_number(in, &in->number[in->numbers]))
                return 0;
            in->numbers++;
        } while (take(in, ','));
        if (!take(in, ']'))
            return 0;
    }
    point->seconds = in->number;
    point->count = in->numbers;
    return 1;
}

/* What a line may be. */
typedef struct record {
    rd_study_point point;
    const char *kind, *name; /* "study_point", or "study_micro", whose number has a name */
    double value;
} record;

/* A line as a record. @return 0: it is no JSON object with fields, or not all of one. */
static int take_record(scan *in, record *out)
{
    rd_study_point *const point = &out->point;
    const struct {
        const char *key, **value;
    } fields[] = {{"record", &out->kind},
                  {"name", &out->name},
                  {"device", &point->device},
                  {"model", &point->model},
                  {"app", &point->app},
                  {"input", &point->input},
                  {"config", &point->config},
                  {"primitive", &point->primitive},
                  {NULL, NULL}};
    if (!take(in, '{'))
        return 0;
    do {
        const char *key = take_text(in);
        size_t i = 0;
        if (!key || !take(in, ':'))
            return 0;
        skip_space(in);
        while (fields[i].key && strcmp(fields[i].key, key) != 0)
            i++;
        if (strcmp(key, "seconds") == 0 && *in->at == '[') {
            if (!take_seconds(in, point))
                return 0;
        } else if (strcmp(key, "value") == 0 && *in->at != '"' && take_number(in, &out->value)) {
            continue;
        } else if (fields[i].key && *in->at == '"') {
            *fields[i].value = take_text(in);
            if (!*fields[i].value)
                return 0;
        } else if (!skip_value(in, 0)) {
            return 0;
        }
    } while (take(in, ','));
    if (!take(in, '}'))
        return 0;
    skip_space(in);
    return *in->at == '\0';
}

/* All of a stream, with a zero byte behind it; may hold zero bytes of its own. */
static rd_status slurp(FILE *file, const char *path, char **text, size_t *bytes, rd_error *err)
{
    size_t room = 0, got;
    *text = NULL;
    *bytes = 0;
    do {
        if (*bytes + 1 >= room) {
            room = room ? 2 * room : 1 << 16;
            char *const more = rd__realloc(*text, room);
            if (!more)
                return rd__fail_memory(err, path, room);
            *text = more;
        }
        got = fread(*text + *bytes, 1, room - 1 - *bytes, file);
        *bytes += got;
    } while (got > 0);
    (*text)[*bytes] = '\0';
    return ferror(file) ? rd__fail(err, RD_EIO, "%s: cannot be read: %s", path, strerror(errno)) : RD_OK;
}

static int is_kind(const record *line, const char *kind)
{
    return line->kind && strcmp(line->kind, kind) == 0;
}

static rd_status take_line(rd_study *study, scan *in, rd_study_lines *lines, const char *path, size_t number,
                           rd_error *err)
{
    record line = {.kind = NULL};
    const rd_study_point *const point = &line.point;
    rd_error why = {.status = RD_OK};
    rd_status status = RD_OK;
    in->used = in->numbers = 0;
    if (!take_record(in, &line)) {
        lines->broken++;
    } else if (is_kind(&line, "study_micro")) {
        lines->facts++;
        if (!point->device || !line.name)
            return rd__fail(err, RD_EINPUT, "%s:%zu: a microbenchmark without device or name", path, number);
        status = rd_study_add_fact(study, point->device, point->model, line.name, line.value, &why);
    } else if (is_kind(&line, "study_point")) {
        lines->points++;
        if (!point->device || !point->app || !point->input || !point->config)
            return rd__fail(err, RD_EINPUT, "%s:%zu: a point without device, app, input or config", path, number);
        status = rd_study_add(study, point, &why);
    } else {
        lines->others++;
    }
    return status == RD_OK ? RD_OK : rd__fail(err, status, "%s:%zu: %.900s", path, number, why.text);
}

rd_status rd__study_parse(rd_study *study, char *text, size_t bytes, rd_study_lines *lines, const char *path,
                          rd_error *err)
{
    rd_status status = RD_OK;
    /* A string is never longer than its line, nor has a line more numbers than half its bytes. */
    scan in = {.text = rd__malloc(bytes + 1), .number = rd__malloc((bytes / 2 + 1) * sizeof(double))};
    if (!in.text || !in.number)
        status = rd__fail_memory(err, path, bytes);
    size_t number = 1;
    for (char *line = text; status == RD_OK && line < text + bytes; number++) {
        char *end = memchr(line, '\n', (size_t)(text + bytes - line));
        end = end ? end : text + bytes;
        *end = '\0';
        in.at = line;
        skip_space(&in);
        if (memchr(line, '\0', (size_t)(end - line)))
            lines->broken++;
        else if (*in.at)
            status = take_line(study, &in, lines, path, number, err);
        line = end + 1;
    }
    rd__free(in.text);
    rd__free(in.number);
    return status;
}

rd_status rd_study_read(rd_study *study, const char *path, rd_study_lines *lines, rd_error *err)
{
    rd_study_lines none, *counts = lines ? lines : &none;
    *counts = (rd_study_lines){0};
    if (!study || !path)
        return rd__fail(err, RD_EARG, "rd_study_read needs a study and the name of a file");
    const int standard = strcmp(path, "-") == 0;
    FILE *file = standard ? stdin : fopen(path, "r");
    if (!file)
        return rd__fail(err, RD_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    char *text;
    size_t bytes;
    rd_status status = slurp(file, path, &text, &bytes, err);
    if (!standard)
        (void)fclose(file);
    if (status == RD_OK)
        status = rd__study_parse(study, text, bytes, counts, path, err);
    rd__free(text);
    return status;
}
