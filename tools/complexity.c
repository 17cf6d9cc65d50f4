/* SPDX-License-Identifier: Apache-2.0 */
/*
 * complexity.c - how branched each function is: complexity FILE... prints "complexity lines file:line name" for every
 * function, in the order in which they stand. Complexity after T. J. McCabe (1976), with conditions counted one by one:
 * 1 + each if, for, while, case, &&, || and ?: of the body (the while of a do as well). Lines are those from the line
 * of the opening brace to that of the closing one.
 *
 * It reads the text as written, before the preprocessor: both sides of an #if count, and what a macro holds is nobody's
 * (lines of the preprocessor are left out). A function is found by its body: a brace outside all others, after a
 * closing parenthesis. Its name is what stands before the parentheses of its arguments; of rd_kernel(name, ARGS), and
 * of macros in capitals that open a body, the first argument goes with it.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 128 };

typedef struct reader {
    const char *at;
    unsigned line;
} reader;

typedef struct token {
    enum { END, WORD, MARK } kind;
    char text[NAME]; /* of a mark: one character, or && or || */
    unsigned line;
} token;

static char *whole(const char *path)
{
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room);
    FILE *in = fopen(path, "r");
    while (in && text) {
        used += fread(text + used, 1, room - 1 - used, in);
        if (feof(in) || ferror(in))
            break;
        if (used == room - 1) {
            char *more = realloc(text, room *= 2);
            if (!more)
                free(text);
            text = more;
        }
    }
    const int good = in && text && !ferror(in);
    if (in)
        fclose(in);
    if (!good) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    return text;
}

/* Past a comment, or a literal in quotes; line counts go along. */
static void skip_comment(reader *r)
{
    const int block = r->at[1] == '*';
    for (r->at += 2; *r->at; r->at++) {
        if (block && r->at[0] == '*' && r->at[1] == '/') {
            r->at += 2;
            return;
        }
        if (*r->at == '\n') {
            if (!block)
                return;
            r->line++;
        }
    }
}

static void skip_quoted(reader *r)
{
    const char quote = *r->at++;
    for (; *r->at && *r->at != quote && *r->at != '\n'; r->at++)
        if (*r->at == '\\' && r->at[1]) {
            r->at++;
            r->line += *r->at == '\n';
        }
    if (*r->at == quote)
        r->at++;
}

/* Past a line of the preprocessor, with those that it goes on to. */
static void skip_directive(reader *r)
{
    while (*r->at && *r->at != '\n') {
        if (r->at[0] == '/' && (r->at[1] == '*' || r->at[1] == '/'))
            skip_comment(r);
        else if (*r->at == '"' || *r->at == '\'')
            skip_quoted(r);
        else {
            if (r->at[0] == '\\' && r->at[1] == '\n') {
                r->at++;
                r->line++;
            }
            r->at++;
        }
    }
}

static token next(reader *r)
{
    token t = {.kind = END};
    for (;; r->at++) {
        if (*r->at == '\n')
            r->line++;
        else if (r->at[0] == '\\' && r->at[1] == '\n')
            continue;
        else if (r->at[0] == '/' && (r->at[1] == '*' || r->at[1] == '/')) {
            skip_comment(r);
            r->at--;
        } else if (*r->at == '"' || *r->at == '\'') {
            skip_quoted(r);
            r->at--;
        } else if (*r->at == '#') {
            skip_directive(r);
            r->at--;
        } else if (!isspace((unsigned char)*r->at))
            break;
    }
    t.line = r->line;
    if (!*r->at)
        return t;
    size_t used = 0;
    if (isalnum((unsigned char)*r->at) || *r->at == '_') {
        t.kind = WORD;
        for (; isalnum((unsigned char)*r->at) || *r->at == '_' || *r->at == '.'; r->at++)
            if (used + 1 < NAME)
                t.text[used++] = *r->at;
        return t;
    }
    t.kind = MARK;
    t.text[used++] = *r->at++;
    if ((t.text[0] == '&' || t.text[0] == '|') && *r->at == t.text[0])
        t.text[used++] = *r->at++;
    return t;
}

static int is(const token *t, const char *text)
{
    return strcmp(t->text, text) == 0;
}

static unsigned branches(const token *t)
{
    static const char *const branch[] = {"if", "for", "while", "case", "&&", "||", "?"};
    for (size_t i = 0; i < sizeof branch / sizeof branch[0]; i++)
        if (is(t, branch[i]))
            return 1;
    return 0;
}

/* Of what a pair of parentheses outside all others belongs to. */
static void name_of(char *name, const token *before, const token *first)
{
    int capitals = 1;
    for (const char *at = before->text; *at; at++)
        capitals &= !islower((unsigned char)*at);
    if ((capitals || is(before, "rd_kernel")) && first->kind == WORD)
        snprintf(name, NAME, "%.60s(%.60s)", before->text, first->text);
    else
        snprintf(name, NAME, "%s", before->text);
}

static int measure(const char *path)
{
    char *text = whole(path), name[NAME] = "";
    if (!text) {
        fprintf(stderr, "complexity: cannot read %s\n", path);
        return 1;
    }
    reader r = {.at = text, .line = 1};
    token last = {.kind = END}, t;
    unsigned depth = 0, parentheses = 0, count = 0, from = 0;
    int function = 0;
    for (t = next(&r); t.kind != END; last = t, t = next(&r)) {
        if (depth > 0)
            count += branches(&t);
        if (is(&t, "(") && depth == 0 && parentheses++ == 0) {
            const token before = last;
            reader ahead = r;
            const token first = next(&ahead);
            /* __attribute__((...)) after the arguments is not the name */
            if (before.kind == WORD && !is(&before, "__attribute__"))
                name_of(name, &before, &first);
        } else if (is(&t, ")") && depth == 0 && parentheses > 0)
            parentheses--;
        else if (is(&t, "{") && parentheses == 0 && depth++ == 0) {
            function = is(&last, ")");
            from = t.line;
            count = 1;
        } else if (is(&t, "}") && depth > 0 && --depth == 0 && function)
            printf("%u %u %s:%u %s\n", count, t.line - from + 1, path, from, name);
    }
    free(text);
    if (depth > 0 || parentheses > 0) {
        fprintf(stderr, "complexity: %s: braces or parentheses do not match\n", path);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv)
{
    int bad = 0;
    for (int i = 1; i < argc; i++)
        bad |= measure(argv[i]);
    return bad;
}
