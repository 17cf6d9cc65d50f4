/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz.h - what fuzz targets share: an allocator that counts, has a limit and so lets a small input promise much; and
 * the rule for every function that can fail: an error has its status and a message, success has neither.
 * FUZZ_KIND in the environment says which of a target's readers is meant (tests/fuzz/fuzz.sh has the list).
 */
#ifndef RD_FUZZ_H
#define RD_FUZZ_H

#include "core/memory.h"

#include <malloc.h>
#include <pthread.h>
#include <sanitizer/asan_interface.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

/* All relaxed: counters that are looked at when the threads of a run are gone. */
static atomic_long fuzz_live, fuzz_bytes;
static long fuzz_most = 64 << 20; /* bytes at once */

static void *fuzz_count(void *ptr)
{
    if (ptr) {
        atomic_fetch_add_explicit(&fuzz_live, 1, memory_order_relaxed);
        atomic_fetch_add_explicit(&fuzz_bytes, (long)malloc_usable_size(ptr), memory_order_relaxed);
    }
    return ptr;
}

static void fuzz_discount(void *ptr)
{
    if (ptr) {
        atomic_fetch_sub_explicit(&fuzz_live, 1, memory_order_relaxed);
        atomic_fetch_sub_explicit(&fuzz_bytes, (long)malloc_usable_size(ptr), memory_order_relaxed);
    }
}

static int fuzz_fits(size_t bytes)
{
    return bytes <= (size_t)fuzz_most &&
           atomic_load_explicit(&fuzz_bytes, memory_order_relaxed) + (long)bytes <= fuzz_most;
}

/*
 * Readers take buffers of a megabyte, whatever the size of the input, and ASan gets and gives back each such block with
 * system calls that take longer than all the rest. So blocks of these sizes are kept for the next that asks for exactly
 * as much: ASan's borders around them stay as they are, and while nobody has one it is poisoned, so a use after free is
 * found as before.
 */
enum { FUZZ_KEPT = 16, FUZZ_KEEP_FROM = 16 << 10, FUZZ_KEEP_TO = 4 << 20 };
static struct {
    void *ptr;
    size_t bytes;
} fuzz_kept[FUZZ_KEPT];
static unsigned fuzz_kept_next; /* the one that goes when another comes */
static pthread_mutex_t fuzz_kept_lock = PTHREAD_MUTEX_INITIALIZER;

static int fuzz_keeps(size_t bytes)
{
    return bytes >= FUZZ_KEEP_FROM && bytes <= FUZZ_KEEP_TO;
}

static void *fuzz_take_kept(size_t bytes)
{
    void *ptr = NULL;
    pthread_mutex_lock(&fuzz_kept_lock);
    for (int i = 0; i < FUZZ_KEPT && !ptr; i++)
        if (fuzz_kept[i].ptr && fuzz_kept[i].bytes == bytes) {
            ptr = fuzz_kept[i].ptr;
            fuzz_kept[i].ptr = NULL;
        }
    pthread_mutex_unlock(&fuzz_kept_lock);
    if (ptr)
        ASAN_UNPOISON_MEMORY_REGION(ptr, bytes);
    return ptr;
}

static void fuzz_keep(void *ptr, size_t bytes)
{
    ASAN_POISON_MEMORY_REGION(ptr, bytes);
    pthread_mutex_lock(&fuzz_kept_lock);
    unsigned place = fuzz_kept_next;
    for (unsigned i = 0; i < FUZZ_KEPT; i++)
        if (!fuzz_kept[i].ptr)
            place = i;
    if (fuzz_kept[place].ptr) {
        fuzz_kept_next = (fuzz_kept_next + 1) % FUZZ_KEPT;
        ASAN_UNPOISON_MEMORY_REGION(fuzz_kept[place].ptr, fuzz_kept[place].bytes);
        free(fuzz_kept[place].ptr);
    }
    fuzz_kept[place].ptr = ptr;
    fuzz_kept[place].bytes = bytes;
    pthread_mutex_unlock(&fuzz_kept_lock);
}

static void *fuzz_malloc(size_t bytes)
{
    if (!fuzz_fits(bytes))
        return NULL;
    void *kept = fuzz_keeps(bytes) ? fuzz_take_kept(bytes) : NULL;
    return fuzz_count(kept ? kept : malloc(bytes));
}

static void fuzz_free(void *ptr)
{
    const size_t bytes = ptr ? malloc_usable_size(ptr) : 0; /* under ASan: as many as were asked for */
    fuzz_discount(ptr);
    if (fuzz_keeps(bytes))
        fuzz_keep(ptr, bytes);
    else
        free(ptr);
}

static void *fuzz_realloc(void *ptr, size_t bytes)
{
    void *moved = fuzz_malloc(bytes);
    if (moved && ptr) {
        const size_t had = malloc_usable_size(ptr);
        memcpy(moved, ptr, had < bytes ? had : bytes);
        fuzz_free(ptr);
    }
    return moved;
}

/* Called first in each input. */
static inline void fuzz_begin(void)
{
    rd_set_allocator(fuzz_malloc, fuzz_realloc, fuzz_free);
}

/* Called last: nothing is left allocated. */
static inline void fuzz_end(void)
{
    if (atomic_load_explicit(&fuzz_live, memory_order_relaxed) != 0)
        abort();
}

static inline void fuzz_check(rd_status status, const rd_error *err)
{
    if (status != RD_OK && (err->status != status || !err->text[0] || strlen(err->text) >= sizeof err->text))
        abort();
}

/* A copy of its own, so that reading past its end is found; text: with a NUL after it. */
static inline char *fuzz_copy(const uint8_t *data, size_t bytes, int text)
{
    char *copy = malloc(bytes + (text || !bytes));
    if (!copy)
        abort();
    memcpy(copy, data, bytes);
    if (text)
        copy[bytes] = '\0';
    return copy;
}

static inline const char *fuzz_kind(void)
{
    const char *kind = getenv("FUZZ_KIND");
    return kind ? kind : "";
}

#endif
