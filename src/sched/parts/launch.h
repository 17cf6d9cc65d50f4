/* SPDX-License-Identifier: Apache-2.0 */
/*
 * launch.h - how an engine launches its kernel. The kernel's arguments are the engine's own (a list of its layout
 * header, packed by model/args.h), then the app's. It is launched once, or a batch of times with a number that counts
 * up, for engines whose launches find their work in device memory: the host does not have to look between them, and
 * reads the control words once a batch. A batch that goes past the end costs a few empty launches; a look after each
 * launch would cost a round trip to the device each time. Batches grow while there is work and stay short in time, so
 * that progress, cancellation and time limits are seen to.
 */
#ifndef RD_SCHED_PARTS_LAUNCH_H
#define RD_SCHED_PARTS_LAUNCH_H

#include "model/args.h"
#include "sched/sched.h"

enum { RD__BATCH_FIRST = 4, RD__BATCH_MOST = 64 };
#define RD__BATCH_SECONDS  0.1    /* batches that took longer do not grow */
#define RD__TRACE_SECONDS  0.0005 /* likewise, when someone watches: a look takes a hundredth of that */
#define RD__SHARED_SECONDS 0.001  /* nor such of jobs that share the device: others may wait for the end of one */

#define RD__NO_STEP UINT32_MAX

/* What becomes of a launch while another job has some of the workers (device/turns.h). Where groups have nothing of
 * their own between launches there are fewer of them. Where they have (tasks in hand, tickets, stacks), each is a
 * place, and so many places are run as there are workers: others the next time, which comes after RD__PLACES_SECONDS.
 * So whatever waits in a place is seen to, and nobody has to know that some places are empty for a while: to those who
 * run they are workers that are slow. */
typedef enum rd__lending {
    RD__LENDS_NONE, /* it takes all workers: the job makes way as a whole */
    RD__LENDS_FEWER,
    RD__LENDS_PLACES,
} rd__lending;
#define RD__PLACES_SECONDS 0.002
/* Where the device places groups by itself those that find no room begin when others leave, or when there is room
 * again. There, while somebody is beside, a launch is asked to leave after a while whatever it is, the next one after
 * twice that: what the other one has launched meanwhile, and found no room, is placed first. */
#define RD__CROWDED_SECONDS      0.001
#define RD__CROWDED_MOST_SECONDS 0.032
/* Of kernels that have a limit of turns, and leave earlier when they find nothing: so that a launch of places which all
 * wait for others is soon over. */
#define RD__LENDING_TURNS 0x7fffffffu

typedef struct rd__launch {
    const rd__sched_job *job;
    rd__kernel *kernel;
    uint32_t groups;
    int cooperative;
    int keeps; /* it may be asked to leave, and another one goes on with its state: rd__sched_wait_slice */
    rd__lending lends;
    uint32_t step; /* the argument that counts launches, RD__PLACE(list, name); RD__NO_STEP: there is none */
    /* filled here: */
    uint32_t count;
    rd__arg arg[RD__MAX_ARGS];
    double began; /* when the last batch was launched */
    int some;     /* not all of its places were run */
    double by;    /* rd_now() by which the last batch is to be asked to leave, if it keeps its state; 0: not so */
} rd__launch;

/* Puts the engine's own arguments, then the app's. RD_EARG when a kernel cannot have as many. */
rd_status rd__launch_pack(rd__launch *launch, const rd__arg *own, uint32_t own_count, rd_error *err);
/* Of `all` units of a GPU, of which so many were lent: how many of the others stay empty when groups have to be there
 * together. The device places those of who is beside where it likes, several units' groups on one or one unit's on
 * several, and a launch that does not fit waits until the other one has ended. */
uint32_t rd__launch_room(uint32_t all, uint32_t lent);
/* Launches once, with the number `step`, and does not wait. */
rd_status rd__launch_once(rd__launch *launch, uint32_t step, rd_error *err);
/* Launches `count` times, with the numbers from `from` on; the device's time counts up to here. Does not wait. */
rd_status rd__launch_batch(rd__launch *launch, uint32_t from, uint32_t count, rd_error *err);
/* The device repeats `count` launches, the number counting from 0, and one of `tail`, until that ends it: rd__loop. */
rd_status rd__launch_loop(rd__launch *launch, rd__kernel *tail, uint32_t count, rd_error *err);
/* Of a job that shares the device, where launches cannot leave: as many as take RD__SHARED_SECONDS. Else, where the
 * last batch took less than `seconds`: twice `batch`, as long as that is less than `most`; else `batch`. */
uint32_t rd__launch_pace(const rd__launch *launch, uint32_t batch, uint32_t most, double seconds);

/* How far a run is, as the engine knows before it looks; total 0: it does not know. */
typedef struct rd__so_far {
    uint64_t done, total;
    const char *unit;
} rd__so_far;
/* Waits for what was launched, within the limits of the job (rd__sched_wait), then reads the engine's control words:
 * the first `bytes` of them. After a stop they are not read. */
rd_status rd__launch_read(const rd__launch *launch, rd__so_far so_far, const rd__buffer *control, void *word,
                          uint64_t bytes, rd_error *err);

/* The same for those who wait in their own way: with what is begun behind the launches goes the app's note. */
rd_status rd__launch_read_begin(const rd__sched_job *job, const rd__buffer *control, uint64_t bytes, rd_error *err);
rd_status rd__launch_read_end(const rd__sched_job *job, const rd__buffer *control, void *word, uint64_t bytes,
                              rd_error *err);

/* Seconds after which launches of a traced job that end when all is done are asked to leave, for a look. */
double rd__trace_slice(const rd__sched_job *job);

#endif
