/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c - a thread that ends the program, with exit status 3, when a step of a case takes longer than load explains.
 */
#define _DEFAULT_SOURCE /* getloadavg */
#include "oracle.h"

#include <raddle/tool.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ended = PTHREAD_COND_INITIALIZER;
static struct {
    const settings *settings;
    config config;
    uint64_t number;
    const char *where;
    double since;
    int watching, done;
    pthread_t thread;
} watch;

/* A machine with four times as many runnable threads as cores takes four times as long; beyond that, a hang that spins
 * would be its own excuse. */
static double allowed(void)
{
    double load = 0;
    const double cores = (double)sysconf(_SC_NPROCESSORS_ONLN);
    if (getloadavg(&load, 1) != 1 || !(load > cores))
        return watch.settings->hang_seconds;
    return watch.settings->hang_seconds * (load < 4 * cores ? load / cores : 4);
}

static void *look(void *arg)
{
    char text[1024], same[1024];
    (void)arg;
    pthread_mutex_lock(&lock);
    while (!watch.done) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += 1;
        pthread_cond_timedwait(&ended, &lock, &until);
        const double now = rd_now();
        if (!watch.watching || watch.done || now - watch.since < allowed())
            continue;
        config_text(&watch.config, watch.settings, text, sizeof text);
        replay_text(watch.settings, same, sizeof same);
        fprintf(stderr,
                "\nHANG seed %" PRIu64 " case %" PRIu64 ": %.0f s in: %s\n    %s\n    alone:       %s --case %" PRIu64
                "\n    in its turn: %s --case %" PRIu64 "-%" PRIu64 "\n",
                watch.settings->seed, watch.number, now - watch.since, watch.where, text, same, watch.number, same,
                watch.config.number * CASES_EACH, watch.number);
        fflush(stderr);
        _exit(3); /* no handlers: some thread may hold any lock */
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void watch_start(const settings *s)
{
    watch.settings = s;
    if (pthread_create(&watch.thread, NULL, look, NULL) != 0)
        need(NULL);
}

void watch_case(const config *c, uint64_t number)
{
    pthread_mutex_lock(&lock);
    watch.config = *c;
    watch.number = number;
    watch.where = "drawing it";
    watch.since = rd_now();
    watch.watching = 1;
    pthread_mutex_unlock(&lock);
}

void watch_at(const char *where)
{
    pthread_mutex_lock(&lock);
    watch.where = where;
    watch.since = rd_now();
    pthread_mutex_unlock(&lock);
}

void watch_stop(void)
{
    pthread_mutex_lock(&lock);
    watch.done = 1;
    pthread_cond_signal(&ended);
    pthread_mutex_unlock(&lock);
    pthread_join(watch.thread, NULL);
}
