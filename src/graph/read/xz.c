/* SPDX-License-Identifier: Apache-2.0 */
/* xz.c - xz through liblzma, when it was there at build time. A file may hold several streams one after another, and
 * zeros between and after them. */
#include "graph/read/source.h"

#ifdef RD_WITH_xz
#include <lzma.h>

/* What a stream may ask for: a header that wants gigabytes is damaged or hostile; the most that xz writes takes 65 MB,
 * unless it is asked for more. */
static const uint64_t MEMORY_MOST = 1ull << 30;

struct decoder {
    lzma_stream stream;
    lzma_allocator allocator;
};

static void *xz_alloc(void *opaque, size_t count, size_t size)
{
    (void)opaque; /* not set to zero: a dictionary has megabytes */
    return size && count > SIZE_MAX / size ? NULL : rd__malloc(count * size);
}

static void xz_free(void *opaque, void *ptr)
{
    (void)opaque;
    rd__free(ptr);
}

static rd_status xz_open(rd__source *source, rd_error *err)
{
    struct decoder *decoder = rd__calloc(1, sizeof *decoder);
    if (!decoder)
        return rd__fail_memory(err, "decompressing xz", sizeof *decoder);
    source->decoder = decoder;
    decoder->stream = (lzma_stream)LZMA_STREAM_INIT;
    decoder->allocator = (lzma_allocator){xz_alloc, xz_free, NULL};
    decoder->stream.allocator = &decoder->allocator;
    if (lzma_stream_decoder(&decoder->stream, MEMORY_MOST, LZMA_CONCATENATED) != LZMA_OK)
        return rd__fail_memory(err, "decompressing xz", 1 << 16);
    return RD_OK;
}

static const char *reason(lzma_ret code)
{
    switch (code) {
    case LZMA_FORMAT_ERROR: return "other bytes where a stream should begin";
    case LZMA_OPTIONS_ERROR: return "it uses what this liblzma does not know";
    case LZMA_DATA_ERROR: return "a check failed";
    default: return "no details";
    }
}

static rd_status xz_decode(rd__source *source, void *data, size_t want, size_t *got, int *ended, rd_error *err)
{
    lzma_stream *stream = &((struct decoder *)source->decoder)->stream;
    stream->next_in = (const uint8_t *)source->input + source->input_at;
    stream->avail_in = source->input_end - source->input_at;
    stream->next_out = data;
    stream->avail_out = want;
    /* only the end of the input tells that no stream follows */
    const lzma_ret code = lzma_code(stream, source->input_done ? LZMA_FINISH : LZMA_RUN);
    source->input_at = source->input_end - stream->avail_in;
    *got = want - stream->avail_out;
    *ended = code == LZMA_STREAM_END;
    if (code == LZMA_MEM_ERROR)
        return rd__fail_memory(err, "decompressing xz", 1 << 20);
    if (code == LZMA_MEMLIMIT_ERROR)
        return rd__fail(err, RD_EINPUT, "%s: the xz data wants more than 1 GiB to be unpacked; pipe it through xzcat",
                        source->name);
    if (code != LZMA_OK && code != LZMA_STREAM_END && code != LZMA_BUF_ERROR)
        return rd__fail(err, RD_EINPUT, "%s: the xz data is damaged (%s)", source->name, reason(code));
    return RD_OK;
}

static void xz_close(rd__source *source)
{
    lzma_end(&((struct decoder *)source->decoder)->stream);
    rd__free(source->decoder);
}

const rd__decoder_ops rd__xz_ops = {"xz", xz_open, xz_decode, xz_close};
#else
static rd_status xz_open(rd__source *source, rd_error *err)
{
    return rd__fail(err, RD_EINPUT,
                    "%s: is compressed with xz, and this raddle was built without liblzma; pipe it through xzcat",
                    source->name);
}

const rd__decoder_ops rd__xz_ops = {"xz", xz_open, NULL, NULL};
#endif
