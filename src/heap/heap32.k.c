/* SPDX-License-Identifier: Apache-2.0 */
/* heap32.k.c - the heap's kernels for items of 32 bits. */
#define HEAP_ITEM 32
#include "heap/heap_run.k.h"
