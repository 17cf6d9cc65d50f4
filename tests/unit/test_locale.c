/* SPDX-License-Identifier: Apache-2.0 */
/* test_locale.c - a program that has set a locale with a decimal comma: what the library reads and writes has a point
 * all the same, and the program's locale stays as it was. The locale is made by localedef for this test; where that or
 * its sources are missing, there is nothing to test with and the tests are skipped. */
#define _POSIX_C_SOURCE 200809L
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/error.h"
#include "raddle/tool.h"
#include "ray/scene.h"

static char folder[] = "/tmp/raddle-locale.XXXXXX";

static int set_german(void **state)
{
    char command[256];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 > /dev/null 2>&1", folder);
    if (system(command) == 0 && setenv("LOCPATH", folder, 1) == 0)
        (void)setlocale(LC_ALL, "de_DE.UTF-8");
    return 0;
}

static int remove_german(void **state)
{
    char command[256];
    (void)state;
    setlocale(LC_ALL, "C");
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? 0 : -1;
}

static void need_comma(void)
{
    char text[16];
    snprintf(text, sizeof text, "%.1f", 0.5);
    if (strcmp(text, "0,5") != 0)
        skip();
}

static void numbers(void **state)
{
    double value = 0;
    char text[32];
    (void)state;
    need_comma();
    assert_true(rd_parse_double("0.65", &value));
    assert_true(value > 0.649 && value < 0.651);
    assert_false(rd_parse_double("0,65", &value));
    assert_string_equal(rd_format_seconds(0.0015, text, sizeof text), "1.500 ms");
    assert_string_equal(rd_format_bytes(1536, text, sizeof text), "1.5 KiB");
    assert_string_equal(rd_format_count(31400000, text, sizeof text), "31.4 M");
    need_comma(); /* the program's own printf still has what it asked for */
}

static void json(void **state)
{
    char *text = NULL;
    size_t size;
    rd_json record;
    (void)state;
    need_comma();
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    rd_json_begin(&record, out);
    rd_json_double(&record, "tenth", 0.1);
    rd_json_double(&record, "sum", 0.1 + 0.2);
    assert_int_equal(rd_json_end(&record), 0);
    fclose(out);
    assert_string_equal(text, "{\"tenth\": 0.1, \"sum\": 0.30000000000000004}\n");
    free(text);
}

static void messages(void **state)
{
    rd_error err;
    (void)state;
    need_comma();
    rd__fail(&err, RD_EARG, "at least %g", 0.5);
    assert_string_equal(err.text, "at least 0.5");
}

static void generators(void **state)
{
    rd_graph *graph;
    rd_error err;
    (void)state;
    need_comma();
    assert_int_equal(rd_graph_open("road:8x8:0.65", NULL, &graph, &err), RD_OK);
    assert_non_null(strstr(rd_graph_provenance(graph), "road:8x8:0.65 "));
    rd_graph_destroy(graph);
}

static void options(void **state)
{
    rd_device *device;
    rd_job *job;
    rd_error err;
    (void)state;
    need_comma();
    assert_int_equal(rd_device_open("cpu:1", NULL, &device, &err), RD_OK);
    assert_int_equal(rd_job_create(device, "pr", &job, &err), RD_OK);
    assert_int_equal(rd_job_set(job, "alpha", "0.85", &err), RD_OK);
    assert_int_equal(rd_job_set(job, "alpha", "0,85", &err), RD_EARG);
    rd_job_destroy(job);
    rd_device_close(device);
}

static void scenes(void **state)
{
    static const char obj[] = "v 0.5 0 0\nv 1 0.25 0\nv 1 1 0\nf 1 2 3\n";
    static const char ply[] = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\n"
                              "property float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
                              "0.5 0 0\n1 0.25 0\n1 1 0\n3 0 1 2\n";
    rd__scene scene;
    rd_error err;
    (void)state;
    need_comma();
    memset(&scene, 0, sizeof scene);
    assert_int_equal(rd__obj_read(&scene, "x.obj", obj, strlen(obj), &err), RD_OK);
    assert_float_equal(scene.triangle[0].corner[0].x, 0.5, 0);
    assert_float_equal(scene.triangle[0].corner[1].y, 0.25, 0);
    rd__scene_free(&scene);
    memset(&scene, 0, sizeof scene);
    assert_int_equal(rd__ply_read(&scene, "x.ply", ply, strlen(ply), &err), RD_OK);
    assert_float_equal(scene.triangle[0].corner[0].x, 0.5, 0);
    assert_float_equal(scene.triangle[0].corner[1].y, 0.25, 0);
    rd__scene_free(&scene);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),    cmocka_unit_test(json),    cmocka_unit_test(messages),
        cmocka_unit_test(generators), cmocka_unit_test(options), cmocka_unit_test(scenes),
    };
    return cmocka_run_group_tests(tests, set_german, remove_german);
}
