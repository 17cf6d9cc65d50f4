/* SPDX-License-Identifier: Apache-2.0 */
/* queue64.k.c - the kernel of queue.k.c with tokens of 64 bits, for all kinds of queues. */
#define QUEUE_WORDS 2
#include "selftest/queue.k.c"
