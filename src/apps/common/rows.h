/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.h - a question about every vertex and its edges, asked on all cores: for checkers, whose graphs have up to
 * billions of edges. A proof asks whether all is well; what is not is found by the serial textbook, which has the
 * words.
 */
#ifndef RD_APPS_ROWS_H
#define RD_APPS_ROWS_H

#include "core/error.h"

/* hold(arg, from, to) for vertices [from, to), in pieces on all cores, and in the caller alone where there is little to
 * do, until one says 0. Pieces run at once: what several write is atomic. @return 1: all hold. */
int rd__rows_hold(const rd_csr *csr, int (*hold)(void *arg, uint32_t from, uint32_t to), void *arg);

#endif
