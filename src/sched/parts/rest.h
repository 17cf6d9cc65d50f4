/* SPDX-License-Identifier: Apache-2.0 */
/* rest.h - what is left of a round that a launch left half-way, host side; parts/rest.k.h says how. */
#ifndef RD_SCHED_PARTS_REST_H
#define RD_SCHED_PARTS_REST_H

#include "sched/parts/rest_layout.k.h"
#include "sched/sched.h"

/* Where an engine's control words have it: both count words. */
typedef struct rd__rest {
    rd__buffer *control;
    uint64_t head, entries;
} rd__rest;

/* Does the job leave rounds half-way? Only cores do; elsewhere there are no entries. */
int rd__rest_may_be(const rd__sched_job *job);
/* Bytes of the entries behind control words that have the head. */
uint64_t rd__rest_bytes(const rd__sched_job *job);
/* Those of them that are 0 before a run of so many groups, as is the head. */
uint64_t rd__rest_cleared(const rd__sched_job *job, uint32_t groups);
/* Was a round left? head: its words, as they were read. */
int rd__rest_is_left(const uint32_t *head, uint32_t *round);
/* After that, before the next launch: the list that it goes on from. cursor: of the round. Where its claims were not
 * numbered (REST_OWNED), `more` pieces are nobody's, of two words each. */
rd_status rd__rest_go_on(const rd__rest *rest, const uint32_t *head, uint32_t cursor, const uint32_t *piece,
                         uint32_t more, rd_error *err);

#endif
