/* SPDX-License-Identifier: Apache-2.0 */
/*
 * sink.h - where output files are written: the only place that makes, replaces or appends to one. output.c gives the
 * same to C streams, and tool.h to programs.
 *
 * A file is written under another name beside its own and renamed when it is complete: readers see the whole new file
 * or the old one, whether the disk is full, the process is killed or the power fails. Links are followed, not replaced.
 * The new file has the mode of the old one and, as far as the process may, its owner and group. What is not a regular
 * file (a device, a pipe, /dev/stdout wherever it leads) is written to as it is.
 */
#ifndef RD_CORE_SINK_H
#define RD_CORE_SINK_H

#include "core/target.h"

typedef enum rd__sink_mode {
    RD__SINK_REPLACE, /* the whole file or none of it, on the disk before it takes its name */
    RD__SINK_CACHE,   /* likewise, but a power failure may spoil it: for what is checked when it is read */
    RD__SINK_APPEND, /* each write goes to the end of the file as a whole, or not at all; several processes may do so */
    RD__SINK_LIVE,   /* in place, from the beginning: a log that grows before the reader's eyes */
} rd__sink_mode;

typedef struct rd__sink {
    const char *path; /* as messages call it; the caller keeps it */
    rd__sink_mode mode;
    int fd;
    rd__target target;
    int is_own;        /* fd is ours to close */
    int is_file;       /* a regular file opened by its name */
    uint64_t at, size; /* RD__SINK_LIVE: bytes written since it was rewound; bytes of the file before that */
    int ticket;        /* of the registry of temporary files */
    char temporary[RD__NAME_ROOM]; /* in target.folder; empty: written in place */
} rd__sink;

/* What would keep path from being opened, found without touching it: a temporary file is made beside it and removed. */
rd_status rd__sink_check(const char *path, rd__sink_mode mode, rd_error *err);
/* path "-": standard output. */
rd_status rd__sink_open(rd__sink *sink, const char *path, rd__sink_mode mode, rd_error *err);
rd_status rd__sink_write(rd__sink *sink, const void *data, uint64_t bytes, rd_error *err);
/* RD__SINK_LIVE: writes go to the beginning again. @return 0: the name means another file by now, or none: it has to be
 * opened anew. */
int rd__sink_rewind(rd__sink *sink);
/* Likewise: what stands behind the last write goes; it is of an earlier time. */
rd_status rd__sink_cut(rd__sink *sink, rd_error *err);
/* Completes the file when status is RD_OK, else removes what there is. @return status, or what went wrong now. */
rd_status rd__sink_close(rd__sink *sink, rd_status status, rd_error *err);

/* Writes all of it to an open file. @return 0, or why not (errno). */
int rd__write_all(int fd, const void *data, uint64_t bytes);

#endif
