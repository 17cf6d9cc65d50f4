/* SPDX-License-Identifier: Apache-2.0 */
/* test_ray.c - pictures, PNG files, and the checker of ray: accepts right pictures, finds planted faults. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "apps/ray/check.h"
#include "core/memory.h"
#include "ray/picture.h"
#ifdef RD_WITH_zlib
#include <zlib.h>
#endif

/* ---- PNG ---- */

static uint32_t get32(const unsigned char *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* CRC-32 bit by bit, as the standard defines it. */
static uint32_t crc32_slow(const unsigned char *p, size_t n)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < n; i++) {
        crc ^= p[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? 0xedb88320u ^ crc >> 1 : crc >> 1;
    }
    return ~crc;
}

/* A zlib stream of stored blocks. @return bytes unpacked. */
static size_t unstore(const unsigned char *in, size_t count, unsigned char *out, size_t room)
{
    size_t at = 2, n = 0;
    uint32_t a = 1, b = 0;
    assert_int_equal((in[0] * 256 + in[1]) % 31, 0);
    for (int last = 0; !last;) {
        assert_true(at + 5 <= count);
        last = in[at] & 1;
        assert_int_equal(in[at] >> 1, 0);
        const size_t length = in[at + 1] + 256u * in[at + 2];
        assert_int_equal(length ^ (in[at + 3] + 256u * in[at + 4]), 0xffff);
        assert_true(at + 5 + length <= count && n + length <= room);
        memcpy(out + n, in + at + 5, length);
        n += length;
        at += 5 + length;
    }
    for (size_t i = 0; i < n; i++) {
        a = (a + out[i]) % 65521;
        b = (b + a) % 65521;
    }
    assert_int_equal(get32(in + at), b << 16 | a);
    assert_int_equal(at + 4, count);
    return n;
}

/* Walks the chunks; gives the one IDAT of a plain file. */
static const unsigned char *walk(const unsigned char *file, size_t bytes, uint32_t width, uint32_t height, size_t *idat)
{
    const unsigned char *found = NULL;
    assert_memory_equal(file, "\x89PNG\r\n\x1a\n", 8);
    for (size_t at = 8; at < bytes;) {
        const size_t length = get32(file + at);
        assert_true(at + 12 + length <= bytes);
        assert_int_equal(get32(file + at + 8 + length), crc32_slow(file + at + 4, length + 4));
        if (at == 8) {
            assert_memory_equal(file + at + 4, "IHDR", 4);
            assert_int_equal(get32(file + at + 8), width);
            assert_int_equal(get32(file + at + 12), height);
        }
        if (memcmp(file + at + 4, "IDAT", 4) == 0 && !found) {
            found = file + at + 8;
            *idat = length;
        }
        at += 12 + length;
    }
    assert_non_null(found);
    return found;
}

static void png_comes_back(void **state)
{
    static const uint32_t sizes[][2] = {{1, 1}, {3, 2}, {300, 200}};
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        const uint32_t w = sizes[s][0], h = sizes[s][1];
        const size_t row = 3 * (size_t)w + 1, raw = row * h;
        rd__picture picture = {w, h, malloc(3 * (size_t)w * h)};
        unsigned char *file, *out = malloc(raw + 1);
        size_t bytes = 0, idat = 0;
        rd_error err;
        assert_true(picture.rgb && out);
        for (size_t i = 0; i < 3 * (size_t)w * h; i++)
            picture.rgb[i] = (unsigned char)(i * 7 + i / 256);
        assert_int_equal(rd__png_plain(&picture, &file, &bytes, &err), RD_OK);
        const unsigned char *stream = walk(file, bytes, w, h, &idat);
        assert_int_equal(unstore(stream, idat, out, raw), raw);
        for (uint32_t y = 0; y < h; y++) {
            assert_int_equal(out[y * row], 0);
            assert_memory_equal(out + y * row + 1, picture.rgb + 3 * (size_t)w * y, 3 * (size_t)w);
        }
#ifdef RD_WITH_zlib
        uLongf room = raw + 1;
        assert_int_equal(uncompress(out, &room, stream, idat), Z_OK);
        assert_int_equal(room, raw);
#endif
        rd__free(file);
        assert_int_equal(rd__png_packed(&picture, &file, &bytes, &err), RD_OK);
        walk(file, bytes, w, h, &idat);
        rd__free(file);
        free(out);
        free(picture.rgb);
    }
}

static void names_of_pictures(void **state)
{
    rd_error err;
    (void)state;
    assert_int_equal(rd__picture_check_name("a.png", &err), RD_OK);
    assert_int_equal(rd__picture_check_name("a.ppm", &err), RD_OK);
    assert_int_equal(rd__picture_check_name("-", &err), RD_OK);
    assert_int_equal(rd__picture_check_name("a.jpg", &err), RD_EARG);
    assert_int_equal(rd__picture_check_name("png", &err), RD_EARG);
}

static void heat_and_light(void **state)
{
    const float image[] = {0, 0.5f, 2, 1, 1, 1, 1, 50};
    rd__picture picture;
    rd_error err;
    (void)state;
    assert_int_equal(rd__picture_new(image, 2, 1, 0, &picture, &err), RD_OK);
    assert_int_equal(picture.rgb[0], 0);
    assert_int_equal(picture.rgb[1], 186); /* 255 * 0.5 ^ (1 / 2.2) */
    assert_int_equal(picture.rgb[2], 255);
    rd__picture_free(&picture);
    assert_int_equal(rd__picture_new(image, 2, 1, 1, &picture, &err), RD_OK);
    assert_memory_equal(picture.rgb, "\0\0\0\xff\xff\xff", 6); /* one ray: black; the most: white */
    rd__picture_free(&picture);
}

