/* SPDX-License-Identifier: Apache-2.0 */
/* error.h - how every function of the library reports failure: return rd__fail(err, RD_E..., "what, where, what to
 * do"). */
#ifndef RD_CORE_ERROR_H
#define RD_CORE_ERROR_H

#include "raddle.h"

/* Writes the message into err (unless it is NULL) and returns status. */
__attribute__((format(printf, 3, 4))) rd_status rd__fail(rd_error *err, rd_status status, const char *format, ...);

/* RD_ENOMEM for host memory: names what the memory was for and how much. */
rd_status rd__fail_memory(rd_error *err, const char *what, uint64_t bytes);

/* Return from the calling function when expr is not RD_OK. For functions with nothing to clean up. */
#define RD_TRY(expr)                                                                                                   \
    do {                                                                                                               \
        rd_status rd_try_ = (expr);                                                                                    \
        if (rd_try_ != RD_OK)                                                                                          \
            return rd_try_;                                                                                            \
    } while (0)

#endif
