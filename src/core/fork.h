/* SPDX-License-Identifier: Apache-2.0 */
/* fork.h - is this still the process in which something was made? A child of fork() has a copy of the memory and none
 * of the threads, so whoever owns threads remembers the generation and looks before waiting for them. */
#ifndef RD_CORE_FORK_H
#define RD_CORE_FORK_H

#include <stdint.h>

/* @return a number that is larger in a child of fork() than it was in its parent at that moment. The first call, in the
 * process that makes the thing, starts the counting. */
uint32_t rd__fork_generation(void);

#endif
