/* SPDX-License-Identifier: Apache-2.0 */
/*
 * transport.h - what carries messages between ranks: one small table, so that another transport can follow. There are
 * two: threads.c, ranks that are threads of one process, and shim.mpi.c, MPI, which is a shared object of its own so
 * that the library needs no MPI. The shim includes this file and nothing else of the library.
 *
 * All functions are called by the rank's own thread. None waits for another rank: whoever waits does so in ranks.c,
 * where signals and time limits are looked at.
 */
#ifndef RD_RANKS_TRANSPORT_H
#define RD_RANKS_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

/* Of the table below, and of the MPI shim's one function. A shim of another version is not used. */
#define RD_TRANSPORT_VERSION 1u
#define RD_TRANSPORT_SYMBOL  "rd_mpi_transport_open"

/* What counts() adds up over all ranks: sums, and maxima. */
enum { RD_TALLY_SUMS = 12, RD_TALLY_MOSTS = 4 };
typedef struct rd__tally {
    uint64_t sum[RD_TALLY_SUMS];
    uint64_t most[RD_TALLY_MOSTS];
} rd__tally;

typedef struct rd__message {
    uint32_t from;
    uint32_t kind; /* the sender's own word, not 0 */
    uint64_t bytes;
    void *data; /* freed by release() */
} rd__message;

enum { RD_TRANSPORT_TEXT = 256 };

typedef struct rd__transport rd__transport;
struct rd__transport {
    uint32_t version;
    const char *name; /* "threads", "Open MPI 4.1.4" */
    uint32_t rank, ranks;
    uint32_t node_rank, node_ranks; /* among those on this machine */
    uint32_t most_bytes;            /* of one message */
    char text[RD_TRANSPORT_TEXT];   /* after a failure: what happened */
    /* Takes a copy of the message, or has sent it; messages from one rank to another stay in order.
     * @return 0; -1: failed; 1: no room now, poll and try again. */
    int (*send)(rd__transport *self, uint32_t to, uint32_t kind, const void *data, uint64_t bytes);
    /* One message that has arrived. @return 1, 0 when there is none, -1: failed, or another rank has called stop(). */
    int (*poll)(rd__transport *self, rd__message *message);
    void (*release)(rd__transport *self, rd__message *message);
    /* Adds up over all ranks. With `mine` it begins (once every rank has); with NULL it asks: *all is written when it
     * is done. One at a time. @return 1: done, 0: not yet, -1 as above. */
    int (*counts)(rd__transport *self, const rd__tally *mine, rd__tally *all);
    /* Ends the run on all ranks: exit_code and a text for those who wait. Of MPI it does not return. */
    void (*stop)(rd__transport *self, int exit_code, const char *text);
    /* All is done: no message is under way. */
    void (*close)(rd__transport *self);
};

#endif
