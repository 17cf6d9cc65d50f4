/* SPDX-License-Identifier: Apache-2.0 */
/* planted.c - loses memory of the library: a piece of every size class of the sanitizer's allocator, in steps of an
 * eighth, and of sizes beyond them. Prints how many; the sanitizer has to find as many at exit (tests/sanitized.sh). */
#include <stdio.h>
#include <string.h>

#include "core/memory.h"

int main(void)
{
    unsigned lost = 0;
    for (size_t bytes = 8; bytes < (size_t)1 << 22; bytes += bytes / 8 + 8) {
        char *volatile piece = rd__malloc(bytes);
        if (piece == NULL)
            return 1;
        memset(piece, 0, bytes);
        piece = NULL; /* and no register has it after the next */
        lost++;
    }
    void *volatile kept = rd__malloc(100); /* is what the registers point to now, and is freed */
    rd__free(kept);
    (void)printf("%u\n", lost);
    return fflush(stdout); /* the sanitizer ends the program before that is done */
}
