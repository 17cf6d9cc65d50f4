/* SPDX-License-Identifier: Apache-2.0 */
/* sealed.h - small text files that say of others that they are complete: lines of a word and a value, and a last one
 * that is a hash of all before, so that what was changed or cut off is seen. */
#ifndef RD_CORE_SEALED_H
#define RD_CORE_SEALED_H

#include "core/error.h"

#include <stddef.h>

/* Writes the text and its seal; the file appears complete, on its disk, or not at all. */
rd_status rd__sealed_write(const char *path, const char *text, size_t bytes, rd_error *err);
/* Is the seal right? Takes it off. text[bytes] has to be 0. */
int rd__sealed_open(char *text, size_t bytes);
/* The value of the next line, which begins with this word; NULL: it does not. *at goes on behind the line. */
char *rd__sealed_line(char **at, const char *word);

#endif
