/* SPDX-License-Identifier: Apache-2.0 */
/* test_chores.c - small writes and fills that one launch does (device/chores.h), on a device that is made up: whatever
 * the order in which they are given, what reads memory finds it as if each had been done at once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "core/fork.h"
#include "device/chores.h"
#include "device/chores_layout.k.h"
#include "device/turns.h"
#include "raddle.h"
#include "memory_util.h"
#include "chores_util.h"

CHORES_LIST(uint32_t);

/* ---- A device: memory of the host, commands done when they are given ---- */

struct rd__kernel {
    int chores; /* else a kernel that looks at memory, below */
};

static struct {
    uint32_t launches, writes, fills, reads;
    int fails; /* launches do */
} seen;

static rd__kernel chores_kernel[2] = {{1}, {1}}, look = {0};

static rd_status fake_alloc(rd__buffer *buffer, rd_error *err)
{
    buffer->at.host = test_calloc(1, buffer->bytes);
    return buffer->at.host ? RD_OK : rd__fail(err, RD_ENOMEM, "no memory");
}

static void fake_free(rd__buffer *buffer)
{
    memset(buffer->at.host, 0xa5, buffer->bytes);
    test_free(buffer->at.host);
}

static rd_status fake_write(rd__buffer *buffer, uint64_t offset, uint64_t bytes, const void *data, rd_error *err)
{
    (void)err;
    seen.writes++;
    memcpy((char *)buffer->at.host + offset, data, bytes);
    return RD_OK;
}

static rd_status fake_read(const rd__buffer *buffer, uint64_t offset, uint64_t bytes, void *data, rd_error *err)
{
    (void)err;
    seen.reads++;
    memcpy(data, (const char *)buffer->at.host + offset, bytes);
    return RD_OK;
}

static rd_status fake_fill(rd__buffer *buffer, uint64_t offset, uint64_t bytes, uint32_t word, rd_error *err)
{
    (void)err;
    seen.fills++;
    for (uint64_t i = 0; i < bytes / 4; i++)
        memcpy((char *)buffer->at.host + offset + 4 * i, &word, sizeof word);
    return RD_OK;
}

static rd_status fake_load(rd_device *device, const rd__program_spec *spec, rd__program **program, rd_error *err)
{
    (void)device;
    (void)err;
    assert_string_equal(spec->root, "device/chores.k.c");
    *program = (rd__program *)(void *)&seen;
    return RD_OK;
}

static void fake_unload(rd__program *program)
{
    assert_ptr_equal(program, &seen);
}

static rd_status fake_kernel(rd__program *program, const char *name, rd__kernel **kernel, rd_error *err)
{
    static uint32_t next;
    (void)program;
    (void)err;
    assert_string_equal(name, "chores_do");
    *kernel = &chores_kernel[next++ % 2];
    return RD_OK;
}

/* As the kernel does, last run first: runs have no word in common, and none leaves its buffer. */
static void do_chores(const rd__arg *args)
{
    const chores_list *list = args[CHORES_BUFFERS].as.list.data;
    assert_int_equal(args[CHORES_BUFFERS].as.list.bytes, sizeof *list);
    assert_true(list->end[CHORES_BUFFERS - 1] <= CHORES_RUNS);
    for (uint32_t k = CHORES_BUFFERS; k-- > 0;) {
        const rd__buffer *to = args[k].as.buffer;
        const uint32_t from = k ? list->end[k - 1] : 0;
        unsigned char *touched = test_calloc(to->bytes / 4 + 1, 1);
        for (uint32_t r = list->end[k]; r-- > from;) {
            assert_true(list->count[r] > 0 && list->at[r] + (uint64_t)list->count[r] <= to->bytes / 4);
            for (uint32_t i = 0; i < list->count[r]; i++) {
                assert_int_equal(touched[list->at[r] + i]++, 0);
                ((uint32_t *)to->at.host)[list->at[r] + i] = list->word[r];
            }
        }
        test_free(touched);
    }
}

