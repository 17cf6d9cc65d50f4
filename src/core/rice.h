/* SPDX-License-Identifier: Apache-2.0 */
/* rice.h - a string of bits in about as few bytes as there is news in it, whatever part of it is set. */
#ifndef RD_CORE_RICE_H
#define RD_CORE_RICE_H

#include <stdint.h>

/* Bytes that so many bits never exceed. */
static inline uint64_t rd__rice_room(uint64_t bits)
{
    return bits / 8 + 16;
}

/* @return how many bytes were written; 0: no bit is set. */
uint64_t rd__rice_put(const uint64_t *bit, uint64_t bits, unsigned char *out);
/* What was put, into whole words. @return 0: these bytes are nothing that was put of so many bits. */
int rd__rice_get(const unsigned char *from, uint64_t bytes, uint64_t bits, uint64_t *bit);

#endif
