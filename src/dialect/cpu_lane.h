/* SPDX-License-Identifier: Apache-2.0 */
/* cpu_lane.h - what a CPU kernel sees of the back end: who it is, its group's barrier and memory. device/cpu/ has the
 * functions. */
#ifndef RD_DIALECT_CPU_LANE_H
#define RD_DIALECT_CPU_LANE_H

#include <stddef.h>
#include <stdint.h>

#define RD_CPU_WIDE_MAX 64 /* most lanes in a group in the test mode */

typedef struct rd__cpu_lane {
    uint32_t lane, lanes, group, groups;
    const uint32_t *stop;      /* the host's request to leave early */
    struct rd__cpu_team *team; /* that run a group together (wide mode) */
    uint32_t crowded;          /* workers share processors */
    size_t memory_used;        /* of the team's memory, by this lane's own count */
} rd__cpu_lane;

typedef struct rd__cpu_kernel_entry {
    const char *name;
    void (*entry)(rd__cpu_lane *self, void *const *argv);
    const char *args; /* their kinds: b (buffer), u (32 bits), w (64 bits), f (float) */
} rd__cpu_kernel_entry;

extern _Thread_local rd__cpu_lane *rd__cpu_self __attribute__((tls_model("initial-exec")));

void rd__cpu_group_barrier(rd__cpu_lane *self);
void *rd__cpu_group_memory(rd__cpu_lane *self, size_t bytes);
void rd__cpu_pause(void);
void rd__cpu_idle(uint32_t turns);
void rd__cpu_wait(uint32_t turns);

#endif
