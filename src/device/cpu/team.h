/* SPDX-License-Identifier: Apache-2.0 */
/* team.h - the lanes of a group on the CPU (cpu:TxW): they run together, with barriers between them. */
#ifndef RD_DEVICE_CPU_TEAM_H
#define RD_DEVICE_CPU_TEAM_H

#include "dialect/cpu_lane.h"
#include "device/device.h"

typedef struct rd__cpu_team rd__cpu_team;

/* Threads that a team of so many lanes takes: one, or one a lane (team.c says when). */
uint32_t rd__cpu_team_threads(uint32_t width);
rd_status rd__cpu_team_new(uint32_t width, rd__cpu_team **team, rd_error *err);
void rd__cpu_team_free(rd__cpu_team *team);
/* Runs the kernel for all lanes of a group. Called by each of the team's threads, which are numbered; `lane` says all
 * that is equal in the lanes. When it returns all lanes are done. */
void rd__cpu_team_run(rd__cpu_team *team, uint32_t thread, const rd__cpu_lane *lane,
                      void (*entry)(rd__cpu_lane *self, void *const *argv), void *const *argv);
/* The calling lane waits for something: lets others of its group run that can. @return 0: it is to wait itself now. */
int rd__cpu_team_turn(rd__cpu_team *team);

#endif
