/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks.h - more than one device, more than one machine. A run is done by several ranks: each has a device, a part of
 * the graph, and a job; the calls below that say "all ranks" have to be made by each of them, in the same order, or all
 * wait. A program
 *
 *   1. becomes one of several      rd_ranks_open_mpi(&ranks, &err), or makes some itself: rd_ranks_open_threads
 *   2. opens its part of a graph   rd_graph_open_part("kron:24", NULL, ranks, NULL, &graph, &err)
 *   3. makes a job as ever         rd_job_create(dev, "bfs", &job, &err); rd_job_set_graph(job, graph, &err)
 *   4. says whose                  rd_job_set_ranks(job, ranks, 0, &err)
 *   5. runs it, has it checked     rd_job_run(job, &report, &err); rd_job_check(job, &err)
 *
 * docs/machines.md teaches it. Functions return a status and a message as in raddle.h. A rank that fails and goes away
 * leaves the others waiting: it calls rd_ranks_stop, which ends them too.
 */
#ifndef RADDLE_RANKS_H
#define RADDLE_RANKS_H

#include "../raddle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rd_ranks rd_ranks;

/* What rd_job_check says, behind the name of the app, on a rank that has found nothing wrong in its own part when
 * another one has: RD_EWRONG there too. */
#define RD_RANKS_ELSEWHERE "another rank has found a fault"

/* @return how many ranks mpirun, mpiexec or srun has started this process as one of; 0: it was not started so. *rank
 * (unless NULL) becomes which, as far as the launcher tells before MPI is asked; else 0. */
RD_API uint32_t rd_ranks_launched(uint32_t *rank);

/* Becomes one of the ranks that were launched. MPI is a shared object beside the program or the library
 * (libraddle-openmpi.so, libraddle-mpich.so; RADDLE_MPI names another), opened here. Once in a process.
 * @return RD_EDEVICE when there is none. */
RD_API rd_status rd_ranks_open_mpi(rd_ranks **ranks, rd_error *err);
/* Ranks that are threads of this process: list[0 .. count-1], one for each thread to be used by it alone. */
RD_API rd_status rd_ranks_open_threads(uint32_t count, rd_ranks **list, rd_error *err);
/* All ranks, when none of them waits any more. Takes NULL. Jobs and graphs that use it have to be gone. */
RD_API void rd_ranks_close(rd_ranks *ranks);
/* Ends the run on all ranks: others that wait, or wait later, get `status` and the text, with the name of this rank. Of
 * MPI it ends the processes, this one too, with the exit code of the status. */
RD_API void rd_ranks_stop(rd_ranks *ranks, rd_status status, const char *text);
/* Flushes all streams and waits, a second at most, until the launcher has read what this process has written to its
 * standard output and standard error; rd_ranks_stop does so by itself. */
RD_API void rd_ranks_wait_until_heard(void);

RD_API uint32_t rd_ranks_rank(const rd_ranks *ranks);  /* 0: also of NULL */
RD_API uint32_t rd_ranks_count(const rd_ranks *ranks); /* 1: also of NULL */
/* Among the ranks on this machine: which, and of how many. */
RD_API uint32_t rd_ranks_on_node(const rd_ranks *ranks, uint32_t *of);
RD_API const char *rd_ranks_transport(const rd_ranks *ranks); /* "threads", "Open MPI 4.1.4" */

/* Whoever is asked while ranks wait for each other: non-zero stops waiting, RD_ECANCELLED. */
RD_API void rd_ranks_set_progress(rd_ranks *ranks, rd_progress_fn progress, void *user);

/* All ranks, the same: a message has at most so many bytes, and what is longer goes as several; tasks that do not fit
 * in one are not given away. 0: what the transport takes, 64 MiB of MPI. RD_EARG: fewer than RD_MESSAGE_LEAST. */
#define RD_MESSAGE_LEAST 64u
RD_API rd_status rd_ranks_set_message(rd_ranks *ranks, uint32_t bytes, rd_error *err);

/* All ranks. RD_EARG on each when they do not all have the same text: `what` says what it is. */
RD_API rd_status rd_ranks_agree(rd_ranks *ranks, const char *what, const char *text, rd_error *err);
/* All ranks. Each value becomes the sum of all ranks' (at most 8 of them). */
RD_API rd_status rd_ranks_sum(rd_ranks *ranks, uint64_t *value, uint32_t count, rd_error *err);
/* All ranks. At rank 0 *all (freed with rd_free) gets what each rank has, `bytes` of it, one rank after another, and
 * *sizes (likewise) how much of whom; elsewhere both are NULL. */
