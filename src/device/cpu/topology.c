/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c - processors by hwloc where it was found at build time, else by the affinity mask; the model from
 * /proc. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "device/cpu/topology.h"

#include "core/memory.h"
#include "core/memory_left.h"
#include "core/parallel.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#if RD_WITH_hwloc
#include <hwloc.h>

/* Round r takes the r-th allowed hardware thread of each core, so that a few threads spread over cores. */
static uint32_t order_by_hwloc(uint32_t *order, uint32_t room)
{
    uint32_t count = 0;
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return 0;
    hwloc_bitmap_t mine = hwloc_bitmap_alloc();
    if (mine && hwloc_topology_load(topology) == 0 && hwloc_get_cpubind(topology, mine, HWLOC_CPUBIND_PROCESS) == 0) {
        int cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE), found = 1;
        for (int round = 0; found; round++) {
            found = 0;
            for (int i = 0; i < cores; i++) {
                hwloc_obj_t core = hwloc_get_obj_by_type(topology, HWLOC_OBJ_CORE, (unsigned)i);
                int seen = 0, cpu = -1;
                while ((cpu = hwloc_bitmap_next(core->cpuset, cpu)) >= 0)
                    if (hwloc_bitmap_isset(mine, (unsigned)cpu) && seen++ == round && count < room) {
                        order[count++] = (uint32_t)cpu;
                        found = 1;
                        break;
                    }
            }
        }
    }
    hwloc_bitmap_free(mine);
    hwloc_topology_destroy(topology);
    return count;
}
#else
static uint32_t order_by_hwloc(uint32_t *order, uint32_t room)
{
    (void)order;
    (void)room;
    return 0;
}
#endif

rd_status rd__cpu_processors(uint32_t **order, uint32_t *count, rd_error *err)
{
    cpu_set_t set;
    uint32_t room = rd__thread_count(0), n = 0;
    *order = rd__calloc(room, sizeof **order);
    if (!*order)
        return rd__fail_memory(err, "the list of processors", room * sizeof **order);
    n = order_by_hwloc(*order, room);
    if (n != room && sched_getaffinity(0, sizeof set, &set) == 0) {
        n = 0;
        for (uint32_t cpu = 0; cpu < CPU_SETSIZE && n < room; cpu++)
            if (CPU_ISSET(cpu, &set))
                (*order)[n++] = cpu;
    }
    *count = n ? n : 1;
    return RD_OK;
}

/* The value of the first line "key : value" of /proc/cpuinfo. */
static int cpuinfo(const char *key, char *value, size_t room)
{
    char line[256];
    int found = 0;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !found && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (colon && strncmp(line, key, strlen(key)) == 0) {
            colon += strspn(colon, ": \t");
            colon[strcspn(colon, "\n")] = '\0';
            snprintf(value, room, "%s", colon);
            found = 1;
        }
    }
    if (file)
        fclose(file);
    return found;
}

void rd__cpu_model(char *text, size_t room)
{
    static const struct {
        const char *part, *name;
    } arm[] = {{"0xd0c", "Arm Neoverse-N1"}, {"0xd40", "Arm Neoverse-V1"}, {"0xd49", "Arm Neoverse-N2"},
               {"0xd4f", "Arm Neoverse-V2"}, {"0xd84", "Arm Neoverse-V3"}, {"0xd8e", "Arm Neoverse-N3"}};
    char implementer[64], part[64];
    struct utsname host;
    if (cpuinfo("model name", text, room))
        return;
    if (cpuinfo("CPU implementer", implementer, sizeof implementer) && cpuinfo("CPU part", part, sizeof part)) {
        for (size_t i = 0; i < sizeof arm / sizeof arm[0]; i++)
            if (strcmp(implementer, "0x41") == 0 && strcmp(part, arm[i].part) == 0) {
                snprintf(text, room, "%s", arm[i].name);
                return;
            }
        snprintf(text, room, "Arm core, implementer %s part %s", implementer, part);
        return;
    }
    snprintf(text, room, "%s", uname(&host) == 0 ? host.machine : "unknown");
}

void rd__cpu_memory(uint64_t *total, uint64_t *available)
{
    uint64_t all, left;
    rd__memory_ask("", &all, &left);
    *total = all == UINT64_MAX ? 0 : all;
    *available = left == UINT64_MAX ? 0 : left ? left : 1; /* 0 would say that it is not known */
}
