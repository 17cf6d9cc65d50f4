/* SPDX-License-Identifier: Apache-2.0 */
/*
 * broken.c - a fuzz target that fails on purpose, for tests/fuzz/broken.sh: when a line has the number 4294967295 (no
 * seed of its test has one), in the way that FUZZ_KIND says.
 */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

static volatile int most = INT_MAX; /* not known when this is compiled, nor are the others */
static uint8_t *volatile nowhere;

static int deeper(volatile int depth)
{
    volatile char room[4096];
    room[0] = (char)depth;
    return depth < 0 ? 0 : deeper(depth + 1) + room[0];
}

static void fail(const char *kind)
{
    uint8_t *few = malloc(4);
    const volatile int past = 4;
    if (!few)
        return;
    if (strcmp(kind, "abort") == 0)
        abort();
    if (strcmp(kind, "heap") == 0)
        few[past] = 1;
    if (strcmp(kind, "null") == 0)
        *nowhere = 1;
    if (strcmp(kind, "overflow") == 0)
        most = most + 1;
    if (strcmp(kind, "stack") == 0)
        most = deeper(0);
    if (strcmp(kind, "trap") == 0)
        raise(SIGTRAP);
    while (strcmp(kind, "endless") == 0 && most)
        ;
    free(few);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static const char wrong[] = "4294967295";
    const char *kind = getenv("FUZZ_KIND");
    for (size_t i = 0; kind && i + sizeof wrong - 1 <= bytes; i++)
        if (memcmp(data + i, wrong, sizeof wrong - 1) == 0) {
            fail(kind);
            break;
        }
    return 0;
}
