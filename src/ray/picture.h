/* SPDX-License-Identifier: Apache-2.0 */
/* picture.h - pictures of 8 bits a channel, and files of them. */
#ifndef RD_RAY_PICTURE_H
#define RD_RAY_PICTURE_H

#include "core/error.h"

typedef struct rd__picture {
    uint32_t width, height;
    unsigned char *rgb; /* 3 bytes a pixel, rows from the top */
} rd__picture;

/* image: four floats a pixel, linear. heat: colours by the fourth, on a scale of powers, black for 1. */
rd_status rd__picture_new(const float *image, uint32_t width, uint32_t height, int heat, rd__picture *picture,
                          rd_error *err);
void rd__picture_free(rd__picture *picture);
/* By the suffix: .png or .ppm. "-": PPM on standard output. Complete or not at all. */
rd_status rd__picture_save(const rd__picture *picture, const char *path, rd_error *err);
/* Is it a name that rd__picture_save takes? */
rd_status rd__picture_check_name(const char *path, rd_error *err);

/* A whole PNG file in memory, freed with rd__free. plain: deflate's stored blocks, needs nothing; packed: by libpng. */
rd_status rd__png_plain(const rd__picture *picture, unsigned char **bytes, size_t *count, rd_error *err);
rd_status rd__png_packed(const rd__picture *picture, unsigned char **bytes, size_t *count, rd_error *err);

#endif
