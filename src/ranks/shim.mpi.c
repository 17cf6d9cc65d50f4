/* SPDX-License-Identifier: Apache-2.0 */
/*
 * shim.mpi.c - MPI as a transport (transport.h), compiled by mpicc into a shared object of its own, once for each MPI
 * that is found; ranks/mpi.c opens the one that started the process. Only here is MPI known, and nothing of the library
 * is used.
 *
 * A message is a copy on its way by MPI_Isend; requests that are done are freed when others are made and while polling.
 * So sending never waits for the receiver, up to MOST_UNDER_WAY bytes: then the sender has to poll first, which lets
 * the receiver's messages through too, and nobody waits for anybody for ever. Messages of one pair stay in order
 * because MPI matches those of a communicator in the order of sending, whatever tag is asked for by MPI_ANY_TAG.
 *
 * Sums go from each rank to each where there are not many: one hop. MPI_Iallreduce has some log2 of the ranks, one
 * after another, and each waits for a rank to look: who is computing, asleep or not on a core holds up all behind it.
 */
#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "ranks/transport.h"

#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REQUESTS = 4096, MOST_BYTES = 1 << 26, MOST_DIRECT = 64 };
#define MOST_UNDER_WAY (1ull << 28)

typedef struct shim {
    rd__transport table;
    MPI_Comm comm;
    MPI_Op add;
    MPI_Datatype tally;
    MPI_Request counting;
    MPI_Comm sums; /* where there are not many ranks: what each has to say, and */
    MPI_Request part[2 * MOST_DIRECT];
    MPI_Status part_status[2 * MOST_DIRECT]; /* MPICH's word for none makes gcc warn, here and below */
    rd__tally said[MOST_DIRECT];
    int parts; /* of a sum that is under way */
    rd__tally mine, all;
    MPI_Request request[MOST_REQUESTS];
    void *copy[MOST_REQUESTS];
    uint64_t bytes[MOST_REQUESTS];
    int place[MOST_REQUESTS]; /* of those that are done */
    MPI_Status status[MOST_REQUESTS];
    int requests;
    uint64_t under_way;
    char name[MPI_MAX_LIBRARY_VERSION_STRING];
} shim;

static void add_tallies(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const rd__tally *from = in;
    rd__tally *to = inout;
    (void)type;
    for (int k = 0; k < *count; k++) {
        for (int i = 0; i < RD_TALLY_SUMS; i++)
            to[k].sum[i] += from[k].sum[i];
        for (int i = 0; i < RD_TALLY_MOSTS; i++)
            to[k].most[i] = from[k].most[i] > to[k].most[i] ? from[k].most[i] : to[k].most[i];
    }
}

static int failed(shim *self, const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    snprintf(self->table.text, sizeof self->table.text, "%s failed: %.180s", call, text);
    return -1;
}

/* Frees what has been sent: one question for all, for each lets MPI look at everything. @return 0, or -1. */
static int sweep(shim *self)
{
    int done = 0, kept = 0;
    const int code = MPI_Testsome(self->requests, self->request, &done, self->place, self->status);
    if (code != MPI_SUCCESS)
        return failed(self, "MPI_Testsome", code);
    for (int i = 0; i < done; i++) {
        free(self->copy[self->place[i]]);
        self->under_way -= self->bytes[self->place[i]];
    }
    for (int i = 0; done > 0 && i < self->requests; i++) {
        if (self->request[i] == MPI_REQUEST_NULL)
            continue;
        self->request[kept] = self->request[i];
        self->copy[kept] = self->copy[i];
        self->bytes[kept++] = self->bytes[i];
    }
    self->requests = done > 0 ? kept : self->requests;
    return 0;
}

