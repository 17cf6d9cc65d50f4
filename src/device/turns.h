/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns.h - several jobs on one device take turns. Who holds the turn has the device to itself, as whoever entered it
 * (device.h); it passes the turn on between two launches, when someone waits who goes before it, and waits with the
 * others then. A device nobody ever took a turn on knows nothing of this.
 *
 * On devices that lend workers (rd__device_caps) one who needs only some of them runs beside the holder, which goes on
 * with the rest, if the holder's launches can (rd__turn_lends), and has all of them again when the other one is done.
 * A worker is a compute unit: a core, or of a GPU what fills one multiprocessor.
 */
#ifndef RD_DEVICE_TURNS_H
#define RD_DEVICE_TURNS_H

#include "device/device.h"

/* Where the time went until one that is beside had its workers and gave its first launch: seconds, one after the other.
 * The first four are what it waited. */
typedef struct rd__gather {
    double noticed; /* until the holder had noticed that somebody asks, */
    double told;    /* ... had told its launches to leave, */
    double left;    /* ... they had left, and it knew, */
    double seen;    /* ... had seen how far they were, and gave workers, */
    double taken;   /* ... the one who asked was awake again, */
    double began;   /* ... and had filled its buffers and launched */
} rd__gather;

/* A claim on a device; its maker's, who keeps it where it is between rd__turn_take and rd__turn_give. */
typedef struct rd__turn {
    rd_device *device;
    int priority;                 /* the higher goes first */
    uint32_t workers;             /* how many it wants, where a device lends: fewer than all; 0: all */
    double deadline;              /* rd_now() by which it should be done: of equals the earliest goes first; 0: none */
    int (*cancelled)(void *user); /* non-zero: it goes before all others, in order to clean up. NULL: never */
    void *user;
    /* read by its maker: */
    double waited_s;   /* in all, for the device */
    double last_s;     /* the last time */
    double device_s;   /* device time of the turns that it passed on */
    uint32_t passed;   /* how often it let others go first */
    uint32_t has;      /* so many workers, now; 0: it waits. Atomic */
    uint32_t lent;     /* workers that another one has now: launches are to do without */
    uint32_t lendings; /* how often it lent some */
    uint32_t beside;   /* it has its workers beside another one */
    uint32_t place;    /* of its launches: which of their groups were run first, the last time not all were */
    rd__gather gather; /* of one that is beside */
    uint32_t asked;    /* launches were asked to leave for others, and nobody has taken note yet */
    double slice_s;    /* of its launches: how long the last one was to take at most, while somebody was beside */
    /* turns.c: */
    struct rd__turn *next;
    uint64_t number; /* of arrival */
    double since;    /* when it began to wait, or got the device */
    uint32_t lends;  /* most workers that it can do without */
    uint32_t held;   /* it had the device, or needs it: it comes back to it, and not beside another one */
    uint32_t began;  /* it is beside, and its first launch was given */
    uint32_t wakes;  /* it was lent workers while the holder slept, and is to wake it */
    double asks,
        told;       /* of one that waits: when it last asked the holder's launches to leave, and had; 0: it did not */
    double noticed; /* of the holder: when it found that it is asked; 0: it is not */
} rd__turn;

/* Waits for the device. RD_ECANCELLED: it was cancelled before; RD_EDEVICE: the device is not this process's. With
 * RD_OK the device is entered, else there is nothing to give back. */
rd_status rd__turn_take(rd__turn *turn, rd_error *err);
/* Ends what rd__turn_take began. */
void rd__turn_give(rd__turn *turn);
/* From now on launches can go on without up to so many workers. By the holder, between launches. */
void rd__turn_lends(rd__turn *turn, uint32_t workers);
/* By a thread of the holder's launches, where these are threads of this process, when all of them have left: lends in
 * its place if that was what they were asked for (rd__device_is_asked). @return 1: it may sleep on, who was lent
 * workers will wake it. */
int rd__turn_serve(rd_device *device, uint32_t request);
/* After a launch was given: who waits for that, so that groups are placed in the order of urgency, may go on. */
void rd__turn_began(rd__turn *turn);
/* @return 1 while someone is beside this one, which holds the device. A hint: one load. */
int rd__turn_crowded(const rd__turn *turn);
/* @return 1 when someone waits who goes before this one, which holds the device, or when it is to have workers back
 * that it lent. Two loads when nobody waits. */
int rd__turn_wanted(rd__turn *turn);
/* Between launches, with nothing under way: lets those who go before have some workers (turn->lent says how many), or
 * the device, and is back when it is this one's again. timed: the device's clock runs (rd__time_begin), and shall not
 * count what others do. */
rd_status rd__turn_pass(rd__turn *turn, int timed, rd_error *err);
/* Whoever holds or waits for the device shall look whether it was cancelled. Any thread. */
void rd__turn_rouse(rd_device *device);
/* Sleeps so long, or until the device is nudged. @return 0: nobody ever took a turn here, it does not sleep. */
int rd__turn_nap(rd_device *device, double seconds);
void rd__turn_end_nap(rd_device *device);
/* told.c: it has its workers now, or none; for who asks how it goes, nothing depends on it. */
void rd__turn_tell_workers(rd__turn *turn, int mine);
/* By the holder that lends, under the mutex of turns: how the time went since the other one asked. */
void rd__turn_account(const rd__turn *turn, rd__turn *to);
/* Frees what turns made, when the device, whose they were, is closed: its threads may have been about to wake somebody.
 * NULL: nothing. */
void rd__turns_free(struct rd__turns *turns);

#endif
