/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals.h - signals that end a program, kept from code that is not ours. Compilers inside drivers take these signals
 * for themselves: NVRTC calls exit from its handler, which hangs when memory is being handed out just then; others
 * leave theirs behind. While they are held here the calling thread gets none of them, and afterwards each is handled as
 * it was before. Threads that are made meanwhile never get one: so threads of the library and of drivers leave them to
 * those of the program.
 */
#ifndef RD_CORE_SIGNALS_H
#define RD_CORE_SIGNALS_H

#include <stdint.h>

typedef struct rd__signals {
    uint64_t mask[16]; /* of the thread, before: a sigset_t */
} rd__signals;

/* May be nested, and held by several threads at once; each thread releases what it holds. */
void rd__signals_hold(rd__signals *held);
void rd__signals_release(const rd__signals *held);

#endif
