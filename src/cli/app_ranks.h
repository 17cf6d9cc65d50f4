/* SPDX-License-Identifier: Apache-2.0 */
/*
 * app_ranks.h - `raddle APP` on several ranks: processes that mpirun or srun started, or threads of this one for
 * several -d. Each rank goes through the whole of app.c with its part; rank 0 alone prints and writes. A rank that
 * fails says so, with its number, and stops the others.
 */
#ifndef RD_CLI_APP_RANKS_H
#define RD_CLI_APP_RANKS_H

#include "cli/app.h"

/* Runs `whole` on each rank, or once where there is one. @return the exit code. */
int app_on_ranks(app_run *run, int (*whole)(app_run *run));

/* All ranks: opens the device, run->device, and settles how much each rank gets. *alone becomes the rank that gets all
 * of it and may run by itself, or RD_NONE. @return an exit code. */
int app_share(app_run *run, uint32_t *alone);
/* All ranks, in place of `whole`: that rank goes through it without ranks, and speaks; the others wait for it. */
int app_run_alone(app_run *run, uint32_t alone, int (*whole)(app_run *run));

/* All ranks, after a trial: what is counted by each alone becomes that of all. @return an exit code. */
int app_ranks_trial(app_run *run, app_trial *trial);
/* All ranks, before the result is written: rank 0 gets all of it, in *all (to be freed with rd_free) and *result.
 * @return an exit code. */
int app_ranks_result(app_run *run, rd_result *result, void **all);
/* All ranks: is one of those that hold a vertex with edges this one? For random sources. @return 1, 0; -1: failed. */
int app_ranks_has_edges(app_run *run, uint32_t vertex);
/* For --stats: a line a rank. */
void app_print_ranks(const app_run *run);
/* The same as an array of objects, one a rank. */
void app_json_ranks(const app_run *run, rd_json *json);

#endif
