/* SPDX-License-Identifier: Apache-2.0 */
/*
 * freeze.h - the state of a run as a file. Whoever has a part of it (the app's arrays, an engine) lists that part once,
 * in a function that serves for writing and for reading: each call moves some bytes in the direction of the freeze.
 */
#ifndef RD_SCHED_FREEZE_H
#define RD_SCHED_FREEZE_H

#include "core/hash.h"
#include "core/sink.h"
#include "device/device.h"

#include <stdio.h>

typedef struct rd__freeze {
    const char *path;
    rd__sink *sink; /* where it is written; NULL: it is read, */
    FILE *file;     /* from here */
    rd__hash hash;  /* of all that was moved */
    uint64_t left;  /* of reading: bytes of the file that are still to come */
} rd__freeze;

/* Moves all of it, in the order of the file. */
typedef rd_status rd__freeze_fn(void *user, rd__freeze *freeze, rd_error *err);
/* Writes the file (which takes its name when it is complete and on its disk), or reads it. */
rd_status rd__freeze_to(const char *path, rd__freeze_fn *move, void *user, rd_error *err);
rd_status rd__freeze_from(const char *path, rd__freeze_fn *move, void *user, rd_error *err);

rd_status rd__freeze_bytes(rd__freeze *freeze, void *data, uint64_t bytes, rd_error *err);
/* A value that has to be the same again. what: for the message. */
rd_status rd__freeze_same(rd__freeze *freeze, const char *what, uint64_t value, rd_error *err);
/* A buffer with all that is in it. When it is read, one of another size is made anew. */
rd_status rd__freeze_buffer(rd__freeze *freeze, rd__buffer *buffer, rd_error *err);
/* Likewise, of a size that has to be the same; nothing, when the buffer is not there. */
rd_status rd__freeze_fixed(rd__freeze *freeze, rd__buffer *buffer, rd_error *err);
/* At the end: is all of it as it was written? */
rd_status rd__freeze_end(rd__freeze *freeze, rd_error *err);

#endif
