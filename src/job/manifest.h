/* SPDX-License-Identifier: Apache-2.0 */
/*
 * manifest.h - the file of a checkpoint that is written last, and says that all others are there. Text:
 *
 *   raddle checkpoint 1          the format
 *   version 0.9.0                of the program; another one does not go on from it
 *   app uts
 *   ranks 4
 *   number 7                     of this checkpoint: the parts are called part-7-0 .. part-7-3
 *   seconds 61.250               that the run has taken so far
 *   note                         what the program wants to know again, line by line: the command line
 *   ...
 *   sum 0123...                  a hash of all lines before
 */
#ifndef RD_JOB_MANIFEST_H
#define RD_JOB_MANIFEST_H

#include "core/error.h"
#include "raddle/ranks.h"

/* Reads the text of a manifest; path is for messages. checkpoint->note is to be freed. */
rd_status rd__manifest_parse(char *text, size_t bytes, const char *path, rd_checkpoint *checkpoint, rd_error *err);
/* Writes the file, complete and on its disk or not at all. */
rd_status rd__manifest_write(const char *path, const rd_checkpoint *checkpoint, rd_error *err);

#endif
