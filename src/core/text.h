/* SPDX-License-Identifier: Apache-2.0 */
/* text.h - numbers to text and back, the same in every locale. A program that uses the library may have called
 * setlocale, and then strtod and snprintf take and write a decimal comma; what the library reads and writes is data,
 * and has a point. Fractions are read and written through these alone (tests/lint.sh sees to it). */
#ifndef RD_CORE_TEXT_H
#define RD_CORE_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/* strtod, snprintf and vsnprintf of the "C" locale. */
double rd__strtod(const char *text, char **end);
__attribute__((format(printf, 3, 4))) int rd__snprintf(char *buf, size_t n, const char *format, ...);
__attribute__((format(printf, 3, 0))) int rd__vsnprintf(char *buf, size_t n, const char *format, va_list args);

#endif
