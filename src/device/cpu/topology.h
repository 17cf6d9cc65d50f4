/* SPDX-License-Identifier: Apache-2.0 */
/* topology.h - which processors this process may use, in the order threads should be placed on them, and what the host
 * is. */
#ifndef RD_DEVICE_CPU_TOPOLOGY_H
#define RD_DEVICE_CPU_TOPOLOGY_H

#include "core/error.h"

/* *order: processor numbers, one of each core first, then the cores' further threads. Freed with rd__free. */
rd_status rd__cpu_processors(uint32_t **order, uint32_t *count, rd_error *err);
/* Puts processors in this order, on a machine that the folder `root` describes as Linux's /sys/devices/system/cpu does;
 * where it does not, each is a core. Few threads are to be of one package. */
rd_status rd__cpu_order(const char *root, uint32_t *order, uint32_t count, rd_error *err);
void rd__cpu_model(char *text, size_t room);
/* Memory in bytes, within the limits set on this process (core/memory_left.h); 0: not known. */
void rd__cpu_memory(uint64_t *total, uint64_t *available);

#endif
