/* SPDX-License-Identifier: Apache-2.0 */
/* test_opencl_warps.c - programs as OpenCL devices with sub-groups get them, through the front end of clang where there
 * is one: with the extensions for shuffles and votes and without, for each width. Devices of this kind are rare, and
 * what they run is otherwise compiled for CUDA alone. */
#define _DEFAULT_SOURCE /* mkstemps */
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
#include "device/source.h"

static const struct {
    const char *name, *root, *engine, *constants;
} programs[] = {
#define PROGRAM(name, root, engine, constants) {#name, root, engine, constants},
#include "gen/programs.def"
#undef PROGRAM
};

enum { COUNT = sizeof programs / sizeof programs[0] };

static const char plain[] = "#undef cl_khr_subgroup_shuffle\n#undef cl_khr_subgroup_ballot\n";

static char path[] = "/tmp/raddle-test-warps-XXXXXX.cl";

/* The first of the programs of its engine: what refuses sub-groups would be the engine's, or the dialect's. */
static int is_first(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(programs[k].engine, programs[i].engine) == 0)
            return 0;
    return 1;
}

static int compiles(size_t i, int warp, int lanes, const char *before, const char *defines)
{
    char command[1024], *text = NULL;
    rd_error err = {.status = RD_OK};
    assert_int_equal(
        rd__source_assemble(programs[i].root, NULL, programs[i].engine[0] ? programs[i].engine : NULL, 0, &text, &err),
        RD_OK);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_true(fprintf(out, "%s%s", before, text) > 0);
    assert_int_equal(fclose(out), 0);
    rd__free(text);
    snprintf(command, sizeof command,
             "clang -x cl -cl-std=CL3.0 -Xclang -cl-ext=+all -target spir64-unknown-unknown -fsyntax-only -w -Xclang "
             "-fdeclare-opencl-builtins -Xclang -finclude-default-header -DRD_TARGET_OPENCL=1 -DRD_CL_EXPLICIT=1 "
             "-Dcl_intel_required_subgroup_size -DRD_CL_SUBGROUPS=%d -DRD_LANES=%d %s %s %s >&2",
             warp, lanes, programs[i].constants, defines, path);
    if (system(command) == 0)
        return 1;
    print_error("%s, sub-groups of %d, %d lanes %s\n", programs[i].name, warp, lanes, before);
    return 0;
}

static int make_file(void **state)
{
    (void)state;
    const int fd = mkstemps(path, 3);
    return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static int has_clang(void)
{
    return system("clang -x cl -cl-std=CL3.0 -target spir64-unknown-unknown "
                  "-fsyntax-only -Xclang -finclude-default-header /dev/null > /dev/null 2>&1") == 0;
}

static void programs_compile_for_subgroups(void **state)
{
    static const int widths[] = {32, 16, 8};
    int fine = 1, turn = 0;
    (void)state;
    if (!has_clang())
        skip();
    for (size_t i = 0; i < COUNT; i++)
        if (getenv("ALL_WIDTHS") || is_first(i)) {
            const int warp = widths[turn % 3];
            fine &= compiles(i, warp, 4 * warp, turn % 2 ? plain : "", "");
            turn++;
        }
    assert_true(turn > 5);
    assert_true(fine);
}

/* What the options of rounds ask of warps: --push warp, --spread degree, warp, and group,warp,edge8. */
static void switches_compile_for_subgroups(void **state)
{
    static const char *const kinds[] = {
        "-DBSP_LAUNCH=1 -DBSP_FLAT=0 '-DBSP_OPTIONS=(BSP_PUSH_BY_WARP|BSP_BY_DEGREE)'",
        "-DBSP_LAUNCH=2 -DBSP_FLAT=1 '-DBSP_OPTIONS=(BSP_PUSH_BY_WARP|BSP_BY_DEGREE|BSP_NO_GROUP)'",
        "-DBSP_LAUNCH=2 -DBSP_FLAT=0 -DBSP_BATCH=8 '-DBSP_OPTIONS=(BSP_BY_DEGREE|BSP_FINE)'"};
    (void)state;
    if (!has_clang())
        skip();
    for (size_t i = 0; i < COUNT; i++)
        if (strcmp(programs[i].engine, "sched/bsp/bsp.k.h") == 0 && is_first(i))
            for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
                assert_true(compiles(i, 16, 128, k % 2 ? plain : "", kinds[k]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_compile_for_subgroups),
        cmocka_unit_test(switches_compile_for_subgroups),
    };
    return cmocka_run_group_tests(tests, make_file, remove_file);
}
