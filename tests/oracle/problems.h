/* SPDX-License-Identifier: Apache-2.0 */
/* problems.h - the apps with larger problems of their own: trees, knapsacks, maps. */
#ifndef ORACLE_PROBLEMS_H
#define ORACLE_PROBLEMS_H

#include "oracle.h"

void uts_draw(work *w, rng *r);
void knapsack_draw(work *w, rng *r);
int knapsack_judge(const work *w, const rd_result *result, const rd_report *report, int partial, char *why);
void astar_draw(work *w, rng *r);
int astar_judge(const work *w, const rd_result *result, char *why);

/* Opens a new file for w->input, to be removed with the case. */
FILE *problem_file(work *w);

#endif
