/* SPDX-License-Identifier: Apache-2.0 */
/*
 * scan.c - see scan.h. One pass over the characters of C: comments, strings and characters are skipped as C has them,
 * brackets are counted. A line that begins with # goes to the end of the line, lines that end in a backslash included.
 *
 * Comments become blanks, as declarations do: whoever reads the text after this (device/source.c looks for #include at
 * the beginning of lines) need not know what a comment is. Those that end in another line than a directive that they
 * stand in stay: the directive would end there.
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
    int nested;   /* #if that are open */
    int check;    /* which of them is that of RD_CHECK, counted from 1; 0: none is */
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

static void step(scan *s)
{
    if (*s->at == '\n') {
        s->line++;
        s->fresh = 1;
    }
    s->at++;
}

/* Past a backslash and what it is before: the end of a line, or a character that has another meaning without it. */
static void step_pair(scan *s)
{
    step(s);
    if (*s->at)
        step(s);
}

static void blank(char *from, const char *to)
{
    for (; from < to; from++)
        *from = *from == '\n' ? '\n' : ' ';
}

/* At a comment: goes past it. @return 0 when there is none, -1 when it does not end. */
static int skip_comment(scan *s)
{
    if (s->at[0] != '/' || (s->at[1] != '/' && s->at[1] != '*'))
        return 0;
    if (s->at[1] == '/') {
        while (*s->at && *s->at != '\n')
            if (*s->at == '\\')
                step_pair(s);
            else
                s->at++;
        return 1;
    }
    const int fresh = s->fresh;
    for (s->at += 2; *s->at && !(s->at[0] == '*' && s->at[1] == '/');)
        step(s);
    s->fresh = fresh;
    if (!*s->at)
        return -1;
    s->at += 2;
    return 1;
}

/* At a string or a character: goes past it. @return as skip_comment */
static int skip_string(scan *s)
{
    const char first = *s->at;
    const int fresh = s->fresh;
    if (first != '"' && first != '\'')
        return 0;
    for (s->at++; *s->at && *s->at != first && *s->at != '\n';)
        if (*s->at == '\\')
            step_pair(s);
        else
            s->at++;
    s->fresh = fresh;
    if (*s->at != first)
        return -1;
    s->at++;
    return 1;
}

/* Either of them; of a comment nothing is left. */
static int skip_opaque(scan *s)
{
    char *const begin = s->at;
    const int comment = skip_comment(s);
    if (comment > 0)
        blank(begin, s->at);
    return comment ? comment : skip_string(s);
}

static const char *word_at(const char *at, char *word)
{
    size_t length = 0;
    while (in_word(at[length]))
        length++;
    snprintf(word, WORD_ROOM, "%.*s", (int)length, at);
    return at + length;
}

/* A string in a directive, where a quote may stand alone: "#error don't". */
static size_t string_length(const char *at)
{
    const size_t length = 1 + strcspn(at + 1, *at == '"' ? "\"\\\n" : "'\\\n");
    return at[length] == *at ? length + 1 : 1;
}

/* The rest of a directive as one line without comments. */
static rd_status directive_text(scan *s, char *text, size_t room)
{
    const unsigned line = s->line;
    size_t used = 0;
    while (*s->at && *s->at != '\n') {
        char *const begin = s->at;
        const unsigned first = s->line;
        const int comment = skip_comment(s);
        if (comment < 0)
            return wrong(s, line, "a comment that does not end");
        if (comment) {
            if (s->line == first)
                blank(begin, s->at);
            continue;
        }
        if (s->at[0] == '\\' && s->at[1] == '\n') {
            step_pair(s);
            continue;
        }
        const size_t length = *s->at == '"' || *s->at == '\'' ? string_length(s->at) : 1;
        for (size_t i = 0; i < length; i++, s->at++)
            if (used + 1 < room)
                text[used++] = *s->at;
    }
    while (used && isspace((unsigned char)text[used - 1]))
        used--;
    text[used] = '\0';
    return RD_OK;
}

/* What is between #ifdef RD_CHECK and its end is for the host alone. */
static void note_condition(scan *s, const char *word, const char *rest)
{
    if (strncmp(word, "if", 2) == 0) {
        const int checks = strcmp(rest, strcmp(word, "if") == 0 ? "defined(RD_CHECK)" : "RD_CHECK") == 0;
        s->nested++;
        if (!s->check && checks && strcmp(word, "ifndef") != 0)
            s->check = s->nested;
    } else if (strncmp(word, "el", 2) == 0 || strcmp(word, "endif") == 0) {
        s->check = s->check == s->nested ? 0 : s->check;
        s->nested -= strcmp(word, "endif") == 0;
    }
}

static rd_status directive(scan *s)
{
    const unsigned line = s->line;
    char text[PART_ROOM] = "", word[WORD_ROOM], name[WORD_ROOM];
    s->at++;
    RD_TRY(directive_text(s, text, sizeof text));
    const char *at = text + strspn(text, " \t");
    at = word_at(at, word);
    at += strspn(at, " \t");
    note_condition(s, word, at);
    if (strcmp(word, "include") == 0 && *at == '"') {
        char *end = strchr(text + (at - text) + 1, '"');
        if (!end)
            return wrong(s, line, "an #include that does not end");
        *end = '\0';
        return s->events->include(s->events->user, line, at + 1, s->err);
    }
    if (strcmp(word, "define") != 0)
        return RD_OK;
    if (!s->check && strstr(at, "rd_f64"))
        s->events->f64(s->events->user);
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
    blank(begin, s->at);
    s->fresh = 1; /* blanks are all that is left of the line */
    return RD_OK;
}

static rd_status word(scan *s)
{
    char text[WORD_ROOM], *const begin = s->at;
    const unsigned line = s->line;
    const int fresh = s->fresh;
    s->at += word_at(begin, text) - begin;
    s->fresh = 0;
    if (!s->check && strcmp(text, "rd_f64") == 0)
        s->events->f64(s->events->user);
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
