/* SPDX-License-Identifier: Apache-2.0 */
/* answer.h - what answers of several apps are made of. */
#ifndef RD_APPS_COMMON_ANSWER_H
#define RD_APPS_COMMON_ANSWER_H

#include "apps/app.h"
#include "core/text.h"

/* "12553 of 16384 vertices reached, the farthest at FAR 7"; far NULL: without how far. Values are those of a search:
 * RD_NONE where it did not come. */
void rd__answer_reached(const rd_result *result, const char *far, char *text, size_t room);

#endif
