/* SPDX-License-Identifier: Apache-2.0 */
/* test_cuda_compile.c - every program compiles for CUDA, for an old and a new architecture and several widths, on
 * machines without a GPU too; so does the peer that includes a header of CUDA's toolkit, where that is found. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/memory.h"
#include "device/cuda/compile.h"
#include "device/cuda/toolkit.h"

static const struct {
    const char *name, *root, *engine, *constants;
} programs[] = {
#define PROGRAM(name, root, engine, constants) {#name, root, engine, constants},
#include "gen/programs.def"
#undef PROGRAM
};

enum { COUNT = sizeof programs / sizeof programs[0], WORKERS = 2 };

/* Program i for an architecture and a width. @return 1 when it compiled. */
static int compile(size_t i, int arch, uint32_t lanes, const char *defines)
{
    const rd__program_spec spec = {.name = programs[i].name,
                                   .root = programs[i].root,
                                   .engine = programs[i].engine[0] ? programs[i].engine : NULL,
                                   .constants = programs[i].constants,
                                   .lanes = lanes,
                                   .places = i % 3 == 0,
                                   .defines = defines};
    rd_error err = {.status = RD_OK};
    char *image = NULL;
    size_t bytes = 0;
    const int fine = rd__nvrtc_compile(&spec, arch, 0, &image, &bytes, &err) == RD_OK && bytes > 0;
    if (!fine)
        print_error("%s for sm_%d with %u lanes: %s\n", programs[i].name, arch, lanes, err.text);
    rd__free(image);
    return fine;
}

/* A quarter of the time of machine code is the optimiser of the assembler, which refuses nothing: registers, memory of
 * groups and of lanes are counted without. ALL_WIDTHS=1 has it as users have it. */
static const char *assembled_fast(void)
{
    return getenv("ALL_WIDTHS") || rd__nvrtc_version() < 12000 ? "" : "-Xptxas -O1";
}

/* The first of the programs of its engine. */
static int is_first(size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (strcmp(programs[k].engine, programs[i].engine) == 0 && programs[i].engine[0])
            return 0;
    return 1;
}

/* For what program i is compiled: a new architecture and wide groups; every fourth also for an old architecture with a
 * width that is no power of two, every fourth for groups of one lane; every third as one whose launches may be of some
 * of their groups only. A program takes a second or more, and what one of them does not compile is hardly ever in one
 * program alone. Architectures that NVRTC does not know (81, 91) get the code of the virtual one below, without the
 * assembler, in half the time, and -G leaves the optimiser out too: what these refuse (more local memory than there is)
 * is the engine's, so they see one program of each. ALL_WIDTHS=1 (make soak) has all of them and all three widths. */
static int compile_for_all(size_t i)
{
    const int all = getenv("ALL_WIDTHS") != NULL;
    const char *plain = all ? NULL : "-G";
    int fine = all || is_first(i) ? compile(i, 90, 512, assembled_fast()) : compile(i, 91, 512, plain);
    if (all || i / WORKERS % 4 == 1)
        fine &= compile(i, all ? 80 : 81, 33, plain);
    if (all || i / WORKERS % 4 == 3)
        fine &= compile(i, all ? 90 : 91, 1, plain);
    return fine;
}

/* NVRTC compiles one program at a time in a process: so several processes. */
static void every_program_compiles(void **state)
{
    pid_t child[WORKERS];
    int failed = 0;
    (void)state;
    for (size_t worker = 0; worker < WORKERS; worker++) {
        child[worker] = fork();
        assert_true(child[worker] >= 0);
        if (child[worker] == 0) {
            int fine = 1;
            for (size_t i = worker; i < COUNT; i += WORKERS)
                fine &= compile_for_all(i);
            _exit(fine ? 0 : 1);
        }
    }
    for (size_t worker = 0; worker < WORKERS; worker++) {
        int status = 1;
        assert_int_equal(waitpid(child[worker], &status, 0), child[worker]);
        if (WIFSIGNALED(status))
            print_error("a compiling process was ended by signal %d\n", WTERMSIG(status));
        failed |= status != 0;
    }
    assert_int_equal(failed, 0);
}

/* What options make of programs: of the shared queue, who reserves, in which form, and rings that grow; of graphs,
 * whether they have hubs; of rounds, launches that the device repeats, and groups that run ahead; groups of one lane
 * that go the way of cores. */
static void each_form_compiles(void **state)
{
    static const struct {
        const char *program, *defines;
        uint32_t lanes;
    } forms[] = {
        {"bfs_gate", "-DQUEUE_KIND=0 -DFIFO_LEAVES=2 -DFIFO_DIRECT_TAKE=1 -DFIFO_DIRECT_GIVE=1 -DSPREAD_BATCH=8", 256},
        {"bfs_gate", "-DQUEUE_KIND=2 -DFIFO_LEAVES=1 -DFIFO_DIRECT_TAKE=0 -DFIFO_DIRECT_GIVE=1 -DSPREAD_BATCH=1", 256},
        {"bfs_gate", "-DQUEUE_KIND=1 -DFIFO_LEAVES=0 -DFIFO_DIRECT_TAKE=1 -DFIFO_DIRECT_GIVE=1", 256},
        {"sssp_steal", "-DHUBS_HERE=0", 256},
        {"sssp_heap", "-DHEAP_NODE=256 -DHUBS_HERE=1", 256},
        {"bfs_bsp", "-DBSP_LAUNCH=3 -DBSP_OPTIONS=0 -DBSP_FLAT=0 -DRD_LOOPS=1", 256},
        {"sssp_bsp", "-DBSP_LAUNCH=3 -DBSP_OPTIONS=0 -DBSP_FLAT=0 -DBSP_GOES_AHEAD -DRD_LOOPS=1", 256},
        {"sssp_bsp", "-DBSP_LAUNCH=2 -DBSP_OPTIONS=0 -DBSP_FLAT=0 -DBSP_WIDE_PHASES", 256},
        {"pr_bsp", "-DSWEEP_PERSISTENT=0 -DSWEEP_LOOPS -DRD_LOOPS=1", 256},
        {"sssp_bsp", "", 1},
        {"kcore_phases_bsp", "", 1},
        {"selftest_models_repeats_bsp", "", 1},
        {"pr_bsp", "", 1}};
    size_t seen = 0;
    (void)state;
    for (size_t i = 0; i < COUNT; i++)
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
            if (strcmp(programs[i].name, forms[f].program) == 0) {
                char defines[256];
                snprintf(defines, sizeof defines, "%s %s", forms[f].defines, assembled_fast());
                assert_true(compile(i, 90, forms[f].lanes, defines));
                seen++;
            }
    assert_int_equal(seen, sizeof forms / sizeof *forms);
}

