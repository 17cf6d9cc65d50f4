/* SPDX-License-Identifier: Apache-2.0 */
/* heap64.k.c - the heap's kernels for items of 64 bits. */
#define HEAP_ITEM 64
#include "heap/heap_run.k.h"
