/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.h - a question about every vertex and its edges, asked on all cores: for checkers, whose graphs have up to
 * billions of edges. A proof asks whether all is well; what is not is found by the serial textbook, which has the
 * words.
 */
#ifndef RD_APPS_ROWS_H
#define RD_APPS_ROWS_H

#include "core/error.h"

#include <stdatomic.h>

/* hold(arg, from, to) for vertices [from, to), in pieces on all cores, and in the caller alone where there is little to
 * do, until one says 0. Pieces run at once: what several write is atomic. @return 1: all hold. */
int rd__rows_hold(const rd_csr *csr, int (*hold)(void *arg, uint32_t from, uint32_t to), void *arg);

/* A mark for each vertex, none set; freed with rd__array_free. @return NULL: there is no memory. */
atomic_uchar *rd__marks_new(const rd_csr *csr);

/* Pairs with itself in other threads, which write the same, and with rd__is_marked when they have ended. Most vertices
 * are marked often, and a line that is only read stays where it is. */
static inline void rd__mark(atomic_uchar *marks, uint32_t v)
{
    if (!atomic_load_explicit(&marks[v], memory_order_relaxed))
        atomic_store_explicit(&marks[v], 1, memory_order_relaxed);
}

static inline int rd__is_marked(atomic_uchar *marks, uint32_t v)
{
    return atomic_load_explicit(&marks[v], memory_order_relaxed); /* pairs with rd__mark: its thread has ended */
}

#endif
