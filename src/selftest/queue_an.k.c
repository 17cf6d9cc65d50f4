/* SPDX-License-Identifier: Apache-2.0 */
/* queue_an.k.c - the kernel of queue.k.c with the queue form QUEUE_AN. */
#define QUEUE_KIND QUEUE_AN
#include "selftest/queue.k.c"
