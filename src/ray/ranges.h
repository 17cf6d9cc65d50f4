/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranges.h - a tree is built over ranges of items: a range is looked at once and either becomes a leaf or is split into
 * smaller ranges, each of which may be looked at by another thread. One list of ranges, a lock, and a count of threads
 * at work: who finds the list empty waits until there is a range again or nobody is at work. Small ranges are finished
 * by the thread that has them, so the lock is taken seldom.
 */
#ifndef RD_RAY_RANGES_H
#define RD_RAY_RANGES_H

#include "core/error.h"

typedef struct rd__range {
    uint32_t from, to;
    uint32_t node, side; /* whose it will be: the builder's own */
    uint32_t depth;
} rd__range;

typedef struct rd__ranges rd__ranges;
/* Splits a range: gives the parts with rd__ranges_give. */
typedef void (*rd__ranges_fn)(void *user, rd__ranges *ranges, const rd__range *range);

/* Runs fn on the first range and on all that come of it, with so many threads. */
rd_status rd__ranges_run(rd__range first, unsigned threads, rd__ranges_fn fn, void *user, rd_error *err);
void rd__ranges_give(rd__ranges *ranges, rd__range range);

#endif
