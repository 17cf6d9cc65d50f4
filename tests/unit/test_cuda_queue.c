/* SPDX-License-Identifier: Apache-2.0 */
/* test_cuda_queue.c - what the CUDA back end gives a driver, and in which order: with a driver that is made up here,
 * whose streams do nothing before someone waits for them. It reads host memory then, so what was not to be changed
 * until then is found to be. Kernels are compiled, where NVRTC is here, and not run: of chores_do it is known what it
 * does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "chores_util.h"
#include "cuda_util.h"
#include "core/fork.h"
#include "device/chores.h"
#include "device/chores_layout.k.h"
#include "device/cuda/compile.h"
#include "device/cuda/kernels.h"

CHORES_LIST(uint32_t);

/* ---- A driver ---- */

typedef enum command_kind { FILL, COPY, CHORES, LOOK, EVENT } command_kind;

typedef struct command {
    command_kind what;
    char *to;
    const char *from;
    size_t bytes;
    uint32_t word;
    char *buffer[CHORES_BUFFERS];
    chores_list list;
    struct command *next;
} command;

static command *first, **last = &first; /* of the one stream */
static struct {
    uint32_t launches, copies, fills, events, waits, event_waits, asked;
} calls;
static int is_chores, is_look, event_done; /* functions, and whether the last event is past */

static command *give(command_kind what)
{
    command *c = test_calloc(1, sizeof *c);
    c->what = what;
    *last = c;
    last = &c->next;
    return c;
}

static void do_chores(const command *c)
{
    for (uint32_t k = 0, r = 0; k < CHORES_BUFFERS; k++)
        for (; r < c->list.end[k]; r++)
            for (uint32_t i = 0; i < c->list.count[r]; i++)
                memcpy(c->buffer[k] + 4 * ((size_t)c->list.at[r] + i), &c->list.word[r], 4);
}

static void do_all(void)
{
    while (first) {
        command *c = first;
        first = c->next;
        if (c->what == COPY)
            memcpy(c->to, c->from, c->bytes);
        for (size_t i = 0; c->what == FILL && i < c->bytes; i += 4)
            memcpy(c->to + i, &c->word, 4);
        if (c->what == CHORES)
            do_chores(c);
        event_done |= c->what == EVENT;
        test_free(c);
    }
    last = &first;
}

static int mem_free(unsigned long long address)
{
    do_all(); /* as drivers wait */
    test_free(memory(address));
    return CU_SUCCESS;
}

static int copy_in(unsigned long long to, const void *from, size_t bytes, void *stream)
{
    (void)stream;
    command *c = give(COPY);
    c->to = memory(to);
    c->from = from;
    c->bytes = bytes;
    calls.copies++;
    return CU_SUCCESS;
}

static int copy_out(void *to, unsigned long long from, size_t bytes, void *stream)
{
    (void)stream;
    command *c = give(COPY);
    c->to = to;
    c->from = memory(from);
    c->bytes = bytes;
    calls.copies++;
    return CU_SUCCESS;
}

static int fill(unsigned long long address, unsigned word, size_t words, void *stream)
{
    (void)stream;
    command *c = give(FILL);
    c->to = memory(address);
    c->word = word;
    c->bytes = 4 * words;
    calls.fills++;
    return CU_SUCCESS;
}

static int synchronize(void *stream)
{
    (void)stream;
    calls.waits++;
    do_all();
    return CU_SUCCESS;
}

static int record_event(void *event, void *stream)
{
    (void)event;
    (void)stream;
    calls.events++;
    event_done = 0;
    (void)give(EVENT);
    return CU_SUCCESS;
}

static int wait_event(void *event)
{
    (void)event;
    calls.event_waits++;
    do_all();
    return CU_SUCCESS;
}

static int elapsed(float *milliseconds, void *from, void *to)
{
    (void)from;
    (void)to;
    *milliseconds = 2;
    return event_done ? CU_SUCCESS : CU_NOT_READY;
}

static int load(void **module, const void *image)
{
    assert_non_null(image);
    *module = &is_chores;
    return CU_SUCCESS;
}

static int unload(void *module)
{
    assert_ptr_equal(module, &is_chores);
    return CU_SUCCESS;
}

static int get_function(void **function, void *module, const char *name)
{
    (void)module;
    assert_string_equal(name, "chores_do");
    *function = &is_chores;
    return CU_SUCCESS;
}

static int occupancy(int *blocks, void *function, int lanes, size_t dynamic_bytes)
{
    (void)function;
    (void)lanes;
    (void)dynamic_bytes;
    calls.asked++;
    *blocks = 3;
    return CU_SUCCESS;
}

