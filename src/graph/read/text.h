/* SPDX-License-Identifier: Apache-2.0 */
/*
 * text.h - lines of a text file, first one by one (headers), then in blocks of whole lines given to several threads.
 *
 * Threads take turns at the source: under a lock, one reads the next megabyte, cuts it after its last newline and
 * counts its lines; then it parses its block while others read. Blocks are handed out in order and the fault with the
 * lowest line number wins, so the message for a broken file is the same whatever the number of threads. Memory is one
 * block a thread, wherever the bytes come from. Ranks take turns at blocks too.
 */
#ifndef RD_GRAPH_TEXT_H
#define RD_GRAPH_TEXT_H

#include "graph/graph.h"
#include "graph/read/source.h"
#include "ranks/ranks.h"

typedef struct rd__text {
    rd__source *source;
    const rd_graph_options *options; /* threads, progress */
    char *carry;                     /* bytes read but not handed out */
    size_t carry_room, carry_at, carry_end;
    uint64_t line;   /* number of the line handed out last, or lines handed out: the same */
    int ended;       /* the source is */
    rd_ranks *ranks; /* that share the blocks, or NULL: see rd__text_share */
} rd__text;

/* Whole lines. Each ends in '\n' (added when the file's last line lacks it) and a NUL follows the last. */
typedef struct rd__block {
    char *text, *end;
    uint64_t first_line; /* number of the first line, from 1 */
    uint64_t first_row;  /* lines before this block that the parser's `counts` said yes to, of those in blocks */
    uint64_t number;     /* blocks before this one */
} rd__block;

/* What is wrong with a line. */
typedef struct rd__fault {
    const char *at; /* in the block; NULL: out of memory, not a fault of the file */
    int show;       /* say what was found there */
    int fraction;   /* it is a weight that is no whole number */
    char text[240];
} rd__fault;

typedef struct rd__text_parser {
    void *user;
    /* Parses a block in a thread. @return 1, or 0 with *fault filled. */
    int (*block)(void *user, unsigned thread, const rd__block *block, rd__fault *fault);
    /* (optional) Whether this line counts for first_row. */
    int (*counts)(const char *line);
    int long_lines;   /* lines may be of any length, not just 1 MiB */
    int all_blocks;   /* of ranks that share the text each gets all blocks, and takes what is its own */
    const char *what; /* for the progress line: "reading" */
} rd__text_parser;

void rd__text_init(rd__text *text, rd__source *source, const rd_graph_options *options);
void rd__text_free(rd__text *text);
/* The next line without its end ('\n' or "\r\n"), NUL-terminated, valid until the next call. *line NULL: there is none.
 */
rd_status rd__text_line(rd__text *text, char **line, rd_error *err);
/* Parses all that is left. */
rd_status rd__text_blocks(rd__text *text, const rd__text_parser *parser, rd_error *err);

/* Before rd__text_blocks, if a graph is read by several ranks, each a part of it: each reads all of the text and parses
 * some blocks of it, in turn, so that edges are in one rank's memory only. A fault is that of the first line that has
 * one, whoever finds it; the others wait to be stopped. What the reader counts has to be added up. Options that need
 * the whole graph keep it from being shared. */
void rd__text_share(rd__text *text);
/* All ranks that share the text: adds up sum[0 .. sums-1], and finds the greatest of *most (or NULL). */
rd_status rd__text_add_up(const rd__text *text, uint64_t *sum, uint32_t sums, uint64_t *most, rd_error *err);

/* Fills a fault: at a place, with "expected ..." and what was found there; or with a plain sentence. @return 0 for the
 * parser to return. */
__attribute__((format(printf, 3, 4))) int rd__expected(rd__fault *fault, const char *at, const char *format, ...);
__attribute__((format(printf, 3, 4))) int rd__wrong(rd__fault *fault, const char *at, const char *format, ...);
/* The message of a fault in a line that was got by rd__text_line. */
rd_status rd__text_fail(const rd__text *text, const char *line, const rd__fault *fault, rd_error *err);

/* Copies the word at `at` for a message, up to 40 bytes, unprintable ones as \xNN. */
void rd__text_quote(const char *at, char *out, size_t room);

#endif
