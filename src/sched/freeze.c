/* SPDX-License-Identifier: Apache-2.0 */
/* freeze.c - see freeze.h. */
#include "sched/freeze.h"

#include "core/memory.h"

#include <errno.h>
#include <string.h>

enum { PIECE = 1 << 20 }; /* bytes that are moved at once */

rd_status rd__freeze_to(const char *path, rd__freeze_fn *move, void *user, rd_error *err)
{
    rd__sink sink;
    RD_TRY(rd__sink_open(&sink, path, RD__SINK_REPLACE, err));
    rd__freeze freeze = {.path = path, .sink = &sink};
    return rd__sink_close(&sink, move(user, &freeze, err), err);
}

rd_status rd__freeze_from(const char *path, rd__freeze_fn *move, void *user, rd_error *err)
{
    FILE *file = fopen(path, "rb");
    long size = -1;
    if (!file)
        return rd__fail(err, RD_EIO, "%s: cannot be opened: %s", path, strerror(errno));
    if (fseek(file, 0, SEEK_END) == 0)
        size = ftell(file);
    rewind(file);
    rd__freeze freeze = {.path = path, .file = file, .left = size > 0 ? (uint64_t)size : 0};
    const rd_status status = move(user, &freeze, err);
    fclose(file);
    return status;
}

rd_status rd__freeze_bytes(rd__freeze *freeze, void *data, uint64_t bytes, rd_error *err)
{
    if (freeze->sink) {
        RD_TRY(rd__sink_write(freeze->sink, data, bytes, err));
    } else {
        if (bytes > freeze->left || fread(data, 1, bytes, freeze->file) != bytes)
            return rd__fail(err, RD_EINPUT, "%s: the checkpoint is cut off", freeze->path);
        freeze->left -= bytes;
    }
    rd__hash_add(&freeze->hash, data, bytes);
    return RD_OK;
}

rd_status rd__freeze_same(rd__freeze *freeze, const char *what, uint64_t value, rd_error *err)
{
    uint64_t other = value;
    RD_TRY(rd__freeze_bytes(freeze, &other, sizeof other, err));
    if (other != value)
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint is of another job: %s is %llu there and %llu here",
                        freeze->path, what, (unsigned long long)other, (unsigned long long)value);
    return RD_OK;
}

static rd_status move_piece(rd__freeze *freeze, rd__buffer *buffer, uint64_t at, uint64_t bytes, void *piece,
                            rd_error *err)
{
    if (freeze->sink)
        RD_TRY(rd__buffer_read(buffer, at, bytes, piece, err));
    RD_TRY(rd__freeze_bytes(freeze, piece, bytes, err));
    return freeze->sink ? RD_OK : rd__buffer_write(buffer, at, bytes, piece, err);
}

static rd_status move_content(rd__freeze *freeze, rd__buffer *buffer, rd_error *err)
{
    const uint64_t bytes = buffer->bytes;
    unsigned char *piece = NULL;
    RD_TRY(rd__array_new(&piece, "a piece of a checkpoint", PIECE, 1, err));
    rd_status status = RD_OK;
    for (uint64_t at = 0; at < bytes && status == RD_OK; at += PIECE)
        status = move_piece(freeze, buffer, at, bytes - at < PIECE ? bytes - at : PIECE, piece, err);
    rd__array_free(piece);
    return status;
}

rd_status rd__freeze_buffer(rd__freeze *freeze, rd__buffer *buffer, rd_error *err)
{
    uint64_t bytes = buffer->bytes;
    RD_TRY(rd__freeze_bytes(freeze, &bytes, sizeof bytes, err));
    if (bytes != buffer->bytes) {
        rd_device *device = buffer->device;
        const char *name = buffer->name;
        if (bytes > freeze->left || bytes < 4)
            return rd__fail(err, RD_EINPUT, "%s: the checkpoint is cut off", freeze->path);
        rd__buffer_free(buffer);
        RD_TRY(rd__buffer_alloc(device, buffer, name, bytes, err));
    }
    return move_content(freeze, buffer, err);
}

rd_status rd__freeze_fixed(rd__freeze *freeze, rd__buffer *buffer, rd_error *err)
{
    const uint64_t bytes = buffer->device ? buffer->bytes : 0;
    RD_TRY(rd__freeze_same(freeze, "the size of a buffer", bytes, err));
    return bytes ? move_content(freeze, buffer, err) : RD_OK;
}

rd_status rd__freeze_end(rd__freeze *freeze, rd_error *err)
{
    const rd__hash hash = freeze->hash;
    rd__hash other = hash;
    RD_TRY(rd__freeze_bytes(freeze, &other, sizeof other, err));
    if (memcmp(&other, &hash, sizeof hash) != 0 || freeze->left)
        return rd__fail(err, RD_EINPUT, "%s: the checkpoint was changed or damaged", freeze->path);
    return RD_OK;
}
