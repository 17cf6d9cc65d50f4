/* SPDX-License-Identifier: Apache-2.0 */
/* test_cache.c - the program cache believes only whole entries of its own, and the source assembler finds what it
 * should. */
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/memory.h"
#include "device/cache.h"
#include "device/source.h"

static char directory[] = "/tmp/raddle-cache-XXXXXX";
static char deep[128];

static void entry_name(const rd__hash *key, char *path, size_t room)
{
    char hex[33];
    rd__hash_hex(key, hex);
    snprintf(path, room, "%s/%s", deep, hex);
}

static int hit(const rd__hash *key, const char *want)
{
    void *data = NULL;
    size_t bytes = 0;
    if (!rd__cache_get(key, &data, &bytes))
        return 0;
    assert_int_equal(bytes, strlen(want));
    assert_memory_equal(data, want, bytes);
    rd__free(data);
    return 1;
}

static void what_is_put_is_got(void **state)
{
    const rd__hash a = {{1, 2}}, b = {{1, 3}};
    (void)state;
    assert_false(hit(&a, ""));
    rd__cache_put(&a, "one", 3); /* makes the directories */
    rd__cache_put(&b, "three", 5);
    assert_true(hit(&a, "one"));
    assert_true(hit(&b, "three"));
    rd__cache_put(&a, "uno", 3);
    assert_true(hit(&a, "uno"));
}

/* Every single byte changed, every length: a miss each time, and the next put repairs it. */
static void damage_is_a_miss(void **state)
{
    const rd__hash key = {{7, 7}};
    char path[256], whole[512];
    (void)state;
    entry_name(&key, path, sizeof path);
    rd__cache_put(&key, "machine code", 12);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t bytes = fread(whole, 1, sizeof whole, file);
    fclose(file);
    for (size_t i = 0; i < bytes; i++) {
        char bad[512];
        memcpy(bad, whole, bytes);
        bad[i] = (char)(bad[i] ^ 0x10);
        file = fopen(path, "wb");
        fwrite(bad, 1, bytes, file);
        fclose(file);
        assert_false(hit(&key, "machine code"));
    }
    for (size_t length = 0; length < bytes; length++) {
        file = fopen(path, "wb");
        fwrite(whole, 1, length, file);
        fclose(file);
        assert_false(hit(&key, "machine code"));
    }
    rd__cache_put(&key, "machine code", 12);
    assert_true(hit(&key, "machine code"));
}