static int shim_send(rd__transport *table, uint32_t to, uint32_t kind, const void *data, uint64_t bytes)
{
    shim *self = (shim *)table;
    if (self->requests == MOST_REQUESTS || self->under_way > MOST_UNDER_WAY) {
        if (sweep(self) < 0)
            return -1;
        if (self->requests == MOST_REQUESTS || self->under_way > MOST_UNDER_WAY)
            return 1;
    }
    void *copy = malloc(bytes ? bytes : 1);
    if (!copy) {
        snprintf(table->text, sizeof table->text, "out of host memory: a message of %llu bytes to rank %u",
                 (unsigned long long)bytes, to);
        return -1;
    }
    if (bytes)
        memcpy(copy, data, bytes);
    const int code =
        MPI_Isend(copy, (int)bytes, MPI_BYTE, (int)to, (int)kind, self->comm, &self->request[self->requests]);
    if (code != MPI_SUCCESS) {
        free(copy);
        return failed(self, "MPI_Isend", code);
    }
    self->copy[self->requests] = copy;
    self->bytes[self->requests++] = bytes;
    self->under_way += bytes;
    return 0;
}

static int shim_poll(rd__transport *table, rd__message *message)
{
    shim *self = (shim *)table;
    MPI_Status status;
    MPI_Message came;
    int there = 0, bytes = 0;
    if (self->requests && sweep(self) < 0)
        return -1;
    int code = MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, self->comm, &there, &came, &status);
    if (code != MPI_SUCCESS)
        return failed(self, "MPI_Improbe", code);
    if (!there)
        return 0;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    *message = (rd__message){(uint32_t)status.MPI_SOURCE, (uint32_t)status.MPI_TAG, (uint64_t)bytes,
                             malloc(bytes ? (size_t)bytes : 1)};
    if (!message->data) {
        snprintf(table->text, sizeof table->text, "out of host memory: a message of %d bytes from rank %d", bytes,
                 status.MPI_SOURCE);
        return -1;
    }
    code = MPI_Mrecv(message->data, bytes, MPI_BYTE, &came, MPI_STATUS_IGNORE);
    return code == MPI_SUCCESS ? 1 : failed(self, "MPI_Mrecv", code);
}

static void shim_release(rd__transport *table, rd__message *message)
{
    (void)table;
    free(message->data);
}

/* To each and from each. Those of one pair stay in order, so that nothing says which sum one is of. */
static int begin_direct(shim *self)
{
    const int ranks = (int)self->table.ranks, own = (int)self->table.rank;
    int code = MPI_SUCCESS;
    self->parts = 0;
    for (int i = 1; i < ranks && code == MPI_SUCCESS; i++)
        code = MPI_Irecv(&self->said[(own + i) % ranks], sizeof *self->said, MPI_BYTE, (own + i) % ranks, 0, self->sums,
                         &self->part[self->parts++]);
    for (int i = 1; i < ranks && code == MPI_SUCCESS; i++)
        code = MPI_Isend(&self->mine, sizeof self->mine, MPI_BYTE, (own + i) % ranks, 0, self->sums,
                         &self->part[self->parts++]);
    return code;
}

static int shim_counts(rd__transport *table, const rd__tally *mine, rd__tally *all)
{
    shim *self = (shim *)table;
    const int is_direct = table->ranks <= MOST_DIRECT;
    int done = 0, code = MPI_SUCCESS, one = 1;
    if (mine) {
        self->mine = *mine;
        code = is_direct
                   ? begin_direct(self)
                   : MPI_Iallreduce(&self->mine, &self->all, 1, self->tally, self->add, self->comm, &self->counting);
        if (code != MPI_SUCCESS)
            return failed(self, is_direct ? "MPI_Isend" : "MPI_Iallreduce", code);
    }
    code = is_direct ? MPI_Testall(self->parts, self->part, &done, self->part_status)
                     : MPI_Test(&self->counting, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS)
        return failed(self, "MPI_Test", code);
    if (done && is_direct) {
        self->all = self->mine;
        for (uint32_t r = 0; r < table->ranks; r++)
            if (r != table->rank)
                add_tallies(&self->said[r], &self->all, &one, NULL);
    }
    if (done)
        *all = self->all;
    return done;
}

