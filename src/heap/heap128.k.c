/* SPDX-License-Identifier: Apache-2.0 */
/* heap128.k.c - the heap's kernels for items of 128 bits. */
#define HEAP_ITEM 128
#include "heap/heap_run.k.h"
