/* SPDX-License-Identifier: Apache-2.0 */
/*
 * checker.h - checkers of one word per vertex. A checker stands in a file of its own, check.c, and knows nothing of how
 * the words were found: it shares this line with the app's host side, and nothing else. Both files say
 *
 *     RD__WORD_CHECKER(kcore);
 *
 * and check.c repeats it with a body. @return RD_OK, or RD_EWRONG with the first fault.
 */
#ifndef RD_APPS_CHECKER_H
#define RD_APPS_CHECKER_H

#include "core/error.h"

#define RD__WORD_CHECKER(app) rd_status rd__##app##_check(const rd_csr *csr, const uint32_t *word, rd_error *err)
/* Of what was found from one vertex, which is RD_NONE in a graph without any. */
#define RD__SOURCE_CHECKER(app)                                                                                        \
    rd_status rd__##app##_check(const rd_csr *csr, uint32_t source, const uint32_t *word, rd_error *err)

#endif
