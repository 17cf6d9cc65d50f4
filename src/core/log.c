/* SPDX-License-Identifier: Apache-2.0 */
/* log.c - see log.h. */
#include "core/log.h"

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

void rd__log(rd_log_level level, const char *format, ...)
{
    if (!sink || level > sink_level)
        return;
    char text[2048];
    va_list args;
    va_start(args, format);
    rd__vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sink(sink_user, level, text);
}

void rd__say_unused(const char *key, const char *where, const char *why)
{
    static _Atomic uint64_t said; /* a bit a key; of two with the same bit the second is not said */
    uint32_t hash = 0;
    for (const char *c = key; *c; c++)
        hash = 31 * hash + (unsigned char)*c;
    const uint64_t bit = 1ull << hash % 61;
    /* relaxed: partner: the same in other threads; one of them says it */
    if (!(atomic_fetch_or_explicit(&said, bit, memory_order_relaxed) & bit))
        rd__log(RD_LOG_WARN, "option %s does nothing %s: %s", key, where, why);
}
