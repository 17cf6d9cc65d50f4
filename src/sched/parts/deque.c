/* SPDX-License-Identifier: Apache-2.0 */
/* deque.c - see deque.h. */
#include "sched/parts/deque.h"

#include "core/memory.h"
#include "sched/parts/deque_layout.k.h"

#include <string.h>

rd_status rd__deques_read(const rd__buffer *buffer, uint64_t deques, uint32_t **line, rd_error *err)
{
    RD_TRY(rd__array_new(line, "ends of deques", deques * DEQUE_LINE, sizeof **line, err));
    const rd_status status = rd__buffer_read(buffer, 0, 4 * deques * DEQUE_LINE, *line, err);
    if (status != RD_OK) {
        rd__array_free(*line);
        *line = NULL;
    }
    return status;
}

/* Indices count modulo 2^32; the tag of the head is above its index. */
uint32_t rd__deque_items(const uint32_t *line)
{
    uint64_t head;
    memcpy(&head, line + DEQUE_HEAD, sizeof head);
    return line[DEQUE_TAIL] - (uint32_t)head;
}

rd_status rd__deques_items(const rd__buffer *buffer, uint64_t deques, uint64_t *items, rd_error *err)
{
    uint32_t *line = NULL;
    *items = 0;
    RD_TRY(rd__deques_read(buffer, deques, &line, err));
    for (uint64_t i = 0; i < deques; i++)
        *items += rd__deque_items(line + i * DEQUE_LINE);
    rd__array_free(line);
    return RD_OK;
}
