/* SPDX-License-Identifier: Apache-2.0 */
/*
 * png.c - PNG files (ISO/IEC 15948). rd__png_plain needs no library: its zlib stream (RFC 1950, 1951) consists of
 * stored blocks, so files are as large as the picture. rd__png_packed lets libpng compress, where it was there at build
 * time.
 */
#include "ray/picture.h"

#include "core/memory.h"

#include <string.h>
#ifdef RD_WITH_png
#include <png.h>
#endif

/* ---- Plain ---- */

enum { BLOCK = 65535 };

static uint32_t crc_of(const unsigned char *data, size_t count)
{
    static const uint32_t nibble[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
                                        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
                                        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < count; i++) {
        crc = nibble[(crc ^ data[i]) & 15] ^ crc >> 4;
        crc = nibble[(crc ^ data[i] >> 4) & 15] ^ crc >> 4;
    }
    return ~crc;
}

static unsigned char *put32(unsigned char *out, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        *out++ = (unsigned char)(x >> 8 * (3 - i));
    return out;
}

/* Data is in place at out + 8 already. @return the place after the chunk. */
static unsigned char *close_chunk(unsigned char *out, const char *name, size_t count)
{
    put32(out, (uint32_t)count);
    memcpy(out + 4, name, 4);
    return put32(out + 8 + count, crc_of(out + 4, count + 4));
}

/* Rows with a filter byte of 0 before each, in stored blocks. @return the place after the stream. */
static unsigned char *put_stream(unsigned char *out, const rd__picture *picture, size_t raw)
{
    const size_t row = 3 * (size_t)picture->width + 1;
    uint32_t a = 1, b = 0; /* Adler-32 */
    *out++ = 0x78;
    *out++ = 0x01;
    for (size_t at = 0; at < raw;) {
        const size_t count = raw - at < BLOCK ? raw - at : BLOCK;
        *out++ = at + count == raw;
        *out++ = (unsigned char)count;
        *out++ = (unsigned char)(count >> 8);
        *out++ = (unsigned char)~count;
        *out++ = (unsigned char)(~count >> 8);
        for (size_t end = at + count; at < end; at++) {
            const size_t x = at % row;
            const unsigned char byte = x == 0 ? 0 : picture->rgb[at / row * (row - 1) + x - 1];
            *out++ = byte;
            a = (a + byte) % 65521;
            b = (b + a) % 65521;
        }
    }
    return put32(out, b << 16 | a);
}

rd_status rd__png_plain(const rd__picture *picture, unsigned char **bytes, size_t *count, rd_error *err)
{
    static const unsigned char magic[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    const size_t raw = (3 * (size_t)picture->width + 1) * picture->height;
    const size_t stream = 2 + raw + 5 * ((raw + BLOCK - 1) / BLOCK) + 4;
    *bytes = NULL;
    if (stream > INT32_MAX)
        return rd__fail(err, RD_EARG, "a picture of %u x %u is too large for a PNG without libpng; write a .ppm",
                        picture->width, picture->height);
    unsigned char *out = rd__malloc(stream + 128);
    if (!out)
        return rd__fail_memory(err, "a PNG file", stream + 128);
    *bytes = out;
    memcpy(out, magic, sizeof magic);
    out += sizeof magic;
    put32(put32(out + 8, picture->width), picture->height);
    memcpy(out + 16, "\10\2\0\0\0", 5); /* 8 bits, RGB, deflate, no filters to choose, no interlace */
    out = close_chunk(out, "IHDR", 13);
    put_stream(out + 8, picture, raw);
    out = close_chunk(out, "IDAT", stream);
    out = close_chunk(out, "IEND", 0);
    *count = (size_t)(out - *bytes);
    return RD_OK;
}

/* ---- Packed ---- */

#ifdef RD_WITH_png

typedef struct png_memory {
    unsigned char *data;
    size_t count, room;
} png_memory;

static void grow(png_structp png, png_bytep data, size_t count)
{
    png_memory *memory = png_get_io_ptr(png);
    if (memory->count + count > memory->room) {
        const size_t room = 2 * (memory->count + count);
        unsigned char *more = rd__realloc(memory->data, room);
        if (!more)
            png_error(png, "out of host memory");
        memory->data = more;
        memory->room = room;
    }
    memcpy(memory->data + memory->count, data, count);
    memory->count += count;
}

static void flush_nothing(png_structp png)
{
    (void)png;
}

/* libpng leaves by longjmp, to the setjmp in the caller's frame. */
static void keep_error(png_structp png, png_const_charp text)
{
    rd_error *why = png_get_error_ptr(png);
    (void)rd__fail(why, RD_EIO, "libpng: %s", text);
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp text)
{
    (void)png;
    (void)text;
}

/* Nothing here is freed, so nothing is lost by a jump. @return 0 after an error. */
static int write_all(png_structp png, png_infop info, const rd__picture *picture)
{
    if (setjmp(png_jmpbuf(png)))
        return 0;
    png_set_IHDR(png, info, picture->width, picture->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 6);
    png_write_info(png, info);
    for (uint32_t y = 0; y < picture->height; y++)
        png_write_row(png, picture->rgb + 3 * (size_t)picture->width * y);
    png_write_end(png, info);
    return 1;
}

rd_status rd__png_packed(const rd__picture *picture, unsigned char **bytes, size_t *count, rd_error *err)
{
    png_memory memory = {.data = NULL};
    rd_error why = {.status = RD_OK};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &why, keep_error, ignore_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    *bytes = NULL;
    if (info)
        png_set_write_fn(png, &memory, grow, flush_nothing);
    const int good = info && write_all(png, info, picture);
    png_destroy_write_struct(png ? &png : NULL, info ? &info : NULL);
    if (!good) {
        rd__free(memory.data);
        return rd__fail(err, RD_EIO, "a PNG file could not be made: %.900s", why.text[0] ? why.text : "out of memory");
    }
    *bytes = memory.data;
    *count = memory.count;
    return RD_OK;
}

#else

rd_status rd__png_packed(const rd__picture *picture, unsigned char **bytes, size_t *count, rd_error *err)
{
    return rd__png_plain(picture, bytes, count, err);
}

#endif
