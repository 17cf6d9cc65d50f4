/* SPDX-License-Identifier: Apache-2.0 */
/*
 * order.c - see order.h. First residues have the sign of what a degree lacks of the mean. Where vertices lie by degree,
 * few workers come to all of one sign before any of the other, and push far what then cancels: up to five times the
 * edges. By number otherwise, as neighbours often lie together; and where there are few edges, since little cancels.
 */
#include "apps/pr/order.h"

enum { LOOKS = 64, FEW_EDGES = 8 }; /* a vertex */

uint32_t rd__pr_scatters(const rd_csr *csr)
{
    uint64_t first = 0, before = 0;
    uint32_t falls = 1, rises = 1;
    if (csr->vertices < LOOKS || csr->edges / FEW_EDGES < csr->vertices)
        return 0;
    for (uint64_t i = 0; i < LOOKS; i++) {
        const uint64_t v = i * csr->vertices / LOOKS, degree = csr->row[v + 1] - csr->row[v];
        first = i ? first : degree;
        falls &= i == 0 || degree <= before;
        rises &= i == 0 || degree >= before;
        before = degree;
    }
    return before != first && (falls || rises);
}
