/* SPDX-License-Identifier: Apache-2.0 */
/* turns_order.h - what turns.c keeps of a device, and who goes before whom; all of it under the mutex. */
#ifndef RD_DEVICE_TURNS_ORDER_H
#define RD_DEVICE_TURNS_ORDER_H

#include "device/turns.h"

#include <pthread.h>

struct rd__turns {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    uint32_t changes;          /* counts them; atomic, for those who spin */
    uint32_t untold;           /* one of them is to be told when the mutex is given back */
    uint32_t sleepy;           /* so many more waits sleep at once; */
    uint32_t drowsy;           /* as many did the last time that was found to be better */
    pthread_mutex_t nap_mutex; /* within the other one; */
    pthread_cond_t nap_ends;   /* for who sleeps while its kernels run, on devices that cannot wake it */
    rd__turn *first;           /* those who wait */
    rd__turn *holder;
    rd__turn *beside; /* who has some of the holder's workers */
    uint64_t arrivals;
    uint32_t crowded;   /* atomic, for a look from outside: there is someone beside */
    uint32_t unsettled; /* atomic, likewise: the holder may owe workers, or have some back */
    uint32_t waiting;   /* atomic, for a look from outside of the mutex */
};

int rd__turn_is_cancelled(const rd__turn *turn);
/* Of those who wait the first; NULL: nobody does. Those who were given workers are on the list until they notice. */
rd__turn *rd__turns_best(const struct rd__turns *turns);
/* Is the holder to do something for one that waits? Who would be lent workers waits while another one has some. */
int rd__turns_ask(const struct rd__turns *turns, const rd__turn *waiter, const rd__turn *holder);
int rd__turns_can_lend(const rd__turn *holder, const rd__turn *waiter);
/* How many workers the holder is to do without now. */
uint32_t rd__turns_owed(const struct rd__turns *turns, const rd__turn *holder);

#endif