RD_API rd_status rd_ranks_gather(rd_ranks *ranks, const void *mine, uint64_t bytes, void **all, uint64_t **sizes,
                                 rd_error *err);

/* ---- Shares ---- */

/* A guess at how fast a device is at irregular work, from what it says of itself: a core of a CPU is 1. */
RD_API double rd_device_estimate(const rd_device *device);
/* All ranks, each with its own: how much of a graph each takes, against the others; 0: nothing. Ranks that give each
 * other tasks go by it too, and those with 0 take none. Graphs that are open already stay as they are. All have the
 * same unless this is called. RD_EARG: all are 0. */
RD_API rd_status rd_ranks_set_share(rd_ranks *ranks, double share, rd_error *err);
/* All ranks: by that guess. Ranks that are so slow that their help does not pay for the messages get 0. */
RD_API rd_status rd_ranks_share_by_device(rd_ranks *ranks, const rd_device *device, rd_error *err);
/* @return the share of a rank in all: they add up to 1. */
RD_API double rd_ranks_get_share(const rd_ranks *ranks, uint32_t rank);
/* @return the rank that has all of it, or RD_NONE. It may run a job that knows of no ranks: nothing is as fast. */
RD_API uint32_t rd_ranks_alone(const rd_ranks *ranks);

/* ---- Graphs in parts ---- */

/* All ranks. The part of a graph that this rank owns. Of a folder of rd_graph_partition, the part that is its, of which
 * it reads nothing else; of a file or a generator: consecutive vertices and the edges that leave them, blocks being
 * cut so that each has about as many edges. Options as for rd_graph_open, the same on all ranks. A part is a graph, of
 * own vertices first and then ghosts, which others own and which have no edges here; what is asked of it (rd_graph_csr)
 * tells of the part; rd_graph_name and rd_graph_find speak of vertices of the whole graph. With one rank it is the
 * whole graph, for jobs with ranks and without. */
RD_API rd_status rd_graph_open_part(const char *spec, const rd_graph_options *options, rd_ranks *ranks,
                                    rd_graph **graph, rd_error *err);

typedef struct rd_graph_part {
    uint32_t vertices; /* of the whole graph; and its edges, its vertex of highest degree (RD_NONE: none) */
    uint32_t hub;
    uint64_t edges;
    uint32_t first; /* own vertex v is vertex first + v of the whole */
    uint32_t own, ghosts;
    uint8_t symmetric; /* the whole graph is */
    uint8_t named;     /* vertices are called any numbers: see rd_graph_part_find */
    uint8_t reserved[2];
} rd_graph_part;
/* @return what part a graph is; of a graph that is no part, that it is all of it. */
RD_API rd_graph_part rd_graph_get_part(const rd_graph *graph);

/* All ranks. Where a file has any numbers for its vertices, or these were permuted, a rank has the names of its own
 * vertices only: rd_graph_name is UINT64_MAX and rd_graph_find RD_NONE for others. *vertex: the one of that name,
 * whoever owns it, or RD_NONE; each rank knows its name then. */
RD_API rd_status rd_graph_part_find(const rd_graph *graph, uint64_t name, uint32_t *vertex, rd_error *err);
/* All ranks, the same vertices: what they are called rd_graph_name knows from then on, on each rank. vertex NULL: it
 * knows all on rank 0, where rd_graph_ids has them. Of graphs without such names both do nothing that takes time. */
RD_API rd_status rd_graph_part_learn(rd_graph *graph, const uint32_t *vertex, uint32_t count, rd_error *err);

/* A graph that was cut once, in a folder: an .rdg file for each part, of which each rank reads its own, and a text that
 * says what is there. How vertices are dealt out: */
typedef enum rd_split {
    RD_SPLIT_BLOCKS, /* consecutive ones, cut so that each part has about as many edges and vertices */
    RD_SPLIT_HASH,   /* at random: balanced, but nearly every edge leads to another part */
    RD_SPLIT_GIVEN,  /* as part_of says: what METIS, Scotch and the like find */
    RD_SPLIT_METIS,  /* by METIS, which is opened for it: few edges between parts. RD_EDEVICE: it is not there */
    RD_SPLIT_SCOTCH, /* likewise by Scotch */
} rd_split;
typedef struct rd_partition {
    size_t size;             /* of this struct */
    uint32_t parts;          /* from 1 on */
    rd_split split;          /* of all but blocks vertices get other numbers, part by part, and keep their names */
    const uint32_t *part_of; /* RD_SPLIT_GIVEN: of each vertex, 0 .. parts - 1 */
} rd_partition;
/* Writes the parts to the folder, which is made when it is not there; parts that are there are replaced. */
RD_API rd_status rd_graph_partition(const rd_graph *graph, const rd_partition *how, const char *folder, rd_error *err);

