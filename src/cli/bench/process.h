/* SPDX-License-Identifier: Apache-2.0 */
/* process.h - jobs in a process of their own, a `raddle serve` that a suite starts: what the system and the driver make
 * of two processes that know nothing of each other, and what a request costs. */
#ifndef RD_CLI_BENCH_PROCESS_H
#define RD_CLI_BENCH_PROCESS_H

#include "cli/bench/bench.h"
#include "cli/serve/protocol.h"

#include <sys/types.h>

typedef struct bench_process {
    pid_t id;
    char folder[64], socket[96];
    int fd;            /* of the request under way; -1: there is none */
    double began;      /* when that was sent, */
    double took;       /* when it was answered: so long later, */
    double ran;        /* of that its run, as the server says, */
    char answer[1024]; /* and what came of it */
    size_t used;
    char text[2 * SERVE_LINE];
} bench_process;

/* Starts a server on the device, and waits until it listens. bench_process_close afterwards, whatever happened. */
rd_status bench_process_open(bench_process *self, const char *device, uint32_t threads, rd_error *err);
/* Sends a job to it: the lines of a request (serve/protocol.h) between the verb and the end. Does not wait. */
rd_status bench_process_start(bench_process *self, const char *lines, rd_error *err);
/* Waits until the job is done, or so many seconds. *done: it is, and `took`, `ran` and `answer` are its. */
rd_status bench_process_wait(bench_process *self, double seconds, int *done, rd_error *err);
/* Ends the server. Takes one that is all zero. */
void bench_process_close(bench_process *self);

#endif
