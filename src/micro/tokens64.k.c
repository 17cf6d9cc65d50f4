/* SPDX-License-Identifier: Apache-2.0 */
/* tokens64.k.c - the kernel of tokens.k.c with tokens of 64 bits. */
#define QUEUE_WORDS 2
#include "micro/tokens.k.c"
