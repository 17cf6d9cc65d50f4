/* SPDX-License-Identifier: Apache-2.0 */
/* watch.h - whoever wants to hear of long work, and may stop it: an rd_progress_fn with its user. */
#ifndef RD_CORE_WATCH_H
#define RD_CORE_WATCH_H

#include "raddle.h"

typedef struct rd__watch {
    rd_progress_fn fn; /* NULL: nobody watches */
    void *user;
} rd__watch;

/* Of small things, how many go by between two questions: some milliseconds. */
enum { RD__WATCH_ITEMS = 1 << 20 };

/* Tells how far the work is; by the thread that called the library. @return non-zero when it is to stop. */
static inline int rd__watch_stops(const rd__watch *watch, const char *what, uint64_t done, uint64_t total,
                                  const char *unit)
{
    return watch->fn && watch->fn(watch->user, what, done, total, unit);
}

#endif
