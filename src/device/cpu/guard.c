/* SPDX-License-Identifier: Apache-2.0 */
/*
 * guard.c - see guard.h. A buffer lies between two guards of GUARD bytes, at the end of its pages, so that the first
 * byte behind it is in a guard; what is before it on its first page is not seen. It is aligned to what divides its
 * size: to its elements, that is.
 */
#define _GNU_SOURCE
#include "device/cpu/guard.h"

#include "core/memory.h"

#include <sys/mman.h>
#include <unistd.h>

enum { GUARD = 1 << 26 }; /* bytes of addresses, no memory */

struct rd__cpu_guarded {
    const char *name;
    char *map, *data;
    uint64_t bytes, mapped;
    rd__cpu_guarded *next;
};

void *rd__cpu_guarded_alloc(rd__cpu_guarded **list, const char *name, uint64_t bytes)
{
    const uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), body = (bytes + page - 1) / page * page;
    const uint64_t align = bytes % 8 ? 4 : bytes % 64 ? 8 : 64, kept = (bytes + align - 1) / align * align;
    rd__cpu_guarded *item = rd__calloc(1, sizeof *item);
    if (!item)
        return NULL;
    item->mapped = body + 2ull * GUARD;
    item->map = mmap(NULL, item->mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (item->map == MAP_FAILED || mprotect(item->map + GUARD, body, PROT_READ | PROT_WRITE) != 0) {
        if (item->map != MAP_FAILED)
            (void)munmap(item->map, item->mapped);
        rd__free(item);
        return NULL;
    }
    item->name = name;
    item->bytes = bytes;
    item->data = item->map + GUARD + body - kept;
    item->next = *list;
    *list = item;
    return item->data;
}

void rd__cpu_guarded_free(rd__cpu_guarded **list, void *data)
{
    while (*list && (*list)->data != data)
        list = &(*list)->next;
    rd__cpu_guarded *item = *list;
    if (!item)
        return;
    *list = item->next;
    (void)munmap(item->map, item->mapped);
    rd__free(item);
}

rd_status rd__cpu_guarded_explain(const rd__cpu_guarded *list, const rd__cpu_fault *fault, const char *device,
                                  rd_error *err)
{
    const uintptr_t address = fault->at;
    const rd__cpu_breach *breach = (const rd__cpu_breach *)fault->at;
    if (fault->why == RD__CPU_BREACHED)
        return rd__fail(err, RD_EINPUT, "%s:%d: %s", breach->file, breach->line, breach->text);
    if (fault->why == RD__CPU_REFUSED)
        return rd__fail(err, RD_EDEVICE,
                        "%s: a task did what the processor refuses: it divided by 0, or came to a trap", device);
    if (fault->why == RD__CPU_STACK)
        return rd__fail(err, RD_EDEVICE,
                        "%s: a task used up its stack: does it call itself without end, or have large arrays inside "
                        "a function? RD_ARRAY is the place for those",
                        device);
    while (list && (address < (uintptr_t)list->map || address >= (uintptr_t)list->map + list->mapped))
        list = list->next;
    if (!list)
        return rd__fail(err, RD_EDEVICE, "%s: a task touched memory that is not there, at 0x%llx, far from every array",
                        device, (unsigned long long)address);
    const int64_t off = (int64_t)(address - (uintptr_t)list->data);
    return rd__fail(err, RD_EDEVICE,
                    "%s: a task touched byte %lld of array '%s', which has %llu bytes: its index is out of bounds",
                    device, (long long)off, list->name, (unsigned long long)list->bytes);
}