typedef struct rd_part_info {
    uint32_t first, own, ghosts; /* vertices first .. first + own - 1 */
    uint64_t edges;
} rd_part_info;
typedef struct rd_parts {
    uint32_t parts, vertices;
    uint64_t edges;
    uint64_t cut;   /* edges that lead to another part */
    char split[16]; /* "blocks", "hash", "given" */
    uint8_t symmetric, weighted, real;
    uint8_t named;      /* vertices have names of their own, in a file */
    uint32_t from;      /* else vertex 0 is called so: 0 or 1 */
    char *provenance;   /* both freed by rd_parts_free */
    rd_part_info *part; /* parts of them */
} rd_parts;
/* What is in such a folder. RD_EIO: nothing; RD_EINPUT: it is damaged, or of another version. */
RD_API rd_status rd_parts_read(const char *folder, rd_parts *parts, rd_error *err);
RD_API void rd_parts_free(rd_parts *parts);

/* ---- Jobs ---- */

/* The job is one of several, one a rank, of the same app with the same options, each with its part of one graph where
 * the app takes a graph. rd_job_run and rd_job_check are then called by all ranks. A vertex as an option (source) is
 * one of the whole graph; the result of a rank has a value for each of its own vertices, and an app of tasks has the
 * whole result on every rank; the report adds up what all ranks did. window: of searches, how many levels (bfs) or how
 * much distance (sssp) ranks run ahead without waiting for each other; 1 is level by level; 0: by what it costs.
 * @return RD_EARG for an app that does not run on several ranks. NULL takes it back. */
RD_API rd_status rd_job_set_ranks(rd_job *job, rd_ranks *ranks, uint32_t window, rd_error *err);
/* @return 1 when the app of that name runs on several ranks. */
RD_API int rd_app_takes_ranks(const char *name);

/* What this rank did in the last run, where the report tells of all. */
typedef struct rd_rank_stats {
    uint64_t tasks;
    uint64_t messages, bytes; /* sent */
    double idle_s;            /* waiting for others */
    uint32_t own, ghosts;     /* vertices */
    uint64_t needed;          /* tasks that no order could have saved; 0: not known. tasks / needed is the overwork */
    uint64_t records;         /* of searches: words sent to owners of ghosts, */
    uint64_t remote;          /*   and edges that lead to ghosts: so many would have been sent without the filter */
    uint64_t batches;         /* of tasks that ranks share: batches got from others */
} rd_rank_stats;
RD_API rd_rank_stats rd_job_rank_stats(const rd_job *job);

/* ---- Checkpoints ---- */

/* A run of ranks, or of one (rd_ranks_open_threads(1, ...)), that writes down what it has now and then, and can go on
 * from there after it was killed: on the same number of ranks, with the same app, options and input, on the same
 * devices or others. The folder has to be one for all ranks. A checkpoint is complete or not there at all: one that is
 * being written takes the place of the one before when all of it is on the disk. A run that has ended removes it. */
typedef struct rd_checkpoint_options {
    size_t size;        /* of this struct */
    const char *folder; /* made when it is not there */
    double every;       /* seconds from one to the next, at least; 0: as often as can be */
    int resume;         /* the next run goes on from what is in the folder; else there is to be none */
    const char *note;   /* a text to be found there again, or NULL */
} rd_checkpoint_options;
/* After rd_job_set_ranks, on each rank. NULL: no more of them. RD_EARG for an app without; what is wrong with the
 * checkpoint that is to be gone on from, rd_job_run tells: RD_EIO, RD_EINPUT. */
RD_API rd_status rd_job_set_checkpoint(rd_job *job, const rd_checkpoint_options *options, rd_error *err);
/* @return 1 when the app of that name writes checkpoints. */
RD_API int rd_app_takes_checkpoints(const char *name);

typedef struct rd_checkpoint {
    char app[32];
    uint32_t ranks;
    uint64_t number; /* checkpoints of this run so far, this one included */
    double seconds;  /* that the run has taken */
    char *note;      /* freed with rd_free */
} rd_checkpoint;
/* What is in a folder. RD_EIO: nothing; RD_EINPUT: what is no checkpoint, is damaged, or of another version. */
RD_API rd_status rd_checkpoint_read(const char *folder, rd_checkpoint *checkpoint, rd_error *err);

typedef struct rd_ranks_traffic {
    uint64_t messages, bytes; /* sent to other ranks so far */
    double idle_s;            /* waiting for them */
} rd_ranks_traffic;
RD_API rd_ranks_traffic rd_ranks_get_traffic(const rd_ranks *ranks);

#ifdef __cplusplus
}
#endif
#endif
