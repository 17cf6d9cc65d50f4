/* SPDX-License-Identifier: Apache-2.0 */
/* error.c - status names and messages. */
#include "core/error.h"

#include "core/text.h"
#include "raddle/tool.h"

#include <stdarg.h>
#include <stdio.h>

const char *rd_status_name(rd_status status)
{
    switch (status) {
#define CASE(name, value, exit_code, text)                                                                             \
    case name: return #name;
        RD_STATUS_LIST(CASE)
#undef CASE
    }
    return "RD_?";
}

const char *rd_status_text(rd_status status)
{
    switch (status) {
#define CASE(name, value, exit_code, text)                                                                             \
    case name: return text;
        RD_STATUS_LIST(CASE)
#undef CASE
    }
    return "unknown status";
}

int rd_status_exit_code(rd_status status)
{
    switch (status) {
#define CASE(name, value, exit_code, text)                                                                             \
    case name: return exit_code;
        RD_STATUS_LIST(CASE)
#undef CASE
    }
    return 4;
}

const char *rd_version(void)
{
    return RD_VERSION_STRING;
}

rd_status rd__fail(rd_error *err, rd_status status, const char *format, ...)
{
    if (err) {
        va_list args;
        err->status = status;
        va_start(args, format);
        rd__vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return status;
}

rd_status rd__fail_memory(rd_error *err, const char *what, uint64_t bytes)
{
    char size[32];
    return rd__fail(err, RD_ENOMEM, "out of host memory: %s needs %s (%llu bytes)", what,
                    rd_format_bytes(bytes, size, sizeof size), (unsigned long long)bytes);
}
