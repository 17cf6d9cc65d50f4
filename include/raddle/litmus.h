/* SPDX-License-Identifier: Apache-2.0 */
/*
 * litmus.h - tests of a device's memory order: the classic small shapes in the orders of the kernel dialect. What may
 * come of each is computed from a memory model, and what does come of it is counted over millions of runs on a device.
 * docs/progress.md has the shapes, the model and how they are run. The rules of raddle.h hold here too.
 */
#ifndef RADDLE_LITMUS_H
#define RADDLE_LITMUS_H

#include "../raddle.h"

#ifdef __cplusplus
extern "C" {
#endif

/* An outcome is a number: two bits for each register that was loaded (r0 lowest), then two for the last value of each
 * of the words x, y, z. */
enum { RD_LITMUS_REGISTERS = 4, RD_LITMUS_WORDS = 3, RD_LITMUS_OUTCOMES = 1 << 14 };

typedef struct rd_litmus_test {
    const char *name;
    const char *scope; /* "" where threads share no barrier; "group", "grid": they meet at one */
    uint32_t threads, registers, words;
    char text[240]; /* "x = 1; y = 1 rel | r0 = y acq; r1 = x" */
} rd_litmus_test;

/* @return test i, or NULL behind the last one. What it points to stays. */
RD_API const rd_litmus_test *rd_litmus_get(size_t i);
/* Writes an outcome as "r0=1 r1=0 x=1 y=1". @return text */
RD_API char *rd_litmus_outcome(const rd_litmus_test *test, uint32_t outcome, char *text, size_t bytes);

/* ---- What may be ---- */

enum { RD_LITMUS_SC = 1, RD_LITMUS_WEAK = 2 }; /* an interleaving gives it; the dialect's memory model allows it */

typedef struct rd_litmus_table {
    uint8_t allowed[RD_LITMUS_OUTCOMES]; /* RD_LITMUS_... of each outcome */
    uint32_t interleaved, weak;          /* outcomes that interleavings give; those that only the model allows */
    uint8_t races;                       /* plain accesses race in some execution: nothing is promised */
    uint64_t executions;                 /* that were looked at */
} rd_litmus_table;

/* Computes the table of a test. */
RD_API rd_status rd_litmus_allowed(const rd_litmus_test *test, rd_litmus_table *table, rd_error *err);

/* Writes the test as a model for raddle/fairness.h, which explores its interleavings: its final values of x, y, z and
 * of the ghosts g0 to g3, which keep the registers, are the outcomes that are called RD_LITMUS_SC here. @return 0: the
 * text does not fit. */
RD_API int rd_litmus_model(const rd_litmus_test *test, char *text, size_t bytes);

/* ---- What is ---- */

typedef struct rd_litmus rd_litmus;

typedef struct rd_litmus_options {
    size_t size;
    uint64_t runs;            /* of each test, at least; 0: a million */
    uint64_t seed;            /* of placement and stress; 0: RD_SEED */
    const rd_litmus_test *as; /* judge by the table of this one, as if the test were it: a planted bug. NULL: its own */
    rd_progress_fn progress;  /* may be NULL */
    void *user;
} rd_litmus_options;

typedef struct rd_litmus_result {
    uint64_t runs, launches;
    uint64_t met;       /* runs in which all threads were seen to be there at once */
    uint64_t forbidden; /* runs whose outcome the model does not allow */
    uint64_t weak;      /* runs whose outcome no interleaving gives, and the model allows */
    uint64_t seen[RD_LITMUS_OUTCOMES];
    uint8_t skipped; /* this device has no such threads: groups of one lane have no group barrier to meet at */
} rd_litmus_result;

RD_API rd_status rd_litmus_open(rd_device *device, const rd_litmus_options *options, rd_litmus **litmus, rd_error *err);
RD_API void rd_litmus_close(rd_litmus *litmus);
/* Runs a test. RD_EWRONG: forbidden outcomes were seen; result has them. RD_ECANCELLED: options.progress said so. */
RD_API rd_status rd_litmus_run(rd_litmus *litmus, const rd_litmus_test *test, rd_litmus_result *result, rd_error *err);

#ifdef __cplusplus
}
#endif
#endif