static void a_foreign_entry_is_a_miss(void **state)
{
    const rd__hash key = {{8, 8}}, other = {{9, 9}};
    char path[256], other_path[256];
    (void)state;
    entry_name(&key, path, sizeof path);
    entry_name(&other, other_path, sizeof other_path);
    rd__cache_put(&other, "other", 5);
    assert_int_equal(rename(other_path, path), 0); /* a good entry under a wrong name */
    assert_false(hit(&key, "other"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0); /* a directory in the way */
    assert_false(hit(&key, ""));
    rd__cache_put(&key, "x", 1); /* cannot work, must not hurt */
    assert_false(hit(&key, ""));
    assert_int_equal(rmdir(path), 0);
}

/* Entries hold code: one that somebody else wrote, or could have changed, is not run. */
static void an_entry_others_can_write_is_a_miss(void **state)
{
    const rd__hash key = {{10, 10}};
    static const mode_t open_to[] = {0620, 0602, 0666, 0777};
    char path[256], target[256];
    struct stat info;
    (void)state;
    entry_name(&key, path, sizeof path);
    snprintf(target, sizeof target, "%s/target", directory);
    for (size_t i = 0; i < sizeof open_to / sizeof open_to[0]; i++) {
        rd__cache_put(&key, "code", 4);
        assert_true(hit(&key, "code"));
        assert_int_equal(chmod(path, open_to[i]), 0);
        assert_false(hit(&key, "code"));
    }
    rd__cache_put(&key, "code", 4); /* replaces it */
    assert_true(hit(&key, "code"));
    assert_int_equal(stat(path, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    if (geteuid() == 0) {
        assert_int_equal(chown(path, 12345, 12345), 0);
        assert_false(hit(&key, "code"));
        rd__cache_put(&key, "code", 4);
        assert_true(hit(&key, "code"));
    }
    /* a good entry behind a link is none, and writing replaces the link, not what it leads to */
    assert_int_equal(rename(path, target), 0);
    assert_int_equal(symlink(target, path), 0);
    assert_false(hit(&key, "code"));
    rd__cache_put(&key, "edoc", 4);
    assert_true(hit(&key, "edoc"));
    assert_int_equal(lstat(path, &info), 0);
    assert_true(S_ISREG(info.st_mode));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rename(target, path), 0);
    assert_true(hit(&key, "code"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0); /* must not be waited for */
    assert_false(hit(&key, "code"));
    assert_int_equal(unlink(path), 0);
}

static void a_folder_others_can_write_is_not_used(void **state)
{
    const rd__hash key = {{11, 11}}, other = {{12, 12}};
    char path[256], link[256], slash[300];
    struct stat info;
    (void)state;
    rd__cache_put(&key, "code", 4);
    assert_int_equal(stat(deep, &info), 0);
    assert_int_equal(info.st_mode & 0777, 0700);
    static const mode_t open_to[] = {0770, 0702, 01777};
    for (size_t i = 0; i < sizeof open_to / sizeof open_to[0]; i++) {
        assert_int_equal(chmod(deep, open_to[i]), 0);
        assert_false(hit(&key, "code"));
        rd__cache_put(&other, "code", 4);
        entry_name(&other, path, sizeof path);
        assert_int_equal(access(path, F_OK), -1);
    }
    assert_int_equal(chmod(deep, 0755), 0); /* others may look */
    assert_true(hit(&key, "code"));
    assert_int_equal(chmod(deep, 0700), 0);
    if (geteuid() == 0) {
        assert_int_equal(chown(deep, 12345, 12345), 0);
        assert_false(hit(&key, "code"));
        assert_int_equal(chown(deep, 0, 0), 0);
    }
    snprintf(link, sizeof link, "%s/link", directory);
    snprintf(slash, sizeof slash, "%s//", link);
    assert_int_equal(symlink(deep, link), 0);
    setenv("RADDLE_CACHE_DIR", link, 1);
    assert_false(hit(&key, "code"));
    setenv("RADDLE_CACHE_DIR", slash, 1); /* a slash at the end would have it followed */
    assert_false(hit(&key, "code"));
    setenv("RADDLE_CACHE_DIR", deep, 1);
    assert_true(hit(&key, "code"));
}

/* Nothing stays behind but entries. */
static void no_temporary_file_is_left(void **state)
{
    const rd__hash key = {{13, 13}};
    char path[256], command[300];
    (void)state;
    entry_name(&key, path, sizeof path);
    assert_int_equal(mkdir(path, 0700), 0);
    rd__cache_put(&key, "x", 1); /* the rename fails */
    assert_int_equal(rmdir(path), 0);
    rd__cache_put(&key, "x", 1);
    snprintf(command, sizeof command, "test -z \"$(find %s -name '.*' -type f)\"", deep);
    assert_int_equal(system(command), 0);
}

/* A file is made beside the entry, under a name that nobody can know beforehand and put a link at. */
static void names_of_unfinished_entries_are_not_foreseen(void **state)
{
    enum { PUTS = 3 };
    const rd__hash key = {{15, 15}};
    _Alignas(struct inotify_event) char events[4096];
    char seen[PUTS][64] = {""};
    size_t made = 0;
    (void)state;
    const int watch = inotify_init();
    if (watch < 0 || inotify_add_watch(watch, deep, IN_CREATE) < 0)
        skip(); /* the system allows no more of them */
    for (int i = 0; i < PUTS; i++)
        rd__cache_put(&key, "x", 1);
    const ssize_t bytes = read(watch, events, sizeof events); /* all are there: files were made by this thread */
    close(watch);
    for (ssize_t at = 0; at < bytes;) {
        const struct inotify_event *event = (const struct inotify_event *)(const void *)(events + at);
        at += (ssize_t)(sizeof *event + event->len);
        if (strncmp(event->name, ".new-", 5) != 0)
            continue;
        assert_in_range(made, 0, PUTS - 1);
        snprintf(seen[made], sizeof seen[made], "%.16s",
                 event->name + 5); /* the serial number behind it is no secret */
        for (size_t i = 0; i < made; i++)
            assert_string_not_equal(seen[i], seen[made]);
        made++;
    }
    assert_int_equal(made, PUTS);
    assert_true(hit(&key, "x"));
}

static void no_directory_is_no_error(void **state)
{
    const rd__hash key = {{5, 5}};
    (void)state;
    setenv("RADDLE_CACHE_DIR", "/proc/no/such/place", 1);
    rd__cache_put(&key, "x", 1);
    assert_false(hit(&key, "x"));
    setenv("RADDLE_CACHE_DIR", deep, 1);
}

static void sources_are_assembled(void **state)
{
    char *text = NULL;
    rd_error err;
    (void)state;
    assert_int_equal(rd__source_assemble("apps/bfs/bfs.k.c", NULL, "sched/bsp/bsp.k.h", 0, &text, &err), RD_OK);
    assert_non_null(strstr(text, "bsp_expand, BSP_KERNEL_ARGS"));
    assert_non_null(strstr(text, "#line 1 \"sched/bsp/bsp.k.h\""));
    assert_null(strstr(text, "\n#include")); /* in comments there may be some */
    const char *first = strstr(text, "#ifndef RD_DIALECT_GROUP_H");
    assert_non_null(first);
    assert_null(strstr(first + 1, "#ifndef RD_DIALECT_GROUP_H")); /* once */
    rd__free(text);
    assert_int_equal(rd__source_assemble("no/such.k.c", NULL, NULL, 0, &text, &err), RD_EBUILD);
    assert_null(text);
}

static int make_directory(void **state)
{
    (void)state;
    if (!mkdtemp(directory))
        return -1;
    snprintf(deep, sizeof deep, "%s/a/b", directory);
    return setenv("RADDLE_CACHE_DIR", deep, 1);
}

static int remove_directory(void **state)
{
    char command[256];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_put_is_got),
        cmocka_unit_test(damage_is_a_miss),
        cmocka_unit_test(a_foreign_entry_is_a_miss),
        cmocka_unit_test(an_entry_others_can_write_is_a_miss),
        cmocka_unit_test(a_folder_others_can_write_is_not_used),
        cmocka_unit_test(no_temporary_file_is_left),
        cmocka_unit_test(names_of_unfinished_entries_are_not_foreseen),
        cmocka_unit_test(no_directory_is_no_error),
        cmocka_unit_test(sources_are_assembled),
    };
    return cmocka_run_group_tests_name("program cache and sources", tests, make_directory, remove_directory);
}
