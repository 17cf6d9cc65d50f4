/* SPDX-License-Identifier: Apache-2.0 */
/* deque.h - what the host can tell of deques (parts/deque.k.h) while no kernel runs: for traces. */
#ifndef RD_SCHED_PARTS_DEQUE_H
#define RD_SCHED_PARTS_DEQUE_H

#include "sched/sched.h"

/* Reads the lines of so many deques. *line: DEQUE_LINE words each, for rd__array_free. */
rd_status rd__deques_read(const rd__buffer *buffer, uint64_t deques, uint32_t **line, rd_error *err);
/* Items of a deque, by its line. */
uint32_t rd__deque_items(const uint32_t *line);
/* Items of all of them. */
rd_status rd__deques_items(const rd__buffer *buffer, uint64_t deques, uint64_t *items, rd_error *err);

#endif
