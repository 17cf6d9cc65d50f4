/* SPDX-License-Identifier: Apache-2.0 */
/* queue_cas.k.c - the kernel of queue.k.c with the queue form QUEUE_CAS. */
#define QUEUE_KIND QUEUE_CAS
#include "selftest/queue.k.c"