static rd_status fake_launch(rd__kernel *kernel, uint32_t groups, int cooperative, const rd__arg *args, uint32_t count,
                             rd_error *err)
{
    seen.launches++;
    if (seen.fails)
        return rd__fail(err, RD_EDEVICE, "the launch broke");
    assert_true(groups > 0 && groups <= 64 && !cooperative);
    if (kernel->chores) {
        assert_int_equal(count, CHORES_BUFFERS + 1);
        do_chores(args);
    }
    return RD_OK;
}

static rd_status fake_idle(rd_device *device, double until, int *idle, rd_error *err)
{
    (void)device;
    (void)until;
    (void)err;
    *idle = 1;
    return RD_OK;
}

static rd_status fake_time(rd_device *device, rd_error *err)
{
    (void)device;
    (void)err;
    return RD_OK;
}

static const rd__backend backend = {.name = "fake",
                                    .alloc = fake_alloc,
                                    .free = fake_free,
                                    .write = fake_write,
                                    .read = fake_read,
                                    .fill = fake_fill,
                                    .load = fake_load,
                                    .unload = fake_unload,
                                    .kernel = fake_kernel,
                                    .launch = fake_launch,
                                    .idle_by = fake_idle,
                                    .time_begin = fake_time};

static void open_device(rd_device *device)
{
    rd_error err = {.status = RD_OK};
    *device = (rd_device){.backend = &backend,
                          .info = {.name = "fake:0", .is_gpu = 1, .max_group = 256, .compute_units = 8},
                          .caps = {.chores = 1},
                          .generation = rd__fork_generation()};
    memset(&seen, 0, sizeof seen);
    assert_int_equal(rd__chores_force(device, &err), RD_OK);
    assert_non_null(device->chores);
}

/* ---- Cases ---- */

/* What a search begins with is one launch. */
static void one_launch_does_all(void **state)
{
    enum { VERTICES = 5000, SOURCE = 77, CONTROL = 640 };
    rd_device device;
    rd__buffer mark, seeds, sets, control;
    rd_error err = {.status = RD_OK};
    uint32_t zero = 0, source = SOURCE, word[CONTROL] = {0}, got[VERTICES];
    (void)state;
    open_device(&device);
    word[32] = 1;
    word[389] = 1000;
    for (uint32_t i = 0; i < 4; i++)
        word[481 + 32 * i] = UINT32_MAX;
    assert_int_equal(rd__buffer_alloc(&device, &mark, "mark", 4 * VERTICES, &err), RD_OK);
    assert_int_equal(rd__buffer_alloc(&device, &seeds, "seeds", 256, &err), RD_OK);
    assert_int_equal(rd__buffer_alloc(&device, &sets, "sets", 1000, &err), RD_OK);
    assert_int_equal(rd__buffer_alloc(&device, &control, "control", sizeof word, &err), RD_OK);
    assert_int_equal(rd__buffer_fill(&mark, UINT32_MAX, &err), RD_OK);
    assert_int_equal(rd__buffer_write(&mark, 4ull * SOURCE, 4, &zero, &err), RD_OK);
    assert_int_equal(rd__buffer_write(&seeds, 0, 4, &source, &err), RD_OK);
    assert_int_equal(rd__buffer_fill(&sets, 0, &err), RD_OK);
    assert_int_equal(rd__buffer_write(&control, 0, sizeof word, word, &err), RD_OK);
    source = 1; /* it was taken: the caller's memory is the caller's again */
    word[32] = 5;
    assert_int_equal(seen.launches, 0);
    assert_int_equal(rd__kernel_launch(&device, &look, 1, 0, NULL, 0, &err), RD_OK);
    assert_int_equal(seen.launches, 2);
    assert_int_equal(seen.writes + seen.fills, 0);
    assert_int_equal(rd__time_begin(&device, &err), RD_OK);
    assert_int_equal(rd__buffer_read(&mark, 0, sizeof got, got, &err), RD_OK);
    for (uint32_t v = 0; v < VERTICES; v++)
        assert_int_equal(got[v], v == SOURCE ? 0 : UINT32_MAX);
    assert_int_equal(((const uint32_t *)seeds.at.host)[0], SOURCE);
    assert_int_equal(((const uint32_t *)control.at.host)[32], 1);
    assert_int_equal(((const uint32_t *)control.at.host)[481], UINT32_MAX);
    assert_int_equal(seen.launches, 2); /* nothing was left to do */
    rd__buffer_free(&mark);
    rd__buffer_free(&seeds);
    rd__buffer_free(&sets);
    rd__buffer_free(&control);
    rd__chores_close(&device);
}

