/* SPDX-License-Identifier: Apache-2.0 */
/*
 * json_lines.c - for tests: reads JSON Lines from standard input, exits 1 at the first line that is not one valid JSON
 * object (RFC 8259), and prints the values of the top-level keys given as arguments, each on a line, line by line.
 *
 *     raddle bfs kron:10 --json | json_lines record verified
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *at; /* next character */
static int depth;
static int wanted_count;
static char **wanted;

static int value(void);

static void space(void)
{
    while (*at == ' ' || *at == '\t' || *at == '\r')
        at++;
}

static int string(void)
{
    if (*at++ != '"')
        return 0;
    while (*at != '"') {
        unsigned char c = (unsigned char)*at++;
        if (c < 0x20)
            return 0;
        if (c == '\\') {
            char escape = *at++;
            if (escape == 'u') {
                for (int i = 0; i < 4; i++, at++)
                    if (!*at || !strchr("0123456789abcdefABCDEF", *at))
                        return 0;
            } else if (!escape || !strchr("\"\\/bfnrt", escape)) {
                return 0;
            }
        }
    }
    at++;
    return 1;
}

static int digits(void)
{
    const char *from = at;
    while (*at >= '0' && *at <= '9')
        at++;
    return at > from;
}

static int number(void)
{
    if (*at == '-')
        at++;
    if (*at == '0')
        at++;
    else if (!digits())
        return 0;
    if (*at == '.' && (at++, !digits()))
        return 0;
    if (*at == 'e' || *at == 'E') {
        at++;
        if (*at == '+' || *at == '-')
            at++;
        return digits();
    }
    return 1;
}

static int word(const char *text)
{
    size_t length = strlen(text);
    if (strncmp(at, text, length) != 0)
        return 0;
    at += length;
    return 1;
}

static void show(const char *key, size_t key_length, const char *from, const char *to)
{
    for (int i = 0; depth == 1 && i < wanted_count; i++)
        if (strlen(wanted[i]) == key_length && strncmp(wanted[i], key, key_length) == 0)
            printf("%.*s\n", (int)(to - from), from);
}

/* Members of an object or an array, up to and with the closing bracket. */
static int members(char close, int keyed)
{
    at++;
    depth++;
    space();
    while (*at != close) {
        const char *key = at + 1;
        size_t key_length = 0;
        if (keyed) {
            if (!string())
                return 0;
            key_length = (size_t)(at - key) - 1;
            space();
            if (*at++ != ':')
                return 0;
            space();
        }
        const char *from = at;
        if (!value())
            return 0;
        if (keyed)
            show(key, key_length, from, at);
        space();
        if (*at == ',') {
            at++;
            space();
            if (*at == close)
                return 0;
        } else if (*at != close) {
            return 0;
        }
    }
    at++;
    depth--;
    return 1;
}

static int value(void)
{
    switch (*at) {
    case '{': return members('}', 1);
    case '[': return members(']', 0);
    case '"': return string();
    case 't': return word("true");
    case 'f': return word("false");
    case 'n': return word("null");
    default: return number();
    }
}

int main(int argc, char **argv)
{
    static char line[1 << 20];
    int lines = 0;
    wanted = argv + 1;
    wanted_count = argc - 1;
    while (fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
        lines++;
        if (length == 0 || line[length - 1] != '\n') {
            fprintf(stderr, "line %d: too long, or no newline\n", lines);
            return 1;
        }
        line[length - 1] = '\0';
        at = line;
        depth = 0;
        if (*at != '{' || !value() || *at) {
            fprintf(stderr, "line %d, column %d: not valid JSON\n", lines, (int)(at - line) + 1);
            return 1;
        }
    }
    return lines == 0;
}
