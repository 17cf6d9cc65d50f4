/* SPDX-License-Identifier: Apache-2.0 */
/* test_cuda_compile.c - every program compiles for CUDA, for an old and a new architecture and several widths, on
 * machines without a GPU too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/memory.h"
#include "device/cuda/compile.h"

static const struct {
    const char *name, *root, *sched;
} programs[] = {
#define PROGRAM(name, root, sched) {#name, root, sched},
#include "apps/programs.def"
#undef PROGRAM
};

static void compile_all(int arch)
{
    static const uint32_t lanes[] = {1, 33, 512};
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        for (size_t w = 0; w < sizeof lanes / sizeof lanes[0]; w++) {
            const rd__program_spec spec = {
                .name = programs[i].name, .root = programs[i].root, .sched = programs[i].sched, .lanes = lanes[w]};
            rd_error err = {.status = RD_OK};
            char *image = NULL;
            size_t bytes = 0;
            if (rd__nvrtc_compile(&spec, arch, 0, &image, &bytes, &err) != RD_OK)
                fail_msg("%s for sm_%d with %u lanes: %s", programs[i].name, arch, lanes[w], err.text);
            assert_true(bytes > 0);
            rd__free(image);
        }
}

static void compiles_for_sm_80(void **state)
{
    (void)state;
    compile_all(80);
}

static void compiles_for_sm_90(void **state)
{
    (void)state;
    compile_all(90);
}

static void a_broken_kernel_is_reported(void **state)
{
    const rd__program_spec spec = {
        .name = "broken", .root = "apps/bfs.k.c", .sched = "bsp", .lanes = 32, .defines = "-Drd_give=)"};
    rd_error err = {.status = RD_OK};
    char *image = NULL;
    size_t bytes = 0;
    (void)state;
    assert_int_equal(rd__nvrtc_compile(&spec, 90, 0, &image, &bytes, &err), RD_EBUILD);
    assert_non_null(strstr(err.text, "sm_90"));
    assert_null(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compiles_for_sm_80),
        cmocka_unit_test(compiles_for_sm_90),
        cmocka_unit_test(a_broken_kernel_is_reported),
    };
    char reason[256];
    if (!rd__nvrtc_open(reason, sizeof reason)) {
        printf("skipped: %s\n", reason);
        return 0;
    }
    return cmocka_run_group_tests_name("every kernel compiles for CUDA", tests, NULL, NULL);
}
