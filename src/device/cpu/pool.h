/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h - the CPU device's threads: they run a list of commands in order, all together, with a barrier after each. */
#ifndef RD_DEVICE_CPU_POOL_H
#define RD_DEVICE_CPU_POOL_H

#include "dialect/cpu_lane.h"
#include "device/cpu/guard.h"
#include "device/device.h"

typedef struct rd__cpu_command {
    enum { RD__CPU_LAUNCH, RD__CPU_FILL, RD__CPU_WRITE, RD__CPU_TIME } kind;
    /* launch */
    void (*entry)(rd__cpu_lane *self, void *const *argv);
    uint32_t groups;
    uint32_t first, present; /* of these, so many run, from this one on, the last being followed by group 0 */
    uint32_t own;            /* of a program that is not the library's: it can be made to leave */
    const uint32_t *stop;    /* the launch's word; rd__cpu_pool_stop_word */
    uint64_t value[RD__MAX_ARGS];
    void *argv[RD__MAX_ARGS];
    /* fill */
    uint32_t *words;
    uint64_t count;
    uint32_t word;
    /* write */
    void *to;
    const void *data;
    uint64_t bytes;
    /* time */
    double *when;
} rd__cpu_command;

/* The share of thread `index` of so many in a fill (fill.c). */
void rd__cpu_fill(const rd__cpu_command *command, uint32_t index, uint32_t threads);

typedef struct rd__cpu_pool rd__cpu_pool;

/* teams groups of width lanes at a time; pin[i] is the processor of thread i, or pin is NULL. device: who waits for its
 * holder's launches is served by the last thread of these (turns.h); NULL: nobody is. */
rd_status rd__cpu_pool_new(uint32_t teams, uint32_t width, const uint32_t *pin, rd_device *device, rd__cpu_pool **pool,
                           rd_error *err);
void rd__cpu_pool_free(rd__cpu_pool *pool);
/* Room for one more command; a list that is full, or that runs already, is run to its end first. */
rd__cpu_command *rd__cpu_pool_next(rd__cpu_pool *pool);
/* Copies bytes when what is in the list has been run: now where that is nothing; where they are few, as one more
 * command, for which they are kept; else it waits. */
void rd__cpu_pool_write(rd__cpu_pool *pool, void *to, const void *data, uint64_t bytes);
/* Runs the list, if it does not run yet, and waits until it is done or rd_now() is `until`, which may be INFINITY.
 * @return 1 when it is done. With an `until` it also comes back when it is roused. */
int rd__cpu_pool_run(rd__cpu_pool *pool, double until);
/* The same to its end. */
void rd__cpu_pool_finish(rd__cpu_pool *pool);
/* Commands given from now on are run by the first so many teams; the threads of the others sleep. */
void rd__cpu_pool_use(rd__cpu_pool *pool, uint32_t teams);
/* Makes a caller that waits in rd__cpu_pool_run, and not for ever, look up. From any thread; NULL: nobody does. */
void rd__cpu_pool_rouse(rd__cpu_pool *pool);
/* The word that says 1 once the launches given so far are to leave. */
const uint32_t *rd__cpu_pool_stop_word(const rd__cpu_pool *pool);
/* Asks them to. Launches given from now on have another word. By the caller (mine), or in its place while it waits.
 * @return 0: it was not done, for one would have to wait until they have left, which only the caller may. */
int rd__cpu_pool_stop(rd__cpu_pool *pool, int mine);
/* Makes launches of own programs leave that do not look at their word. Lanes that are threads (under sanitizers) stay.
 */
void rd__cpu_pool_force(rd__cpu_pool *pool);
/* @return why launches were ended since this was last asked; zeros: none was. */
rd__cpu_fault rd__cpu_pool_fault(rd__cpu_pool *pool);
/* @return rd_now() of the moment the last launch that was run was complete. */
double rd__cpu_pool_launch_end(const rd__cpu_pool *pool);

#endif