/* Arguments are copied here: the caller's go away. */
static int launch(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                  unsigned dynamic_bytes, void *stream, void **params, void **extra)
{
    (void)gy, (void)gz, (void)by, (void)bz, (void)dynamic_bytes, (void)stream, (void)extra;
    assert_true(gx > 0 && bx > 0);
    command *c = give(function == &is_chores ? CHORES : LOOK);
    for (uint32_t k = 0; c->what == CHORES && k < CHORES_BUFFERS; k++)
        memcpy(&c->buffer[k], params[1 + k], sizeof c->buffer[k]);
    if (c->what == CHORES)
        memcpy(&c->list, params[1 + CHORES_BUFFERS], sizeof c->list);
    calls.launches++;
    return CU_SUCCESS;
}

static int error_text(int error, const char **text)
{
    (void)error;
    *text = "made up";
    return CU_SUCCESS;
}

static rd__cuda_device device;
static struct rd__program program = {.device = &device, .lanes = 256};
static rd__kernel look = {.program = &program, .function = &is_look, .name = "look"};
static char stage[RD__CUDA_STAGE], inbox[RD__CUDA_INBOX];

static int open_device(void **state)
{
    char reason[200];
    (void)state;
    rd__cuda = (rd__cuda_api){.CtxPush = push,
                              .CtxPop = pop,
                              .MemAlloc = mem_alloc,
                              .MemFree = mem_free,
                              .MemcpyHtoDAsync = copy_in,
                              .MemcpyDtoHAsync = copy_out,
                              .MemsetD32Async = fill,
                              .StreamSynchronize = synchronize,
                              .EventRecord = record_event,
                              .EventSynchronize = wait_event,
                              .EventElapsedTime = elapsed,
                              .ModuleLoadData = load,
                              .ModuleUnload = unload,
                              .ModuleGetFunction = get_function,
                              .Occupancy = occupancy,
                              .LaunchKernel = launch,
                              .GetErrorName = error_text,
                              .GetErrorString = error_text};
    device = (rd__cuda_device){.base = {.backend = &rd__cuda_backend,
                                        .info = {.name = "cuda:0", .is_gpu = 1, .max_group = 1024, .compute_units = 4},
                                        .caps = {.chores = 1},
                                        .generation = rd__fork_generation()},
                               .arch = 90};
    device.queue[0].stage = stage;
    device.queue[0].inbox = inbox;
    memset(&calls, 0, sizeof calls);
    return rd__nvrtc_open(reason, sizeof reason) ? rd__chores_force(&device.base, NULL) != RD_OK : 0;
}

static int close_device(void **state)
{
    (void)state;
    do_all();
    rd__chores_close(&device.base);
    return 0;
}

/* ---- Cases ---- */

static rd__buffer new_buffer(const char *name, uint64_t bytes)
{
    rd_error err = {.status = RD_OK};
    rd__buffer buffer;
    assert_int_equal(rd__buffer_alloc(&device.base, &buffer, name, bytes, &err), RD_OK);
    return buffer;
}

/* A run as bfs has it: six commands, two of them launches of its own, and one wait. */
static void a_run_is_few_commands(void **state)
{
    enum { VERTICES = 1000, SOURCE = 321 };
    rd_error err = {.status = RD_OK};
    uint32_t zero = 0, source = SOURCE, word[640] = {0}, got[VERTICES];
    double seconds = 0;
    (void)state;
    if (!device.base.chores)
        skip();
    rd__buffer mark = new_buffer("mark", sizeof got), list = new_buffer("list", 4),
               control = new_buffer("control", 2560);
    word[7] = 70;
    memset(&calls, 0, sizeof calls);
    const uint64_t before = device.base.commands;
    assert_int_equal(rd__buffer_fill(&mark, UINT32_MAX, &err), RD_OK);
    assert_int_equal(rd__buffer_write(&mark, 4ull * SOURCE, 4, &zero, &err), RD_OK);
    assert_int_equal(rd__buffer_write(&list, 0, 4, &source, &err), RD_OK);
    assert_int_equal(rd__buffer_write(&control, 0, sizeof word, word, &err), RD_OK);
    memset(word, 0, sizeof word);
    source = 0;
    assert_int_equal(rd__kernel_launch(&device.base, &look, 1, 0, NULL, 0, &err), RD_OK);
    assert_int_equal(rd__time_begin(&device.base, &err), RD_OK);
    assert_int_equal(rd__kernel_launch(&device.base, &look, 8, 0, NULL, 0, &err), RD_OK);
    assert_int_equal(rd__time_mark(&device.base, &err), RD_OK);
    assert_int_equal(rd__buffer_read_begin(&control, sizeof word, 0, &err), RD_OK);
    assert_int_equal(rd__buffer_read_end(&control, sizeof word, word, &err), RD_OK);
    assert_int_equal(rd__time_end(&device.base, &seconds, &err), RD_OK);
    assert_int_equal(word[7], 70);
    assert_true(seconds > 0.0019 && seconds < 0.0021);
    assert_int_equal(calls.launches, 3); /* with the one of chores */
    assert_int_equal(calls.copies, 1);
    assert_int_equal(calls.fills, 0);
    assert_int_equal(calls.events, 2);
    assert_int_equal(calls.waits, 1);
    assert_int_equal(calls.event_waits, 1); /* for one that is over: what is not may not be asked for its time */
    assert_int_equal(device.base.commands - before, 6);
    assert_int_equal(rd__buffer_read(&mark, 0, sizeof got, got, &err), RD_OK);
    for (uint32_t v = 0; v < VERTICES; v++)
        assert_int_equal(got[v], v == SOURCE ? 0 : UINT32_MAX);
    rd__buffer_free(&mark);
    rd__buffer_free(&list);
    rd__buffer_free(&control);
}