/* A buffer that is freed, and one that gets its memory. */
static void freed_buffers_are_left_alone(void **state)
{
    rd_device device;
    rd__buffer buffer[3];
    rd_error err = {.status = RD_OK};
    (void)state;
    open_device(&device);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(rd__buffer_alloc(&device, &buffer[i], "some", 400, &err), RD_OK);
        assert_int_equal(rd__buffer_fill(&buffer[i], 7 + (uint32_t)i, &err), RD_OK);
    }
    rd__buffer_free(&buffer[0]);
    assert_int_equal(rd__buffer_alloc(&device, &buffer[0], "other", 40, &err), RD_OK);
    assert_int_equal(rd__device_wait(&device, NULL, &err), RD_OK);
    assert_int_equal(seen.launches, 1);
    assert_int_equal(((const uint32_t *)buffer[0].at.host)[0], 0);
    assert_int_equal(((const uint32_t *)buffer[1].at.host)[99], 8);
    assert_int_equal(((const uint32_t *)buffer[2].at.host)[99], 9);
    assert_int_equal(rd__buffer_fill(&buffer[1], 1, &err), RD_OK);
    for (int i = 0; i < 3; i++)
        rd__buffer_free(&buffer[i]);
    assert_int_equal(rd__chores_do(&device, &err), RD_OK);
    assert_int_equal(seen.launches, 1);
    rd__chores_close(&device);
}

/* What fails is told by the command that needed it, or the next one after who left. */
static void failures_are_told(void **state)
{
    rd_device device;
    rd__buffer buffer;
    rd_error err = {.status = RD_OK};
    uint32_t word;
    (void)state;
    open_device(&device);
    assert_int_equal(rd__buffer_alloc(&device, &buffer, "marks", 400, &err), RD_OK);
    assert_int_equal(rd__buffer_fill(&buffer, 1, &err), RD_OK);
    seen.fails = 1;
    assert_int_equal(rd__kernel_launch(&device, &look, 1, 0, NULL, 0, &err), RD_EDEVICE);
    assert_non_null(strstr(err.text, "fake:0: what was written to buffer 'marks' and 0 others did not get there: the "
                                     "launch broke"));
    seen.fails = 0;
    assert_int_equal(rd__buffer_read(&buffer, 0, 4, &word, &err), RD_OK); /* it was told */
    assert_int_equal(rd__device_try_enter(&device), 1);
    assert_int_equal(rd__buffer_fill(&buffer, 1, &err), RD_OK);
    seen.fails = 1;
    assert_int_equal(rd__device_leave(&device, RD_OK), RD_OK);
    seen.fails = 0;
    assert_int_equal(rd__device_wait(&device, NULL, &err), RD_EDEVICE);
    assert_non_null(strstr(err.text, "'marks'"));
    assert_int_equal(rd__device_wait(&device, NULL, &err), RD_OK);
    rd__buffer_free(&buffer);
    rd__chores_close(&device);
}

