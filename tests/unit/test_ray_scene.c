/* SPDX-License-Identifier: Apache-2.0 */
/* test_ray_scene.c - readers and generators of scenes, and the acceleration structures over them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/memory.h"
#include "ray/accel.h"
#include "sanitized.h"

static rd_status obj(const char *text, rd__scene *scene, rd_error *err)
{
    memset(scene, 0, sizeof *scene);
    snprintf(scene->source, sizeof scene->source, "x.obj");
    return rd__obj_read(scene, "x.obj", text, strlen(text), err);
}

static void bad_obj(const char *text, const char *why)
{
    rd__scene scene;
    rd_error err = {.status = RD_OK};
    rd_status status = obj(text, &scene, &err);
    if (status == RD_OK)
        status = rd__scene_finish(&scene, &err);
    assert_true(status == RD_EINPUT || status == RD_EIO);
    if (!strstr(err.text, why))
        fail_msg("'%s' is not in '%s'", why, err.text);
    rd__scene_free(&scene);
}

#define CORNERS "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"

static void obj_faces(void **state)
{
    rd__scene scene;
    rd_error err;
    (void)state;
    assert_int_equal(obj("# a quad\n" CORNERS "vn 0 0 1\nf 1 2 3 4\nf -4//1 -3//1 -2//1\nf 1/7/1 2/7/1 \\\n 4/7/1\r\n",
                         &scene, &err),
                     RD_OK);
    assert_int_equal(scene.triangles, 4); /* the quad is a fan of two */
    assert_float_equal(scene.triangle[1].corner[2].y, 1, 0);
    assert_float_equal(scene.triangle[1].corner[1].x, 1, 0);
    assert_float_equal(scene.triangle[3].normal[0].z, 1, 0);
    rd__scene_free(&scene);
    assert_int_equal(obj(CORNERS "f 1 1 2\nf 1 2 3", &scene, &err), RD_OK);
    assert_int_equal(scene.degenerate, 1);
    assert_int_equal(scene.triangles, 1);
    rd__scene_free(&scene);
}

static char warnings[4][200];
static int warned;
static void on_warning(void *user, rd_log_level level, const char *text)
{
    (void)user;
    (void)level;
    if (warned < 4)
        snprintf(warnings[warned], sizeof warnings[0], "%.199s", text);
    warned++;
}

/* What is missing beside a scene is said, and the scene is shown without it. */
static void obj_warnings(void **state)
{
    rd__scene scene;
    rd_error err;
    (void)state;
    rd_set_log(on_warning, NULL, RD_LOG_WARN);
    warned = 0;
    assert_int_equal(obj(CORNERS "usemtl red\nf 1 2 3\nusemtl blue\nf 1 2 4\nusemtl red\nf 1 3 4\n", &scene, &err),
                     RD_OK);
    assert_int_equal(warned, 2); /* once a name */
    assert_non_null(strstr(warnings[0], "x.obj:5: usemtl: material 'red'"));
    assert_int_equal(scene.triangles, 3);
    rd__scene_free(&scene);
    warned = 0;
    assert_int_equal(obj("mtllib no-such.mtl\n" CORNERS "usemtl red\nf 1 2 3\n", &scene, &err), RD_OK);
    assert_int_equal(warned, 1); /* its materials are not missed again */
    assert_non_null(strstr(warnings[0], "x.obj:1: mtllib: 'no-such.mtl' cannot be opened"));
    rd__scene_free(&scene);
    warned = 0;
    assert_int_equal(obj("v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 1 1 0 1 0 0\nf 1 2 3\n", &scene, &err), RD_OK);
    assert_int_equal(warned, 0);
    rd__scene_free(&scene);
    warned = 0;
    assert_int_equal(obj("v 0 0 0 1.0\nv 1 0 0 1\nv 1 1 0 1\nf -3 -2 -1\n", &scene, &err), RD_OK);
    assert_int_equal(warned, 0); /* a weight is no colour */
    rd__scene_free(&scene);
    rd_set_log(NULL, NULL, RD_LOG_WARN);
}

