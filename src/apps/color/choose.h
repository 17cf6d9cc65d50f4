/* SPDX-License-Identifier: Apache-2.0 */
/* choose.h - which graphs are coloured in rounds, by guesses, and which have hubs. */
#ifndef RD_APPS_COLOR_CHOOSE_H
#define RD_APPS_COLOR_CHOOSE_H

#include "apps/common/choose.h"

enum { RD__COLOR_FEW_EDGES = 12 };      /* of a vertex, on average */
enum { RD__COLOR_GPU_UNEVEN = 8 };      /* highest degree over the mean */
enum { RD__COLOR_GPU_SMALL = 1 << 15 }; /* vertices: an H200 has lanes for eight times as many */

double rd__color_mean_degree(const rd_job *job);
/* Hubs with thousands of neighbours collect colours when they guess late, and take long to guess again. */
int rd__color_is_skewed(const rd_job *job);
/* Are rounds of guesses few enough to be the fastest way here? */
int rd__color_suits_rounds(const rd_job *job, const rd__facts *facts);

#endif
