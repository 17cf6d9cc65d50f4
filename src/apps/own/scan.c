/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.c - see scan.h. One pass over the characters of C: comments, strings and characters are skipped as C has them,
 * brackets are counted. A line that begins with # goes to the end of the line, lines that end in a backslash included.
 */
#include "apps/own/scan.h"

#include "core/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORD_ROOM = 64, PART_ROOM = 512 };

typedef struct scan {
    const char *file;
    char *at;
    unsigned line;
    int depth;    /* of { } */
    int brackets; /* of ( ) */
    int fresh;    /* nothing but blanks since the line began */
    const rd__scan_events *events;
    rd_error *err;
} scan;

static rd_status wrong(const scan *s, unsigned line, const char *what)
{
    return rd__fail(s->err, RD_EINPUT, "%s:%u: %s", s->file, line, what);
}

static int in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Past one character, or a pair behind a backslash. */
static void step(scan *s)
{
    if (*s->at == '\n') {
        s->line++;
        s->fresh = 1;
    }
    s->at++;
}

/* At a comment, string or character: goes past it. @return 0 when there is none, -1 when it does not end. */
static int skip_opaque(scan *s)
{
    const char first = *s->at;
    if (first == '/' && s->at[1] == '/') {
        while (*s->at && *s->at != '\n')
            s->at++;
        return 1;
    }
    if (first == '/' && s->at[1] == '*') {
        const int fresh = s->fresh;
        for (s->at += 2; *s->at && !(s->at[0] == '*' && s->at[1] == '/');)
            step(s);
        s->fresh = fresh;
        s->at += *s->at ? 2 : 0;
        return s->at[-1] == '/' ? 1 : -1;
    }
    if (first != '"' && first != '\'')
        return 0;
    for (s->at++; *s->at && *s->at != first && *s->at != '\n'; s->at++)
        if (*s->at == '\\' && s->at[1])
            s->at++;
    if (*s->at != first)
        return -1;
    s->at++;
    return 1;
}

static const char *word_at(const char *at, char *word)
{
    size_t length = 0;
    while (in_word(at[length]))
        length++;
    snprintf(word, WORD_ROOM, "%.*s", (int)length, at);
    return at + length;
}

/* The rest of a directive as one line without comments. */
static void directive_text(scan *s, char *text, size_t room)
{
    size_t used = 0;
    while (*s->at && *s->at != '\n') {
        if (s->at[0] == '\\' && s->at[1] == '\n') {
            s->at++;
            step(s);
        } else if (s->at[0] == '/' && (s->at[1] == '/' || s->at[1] == '*')) {
            if (skip_opaque(s) < 0)
                return;
        } else {
            if (used + 1 < room)
                text[used++] = *s->at;
            s->at++;
        }
    }
    while (used && isspace((unsigned char)text[used - 1]))
        used--;
    text[used] = '\0';
}

static rd_status directive(scan *s)
{
    const unsigned line = s->line;
    char text[PART_ROOM] = "", word[WORD_ROOM], name[WORD_ROOM];
    s->at++;
    directive_text(s, text, sizeof text);
    const char *at = text + strspn(text, " \t");
    at = word_at(at, word);
    at += strspn(at, " \t");
    if (strcmp(word, "include") == 0 && *at == '"') {
        char *end = strchr(text + (at - text) + 1, '"');
        if (!end)
            return wrong(s, line, "an #include that does not end");
        *end = '\0';
        return s->events->include(s->events->user, line, at + 1, s->err);
    }
    if (strcmp(word, "define") != 0)
        return RD_OK;
    at = word_at(at, name);
    return s->events->define(s->events->user, line, name, at + strspn(at, " \t"), s->err);
}

/* Ends an argument, from `from` to `end`, in place: without blanks around it. */
static char *trimmed(char *from, char *end)
{
    while (from < end && isspace((unsigned char)*from))
        from++;
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    *end = '\0';
    return from;
}

