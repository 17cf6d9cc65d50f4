/* SPDX-License-Identifier: Apache-2.0 */
/* test_cuda_upload.c - large copies to a CUDA device, with a driver that is made up here: a stream does nothing before
 * somebody waits for it, and reads the host's memory only then. A slot that is written again too early shows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "device/cuda/cuda.h"
#include "sanitized.h"

#include <stdatomic.h>

enum { MOST = 4096, NO_MEMORY = 2, BROKEN = 700 };
enum { MUCH = SANITIZED ? 54000003 : 100000003 }; /* bytes: more pieces than the slots of all threads */

/* A stream is one thread's, and so are its events. */
typedef struct stream {
    struct {
        char *to;
        const char *from;
        size_t bytes;
    } copy[MOST];
    int given, done;
} stream;

typedef struct event {
    stream *of;
    int at; /* copies before it */
} event;

static atomic_int allocations, most_allocations, copies, breaks_at, contexts;

static void do_until(stream *s, int end)
{
    for (; s->done < end; s->done++)
        memcpy(s->copy[s->done].to, s->copy[s->done].from, s->copy[s->done].bytes);
}

static int push(void *context)
{
    (void)context;
    atomic_fetch_add(&contexts, 1);
    return CU_SUCCESS;
}

static int pop(void **context)
{
    *context = NULL;
    atomic_fetch_sub(&contexts, 1);
    return CU_SUCCESS;
}

static int host_alloc(void **host, size_t bytes, unsigned flags)
{
    (void)flags;
    if (atomic_fetch_add(&allocations, 1) >= most_allocations)
        return NO_MEMORY;
    *host = malloc(bytes);
    return *host ? CU_SUCCESS : NO_MEMORY;
}

static int host_free(void *host)
{
    free(host);
    return CU_SUCCESS;
}

static int new_stream(void **out, unsigned flags)
{
    (void)flags;
    *out = calloc(1, sizeof(stream));
    return *out ? CU_SUCCESS : NO_MEMORY;
}

static int new_event(void **out, unsigned flags)
{
    (void)flags;
    *out = calloc(1, sizeof(event));
    return *out ? CU_SUCCESS : NO_MEMORY;
}

static int copy_in(unsigned long long to, const void *from, size_t bytes, void *pointer)
{
    stream *s = pointer;
    if (atomic_fetch_add(&copies, 1) == breaks_at || s->given == MOST)
        return BROKEN;
    s->copy[s->given].to = (char *)(uintptr_t)to;
    s->copy[s->given].from = from;
    s->copy[s->given++].bytes = bytes;
    return CU_SUCCESS;
}

static int record(void *pointer, void *of)
{
    *(event *)pointer = (event){of, ((stream *)of)->given};
    return CU_SUCCESS;
}

static int wait_event(void *pointer)
{
    const event *e = pointer;
    do_until(e->of, e->at);
    return CU_SUCCESS;
}

static int wait_stream(void *pointer)
{
    stream *s = pointer;
    do_until(s, s->given);
    return CU_SUCCESS;
}

static int text_of(int error, const char **text)
{
    *text = error == BROKEN ? "broken" : "no memory";
    return CU_SUCCESS;
}

static rd__cuda_device device = {.base = {.info = {.name = "cuda:0", .is_gpu = 1}}};

static int begin(void **state)
{
    (void)state;
    rd__cuda = (rd__cuda_api){.CtxPush = push,
                              .CtxPop = pop,
                              .MemHostAlloc = host_alloc,
                              .MemFreeHost = host_free,
                              .StreamCreate = new_stream,
                              .StreamDestroy = host_free,
                              .EventCreate = new_event,
                              .EventDestroy = host_free,
                              .MemcpyHtoDAsync = copy_in,
                              .EventRecord = record,
                              .EventSynchronize = wait_event,
                              .StreamSynchronize = wait_stream,
                              .GetErrorName = text_of,
                              .GetErrorString = text_of};
    allocations = copies = contexts = 0;
    most_allocations = MOST;
    breaks_at = -1;
    return 0;
}

static int end(void **state)
{
    (void)state;
    rd__cuda_upload_close(rd__cuda_queue_of(&device));
    return 0;
}

/* @return whether all of it came. */
static int upload(uint64_t bytes, int *done, rd_status *status, rd_error *err)
{
    uint32_t *from = malloc(bytes + 4), *to = calloc(1, bytes + 4);
    assert_non_null(from);
    assert_non_null(to);
    for (uint64_t i = 0; i < bytes / 4 + 1; i++)
        from[i] = (uint32_t)(i * 2654435761u + 12345);
    *status = rd__cuda_upload(&device, (uintptr_t)to, bytes, from, done, err);
    const int same = memcmp(from, to, bytes) == 0 && memcmp((char *)to + bytes, "\0\0\0\0", 4) == 0;
    free(from);
    free(to);
    assert_int_equal(contexts, 0); /* all were given back */
    return same;
}

static void all_of_it_comes(void **state)
{
    static const uint64_t sizes[] = {1, 4 << 20, (4 << 20) + 1, MUCH};
    (void)state;
    for (int i = 0; i < 4; i++) {
        rd_error err = {.status = RD_OK};
        rd_status status;
        int done = 0;
        assert_true(upload(sizes[i], &done, &status, &err));
        assert_int_equal(status, RD_OK);
        assert_int_equal(done, 1);
    }
}

static void one_thread_has_memory(void **state)
{
    rd_error err = {.status = RD_OK};
    rd_status status;
    int done = 0;
    (void)state;
    most_allocations = 1;
    assert_true(upload(50000001, &done, &status, &err));
    assert_int_equal(status, RD_OK);
    assert_int_equal(done, 1);
}

static void nobody_has_memory(void **state)
{
    rd_error err = {.status = RD_OK};
    rd_status status;
    int done = 1;
    (void)state;
    most_allocations = 0;
    assert_false(upload(50000001, &done, &status, &err));
    assert_int_equal(status, RD_OK);
    assert_int_equal(done, 0);
}

/* What was pinned for the first one does for the next ones, and for one after which nobody had memory. */
static void memory_is_kept(void **state)
{
    rd_error err = {.status = RD_OK};
    rd_status status;
    int done = 0;
    (void)state;
    most_allocations = 0;
    assert_false(upload(50000001, &done, &status, &err));
    most_allocations = MOST;
    for (int i = 0, pinned = 0; i < 3; i++) {
        assert_true(upload(MUCH, &done, &status, &err));
        assert_int_equal(done, 1);
        assert_true(i == 0 || atomic_load(&allocations) == pinned);
        pinned = atomic_load(&allocations);
    }
}

static void a_copy_fails(void **state)
{
    (void)state;
    for (int at = 0; at < 24; at += 5) {
        rd_error err = {.status = RD_OK};
        rd_status status;
        int done = 0;
        copies = 0;
        breaks_at = at;
        (void)upload(MUCH, &done, &status, &err);
        assert_int_equal(status, RD_EDEVICE);
        assert_non_null(strstr(err.text, "broken"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(all_of_it_comes, begin, end),
        cmocka_unit_test_setup_teardown(one_thread_has_memory, begin, end),
        cmocka_unit_test_setup_teardown(nobody_has_memory, begin, end),
        cmocka_unit_test_setup_teardown(memory_is_kept, begin, end),
        cmocka_unit_test_setup_teardown(a_copy_fails, begin, end),
    };
    return cmocka_run_group_tests_name("uploads", tests, NULL, NULL);
}