static void a_broken_kernel_is_reported(void **state)
{
    const rd__program_spec spec = {.name = "broken",
                                   .root = "apps/bfs/bfs.k.c",
                                   .engine = "sched/bsp/bsp.k.h",
                                   .constants = "-DRD_ROUNDS=1 -DRD_URGENT=0",
                                   .lanes = 32,
                                   .defines = "-Drd_give=)"};
    rd_error err = {.status = RD_OK};
    char *image = NULL;
    size_t bytes = 0;
    (void)state;
    assert_int_equal(rd__nvrtc_compile(&spec, 90, 0, &image, &bytes, &err), RD_EBUILD);
    assert_non_null(strstr(err.text, "sm_90"));
    assert_null(image);
}

/* What has a header of the toolkit before it; lanes 256 is what the benchmark uses. */
static rd_status compile_peer(const char *header, int arch, size_t *bytes, rd_error *err)
{
    const rd__program_spec spec = {
        .name = "gridsync", .root = "micro/gridsync.cu", .lanes = 256, .toolkit_header = header};
    char *image = NULL;
    rd_status status = rd__nvrtc_compile(&spec, arch, 1, &image, bytes, err);
    assert_true((image != NULL) == (status == RD_OK));
    rd__free(image);
    return status;
}

static void grid_sync_compiles(void **state)
{
    static const int archs[] = {80, 90};
    (void)state;
    for (size_t i = 0; i < sizeof archs / sizeof *archs; i++) {
        rd_error err = {.status = RD_OK};
        size_t bytes = 0;
        const rd_status status = compile_peer("cooperative_groups.h", archs[i], &bytes, &err);
        if (status == RD_EDEVICE) {
            print_message("grid sync is not compiled here: %s\n", err.text);
            skip();
        }
        if (status != RD_OK || bytes == 0)
            fail_msg("sm_%d: %s", archs[i], err.text);
    }
}

static void a_missing_header_is_named(void **state)
{
    rd_error err = {.status = RD_OK};
    size_t bytes = 0;
    (void)state;
    assert_int_equal(compile_peer("no_such_header.h", 90, &bytes, &err), RD_EDEVICE);
    assert_non_null(strstr(err.text, "no_such_header.h"));
    assert_non_null(strstr(err.text, "CUDA_HOME"));
}

/* What lies beside the library is taken before what the environment names. */
static void headers_are_found(void **state)
{
    char root[] = "/tmp/raddle-toolkit-XXXXXX", path[128], folder[256];
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_non_null(mkdtemp(root));
    static const char *const folders[] = {"a", "a/lib", "a/include", "b", "b/include"};
    static const char *const files[] = {"a/lib/libx.so", "a/include/beside.h", "b/include/beside.h",
                                        "b/include/home.h"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", root, files[i]);
        FILE *file = fopen(path, "w");
        assert_non_null(file);
        assert_int_equal(fclose(file), 0);
    }
    snprintf(path, sizeof path, "%s/b", root);
    assert_int_equal(setenv("CUDA_HOME", path, 1), 0);
    snprintf(path, sizeof path, "%s/a/lib/libx.so", root);
    assert_int_equal(rd__toolkit_include("beside.h", path, 13000, folder, sizeof folder, &err), RD_OK);
    assert_non_null(strstr(folder, "/a/lib/../include"));
    assert_int_equal(rd__toolkit_include("home.h", path, 13000, folder, sizeof folder, &err), RD_OK);
    assert_non_null(strstr(folder, "/b/include"));
    assert_int_equal(rd__toolkit_include("beside.h", NULL, 13000, folder, sizeof folder, &err), RD_OK);
    assert_non_null(strstr(folder, "/b/include"));
    assert_int_equal(rd__toolkit_include("beside.h", path, 13000, folder, 4, &err), RD_EDEVICE);
    for (size_t i = sizeof files / sizeof *files; i-- > 0;) {
        snprintf(path, sizeof path, "%s/%s", root, files[i]);
        assert_int_equal(remove(path), 0);
    }
    for (size_t i = sizeof folders / sizeof *folders; i-- > 0;) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        assert_int_equal(remove(path), 0);
    }
    assert_int_equal(remove(root), 0);
    unsetenv("CUDA_HOME");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_program_compiles), cmocka_unit_test(a_broken_kernel_is_reported),
        cmocka_unit_test(grid_sync_compiles),     cmocka_unit_test(a_missing_header_is_named),
        cmocka_unit_test(headers_are_found),      cmocka_unit_test(each_form_compiles),
    };
    char reason[256];
    if (!rd__nvrtc_open(reason, sizeof reason)) {
        printf("skipped: %s\n", reason);
        return 0;
    }
    return cmocka_run_group_tests_name("every kernel compiles for CUDA", tests, NULL, NULL);
}