static void obj_errors(void **state)
{
    (void)state;
    bad_obj("v 0 0\n", "x.obj:1: v: a number is missing");
    bad_obj("\n\nv 0 zero 0\n", "x.obj:3: v: 'zero'");
    bad_obj("v 0 nan 0\n", "x.obj:1");
    bad_obj(CORNERS "f 1 2\n", "x.obj:5: f: a face has at least three corners");
    bad_obj(CORNERS "f 1 2 5\n", "x.obj:5: f: there is no vertex 5");
    bad_obj(CORNERS "f 1 2 0\n", "there is no vertex 0");
    bad_obj(CORNERS "f 1 2 -5\n", "there is no vertex -5");
    bad_obj(CORNERS "f 1 2 x\n", "'x' is no corner");
    bad_obj(CORNERS "f 1//1 2//1 3//1\n", "there is no normal 1");
    bad_obj("hello\n", "'hello' is no statement");
    bad_obj(CORNERS "f 1 1 2\n", "no triangle with an area (1 without");
    bad_obj("", "no triangle");
}

static void materials(void **state)
{
    rd__scene scene = {.source = "m"};
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__mtl_read(&scene, "m.mtl",
                                  "newmtl a b\nKd 1 0.5 0\nKs 0.6 0.6 0.6\nillum 3\nNs 90\nmap_Kd x.png\n"
                                  "newmtl glass\nd 0.2\nNi 1.3\nKe 0 0 0\n",
                                  &err),
                     RD_OK);
    assert_int_equal(scene.materials, 2);
    assert_int_equal(rd__scene_find_material(&scene, "a b"), 0);
    assert_float_equal(scene.material[0].reflectivity, 0.6f, 1e-6);
    assert_float_equal(scene.material[0].shine, 90, 0);
    assert_float_equal(scene.material[1].transparency, 0.8f, 1e-6);
    assert_float_equal(scene.material[1].index, 1.3f, 1e-6);
    assert_int_equal(rd__mtl_read(&scene, "m.mtl", "Kd 1 1 1\n", &err), RD_EINPUT);
    assert_non_null(strstr(err.text, "m.mtl:1"));
    assert_int_equal(rd__mtl_read(&scene, "m.mtl", "newmtl x\nKd 1 1\n", &err), RD_EINPUT);
    assert_non_null(strstr(err.text, "m.mtl:2: Kd"));
    assert_int_equal(rd__mtl_read(&scene, "m.mtl", "newmtl x\nfoo\n", &err), RD_EINPUT);
    assert_int_equal(rd__mtl_read(&scene, "m.mtl", "newmtl\n", &err), RD_EINPUT);
    rd__scene_free(&scene);
}

static void tints_are(const rd__scene *scene, uint32_t triangle, uint32_t a, uint32_t b, uint32_t c)
{
    assert_true(triangle < scene->triangles && scene->triangle[triangle].tinted);
    assert_int_equal(scene->triangle[triangle].tint[0], a);
    assert_int_equal(scene->triangle[triangle].tint[1], b);
    assert_int_equal(scene->triangle[triangle].tint[2], c);
}

#define RGB(r, g, b) ((uint32_t)(r) << 20 | (uint32_t)(g) << 10 | (uint32_t)(b))

