/* SPDX-License-Identifier: Apache-2.0 */
/* log.h - messages to the program's callback; the library itself never prints. */
#ifndef RD_CORE_LOG_H
#define RD_CORE_LOG_H

#include "raddle.h"

__attribute__((format(printf, 2, 3))) void rd__log(rd_log_level level, const char *format, ...);
/* The same, once in a process for each text: for what is said of an option, which a study or a self-test sets hundreds
 * of times. */
__attribute__((format(printf, 2, 3))) void rd__log_once(rd_log_level level, const char *format, ...);
/* Warns, once, that an option which was set does nothing here, as it would seem to have been measured. */
void rd__say_unused(const char *key, const char *where, const char *why);

#endif
