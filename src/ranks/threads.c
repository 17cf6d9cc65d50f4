/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threads.c - ranks that are threads of one process: several devices without MPI, and what tests use. One lock for all:
 * messages are large and few, by design of those who send them.
 *
 * counts(): a wave has a number. The last rank to add its tally writes the result to the place of the wave's parity.
 * That of wave k is read by each rank before it begins wave k + 1, which all have to begin before wave k + 2 can end
 * and write there again. So two places are enough.
 */
#include "ranks/ranks.h"

#include "core/memory.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

typedef struct parcel {
    rd__message message;
    struct parcel *next;
} parcel;

typedef struct house {
    pthread_mutex_t lock;
    uint32_t ranks, open;
    struct {
        parcel *first, *last;
    } * inbox;
    rd__tally sum, result[2];
    uint32_t added;
    uint64_t waves; /* that are done */
    int stopped;
    char text[RD_TRANSPORT_TEXT];
} house;

typedef struct resident {
    rd__transport table;
    house *house;
    uint64_t wave; /* the one it takes part in */
} resident;

/* Under the lock: has somebody stopped the run? */
static int is_stopped(resident *self)
{
    if (self->house->stopped)
        memcpy(self->table.text, self->house->text, sizeof self->table.text);
    return self->house->stopped;
}

static int threads_send(rd__transport *table, uint32_t to, uint32_t kind, const void *data, uint64_t bytes)
{
    resident *self = (resident *)table;
    house *home = self->house;
    parcel *sent = rd__malloc(sizeof *sent);
    void *copy = rd__malloc(bytes ? bytes : 1);
    if (!sent || !copy) {
        rd__free(sent);
        rd__free(copy);
        snprintf(table->text, sizeof table->text, "out of host memory: a message to rank %u", to);
        return -1;
    }
    if (bytes)
        memcpy(copy, data, bytes);
    *sent = (parcel){{table->rank, kind, bytes, copy}, NULL};
    pthread_mutex_lock(&home->lock);
    const int stopped = is_stopped(self);
    if (!stopped) {
        if (home->inbox[to].last)
            home->inbox[to].last->next = sent;
        else
            home->inbox[to].first = sent;
        home->inbox[to].last = sent;
    }
    pthread_mutex_unlock(&home->lock);
    if (stopped) {
        rd__free(copy);
        rd__free(sent);
    }
    return stopped ? -1 : 0;
}

static int threads_poll(rd__transport *table, rd__message *message)
{
    resident *self = (resident *)table;
    house *home = self->house;
    pthread_mutex_lock(&home->lock);
    const int stopped = is_stopped(self);
    parcel *came = stopped ? NULL : home->inbox[table->rank].first;
    if (came) {
        home->inbox[table->rank].first = came->next;
        if (!came->next)
            home->inbox[table->rank].last = NULL;
    }
    pthread_mutex_unlock(&home->lock);
    if (came)
        *message = came->message;
    rd__free(came);
    return stopped ? -1 : came != NULL;
}

static void threads_release(rd__transport *table, rd__message *message)
{
    (void)table;
    rd__free(message->data);
}

static int threads_counts(rd__transport *table, const rd__tally *mine, rd__tally *all)
{
    resident *self = (resident *)table;
    house *home = self->house;
    pthread_mutex_lock(&home->lock);
    const int stopped = is_stopped(self);
    if (mine && !stopped) {
        if (home->added == 0)
            memset(&home->sum, 0, sizeof home->sum);
        for (int i = 0; i < RD_TALLY_SUMS; i++)
            home->sum.sum[i] += mine->sum[i];
        for (int i = 0; i < RD_TALLY_MOSTS; i++)
            home->sum.most[i] = mine->most[i] > home->sum.most[i] ? mine->most[i] : home->sum.most[i];
        self->wave = home->waves;
        if (++home->added == home->ranks) {
            home->added = 0;
            home->result[home->waves++ % 2] = home->sum;
        }
    }
    const int done = !stopped && home->waves > self->wave;
    if (done)
        *all = home->result[self->wave % 2];
    pthread_mutex_unlock(&home->lock);
    return stopped ? -1 : done;
}

static void threads_stop(rd__transport *table, int exit_code, const char *text)
{
    house *home = ((resident *)table)->house;
    (void)exit_code; /* the process is the program's */
    pthread_mutex_lock(&home->lock);
    if (!home->stopped) { /* the first reason is the one */
        home->stopped = 1;
        snprintf(home->text, sizeof home->text, "%s", text);
    }
    pthread_mutex_unlock(&home->lock);
}

static void free_house(house *home)
{
    for (uint32_t r = 0; home->inbox && r < home->ranks; r++)
        while (home->inbox[r].first) {
            parcel *left = home->inbox[r].first;
            home->inbox[r].first = left->next;
            rd__free(left->message.data);
            rd__free(left);
        }
    pthread_mutex_destroy(&home->lock);
    rd__free(home->inbox);
    rd__free(home);
}

static void threads_close(rd__transport *table)
{
    house *home = ((resident *)table)->house;
    pthread_mutex_lock(&home->lock);
    const uint32_t open = --home->open;
    pthread_mutex_unlock(&home->lock);
    if (!open)
        free_house(home);
    rd__free(table);
}

static rd_ranks *move_in(house *home, uint32_t rank)
{
    resident *self = rd__calloc(1, sizeof *self);
    rd_ranks *ranks = rd__calloc(1, sizeof *ranks);
    if (!self || !ranks) {
        rd__free(self);
        rd__free(ranks);
        return NULL;
    }
    self->house = home;
    self->table = (rd__transport){.version = RD_TRANSPORT_VERSION,
                                  .name = "threads",
                                  .rank = rank,
                                  .ranks = home->ranks,
                                  .node_rank = rank,
                                  .node_ranks = home->ranks,
                                  .most_bytes = 1u << 30,
                                  .send = threads_send,
                                  .poll = threads_poll,
                                  .release = threads_release,
                                  .counts = threads_counts,
                                  .stop = threads_stop,
                                  .close = threads_close};
    ranks->transport = &self->table;
    home->open++;
    return ranks;
}

rd_status rd_ranks_open_threads(uint32_t count, rd_ranks **list, rd_error *err)
{
    if (!list || count < 1 || count > 4096)
        return rd__fail(err, RD_EARG, "rd_ranks_open_threads makes 1 to 4096 ranks, and needs a place for each");
    memset(list, 0, count * sizeof *list);
    house *home = rd__calloc(1, sizeof *home);
    if (!home)
        return rd__fail_memory(err, "ranks", sizeof *home);
    home->ranks = count;
    pthread_mutex_init(&home->lock, NULL);
    home->inbox = rd__calloc(count, sizeof *home->inbox);
    uint32_t made = 0;
    while (home->inbox && made < count && (list[made] = move_in(home, made)) != NULL)
        made++;
    if (made == count)
        return RD_OK;
    if (made == 0)
        free_house(home);
    for (uint32_t r = 0; r < made; r++) {
        rd_ranks_close(list[r]);
        list[r] = NULL;
    }
    return rd__fail_memory(err, "ranks", count * sizeof(rd_ranks));
}
