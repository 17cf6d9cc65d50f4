/* SPDX-License-Identifier: Apache-2.0 */
/* memory_util.h - for tests of memory that runs out: the n-th allocation of the library fails, and all after it, for
 * every n until there is enough. After cmocka.h and raddle.h. */
#ifndef RD_TESTS_MEMORY_UTIL_H
#define RD_TESTS_MEMORY_UTIL_H

#include <stdatomic.h>
#include <stdlib.h>

static atomic_long memory_left, memory_live; /* allocations still allowed; blocks not freed */

static void *few_realloc(void *old, size_t bytes)
{
    if (atomic_fetch_sub(&memory_left, 1) <= 0)
        return NULL;
    void *fresh = realloc(old, bytes);
    if (fresh && !old)
        atomic_fetch_add(&memory_live, 1);
    return fresh;
}

static void *few_malloc(size_t bytes)
{
    return few_realloc(NULL, bytes ? bytes : 1);
}

static void few_free(void *old)
{
    if (old)
        atomic_fetch_sub(&memory_live, 1);
    free(old);
}

/* Tries with 0, 1, 2 ... allocations (not every number, of very many) until the attempt succeeds with some to spare:
 * without, the answer is RD_ENOMEM with a message, or success where something can be done without; nothing leaks.
 * @return how often it failed. */
static int with_little_memory(const char *name, rd_status (*attempt)(const void *arg, rd_error *err), const void *arg)
{
    int failures = 0;
    assert_int_equal(rd_set_allocator(few_malloc, few_realloc, few_free), RD_OK);
    for (long n = 0;; n = n < 150 ? n + 1 : n + n / 4) { /* of very many, some */
        rd_error err = {RD_OK, ""};
        atomic_store(&memory_left, n);
        atomic_store(&memory_live, 0);
        const rd_status status = attempt(arg, &err);
        if (atomic_load(&memory_live) != 0)
            fail_msg("%s: %ld blocks leak with %ld allocations", name, atomic_load(&memory_live), n);
        if (status == RD_OK && atomic_load(&memory_left) >= 0)
            break;
        if (status != RD_OK && (status != RD_ENOMEM || err.status != RD_ENOMEM || !err.text[0]))
            fail_msg("%s: with %ld allocations the answer is %d, '%s'", name, n, status, err.text);
        failures += status != RD_OK;
        if (n > 1000000)
            fail_msg("%s: no end", name);
    }
    assert_int_equal(rd_set_allocator(NULL, NULL, NULL), RD_OK);
    return failures;
}

#endif
