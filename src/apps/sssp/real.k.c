/* SPDX-License-Identifier: Apache-2.0 */
/* real.k.c - sssp/sssp.k.c for weights and distances that are 32-bit floats. */
#define SSSP_REAL 1
#include "apps/sssp/sssp.k.c"
