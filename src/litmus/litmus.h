/* SPDX-License-Identifier: Apache-2.0 */
/* litmus.h - a test as a list of operations, made from tests.k.h. */
#ifndef RD_LITMUS_H
#define RD_LITMUS_H

#include "core/error.h"
#include "raddle/litmus.h"

typedef enum rd__lit_kind {
    RD__LIT_END,
    RD__LIT_STORE,
    RD__LIT_LOAD,
    RD__LIT_XCHG,
    RD__LIT_ADD,
    RD__LIT_FENCE,
    RD__LIT_BARRIER,
} rd__lit_kind;

typedef enum rd__lit_order {
    RD__LIT_plain,
    RD__LIT_rlx,
    RD__LIT_acq,
    RD__LIT_rel,
    RD__LIT_fen,
    RD__LIT_acqrel,
    RD__LIT_sc,
} rd__lit_order;

typedef struct rd__lit_op {
    uint8_t kind, order, word, value, reg;
    uint8_t guard; /* a load only if register guard - 1 is not 0; 0: always */
} rd__lit_op;

enum { RD__LIT_THREADS = 4, RD__LIT_OPS = 5 }; /* the last of a list ends it */

typedef struct rd__lit_program {
    uint8_t threads, words, registers;
    rd__lit_op op[RD__LIT_THREADS][RD__LIT_OPS];
} rd__lit_program;

/* @return the operations of test i, which there is. */
const rd__lit_program *rd__lit_program_of(size_t i);
/* @return the number of a test of rd_litmus_get(), or of none: the number of tests. */
size_t rd__lit_number(const rd_litmus_test *test);
/* LITMUS_FREE, LITMUS_GROUP, LITMUS_GRID of test i. */
uint32_t rd__lit_scope(size_t i);
/* What may come of a program. */
rd_status rd__lit_allowed(const rd__lit_program *program, rd_litmus_table *table, rd_error *err);

#endif