/* Cuts "(a, (b, c), "d")" into arguments, in a copy. *end: behind the bracket that closes. */
static rd_status split(scan *s, unsigned line, char *copy, char **arg, int *count)
{
    char *const begin = s->at, *from = copy;
    int depth = 0;
    *count = 0;
    for (;;) {
        char *here = copy + (s->at - begin) - 1; /* the copy begins behind the bracket */
        const char c = *s->at;
        const int opaque = c ? skip_opaque(s) : -1;
        if (opaque < 0)
            return wrong(s, line, "a declaration that does not end");
        if (opaque) {
            if (c == '/')
                memset(here, ' ', (size_t)(copy + (s->at - begin) - 1 - here));
            continue;
        }
        const int ends = c == ')' && depth == 1, cuts = ends || (c == ',' && depth == 1);
        depth += (c == '(') - (c == ')');
        step(s);
        if (!cuts)
            continue;
        if (*count == RD__DECLARED_MOST)
            return wrong(s, line, "a declaration with too many parts");
        arg[(*count)++] = trimmed(from, here);
        from = here + 1;
        if (ends)
            break;
    }
    if (*count == 1 && !*arg[0])
        *count = 0;
    return RD_OK;
}

static rd_status declaration(scan *s, char *begin, unsigned line, const char *name)
{
    char *arg[RD__DECLARED_MOST];
    int count = 0;
    const size_t length = strlen(s->at);
    char *copy = rd__malloc(length + 1);
    if (!copy)
        return rd__fail_memory(s->err, "a declaration", length);
    memcpy(copy, s->at + 1, length);
    rd_status status = split(s, line, copy, arg, &count);
    if (status == RD_OK)
        status = s->events->declaration(s->events->user, line, name, arg, count, s->err);
    rd__free(copy);
    if (status != RD_OK)
        return status;
    char *end = s->at + strspn(s->at, " \t");
    if (*end == ';')
        s->at = end + 1;
    for (char *at = begin; at < s->at; at++)
        *at = *at == '\n' ? '\n' : ' ';
    return RD_OK;
}

static rd_status word(scan *s)
{
    char text[WORD_ROOM], *const begin = s->at;
    const unsigned line = s->line;
    const int fresh = s->fresh;
    s->at += word_at(begin, text) - begin;
    s->fresh = 0;
    if (s->depth || s->brackets)
        return RD_OK;
    char *next = s->at + strspn(s->at, " \t");
    if (*next != '(')
        return RD_OK;
    if (fresh && strncmp(text, "RD_", 3) == 0) {
        s->at = next;
        return declaration(s, begin, line, text);
    }
    return s->events->function(s->events->user, line, text, s->err);
}

rd_status rd__scan(const char *file, char *text, const rd__scan_events *events, rd_error *err)
{
    scan s = {.file = file, .at = text, .line = 1, .fresh = 1, .events = events, .err = err};
    while (*s.at) {
        const unsigned line = s.line;
        const char c = *s.at;
        const int opaque = skip_opaque(&s);
        if (opaque < 0)
            return wrong(&s, line, c == '/' ? "a comment that does not end" : "a string that does not end");
        if (opaque)
            continue;
        if (c == '#' && s.fresh) {
            RD_TRY(directive(&s));
        } else if (isalpha((unsigned char)c) || c == '_') {
            RD_TRY(word(&s));
        } else if (isdigit((unsigned char)c)) {
            while (in_word(*s.at) || *s.at == '.')
                s.at++;
            s.fresh = 0;
        } else {
            s.depth += (c == '{') - (c == '}');
            s.brackets += (c == '(') - (c == ')');
            if (s.depth < 0 || s.brackets < 0)
                return wrong(&s, line, "a bracket that closes nothing");
            s.fresh = s.fresh && isspace((unsigned char)c);
            step(&s);
        }
    }
    return s.depth || s.brackets ? wrong(&s, s.line, "the file ends inside brackets: one that opens does not close")
                                 : RD_OK;
}