/* ---- The checker, with what the library renders ---- */

enum { SIDE = 24 };

typedef struct rendered {
    rd__scene scene;
    rd__ray_view view;
    float image[4 * SIDE * SIDE];
} rendered;

static rd_status check(const rendered *r, rd__ray_verdict *verdict)
{
    rd_error err;
    return rd__ray_check(&r->scene, &r->view, r->image, 1000000000, verdict, &err);
}

static int render(void **state)
{
    rendered *r = calloc(1, sizeof *r);
    rd_device *device;
    rd_job *job;
    rd_result result;
    rd_error err;
    if (!r || rd_device_open("cpu:2", NULL, &device, &err) != RD_OK)
        return -1;
    if (rd__scene_open(&r->scene, "box:8", NULL, &err) != RD_OK || rd_job_create(device, "ray", &job, &err) != RD_OK ||
        rd_job_set(job, "size", "24x24", &err) != RD_OK || rd_job_set_input(job, "box:8", &err) != RD_OK ||
        rd_job_run(job, NULL, &err) != RD_OK || rd_job_result(job, &result, &err) != RD_OK)
        return -1;
    assert_int_equal(result.count, 4 * SIDE * SIDE);
    memcpy(r->image, result.real, sizeof r->image);
    r->view = (rd__ray_view){
        .camera = r->scene.camera, .width = SIDE, .height = SIDE, .depth = 8, .cutoff = 0.01f, .shadows = 1};
    rd_job_destroy(job);
    rd_device_close(device);
    *state = r;
    return 0;
}

static int forget(void **state)
{
    rendered *r = *state;
    rd__scene_free(&r->scene);
    free(r);
    return 0;
}

static void a_right_picture_passes(void **state)
{
    rd__ray_verdict verdict;
    assert_int_equal(check(*state, &verdict), RD_OK);
    assert_int_equal(verdict.compared, SIDE * SIDE);
    assert_true(verdict.differing <= 2);
    assert_true(verdict.tests > 0);
}

static void faults_are_found(void **state)
{
    rendered *r = *state, bad;
    rd__ray_verdict verdict;
    for (int fault = 0; fault < 6; fault++) {
        bad = *r;
        for (int i = 0; i < (fault < 3 ? 1 : 16); i++) {
            float *p = &bad.image[4 * (fault < 3 ? 100 : 33 * i)];
            switch (fault) {
            case 0: p[3] = 0; break;         /* a pixel nobody rendered */
            case 1: p[1] = NAN; break;       /* not a number */
            case 2: p[3] += 0.5f; break;     /* half a ray */
            case 3: p[0] += 0.05f; break;    /* light that is not there */
            case 4: p[3] += 1; break;        /* a ray too many */
            default: p[0] = p[1] = p[2] = 0; /* dark pixels */
            }
        }
        assert_int_equal(check(&bad, &verdict), RD_EWRONG);
    }
    bad = *r;
    bad.view.depth = 2; /* rendered with more mirrors than asked for */
    assert_int_equal(check(&bad, &verdict), RD_EWRONG);
    bad = *r;
    bad.view.camera.at.x += 0.1f; /* seen from elsewhere */
    assert_int_equal(check(&bad, &verdict), RD_EWRONG);
}

/* ---- Even work ---- */

static double measured(const rd_report *report, const char *name)
{
    for (uint32_t i = 0; i < report->measures; i++)
        if (strcmp(report->measure[i].name, name) == 0)
            return report->measure[i].value;
    return -1;
}

/* Sixteen tiles for three workers: whole tiles alone would give one of them six and the others five. */
static void even_scenes_are_even(void **state)
{
    static const char *const schemes[] = {"static", "central", "steal", "hardware"};
    rd_device *device;
    rd_job *job;
    rd_report report;
    rd_result result;
    rd_error err;
    (void)state;
    assert_int_equal(rd_device_open("cpu:3", NULL, &device, &err), RD_OK);
    assert_int_equal(rd_job_create(device, "ray", &job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "size", "64x64", &err), RD_OK);
    assert_int_equal(rd_job_set(job, "tile", "16", &err), RD_OK);
    assert_int_equal(rd_job_set(job, "launch", "persistent", &err), RD_OK);
    assert_int_equal(rd_job_set_input(job, "hills:16", &err), RD_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(rd_job_set(job, "schedule", schemes[i], &err), RD_OK);
        assert_int_equal(rd_job_run(job, &report, &err), RD_OK);
        assert_int_equal(rd_job_result(job, &result, &err), RD_OK);
        for (uint32_t p = 0; p < 64 * 64; p++)
            assert_true(((const float *)result.real)[4 * p + 3] == 2); /* the pixel's ray and one to the light */
        assert_true(measured(&report, "lane_use") == 1);
        if (i == 0)
            assert_true(measured(&report, "balance") > 0.98);
        else if (i < 3) /* who does how much is a matter of time */
            assert_true(measured(&report, "balance") > 0 && measured(&report, "balance") <= 1);
        else
            assert_true(measured(&report, "balance") < 0); /* nobody is a worker for long */
    }
    rd_job_destroy(job);
    rd_device_close(device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_scenes_are_even),
        cmocka_unit_test(png_comes_back),
        cmocka_unit_test(names_of_pictures),
        cmocka_unit_test(heat_and_light),
        cmocka_unit_test_setup_teardown(a_right_picture_passes, render, forget),
        cmocka_unit_test_setup_teardown(faults_are_found, render, forget),
    };
    return cmocka_run_group_tests_name("pictures of ray", tests, NULL, NULL);
}
