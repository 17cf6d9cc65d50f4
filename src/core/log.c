/* SPDX-License-Identifier: Apache-2.0 */
/* log.c - see log.h. */
#include "core/log.h"

#include "core/text.h"

#include <stdarg.h>
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
