/* SPDX-License-Identifier: Apache-2.0 */
/*
 * raddle.h - the public C API of Raddle, a scheduler for irregular work.
 *
 * A run = app x scheduler x launch x worker x device. A program
 *
 *   1. opens a device            rd_device_open(NULL, NULL, &dev, &err)
 *   2. opens a graph             rd_graph_open("kron:20", NULL, &graph, &err)
 *   3. makes a job of an app     rd_job_create(dev, "bfs", &job, &err)
 *   4. sets what it wants        rd_job_set(job, "source", "17", &err)
 *   5. gives it the graph        rd_job_set_graph(job, graph, &err)
 *   6. runs it, reads it         rd_job_run(job, &report, &err); rd_job_result(job, &result, &err)
 *   7. may have it checked       rd_job_check(job, &err)
 *
 * Rules that hold for every function here:
 *   - It returns RD_OK (0) or a negative rd_status, and then *err (when err is not NULL) says what
 *     went wrong, where, and what to do about it.
 *   - It never exits, aborts or prints. Messages go to the callback of rd_set_log.
 *   - NULL for a pointer that is needed is RD_EARG. Destroy and close functions accept NULL; so do functions
 *     that return no status, and then give nothing: 0, "", NULL, an empty struct.
 *   - Option structs start with `size`: set it to sizeof the struct, zero the rest for defaults.
 *
 * Threads. Functions may be called from any thread, and by several at once as long as each has a device and jobs of its
 * own. A graph may be used by all of them at once: nothing that can be seen of it changes. Opening and listing devices
 * need no lock of the program's. A device does one thing at a time: a run on one that is at work, for another thread or
 * for the job whose callback is being called, is RD_EDEVICE; a call on a job that is running is RD_EARG. That is a help
 * against mistakes, not a lock: destroy jobs, heaps and devices when no other thread uses their device. Callbacks may
 * use other objects; rd_job_destroy on the job that calls back does nothing. rd_set_log and rd_set_allocator come
 * first, before other threads use the library.
 *
 * Lifetime. What is used is held: a graph lives until rd_graph_destroy and until no job has it, a device until
 * rd_device_close and until nothing is left on it. So the order of destroying does not matter. What is borrowed
 * (rd_csr, rd_result, texts) lives as long as whom it was got from says, and after rd_graph_destroy is not the
 * program's any more. On a device that was closed nothing can be run (RD_EDEVICE); results of earlier runs can be read
 * and checked.
 *
 * Fork. A child of fork() has the graphs, and none of the threads. What is on devices that were opened before is
 * RD_EDEVICE there, and can be closed; the child opens its own. Of OpenCL and CUDA it cannot when the parent had used
 * them: fork first.
 */
#ifndef RADDLE_H
#define RADDLE_H

#define RD_VERSION_MAJOR  0
#define RD_VERSION_MINOR  1
#define RD_VERSION_PATCH  0
#define RD_VERSION_STRING "0.1.0"

#include "raddle/base.h"     /* status, errors, messages, memory */
#include "raddle/device.h"   /* which devices there are, opening one */
#include "raddle/graph.h"    /* files, generators, arrays */
#include "raddle/app.h"      /* what can be run, and own apps */
#include "raddle/job.h"      /* an app with its options, on a device */
#include "raddle/selftest.h" /* is a device right? */
#include "raddle/micro.h"    /* what the library's own parts cost */
#include "raddle/heap.h"     /* a concurrent priority queue */

#endif
