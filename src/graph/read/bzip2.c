/* SPDX-License-Identifier: Apache-2.0 */
/* bzip2.c - bzip2 through libbz2, when it was there at build time. A file may hold several streams one after another,
 * as parallel packers write them. */
#include "graph/read/source.h"

#ifdef RD_WITH_bzip2
#include <bzlib.h>

struct decoder {
    bz_stream stream;
    int open;  /* a stream has begun */
    int ended; /* one has ended, and nothing has followed yet */
};

static void *bzip2_alloc(void *opaque, int count, int size)
{
    (void)opaque; /* not set to zero: these are megabytes */
    return rd__malloc((size_t)count * (size_t)size);
}

static void bzip2_free(void *opaque, void *ptr)
{
    (void)opaque;
    rd__free(ptr);
}

static rd_status begin_stream(struct decoder *decoder, rd_error *err)
{
    decoder->stream = (bz_stream){.bzalloc = bzip2_alloc, .bzfree = bzip2_free};
    if (BZ2_bzDecompressInit(&decoder->stream, 0, 0) != BZ_OK)
        return rd__fail_memory(err, "decompressing bzip2", 4 << 20);
    decoder->open = 1;
    return RD_OK;
}

static rd_status bzip2_open(rd__source *source, rd_error *err)
{
    struct decoder *decoder = rd__calloc(1, sizeof *decoder);
    if (!decoder)
        return rd__fail_memory(err, "decompressing bzip2", sizeof *decoder);
    source->decoder = decoder;
    return begin_stream(decoder, err);
}

static rd_status bzip2_decode(rd__source *source, void *data, size_t want, size_t *got, int *ended, rd_error *err)
{
    struct decoder *decoder = source->decoder;
    const size_t most = want < 1u << 30 ? want : 1u << 30;
    *got = 0;
    if (decoder->ended) {
        *ended = 1;
        if (source->input_at == source->input_end)
            return RD_OK;
        decoder->ended = 0;
        RD_TRY(begin_stream(decoder, err));
    }
    bz_stream *stream = &decoder->stream;
    stream->next_in = source->input + source->input_at;
    stream->avail_in = (unsigned)(source->input_end - source->input_at);
    stream->next_out = data;
    stream->avail_out = (unsigned)most;
    const int code = BZ2_bzDecompress(stream);
    source->input_at = source->input_end - stream->avail_in;
    *got = most - stream->avail_out;
    *ended = code == BZ_STREAM_END;
    if (code == BZ_MEM_ERROR)
        return rd__fail_memory(err, "decompressing bzip2", 4 << 20);
    if (code != BZ_OK && code != BZ_STREAM_END)
        return rd__fail(err, RD_EINPUT, "%s: the bzip2 data is damaged (%s)", source->name,
                        code == BZ_DATA_ERROR_MAGIC ? "other bytes where a stream should begin" : "a check failed");
    if (code == BZ_STREAM_END) {
        BZ2_bzDecompressEnd(stream);
        decoder->open = 0;
        decoder->ended = 1;
    }
    return RD_OK;
}

static void bzip2_close(rd__source *source)
{
    struct decoder *decoder = source->decoder;
    if (decoder->open)
        BZ2_bzDecompressEnd(&decoder->stream);
    rd__free(decoder);
}

const rd__decoder_ops rd__bzip2_ops = {"bzip2", bzip2_open, bzip2_decode, bzip2_close};
#else
static rd_status bzip2_open(rd__source *source, rd_error *err)
{
    return rd__fail(err, RD_EINPUT,
                    "%s: is compressed with bzip2, and this raddle was built without libbz2; pipe it through bzcat",
                    source->name);
}

const rd__decoder_ops rd__bzip2_ops = {"bzip2", bzip2_open, NULL, NULL};
#endif
