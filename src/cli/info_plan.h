/* SPDX-License-Identifier: Apache-2.0 */
/* info_plan.h - what each app would take of each device's memory for a graph. */
#ifndef RD_CLI_INFO_PLAN_H
#define RD_CLI_INFO_PLAN_H

#include "cli/cli.h"

typedef struct info_plan {
    const char *app; /* static */
    char device[32];
    uint64_t graph_bytes; /* the graph on the device */
    uint64_t own_bytes;   /* the app's and its scheduler's state */
    uint64_t free_bytes;  /* what the device has; 0: it does not say */
} info_plan;

/* Plans every app that takes a graph, with its default options, on every usable device. Devices that cannot be opened
 * and apps that cannot plan are left out. *list is freed with free. @return the number of plans. */
size_t info_plans(const rd_graph *graph, info_plan **list);

#endif
