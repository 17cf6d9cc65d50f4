/* SPDX-License-Identifier: Apache-2.0 */
/* hubs.h - the board of hubs, host side (edges/hubs.k.h says what it is for). It is there where the graph has hubs. */
#ifndef RD_SCHED_HUBS_H
#define RD_SCHED_HUBS_H

#include "sched/sched.h"

typedef struct rd__hubs {
    rd__buffer board;
    uint32_t span; /* edges of one; 0: hubs are walked by whoever has them */
} rd__hubs;

/* Adds the board to the plan, of workers of so many lanes. */
void rd__hubs_plan(const rd__sched_job *job, uint32_t lanes, rd_plan *plan);
/* shared: workers can take what others post. */
rd_status rd__hubs_open(rd__hubs *hubs, const rd__sched_job *job, uint32_t lanes, int shared, rd_error *err);
void rd__hubs_close(rd__hubs *hubs);
/* Before a run: an empty board. */
rd_status rd__hubs_clear(rd__hubs *hubs, rd_error *err);
/* Between launches: spans that nobody took. */
rd_status rd__hubs_left(const rd__hubs *hubs, uint64_t *left, rd_error *err);
/* Appends the constant that says whether there are hubs, where programs are compiled for a run. */
void rd__hubs_define(const rd__sched_job *job, uint32_t lanes, char *text, size_t room);
/* The argument of kernels: the board, or, where there is none, a buffer that is not looked at. */
const rd__buffer *rd__hubs_board(const rd__hubs *hubs, const rd__buffer *other);

#endif
