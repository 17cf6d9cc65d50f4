/* SPDX-License-Identifier: Apache-2.0 */
/* hash.c - see hash.h. */
#include "core/hash.h"

#include <stdio.h>
#include <string.h>

void rd__hash_add(rd__hash *hash, const void *data, size_t bytes)
{
    const unsigned char *at = data;
    uint64_t a = hash->word[0] ^ rd__mix64(bytes + RD_GOLDEN), b = hash->word[1] ^ (bytes * RD_GOLDEN);
    while (bytes > 0) {
        uint64_t word = 0;
        size_t take = bytes < 8 ? bytes : 8;
        memcpy(&word, at, take);
        a = rd__mix64(a ^ word) + RD_GOLDEN;
        b = rd__mix64(b + (word * 0xff51afd7ed558ccdull) + a);
        at += take;
        bytes -= take;
    }
    hash->word[0] = rd__mix64(a);
    hash->word[1] = rd__mix64(b ^ a);
}

void rd__hash_text(rd__hash *hash, const char *text)
{
    rd__hash_add(hash, text, strlen(text));
}

void rd__hash_hex(const rd__hash *hash, char out[33])
{
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)hash->word[0], (unsigned long long)hash->word[1]);
}