static void any_order_is_kept(void **state)
{
    (void)state;
    try_any_order(&device.base, &look, 60);
}

/* The same where nothing is kept: small writes go by way of the inbox, which is used again. */
static void any_order_is_kept_one_by_one(void **state)
{
    (void)state;
    rd__chores_close(&device.base);
    try_any_order(&device.base, &look, 60);
}

/* Two reads behind a launch, and one wait; what is too long for that is read at the end. */
static void two_reads_and_one_wait(void **state)
{
    enum { LONG = RD__CUDA_STAGE / 2 + 4 };
    rd_error err = {.status = RD_OK};
    uint32_t a[2] = {0}, b[2] = {0};
    static uint32_t c[LONG / 4];
    (void)state;
    rd__buffer control = new_buffer("control", 64), note = new_buffer("note", 8), more = new_buffer("more", LONG);
    assert_int_equal(rd__buffer_fill(&control, 3, &err), RD_OK);
    assert_int_equal(rd__buffer_fill(&note, 4, &err), RD_OK);
    assert_int_equal(rd__buffer_fill(&more, 5, &err), RD_OK);
    assert_int_equal(rd__kernel_launch(&device.base, &look, 1, 0, NULL, 0, &err), RD_OK);
    memset(&calls, 0, sizeof calls);
    for (int round = 0; round < 2; round++) { /* a wait that failed leaves reads that nobody ended */
        assert_int_equal(rd__buffer_read_begin(&control, sizeof a, 0, &err), RD_OK);
        assert_int_equal(rd__buffer_read_begin(&note, sizeof b, 1, &err), RD_OK);
    }
    assert_int_equal(rd__buffer_read_end(&control, sizeof a, a, &err), RD_OK);
    assert_int_equal(rd__buffer_read_end(&note, sizeof b, b, &err), RD_OK);
    assert_true(a[0] == 3 && a[1] == 3 && b[0] == 4 && b[1] == 4);
    assert_int_equal(calls.waits, 1);
    assert_int_equal(rd__buffer_read_begin(&control, sizeof a, 0, &err), RD_OK);
    assert_int_equal(rd__buffer_read_begin(&more, sizeof c, 1, &err), RD_OK);
    assert_int_equal(rd__buffer_read_end(&control, sizeof a, a, &err), RD_OK);
    assert_int_equal(rd__buffer_read_end(&more, sizeof c, c, &err), RD_OK);
    assert_true(a[1] == 3 && c[0] == 5 && c[LONG / 4 - 1] == 5);
    rd__buffer_free(&control);
    rd__buffer_free(&note);
    rd__buffer_free(&more);
}

/* Who asks for the time before the launch is done waits for it. */
static void time_is_waited_for(void **state)
{
    rd_error err = {.status = RD_OK};
    double seconds = 0;
    (void)state;
    assert_int_equal(rd__time_begin(&device.base, &err), RD_OK);
    assert_int_equal(rd__kernel_launch(&device.base, &look, 1, 0, NULL, 0, &err), RD_OK);
    assert_int_equal(rd__time_mark(&device.base, &err), RD_OK);
    assert_int_equal(rd__time_end(&device.base, &seconds, &err), RD_OK);
    assert_int_equal(calls.event_waits, 1);
    assert_true(seconds > 0);
}

static void room_is_asked_for_once(void **state)
{
    rd_error err = {.status = RD_OK};
    uint32_t groups = 0;
    (void)state;
    for (int i = 0; i < 3; i++)
        assert_int_equal(rd__kernel_resident(&device.base, &look, &groups, &err), RD_OK);
    assert_int_equal(groups, 12);
    device.base.info.compute_units = 2; /* as `raddle selftest --units` says */
    assert_int_equal(rd__kernel_resident(&device.base, &look, &groups, &err), RD_OK);
    assert_int_equal(groups, 6);
    assert_int_equal(calls.asked, 1);
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, open_device, close_device)
    const struct CMUnitTest tests[] = {CASE(a_run_is_few_commands),        CASE(any_order_is_kept),
                                       CASE(any_order_is_kept_one_by_one), CASE(two_reads_and_one_wait),
                                       CASE(time_is_waited_for),           CASE(room_is_asked_for_once)};
#undef CASE
    return cmocka_run_group_tests(tests, NULL, NULL);
}
