/* SPDX-License-Identifier: Apache-2.0 */
/*
 * models.h - what tests of models share. A kernel root of src/selftest/models/ is no app: it is run here by the engines
 * themselves, all that can run it, as a job would.
 */
#ifndef RD_SELFTEST_MODELS_H
#define RD_SELFTEST_MODELS_H

#include "selftest/selftest.h"

#include "sched/sched.h"

enum { RD__MODELS_BUFFERS = 7 };

typedef struct rd__models_run {
    rd__test *test;
    const char *root;
    rd__sched_job job; /* of the model: its arguments, input and so on; the rest is filled in */
    const uint32_t *seed;
    uint32_t seeds;
    /* Inputs that are tried one after another under each engine, since to load a program may take longer than to run
     * it: the i-th is put into job and user. @return 0: there is none. NULL: there is one, and it is in them. */
    int (*input)(struct rd__models_run *run, uint32_t i);
    void *inputs; /* the caller's */
    /* Puts the buffers into their first state. */
    rd_status (*start)(struct rd__models_run *run, rd_error *err);
    /* What must hold afterwards; job.engine and in_rounds say where it ran. */
    rd_status (*check)(struct rd__models_run *run, const rd_report *report, rd_error *err);
    rd__buffer buffer[RD__MODELS_BUFFERS];
    rd__arg arg[RD__MODELS_BUFFERS];
    const void *user;
    int in_rounds;
    uint32_t runs;
} rd__models_run;

/* Under every engine, variant, launch and width that there is. */
rd_status rd__models_everywhere(rd__models_run *run, rd_error *err);
void rd__models_free(rd__models_run *run);

/* Makes buffer i of `count` words, all `word`, where there is none yet; else only fills it. */
rd_status rd__models_words(rd__models_run *run, int i, uint64_t count, uint32_t word, rd_error *err);
/* Is word k of buffer i, for k below count, between low[k] and high[k]? what: of the message. Arrays of the caller. */
rd_status rd__models_expect(rd__models_run *run, int i, uint64_t count, const uint32_t *low, const uint32_t *high,
                            const char *what, rd_error *err);
/* Is the one word of buffer i 0? It counts what kernels found to be wrong. */
rd_status rd__models_nothing_wrong(rd__models_run *run, int i, rd_error *err);

#endif
