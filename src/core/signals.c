/* SPDX-License-Identifier: Apache-2.0 */
/* signals.c - how signals are handled belongs to the process: who holds them first keeps it, who releases them last
 * puts it back. A program that changes it meanwhile, from another thread, has its change undone. */
#define _POSIX_C_SOURCE 200809L
#include "core/signals.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>

static const int ends[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};
enum { ENDS = sizeof ends / sizeof *ends };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned holders;              /* by the mutex, as is what follows */
static struct sigaction before[ENDS]; /* how each was handled when there were none */

void rd__signals_hold(rd__signals *held)
{
    sigset_t set, mask;
    _Static_assert(sizeof mask <= sizeof held->mask, "a mask of signals fits");
    (void)sigemptyset(&set);
    for (int i = 0; i < ENDS; i++)
        (void)sigaddset(&set, ends[i]);
    (void)pthread_sigmask(SIG_BLOCK, &set, &mask);
    memcpy(held->mask, &mask, sizeof mask);
    (void)pthread_mutex_lock(&mutex);
    for (int i = 0; i < ENDS && holders == 0; i++)
        (void)sigaction(ends[i], NULL, &before[i]);
    holders++;
    (void)pthread_mutex_unlock(&mutex);
}

void rd__signals_release(const rd__signals *held)
{
    sigset_t mask;
    memcpy(&mask, held->mask, sizeof mask);
    (void)pthread_mutex_lock(&mutex);
    holders--;
    for (int i = 0; i < ENDS && holders == 0; i++)
        (void)sigaction(ends[i], &before[i], NULL);
    (void)pthread_mutex_unlock(&mutex);
    (void)pthread_sigmask(SIG_SETMASK, &mask, NULL);
}
