/* SPDX-License-Identifier: Apache-2.0 */
/* witness.h - executions to be shown: the way to a fault, or into a circle in which threads starve. */
#ifndef RD_FAIRNESS_WITNESS_H
#define RD_FAIRNESS_WITNESS_H

#include "fairness/scc.h"

/* Both want a search without reductions: there, the i-th thread of a state is thread i. */
rd_status rd__fair_way(fair_search *search, rd_fairness_run *run, rd_error *err);
rd_status rd__fair_circle(fair_scc *scc, uint32_t criterion, rd_fairness_run *run, rd_error *err);
void rd__fair_run_free(rd_fairness_run *run);

/* The words of a state, and which threads are at their end. */
void rd__fair_state_text(const rd_fairness *m, const uint8_t *state, char *text, size_t bytes);

#endif
