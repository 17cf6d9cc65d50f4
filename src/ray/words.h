/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - a text file as lines of words, with line numbers for messages. Lines may go on after a backslash. */
#ifndef RD_RAY_WORDS_H
#define RD_RAY_WORDS_H

#include "core/error.h"

typedef struct rd__words {
    const char *path;
    const char *at;
    uint32_t line; /* the current one, from 1 */
    int discreet;  /* messages do not quote the file: it was named by another file, and may be anything */
    char word[256];
} rd__words;

static inline rd__words rd__words_of(const char *path, const char *text)
{
    return (rd__words){.path = path, .at = text, .line = 1};
}

/* Reads the next word of the line into word. @return 0 at the end of the line, with word empty. */
static inline int rd__word_next(rd__words *w)
{
    size_t n = 0;
    while (*w->at == ' ' || *w->at == '\t' || *w->at == '\r' ||
           (*w->at == '\\' && (w->at[1] == '\n' || (w->at[1] == '\r' && w->at[2] == '\n')))) {
        if (*w->at == '\\') {
            w->at += w->at[1] == '\r';
            w->at++;
            w->line++;
        }
        w->at++;
    }
    while (*w->at && *w->at != ' ' && *w->at != '\t' && *w->at != '\r' && *w->at != '\n' && *w->at != '#') {
        if (n < sizeof w->word - 1)
            w->word[n++] = *w->at;
        w->at++;
    }
    w->word[n] = '\0';
    return n > 0;
}

/* The rest of the line without blanks around it, into word. */
static inline void rd__word_rest(rd__words *w)
{
    size_t n = 0;
    while (*w->at == ' ' || *w->at == '\t')
        w->at++;
    while (*w->at && *w->at != '\n' && *w->at != '\r') {
        if (n < sizeof w->word - 1)
            w->word[n++] = *w->at;
        w->at++;
    }
    while (n > 0 && (w->word[n - 1] == ' ' || w->word[n - 1] == '\t'))
        n--;
    w->word[n] = '\0';
}

/* Goes to the next line. @return 0 at the end of the text. */
static inline int rd__line_next(rd__words *w)
{
    while (*w->at && *w->at != '\n')
        w->at++;
    if (!*w->at)
        return 0;
    w->at++;
    w->line++;
    return *w->at != '\0';
}

/* The current word for a message: up to 40 bytes, those that a terminal would not show as they are as \xNN. */
enum { RD__WORD_SHOWN = 4 * 40 + 1 };
const char *rd__word_show(const rd__words *w, char shown[RD__WORD_SHOWN]);

/* A finite number as the next word. @return RD_EINPUT with place and word otherwise. */
rd_status rd__word_float(rd__words *w, const char *what, float *value, rd_error *err);
rd_status rd__word_floats(rd__words *w, const char *what, float *value, int count, rd_error *err);

#endif
