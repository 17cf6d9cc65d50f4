/* SPDX-License-Identifier: Apache-2.0 */
/* reader.h - the state of reading an own app: declare.c takes its declarations one by one, resolve.c all together. */
#ifndef RD_APPS_OWN_READER_H
#define RD_APPS_OWN_READER_H

#include "apps/own/own.h"

typedef struct rd__own_reader {
    rd__own_app *app;
    rd__own_file *file;
    unsigned line; /* that messages name */
    rd_error *err;
} rd__own_reader;

/* RD_EINPUT, with the file and the line before the message. */
__attribute__((format(printf, 2, 3))) rd_status rd__own_bad(const rd__own_reader *r, const char *format, ...);
/* @return what was declared by that name, or NULL. */
/* Is it a word of one of the languages that apps are compiled as? words.c */
int rd__own_is_word(const char *name);
rd__own_item *rd__own_find_item(rd__own_file *file, const char *name);
rd_status rd__own_take_type(rd__own_reader *r, const char *text, rd__own_type *type);
/* When all is read: names that sums use, what goes with the model, the result, the seeds. */
rd_status rd__own_resolve(rd__own_reader *r);

#endif
