/* SPDX-License-Identifier: Apache-2.0 */
/* gzip.c - gzip through zlib, when it was there at build time. A file may hold several members one after another, and
 * zeros between and after them, with which devices of fixed blocks fill up the last one. */
#include "graph/read/source.h"

#ifdef RD_WITH_zlib
#include <string.h>
#include <zlib.h>

static void *zlib_alloc(void *opaque, unsigned count, unsigned size)
{
    (void)opaque;
    return rd__calloc(count, size);
}

static void zlib_free(void *opaque, void *ptr)
{
    (void)opaque;
    rd__free(ptr);
}

static rd_status gzip_open(rd__source *source, rd_error *err)
{
    z_stream *stream = rd__calloc(1, sizeof *stream);
    if (!stream)
        return rd__fail_memory(err, "decompressing gzip", sizeof *stream);
    stream->zalloc = zlib_alloc;
    stream->zfree = zlib_free;
    if (inflateInit2(stream, 15 + 16) != Z_OK) {
        rd__free(stream);
        return rd__fail_memory(err, "decompressing gzip", 1 << 16);
    }
    source->decoder = stream;
    return RD_OK;
}

static rd_status gzip_decode(rd__source *source, void *data, size_t want, size_t *got, int *ended, rd_error *err)
{
    z_stream *stream = source->decoder;
    size_t most = want < 1u << 30 ? want : 1u << 30;
    while (stream->total_in == 0 && source->input_at < source->input_end && source->input[source->input_at] == 0)
        source->input_at++; /* a member does not begin so, and the first was known by its beginning */
    if (source->input_at == source->input_end &&
        stream->total_in == 0) { /* reset after a member, and nothing follows */
        *ended = 1;
        *got = 0;
        return RD_OK;
    }
    /* called without input, the decoder may still have output of its own */
    stream->next_in = (unsigned char *)source->input + source->input_at;
    stream->avail_in = (unsigned)(source->input_end - source->input_at);
    stream->next_out = data;
    stream->avail_out = (unsigned)most;
    int code = inflate(stream, Z_NO_FLUSH);
    source->input_at = source->input_end - stream->avail_in;
    *got = most - stream->avail_out;
    *ended = code == Z_STREAM_END;
    if (code == Z_STREAM_END)
        inflateReset(stream);
    else if (code == Z_MEM_ERROR)
        return rd__fail_memory(err, "decompressing gzip", 1 << 16);
    else if (code != Z_OK && code != Z_BUF_ERROR)
        return rd__fail(err, RD_EINPUT, "%s: the gzip data is damaged (%s)", source->name,
                        stream->msg ? stream->msg : "no details");
    return RD_OK;
}

static void gzip_close(rd__source *source)
{
    inflateEnd(source->decoder);
    rd__free(source->decoder);
}

const rd__decoder_ops rd__gzip_ops = {"gzip", gzip_open, gzip_decode, gzip_close};
#else
static rd_status gzip_open(rd__source *source, rd_error *err)
{
    return rd__fail(err, RD_EINPUT,
                    "%s: is compressed with gzip, and this raddle was built without zlib; pipe it through gunzip",
                    source->name);
}

const rd__decoder_ops rd__gzip_ops = {"gzip", gzip_open, NULL, NULL};
#endif
