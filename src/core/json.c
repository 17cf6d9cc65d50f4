/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json.c - a writer of JSON Lines: one object a line, in order, to a stream; nothing is kept in memory.
 *
 * used[d] describes the container at depth d: whether it has a member yet (so the next needs a comma) and whether it
 * is an array (so members have no keys). What is written is valid JSON whatever the strings hold: bytes that are not
 * UTF-8 (file names may be anything) become U+FFFD. Misuse sets `bad`, and rd_json_end reports it.
 */
#include "core/text.h"
#include "raddle/tool.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HAS_MEMBER = 1, IS_ARRAY = 2 };

/* @return the length of the valid UTF-8 sequence at text, or 0. Over-long forms, surrogates and values above U+10FFFF
 * are not valid (table 3-7 of the Unicode standard). */
static size_t utf8_length(const unsigned char *text)
{
    unsigned char first = text[0], low = 0x80, high = 0xbf;
    size_t length;
    if (first < 0x80)
        return 1;
    if (first >= 0xc2 && first <= 0xdf)
        length = 2;
    else if (first >= 0xe0 && first <= 0xef)
        length = 3;
    else if (first >= 0xf0 && first <= 0xf4)
        length = 4;
    else
        return 0;
    if (first == 0xe0)
        low = 0xa0;
    else if (first == 0xed)
        high = 0x9f;
    else if (first == 0xf0)
        low = 0x90;
    else if (first == 0xf4)
        high = 0x8f;
    if (text[1] < low || text[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if (text[i] < 0x80 || text[i] > 0xbf)
            return 0;
    return length;
}

static void put_string(FILE *out, const char *string)
{
    const unsigned char *at = (const unsigned char *)string;
    putc('"', out);
    while (*at) {
        size_t length = utf8_length(at);
        if (length == 0) {
            fputs("\\ufffd", out);
            at++;
        } else if (length > 1) {
            fwrite(at, 1, length, out);
            at += length;
        } else {
            unsigned char c = *at++;
            if (c == '"' || c == '\\')
                fprintf(out, "\\%c", c);
            else if (c == '\n')
                fputs("\\n", out);
            else if (c == '\t')
                fputs("\\t", out);
            else if (c < 0x20 || c == 0x7f)
                fprintf(out, "\\u%04x", c);
            else
                putc(c, out);
        }
    }
    putc('"', out);
}

/* Comma and key before a value. @return 0 when there is no place for it. */
static int start_member(rd_json *json, const char *key)
{
    if (!json)
        return 0;
    if (!json->out || json->depth < 1 || json->depth >= (int)sizeof json->used) {
        json->bad = 1;
        return 0;
    }
    unsigned char *state = &json->used[json->depth];
    if (((*state & IS_ARRAY) != 0) != (key == NULL)) {
        json->bad = 1;
        return 0;
    }
    if (*state & HAS_MEMBER)
        fputs(", ", json->out);
    *state |= HAS_MEMBER;
    if (key) {
        put_string(json->out, key);
        fputs(": ", json->out);
    }
    return 1;
}

static void open_container(rd_json *json, const char *key, unsigned char kind)
{
    if (!json)
        return;
    if (json->depth + 1 >= (int)sizeof json->used) {
        json->bad = 1;
        return;
    }
    if (!start_member(json, key))
        return;
    putc(kind == IS_ARRAY ? '[' : '{', json->out);
    json->used[++json->depth] = kind;
}

static void close_container(rd_json *json, unsigned char kind)
{
    if (!json)
        return;
    if (!json->out || json->depth < 2 || (json->used[json->depth] & IS_ARRAY) != kind) {
        json->bad = 1;
        return;
    }
    putc(kind == IS_ARRAY ? ']' : '}', json->out);
    json->depth--;
}

void rd_json_begin(rd_json *json, FILE *out)
{
    if (!json)
        return;
    memset(json, 0, sizeof *json);
    json->out = out;
    json->bad = !out;
    json->depth = 1;
    if (out)
        putc('{', out);
}

int rd_json_end(rd_json *json)
{
    if (!json || !json->out)
        return 1;
    /* What is still open is misuse, but is closed all the same: half a line would spoil the lines after it. */
    for (; json->depth > 1; json->depth--) {
        json->bad = 1;
        putc(json->used[json->depth] & IS_ARRAY ? ']' : '}', json->out);
    }
    json->depth = 0;
    fputs("}\n", json->out);
    int failed = fflush(json->out) != 0 || ferror(json->out);
    return failed || json->bad;
}

void rd_json_object(rd_json *json, const char *key)
{
    open_container(json, key, 0);
}

void rd_json_array(rd_json *json, const char *key)
{
    open_container(json, key, IS_ARRAY);
}

void rd_json_close_object(rd_json *json)
{
    close_container(json, 0);
}

void rd_json_close_array(rd_json *json)
{
    close_container(json, IS_ARRAY);
}

void rd_json_text(rd_json *json, const char *key, const char *value)
{
    if (!start_member(json, key))
        return;
    if (value)
        put_string(json->out, value);
    else
        fputs("null", json->out);
}

void rd_json_u64(rd_json *json, const char *key, uint64_t value)
{
    if (start_member(json, key))
        fprintf(json->out, "%" PRIu64, value);
}

void rd_json_i64(rd_json *json, const char *key, int64_t value)
{
    if (start_member(json, key))
        fprintf(json->out, "%" PRId64, value);
}

void rd_json_double(rd_json *json, const char *key, double value)
{
    char text[40];
    if (!start_member(json, key))
        return;
    if (!isfinite(value)) {
        fputs("null", json->out);
        return;
    }
    /* The shortest of two forms that reads back as the same number. */
    rd__snprintf(text, sizeof text, "%.15g", value);
    double back = rd__strtod(text, NULL);
    if (back < value || back > value)
        rd__snprintf(text, sizeof text, "%.17g", value);
    fputs(text, json->out);
}

void rd_json_bool(rd_json *json, const char *key, int value)
{
    if (start_member(json, key))
        fputs(value ? "true" : "false", json->out);
}
