/* SPDX-License-Identifier: Apache-2.0 */
/*
 * walk.c - how LeakSanitizer finds what is allocated, for clang 14 (Debian 12) on 64-bit ARM; part of each program of
 * the build with AddressSanitizer.
 *
 * The sanitizer's allocator has regions of 1 MiB, and a table of what size each region's pieces have: two levels, 65536
 * times 4096 entries, most of whose first level is not there. At each exit of a program its function goes through all
 * 2^28 entries four times, with a memory barrier at each: three seconds of processor time for one that takes none. The
 * function is an instance of a template, so a weak symbol, and this one takes its place: it does the same, and looks at
 * 4096 entries only where there are any. tests/leaks/planted.c has a leak of every size that the allocator knows, which
 * tests/sanitized.sh counts: had the table another shape, they would not be found.
 */
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__) && __clang_major__ == 14 && defined(__aarch64__)
enum { FIRST = 65536, SECOND = 4096, REGION_SHIFT = 20, BATCH_CLASS = 53, BATCH_SIZE = 512 };

typedef struct region_table {
    uint32_t lock;
    const unsigned char *classes[FIRST]; /* of sizes, a byte for each region; 0: it is none of the allocator's */
} region_table;

/* Steps of 16 bytes to 256, then four for each power of two; the last is for the allocator's own lists. */
static uintptr_t size_of_class(uintptr_t number)
{
    if (number == BATCH_CLASS)
        return BATCH_SIZE;
    if (number <= 16)
        return number * 16;
    uintptr_t power = (uintptr_t)256 << (number - 16) / 4;
    return power + power / 4 * (number % 4);
}

void leaks_each_piece(const region_table *table, void (*call)(uintptr_t, void *), void *argument) __asm__(
    "_ZNK11__sanitizer20SizeClassAllocator32IN6__asan4AP32INS_21LocalAddressSpaceViewEEEE"
    "12ForEachChunkEPFvmPvES6_");

void leaks_each_piece(const region_table *table, void (*call)(uintptr_t, void *), void *argument)
{
    for (uintptr_t i = 0; i < FIRST; i++) {
        const unsigned char *classes = table->classes[i];
        for (uintptr_t j = 0; classes != NULL && j < SECOND; j++) {
            if (classes[j] == 0)
                continue;
            uintptr_t begin = (i * SECOND + j) << REGION_SHIFT, size = size_of_class(classes[j]);
            for (uintptr_t k = 0; k < ((uintptr_t)1 << REGION_SHIFT) / size; k++)
                call(begin + k * size, argument);
        }
    }
}
#else
typedef int leaks_as_the_compiler_has_it;
#endif
