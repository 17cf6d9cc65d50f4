/* SPDX-License-Identifier: Apache-2.0 */
/* number.c - strict parsing and readable printing of numbers, and the clock. */
#define _POSIX_C_SOURCE 200809L
#include "core/text.h"
#include "raddle/tool.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

double rd_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int rd_parse_u64(const char *text, uint64_t *value)
{
    uint64_t sum = 0;
    if (!text || !value || *text < '0' || *text > '9')
        return 0;
    for (; *text >= '0' && *text <= '9'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (sum > (UINT64_MAX - digit) / 10)
            return 0;
        sum = sum * 10 + digit;
    }
    unsigned shift = *text == 'K' ? 10 : *text == 'M' ? 20 : *text == 'G' ? 30 : 0;
    if (shift) {
        if (sum > UINT64_MAX >> shift)
            return 0;
        sum <<= shift;
        text++;
    }
    if (*text)
        return 0;
    *value = sum;
    return 1;
}

int rd_parse_double(const char *text, double *value)
{
    char *end;
    /* strtod skips spaces and takes "nan", "inf" and hexadecimal; we do not. */
    if (!text || !value || !((*text >= '0' && *text <= '9') || *text == '.' || *text == '-'))
        return 0;
    for (const char *c = text; *c; c++)
        if (!((*c >= '0' && *c <= '9') || *c == '.' || *c == '-' || *c == '+' || *c == 'e' || *c == 'E'))
            return 0;
    errno = 0;
    double number = rd__strtod(text, &end);
    if (*end || end == text || errno == ERANGE || !isfinite(number))
        return 0;
    *value = number;
    return 1;
}

char *rd_format_bytes(uint64_t bytes, char *buf, size_t n)
{
    static const char *const unit[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    int i = 0;
    if (!buf)
        return NULL;
    for (; value >= 1024 && i < 6; i++)
        value /= 1024;
    rd__snprintf(buf, n, i ? "%.1f %s" : "%.0f %s", value, unit[i]);
    return buf;
}

char *rd_format_count(uint64_t count, char *buf, size_t n)
{
    static const char *const unit[] = {"", " k", " M", " G", " T", " P", " E"};
    double value = (double)count;
    int i = 0;
    if (!buf)
        return NULL;
    for (; value >= 10000 && i < 6; i++)
        value /= 1000;
    rd__snprintf(buf, n, i ? "%.1f%s" : "%.0f%s", value, unit[i]);
    return buf;
}

char *rd_format_seconds(double seconds, char *buf, size_t n)
{
    if (!buf)
        return NULL;
    if (seconds < 0)
        seconds = 0;
    if (seconds > 0 && seconds < 1e-5)
        rd__snprintf(buf, n, "%.3f us", seconds * 1e6);
    else if (seconds < 1e-3)
        rd__snprintf(buf, n, "%.1f us", seconds * 1e6);
    else if (seconds < 1)
        rd__snprintf(buf, n, "%.3f ms", seconds * 1e3);
    else if (seconds < 120)
        rd__snprintf(buf, n, "%.2f s", seconds);
    else
        rd__snprintf(buf, n, "%.0f min %02.0f s", floor(seconds / 60), floor(fmod(seconds, 60)));
    return buf;
}
