/* SPDX-License-Identifier: Apache-2.0 */
/* zstd.c - Zstandard through libzstd, when it was there at build time. The library takes its memory from malloc by
 * itself. */
#include "graph/read/source.h"

#ifdef RD_WITH_zstd
#include <zstd.h>

struct decoder {
    ZSTD_DStream *stream;
    int ended;
};

static rd_status zstd_open(rd__source *source, rd_error *err)
{
    struct decoder *decoder = rd__calloc(1, sizeof *decoder);
    if (decoder)
        decoder->stream = ZSTD_createDStream();
    if (!decoder || !decoder->stream) {
        rd__free(decoder);
        return rd__fail_memory(err, "decompressing zstd", 1 << 18);
    }
    source->decoder = decoder;
    return RD_OK;
}

static rd_status zstd_decode(rd__source *source, void *data, size_t want, size_t *got, int *ended, rd_error *err)
{
    struct decoder *decoder = source->decoder;
    ZSTD_inBuffer in = {source->input, source->input_end, source->input_at};
    ZSTD_outBuffer out = {data, want, 0};
    *got = 0;
    /* called without input, the decoder may still have output of its own */
    if (in.pos == in.size && decoder->ended) {
        *ended = 1;
        return RD_OK;
    }
    size_t left = ZSTD_decompressStream(decoder->stream, &out, &in);
    if (ZSTD_isError(left))
        return rd__fail(err, RD_EINPUT, "%s: the zstd data is damaged (%s)", source->name, ZSTD_getErrorName(left));
    source->input_at = in.pos;
    *got = out.pos;
    decoder->ended = left == 0;
    *ended = decoder->ended;
    return RD_OK;
}

static void zstd_close(rd__source *source)
{
    struct decoder *decoder = source->decoder;
    ZSTD_freeDStream(decoder->stream);
    rd__free(decoder);
}

const rd__decoder_ops rd__zstd_ops = {"zstd", zstd_open, zstd_decode, zstd_close};
#else
static rd_status zstd_open(rd__source *source, rd_error *err)
{
    return rd__fail(err, RD_EINPUT,
                    "%s: is compressed with zstd, and this raddle was built without libzstd; pipe it through zstdcat",
                    source->name);
}

const rd__decoder_ops rd__zstd_ops = {"zstd", zstd_open, NULL, NULL};
#endif
