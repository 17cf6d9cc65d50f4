/* SPDX-License-Identifier: Apache-2.0 */
/* expression.h - the sums that declarations of an own app may contain: "2 * limit + 1". Whole numbers of 64 bits
 * without a sign; + - * / %, brackets, names, and <, which is 1 or 0. What does not fit 64 bits is an error, not a
 * wrong number. */
#ifndef RD_APPS_OWN_EXPRESSION_H
#define RD_APPS_OWN_EXPRESSION_H

#include "core/error.h"

enum { RD__OWN_NAME_ROOM = 32 };

/* The value of a name. @return 0 when there is none of that name. */
typedef int (*rd__value_fn)(const void *user, const char *name, uint64_t *value);

/* Evaluates text. known: only its form and its names are looked at, and *value is 0. where: "collatz.k.c:7", for
 * messages. */
rd_status rd__expression(const char *text, const char *where, int known, rd__value_fn names, const void *user,
                         uint64_t *value, rd_error *err);

#endif
