/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host.c - what the library asks the system about the machine (memory, processors) it asks here once for all inputs:
 * the linker puts these in place of the functions (--wrap, tests/fuzz.mk). Reading /proc again for each input took most
 * of the time, and an answer that changes would make failures hard to see again.
 */
#include "core/memory.h"
#include "core/memory_left.h"
#include "device/cpu/topology.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* the names are the linker's */
void __real_rd__memory_ask(const char *root, uint64_t *total, uint64_t *left);
void __wrap_rd__memory_ask(const char *root, uint64_t *total, uint64_t *left);
rd_status __real_rd__cpu_processors(uint32_t **order, uint32_t *count, rd_error *err);
rd_status __wrap_rd__cpu_processors(uint32_t **order, uint32_t *count, rd_error *err);

static pthread_once_t memory_once = PTHREAD_ONCE_INIT, processors_once = PTHREAD_ONCE_INIT;
static uint64_t memory_total, memory_left;
static uint32_t *processor, processors;

static void ask_memory(void)
{
    __real_rd__memory_ask("", &memory_total, &memory_left);
}

void __wrap_rd__memory_ask(const char *root, uint64_t *total, uint64_t *left)
{
    (void)root;
    pthread_once(&memory_once, ask_memory);
    *total = memory_total;
    *left = memory_left;
}

static void ask_processors(void)
{
    rd_error err;
    uint32_t *order = NULL;
    if (__real_rd__cpu_processors(&order, &processors, &err) != RD_OK)
        abort();
    processors = processors < 2 ? processors : 2; /* "cpu" starts a thread for each: no more than two, on any machine */
    processor = malloc(processors * sizeof *processor);
    if (!processor)
        abort();
    memcpy(processor, order, processors * sizeof *processor);
    rd__free(order);
}

rd_status __wrap_rd__cpu_processors(uint32_t **order, uint32_t *count, rd_error *err)
{
    pthread_once(&processors_once, ask_processors);
    *count = processors;
    *order = rd__malloc(processors * sizeof **order);
    if (!*order)
        return rd__fail_memory(err, "the list of processors", processors * sizeof **order);
    memcpy(*order, processor, processors * sizeof **order);
    return RD_OK;
}
