/* SPDX-License-Identifier: Apache-2.0 */
/* ranks.h - inside the library: sending, waiting, adding up. ranks.c has what all ranks do together, deal.c what they
 * give each other, quiet.c how they find out that nothing is left to do. */
#ifndef RD_RANKS_RANKS_H
#define RD_RANKS_RANKS_H

#include "core/error.h"
#include "core/watch.h"
#include "raddle/ranks.h"
#include "ranks/transport.h"

/* Kinds of messages. */
enum {
    RD__MESSAGE_WORK = 1,  /* of a run: values, tasks; counted for its end */
    RD__MESSAGE_ASK,       /* of a run, not counted: asks for tasks, or says that there are none */
    RD__MESSAGE_DEAL,      /* of rd__ranks_deal: a piece, and more follow */
    RD__MESSAGE_DEAL_LAST, /* likewise, the last one */
};

typedef struct rd__kept rd__kept;
struct rd__kept {
    rd__message message;
    rd__kept *next;
};

struct rd_ranks {
    rd__transport *transport;
    rd__watch watch;
    double deadline; /* rd_now() at which waiting ends; 0: never */
    rd__kept *kept;  /* messages that came before they were asked for, oldest first */
    rd__kept *kept_last;
    rd_ranks_traffic traffic;
    uint32_t message; /* most bytes of one, as the caller wants it; 0: as the transport has it */
    double *share;    /* of each rank, which add up to 1: shares.c; NULL: all alike */
    uint32_t waited;  /* how rd__ranks_pause waits; 0: something has happened since */
    double since;     /* when it began to wait */
    uint32_t crowded; /* waits to come that do not yield: see rd__ranks_pause */
    long cores;       /* of this machine, once it matters; 0: not known */
};

/* A rank with nobody else is no ranks at all. */
static inline int rd__ranks_many(const rd_ranks *ranks)
{
    return rd_ranks_count(ranks) > 1;
}

/* The most bytes of one message. */
uint32_t rd__ranks_message(const rd_ranks *ranks);
/* Sends; where there is no room it takes in what has come, and keeps it. */
rd_status rd__ranks_send(rd_ranks *ranks, uint32_t to, uint32_t kind, const void *data, uint64_t bytes, rd_error *err);
/* A message of this kind (0: WORK or ASK, whichever came first). *there is 0 when there is none now. */
rd_status rd__ranks_poll(rd_ranks *ranks, uint32_t kind, rd__message *message, int *there, rd_error *err);
void rd__ranks_release(rd_ranks *ranks, rd__message *message);
/* Hands all messages of WORK and ASK that are there now to `take`, one after another, until it fails. */
typedef rd_status rd__message_fn(void *user, const rd__message *message, rd_error *err);
rd_status rd__ranks_take_all(rd_ranks *ranks, rd__message_fn *take, void *user, rd_error *err);
/* Nothing to do: lets others have the core, longer each time. Looks at signals and the time. */
rd_status rd__ranks_pause(rd_ranks *ranks, rd_error *err);
/* Looks at signals and the time, for work that takes long; tells how far it is. */
rd_status rd__ranks_may_go_on(rd_ranks *ranks, const char *what, uint64_t done, const char *unit, rd_error *err);
/* counts() of the transport, with its failure in words. */
rd_status rd__ranks_counts(rd_ranks *ranks, const rd__tally *mine, rd__tally *all, int *done, rd_error *err);

/* All ranks: adds up, and waits for it. */
rd_status rd__ranks_tally(rd_ranks *ranks, const rd__tally *mine, rd__tally *all, rd_error *err);

/* ---- Whose how much is: shares.c ---- */

/* What all ranks before this one have together; 1 where nobody from it on has anything. */
double rd__ranks_before(const rd_ranks *ranks, uint32_t rank);
/* Whoever has most: where tasks begin. */
uint32_t rd__ranks_first(const rd_ranks *ranks);

typedef struct rd__deal {
    void *data;     /* to a rank, or from it */
    uint64_t bytes; /* of which rd__array_free frees those that came */
} rd__deal;
/* All ranks: out[r] goes to rank r, in[r] comes from it; its own too, as a copy. */
rd_status rd__ranks_deal(rd_ranks *ranks, const rd__deal *out, rd__deal *in, rd_error *err);
void rd__deals_free(rd__deal *deal, uint32_t count);
/* The same between neighbours: to[r] here is from[this one] there. Meanwhile all ranks add up. */
typedef struct rd__sum {
    const rd__tally *mine;
    rd__tally *all;
} rd__sum;
rd_status rd__ranks_step(rd_ranks *ranks, const rd__deal *out, const unsigned char *to, rd__deal *in,
                         const unsigned char *from, const rd__sum *sum, rd_error *err);
/* The same where it is known what comes: in[r] is a place for just as many bytes, and nothing where none come. sum may
 * be NULL. */
rd_status rd__ranks_fill(rd_ranks *ranks, const rd__deal *out, const rd__deal *in, const rd__sum *sum, rd_error *err);

/* ---- The end of a run: quiet.c ---- */

typedef struct rd__quiet {
    uint64_t sent, received; /* messages of RD__MESSAGE_WORK */
    uint64_t seen_sent, seen_received;
    int seen;    /* the wave before found all idle, with these sums */
    int waiting; /* a wave is under way */
} rd__quiet;

/* To be called again and again. Here: what this rank has to say, in sum[3..] and most[] of *mine; idle: it has nothing
 * to do. *done: all were idle, and no message is under way; *all is then what ranks said in the last wave. */
rd_status rd__quiet_step(rd_ranks *ranks, rd__quiet *quiet, int idle, const rd__tally *mine, rd__tally *all, int *done,
                         rd_error *err);
enum { RD__QUIET_OWN = 3 }; /* the first sum that is the caller's */

#endif
