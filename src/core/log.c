/* SPDX-License-Identifier: Apache-2.0 */
/* log.c - see log.h. */
#include "core/log.h"

#include "core/hash.h"
#include "core/text.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

static rd_log_fn sink;
static void *sink_user;
static rd_log_level sink_level;

void rd_set_log(rd_log_fn fn, void *user, rd_log_level level)
{
    sink = fn;
    sink_user = user;
    sink_level = level;
}

static int is_heard(rd_log_level level)
{
    return sink && level <= sink_level;
}

void rd__log(rd_log_level level, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    if (is_heard(level)) {
        rd__vsnprintf(text, sizeof text, format, args);
        sink(sink_user, level, text);
    }
    va_end(args);
}

/* @return whether this text is new; one that finds no room always is. */
static int is_new(const char *text)
{
    enum { ROOM = 64 };
    static _Atomic uint64_t said[ROOM]; /* hashes; 0: free */
    rd__hash hash = {{0, 0}};
    rd__hash_text(&hash, text);
    const uint64_t own = hash.word[0] | 1;
    for (int i = 0; i < ROOM; i++) {
        uint64_t was = 0;
        /* relaxed: partner: the same in other threads; of those with one text one finds it free */
        if (atomic_compare_exchange_strong_explicit(&said[i], &was, own, memory_order_relaxed, memory_order_relaxed))
            return 1;
        if (was == own)
            return 0;
    }
    return 1;
}

void rd__log_once(rd_log_level level, const char *format, ...)
{
    char text[2048];
    va_list args;
    va_start(args, format);
    if (is_heard(level)) { /* else it is not remembered either */
        rd__vsnprintf(text, sizeof text, format, args);
        if (is_new(text))
            sink(sink_user, level, text);
    }
    va_end(args);
}

void rd__say_unused(const char *key, const char *where, const char *why)
{
    rd__log_once(RD_LOG_WARN, "option %s does nothing %s: %s", key, where, why);
}