static void obj_colours(void **state)
{
    rd__scene scene;
    rd_error err;
    (void)state;
    assert_int_equal(obj("v 0 0 0 1 0 0\nv 1 0 0 0 1 0.5\nv 1 1 0 0 0 1\nv 0 1 0 -1 2e-9 0\nf 1 2 3 4\n", &scene, &err),
                     RD_OK);
    tints_are(&scene, 0, RGB(1023, 0, 0), RGB(0, 1023, 512), RGB(0, 0, 1023));
    tints_are(&scene, 1, RGB(1023, 0, 0), RGB(0, 0, 1023), 0);
    rd__scene_free(&scene);
    /* From 0 to 255, and with a weight before. */
    assert_int_equal(obj("v 0 0 0 1 255 0 0\nv 1 0 0 1 0 51 0\nv 1 1 0 1 0 0 1\nf 1 2 3\n", &scene, &err), RD_OK);
    tints_are(&scene, 0, RGB(1023, 0, 0), RGB(0, 205, 0), RGB(0, 0, 4));
    rd__scene_free(&scene);
    /* Some have none, and so have their triangles. */
    assert_int_equal(
        obj("v 0 0 0\nv 1 0 0 1 0 0\nv 1 1 0 1 0 0\nv 0 1 0 1 0 0\nv 2 2 0\nf 1 2 3\nf 2 3 4\nf 3 4 5\n", &scene, &err),
        RD_OK);
    assert_int_equal(scene.triangle[0].tinted, 0);
    tints_are(&scene, 1, RGB(1023, 0, 0), RGB(1023, 0, 0), RGB(1023, 0, 0));
    assert_int_equal(scene.triangle[2].tinted, 0);
    rd__scene_free(&scene);
    /* What is no number is no colour; two numbers are none either. */
    assert_int_equal(obj("v 0 0 0 red 0 0\nv 1 0 0 1 1\nv 1 1 0 # 1 1 1\nf 1 2 3\n", &scene, &err), RD_OK);
    assert_int_equal(scene.triangle[0].tinted, 0);
    rd__scene_free(&scene);
}

/* ---- PLY ---- */

#define HEAD(format, vertices, faces)                                                                                  \
    "ply\nformat " format " 1.0\ncomment x\nelement vertex " vertices "\nproperty float x\nproperty float y\n"         \
    "property double z\nproperty uchar red\nelement face " faces                                                       \
    "\nproperty list uchar int vertex_indices\nend_header\n"

static rd_status ply(const char *text, size_t bytes, rd__scene *scene, rd_error *err)
{
    memset(scene, 0, sizeof *scene);
    return rd__ply_read(scene, "x.ply", text, bytes, err);
}

static size_t put(char *out, const void *value, size_t bytes, int big)
{
    for (size_t i = 0; i < bytes; i++)
        out[i] = ((const char *)value)[big ? bytes - 1 - i : i]; /* the tests run on little-endian machines */
    return bytes;
}

