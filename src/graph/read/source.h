/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - bytes to read a graph from: a file, standard input or memory, plain or compressed (gzip, zstd: found by
 * their magic numbers). Of gzip, several members and zeros after the last; of zstd, several frames, and frames to be
 * skipped, before the first too. One thread at a time.
 */
#ifndef RD_GRAPH_SOURCE_H
#define RD_GRAPH_SOURCE_H

#include "core/memory.h"

typedef struct rd__source {
    const char *name; /* as messages call it */
    int fd;           /* -1: memory */
    int own_fd;
    uint64_t size;      /* bytes of a plain regular file or of memory, before decompression; 0: not known */
    uint64_t taken;     /* bytes taken of it so far */
    const char *memory; /* when fd is -1 */
    int compressed;     /* 0, or one of the kinds in source.c */
    void *decoder;      /* its state */
    char *input;        /* compressed bytes waiting */
    size_t input_at, input_end;
    int input_done;
    char *head; /* bytes that were looked at ahead of reading */
    size_t head_at, head_end;
} rd__source;

/* path "-": standard input. path must outlive the source. */
rd_status rd__source_open(rd__source *source, const char *path, rd_error *err);
/* Reads from memory; `name` is for messages. */
rd_status rd__source_memory(rd__source *source, const char *name, const void *data, size_t bytes, rd_error *err);
void rd__source_close(rd__source *source);

/* Reads exactly `want` bytes, fewer only at the end. */
rd_status rd__source_read(rd__source *source, void *data, size_t want, size_t *got, rd_error *err);
/* The first bytes, up to 64 KiB, without taking them. Only before the first read. */
const char *rd__source_peek(const rd__source *source, size_t *bytes);

/* Takes the mark that some editors put before text in UTF-8 (EF BB BF), if it is there. Only before the first read, and
 * only of text: binary data may begin with the same bytes. */
void rd__source_skip_mark(rd__source *source);

/* The decoders, present when their library was there at build time. Each decodes some of input[input_at..input_end)
 * into data and advances input_at; *got 0 with input used up asks for more. ended: a frame ended just now, so the input
 * may stop here. */
typedef struct rd__decoder_ops {
    const char *name;
    rd_status (*open)(rd__source *source, rd_error *err);
    rd_status (*decode)(rd__source *source, void *data, size_t want, size_t *got, int *ended, rd_error *err);
    void (*close)(rd__source *source);
} rd__decoder_ops;
extern const rd__decoder_ops rd__gzip_ops, rd__zstd_ops;

#endif
