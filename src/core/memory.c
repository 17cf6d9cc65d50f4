/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c - host memory through a replaceable allocator. */
#define _DEFAULT_SOURCE /* madvise */
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct {
    rd_malloc_fn malloc_fn;
    rd_realloc_fn realloc_fn;
    rd_free_fn free_fn;
} allocator = {malloc, realloc, free};

rd_status rd_set_allocator(rd_malloc_fn malloc_fn, rd_realloc_fn realloc_fn, rd_free_fn free_fn)
{
    if (!malloc_fn && !realloc_fn && !free_fn) {
        malloc_fn = malloc;
        realloc_fn = realloc;
        free_fn = free;
    }
    if (!malloc_fn || !realloc_fn || !free_fn)
        return RD_EARG;
    allocator.malloc_fn = malloc_fn;
    allocator.realloc_fn = realloc_fn;
    allocator.free_fn = free_fn;
    return RD_OK;
}

void rd_free(void *ptr)
{
    rd__free(ptr);
}

void *rd__malloc(size_t bytes)
{
    return allocator.malloc_fn(bytes ? bytes : 1);
}

void *rd__calloc(size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size)
        return NULL;
    void *ptr = rd__malloc(count * size);
    if (ptr)
        memset(ptr, 0, count * size);
    return ptr;
}

void *rd__realloc(void *ptr, size_t bytes)
{
    return allocator.realloc_fn(ptr, bytes ? bytes : 1);
}

void rd__free(void *ptr)
{
    if (ptr)
        allocator.free_fn(ptr);
}

char *rd__strdup(const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = rd__malloc(bytes);
    if (copy)
        memcpy(copy, text, bytes);
    return copy;
}

/* An array is a block with room for alignment; the word before the array remembers where the block began. */
enum { ALIGNMENT = 64, HUGE_PAGE = 2 << 20 };

void *rd__array_alloc(uint64_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        return NULL;
    char *block = rd__malloc((size_t)bytes + ALIGNMENT + sizeof(void *));
    if (!block)
        return NULL;
    uintptr_t first = (uintptr_t)block + sizeof(void *);
    char *array = block + sizeof(void *) + (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
    memcpy(array - sizeof(void *), &block, sizeof block);
#ifdef MADV_HUGEPAGE
    if (bytes >= 2 * HUGE_PAGE) {
        /* Random access to graphs is bound by TLB misses on small pages. Advice only: failure changes nothing. */
        uintptr_t from = ((uintptr_t)array + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
        uintptr_t to = ((uintptr_t)array + (size_t)bytes) / HUGE_PAGE * HUGE_PAGE;
        if (to > from)
            (void)madvise(array + (from - (uintptr_t)array), to - from, MADV_HUGEPAGE);
    }
#endif
    return array;
}

void rd__array_free(void *ptr)
{
    if (ptr) {
        void *block;
        memcpy(&block, (char *)ptr - sizeof(void *), sizeof block);
        rd__free(block);
    }
}

rd_status rd__array_new(void *out_pointer, const char *what, uint64_t count, size_t size, rd_error *err)
{
    void *array = NULL;
    if (size == 0 || count <= UINT64_MAX / size)
        array = rd__array_alloc(count * size);
    memcpy(out_pointer, &array, sizeof array);
    if (!array)
        return rd__fail_memory(err, what, count <= UINT64_MAX / (size ? size : 1) ? count * size : UINT64_MAX);
    return RD_OK;
}

rd_status rd__array_grow(void *pointer, const char *what, uint64_t used, uint64_t count, size_t size, rd_error *err)
{
    void *now, *more;
    memcpy(&now, pointer, sizeof now);
    RD_TRY(rd__array_new(&more, what, count, size, err));
    if (used)
        memcpy(more, now, (size_t)(used * size));
    rd__array_free(now);
    memcpy(pointer, &more, sizeof more);
    return RD_OK;
}
