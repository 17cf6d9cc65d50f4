/* SPDX-License-Identifier: Apache-2.0 */
/* cache.h - compiled kernels on disk, keyed by a hash of everything that went into them. */
#ifndef RD_DEVICE_CACHE_H
#define RD_DEVICE_CACHE_H

#include "core/hash.h"

/* Looks up an entry. On a hit *data (freed with rd__free) and *bytes are set and 1 is returned. A missing, damaged or
 * foreign entry is a miss, and so is everything in a folder that others may write to; the cache never causes an error.
 */
int rd__cache_get(const rd__hash *key, void **data, size_t *bytes);
/* Stores an entry: written aside and renamed, so readers and concurrent writers see all of it or none. Failure is only
 * logged. */
void rd__cache_put(const rd__hash *key, const void *data, size_t bytes);

#endif
