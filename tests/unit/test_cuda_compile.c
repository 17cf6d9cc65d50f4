/* SPDX-License-Identifier: Apache-2.0 */
/* test_cuda_compile.c - every program compiles for CUDA, for an old and a new architecture and several widths, on
 * machines without a GPU too. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
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

enum { COUNT = sizeof programs / sizeof programs[0], WORKERS = 2 };

/* Program i for an architecture and a width. @return 1 when it compiled. */
static int compile(size_t i, int arch, uint32_t lanes)
{
    const rd__program_spec spec = {
        .name = programs[i].name, .root = programs[i].root, .sched = programs[i].sched, .lanes = lanes};
    rd_error err = {.status = RD_OK};
    char *image = NULL;
    size_t bytes = 0;
    const int fine = rd__nvrtc_compile(&spec, arch, 0, &image, &bytes, &err) == RD_OK && bytes > 0;
    if (!fine)
        print_error("%s for sm_%d with %u lanes: %s\n", programs[i].name, arch, lanes, err.text);
    rd__free(image);
    return fine;
}

/* NVRTC compiles one program at a time in a process, and a program takes a second or more: so several processes. */
static void compile_all(int arch, const uint32_t *lanes, size_t widths)
{
    pid_t child[WORKERS];
    int failed = 0;
    for (size_t worker = 0; worker < WORKERS; worker++) {
        child[worker] = fork();
        assert_true(child[worker] >= 0);
        if (child[worker] == 0) {
            int fine = 1;
            for (size_t i = worker; i < COUNT; i += WORKERS)
                for (size_t w = 0; w < widths; w++)
                    fine &= compile(i, arch, lanes[w]);
            _exit(fine ? 0 : 1);
        }
    }
    for (size_t worker = 0; worker < WORKERS; worker++) {
        int status = 1;
        assert_int_equal(waitpid(child[worker], &status, 0), child[worker]);
        failed |= status != 0;
    }
    assert_int_equal(failed, 0);
}

static void compiles_for_sm_80(void **state)
{
    static const uint32_t lanes[] = {33};
    (void)state;
    compile_all(80, lanes, 1);
}

static void compiles_for_sm_90(void **state)
{
    static const uint32_t lanes[] = {1, 512};
    (void)state;
    compile_all(90, lanes, 2);
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
