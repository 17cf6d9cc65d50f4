/* SPDX-License-Identifier: Apache-2.0 */
/* picture.c - from light to 8 bits a channel, to PPM and PNG files. */
#include "ray/picture.h"

#include "core/memory.h"
#include "core/sink.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static unsigned char to_byte(float light)
{
    const float x = light > 0 ? powf(light < 1 ? light : 1, 1 / 2.2f) : 0; /* NaN becomes 0 */
    return (unsigned char)(255 * x + 0.5f);
}

/* x in 0..1: black, blue, red, yellow, white. */
static void heat_colour(float x, unsigned char *rgb)
{
    static const float stop[5][3] = {{0, 0, 0}, {0.1f, 0.1f, 0.8f}, {0.85f, 0.1f, 0.15f}, {1, 0.85f, 0.1f}, {1, 1, 1}};
    const float at = 4 * (x > 0 ? (x < 1 ? x : 1) : 0); /* NaN becomes 0 */
    const int i = at < 3 ? (int)at : 3;
    for (int c = 0; c < 3; c++)
        rgb[c] = (unsigned char)(255 * (stop[i][c] + (at - (float)i) * (stop[i + 1][c] - stop[i][c])) + 0.5f);
}

rd_status rd__picture_new(const float *image, uint32_t width, uint32_t height, int heat, rd__picture *picture,
                          rd_error *err)
{
    const size_t pixels = (size_t)width * height;
    float most = 2;
    *picture = (rd__picture){width, height, rd__malloc(3 * pixels)};
    if (!picture->rgb)
        return rd__fail_memory(err, "a picture", 3 * pixels);
    for (size_t i = 0; i < pixels && heat; i++)
        most = image[4 * i + 3] > most ? image[4 * i + 3] : most;
    for (size_t i = 0; i < pixels; i++) {
        const float rays = image[4 * i + 3];
        if (heat)
            heat_colour(rays > 1 ? logf(rays) / logf(most) : 0, picture->rgb + 3 * i);
        else
            for (size_t c = 0; c < 3; c++)
                picture->rgb[3 * i + c] = to_byte(image[4 * i + c]);
    }
    return RD_OK;
}

void rd__picture_free(rd__picture *picture)
{
    rd__free(picture->rgb);
    picture->rgb = NULL;
}

static int ends_with(const char *text, const char *end)
{
    const size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

rd_status rd__picture_check_name(const char *path, rd_error *err)
{
    if (strcmp(path, "-") != 0 && !ends_with(path, ".png") && !ends_with(path, ".ppm"))
        return rd__fail(err, RD_EARG, "%s: pictures are written as .png or .ppm", path);
    return RD_OK;
}

static rd_status write_png(const rd__picture *picture, rd__sink *sink, rd_error *err)
{
    unsigned char *bytes;
    size_t count;
#ifdef RD_WITH_png
    RD_TRY(rd__png_packed(picture, &bytes, &count, err));
#else
    RD_TRY(rd__png_plain(picture, &bytes, &count, err));
#endif
    rd_status status = rd__sink_write(sink, bytes, count, err);
    rd__free(bytes);
    return status;
}

static rd_status write_ppm(const rd__picture *picture, rd__sink *sink, rd_error *err)
{
    char head[64];
    const int length = snprintf(head, sizeof head, "P6\n%u %u\n255\n", picture->width, picture->height);
    RD_TRY(rd__sink_write(sink, head, (uint64_t)length, err));
    return rd__sink_write(sink, picture->rgb, 3ull * picture->width * picture->height, err);
}

rd_status rd__picture_save(const rd__picture *picture, const char *path, rd_error *err)
{
    rd__sink sink;
    RD_TRY(rd__picture_check_name(path, err));
    RD_TRY(rd__sink_open(&sink, path, RD__SINK_REPLACE, err));
    rd_status status = ends_with(path, ".png") ? write_png(picture, &sink, err) : write_ppm(picture, &sink, err);
    return rd__sink_close(&sink, status, err);
}
