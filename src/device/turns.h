/* SPDX-License-Identifier: Apache-2.0 */
/*
 * turns.h - several jobs on one device take turns. Who holds the turn has the device to itself, as whoever entered it
 * (device.h); it passes the turn on between two launches, when someone waits who goes before it, and waits with the
 * others then. A device nobody ever took a turn on knows nothing of this.
 */
#ifndef RD_DEVICE_TURNS_H
#define RD_DEVICE_TURNS_H

#include "device/device.h"

/* A claim on a device; its maker's, who keeps it where it is between rd__turn_take and rd__turn_give. */
typedef struct rd__turn {
    rd_device *device;
    int priority;                 /* the higher goes first */
    double deadline;              /* rd_now() by which it should be done: of equals the earliest goes first; 0: none */
    int (*cancelled)(void *user); /* non-zero: it goes before all others, in order to clean up. NULL: never */
    void *user;
    /* read by its maker: */
    double waited_s; /* in all, for the device */
    double last_s;   /* the last time */
    double device_s; /* device time of the turns that it passed on */
    uint32_t passed; /* how often it let others go first */
    uint32_t holds;  /* it has the device; atomic */
    uint32_t asked;  /* launches were asked to leave for others, and nobody has taken note yet */
    /* turns.c: */
    struct rd__turn *next;
    uint64_t number; /* of arrival */
    double since;    /* when it began to wait, or got the device */
} rd__turn;

/* Waits for the device. RD_ECANCELLED: it was cancelled before; RD_EDEVICE: the device is not this process's. With
 * RD_OK the device is entered, else there is nothing to give back. */
rd_status rd__turn_take(rd__turn *turn, rd_error *err);
/* Ends what rd__turn_take began. */
void rd__turn_give(rd__turn *turn);
/* @return 1 when someone waits who goes before this one, which holds the device. One load when nobody waits. */
int rd__turn_wanted(const rd__turn *turn);
/* Between launches, with nothing under way: lets those who go before have the device, and is back when it is this one's
 * again. timed: the device's clock runs (rd__time_begin), and shall not count what others do. */
rd_status rd__turn_pass(rd__turn *turn, int timed, rd_error *err);
/* Whoever holds or waits for the device shall look whether it was cancelled. Any thread. */
void rd__turn_rouse(rd_device *device);
/* Frees what turns made, with the device. */
void rd__turns_free(rd_device *device);

#endif
