/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fork.c - see fork.h. A handler of pthread_atfork counts, which costs a load to look at; asking for the process id
 * would cost a system call each time, and ids are used again.
 */
#define _POSIX_C_SOURCE 200809L
#include "core/fork.h"

#include <pthread.h>

static uint32_t generation; /* written only in a child that has one thread yet */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void in_child(void)
{
    __atomic_add_fetch(&generation, 1, __ATOMIC_RELAXED); /* the only thread there is; later ones are made after it */
}

static void start(void)
{
    /* It fails only for want of memory, and then a child is not told apart: no worse than without. */
    (void)pthread_atfork(NULL, NULL, in_child);
}

uint32_t rd__fork_generation(void)
{
    (void)pthread_once(&once, start);
    return __atomic_load_n(&generation, __ATOMIC_RELAXED); /* changes only where no other thread runs */
}
