/* SPDX-License-Identifier: Apache-2.0 */
/* test_topology.c - in which order threads get processors, on machines that are folders: as Linux describes them. */
#define _XOPEN_SOURCE 700
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "core/memory.h"
#include "device/cpu/topology.h"

enum { MOST = 512 };

static char root[] = "/tmp/raddle-topology-XXXXXX";

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int remove_root(void **state)
{
    char path[128];
    (void)state;
    for (unsigned cpu = 0; cpu < MOST; cpu++) {
        static const char *const names[] = {"/topology/thread_siblings_list", "/topology/physical_package_id",
                                            "/topology", ""};
        for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
            snprintf(path, sizeof path, "%s/cpu%u%s", root, cpu, names[i]);
            (void)remove(path);
        }
    }
    return rmdir(root);
}

static void write_file(unsigned cpu, const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/cpu%u", root, cpu);
    (void)mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/cpu%u/topology", root, cpu);
    (void)mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/cpu%u/topology/%s", root, cpu, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void describe(unsigned cpu, const char *siblings, int package)
{
    char text[32];
    write_file(cpu, "thread_siblings_list", siblings);
    snprintf(text, sizeof text, "%d\n", package);
    write_file(cpu, "physical_package_id", text);
}

static void order_is(uint32_t *order, const uint32_t *wanted, uint32_t count)
{
    rd_error err = {.status = RD_OK};
    assert_int_equal(rd__cpu_order(root, order, count, &err), RD_OK);
    assert_memory_equal(order, wanted, count * sizeof *order);
}

/* Linux numbers the second threads after all first ones, most of the time. */
static void cores_come_before_their_second_threads(void **state)
{
    (void)state;
    for (unsigned cpu = 0; cpu < 8; cpu++) {
        char text[32];
        snprintf(text, sizeof text, "%u,%u\n", cpu % 4, cpu % 4 + 4);
        describe(cpu, text, 0);
    }
    order_is((uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, (uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, 8);
    order_is((uint32_t[]){1, 4, 5, 6}, (uint32_t[]){1, 4, 6, 5}, 4); /* those a mask leaves: the first of each core's */
    for (unsigned cpu = 0; cpu < 8; cpu++) { /* or side by side, as virtual machines have them */
        char text[32];
        snprintf(text, sizeof text, "%u-%u\n", cpu / 2 * 2, cpu / 2 * 2 + 1);
        describe(cpu, text, 0);
    }
    order_is((uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, (uint32_t[]){0, 2, 4, 6, 1, 3, 5, 7}, 8);
}

/* Numbers that go round the packages: few threads are of one package all the same. */
static void packages_are_filled_one_after_another(void **state)
{
    (void)state;
    for (unsigned cpu = 0; cpu < 8; cpu++) {
        char text[32];
        snprintf(text, sizeof text, "%u\n", cpu);
        describe(cpu, text, (int)cpu % 2);
    }
    order_is((uint32_t[]){0, 1, 2, 3, 4, 5, 6, 7}, (uint32_t[]){0, 2, 4, 6, 1, 3, 5, 7}, 8);
}

/* Two packages of 128 cores of two threads: more than a word of bits has, or two. */
static void large_machines(void **state)
{
    uint32_t order[MOST];
    rd_error err = {.status = RD_OK};
    (void)state;
    for (unsigned cpu = 0; cpu < MOST; cpu++) {
        char text[32];
        snprintf(text, sizeof text, "%u,%u\n", cpu % 256, cpu % 256 + 256);
        describe(cpu, text, (int)(cpu % 256 / 128));
        order[cpu] = MOST - 1 - cpu;
    }
    assert_int_equal(rd__cpu_order(root, order, MOST, &err), RD_OK);
    for (uint32_t i = 0; i < 256; i++) {
        assert_int_equal(order[i] % 256, i);       /* package by package */
        assert_int_equal(order[256 + i] % 256, i); /* and then what is left of each */
        assert_int_not_equal(order[i], order[256 + i]);
    }
}

/* No such folder (some sandboxes), a package that is not known, a file that is not what it should be. */
static void what_is_not_said_is_not_needed(void **state)
{
    rd_error err = {.status = RD_OK};
    uint32_t order[] = {3, 5, 9};
    (void)state;
    assert_int_equal(rd__cpu_order("/nowhere", order, 3, &err), RD_OK);
    assert_memory_equal(order, ((uint32_t[]){3, 5, 9}), sizeof order);
    assert_int_equal(rd__cpu_order("/nowhere", NULL, 0, &err), RD_OK);
    describe(0, "0\n", -1);
    describe(1, "none\n", -1);
    order_is((uint32_t[]){0, 1}, (uint32_t[]){0, 1}, 2);
}

static void this_machine(void **state)
{
    uint32_t *order = NULL, count = 0;
    rd_error err = {.status = RD_OK};
    (void)state;
    assert_int_equal(rd__cpu_processors(&order, &count, &err), RD_OK);
    assert_true(count >= 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < i; k++)
            assert_int_not_equal(order[i], order[k]);
    rd__free(order);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_come_before_their_second_threads),
        cmocka_unit_test(packages_are_filled_one_after_another),
        cmocka_unit_test(large_machines),
        cmocka_unit_test(what_is_not_said_is_not_needed),
        cmocka_unit_test(this_machine),
    };
    return cmocka_run_group_tests_name("the order of processors", tests, make_root, remove_root);
}
