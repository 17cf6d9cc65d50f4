/* SPDX-License-Identifier: Apache-2.0 */
/* scc.h - the strongly connected components of the graph of states, and who can starve in one. */
#ifndef RD_FAIRNESS_SCC_H
#define RD_FAIRNESS_SCC_H

#include "fairness/criterion.h"
#include "fairness/explore.h"

typedef struct fair_scc {
    fair_search *search;
    const fair_criterion *criterion;
    uint32_t criteria;
    uint32_t *order, *low; /* of each state; low becomes its component, which is called after one of its states */
    uint8_t *progress;     /* threads whose successors were looked at; UINT8_MAX: the component is complete */
    uint32_t *stack, *calls;
    uint16_t *promised[RD_FAIRNESS_SCHEDULERS]; /* rd__fair_promised, once asked; UINT16_MAX: not yet */
    uint32_t entry[RD_FAIRNESS_SCHEDULERS]; /* the first state of a component where threads starve; FAIR_NONE: none */
} fair_scc;

/* Finds entry[]. low stays until rd__fair_scc_close. */
rd_status rd__fair_scc(fair_scc *scc, rd_error *err);
void rd__fair_scc_close(fair_scc *scc);

#endif
