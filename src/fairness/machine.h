/* SPDX-License-Identifier: Apache-2.0 */
/* machine.h - makes one step of a model, and looks at its conditions. */
#ifndef RD_FAIRNESS_MACHINE_H
#define RD_FAIRNESS_MACHINE_H

#include "fairness/model.h"

typedef enum fair_fault_kind {
    FAIR_FINE,
    FAIR_FAILED_ASSERT,
    FAIR_OUT_OF_RANGE, /* a value that does not fit a word */
    FAIR_NO_SUCH_WORD, /* an index outside its array */
    FAIR_BY_ZERO,
    FAIR_NO_STEP,          /* a loop that goes on without a step */
    FAIR_FAILED_INVARIANT, /* found by rd__fair_look */
    FAIR_FAILED_FINAL,
} fair_fault_kind;

typedef struct fair_fault {
    fair_fault_kind kind;
    uint16_t line;
    int value;
} fair_fault;

/* Thread t, which is not at its end, makes a step; state is changed in place. @return 0: fault says why. */
int rd__fair_step(const rd_fairness *m, uint8_t *state, uint32_t t, fair_fault *fault);
/* What t does before its first step; it has not started then. */
int rd__fair_begin(const rd_fairness *m, uint8_t *state, uint32_t t, fair_fault *fault);
/* @return 0 when a condition does not hold in this state. */
int rd__fair_look(const rd_fairness *m, const uint8_t *state, uint32_t enabled, fair_fault *fault);
/* One sentence. */
void rd__fair_describe(const rd_fairness *m, const fair_fault *fault, char *text, size_t bytes);

#endif
