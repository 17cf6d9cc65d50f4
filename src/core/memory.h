/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h - the only way the library takes host memory, so that a program can replace the allocator and a test can
 * fail it. */
#ifndef RD_CORE_MEMORY_H
#define RD_CORE_MEMORY_H

#include "core/error.h"

/* Small objects: as malloc, calloc, realloc, free and strdup. rd__calloc checks count * size for overflow. */
void *rd__malloc(size_t bytes);
void *rd__calloc(size_t count, size_t size);
void *rd__realloc(void *ptr, size_t bytes);
void rd__free(void *ptr);
char *rd__strdup(const char *text);

/* Large arrays: aligned to 64 bytes, not cleared, big ones on huge pages where the system has them. Zero bytes is fine
 * and gives a pointer that can be freed. Freed with rd__array_free, never with rd__free. */
void *rd__array_alloc(uint64_t bytes);
void rd__array_free(void *ptr);

/* The same with the message: returns RD_ENOMEM naming `what`, and checks count * size for overflow. */
rd_status rd__array_new(void *out_pointer, const char *what, uint64_t count, size_t size, rd_error *err);
/* Makes the array at *pointer (NULL: none yet) one of `count` items that begins with the first `used` of it. On failure
 * it stays as it is. */
rd_status rd__array_grow(void *pointer, const char *what, uint64_t used, uint64_t count, size_t size, rd_error *err);

#endif
