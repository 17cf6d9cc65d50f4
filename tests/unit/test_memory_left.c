/* SPDX-License-Identifier: Apache-2.0 */
/* test_memory_left.c - what limits host memory, in made-up copies of /proc and /sys: control groups of both versions,
 * nested and seen from inside containers, and limits of the process. */
#define _XOPEN_SOURCE 700 /* nftw, mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/memory_left.h"

#define MIB (1ull << 20)
#define GIB (1ull << 30)

static char root[64];

/* Writes a file of the made-up system, with the folders above it. */
static void put(const char *path, const char *text)
{
    char full[512];
    snprintf(full, sizeof full, "%s%s", root, path);
    for (char *slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(full, 0700);
        *slash = '/';
    }
    FILE *file = fopen(full, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void put_number(const char *path, uint64_t number)
{
    char text[32];
    snprintf(text, sizeof text, "%llu\n", (unsigned long long)number);
    put(path, text);
}

static int set_up(void **state)
{
    (void)state;
    snprintf(root, sizeof root, "/tmp/raddle-memory-XXXXXX");
    if (!mkdtemp(root))
        return -1;
    put("/proc/meminfo", "MemTotal:       16777216 kB\nMemFree:         1048576 kB\nMemAvailable:    8388608 kB\n");
    put("/proc/self/limits", "Limit                     Soft Limit           Hard Limit           Units     \n"
                             "Max data size             unlimited            unlimited            bytes     \n"
                             "Max address space         unlimited            unlimited            bytes     \n");
    put("/proc/self/statm", "1000 500 100 10 0 600 0\n");
    return 0;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info;
    (void)kind;
    (void)where;
    return remove(path);
}

static int tear_down(void **state)
{
    (void)state;
    return nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void expect(uint64_t total, uint64_t left)
{
    uint64_t got_total, got_left;
    rd__memory_ask(root, &got_total, &got_left);
    if (got_total != total || got_left != left)
        fail_msg("total %llu, left %llu; expected %llu and %llu", (unsigned long long)got_total,
                 (unsigned long long)got_left, (unsigned long long)total, (unsigned long long)left);
}

static const char mount_2[] = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                              "33 22 0:28 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
static const char mounts_1[] = "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                               "33 22 0:30 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
                               "34 33 0:31 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n"
                               "37 33 0:34 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n"
                               "43 33 0:40 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw\n";

static void no_limits(void **state)
{
    (void)state;
    expect(16 * GIB, 8 * GIB);
    put("/proc/meminfo", "MemTotal: 16777216 kB\nMemFree: 1048576 kB\n");
    expect(16 * GIB, 1 * GIB);
    put("/proc/meminfo", "");
    expect(UINT64_MAX, UINT64_MAX);
}

static void version_2(void **state)
{
    (void)state;
    put("/proc/self/mountinfo", mount_2);
    put("/proc/self/cgroup", "0::/user.slice/job.scope\n");
    put("/sys/fs/cgroup/user.slice/job.scope/memory.max", "max\n");
    put("/sys/fs/cgroup/user.slice/job.scope/memory.high", "max\n");
    expect(16 * GIB, 8 * GIB);
    /* its own, with and without what is used */
    put_number("/sys/fs/cgroup/user.slice/job.scope/memory.max", 4 * GIB);
    expect(4 * GIB, 4 * GIB);
    put_number("/sys/fs/cgroup/user.slice/job.scope/memory.current", 3 * GIB);
    expect(4 * GIB, 1 * GIB);
    /* cached files give way */
    put("/sys/fs/cgroup/user.slice/job.scope/memory.stat",
        "anon 1073741824\nfile 2147483648\ninactive_file 1073741824\nactive_file 536870912\n");
    expect(4 * GIB, 2560 * MIB);
    /* throttled before it is killed */
    put_number("/sys/fs/cgroup/user.slice/job.scope/memory.high", 2 * GIB);
    expect(2 * GIB, 512 * MIB);
    /* the group above holds less */
    put_number("/sys/fs/cgroup/user.slice/memory.max", 6 * GIB);
    put_number("/sys/fs/cgroup/user.slice/memory.current", 6 * GIB - 100 * MIB);
    expect(2 * GIB, 100 * MIB);
    /* and is over its limit */
    put_number("/sys/fs/cgroup/user.slice/memory.current", 7 * GIB);
    expect(2 * GIB, 0);
}

static void version_2_in_a_container(void **state)
{
    (void)state;
    /* with a namespace of its own: the group is the root */
    put("/proc/self/mountinfo", mount_2);
    put("/proc/self/cgroup", "0::/\n");
    put_number("/sys/fs/cgroup/memory.max", 3 * GIB);
    put_number("/sys/fs/cgroup/memory.current", 1 * GIB);
    expect(3 * GIB, 2 * GIB);
    /* without: the folder shows a part of the tree, and the group lies below it */
    put("/proc/self/mountinfo", "33 22 0:28 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n");
    put("/proc/self/cgroup", "0::/docker/abc/part\n");
    put_number("/sys/fs/cgroup/part/memory.max", 1 * GIB);
    expect(1 * GIB, 1 * GIB);
    put("/proc/self/cgroup", "0::/docker/abc\n");
    expect(3 * GIB, 2 * GIB);
    put("/proc/self/cgroup", "0::/docker/abcdef\n"); /* another one: the folder's own limits at least */
    expect(3 * GIB, 2 * GIB);
    put("/proc/self/cgroup", "0::/../other\n");
    expect(3 * GIB, 2 * GIB);
}

static void version_1(void **state)
{
    (void)state;
    put("/proc/self/mountinfo", mounts_1);
    put("/proc/self/cgroup", "9:name=systemd:/x\n4:memory:/a/b\n2:cpu,cpuacct:/c\n0::/\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "9223372036854771712\n");
    expect(16 * GIB, 8 * GIB);
    put_number("/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", 2 * GIB);
    put_number("/sys/fs/cgroup/memory/a/b/memory.usage_in_bytes", 1536 * MIB);
    put("/sys/fs/cgroup/memory/a/b/memory.stat",
        "inactive_file 1\nactive_file 1\ntotal_inactive_file 268435456\ntotal_active_file 0\n");
    expect(2 * GIB, 768 * MIB);
    put_number("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", 1 * GIB);
    put_number("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", 512 * MIB);
    expect(1 * GIB, 512 * MIB);
    put_number("/sys/fs/cgroup/memory/a/memory.use_hierarchy", 1);
    expect(1 * GIB, 512 * MIB);
    put_number("/sys/fs/cgroup/memory/a/memory.use_hierarchy", 0); /* then groups below are not counted there */
    expect(2 * GIB, 768 * MIB);
}

/* Version 1 for memory and version 2 beside it, with a limit that some other manager keeps. */
static void both_versions(void **state)
{
    (void)state;
    put("/proc/self/mountinfo", mounts_1);
    put("/proc/self/cgroup", "4:hugetlb,memory,pids:/a\n0::/z\n");
    put_number("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", 2 * GIB);
    expect(2 * GIB, 2 * GIB);
    put_number("/sys/fs/cgroup/unified/z/memory.max", 1 * GIB);
    expect(1 * GIB, 1 * GIB);
}

static void limits_of_the_process(void **state)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
    (void)state;
    put("/proc/self/limits", "Max data size             unlimited            unlimited            bytes     \n"
                             "Max address space         1073741824           unlimited            bytes     \n");
    expect(1 * GIB, 1 * GIB - 1000 * page);
    put("/proc/self/limits", "Max data size             536870912            unlimited            bytes     \n"
                             "Max address space         1073741824           unlimited            bytes     \n");
    expect(512 * MIB, 512 * MIB - 600 * page);
    put("/proc/self/statm", "what is this\n");
    expect(512 * MIB, 512 * MIB);
}

static void broken_files(void **state)
{
    static const char *const broken[] = {
        "", "\n", ":", "::", "0:", "0::", "0::\n", "4:memory", "4:memory:", "max", "0::x"};
    static const char *const mounts[] = {
        "", "\n", " - cgroup2", "1 2 3 4 5 6 - cgroup2", "1 - cgroup2 a b", "a b c d e - cgroup2 x y"};
    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        for (size_t j = 0; j < sizeof mounts / sizeof *mounts; j++) {
            put("/proc/self/cgroup", broken[i]);
            put("/proc/self/mountinfo", mounts[j]);
            expect(16 * GIB, 8 * GIB);
        }
    put("/proc/self/mountinfo", mount_2);
    put("/proc/self/cgroup", "0::/g\n");
    put("/sys/fs/cgroup/g/memory.max", "lots\n");
    expect(16 * GIB, 8 * GIB);
}

/* The real files: a limit on this process is seen. */
static void this_process(void **state)
{
    uint64_t total, left, limited_total, limited_left;
    struct rlimit old, limit;
    (void)state;
    rd__memory_ask("", &total, &left);
    assert_true(total > 0 && left <= total);
    assert_int_equal(getrlimit(RLIMIT_DATA, &old), 0);
    limit = old;
    limit.rlim_cur = 64 * MIB;
    if (setrlimit(RLIMIT_DATA, &limit) != 0)
        skip();
    rd__memory_ask("", &limited_total, &limited_left);
    setrlimit(RLIMIT_DATA, &old);
    assert_true(limited_total <= 64 * MIB && limited_left <= 64 * MIB);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_limits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_2, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_2_in_a_container, set_up, tear_down),
        cmocka_unit_test_setup_teardown(version_1, set_up, tear_down),
        cmocka_unit_test_setup_teardown(both_versions, set_up, tear_down),
        cmocka_unit_test_setup_teardown(limits_of_the_process, set_up, tear_down),
        cmocka_unit_test_setup_teardown(broken_files, set_up, tear_down),
        cmocka_unit_test(this_process),
    };
    return cmocka_run_group_tests_name("memory that is left", tests, NULL, NULL);
}