/* MPICH's MPI_Abort waits for the other ranks, for ever where one is stopped (SIGSTOP, a debugger). Whoever is left in
 * it after some seconds just ends: a launcher ends the others when one does so with a status that is not 0. */
enum { ABORT_SECONDS = 3 };
static volatile sig_atomic_t last_code;

static void on_late_abort(int number)
{
    (void)number;
    _exit(last_code);
}

static void shim_stop(rd__transport *table, int exit_code, const char *text)
{
    const struct sigaction late = {.sa_handler = on_late_abort};
    sigset_t set;
    (void)text; /* whoever calls this has said it */
    last_code = exit_code;
    sigemptyset(&set);
    sigaddset(&set, SIGALRM);
    sigaction(SIGALRM, &late, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    alarm(ABORT_SECONDS);
    MPI_Abort(((shim *)table)->comm, exit_code);
}

static void shim_close(rd__transport *table)
{
    shim *self = (shim *)table;
    while (self->requests && sweep(self) == 0)
        ;
    MPI_Type_free(&self->tally);
    MPI_Op_free(&self->add);
    MPI_Comm_free(&self->sums);
    MPI_Comm_free(&self->comm);
    MPI_Finalize();
    free(self);
}

static void find_node(shim *self)
{
    MPI_Comm node;
    int rank, ranks;
    if (MPI_Comm_split_type(self->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node) != MPI_SUCCESS)
        return;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &ranks);
    MPI_Comm_free(&node);
    self->table.node_rank = (uint32_t)rank;
    self->table.node_ranks = (uint32_t)ranks;
}

/* "Open MPI v4.1.4, package: ..." and "MPICH Version:\t4.0.2\n..." become what people call them. */
static void short_name(char *name)
{
    static const char word[] = " Version:";
    name[strcspn(name, ",\n")] = 0;
    char *at = strstr(name, word);
    if (!at)
        return;
    const char *number = at + sizeof word - 1;
    while (*number == ' ' || *number == '\t')
        number++;
    *at++ = ' ';
    memmove(at, number, strlen(number) + 1);
}

__attribute__((visibility("default"))) rd__transport *rd_mpi_transport_open(uint32_t version, char *reason,
                                                                            size_t room);

rd__transport *rd_mpi_transport_open(uint32_t version, char *reason, size_t room)
{
    int given, rank, ranks, length = 0, begun = 0;
    if (version != RD_TRANSPORT_VERSION) {
        snprintf(reason, room, "it is of version %u, and this raddle needs %u", RD_TRANSPORT_VERSION, version);
        return NULL;
    }
    shim *self = calloc(1, sizeof *self);
    MPI_Initialized(&begun);
    if (!self || (!begun && MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &given) != MPI_SUCCESS)) {
        snprintf(reason, room, self ? "MPI_Init_thread failed" : "out of host memory");
        free(self);
        return NULL;
    }
    MPI_Comm_dup(MPI_COMM_WORLD, &self->comm); /* messages of the program's own do not get in */
    MPI_Comm_dup(self->comm, &self->sums);
    MPI_Comm_set_errhandler(self->comm, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(self->sums, MPI_ERRORS_RETURN);
    MPI_Op_create(add_tallies, 1, &self->add);
    MPI_Type_contiguous((int)sizeof(rd__tally), MPI_BYTE, &self->tally);
    MPI_Type_commit(&self->tally);
    MPI_Comm_rank(self->comm, &rank);
    MPI_Comm_size(self->comm, &ranks);
    MPI_Get_library_version(self->name, &length);
    short_name(self->name);
    self->table = (rd__transport){.version = RD_TRANSPORT_VERSION,
                                  .name = self->name,
                                  .rank = (uint32_t)rank,
                                  .ranks = (uint32_t)ranks,
                                  .node_ranks = 1,
                                  .most_bytes = MOST_BYTES,
                                  .send = shim_send,
                                  .poll = shim_poll,
                                  .release = shim_release,
                                  .counts = shim_counts,
                                  .stop = shim_stop,
                                  .close = shim_close};
    find_node(self);
    return &self->table;
}
