/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h - tests of what a device really does for groups that wait for one another: small programs that block, of
 * which the model checker (raddle/fairness.h) says under which schedulers they end, run on the device in many shapes.
 * A program that does not end shows that the device keeps none of the promises under which it would.
 * docs/progress.md has the programs, the shapes and what a verdict means. The rules of raddle.h hold here too.
 */
#ifndef RADDLE_PROGRESS_H
#define RADDLE_PROGRESS_H

#include "fairness.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RD_PROGRESS_THREADS = 5, RD_PROGRESS_STEPS = 2, RD_PROGRESS_MODELS = 8 }; /* threads, steps of each; verdicts */

/* ---- Programs ---- */

typedef struct rd_progress_program {
    uint32_t threads, steps;                              /* of all threads together */
    uint32_t ends;                                        /* bit k: it ends under rd_fairness_schedulers()[k] */
    uint8_t step[RD_PROGRESS_THREADS][RD_PROGRESS_STEPS]; /* kinds of steps from 1; 0 ends the list */
    char text[160];                                       /* "0: await x == 1 | 1: x = 1" */
} rd_progress_program;

typedef struct rd_progress_options {
    size_t size;
    uint32_t threads;        /* most threads of a program, 2 to 5; 0: 5 */
    uint32_t programs;       /* of each kind: the smallest ones, and as many drawn from the rest; 0: 3 */
    uint32_t shapes;         /* that each program is run in; 0: 12 */
    uint32_t repeats;        /* of each shape; 0: 4 */
    uint64_t seed;           /* of what is drawn; 0: RD_SEED */
    double patience;         /* seconds without a step after which a program counts as hung; 0: 1 */
    uint32_t host_threads;   /* of the checker; 0: all cores */
    rd_progress_fn progress; /* may be NULL */
    void *user;
} rd_progress_options;

/* The programs to run, from the smallest; *list is freed with rd_free. Programs that differ only by names of words are
 * there once; all end when everybody is run. */
RD_API rd_status rd_progress_programs(const rd_progress_options *options, rd_progress_program **list, size_t *count,
                                      rd_error *err);

/* ---- Runs ---- */

typedef struct rd_progress rd_progress;

typedef struct rd_progress_result {
    uint32_t launches; /* that were made */
    uint32_t hung;     /* in one of them a program did not end, and did not when that was tried again */
    uint32_t slow;     /* launches that seemed to hang, and ended when they were given more time */
    uint32_t
        unstopped; /* the kernel did not leave when it was asked to: only the end of the process frees the device */
    uint32_t most_groups;
    char shape[160]; /* of the launch that hung */
    char state[240]; /* which thread was where in it */
} rd_progress_result;

/* Loads what is needed to run programs on a device, and finds out how fast it polls. */
RD_API rd_status rd_progress_open(rd_device *device, const rd_progress_options *options, rd_progress **progress,
                                  rd_error *err);
RD_API void rd_progress_close(rd_progress *progress);
/* Runs a program in each shape, until it hangs. RD_ECANCELLED: options.progress said so. */
RD_API rd_status rd_progress_run(rd_progress *progress, const rd_progress_program *program, rd_progress_result *result,
                                 rd_error *err);

/* ---- Verdicts, and what is kept of them ---- */

/* Of one device: for each of rd_fairness_schedulers() whether it was seen to be violated. */
typedef struct rd_progress_verdicts {
    uint32_t violated;                     /* bit k */
    uint64_t programs[RD_PROGRESS_MODELS]; /* that scheduler k ends and that were run */
    uint64_t launches;
    char program[RD_PROGRESS_MODELS][160]; /* the smallest one that hung and should not have, under scheduler k */
    char shape[RD_PROGRESS_MODELS][160], state[RD_PROGRESS_MODELS][240];
} rd_progress_verdicts;

/* Adds a result. */
RD_API void rd_progress_add(rd_progress_verdicts *verdicts, const rd_progress_program *program,
                            const rd_progress_result *result);
/* @return 1 when to run the program could tell something: some scheduler that ends it was not seen to be violated. */
RD_API int rd_progress_is_worth(const rd_progress_verdicts *verdicts, const rd_progress_program *program);
/* Keeps verdicts beside compiled kernels, for rd_progress_recorded and for persistent launches, which are refused on a
 * device that was seen not to go on with groups that have begun (obe). info: of the device. */
RD_API void rd_progress_record(const rd_device_info *info, const rd_progress_verdicts *verdicts);
/* @return 1 when there is a record of this device, with this driver and this version of the library. */
RD_API int rd_progress_recorded(const rd_device_info *info, rd_progress_verdicts *verdicts);

#ifdef __cplusplus
}
#endif
#endif
