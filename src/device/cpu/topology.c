/* SPDX-License-Identifier: Apache-2.0 */
/*
 * topology.c - processors, by the affinity mask and what the system says of cores; the model from /proc. Files of a few
 * bytes are all that is needed: a library that knows all of a machine takes longer to load its plugins than a small run
 * takes.
 */
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

/* The first number in a file of a processor; `other` where there is none. */
static uint32_t first_number(const char *root, uint32_t cpu, const char *name, uint32_t other)
{
    char path[512];
    unsigned long number;
    const int length = snprintf(path, sizeof path, "%s/cpu%u/topology/%s", root, cpu, name);
    FILE *file = length > 0 && (size_t)length < sizeof path ? fopen(path, "r") : NULL;
    if (!file)
        return other;
    const int found = fscanf(file, "%lu", &number) == 1 && number <= INT32_MAX; /* a package may be -1: not known */
    fclose(file);
    return found ? (uint32_t)number : other;
}

typedef struct place {
    uint32_t cpu, core, package; /* a core is called by the first of its processors */
    uint32_t round;              /* how many of its core come before */
} place;

static int compare(const void *a, const void *b)
{
    const place *x = a, *y = b;
    if (x->round != y->round)
        return x->round < y->round ? -1 : 1;
    if (x->package != y->package)
        return x->package < y->package ? -1 : 1;
    return x->cpu < y->cpu ? -1 : x->cpu > y->cpu;
}

rd_status rd__cpu_order(const char *root, uint32_t *order, uint32_t count, rd_error *err)
{
    place *places = rd__calloc(count + 1ull, sizeof *places);
    if (!places)
        return rd__fail_memory(err, "the places of processors", (count + 1ull) * sizeof *places);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t cpu = order[i];
        places[i] = (place){.cpu = cpu,
                            .core = first_number(root, cpu, "thread_siblings_list", cpu),
                            .package = first_number(root, cpu, "physical_package_id", 0)};
        for (uint32_t k = 0; k < i; k++)
            places[i].round += places[k].core == places[i].core;
    }
    qsort(places, count, sizeof *places, compare);
    for (uint32_t i = 0; i < count; i++)
        order[i] = places[i].cpu;
    rd__free(places);
    return RD_OK;
}

rd_status rd__cpu_processors(uint32_t **order, uint32_t *count, rd_error *err)
{
    cpu_set_t set;
    uint32_t room = rd__thread_count(0), n = 0;
    *order = rd__calloc(room, sizeof **order);
    if (!*order)
        return rd__fail_memory(err, "the list of processors", room * sizeof **order);
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        for (uint32_t cpu = 0; cpu < CPU_SETSIZE && n < room; cpu++)
            if (CPU_ISSET(cpu, &set))
                (*order)[n++] = cpu;
    *count = n ? n : 1;
    const rd_status status = rd__cpu_order("/sys/devices/system/cpu", *order, n, err);
    if (status != RD_OK) {
        rd__free(*order);
        *order = NULL;
    }
    return status;
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
