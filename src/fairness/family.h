/* SPDX-License-Identifier: Apache-2.0 */
/* family.h - the steps of which the programs of a family are made: two flags and a lock, all 0 at first. */
#ifndef RD_FAIRNESS_FAMILY_H
#define RD_FAIRNESS_FAMILY_H

#include <stddef.h>
#include <stdint.h>

/* Kinds of steps; 0 is none. */
typedef enum rd__family_kind {
    RD__FAMILY_NONE,
    RD__FAMILY_SET_X,
    RD__FAMILY_SET_Y,
    RD__FAMILY_AWAIT_X,
    RD__FAMILY_AWAIT_Y,
    RD__FAMILY_UNLESS_X, /* leaves, unless x is set */
    RD__FAMILY_LOCK,
    RD__FAMILY_UNLOCK,
    RD__FAMILY_KINDS
} rd__family_kind;

enum { RD__FAMILY_STEPS = 2 }; /* of a thread, at most */

/* @return a step in the language of models. */
const char *rd__family_step(uint32_t kind);
/* A program as a model, or on one line for people. step: RD__FAMILY_STEPS kinds for each thread, 0 ends them. */
void rd__family_text(const uint8_t (*step)[RD__FAMILY_STEPS], uint32_t threads, int for_people, char *text,
                     size_t bytes);

#endif
