/* SPDX-License-Identifier: Apache-2.0 */
/* stride.h - a way through all of a list that brings neighbours far apart. */
#ifndef RD_CORE_STRIDE_H
#define RD_CORE_STRIDE_H

#include <stdint.h>

/* @return a step by which, counted round, each of 0 to count - 1 is met once: near the golden section of them, and with
 * no divisor in common. 1 where there is nothing to bring apart. */
static inline uint32_t rd__stride_through(uint32_t count)
{
    if (count <= 2)
        return 1;
    for (uint32_t stride = (uint32_t)(count * 0.6180339887) | 1;; stride += 2) {
        uint32_t a = count, b = stride % count;
        while (b) {
            const uint32_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return stride % count;
    }
}

#endif
