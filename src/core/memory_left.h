/* SPDX-License-Identifier: Apache-2.0 */
/* memory_left.h - how much host memory this process may have, and may still take. */
#ifndef RD_CORE_MEMORY_LEFT_H
#define RD_CORE_MEMORY_LEFT_H

#include <stdint.h>

/* *total: the machine's memory, or the least limit on this process. *left: what can still be taken. UINT64_MAX where
 * nothing is known. root: where proc/ and sys/ are looked for; "" outside tests. */
void rd__memory_ask(const char *root, uint64_t *total, uint64_t *left);

#endif
