/* SPDX-License-Identifier: Apache-2.0 */
/* shapes.h - how copies of a program are laid over the groups of a launch. */
#ifndef RD_PROGRESS_SHAPES_H
#define RD_PROGRESS_SHAPES_H

#include <stddef.h>
#include <stdint.h>

enum { RD__NEAR, RD__FAR, RD__MIXED };

typedef struct rd__shape {
    uint8_t placement; /* threads of a copy side by side; all threads 0, then all threads 1; or by lot, with idle groups
                          between */
    uint8_t amount;    /* one copy, as many as fit, more than fit */
    uint8_t variant;   /* of the kernel: width of groups, and their memory */
    uint8_t apart;     /* words from one word to the next */
    uint32_t jitter;   /* most turns of delay before a step */
} rd__shape;

/* @return shape `number` of those that a seed gives. */
rd__shape rd__shape_number(uint32_t number, uint64_t seed, uint32_t variants);
uint32_t rd__shape_copies(const rd__shape *shape, uint32_t threads, uint32_t resident);
uint32_t rd__shape_groups(const rd__shape *shape, uint32_t threads, uint32_t copies);
/* Writes the role of each group: 8 * copy + thread. In each copy threads come in the order of their groups.
 * next: room for a word a copy. */
void rd__shape_roles(const rd__shape *shape, uint32_t threads, uint32_t copies, uint64_t seed, uint32_t *role,
                     uint32_t *next);
void rd__shape_text(const rd__shape *shape, uint32_t groups, uint32_t lanes, int heavy, uint32_t copies, char *text,
                    size_t bytes);

#endif
