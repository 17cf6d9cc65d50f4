/* SPDX-License-Identifier: Apache-2.0 */
/* spec.h - what apps that open inputs of their own share: the parameters of a generator, and lines of a text. */
#ifndef RD_APPS_SPEC_H
#define RD_APPS_SPEC_H

#include "graph/gen/gen.h"
#include "graph/read/token.h"

/* Does text name this generator: "name:..."? */
int rd__spec_names(const char *text, const char *name);
/* What stands between the colons after the name; syntax "name:A[:B]" is for messages and says how many there may be. */
rd_status rd__spec_split(const char *text, const char *syntax, rd__gen_args *args, rd_error *err);

typedef struct rd__lines {
    rd__source source;
    rd__text text;
    rd_graph_options options;
} rd__lines;

/* A file, gzip or zstd or plain, or "-" for standard input. name must outlive it. watch NULL: nobody. rd__lines_close
 * in any case. */
rd_status rd__lines_open(rd__lines *lines, const char *name, const rd__watch *watch, rd_error *err);
/* The same with a text in memory; for tests. */
rd_status rd__lines_memory(rd__lines *lines, const char *name, const char *data, size_t bytes, rd_error *err);
void rd__lines_close(rd__lines *lines);
/* The next line that is not blank and does not start with '#'; NULL at the end. */
rd_status rd__lines_next(rd__lines *lines, char **line, rd_error *err);
/* "NAME:LINE: what is wrong", RD_EINPUT. */
__attribute__((format(printf, 3, 4))) rd_status rd__lines_fail(const rd__lines *lines, rd_error *err,
                                                               const char *format, ...);

#endif