static void ply_all_formats(void **state)
{
    static const float xy[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    static const char ascii[] = HEAD("ascii", "4", "2") "0 0 0 9\n1 0 0 9\n1 1 0 9 0 1 0 9\n4 0 1 2 3\n3 0 1 2\n";
    rd__scene scene;
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(ply(ascii, sizeof ascii - 1, &scene, &err), RD_OK);
    assert_int_equal(scene.triangles, 3);
    rd__scene_free(&scene);
    for (int big = 0; big < 2; big++) {
        char file[600];
        const char *head = big ? HEAD("binary_big_endian", "4", "1") : HEAD("binary_little_endian", "4", "1");
        size_t n = strlen(head);
        memcpy(file, head, n);
        for (int i = 0; i < 4; i++) {
            const double z = 0.25;
            n += put(file + n, &xy[i][0], 4, big);
            n += put(file + n, &xy[i][1], 4, big);
            n += put(file + n, &z, 8, big);
            file[n++] = 7;
        }
        file[n++] = 4;
        for (int32_t i = 0; i < 4; i++)
            n += put(file + n, &i, 4, big);
        file[n] = '\0';
        assert_int_equal(ply(file, n, &scene, &err), RD_OK);
        assert_int_equal(scene.triangles, 2);
        assert_float_equal(scene.triangle[0].corner[1].x, 1, 0);
        assert_float_equal(scene.triangle[0].corner[1].z, 0.25, 0);
        rd__scene_free(&scene);
        assert_int_equal(ply(file, n - 1, &scene, &err), RD_EINPUT);
        assert_non_null(strstr(err.text, "ends within face 0"));
        rd__scene_free(&scene);
    }
}

static void bad_ply(const char *text, const char *why)
{
    rd__scene scene;
    rd_error err = {.status = RD_OK};
    assert_int_equal(ply(text, strlen(text), &scene, &err), RD_EINPUT);
    if (!strstr(err.text, why))
        fail_msg("'%s' is not in '%s'", why, err.text);
    rd__scene_free(&scene);
}

#define COLOURED(type)                                                                                                 \
    "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nproperty " type    \
    " red\nproperty " type " green\nproperty " type " blue\nelement face 1\nproperty list uchar int vertex_indices\n"  \
    "end_header\n"

static void ply_colours(void **state)
{
    static const char bytes[] = COLOURED("uchar") "0 0 0 255 0 0\n1 0 0 0 51 0\n0 1 0 0 0 255\n3 0 1 2\n",
                      shorts[] = COLOURED("ushort") "0 0 0 65535 0 0\n1 0 0 0 13107 0\n0 1 0 0 0 65535\n3 0 1 2\n",
                      floats[] = COLOURED("float") "0 0 0 1 0 0\n1 0 0 -7 0.2 0\n0 1 0 0 0 9\n3 0 1 2\n";
    static const char *const files[] = {bytes, shorts, floats};
    rd__scene scene;
    rd_error err;
    (void)state;
    for (int i = 0; i < 3; i++) {
        assert_int_equal(ply(files[i], strlen(files[i]), &scene, &err), RD_OK);
        tints_are(&scene, 0, RGB(1023, 0, 0), RGB(0, 205, 0), RGB(0, 0, 1023));
        rd__scene_free(&scene);
    }
}

static void ply_errors(void **state)
{
    (void)state;
    bad_ply("ply\nformat ascii 1.0\n", "end_header is missing");
    bad_ply("ply\nformat morse 1.0\nend_header\n", "x.ply:2: header: no format of PLY");
    bad_ply("ply\nend_header\n", "there is no format line");
    bad_ply("ply\nformat ascii 1.0\nproperty int x\nend_header\n", "before the first element");
    bad_ply("ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "no number of elements");
    bad_ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty word x\nend_header\n", "no type of PLY");
    bad_ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n1\n", "x, y and z");
    bad_ply(HEAD("ascii", "2000000000", "1") "1 2 3\n", "too short for 2000000000 vertices");
    bad_ply(HEAD("ascii", "3", "1") "0 0 0 0\n1 0 0 0\n0 1 0 0\n3 0 1 3\n", "names vertex 3 of 3 that came before");
    bad_ply(HEAD("ascii", "3", "1") "0 0 0 0\n1 0 0 0\n0 1 0 0\n2 0 1\n", "has 2 corners");
    bad_ply(HEAD("ascii", "3", "1") "0 0 0 0\n1 0 zero 0\n", "vertex 1: 'zero'");
    bad_ply(HEAD("ascii", "3", "1") "0 0 0 0\n1 0", "ends within vertex 1");
    bad_ply(HEAD("ascii", "3", "1") "0 0 0 0\n1 \x1b[31m 0 0\n", "vertex 1: '\\x1b[31m'");
}

/* ---- Generators and acceleration structures ---- */

static void same_accel(const rd__accel *a, const rd__accel *b, size_t vectors)
{
    assert_int_equal(a->nodes, b->nodes);
    assert_memory_equal(a->node, b->node, a->nodes * vectors * sizeof *a->node);
}

static void check_scene(const char *text)
{
    rd__scene scene = {.triangles = 0};
    rd__accel accel, again;
    rd_error err = {.status = RD_OK};
    if (rd__scene_open(&scene, text, NULL, &err) != RD_OK)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(rd__bvh_build(&scene, 4, &accel, &err), RD_OK);
    if (rd__bvh_check(&scene, &accel, &err) != RD_OK)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(rd__bvh_build(&scene, 1, &again, &err), RD_OK);
    same_accel(&accel, &again, ACCEL_BVH_VECTORS);
    rd__accel_free(&again);
    /* The check can fail: a box that is too small, a triangle that is there twice. */
    const rd__vec4 box = accel.node[0];
    accel.node[0].x = accel.node[0].y;
    accel.node[0].z = accel.node[0].w;
    assert_int_equal(rd__bvh_check(&scene, &accel, &err), RD_EWRONG);
    accel.node[0] = box;
    if (scene.triangles > 1) {
        accel.triangle[0].w = accel.triangle[3].w;
        assert_int_equal(rd__bvh_check(&scene, &accel, &err), RD_EWRONG);
    }
    rd__accel_free(&accel);
    assert_int_equal(rd__octree_build(&scene, 4, &accel, &err), RD_OK);
    if (rd__octree_check(&scene, &accel, &err) != RD_OK)
        fail_msg("%s: %s", text, err.text);
    assert_int_equal(rd__octree_build(&scene, 1, &again, &err), RD_OK);
    same_accel(&accel, &again, ACCEL_OCTREE_VECTORS);
    rd__accel_free(&again);
    accel.node[1].x = accel.node[0].x;
    assert_int_equal(rd__octree_check(&scene, &accel, &err), RD_EWRONG);
    rd__accel_free(&accel);
    rd__scene_free(&scene);
}

static void structures_hold(void **state)
{
    (void)state;
    check_scene("terrain:1");
    check_scene(SANITIZED ? "terrain:30" : "terrain:90");
    check_scene("hills:20");
    check_scene("box:10");
    check_scene("flake:2:8");
    check_scene("corner:1");
}

/* Many triangles at one place: no plane parts them. */
static void equal_triangles(void **state)
{
    const rd__vec corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    rd__scene scene = {.source = "pile"};
    rd__accel accel;
    rd_error err = {.status = RD_OK};
    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(rd__scene_add(&scene, corner, NULL, 0, &err), RD_OK);
    assert_int_equal(rd__scene_finish(&scene, &err), RD_OK);
    assert_int_equal(rd__bvh_build(&scene, 2, &accel, &err), RD_OK);
    assert_int_equal(rd__bvh_check(&scene, &accel, &err), RD_OK);
    assert_true(accel.depth < ACCEL_STACK);
    rd__accel_free(&accel);
    assert_int_equal(rd__octree_build(&scene, 2, &accel, &err), RD_OK);
    assert_int_equal(rd__octree_check(&scene, &accel, &err), RD_OK);
    rd__accel_free(&accel);
    rd__scene_free(&scene);
}

static void bad_generators(void **state)
{
    static const char *const bad[] = {"flake:x", "flake:9", "flake:1:2:3", "terrain:0",
                                      "hills:0", "box:1:2", "corner:-1"};
    rd__scene scene = {.triangles = 0};
    rd_error err;
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_int_equal(rd__scene_open(&scene, bad[i], NULL, &err), RD_EARG);
    assert_int_equal(rd__scene_open(&scene, "no-such-file.obj", NULL, &err), RD_EIO);
    assert_int_equal(rd__scene_open(&scene, "no-such-file.ply", NULL, &err), RD_EIO);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj_faces),       cmocka_unit_test(obj_warnings),    cmocka_unit_test(obj_errors),
        cmocka_unit_test(materials),       cmocka_unit_test(ply_all_formats), cmocka_unit_test(ply_errors),
        cmocka_unit_test(obj_colours),     cmocka_unit_test(ply_colours),     cmocka_unit_test(structures_hold),
        cmocka_unit_test(equal_triangles), cmocka_unit_test(bad_generators),
    };
    return cmocka_run_group_tests_name("scenes of ray", tests, NULL, NULL);
}
