/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rows.c - pieces of rows, dealt out. Whoever is free takes the next piece, so rows of hubs hold nobody else up. The
 * counter decides who has a piece and nothing else; what pieces write is read after the threads have ended.
 */
#include "apps/common/rows.h"

#include "core/memory.h"
#include "core/parallel.h"

enum { PIECE = 1 << 12 };
static const uint64_t LITTLE = 1 << 18; /* vertices and edges: a millisecond, in which threads would be made */

typedef struct asking {
    const rd_csr *csr;
    int (*hold)(void *, uint32_t, uint32_t);
    void *arg;
    atomic_uint_fast64_t next;
    atomic_int broken;
} asking;

static void ask(void *pointer, unsigned index, unsigned threads)
{
    asking *a = pointer;
    const uint64_t all = a->csr->vertices;
    (void)index;
    (void)threads;
    while (!atomic_load_explicit(&a->broken, memory_order_relaxed)) { /* pairs with the store below: a hint to end */
        /* pairs with itself in other threads: each piece has one */
        const uint64_t from = atomic_fetch_add_explicit(&a->next, PIECE, memory_order_relaxed);
        if (from >= all)
            return;
        const uint64_t to = all - from < PIECE ? all : from + PIECE;
        if (!a->hold(a->arg, (uint32_t)from, (uint32_t)to))
            atomic_store_explicit(&a->broken, 1, memory_order_relaxed); /* pairs with the load above, and the last */
    }
}

int rd__rows_hold(const rd_csr *csr, int (*hold)(void *, uint32_t, uint32_t), void *arg)
{
    asking a = {.csr = csr, .hold = hold, .arg = arg};
    const uint64_t pieces = csr->vertices / PIECE + 1;
    const unsigned cores = rd__thread_count(0);
    const int few = csr->vertices + csr->edges < LITTLE;
    rd__parallel(few ? 1 : pieces < cores ? (unsigned)pieces : cores, ask, &a);
    return !atomic_load_explicit(&a.broken, memory_order_relaxed); /* all threads have ended */
}

static int unmark(void *marks, uint32_t from, uint32_t to)
{
    for (uint32_t v = from; v < to; v++)
        atomic_init((atomic_uchar *)marks + v, 0);
    return 1;
}

atomic_uchar *rd__marks_new(const rd_csr *csr)
{
    atomic_uchar *marks = NULL;
    if (rd__array_new(&marks, "the checker's marks", csr->vertices, sizeof *marks, NULL) == RD_OK)
        (void)rd__rows_hold(csr, unmark, marks);
    return marks;
}
