/* SPDX-License-Identifier: Apache-2.0 */
/* counted.k.c - pr/pr.k.c for a number of iterations, in each of which vertices without edges pass on to all alike. */
#define PR_SPREADS 1
#include "apps/pr/pr.k.c"
