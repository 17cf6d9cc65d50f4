/* SPDX-License-Identifier: Apache-2.0 */
/* text.c - see text.h. The thread's locale is exchanged for the duration of a call: other threads keep theirs, which
 * setlocale could not promise. newlocale of "C" alone allocates nothing in glibc and musl, and so does not fail; where
 * it could not be had, the program's locale stays. */
#define _POSIX_C_SOURCE 200809L
#include "core/text.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static locale_t c_locale;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void make(void)
{
    c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

/* uselocale changes nothing, and only tells, when it is given (locale_t)0. */
static locale_t enter(void)
{
    pthread_once(&once, make);
    return uselocale(c_locale);
}

double rd__strtod(const char *text, char **end)
{
    const locale_t before = enter();
    const double value = strtod(text, end); /* errno passes through: uselocale does not set it when it succeeds */
    uselocale(before);
    return value;
}

int rd__vsnprintf(char *buf, size_t n, const char *format, va_list args)
{
    const locale_t before = enter();
    const int length = vsnprintf(buf, n, format, args);
    uselocale(before);
    return length;
}

int rd__snprintf(char *buf, size_t n, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int length = rd__vsnprintf(buf, n, format, args);
    va_end(args);
    return length;
}