/* Who is beside has a list of its own. */
static void each_has_its_own(void **state)
{
    rd_device device;
    rd__buffer buffer;
    rd_error err = {.status = RD_OK};
    (void)state;
    open_device(&device);
    assert_int_equal(rd__buffer_alloc(&device, &buffer, "some", 400, &err), RD_OK);
    assert_int_equal(rd__buffer_fill_part(&buffer, 0, 200, 3, &err), RD_OK);
    rd__device_enter_beside(&device);
    assert_int_equal(rd__buffer_fill_part(&buffer, 200, 200, 4, &err), RD_OK);
    assert_int_equal(rd__chores_do(&device, &err), RD_OK);
    assert_int_equal(((const uint32_t *)buffer.at.host)[50], 4);
    assert_int_equal(((const uint32_t *)buffer.at.host)[49], 0);
    assert_int_equal(rd__buffer_fill_part(&buffer, 396, 4, 5, &err), RD_OK);
    rd__device_leave_beside(&device); /* leaves nothing behind */
    assert_int_equal(((const uint32_t *)buffer.at.host)[99], 5);
    assert_int_equal(((const uint32_t *)buffer.at.host)[49], 0);
    assert_int_equal(rd__chores_do(&device, &err), RD_OK);
    assert_int_equal(((const uint32_t *)buffer.at.host)[49], 3);
    rd__buffer_free(&buffer);
    rd__chores_close(&device);
}

static void any_order_is_kept(void **state)
{
    rd_device device;
    (void)state;
    open_device(&device);
    try_any_order(&device, &look, 300);
    rd__chores_close(&device);
}

/* Large fills and long writes are commands of their own; what was kept of their words is not done behind them. */
static void large_ones_go_ahead(void **state)
{
    enum { BYTES = 20 << 20, LONG = 32 << 10 };
    rd_device device;
    rd__buffer buffer;
    rd_error err = {.status = RD_OK};
    static uint32_t data[LONG / 4];
    (void)state;
    open_device(&device);
    assert_int_equal(rd__buffer_alloc(&device, &buffer, "large", BYTES, &err), RD_OK);
    assert_int_equal(rd__buffer_fill_part(&buffer, 4096, 4096, 1, &err), RD_OK);
    assert_int_equal(rd__buffer_fill_part(&buffer, 8192, BYTES - 8192, 2, &err), RD_OK);
    assert_int_equal(seen.fills, 1);
    for (uint32_t i = 0; i < LONG / 4; i++)
        data[i] = i;
    assert_int_equal(rd__buffer_write(&buffer, 6144, LONG, data, &err), RD_OK);
    assert_int_equal(seen.writes, 1);
    assert_int_equal(seen.launches, 0);
    assert_int_equal(rd__device_wait(&device, NULL, &err), RD_OK);
    assert_int_equal(seen.launches, 1);
    const uint32_t *at = buffer.at.host;
    assert_int_equal(at[1023], 0);
    assert_int_equal(at[1024], 1);
    assert_int_equal(at[1535], 1);
    assert_int_equal(at[1537], 1);
    assert_int_equal(at[1536 + LONG / 4 - 1], LONG / 4 - 1);
    assert_int_equal(at[1536 + LONG / 4], 2);
    assert_int_equal(at[BYTES / 4 - 1], 2);
    rd__buffer_free(&buffer);
    rd__chores_close(&device);
}

/* Without memory for a list it does without. */
static rd_status open_and_fill(const void *arg, rd_error *err)
{
    rd_device device = {
        .backend = &backend, .info = {.max_group = 256, .compute_units = 1}, .generation = rd__fork_generation()};
    rd__buffer buffer;
    (void)arg;
    const rd_status status = rd__chores_force(&device, err);
    assert_int_equal(rd__buffer_alloc(&device, &buffer, "some", 8, err), RD_OK);
    assert_int_equal(rd__buffer_fill(&buffer, 6, err), RD_OK);
    assert_int_equal(rd__chores_do(&device, err), RD_OK);
    assert_int_equal(((const uint32_t *)buffer.at.host)[1], 6);
    rd__buffer_free(&buffer);
    rd__chores_close(&device);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(with_little_memory("chores", open_and_fill, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch_does_all), cmocka_unit_test(freed_buffers_are_left_alone),
        cmocka_unit_test(failures_are_told),   cmocka_unit_test(each_has_its_own),
        cmocka_unit_test(any_order_is_kept),   cmocka_unit_test(large_ones_go_ahead),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
