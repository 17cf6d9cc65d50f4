/* SPDX-License-Identifier: Apache-2.0 */
/*
 * source.h - bytes to read a graph from: a file, standard input or memory, plain or compressed (gzip, zstd,
 * bzip2, xz: found by their magic numbers). Of bzip2 and xz, several streams; of gzip, several members and zeros after
 * the last; of zstd, several frames, and frames to be skipped, before the first too. One thread at a time.
 *
 * A pipe, a FIFO or a terminal may be silent for ever. So nothing here blocks in open(2) or read(2): a source waits in
 * poll(2), a moment at a time, and between two moments asks its watch whether to go on. The watch is asked only by the
 * thread that opened the source, as rd_progress_fn promises; a thread that has to stop another's wait calls
 * rd__source_stop.
 */
#ifndef RD_GRAPH_SOURCE_H
#define RD_GRAPH_SOURCE_H

#include "core/memory.h"
#include "core/watch.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct rd__source {
    const char *name; /* as messages call it */
    int fd;           /* -1: memory */
    int own_fd;
    int may_block;   /* not a plain file with something in it */
    rd__watch watch; /* asked before each read */
    pthread_t opener;
    atomic_int stopped; /* rd__source_stop was called */
    uint64_t size;      /* bytes of a plain regular file or of memory, before decompression; 0: not known */
    uint64_t taken;     /* bytes taken of it so far */
    const char *memory; /* when fd is -1 */
    uint64_t memory_bytes;
    int fraction;   /* reading failed at a weight that is no whole number */
    int compressed; /* 0, or one of the kinds in source.c */
    void *decoder;  /* its state */
    char *input;    /* compressed bytes waiting */
    size_t input_at, input_end;
    int input_done;
    char *head; /* bytes that were looked at ahead of reading */
    size_t head_at, head_end;
} rd__source;

/* path "-": standard input. path must outlive the source. watch NULL: nobody. */
rd_status rd__source_open(rd__source *source, const char *path, const rd__watch *watch, rd_error *err);
/* The same with an open file, which the source then owns, also when this fails. */
rd_status rd__source_fd(rd__source *source, const char *name, int fd, const rd__watch *watch, rd_error *err);
/* Reads from memory; `name` is for messages. */
rd_status rd__source_memory(rd__source *source, const char *name, const void *data, size_t bytes, rd_error *err);
void rd__source_close(rd__source *source);
/* From any thread: reads under way and to come end with RD_ECANCELLED. */
void rd__source_stop(rd__source *source);

/* Reads an array of `count` items of `size` bytes (rd__array_free, also on failure); *got: its bytes, fewer only at the
 * end. Where the size of the input is not known, memory is taken as bytes come: a header that promises too much costs
 * nothing. */
rd_status rd__source_array(rd__source *source, void *out_pointer, const char *what, uint64_t count, size_t size,
                           uint64_t *got, rd_error *err);
/* Items that memory is taken for next when `have` of `count` are there: all, where the input's size vouches for them.
 */
uint64_t rd__source_room(const rd__source *source, uint64_t have, uint64_t count, size_t size);
/* Reads exactly `want` bytes, fewer only at the end. */
rd_status rd__source_read(rd__source *source, void *data, size_t want, size_t *got, rd_error *err);
/* Passes over so many bytes, without reading them where that can be; *skipped: fewer only at the end. */
rd_status rd__source_skip(rd__source *source, uint64_t bytes, uint64_t *skipped, rd_error *err);
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
extern const rd__decoder_ops rd__gzip_ops, rd__zstd_ops, rd__bzip2_ops, rd__xz_ops;

#endif
